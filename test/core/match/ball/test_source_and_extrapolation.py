# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Source of the ball's state, and extrapolation of an unobserved ball."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.estimate import BallSource, BallState
from world_model_core.match.ball.source_and_extrapolation import (
    BallSourceParameters,
    BallSourceSelector,
    OcclusionContext,
)
from world_model_core.match.cameras.camera_pose import CameraPose
from world_model_core.match.ssl.geometry_values import CameraCalibration
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

MS = SECOND // 1000
START = 100 * SECOND


def around(*places, held=None, velocity=(0.0, 0.0, 0.0)):
    """Place robots at (x, y), heading along x, without known cameras."""
    poses = np.array([(x, y, 0.0) for x, y in places]).reshape(-1, 3)
    velocities = np.array([velocity for _ in places]).reshape(-1, 3)
    return OcclusionContext(tuple(range(len(places))), poses, velocities, (), held)


EMPTY = around()


def shadowed(place, way=(1.0, 0.0), velocity=(0.0, 0.0, 0.0), heading=0.0):
    """Place a robot in front of a low camera, in this direction from the ball."""
    camera = np.array((place[0] + 3.0 * way[0], place[1] + 3.0 * way[1], 1.0))
    scene = around(place, velocity=velocity)
    scene.poses[:, 2] = heading
    calibration = CameraCalibration(0, 500.0, (0.0, 0.0), 0.0, (0.0, 0.0, 0.0, 1.0), (0.0,) * 3)
    return replace(scene, cameras=(CameraPose(camera, calibration),))


def ball(stamp_ns=START, position=(0.0, 0.0, 0.0), velocity=(1.0, 0.0, 0.0)):
    """Make a ball that rolls along x."""
    return BallState(stamp_ns, np.array(position), np.array(velocity), 1e-4 * np.eye(6))


@pytest.fixture
def selector():
    """Return a selector with a current observation from vision."""
    selector = BallSourceSelector(BallSourceParameters())
    selector.observe(BallSource.VISION, ball(), START)
    return selector


def estimate_after(selector, after_ms, surroundings=EMPTY):
    """Return source and state some time after the detection."""
    now = START + after_ms * MS
    return selector.at(now, now, surroundings)


def test_a_tracker_wins_over_vision(selector):
    """While the tracker reports the ball, it must be the source."""
    selector.observe(BallSource.TRACKER, ball(position=(0.01, 0.0, 0.0)), START)
    source, state = estimate_after(selector, 0)
    assert source is BallSource.TRACKER
    assert state.position[0] == 0.01


def test_vision_takes_over_from_a_silent_tracker(selector):
    """Less than 100 ms after the tracker stops, vision must be the source."""
    selector.observe(BallSource.TRACKER, ball(), START)
    selector.observe(BallSource.VISION, ball(START + 85 * MS), START + 85 * MS)
    assert estimate_after(selector, 79)[0] is BallSource.TRACKER
    assert estimate_after(selector, 85)[0] is BallSource.VISION


def test_an_undetected_ball_is_extrapolated_until_its_life_is_over(selector):
    """The source must go from VISION over LAST_KNOWN to NONE, and the ball with it."""
    assert estimate_after(selector, 50)[0] is BallSource.VISION
    assert estimate_after(selector, 100)[0] is BallSource.LAST_KNOWN
    assert estimate_after(selector, 999)[0] is BallSource.LAST_KNOWN
    assert estimate_after(selector, 1001) == (BallSource.NONE, None)


def test_the_velocity_is_zero_only_after_a_tenth_of_a_second_of_last_known(selector):
    """LAST_KNOWN begins at 80 ms; until 180 ms the ball must move on, then it must rest."""
    assert estimate_after(selector, 170)[1].velocity[0] == 1.0
    state = estimate_after(selector, 190)[1]
    assert state.velocity.tolist() == [0.0, 0.0, 0.0]
    assert state.position[0] == pytest.approx(0.18)
    assert estimate_after(selector, 900)[1].position[0] == pytest.approx(0.18)


def test_a_resting_ball_is_as_uncertain_as_it_was_fast(selector):
    """A velocity set to zero must keep the variance of its former speed."""
    covariance = estimate_after(selector, 500)[1].covariance
    assert covariance[3, 3] >= 1.0


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=8, unique=True).map(sorted))
def test_the_covariance_grows_without_detections(instants):
    """The position of an unobserved ball must become less certain."""
    selector = BallSourceSelector(BallSourceParameters())
    selector.observe(BallSource.VISION, ball(), START)
    spreads = [
        np.linalg.eigvalsh(estimate_after(selector, ms)[1].covariance[:3, :3]) for ms in instants
    ]
    for earlier, later in pairwise(spreads):
        assert (later > earlier).all()


def test_a_ball_in_a_robots_shadow_moves_on(selector):
    """A ball hidden by a robot must have the source OCCLUSION_SHADOW, and its velocity."""
    source, state = estimate_after(selector, 300, shadowed((0.6, 0.0)))
    assert source is BallSource.OCCLUSION_SHADOW
    assert state.velocity[0] == 1.0


def test_a_hidden_ball_goes_with_the_robot_that_it_ran_into(selector):
    """A ball hidden at a robot's hull must move as the robot drives and turns."""
    assert estimate_after(selector, 90, shadowed((0.22, 0.0)))[0] is BallSource.OCCLUSION_SHADOW
    driven = shadowed((1.0, 0.5), (0.0, 1.0), velocity=(1.0, 1.0, 2.0), heading=np.pi / 2)
    source, state = estimate_after(selector, 500, driven)
    assert source is BallSource.OCCLUSION_SHADOW
    gap = state.position[:2] - (1.0, 0.5)
    assert np.linalg.norm(gap) == pytest.approx(0.13, abs=0.02)
    assert gap[1] < -0.1, 'it lies behind the robot, which has turned'
    assert state.velocity[:2] == pytest.approx((1.0 - 2.0 * gap[1], 1.0 + 2.0 * gap[0]))
    assert estimate_after(selector, 1001, driven) == (BallSource.NONE, None)


def test_a_detection_ends_the_carrying(selector):
    """A measurement must end the carrying, wherever the robot is."""
    estimate_after(selector, 90, shadowed((0.22, 0.0)))
    selector.observe(BallSource.VISION, ball(START + 200 * MS), START + 200 * MS)
    assert estimate_after(selector, 200, shadowed((2.0, 0.0)))[0] is BallSource.VISION
    source, state = estimate_after(selector, 300, shadowed((3.0, 0.0)))
    assert source is BallSource.LAST_KNOWN
    assert state.position[0] == pytest.approx(0.1)


def test_a_camera_that_points_elsewhere_changes_nothing(selector):
    """A camera that does not cover the ball must not keep a robot from hiding it."""
    scene = shadowed((0.6, 0.0))
    pose = (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 4.0)  # half a turn about y: it points straight down
    elsewhere = CameraCalibration(1, 500.0, (320.0, 240.0), 0.0, *pose, image_size=(640, 480))
    downwards = CameraPose(np.array((0.0, 0.0, 4.0)), elsewhere)
    away = CameraPose(np.array((50.0, 0.0, 4.0)), replace(elsewhere, translation=(50.0, 0.0, 4.0)))
    assert downwards.covers(np.zeros(3))
    assert not away.covers(np.zeros(3))
    both = replace(scene, cameras=(*scene.cameras, away))
    assert estimate_after(selector, 300, both)[0] is BallSource.OCCLUSION_SHADOW
    uncovered = replace(scene, cameras=(*scene.cameras, downwards))
    assert estimate_after(selector, 300, uncovered)[0] is BallSource.LAST_KNOWN


def test_a_ball_given_up_does_not_start_again(selector):
    """Once at rest, a ball must stay there, even if its path would have led behind a robot."""
    behind = around((0.6, 0.0))
    speeds = [estimate_after(selector, ms, behind)[1].velocity[0] for ms in range(90, 1000, 20)]
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[-1] == 0.0


def test_a_ball_that_leaves_a_shadow_undetected_moves_on_for_a_moment(selector):
    """The tenth of a second must count from when no robot explains the missed detections."""
    estimates = {
        ms: estimate_after(selector, ms, shadowed((0.2, 0.25), (0.0, 1.0)))
        for ms in range(90, 600, 10)
    }
    hidden = [ms for ms, (source, _) in estimates.items() if source is BallSource.OCCLUSION_SHADOW]
    after = hidden[-1] + 10
    assert estimates[after][0] is BallSource.LAST_KNOWN
    assert estimates[after][1].velocity[0] == 1.0
    assert estimates[hidden[-1] + 110][1].velocity[0] == 0.0


def test_a_ball_sensor_counts_without_detections(selector):
    """A ball sensor must rank below vision and trackers, and keep the ball alive."""
    held = around(held=ball(START + 2 * SECOND, (2.0, 1.0, 0.0)))
    assert estimate_after(selector, 0, held)[0] is BallSource.VISION
    source, state = estimate_after(selector, 2000, held)
    assert source is BallSource.BALL_SENSOR
    assert state.position.tolist() == [2.0, 1.0, 0.0]
    source, state = estimate_after(selector, 2500)
    assert source is BallSource.LAST_KNOWN
    assert state.position[0] > 1.9


def test_forgetting_a_source_leaves_the_other(selector):
    """The detections of one tracker must not stay when it is removed."""
    selector.observe(BallSource.TRACKER, ball(), START)
    selector.forget(BallSource.TRACKER)
    assert estimate_after(selector, 0)[0] is BallSource.VISION
