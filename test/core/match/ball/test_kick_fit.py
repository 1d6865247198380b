# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kick fits from measurements: straight or chip, with their covariances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import least_squares

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.kick_fit import CameraUncertainty, KickFit, KickOrigin
from world_model_core.match.ball.measurement import BallMeasurement
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

CAMERA = (-2.0, 0.0, 5.0)
NOISE = 0.0014
PERIOD = 1.0 / 73.0
EXACT = CameraUncertainty(offset_std=1e-3, camera_std=1e-3)
# 95 % quantiles of a Gaussian in two and in four dimensions.
ELLIPSE, ELLIPSOID = 5.991, 9.488


def _measurement(time, place, camera=CAMERA, number=0):
    """Make a measurement at a time [s] where the ray of the ball meets the carpet."""
    x, y, height = place
    if camera is not None:
        factor = camera[2] / (camera[2] - height)
        x, y = camera[0] + (x - camera[0]) * factor, camera[1] + (y - camera[1]) * factor
    return BallMeasurement(
        round(time * SECOND), number, float(x), float(y), None, NOISE**2, camera
    )


def _places(times, velocity, parameters=None):
    """Return the positions of a ball kicked from the field center at time 0."""
    speed = math.hypot(*velocity[:2])
    state = BallMotionState((0.0, 0.0, 0.0), velocity, kick_speed=speed)
    return predict_ball(state, parameters or BallParameters()).at(times)[0]


def _fit(measurements, calibration=EXACT, origin=None):
    """Fit all measurements of a ball kicked within 10 ms before the first."""
    first = min(measurement.stamp_ns for measurement in measurements)
    fit = KickFit(BallParameters(), first - SECOND // 100, first, origin, calibration)
    for measurement in measurements:
        fit.add(measurement)
    return fit


def test_too_few_measurements_give_no_kick():
    """Two measurements do not determine a kick, three do."""
    fit = KickFit(BallParameters(), -10_000_000, 0, None)
    for time, enough in ((0.0, False), (0.015, False), (0.03, True)):
        fit.add(_measurement(time, (4.0 * time, 0.0, 0.0)))
        assert (fit.solve() is not None) is enough


def test_an_exact_chip_is_found():
    """Velocity, position and touchdown of a noise-free chip are recovered."""
    times = np.arange(0.0, 0.45, 0.01)
    measurements = [
        _measurement(*pair) for pair in zip(times, _places(times, (3.0, 1.0, 2.5)), strict=True)
    ]
    estimate = _fit(measurements, origin=KickOrigin(0.0, 0.0, 1e-6)).solve()
    assert estimate.chip_probability > 0.999
    assert estimate.fits
    np.testing.assert_allclose(estimate.velocity, (3.0, 1.0, 2.5), atol=0.03)
    landed = estimate.touchdown()
    np.testing.assert_allclose(landed.position, (3.0 * 5.0 / 9.81, 5.0 / 9.81), atol=0.005)
    assert landed.stamp_ns == pytest.approx(5.0 / 9.81 * SECOND, abs=5e6)


def test_a_chip_is_followed_through_its_bounces():
    """After two bounces the state is at the ball, which may bounce or roll afterwards."""
    times = np.arange(0.0, 1.2, 0.01)
    places = _places(times, (3.0, 1.0, 2.5))
    fit = _fit([_measurement(0.0, places[0])])
    for time, place in zip(times[1:], places[1:], strict=True):
        fit.add(_measurement(time, place))
        estimate = fit.solve()
    later = np.array((0.2, 0.8, 1.15, 1.3, 2.5))
    found = [estimate.state_at(round(time * SECOND)).position for time in later]
    np.testing.assert_allclose(found, _places(later, (3.0, 1.0, 2.5)), atol=0.02)


def test_an_exact_straight_kick_is_found():
    """Speed, position and later motion of a noise-free straight kick are recovered."""
    times = np.arange(0.0, 0.9, 0.01)
    places = _places(times, (4.0, 1.0, 0.0))
    estimate = _fit([_measurement(*pair) for pair in zip(times, places, strict=True)]).solve()
    assert estimate.chip_probability < 0.001
    assert estimate.touchdown() is None
    np.testing.assert_allclose(estimate.velocity, (4.0, 1.0, 0.0), atol=0.03)
    later = estimate.state_at(round(1.5 * SECOND)).position
    np.testing.assert_allclose(later, _places([1.5], (4.0, 1.0, 0.0))[0], atol=0.005)


def test_a_measured_height_detects_a_chip():
    """Where a simulator measures z, a chip is detected without any camera position."""
    times = np.arange(0.0, 0.3, 0.015)
    places = _places(times, (3.0, 0.0, 2.0)).tolist()
    measurements = [
        BallMeasurement(round(time * SECOND), 0, x, y, z, NOISE**2, None)
        for time, (x, y, z) in zip(times, places, strict=True)
    ]
    estimate = _fit(measurements).solve()
    assert estimate.chip_probability > 0.999
    assert estimate.velocity[2] == pytest.approx(2.0, abs=0.1)


def test_a_camera_with_unknown_position_detects_no_chip():
    """A projection gives no height without the position of the camera: the prior remains."""
    times = np.arange(0.0, 0.4, 0.015)
    measurements = [
        _measurement(*pair) for pair in zip(times, _places(times, (3.0, 1.0, 2.5)), strict=True)
    ]
    fit = _fit([measurement._replace(camera=None) for measurement in measurements])
    assert fit.solve().chip_probability == pytest.approx(0.25)


def test_order_and_repetition_do_not_matter():
    """Late and repeated measurements give the same kick as each of them once and in order."""
    times = np.arange(0.0, 0.3, 0.015)
    measurements = [
        _measurement(*pair) for pair in zip(times, _places(times, (3.0, 1.0, 2.5)), strict=True)
    ]
    expected = _fit(measurements, origin=KickOrigin(0.0, 0.0, 1e-4)).solve()
    mixed = [*measurements[::2], *measurements[::-1], *measurements]
    estimate = _fit(mixed, origin=KickOrigin(0.0, 0.0, 1e-4)).solve()
    np.testing.assert_allclose(estimate.velocity, expected.velocity, atol=1e-2)
    assert estimate.chip_probability == pytest.approx(expected.chip_probability, abs=1e-3)


def test_a_contact_ends_the_fit():
    """A ball that bounces off a robot stops fitting after four frames, and is no chip."""
    times = np.arange(0.0, 0.36, 0.015)
    places = _places(times, (3.0, 0.0, 0.0))
    after = times > 0.3
    places[after] = places[~after][-1] + np.outer(times[after] - 0.3, (-1.0, 1.5, 0.0))
    fit = _fit([_measurement(0.0, places[0])])
    for time, place in zip(times[1:], places[1:], strict=True):
        fit.add(_measurement(time, place))
        estimate = fit.solve()
        assert estimate is None or estimate.fits or time > 0.3
        assert estimate is None or estimate.chip_probability < 0.5
    assert not estimate.fits


def test_nothing_grows_without_bound():
    """A fit keeps a bounded number of measurements and stays usable."""
    times = np.arange(0.0, 3.0, 0.003)
    places = _places(times, (2.0, 1.0, 0.0))
    fit = _fit([_measurement(*pair) for pair in zip(times, places, strict=True)])
    assert len(fit.solve().trajectory.mean) < 20
    assert len(fit._table) <= 200
    found = fit.solve().state_at(round(3.0 * SECOND)).position
    np.testing.assert_allclose(found, places[-1], atol=0.01)


def _flying(rng, height):
    """Simulate a chip observed by two cameras: measurements, position, velocity, kick time."""
    place = rng.uniform((-5.0, -3.5), (5.0, 3.5))
    way = rng.uniform((-5.0, -4.0), (5.0, 4.0)) - place
    speed, climb = rng.uniform(1.5, 5.0), rng.uniform(1.2, 4.5)
    velocity = np.array((*(speed * way / np.hypot(*way)), climb))
    kick, flight = rng.uniform(0.0, 0.02), 2.0 * climb / 9.81
    measurements = []
    for number, camera in enumerate(((-3.0, 0.0, height), (3.0, 0.0, height))):
        times = np.arange(rng.uniform(0.0, PERIOD), kick + min(flight, 0.4), PERIOD)
        for time in times[(times > kick) & (rng.random(len(times)) > 0.05)]:
            age = time - kick
            at = (*(place + age * velocity[:2]), climb * age - 4.905 * age * age)
            if abs(at[0] - camera[0]) < 4.5:
                measurement = _measurement(time, at, camera, number)
                dx, dy = rng.normal(0.0, NOISE, 2)
                measurements.append(
                    measurement._replace(x=measurement.x + dx, y=measurement.y + dy)
                )
    return sorted(measurements), place, velocity, kick


def _offline_landing(measurements, start):
    """Fit a chip by least squares from the truth; return its landing position, shape (2,)."""
    times = np.array([measurement.stamp_ns / SECOND for measurement in measurements])
    shown_at = np.array([(measurement.x, measurement.y) for measurement in measurements])
    cameras = np.array([measurement.camera for measurement in measurements])

    def residuals(numbers):
        dt = times - numbers[5]
        height = numbers[4] * dt - 4.905 * dt * dt
        places = numbers[:2] + dt[:, None] * numbers[2:4]
        factor = cameras[:, 2] / (cameras[:, 2] - height)
        shown = cameras[:, :2] + (places - cameras[:, :2]) * factor[:, None]
        late = (numbers[5] - start[5]) / (PERIOD / math.sqrt(12.0))
        return np.append(((shown - shown_at) / NOISE).ravel(), late)

    found = least_squares(residuals, start, x_scale=(0.01, 0.01, 0.1, 0.1, 0.1, 0.001)).x
    return found[:2] + found[2:4] * 2.0 * found[4] / 9.81


def test_landings_are_as_good_as_an_offline_fit_and_consistent():
    """Of 300 chips the landing error is within 1.3 x an offline fit's, 90 % in the ellipse."""
    rng = np.random.default_rng(1)
    called, errors, offline, inside = [], [], [], []
    while len(errors) < 300:
        measurements, place, velocity, kick = _flying(rng, rng.choice((4.0, 6.0)))
        if len(measurements) < 12:
            continue
        estimate = _fit(measurements).solve()
        called.append(estimate.chip_probability > 0.5)
        if not called[-1]:
            continue
        landed, truth = estimate.touchdown(), place + velocity[:2] * 2.0 * velocity[2] / 9.81
        error = landed.position - truth
        inside.append(error @ np.linalg.solve(landed.covariance, error) < ELLIPSE)
        errors.append(np.hypot(*error))
        start = np.array((*place, *velocity, kick))
        offline.append(np.hypot(*(_offline_landing(measurements, start) - truth)))
    assert np.mean(called) > 0.98
    assert np.median(errors) < 1.3 * np.median(offline)
    assert np.sqrt(np.mean(np.square(errors))) < 1.3 * np.sqrt(np.mean(np.square(offline)))
    assert np.mean(inside) > 0.9


def _rolling(rng, duration):
    """Simulate a straight kick on a random carpet: measurements, and the path without spin."""
    slide, roll, switch = np.exp(rng.normal(0.0, 0.2, 3)) * (2.79, 0.33, 0.7)
    parameters = BallParameters(
        slide_acceleration=-slide, roll_acceleration=-roll, switch_ratio=min(switch, 0.95)
    )
    speed, heading = rng.uniform(0.8, 7.0), rng.uniform(-math.pi, math.pi)
    velocity = (speed * math.cos(heading), speed * math.sin(heading), 0.0)
    left, spin = np.array((-velocity[1], velocity[0])) / speed, rng.normal(0.0, 0.2)
    slid = (1.0 - parameters.switch_ratio) * speed / slide
    kick, measurements = rng.uniform(0.0, PERIOD), []

    def place(age):
        drift = min(age, slid) * (age - 0.5 * min(age, slid))
        return _places([age], velocity, parameters)[0][:2] + spin * drift * left

    for number, camera in enumerate(((-2.0, 0.5, 4.0), (2.0, -0.5, 5.0))):
        offset = rng.normal(0.0, 1e-3, 2)
        times = np.arange(rng.uniform(0.0, PERIOD), kick + duration, PERIOD)
        for time in times[(times > kick) & (rng.random(len(times)) > 0.05)]:
            x, y = place(time - kick) + offset + rng.normal(0.0, NOISE, 2)
            measurements.append(_measurement(time, (x, y, 0.0), camera, number))
    return sorted(measurements), velocity, kick, place


def test_a_straight_kick_is_never_a_chip_and_is_consistent():
    """No straight kick is classified as a chip; speeds and positions are within bounds."""
    rng = np.random.default_rng(2)
    nees = []
    for _ in range(60):
        measurements, velocity, kick, place = _rolling(rng, 0.5)
        fit = _fit(measurements[:1])
        for measurement in measurements[1:]:
            fit.add(measurement)
            estimate = fit.solve()
            assert estimate is None or estimate.chip_probability < 0.5
        chosen = np.ix_((0, 1, 3, 4), (0, 1, 3, 4))
        for age, real in ((0.0, velocity), (0.5, None)):
            state = estimate.state_at(round((kick + age) * SECOND))
            pace = real or (place(age + 1e-4) - place(age - 1e-4)) / 2e-4
            error = np.concatenate(
                (state.position[:2] - place(age), state.velocity[:2] - pace[:2])
            )
            nees.append(error @ np.linalg.solve(state.covariance[chosen], error))
    kicks, ends = np.reshape(nees, (-1, 2)).T
    assert 1.0 < kicks.mean() < 6.0
    assert (kicks < ELLIPSOID).mean() > 0.88
    # The start of rolling shows only after some 60 ms; until then the estimate may still slide.
    assert (ends < ELLIPSOID).mean() > 0.8


coordinates = st.floats(-12.0, 12.0)
measurements = st.builds(
    BallMeasurement,
    stamp_ns=st.integers(-(10**8), 10**9) | st.integers(-(10**12), 10**12),
    camera_id=st.integers(0, 20),
    x=coordinates,
    y=coordinates,
    z=st.none() | st.floats(0.0, 3.0),
    variance=st.floats(0.0, 1.0),
    camera=st.none() | st.tuples(coordinates, coordinates, st.floats(-1.0, 8.0)),
)


@given(
    st.lists(measurements, max_size=25),
    st.none() | st.builds(KickOrigin, x=coordinates, y=coordinates, variance=st.floats(1e-8, 1.0)),
    st.integers(-1000, 10**9),
)
def test_any_measurements_give_a_kick_or_none(measurements, origin, width):
    """Nothing raises; all results are finite, and covariances symmetric and positive."""
    fit = KickFit(BallParameters(), 0, width, origin)
    for measurement in measurements:
        fit.add(measurement)
        estimate = fit.solve()
        if estimate is None:
            continue
        assert 0.0 <= estimate.chip_probability <= 1.0
        for age in (-0.1, 0.0, 0.3, 5.0):
            state = estimate.state_at(estimate.stamp_ns + round(age * SECOND))
            assert np.isfinite(state.position).all()
            assert np.isfinite(state.velocity).all()
            np.testing.assert_array_equal(state.covariance, state.covariance.T)
            values = np.linalg.eigvalsh(state.covariance)
            assert values[0] >= -1e-9 * max(values[-1], 1.0)
