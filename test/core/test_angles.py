# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Wrapped angles and circular means."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from world_model_core.angles import FULL_TURN, circular_mean, wrap_angle, wrap_angles

SEVERAL_TURNS = st.floats(-1000.0, 1000.0)


@given(SEVERAL_TURNS)
@example(math.pi)
@example(-math.pi)
@example(math.nextafter(-math.pi, -math.inf))
@example(math.nextafter(math.pi, math.inf))
@example(-1e-300)
def test_wrapping_takes_full_turns_away(angle):
    """A wrapped angle must be in (-pi, pi] and have the same sine and cosine."""
    for wrapped in (wrap_angle(angle), float(wrap_angles(np.array(angle)))):
        assert -math.pi < wrapped <= math.pi
        assert math.cos(wrapped - angle) == pytest.approx(1.0)


def test_both_ends_of_the_interval_become_pi():
    """There must be one convention at pi, for numbers and for arrays."""
    odd = np.array((-3.0, -1.0, 1.0, 3.0)) * math.pi
    assert (wrap_angles(odd[1:3]) == math.pi).all()
    assert [wrap_angle(angle) for angle in odd[1:3]] == [math.pi, math.pi]
    np.testing.assert_allclose(np.abs(wrap_angles(odd)), math.pi)


@given(SEVERAL_TURNS)
def test_numbers_and_arrays_agree(angle):
    """Both functions must return the same angle, up to rounding and the end of the interval."""
    apart = wrap_angle(angle) - float(wrap_angles(np.array(angle)))
    assert math.remainder(apart, FULL_TURN) == pytest.approx(0.0, abs=1e-11)


def test_nan_stays_nan():
    """A missing angle must not change the others."""
    wrapped = wrap_angles(np.array((np.nan, 4.0)))
    assert np.isnan(wrapped[0])
    assert wrapped[1] == pytest.approx(4.0 - FULL_TURN)


@given(SEVERAL_TURNS, st.floats(0.0, 1.5))
def test_the_mean_of_two_directions_lies_between_them(middle, apart):
    """The circular mean must not depend on the number of full turns."""
    angles = np.array((middle - apart, middle + apart + FULL_TURN))
    mean = float(circular_mean(angles, np.ones(2)))
    assert math.cos(mean - middle) == pytest.approx(1.0)


def test_means_are_weighted_along_the_last_axis():
    """The mean of the heavier direction must be nearer to it, and the shape one axis less."""
    angles = np.array(((0.0, 1.0), (3.0, -3.0)))
    means = circular_mean(angles, np.array(((3.0, 1.0), (1.0, 1.0))))
    assert means.shape == (2,)
    assert 0.0 < means[0] < 0.5
    assert abs(means[1]) == pytest.approx(math.pi)
