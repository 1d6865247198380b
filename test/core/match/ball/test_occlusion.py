# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots between camera and ball."""

import numpy as np

from world_model_core.match.ball.occlusion import hidden_by

BALL = np.zeros(3)
SIDE_CAMERA = np.array((4.0, 0.0, 4.0))


def robots(*places):
    """Place robots."""
    return np.array(places, dtype=float).reshape(-1, 2)


def test_a_robot_towards_the_camera_hides_the_ball():
    """A robot whose body the ray to the camera passes through must hide the ball."""
    assert hidden_by(BALL, robots((2.0, 2.0), (0.12, 0.0)), [SIDE_CAMERA]) == 1


def test_a_robot_behind_or_beside_the_ball_hides_nothing():
    """A robot on the other side of the ball, or next to the ray, must not hide it."""
    assert hidden_by(BALL, robots((-0.12, 0.0), (0.12, 0.2)), [SIDE_CAMERA]) is None


def test_the_ray_passes_over_a_robot_further_away():
    """At 45 degrees a robot of 0.15 m must hide nothing from 0.25 m away on."""
    assert hidden_by(BALL, robots((0.26, 0.0)), [SIDE_CAMERA]) is None


def test_a_second_camera_sees_what_the_first_does_not():
    """A ball must count as hidden only when no camera sees it."""
    other = np.array((-4.0, 0.0, 4.0))
    assert hidden_by(BALL, robots((0.12, 0.0)), [SIDE_CAMERA, other]) is None
    assert hidden_by(BALL, robots((0.12, 0.0), (-0.12, 0.0)), [SIDE_CAMERA, other]) == 0


def test_without_cameras_only_what_is_under_a_robot_is_hidden():
    """Not knowing where the cameras are, nothing must be taken for a shadow."""
    assert hidden_by(BALL, robots((0.12, 0.0)), []) is None
    assert hidden_by(BALL, robots((0.05, 0.0)), []) == 0


def test_without_robots_nothing_is_hidden():
    """An empty field must hide nothing."""
    assert hidden_by(BALL, robots(), [SIDE_CAMERA]) is None
