# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots that drive through the fields of view of several cameras with biases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from world_model_core.angles import wrap_angles
from world_model_core.match.cameras.bias import CameraBiases, CameraBiasParameters
from world_model_core.match.robots.robot_table import IDS, ROWS
from world_model_core.match.robots.tracker import RobotTracker, RobotTrackerParameters
from world_model_core.match.ssl.vision_values import DetectionFrame, RobotDetection
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

PERIOD_NS = SECOND // 73
# Cameras hang in a row, this far apart, and cover half a meter beyond the midpoints [m].
SPACING, REACH = 3.0, 2.0
NOISE, HEADING_NOISE = 0.0014, 0.01
BIAS, ERROR = 0.02, 0.002


class Drill:
    """Robots that drive to and fro under cameras in a row; half of them rest."""

    def __init__(self, cameras, seed):
        self.rng = np.random.default_rng(seed)
        self.cameras = np.arange(cameras)
        self.biases = self.rng.normal(0.0, BIAS, (cameras, 2))
        self.slopes = self.rng.normal(0.0, ERROR, (cameras, 2, 2))
        self.phases = self.rng.integers(0, PERIOD_NS, cameras).tolist()
        self.start = self.rng.uniform((-1.5, -3.0), (SPACING * cameras - 1.5, 3.0), (ROWS, 2))
        # At most 3 m/s^2 and 1.5 m/s, as real robots.
        self.swing = self.rng.uniform(-0.75, 0.75, (ROWS, 2)) * (np.arange(ROWS) % 2)[:, None]
        self.phase = self.rng.uniform(0.0, 2.0 * np.pi, (ROWS, 2))

    def truth(self, stamp_ns):
        """Return positions, velocities (32, 2), headings and turn rates (32,)."""
        angle = 2.0 * stamp_ns / SECOND + self.phase
        places = self.start + self.swing * np.sin(angle)
        return places, 2.0 * self.swing * np.cos(angle), angle[:, 0] * (self.swing[:, 0] > 0.0)

    def capture(self, number, camera):
        """Make a frame."""
        stamp_ns = SECOND + number * PERIOD_NS + self.phases[camera]
        places, _, headings = self.truth(stamp_ns)
        aside = places - (SPACING * camera, 0.0)
        noisy = places + self.biases[camera] + aside @ self.slopes[camera].T
        noisy += self.rng.normal(0.0, NOISE, (ROWS, 2))
        turned = wrap_angles(headings + self.rng.normal(0.0, HEADING_NOISE, ROWS))
        chosen = (abs(aside[:, 0]) < REACH) & (self.rng.random(ROWS) > 0.05)
        robots = [
            RobotDetection(IDS[n].team, IDS[n].number, *noisy[n].tolist(), turned[n], 0.9, (0, 0))
            for n in np.nonzero(chosen)[0]
        ]
        return DetectionFrame(number, camera, stamp_ns, stamp_ns, (), tuple(robots))

    def frames(self, count):
        """Make frames of all cameras, in order of time."""
        order = sorted(self.cameras.tolist(), key=self.phases.__getitem__)
        return [self.capture(number, camera) for number in range(count) for camera in order]


def make_tracker():
    """Make a tracker and its biases."""
    biases = CameraBiases(CameraBiasParameters(prior_std=BIAS))
    return RobotTracker(RobotTrackerParameters(), biases), biases


@pytest.mark.parametrize('cameras', [2, 3, 4])
def test_covariances_are_consistent(cameras):
    """NEES of positions including the biases, of velocities and headings, and NIS are right."""
    nees, nis, runs = ([], [], []), [], 16
    for seed in range(runs):
        drill = Drill(cameras, seed)
        tracker, _ = make_tracker()
        table = tracker.table
        for picture in drill.frames(150):
            rows = tracker.update(picture)
            if picture.frame_number < 75:
                continue
            nis.append(tracker.nis.mean(axis=1))
            places, velocities, headings = drill.truth(picture.capture_ns)
            spread = table.covariance[rows]
            known = spread[:, :2, 0, 0] + table.offset_variance[rows, None]
            wrong = (places[rows] - table.mean[rows, :2, 0]) ** 2 / known
            slip = (velocities[rows] - table.mean[rows, :2, 1]) ** 2 / spread[:, :2, 1, 1]
            turn = wrap_angles(headings[rows] - table.mean[rows, 2, 0]) ** 2 / spread[:, 2, 0, 0]
            moving = np.array(rows) % 2 > 0  # a filter cannot assume that the others rest
            for values, some in zip(nees, (wrong, slip[moving], turn[moving]), strict=True):
                values.extend(some.ravel())
    place, velocity, heading = map(np.mean, nees)
    # All robots of a run share the error of its cameras: 2 degrees of freedom per run.
    low, high = chi2.ppf((0.005, 0.995), 2 * runs) / (2 * runs)
    assert low < place < high
    assert 0.6 < velocity < 1.5
    assert 0.6 < heading < 1.5
    assert np.mean(nis, axis=0) == pytest.approx((1.0, 1.0, 1.0), abs=0.3)


def test_the_biases_are_estimated_from_robots():
    """After two seconds offsets must differ like the biases, up to the position errors."""
    drill = Drill(3, 5)
    tracker, biases = make_tracker()
    for picture in drill.frames(150):
        tracker.update(picture)
    values = np.array([biases.offset(camera) for camera in range(3)])
    assert np.diff(values, axis=0) == pytest.approx(np.diff(drill.biases, axis=0), abs=0.008)
    assert tracker.noise.places.variance(1) ** 0.5 == pytest.approx(NOISE, rel=0.15)
    assert tracker.noise.headings.variance(1) ** 0.5 == pytest.approx(HEADING_NOISE, rel=0.15)


def test_a_robot_changes_cameras_without_a_jump():
    """Once the bias is estimated, a position must change within its stated deviation."""
    drill = Drill(2, 7)
    drill.start[0], drill.swing[0], drill.phase[0] = (1.5, 0.0), (0.75, 0.0), 0.0
    tracker, _ = make_tracker()
    steps, leads, before = [], set(), None
    for picture in drill.frames(300):
        detected = 0 in tracker.update(picture)
        after = tracker.table.mean[0, :2].copy()
        if picture.frame_number > 75 and detected:
            elapsed = (picture.capture_ns - before[0]) / SECOND
            ahead = before[1][:, 0] + elapsed * before[1][:, 1]
            variance = tracker.table.offset_variance[0] + tracker.table.covariance[0, 0, 0, 0]
            steps.append(np.hypot(*(after[:, 0] - ahead)) / variance**0.5)
            leads.add(picture.camera_id)
        if detected:
            before = picture.capture_ns, after
    assert leads == {0, 1}
    assert max(steps) < 0.5


@settings(max_examples=20)
@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_frames_in_any_order_keep_covariances_valid(random, cameras):
    """For late and unordered frames all covariances must stay symmetric and positive definite."""
    frames = Drill(cameras, 3).frames(25)
    random.shuffle(frames)
    tracker, _ = make_tracker()
    for picture in frames:
        tracker.update(picture)
    table = tracker.table
    assert (table.covariance == table.covariance.swapaxes(-1, -2)).all()
    alive = table.stamp_ns > 0
    assert (np.linalg.eigvalsh(table.covariance[alive]) > 0.0).all()
    assert np.isfinite(table.mean).all()


def test_a_clock_that_goes_back_is_followed():
    """Frames ten seconds older than the last, and later ones, must be tracked at once."""
    drill = Drill(2, 1)
    tracker, _ = make_tracker()
    for shift_ns in (0, -10 * SECOND, 0):
        for picture in drill.frames(40):
            stamp_ns = picture.capture_ns + 20 * SECOND + shift_ns
            moved = DetectionFrame(0, picture.camera_id, stamp_ns, stamp_ns, (), picture.robots)
            rows = tracker.update(moved)
        assert rows
        assert (tracker.table.stamp_ns[rows] == stamp_ns).all()
        assert abs(tracker.table.mean[rows, :2, 1]).max() < 2.0


def test_the_number_of_cameras_is_bounded():
    """A camera id that is new in every frame must neither fail nor be kept."""
    tracker, biases = make_tracker()
    for number in range(400):
        picture = Drill(1, 2).capture(number, 0)
        tracker.update(DetectionFrame(0, number, picture.capture_ns, 0, (), picture.robots))
    assert len(tracker._overlap._offsets) <= 64
    assert len(tracker.noise._cameras) <= 64
    assert len(biases._rows) <= 64


def test_of_50_detections_of_one_robot_the_one_near_its_track_counts():
    """No distant detection must move the robot at any confidence; 64 robots are at most 32."""
    tracker, _ = make_tracker()
    for number in range(20):
        stamp_ns = SECOND + number * PERIOD_NS
        robots = [
            RobotDetection(
                name.team, name.number, 0.1 * row, 3.0 * copy, 0.0, 0.5 + copy / 4, (0, 0)
            )
            for copy in (range(2) if number > 1 else range(1))
            for row, name in enumerate(IDS)
        ]
        robots += [robots[-1]] * 50
        rows = tracker.update(DetectionFrame(number, 0, stamp_ns, stamp_ns, (), tuple(robots)))
        assert sorted(rows) == (list(range(ROWS)) if number else [])
    assert abs(tracker.table.mean[:, 1, 0]).max() < 1e-6


def test_a_second_camera_without_headings_turns_no_robot():
    """Detections of another camera without a heading must move robots, and not turn them."""
    tracker, _ = make_tracker()
    robot = RobotDetection(IDS[3].team, IDS[3].number, 1.0, 0.0, 0.5, 0.9, (0.0, 0.0))
    blind = RobotDetection(IDS[3].team, IDS[3].number, 1.02, 0.0, None, 0.9, (0.0, 0.0))
    for number in range(100):
        stamp_ns = SECOND + number * PERIOD_NS
        tracker.update(DetectionFrame(number, 0, stamp_ns, stamp_ns, (), (robot,)))
        later_ns = stamp_ns + PERIOD_NS // 3
        rows = tracker.update(DetectionFrame(number, 1, later_ns, later_ns, (), (blind,)))
    assert rows == [3]
    for number in range(100, 130):  # the second camera alone
        stamp_ns = SECOND + number * PERIOD_NS
        assert tracker.update(DetectionFrame(number, 1, stamp_ns, stamp_ns, (), (blind,))) == [3]
    assert tracker.table.mean[3, 2].tolist() == pytest.approx([0.5, 0.0], abs=1e-3)
    assert tracker.table.mean[3, 0, 0] == pytest.approx(1.01, abs=2e-3)
