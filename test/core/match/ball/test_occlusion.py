# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Occlusion of the ball by robots."""

import numpy as np

from world_model_core.match.ball.occlusion import hidden_by

BALL = np.zeros(3)
SIDE_CAMERA = np.array((4.0, 0.0, 4.0))


def robots(*places):
    """Place robots."""
    return np.array(places, dtype=float).reshape(-1, 2)


def test_a_robot_towards_the_camera_hides_the_ball():
    """A robot that the ray to the camera crosses must hide the ball."""
    assert hidden_by(BALL, robots((2.0, 2.0), (0.12, 0.0)), [SIDE_CAMERA]) == 1


def test_a_robot_behind_or_next_to_the_ball_hides_nothing():
    """A robot on the other side of the ball, or next to the ray, must not hide it."""
    assert hidden_by(BALL, robots((-0.12, 0.0), (0.12, 0.2)), [SIDE_CAMERA]) is None


def test_the_ray_passes_over_a_robot_further_away():
    """At 45 degrees a robot of 0.15 m must hide nothing from 0.25 m away on."""
    assert hidden_by(BALL, robots((0.26, 0.0)), [SIDE_CAMERA]) is None


def test_a_second_camera_detects_the_ball():
    """A ball must count as hidden only when it is hidden from every camera."""
    other = np.array((-4.0, 0.0, 4.0))
    assert hidden_by(BALL, robots((0.12, 0.0)), [SIDE_CAMERA, other]) is None
    assert hidden_by(BALL, robots((0.12, 0.0), (-0.12, 0.0)), [SIDE_CAMERA, other]) == 0


def test_without_cameras_only_what_is_under_a_robot_is_hidden():
    """With unknown camera positions no ball must count as occluded."""
    assert hidden_by(BALL, robots((0.12, 0.0)), []) is None
    assert hidden_by(BALL, robots((0.05, 0.0)), []) == 0


def test_without_robots_nothing_is_hidden():
    """An empty field must hide nothing."""
    assert hidden_by(BALL, robots(), [SIDE_CAMERA]) is None
