# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Chip and straight-kick residuals compared with numerical derivatives and with predictions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.chip_kick import (
    BOUNCE_TIME_STD,
    BounceArcResiduals,
    ChipKickTrajectory,
    after_bounce,
    state_in_flight,
)
from world_model_core.match.ball.measurement import BallMeasurement
from world_model_core.match.ball.measurement_table import MeasurementTable
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.straight_kick import (
    CarpetFriction,
    StraightKickResiduals,
    StraightKickTrajectory,
)
from world_model_core.match.ball.trajectory import predict_ball

PARAMETERS = BallParameters()
CARPET = CarpetFriction.of_kick(PARAMETERS)
STEP = 1e-6
coordinates, speeds = st.floats(-4.0, 4.0), st.floats(0.5, 5.0)
small = st.floats(-0.3, 0.3)


def _measurements():
    """Make a table of measurements of two cameras, one of which measures heights."""
    table = MeasurementTable(0)
    for number in range(12):
        camera = (-2.0, 0.5, 5.0) if number % 2 else None
        z = None if number % 2 else 0.1
        table.add(BallMeasurement(number * 10**7, number % 2, 0.1 * number, 0.2, z, 1e-6, camera))
    return table.measurements()


def _differences(model, mean):
    """Differentiate residuals numerically, shape (r, m)."""
    columns = []
    for number in range(len(mean)):
        change = np.zeros(len(mean))
        change[number] = STEP
        ahead, behind = model.linearized(mean + change)[0], model.linearized(mean - change)[0]
        columns.append((ahead - behind) / (2.0 * STEP))
    return np.stack(columns, axis=1)


@given(coordinates, coordinates, speeds, speeds, st.floats(0.5, 4.0))
def test_derivatives_of_a_bounce_arc(x, y, vx, vy, vz):
    """Near the solution the derivatives of a bounce arc are those of its residuals."""
    measurements, numbers = _measurements(), np.array((x, y, vx, vy, vz, -0.01))
    dt = measurements.times - numbers[5]
    height = (vz - 4.905 * dt) * dt
    places = numbers[:2, None] + numbers[2:4, None] * dt
    cameras = np.array((-2.0, 0.5))[:, None]
    shown = cameras + (places - cameras) / (1.0 - height / 5.0)
    measured = measurements.slants == 0.0
    shown[:, measured] = places[:, measured]
    rays = np.where(measured, 0.0, (shown - cameras) / 5.0)
    arc = BounceArcResiduals(
        measurements._replace(places=shown, rays=rays, heights=height), PARAMETERS.gravity
    )
    mean = np.concatenate((numbers, np.zeros(8)))
    residuals, slopes = arc.linearized(mean)
    np.testing.assert_allclose(residuals, 0.0, atol=1e-8)
    np.testing.assert_allclose(slopes, _differences(arc, mean), atol=0.05, rtol=1e-4)


@given(coordinates, coordinates, speeds, speeds, st.tuples(small, small, small))
def test_derivatives_of_a_straight_kick(x, y, vx, vy, logarithms):
    """The derivatives of a straight kick are those of its residuals, also across the switch."""
    mean = np.array((x, y, vx, vy, -0.2, *logarithms, 0.0, 0.0, 0.0, 0.0, 0.0))
    mean[7] = min(mean[7], 0.25)
    straight = StraightKickResiduals(_measurements(), CARPET)
    numeric = _differences(straight, mean)
    np.testing.assert_allclose(straight.linearized(mean)[1], numeric, atol=0.05, rtol=1e-4)


@given(
    coordinates, coordinates, st.tuples(speeds, speeds, st.floats(0.5, 4.0)), st.floats(0.0, 3.0)
)
def test_a_chip_agrees_with_the_prediction(x, y, velocity, time):
    """Bounces and the roll after them equal those of `predict_ball`."""
    course = ChipKickTrajectory(
        ((np.array((x, y, *velocity, 0.1)), np.eye(6) * 1e-6),), PARAMETERS
    )
    state, covariance = course.at(0.1 + time)
    positions, _ = predict_ball(BallMotionState((x, y, 0.0), velocity), PARAMETERS).at([time])
    np.testing.assert_allclose(state[:3], positions[0], atol=1e-6)
    assert np.linalg.eigvalsh(covariance)[0] > -1e-12


@given(coordinates, coordinates, speeds, speeds, st.floats(0.0, 3.0))
def test_a_straight_kick_agrees_with_the_prediction(x, y, vx, vy, time):
    """Sliding, rolling and resting equal those of `predict_ball`, except at a rounded switch."""
    mean = np.array((x, y, vx, vy, 0.1, 0.0, 0.0, 0.0, 0.0))
    course = StraightKickTrajectory(mean, np.eye(9) * 1e-6, CARPET, last_seen=0.5)
    state, covariance = course.at(0.1 + time)
    speed = float(np.hypot(vx, vy))
    trajectory = predict_ball(BallMotionState((x, y, 0.0), (vx, vy, 0.0), speed), PARAMETERS)
    np.testing.assert_allclose(state[:3], trajectory.at([time])[0][0], atol=2e-3)
    assert np.linalg.eigvalsh(covariance)[0] > -1e-12


def test_a_covariance_in_the_air_is_that_of_samples():
    """The covariance of a state equals that of samples, before and after a bounce."""
    rng = np.random.default_rng(3)
    mean, spread = (
        np.array((0.0, 1.0, 3.0, -1.0, 2.0, 0.0)),
        np.array((3, 3, 20, 20, 20, 1)) * 1e-3,
    )
    covariance = np.diag(spread**2)
    samples = mean + spread * rng.standard_normal((4000, 6))
    states = [state_in_flight(sample, covariance, 0.3, -9.81)[0] for sample in samples]
    expected = state_in_flight(mean, covariance, 0.3, -9.81)[1]
    np.testing.assert_allclose(np.cov(np.transpose(states)), expected, atol=4e-5, rtol=0.1)
    landed = [after_bounce(sample, covariance, 0, PARAMETERS)[0] for sample in samples]
    _, expected = after_bounce(mean, covariance, 0, PARAMETERS)
    # The loss itself varies too, and the samples do not include this.
    expected[(2, 3, 4), (2, 3, 4)] -= 0.01 * np.array((1.8**2 + 0.6**2, 1.8**2 + 0.6**2, 1.4**2))
    np.testing.assert_allclose(np.cov(np.transpose(landed)), expected, atol=4e-5, rtol=0.1)


@pytest.mark.parametrize('share', [0.2, 0.8])
def test_a_switch_that_may_have_been_missed_adds_variance(share):
    """Near the switch the velocity variance is larger than that of the fit alone."""
    covariance = np.diag((1e-6, 1e-6, 1e-4, 1e-4, 1e-8, 0.01, 0.06, 0.04, 0.01))
    mean = np.array((0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    switch = (1.0 - CARPET.switch) * 4.0 / CARPET.slide
    course = StraightKickTrajectory(mean, covariance, CARPET, last_seen=share * switch)
    shift = course._unseen_switch(share * switch)
    assert 0.0 < shift[3] < 0.15
    assert shift[4] == 0.0


@pytest.mark.parametrize('late', [-0.5, 0.5])
def test_a_bounce_that_may_not_have_been_yet_adds_variance(late):
    """Near a bounce of uncertain time the vertical speed must include that of the other side."""
    mean = np.array((0.0, 0.0, 3.0, 0.0, 2.0, 0.0))
    covariance = np.diag((1e-6, 1e-6, 1e-4, 1e-4, 1e-3, 1e-6))
    course = ChipKickTrajectory(((mean, covariance),), PARAMETERS)
    after, spread = after_bounce(mean, covariance, 0, PARAMETERS)
    time = float(after[5] + late * BOUNCE_TIME_STD)
    flip = 2.0 + after[4]
    chance = ndtr(-abs(late))
    stated = course.at(time)[1][5, 5]
    assert stated == pytest.approx(chance * (flip**2 + spread[4, 4]), rel=0.1)
    assert course.at(0.5 * float(after[5]))[1][5, 5] < 0.01 * stated
