# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras see what is before them, as badly as they were told to."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import takewhile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from world_model_core.ball.parameters import BallParameters
from world_model_core.simulation.ssl_arena import CAMERAS, make_geometry
from world_model_core.simulation.ssl_match import SslMatch
from world_model_core.simulation.ssl_parameters import SslMatchParameters
from world_model_core.ssl.values import RobotId

SECOND = 1_000_000_000
PERFECT = SslMatchParameters(
    robots_per_team=3, position_noise=0.0, heading_noise=0.0, missed=0.0, occlusion=False
)
GEOMETRY = make_geometry(BallParameters())
POINTS = st.tuples(st.floats(-5, 5), st.floats(-4, 4), st.floats(0, 2))


def watch(parameters, seconds=20.0):
    """Collect what cameras saw, and the truth."""
    packets = SslMatch(parameters, 0).packets()
    sent = takewhile(lambda each: each.sent_ns < seconds * SECOND, packets)
    return [(each.packet.detection, each.truth) for each in sent if each.truth]


@pytest.fixture(scope='module')
def perfect():
    """Watch without noise, misses or hidden balls."""
    return watch(PERFECT)


@given(POINTS, st.sampled_from(range(len(CAMERAS))))
def test_calibration_on_the_wire_is_that_of_the_camera(point, index):
    """Who projects by the published rotation, translation and focal length gets our pixels."""
    calibration = GEOMETRY.cameras[index]
    rotation = Rotation.from_quat(calibration.rotation)
    x, y, depth = rotation.apply(point) + calibration.translation
    expected = calibration.focal_length * np.array((x, y)) / depth + calibration.principal_point
    assert CAMERAS[index].pixel(point) == pytest.approx(expected, abs=1e-6)
    centre = -rotation.inv().apply(calibration.translation)
    assert calibration.position == pytest.approx(centre, abs=1e-12)


@given(POINTS, st.sampled_from(CAMERAS))
def test_shadow_lies_on_the_ray_through_the_ball(point, camera):
    """Camera, ball and the place where it appears are on one line, the last on the carpet."""
    shadow = np.array((*camera.shadow(point), 0.0))
    ray = np.array(point) - camera.position
    assert np.cross(ray, shadow - camera.position) == pytest.approx(np.zeros(3), abs=1e-9)
    if point[2] == 0.0:
        assert shadow[:2] == pytest.approx(point[:2], abs=1e-12)


def test_flying_ball_appears_in_its_shadow(perfect):
    """Without a measured height, p = C + (P - C) Cz / (Cz - Pz), and z is left out."""
    flights = 0
    for frame, truth in perfect:
        for ball in frame.balls:
            cx, cy, cz = GEOMETRY.cameras[frame.camera_id].position
            x, y, z = truth.position
            flights += z > 0.1
            assert ball.z is None
            assert ball.x == pytest.approx(cx + (x - cx) * cz / (cz - z), abs=1e-9)
            assert ball.y == pytest.approx(cy + (y - cy) * cz / (cz - z), abs=1e-9)
    assert flights > 10


def test_measured_height_gives_the_ball_itself():
    """With a measured height, x, y and z are the ball's own, as grSim has them."""
    seen = watch(replace(PERFECT, measured_height=True))
    balls = [(ball, truth) for frame, truth in seen for ball in frame.balls]
    assert max(ball.z for ball, _ in balls) > 0.1
    for ball, truth in balls:
        assert (ball.x, ball.y, ball.z) == pytest.approx(truth.position, abs=1e-12)


def test_whatever_is_on_the_field_is_seen(perfect):
    """Without misses each robot and a ball on the carpet are seen by a camera of their half."""
    for frame, truth in perfect:
        mine = math.copysign(1.0, CAMERAS[frame.camera_id].position[0])
        there = {robot.id for robot in truth.robots if robot.position[0] * mine > 0.0}
        assert there <= {_id(robot) for robot in frame.robots}
        if truth.position[0] * mine > 0.0 and truth.position[2] < 0.2:
            assert len(frame.balls) == 1


def _id(robot):
    """Give a detected robot's id in the type of the truth's."""
    return RobotId(robot.team, robot.number)


def test_cameras_overlap_in_the_middle(perfect):
    """A strip about the halfway line is seen by both cameras, the far goals by one only."""
    where = {0: [], 1: []}
    for frame, truth in perfect:
        if frame.balls:
            where[frame.camera_id].append(truth.position[0])
    assert max(where[0]) > 0.3
    assert min(where[1]) < -0.3
    assert max(where[0]) < 1.0 < max(where[1])


def test_noise_has_the_deviation_asked_for():
    """The spread of robots' detections about the truth is the parameter's."""
    seen = watch(replace(PERFECT, position_noise=0.01, heading_noise=0.05), 10.0)
    errors = []
    for frame, truth in seen:
        robots = {robot.id: robot for robot in truth.robots}
        for robot in frame.robots:
            true = robots[_id(robot)]
            turn = math.remainder(robot.heading - true.heading, 2.0 * math.pi)
            errors.append((robot.x - true.position[0], robot.y - true.position[1], turn))
    assert np.std(errors, axis=0) == pytest.approx((0.01, 0.01, 0.05), rel=0.1)
    assert np.mean(errors, axis=0) == pytest.approx((0.0, 0.0, 0.0), abs=0.003)


@pytest.mark.parametrize('missed', [0.05, 0.5, 1.0])
def test_part_of_the_detections_is_missed(perfect, missed):
    """As many robots and balls are missed as asked for."""
    seen = watch(replace(PERFECT, missed=missed))
    there = sum(len(frame.robots) for frame, _ in perfect)
    part = 1.0 - sum(len(frame.robots) for frame, _ in seen) / there
    assert part == pytest.approx(missed, abs=0.01)


def test_robots_hide_the_ball():
    """With occlusion a ball beneath a robot's edge is not seen, and everything else is."""
    seen = watch(replace(PERFECT, occlusion=True))
    hidden = [
        truth
        for frame, truth in seen
        if not frame.balls and CAMERAS[frame.camera_id].sees(truth.position)
    ]
    assert len(hidden) > 10
    for truth in hidden:
        nearest = min(math.dist(robot.position, truth.position[:2]) for robot in truth.robots)
        assert nearest < 0.25
