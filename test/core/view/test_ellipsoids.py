# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ellipses and ellipsoids contain what they say, in any orientation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from world_model_core.frames import rotation_of
from world_model_core.view.ellipsoids import (
    LEAST_SEMI_AXIS,
    PROBABILITIES,
    confidence_ellipses,
    confidence_ellipsoids,
    radii,
)

COLOR = (200, 100, 0, 255)
LENGTHS = st.lists(st.floats(0.01, 3.0), min_size=3, max_size=3)


def test_probabilities_are_those_of_one_two_and_three_deviations_in_the_plane():
    """The three are 39, 86 and 99 %."""
    assert np.round(np.multiply(PROBABILITIES, 100.0), 1).tolist() == [39.3, 86.5, 98.9]
    assert radii(2) == pytest.approx((1.0, 2.0, 3.0))
    assert radii(3) == pytest.approx(np.sqrt(chi2.ppf(PROBABILITIES, 3)))


@given(LENGTHS, st.integers(0, 2**32 - 1))
def test_ellipsoids_contain_their_share_of_samples(lengths, seed):
    """Semi-axes and orientation restore the covariance, scaled by the quantile."""
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    covariance = turn @ np.diag(np.square(lengths)) @ turn.T
    batch = confidence_ellipsoids(('a',), np.ones((1, 3)), covariance[None], COLOR)
    assert batch.ids == ('a',) * 3
    assert batch.left_out == 0
    assert np.array_equal(batch.positions, np.ones((3, 3)))
    for orientation, axes, radius in zip(
        batch.orientations, batch.semi_axes, radii(3), strict=True
    ):
        rotation = rotation_of(orientation)
        assert np.linalg.det(rotation) == pytest.approx(1.0)
        restored = rotation @ np.diag((axes / radius) ** 2) @ rotation.T
        assert restored == pytest.approx(covariance, rel=1e-6, abs=1e-9)


@given(LENGTHS, st.floats(-4.0, 4.0))
def test_ellipses_lie_on_the_ground_along_their_axes(lengths, angle):
    """The closed form of two dimensions restores the covariance."""
    turn = np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
    covariance = turn @ np.diag(np.square(lengths[:2])) @ turn.T
    batch = confidence_ellipses(('a',), np.array([(4.0, 5.0)]), covariance[None], COLOR)
    assert batch.positions[:, :2].tolist() == [[4.0, 5.0]] * 3
    # The inner one is on top, and all lie flat on the ground.
    assert (np.diff(batch.positions[:, 2]) < 0.0).all()
    assert (batch.semi_axes[:, 2] < 1e-3).all()
    assert (batch.positions[:, 2] < 0.01).all()
    for orientation, axes, radius in zip(
        batch.orientations, batch.semi_axes, (1.0, 2.0, 3.0), strict=True
    ):
        rotation = rotation_of(orientation)
        assert rotation[2] == pytest.approx((0.0, 0.0, 1.0))
        flat = rotation[:2, :2]
        restored = flat @ np.diag((axes[:2] / radius) ** 2) @ flat.T
        assert restored == pytest.approx(covariance, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ('make', 'size', 'dimensions'), [(confidence_ellipses, 2, 2), (confidence_ellipsoids, 3, 3)]
)
def test_matrices_that_are_no_covariances_are_left_out(make, size, dimensions):
    """NaN, infinite, not symmetric and negative ones are counted; the others are shown."""
    one = np.eye(size)
    skewed, negative = one.copy(), one.copy()
    skewed[0, 1], negative[0, 0] = 0.5, -1.0
    matrices = np.stack((one, one + np.nan, one + np.inf, skewed, negative, one))
    names = tuple('abcdef')
    batch = make(names, np.zeros((6, dimensions)), matrices, COLOR)
    assert batch.ids == ('a',) * 3 + ('f',) * 3
    assert batch.left_out == 12
    assert len(batch.semi_axes) == 6


@pytest.mark.parametrize('make', [confidence_ellipses, confidence_ellipsoids])
def test_what_is_certain_can_still_be_seen(make):
    """A covariance of zero has the shortest semi-axes."""
    size = 2 if make is confidence_ellipses else 3
    batch = make(('a',), np.zeros((1, size)), np.zeros((1, size, size)), COLOR)
    assert (batch.semi_axes[:, :2] == LEAST_SEMI_AXIS).all()


def test_outer_ellipses_are_fainter():
    """All three can be told apart where they overlap."""
    batch = confidence_ellipses(('a',), np.zeros((1, 2)), np.eye(2)[None], COLOR)
    assert (np.diff(batch.colors[:, 3].astype(int)) < 0).all()
    assert (batch.colors[:, :3] == COLOR[:3]).all()
