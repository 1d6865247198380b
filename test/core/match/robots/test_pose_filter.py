# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The Kalman filter of many robots is a Kalman filter of each of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.angles import wrap_angles
from world_model_core.match.robots.pose_filter import (
    ADAPTATION,
    LEAST_DENSITY,
    MOST_DENSITY,
    MOST_NIS,
    PoseFilter,
)
from world_model_core.match.robots.robot_table import RobotTable
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

DENSITIES = np.array((4.0, 4.0, 40.0))
NOISE = np.array(((4e-6,), (4e-6,), (1e-4,)))
ROWS = np.array((3, 20))
MS = SECOND // 1000


def begun(seed):
    """Begin two robots with random poses at 1 s, and correct them once; return everything."""
    rng, table = np.random.default_rng(seed), RobotTable()
    poses = PoseFilter(table, DENSITIES)
    first = rng.uniform(-3.0, 3.0, (3, 2))
    poses.begin(ROWS, first, NOISE, SECOND)
    poses.correct(ROWS, first + rng.normal(0.0, 0.01, (3, 2)), NOISE, SECOND + 14 * MS)
    return rng, table, poses


def predict(mean, covariance, elapsed, density):
    """Predict (pose, velocity) with white acceleration, as in the textbook."""
    move = np.array(((1.0, elapsed), (0.0, 1.0)))
    noise = density * np.array(((elapsed**3 / 3, elapsed**2 / 2), (elapsed**2 / 2, elapsed)))
    return move @ mean, move @ covariance @ move.T + noise


def correct(mean, covariance, measured, variance, row, *, is_angle):
    """Correct by a measurement of row @ state, as in the textbook; return the NIS, too."""
    innovation = measured - row @ mean
    if is_angle:
        innovation = float(wrap_angles(np.array(innovation)))
    spread = row @ covariance @ row + variance
    gain = covariance @ row / spread
    return (
        mean + gain * innovation,
        covariance - np.outer(gain, row @ covariance),
        (innovation**2 / spread),
    )


def test_a_new_robot_may_drive_and_turn():
    """A new track must have the pose's variance, a velocity of 2 m/s and 6 rad/s, and be seen."""
    table = RobotTable()
    PoseFilter(table, DENSITIES).begin(ROWS, np.full((3, 2), 4.0), NOISE, SECOND)
    for row in ROWS:
        assert table.mean[row, :, 0] == pytest.approx((4.0, 4.0, 4.0 - 2.0 * np.pi))
        assert table.mean[row, :, 1].tolist() == [0.0, 0.0, 0.0]
        assert table.covariance[row, :, 0, 0] == pytest.approx(NOISE[:, 0])
        assert table.covariance[row, :, 1, 1] == pytest.approx((4.0, 4.0, 40.0))
        assert (table.covariance[row, :, 0, 1] == 0.0).all()
        assert (table.stamp_ns[row], table.visibility[row]) == (SECOND, 1.0)
    assert (table.densities[:, ROWS] == DENSITIES[:, None]).all()


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(0.0, 0.05))
def test_a_correction_is_that_of_the_textbook(seed, after_ms, size):
    """Each axis of each robot must be predicted and corrected as a filter of its own."""
    rng, table, poses = begun(seed)
    mean, covariance = table.mean.copy(), table.covariance.copy()
    densities = table.densities.copy()
    measured = mean[ROWS, :, 0].T + rng.normal(0.0, size, (3, 2))
    nis = poses.correct(ROWS, measured, NOISE, SECOND + (14 + after_ms) * MS)
    for column, row in enumerate(ROWS):
        for axis in range(3):
            state = predict(
                mean[row, axis], covariance[row, axis], after_ms / 1000, densities[axis, row]
            )
            expected, spread, squared = correct(
                *state,
                measured[axis, column],
                NOISE[axis, 0],
                np.array((1.0, 0.0)),
                is_angle=axis == 2,
            )
            if axis == 2:
                expected[0] = wrap_angles(expected[:1])[0]
            assert table.mean[row, axis] == pytest.approx(expected, abs=1e-9)
            assert table.covariance[row, axis] == pytest.approx(spread, rel=1e-6, abs=1e-12)
            assert nis[axis, column] == pytest.approx(squared, rel=1e-6)
    assert (table.stamp_ns[ROWS] == SECOND + (14 + after_ms) * MS).all()
    assert (table.visibility[ROWS] == 1.0).all()


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 12))
def test_a_late_detection_corrects_by_where_the_robot_was(seed, late_ms):
    """A detection of the past must be compared with the pose then, and leave the time as it is."""
    rng, table, poses = begun(seed)
    mean, covariance = table.mean.copy(), table.covariance.copy()
    back = -late_ms / 1000
    measured = (mean[ROWS, :, 0] + back * mean[ROWS, :, 1]).T + rng.normal(0.0, 0.005, (3, 2))
    poses.correct(ROWS, measured, NOISE, SECOND + (14 - late_ms) * MS)
    for column, row in enumerate(ROWS):
        for axis in range(3):
            pose = measured[axis, column] - back * mean[row, axis, 1]
            variance = NOISE[axis, 0] + back**2 * covariance[row, axis, 1, 1]
            expected, spread, _ = correct(
                mean[row, axis],
                covariance[row, axis],
                pose,
                variance,
                np.array((1.0, 0.0)),
                is_angle=axis == 2,
            )
            expected[0] = wrap_angles(expected[:1])[0] if axis == 2 else expected[0]
            assert table.mean[row, axis] == pytest.approx(expected, abs=1e-9)
            assert table.covariance[row, axis] == pytest.approx(spread, rel=1e-6, abs=1e-12)
    assert (table.stamp_ns[ROWS] == SECOND + 14 * MS).all()


@given(st.integers(0, 10**6), st.floats(0.0, 0.2))
def test_process_noise_follows_the_innovations(seed, size):
    """Densities must grow with innovations above 1 and shrink below, x and y alike, in limits."""
    rng, table, poses = begun(seed)
    before = table.densities[:, ROWS].copy()
    measured = table.mean[ROWS, :, 0].T + rng.normal(0.0, size, (3, 2))
    nis = np.minimum(poses.correct(ROWS, measured, NOISE, SECOND + 28 * MS), MOST_NIS)
    nis[:2] = nis[:2].mean(axis=0)
    wanted = before * np.exp(ADAPTATION * (nis - 1.0))
    assert table.densities[:, ROWS] == pytest.approx(np.clip(wanted, LEAST_DENSITY, MOST_DENSITY))
    assert (table.densities[0, ROWS] == table.densities[1, ROWS]).all()


def test_a_robot_at_rest_becomes_certain_and_reacts_to_a_start():
    """Rest must reduce the process noise to its least, and a start raise it within 0.1 s."""
    table = RobotTable()
    poses, row = PoseFilter(table, DENSITIES), np.array((5,))
    rng = np.random.default_rng(1)
    stamp_ns, place = SECOND, 0.0
    poses.begin(row, np.zeros((3, 1)), NOISE, stamp_ns)
    for index in range(200):
        stamp_ns += 14 * MS
        place += 0.0 if index < 190 else 0.014 * 3.0 * 0.014 * (index - 189)
        noisy = np.array(((place,), (0.0,), (0.0,))) + np.sqrt(NOISE) * rng.normal(size=(3, 1))
        poses.correct(row, noisy, NOISE, stamp_ns)
        if index == 189:
            assert table.densities[0, 5] < 0.1 * DENSITIES[0]
            resting, calm = table.covariance[5, 0, 1, 1], table.densities[0, 5]
    assert table.densities[0, 5] > 3.0 * calm
    assert table.covariance[5, 0, 1, 1] > 2.0 * resting
    assert table.mean[5, 0, 1] == pytest.approx(0.42, abs=0.2)
