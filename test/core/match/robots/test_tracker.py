# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kalman filter of the robots on raw vision."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from world_model_core.angles import wrap_angles
from world_model_core.match.robots.robot_table import IDS, NEVER, RobotTable
from world_model_core.match.robots.tracker import RobotTracker, RobotTrackerParameters
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.vision_values import DetectionFrame, RobotDetection
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

FRAME_NS = SECOND // 70
BLUE_3 = RobotId(Team.BLUE, 3)


def detection(x, y, heading, name=BLUE_3, confidence=0.9):
    """Make a detection of a robot."""
    return RobotDetection(name.team, name.number, x, y, heading, confidence, (0.0, 0.0))


def frame(index, *robots, camera=0):
    """Make a frame with these robots."""
    stamp = SECOND + index * FRAME_NS
    return DetectionFrame(index, camera, stamp, stamp + 8_000_000, (), robots)


@pytest.fixture
def tracker():
    """Make a tracker with default parameters."""
    return RobotTracker(RobotTrackerParameters())


def test_rows_name_robots():
    """Each row must belong to its robot, and hashes must keep robots apart."""
    assert [name.slot for name in IDS] == list(range(32))
    assert len(set(IDS)) == 32


def test_a_moving_and_turning_robot_is_followed(tracker):
    """After a second pose and velocities must be the robot's, also across pi."""
    for index in range(70):
        t = index / 70.0
        heading = float(wrap_angles(np.array(2.5 + 2.0 * t)))
        rows = tracker.update(frame(index, detection(1.0 + t, -t, heading)))
    assert rows == [BLUE_3.slot]
    mean = tracker.table.mean[BLUE_3.slot]
    assert mean[:, 1] == pytest.approx((1.0, -1.0, 2.0), abs=0.1)
    assert mean[:2, 0] == pytest.approx((1.0 + t, -t), abs=3e-3)
    assert mean[2, 0] == pytest.approx(heading, abs=0.03)


def test_whole_turns_do_not_count(tracker):
    """A heading that a sender counts in whole turns must be wrapped from the start."""
    for index in range(2):
        tracker.update(frame(index, detection(0.0, 0.0, 1.0 + 20.0 * np.pi)))
    assert tracker.table.mean[BLUE_3.slot, 2, 0] == pytest.approx(1.0)


def test_teams_with_equal_numbers_are_kept_apart(tracker):
    """Blue 3 and yellow 3 must be two robots."""
    yellow = RobotId(Team.YELLOW, 3)
    for index in range(2):
        rows = tracker.update(frame(index, detection(0, 0, 0.0), detection(1, 1, 0.0, yellow)))
    assert rows == [BLUE_3.slot, yellow.slot]


def test_of_two_detections_of_one_robot_the_more_confident_counts(tracker):
    """A pattern detected twice in a frame must not move the robot to the worse detection."""
    for index in range(2):
        tracker.update(frame(index, detection(0, 0, 0.0), detection(3, 3, 0.0, confidence=0.5)))
    assert tracker.table.stamp_ns[BLUE_3.slot] != NEVER
    assert tracker.table.mean[BLUE_3.slot, 0, 0] == 0.0


def test_a_detection_without_a_number_is_left_out(tracker):
    """A detection without a number must not start a track."""
    unknown = RobotDetection(Team.BLUE, None, 0.0, 0.0, 0.0, 0.9, (0.0, 0.0))
    assert tracker.update(frame(0, unknown)) == []


def test_without_a_heading_the_position_still_counts(tracker):
    """A detection without a heading must move a known robot and keep its heading."""
    for index in range(2):
        tracker.update(frame(index, detection(0.0, 0.0, 1.0)))
    tracker.update(frame(2, detection(0.02, 0.0, None)))
    x, heading = tracker.table.mean[BLUE_3.slot, [0, 2], 0]
    assert x == pytest.approx(0.02, abs=5e-3)
    assert heading == pytest.approx(1.0, abs=1e-3)


def test_a_robot_undetected_for_its_lifetime_starts_again(tracker):
    """A robot detected elsewhere after two seconds must be there without a velocity."""
    for index in range(2):
        tracker.update(frame(index, detection(0.0, 0.0, 0.0)))
    for index in range(150, 152):
        tracker.update(frame(index, detection(4.0, 0.0, 0.0)))
    assert tracker.table.mean[BLUE_3.slot, 0].tolist() == [4.0, 0.0]


def test_a_misread_number_does_not_move_a_robot(tracker):
    """A distant detection must be left out while the robot is also detected in its place."""
    for index in range(10):
        tracker.update(frame(index, detection(0.0, 0.0, 0.0)))
    assert tracker.update(frame(10, detection(3.0, 0.0, 0.0))) == []
    tracker.update(frame(11, detection(0.0, 0.0, 0.0)))
    assert tracker.table.mean[BLUE_3.slot, 0] == pytest.approx((0.0, 0.0), abs=1e-6)


def test_a_robot_that_was_carried_starts_again_at_its_new_position(tracker):
    """Detected 3 m away and not in its old place, a robot must be there without speed."""
    for index in range(10):
        tracker.update(frame(index, detection(0.0, 0.0, 0.0)))
    speeds = []
    for index in range(10, 20):
        tracker.update(frame(index, detection(3.0, 0.0, 0.0)))
        speeds.append(tracker.table.mean[BLUE_3.slot, 0, 1])
    assert tracker.table.mean[BLUE_3.slot, 0, 0] == pytest.approx(3.0)
    assert speeds == pytest.approx([0.0] * 10, abs=1e-6)


def test_a_bias_between_cameras_does_not_move_a_robot(tracker):
    """A resting robot that two cameras detect 40 mm apart must rest and end midway."""
    for index in range(0, 200, 2):
        tracker.update(frame(index, detection(0.0, 0.0, 0.0)))
        tracker.update(frame(index + 1, detection(0.04, 0.0, 0.0), camera=1))
        assert abs(tracker.table.mean[BLUE_3.slot, :, 1]).max() < 1e-6
    assert tracker.table.mean[BLUE_3.slot, 0, 0] == pytest.approx(0.02, abs=1e-3)


def test_another_camera_takes_over_without_changing_the_velocity(tracker):
    """A robot that passes to a camera with 40 mm offset must keep its velocity."""
    for index in range(120):
        camera, aside = (0, 0.0) if index < 30 else (1, 0.04)
        tracker.update(frame(index, detection(index / 70.0, aside, 0.0), camera=camera))
        if index > 20:
            speeds = tracker.table.mean[BLUE_3.slot, :2, 1]
            assert speeds == pytest.approx((1.0, 0.0), abs=0.15)
    assert speeds == pytest.approx((1.0, 0.0), abs=0.01)
    assert tracker.table.mean[BLUE_3.slot, :2, 0] == pytest.approx((119 / 70.0, 0.02), abs=2e-3)


@pytest.mark.parametrize('lag', [3, 20, 100])
def test_late_frames_do_not_make_the_estimate_diverge(tracker, lag):
    """A clock that was set back must not feed the velocity back on itself."""
    rng = np.random.default_rng(3)
    for index in range(lag, 2 * lag):
        tracker.update(frame(index, detection(0.0, 0.0, 0.0)))
    for index in range(lag, 2 * lag):
        x, y, heading = rng.normal(0.0, 0.003, 3).tolist()
        tracker.update(frame(index, detection(x, y, heading)))
        assert abs(tracker.table.mean[BLUE_3.slot, :, 1]).max() < 0.5


def test_odometry_improves_the_velocity(tracker):
    """A robot's odometry must move the estimate towards it and reduce its variance."""
    for index in range(2):
        tracker.update(frame(index, detection(0.0, 0.0, 0.0)))
    before = tracker.table.covariance[BLUE_3.slot, :, 1, 1].copy()
    tracker.measure_velocity(BLUE_3, np.array((1.0, -0.5, 2.0)))
    assert tracker.table.mean[BLUE_3.slot, :, 1] == pytest.approx((1.0, -0.5, 2.0), abs=0.02)
    assert (tracker.table.covariance[BLUE_3.slot, :, 1, 1] < before).all()


def test_odometry_of_an_undetected_robot_starts_no_track(tracker):
    """A velocity without a position must be left out."""
    tracker.measure_velocity(BLUE_3, np.ones(3))
    assert (tracker.table.stamp_ns == NEVER).all()


@given(st.permutations(range(8)))
def test_the_order_of_detections_does_not_matter(order):
    """The table must not depend on the order of the robots in a frame."""
    tables = []
    for sequence in (range(8), order):
        tracker = RobotTracker(RobotTrackerParameters())
        for index in range(3):
            robots = [detection(n + 0.01 * index, 0.0, 0.1 * n, IDS[n]) for n in sequence]
            tracker.update(frame(index, *robots))
        tables.append(tracker.table)
    assert (tables[0].mean == tables[1].mean).all()
    assert (tables[0].covariance == tables[1].covariance).all()


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_predicting_in_two_steps_is_predicting_in_one(first, second):
    """Predicting (a + b) must equal predicting b after a."""
    rng = np.random.default_rng(1)
    densities, rows = np.array((4.0, 4.0, 40.0)), np.arange(32)
    table = RobotTable()
    table.mean[:] = rng.normal(size=(32, 3, 2))
    root = rng.normal(size=(32, 3, 2, 2))
    table.covariance[:] = root @ root.swapaxes(-1, -2)
    once = table.moved(rows, np.full(32, first + second), densities)
    table.mean[:], table.covariance[:] = table.moved(rows, np.full(32, first), densities)
    twice = table.moved(rows, np.full(32, second), densities)
    assert twice[0] == pytest.approx(once[0])
    assert twice[1] == pytest.approx(once[1])


def test_an_undetected_robot_stops_soon():
    """An undetected robot must stop soon, and become less certain."""
    table, row = RobotTable(), np.array([3])
    table.mean[3] = ((0.0, 2.0), (0.0, 0.0), (3.0, 1.0))
    table.covariance[3] = 0.01 * np.eye(2)
    densities = np.array((4.0, 4.0, 40.0))
    near, near_covariance = table.coasted(row, np.array([0.1]), densities)
    far, far_covariance = table.coasted(row, np.array([1.5]), densities)
    assert near[0, 0].tolist() == pytest.approx([0.2, 2.0])
    assert far[0, 0].tolist() == pytest.approx([0.4, 0.0])
    assert -np.pi < far[0, 2, 0] <= np.pi
    assert (far_covariance[..., 0, 0] > near_covariance[..., 0, 0]).all()


def test_a_robot_just_detected_accelerates_as_before():
    """Between two frames its own densities must count, later or without them the assumed ones."""
    table, row, assumed = RobotTable(), np.array([3]), np.array((4.0, 4.0, 40.0))
    table.densities[:, 3] = own = np.array((0.02, 0.01, 0.3))
    for elapsed, densities in ((0.02, own), (0.1, assumed)):
        _, covariance = table.coasted(row, np.array([elapsed]), assumed)
        assert covariance[0, :, 1, 1] == pytest.approx(densities * elapsed)
    _, covariance = table.coasted(np.array([4]), np.array([0.02]), assumed)
    assert covariance[0, :, 1, 1] == pytest.approx(assumed * 0.02)


def test_the_filter_is_consistent():
    """NEES of robots that move as the filter assumes must be chi-square distributed."""
    parameters = RobotTrackerParameters()
    rng = np.random.default_rng(5)
    dt = FRAME_NS / SECOND
    unit = np.array(((dt**3 / 3, dt**2 / 2), (dt**2 / 2, dt)))
    roots = np.linalg.cholesky(parameters.densities[:, None, None] * unit)
    stds = np.array((parameters.position_std, parameters.position_std, parameters.heading_std))
    tracker = RobotTracker(parameters)
    truth = np.zeros((32, 3, 2))
    truth[..., 1] = rng.normal(size=(32, 3)) * np.sqrt((4.0, 4.0, 40.0)) / 2
    for index in range(60):
        truth[..., 0] += dt * truth[..., 1]
        truth += (roots @ rng.normal(size=(32, 3, 2, 1)))[..., 0]
        measured = truth[..., 0] + stds * rng.normal(size=(32, 3))
        measured[:, 2] = wrap_angles(measured[:, 2])
        tracker.update(
            frame(index, *(detection(*measured[n].tolist(), IDS[n]) for n in range(32)))
        )
    error = truth - tracker.table.mean
    error[:, 2, 0] = wrap_angles(error[:, 2, 0])
    solved = np.linalg.solve(tracker.table.covariance, error[..., None])[..., 0]
    nees = (error * solved).sum(axis=(1, 2))
    low, high = chi2.ppf((0.005, 0.995), 6 * 32) / 32
    assert low < nees.mean() < high
