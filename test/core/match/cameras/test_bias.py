# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Camera biases estimated from their differences."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from world_model_core.match.cameras.bias import (
    CONTRADICTIONS,
    MOST_CAMERAS,
    CameraBiases,
    CameraBiasParameters,
)
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

FRAME_NS = SECOND // 70
PARAMETERS = CameraBiasParameters()
NOISE = 0.0014


@pytest.fixture
def biases():
    """Return camera biases without any observation."""
    return CameraBiases(PARAMETERS)


def compare(biases, offsets, frames, rng=None, first=0):
    """Let neighbors among cameras (n, 2) detect the same object, one pair per frame."""
    for index in range(first, first + frames):
        for one, (mine, other) in enumerate(pairwise(offsets)):
            dx, dy = mine - other + (0.0 if rng is None else rng.normal(0.0, NOISE, 2))
            stamp_ns = SECOND + index * FRAME_NS
            biases.compare(stamp_ns, one, one + 1, float(dx), float(dy), NOISE**2)


def test_a_single_camera_keeps_the_prior(biases):
    """Without a comparison the offset must be zero with the covariance of the prior."""
    assert biases.offset(7) == (0.0, 0.0)
    assert biases.variance(7) == PARAMETERS.prior_std**2 + PARAMETERS.place_std**2


def test_cameras_apart_are_moved_half_way_each(biases):
    """Two cameras 40 mm apart in x must each get 20 mm, outward."""
    compare(biases, np.array(((0.02, 0.0), (-0.02, 0.0))), 70)
    assert biases.offset(0) == pytest.approx((0.02, 0.0), abs=1e-3)
    assert biases.offset(1) == pytest.approx((-0.02, 0.0), abs=1e-3)
    common = PARAMETERS.prior_std**2 / 2
    assert common < biases.variance(0) < 1.1 * common


def test_one_second_of_overlap_is_enough(biases):
    """The first differences must count at once: a ball leaves the overlap soon."""
    compare(biases, np.array(((0.02, 0.0), (-0.02, 0.0))), 3)
    assert biases.offset(0)[0] == pytest.approx(0.02, abs=2e-3)


def test_the_common_bias_of_all_cameras_stays_unknown(biases):
    """The mean over the cameras must be zero, and its covariance must be included."""
    rng = np.random.default_rng(2)
    offsets = rng.normal(0.0, 0.02, (4, 2))
    compare(biases, offsets + 0.01, 700, rng)
    estimated = np.array([biases.offset(camera) for camera in range(4)])
    assert estimated.mean(axis=0) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert estimated == pytest.approx(offsets - offsets.mean(axis=0), abs=1e-3)
    assert biases.variance(0) > PARAMETERS.prior_std**2 / 4


def test_gross_differences_are_left_out(biases):
    """A difference larger than any bias must be counted and left out."""
    biases.compare(SECOND, 0, 1, 0.3, 0.0, NOISE**2)
    biases.compare(SECOND, 0, 1, float('nan'), 0.0, NOISE**2)
    assert biases.counters['gross'] == 2
    assert biases.offset(0) == (0.0, 0.0)


def test_single_contradictions_are_left_out(biases):
    """A single wrong association must change nothing."""
    compare(biases, np.array(((0.02, 0.0), (-0.02, 0.0))), 70)
    before = biases.offset(0)
    biases.compare(2 * SECOND, 0, 1, -0.05, 0.0, NOISE**2)
    assert biases.offset(0) == pytest.approx(before, abs=1e-5)
    assert biases.counters['contradicting'] == 1


def test_a_new_calibration_is_estimated(biases):
    """Differences that keep contradicting the estimate must replace it."""
    compare(biases, np.array(((0.02, 0.0), (-0.02, 0.0))), 700)
    compare(biases, np.array(((-0.01, 0.0), (0.01, 0.0))), CONTRADICTIONS + 3, first=700)
    assert biases.offset(0) == pytest.approx((-0.01, 0.0), abs=2e-3)
    assert biases.counters['relearned'] == 1


@pytest.mark.parametrize('cameras', [2, 3, 4])
def test_the_biases_are_consistent(cameras):
    """
    NEES of biases must be chi-square distributed, although errors vary with the position.

    One pair after the other detects an object that crosses its overlap, at a new position each
    second; the error of a camera is its bias and a linear error of 2 mm per meter.
    """
    rng = np.random.default_rng(11)
    nees = []
    for _ in range(60):
        biases, truth = CameraBiases(PARAMETERS), rng.normal(0.0, 0.02, (cameras, 2))
        slopes = rng.normal(0.0, 0.002, (cameras, 2, 2))
        for index in range(10 * 70):
            if index % 70 == 0:
                place, one = rng.uniform(-2.0, 2.0, 2), int(rng.integers(cameras - 1))
            off = truth + slopes @ (place + np.array((0.0, index % 70 / 70)))
            dx, dy = off[one] - off[one + 1] + rng.normal(0.0, NOISE, 2)
            biases.compare(SECOND + index * FRAME_NS, one, one + 1, float(dx), float(dy), NOISE**2)
        error = truth + slopes @ rng.uniform(-2.0, 2.0, 2)
        error -= [biases.offset(camera) for camera in range(cameras)]
        nees += [(error[c] ** 2).sum() / biases.variance(c) for c in range(cameras)]
    # Most of one run's error is common to its cameras: 60 samples, not more.
    low, high = chi2.ppf((0.005, 0.995), 2 * 60) / 60
    assert low < np.mean(nees) < high


@pytest.mark.parametrize('cameras', [2, 4])
def test_differences_of_biases_are_not_overconfident(cameras):
    """The error of the difference of two offsets must be within the errors of positions."""
    rng = np.random.default_rng(12)
    squares = []
    for _ in range(100):
        biases, truth = CameraBiases(PARAMETERS), rng.normal(0.0, 0.02, (cameras, 2))
        compare(biases, truth + rng.normal(0.0, PARAMETERS.place_std, (cameras, 2)), 70, rng)
        error = truth[0] - truth[1] - np.subtract(biases.offset(0), biases.offset(1))
        squares.append((error**2).sum())
    assert np.mean(squares) / (4 * PARAMETERS.place_std**2) == pytest.approx(1.0, abs=0.4)


def test_more_cameras_than_a_field_has_are_left_out(biases):
    """Further camera ids must be counted and not remembered."""
    for camera in range(3 * MOST_CAMERAS):
        biases.compare(SECOND + camera * FRAME_NS, camera, camera + 1, 0.01, 0.0, NOISE**2)
    assert biases.counters['too many cameras'] == 2 * MOST_CAMERAS + 1
    assert biases.offset(2 * MOST_CAMERAS) == (0.0, 0.0)


DIFFERENCES = st.tuples(
    st.integers(-(2**40), 2**40),
    st.integers(0, 5),
    st.integers(0, 5),
    st.floats(-0.1, 0.1),
    st.floats(-0.1, 0.1),
    st.floats(0.0, 1e-3),
)


@given(st.lists(DIFFERENCES, max_size=30))
def test_no_differences_can_break_the_biases(differences):
    """For any cameras in any order of time the estimates must stay within the prior."""
    biases = CameraBiases(PARAMETERS)
    for difference in differences:
        biases.compare(*difference)
    prior = PARAMETERS.prior_std**2
    for camera in range(6):
        assert np.hypot(*biases.offset(camera)) <= 0.15
        assert 0.0 < biases.variance(camera) <= 1.001 * (prior + PARAMETERS.place_std**2)
    covariance = np.array(biases._covariance)
    assert (covariance == covariance.T).all()
    assert not covariance.size or np.linalg.eigvalsh(covariance)[0] > 0.0
