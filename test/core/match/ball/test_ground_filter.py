# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Filter of a ball on the carpet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.ground_filter import (
    ALONE,
    TOUCHED,
    GroundFilter,
    GroundParameters,
    Mode,
    PlanarGaussian,
    blend,
    corrected,
    moved,
)

NUMBERS = st.floats(-3.0, 3.0)
STEPS = st.floats(0.0, 0.5)


def covariance(moments):
    """Return the covariance of one axis as a matrix."""
    *_, pp, pv, pa, vv, va, aa = moments
    return np.array(((pp, pv, pa), (pv, vv, va), (pa, va, aa)))


def means(moments):
    """Return the means as (2, 3): position, velocity and acceleration of x and y."""
    return np.array(moments[:6]).reshape(3, 2).T


@st.composite
def gaussians(draw):
    """Draw a mean with a positive definite covariance."""
    root = np.array(draw(st.lists(NUMBERS, min_size=9, max_size=9))).reshape(3, 3)
    (pp, pv, pa), (_, vv, va), (_, _, aa) = (root @ root.T + 0.01 * np.eye(3)).tolist()
    mean = draw(st.lists(NUMBERS, min_size=6, max_size=6))
    return PlanarGaussian(*mean, pp, pv, pa, vv, va, aa)


@given(gaussians(), STEPS, STEPS, st.floats(0.0, 30.0))
def test_two_steps_make_one(start, first, second, density):
    """Predicting twice must equal predicting once for the sum of the times."""
    twice = moved(moved(start, first, density), second, density)
    once = moved(start, first + second, density)
    assert means(twice) == pytest.approx(means(once), abs=1e-9)
    assert covariance(twice) == pytest.approx(covariance(once), abs=1e-9)


@given(st.lists(st.tuples(st.floats(0.1, 1.0), gaussians()), min_size=1, max_size=4))
def test_a_blend_has_mean_and_spread_of_its_parts(parts):
    """Mean and covariance must be those of the mixture, the covariance averaged over both axes."""
    total = sum(weight for weight, _ in parts)
    weights = np.array([weight / total for weight, _ in parts])
    whole = blend([(weight / total, part) for weight, part in parts])
    places = np.array([means(part) for _, part in parts])
    mean = np.tensordot(weights, places, 1)
    assert means(whole) == pytest.approx(mean, abs=1e-9)
    off = places - mean
    outer = 0.5 * np.einsum('k,kai,kaj->ij', weights, off, off)
    inner = sum(w * covariance(part) for w, (_, part) in zip(weights, parts, strict=True))
    assert covariance(whole) == pytest.approx(inner + outer, abs=1e-9)


@given(gaussians(), NUMBERS, NUMBERS, st.floats(1e-6, 1.0))
def test_an_update_is_that_of_a_kalman_filter(start, x, y, variance):
    """A position update must equal the equations of the Kalman filter."""
    posterior, surprise, spread = corrected(start, x, y, variance)
    gain = covariance(start)[:, 0] / (start.pp + variance)
    innovation = np.array((x, y)) - means(start)[:, 0]
    assert means(posterior) == pytest.approx(means(start) + np.outer(innovation, gain), abs=1e-9)
    expected = covariance(start) - np.outer(gain, covariance(start)[0])
    assert covariance(posterior) == pytest.approx(expected, abs=1e-9)
    assert surprise == pytest.approx(innovation @ innovation / spread)
    assert spread == pytest.approx(start.pp + variance)


@given(
    gaussians(),
    st.lists(st.tuples(st.floats(1e-4, 0.2), st.booleans(), NUMBERS, NUMBERS), max_size=20),
)
def test_the_filter_stays_a_valid_distribution(start, measurements):
    """After any detections, probabilities must add up to 1 and the covariance must be valid."""
    ground = GroundFilter(GroundParameters(), start, (0.3, 0.3, 0.3, 0.1))
    for dt, touched, x, y in measurements:
        ground.predict(dt, TOUCHED if touched else ALONE)
        ground.update(x, y, 1e-6)
        assert sum(ground.probabilities) == pytest.approx(1.0)
        assert min(ground.probabilities) > 0.0
        assert np.linalg.eigvalsh(covariance(ground.estimate())).min() > -1e-9


@pytest.mark.parametrize(
    ('mode', 'acceleration'), [(Mode.RESTING, 0.0), (Mode.ROLLING, -0.33), (Mode.SLIDING, -2.79)]
)
def test_the_mode_follows_the_motion(mode, acceleration):
    """A resting, a rolling and a sliding ball must be recognized by their detections."""
    start = PlanarGaussian(0, 0, 0, 0, 0, 0, 1e-6, 0, 0, 4.0, 0, 0)
    ground = GroundFilter(GroundParameters(), start, (0.25, 0.25, 0.25, 0.25))
    speed, dt = 0.0 if mode is Mode.RESTING else 2.0, 0.01
    for step in range(1, 40):
        time = step * dt
        ground.predict(dt, ALONE)
        ground.update(speed * time + 0.5 * acceleration * time**2, 0.0, 1e-6)
    assert ground.probabilities[mode] == max(ground.probabilities)
