# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Detections of simulated cameras, with the specified errors."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import takewhile

import numpy as np
import pytest

from world_model_core.match.ssl.robot_id import RobotId
from world_model_core.simulation.match.field import CAMERAS
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_core.uncertainty.clutter import ClutterRate
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_bias import PlaceBias
from world_model_core.uncertainty.sensor_noise import PlaceNoise

PERFECT = SslMatchParameters(
    robots_per_team=3,
    noise=PlaceNoise(position_std=0.0, heading_std=0.0),
    missed_detection=MissedDetection(probability=0.0),
    robots_hide_balls=False,
)


def simulate(parameters, seconds=20.0):
    """Collect frames and the truth."""
    return gather(SslMatch(parameters, 0).packets(), seconds)


def gather(packets, seconds):
    """Collect the frames of the first seconds, and the truth."""
    sent = takewhile(lambda each: each.sent_ns < seconds * SECOND, packets)
    return [(each.packet.detection, each.truth) for each in sent if each.truth]


@pytest.fixture(scope='module')
def perfect():
    """Simulate without noise, misses or hidden balls."""
    return simulate(PERFECT)


def test_flying_ball_appears_in_its_shadow(perfect):
    """Without a measured height, p = C + (P - C) Cz / (Cz - Pz), and z is left out."""
    in_the_air = 0
    for frame, truth in perfect:
        for ball in frame.balls:
            cx, cy, cz = CAMERAS[frame.camera_id].position
            x, y, z = truth.position
            in_the_air += z > 0.1
            assert ball.z is None
            assert ball.x == pytest.approx(cx + (x - cx) * cz / (cz - z), abs=1e-9)
            assert ball.y == pytest.approx(cy + (y - cy) * cz / (cz - z), abs=1e-9)
    assert in_the_air > 10


def test_measured_height_gives_the_ball_itself():
    """With a measured height, x, y and z are the ball's own, as in grSim."""
    frames_seen = simulate(replace(PERFECT, measured_height=True))
    balls = [(ball, truth) for frame, truth in frames_seen for ball in frame.balls]
    assert max(ball.z for ball, _ in balls) > 0.1
    for ball, truth in balls:
        assert (ball.x, ball.y, ball.z) == pytest.approx(truth.position, abs=1e-12)


def test_everything_on_the_field_is_detected(perfect):
    """Without misses a camera of their half detects each robot and a ball on the carpet."""
    for frame, truth in perfect:
        mine = math.copysign(1.0, CAMERAS[frame.camera_id].position[0])
        there = {robot.id for robot in truth.robots if robot.position[0] * mine > 0.0}
        assert there <= {_id(robot) for robot in frame.robots}
        if truth.position[0] * mine > 0.0 and truth.position[2] < 0.2:
            assert len(frame.balls) == 1


def _id(robot):
    """Return a detected robot's id in the type of the truth's."""
    return RobotId(robot.team, robot.number)


def test_cameras_overlap_in_the_middle(perfect):
    """Both cameras cover a strip at the halfway line, only one each goal."""
    where = {0: [], 1: []}
    for frame, truth in perfect:
        if frame.balls:
            where[frame.camera_id].append(truth.position[0])
    assert max(where[0]) > 0.3
    assert min(where[1]) < -0.3
    assert max(where[0]) < 1.0 < max(where[1])


def test_noise_has_the_specified_deviation():
    """The deviation of the robots' detections from the truth is the parameter's."""
    frames_seen = simulate(
        replace(PERFECT, noise=PlaceNoise(position_std=0.01, heading_std=0.05)), 10.0
    )
    errors = []
    for frame, truth in frames_seen:
        robots = {robot.id: robot for robot in truth.robots}
        for robot in frame.robots:
            true = robots[_id(robot)]
            turn = math.remainder(robot.heading - true.heading, 2.0 * math.pi)
            errors.append((robot.x - true.position[0], robot.y - true.position[1], turn))
    assert np.std(errors, axis=0) == pytest.approx((0.01, 0.01, 0.05), rel=0.1)
    assert np.mean(errors, axis=0) == pytest.approx((0.0, 0.0, 0.0), abs=0.003)


@pytest.mark.parametrize('missed', [0.05, 0.5, 1.0])
def test_part_of_the_detections_is_missed(perfect, missed):
    """The fraction of missed robots and balls is the parameter's."""
    frames_seen = simulate(replace(PERFECT, missed_detection=MissedDetection(probability=missed)))
    there = sum(len(frame.robots) for frame, _ in perfect)
    part = 1.0 - sum(len(frame.robots) for frame, _ in frames_seen) / there
    assert part == pytest.approx(missed, abs=0.01)


def test_robots_hide_the_ball():
    """With occlusion a ball below a robot's edge is not detected, and everything else is."""
    frames_seen = simulate(replace(PERFECT, robots_hide_balls=True))
    hidden = [
        truth
        for frame, truth in frames_seen
        if not frame.balls and CAMERAS[frame.camera_id].covers(truth.position)
    ]
    assert len(hidden) > 10
    for truth in hidden:
        nearest = min(math.dist(robot.position, truth.position[:2]) for robot in truth.robots)
        assert nearest < 0.25


WRONG = replace(
    PERFECT,
    cameras=4,
    distortion=0.1,
    bias=PlaceBias(position_std=0.02, position_fraction=0.002),
    camera_position_error=0.05,
)


@pytest.fixture(scope='module')
def biased():
    """Simulate cameras with errors and without noise, and return them as well."""
    match = SslMatch(WRONG, 0)
    return match.vision, gather(match.packets(), 20.0)


def test_errors_are_added_to_the_true_detections(biased):
    """Bias and slope are constant per camera, and the projection of a chip uses its position."""
    vision, frames_seen = biased
    in_the_air = 0
    for frame, truth in frames_seen:
        camera, errors = vision.cameras[frame.camera_id], vision.errors[frame.camera_id]
        for ball in frame.balls:
            shadow = camera.project_to_ground(truth.position)
            away = np.subtract(shadow, camera.position[:2])
            expected = shadow + np.array(errors.bias) + np.array(errors.slope) @ away
            assert (ball.x, ball.y) == pytest.approx(expected, abs=1e-12)
            in_the_air += truth.position[2] > 0.1
    assert in_the_air > 10


def test_balls_and_robots_are_displaced_alike(biased):
    """The errors of a camera are those of its calibration, for all objects."""
    vision, frames_seen = biased
    for frame, truth in frames_seen:
        camera, errors = vision.cameras[frame.camera_id], vision.errors[frame.camera_id]
        robots = {robot.id: robot for robot in truth.robots}
        for robot in frame.robots:
            expected = errors.displace(robots[_id(robot)].position, camera)
            assert (robot.x, robot.y) == pytest.approx(expected, abs=1e-12)


def test_pixels_fit_the_calibration_on_the_wire(biased):
    """Projecting the pixels by the published cameras gives the positions in the packet."""
    vision, frames_seen = biased
    published = [e.publish(c) for c, e in zip(vision.cameras, vision.errors, strict=True)]
    geometry = next(
        sent.packet.geometry for sent in SslMatch(WRONG, 0).packets() if sent.truth is None
    )
    assert geometry.cameras == tuple(camera.calibration() for camera in published)
    for frame, _ in frames_seen[:1000]:
        camera = published[frame.camera_id]
        for ball in frame.balls:
            assert camera.point(ball.pixel) == pytest.approx((ball.x, ball.y), abs=1e-9)
        for robot in frame.robots:
            place = camera.point(robot.pixel, robot.height)
            assert place == pytest.approx((robot.x, robot.y), abs=1e-9)


def test_wrong_positions_on_the_wire_change_no_detection(biased):
    """Only the geometry has the wrong camera positions."""
    _, frames_seen = biased
    right = simulate(replace(WRONG, camera_position_error=0.0))
    for (one, _), (other, _) in zip(frames_seen, right, strict=True):
        assert [(b.x, b.y) for b in one.balls] == [(b.x, b.y) for b in other.balls]


def test_two_cameras_differ_by_their_biases_where_they_overlap():
    """A robot that both detect at about the same time differs by the difference of biases."""
    match = SslMatch(replace(PERFECT, bias=PlaceBias(position_std=0.02)), 0)
    frames_seen = gather(match.packets(), 20.0)
    bias = [errors.bias for errors in match.vision.errors]
    places = {0: [], 1: []}
    for frame, truth in frames_seen:
        robots = {robot.id: robot for robot in truth.robots}
        for robot in frame.robots:
            true = robots[_id(robot)].position
            if abs(true[0]) < 0.4:
                places[frame.camera_id].append(np.subtract((robot.x, robot.y), true))
    assert min(map(len, places.values())) > 100
    gap = np.mean(places[1], axis=0) - np.mean(places[0], axis=0)
    assert gap == pytest.approx(np.subtract(bias[1], bias[0]), abs=1e-9)


def test_noise_of_balls_is_white():
    """The errors of successive frames are independent."""
    frames_seen = simulate(replace(PERFECT, noise=PlaceNoise(position_std=0.01, heading_std=0.0)))
    errors = [
        frame.balls[0].x - CAMERAS[0].project_to_ground(truth.position)[0]
        for frame, truth in frames_seen
        if frame.camera_id == 0 and frame.balls
    ]
    assert len(errors) > 300
    assert np.std(errors) == pytest.approx(0.01, rel=5.0 / math.sqrt(2 * len(errors)))
    correlation = np.corrcoef(errors[1:], errors[:-1])[0, 1]
    assert abs(correlation) < 5.0 / math.sqrt(len(errors))


def false_places(frames_seen):
    """Return the false balls, by frame and camera."""
    return [
        [
            (ball.x, ball.y)
            for ball in frame.balls
            if math.dist(
                (ball.x, ball.y), CAMERAS[frame.camera_id].project_to_ground(truth.position)
            )
            > 1e-9
        ]
        for frame, truth in frames_seen
    ]


def test_false_balls_come_at_their_rate_and_stay_for_some_frames():
    """Their number per camera is as specified, and each stays for about 5 frames."""
    rate, seconds = 2.0, 60.0
    frames_seen = simulate(replace(PERFECT, clutter=ClutterRate(rate=rate)), seconds)
    for camera in (0, 1):
        frames = false_places([each for each in frames_seen if each[0].camera_id == camera])
        count, total = len({place for places in frames for place in places}), sum(map(len, frames))
        assert count == pytest.approx(rate * seconds, abs=5.0 * math.sqrt(rate * seconds))
        # The standard deviation of a geometric distribution with mean 5 is sqrt(20).
        assert total / count == pytest.approx(5.0, abs=5.0 * math.sqrt(20.0 / count))
        assert {place for places in frames for place in places if abs(place[1]) > 4.0} == set()


def test_some_false_balls_are_at_robots():
    """About half appear next to a robot, like orange spots and reflections."""
    frames_seen = simulate(replace(PERFECT, clutter=ClutterRate(rate=2.0)), 60.0)
    begun, near = set(), 0
    for (_, truth), places in zip(frames_seen, false_places(frames_seen), strict=True):
        for place in set(places) - begun:
            begun.add(place)
            near += min(math.dist(place, robot.position) for robot in truth.robots) < 0.21
    assert 0.3 < near / len(begun) < 0.7


def test_false_balls_do_not_change_other_detections(perfect):
    """They are additional detections; the others stay exactly the same."""
    frames_seen = simulate(replace(PERFECT, clutter=ClutterRate(rate=5.0)))
    for (frame, truth), (clean, same) in zip(frames_seen, perfect, strict=True):
        assert truth == same
        assert frame.robots == clean.robots
        assert set(clean.balls) <= set(frame.balls)


def test_other_balls_do_not_change_other_detections():
    """They are additional detections; the others stay exactly the same."""
    noisy = replace(
        PERFECT,
        noise=PlaceNoise(position_std=0.01, heading_std=0.0),
        missed_detection=MissedDetection(probability=0.2),
    )
    few, many = simulate(noisy, 5.0), simulate(replace(noisy, balls=3), 5.0)
    for (frame, truth), (other, same) in zip(few, many, strict=True):
        assert truth.robots == same.robots
        assert frame.robots == other.robots
        assert set(frame.balls) <= set(other.balls)


@pytest.mark.parametrize('missed', [0.05, 0.3])
def test_part_of_the_balls_is_missed(perfect, missed):
    """The fraction of missed balls in view is within the bounds of a binomial distribution."""
    there = sum(len(frame.balls) for frame, _ in perfect)
    frames_seen = sum(
        len(frame.balls)
        for frame, _ in simulate(
            replace(PERFECT, missed_detection=MissedDetection(probability=missed))
        )
    )
    deviation = math.sqrt(there * missed * (1.0 - missed))
    assert there - frames_seen == pytest.approx(there * missed, abs=5.0 * deviation)
