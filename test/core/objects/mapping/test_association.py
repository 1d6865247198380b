# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The assignment of detections to objects is optimal and one to one."""

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from world_model_core.objects.mapping.association import NONE, Edges, assign, log_density

GAINS = st.lists(
    st.lists(st.floats(-5.0, 5.0).map(lambda gain: round(gain, 2)), min_size=3, max_size=3),
    min_size=1,
    max_size=4,
)


def _edges(gains):
    rows, columns = np.nonzero(np.isfinite(gains))
    return Edges(rows, 10 + columns, np.zeros(len(rows)), gains[rows, columns])


def _best(gains):
    """Try every assignment, with additional columns for unassigned detections."""
    count, width = gains.shape
    padded = np.hstack((np.where(np.isfinite(gains), gains, -1e9), np.zeros((count, count))))
    choices = permutations(range(width + count), count)
    return max(sum(padded[row, column] for row, column in enumerate(each)) for each in choices)


@given(GAINS)
@settings(deadline=None, max_examples=60)
def test_the_sum_of_gains_is_the_greatest(gains):
    """No assignment has a greater sum of gains than the one found, as brute force shows."""
    gains = np.array(gains)
    owners = assign(_edges(gains), len(gains))
    taken = owners[owners != NONE] - 10
    total = gains[np.flatnonzero(owners != NONE), taken].sum()
    np.testing.assert_allclose(total, _best(gains), atol=1e-9)


@given(GAINS)
@settings(deadline=None)
def test_each_object_has_one_detection_at_most(gains):
    """No object is assigned to two detections, and no pair has a gain that is not positive."""
    gains = np.array(gains)
    owners = assign(_edges(gains), len(gains))
    taken = owners[owners != NONE]
    assert len(set(taken.tolist())) == len(taken)
    assert (gains[np.flatnonzero(owners != NONE), taken - 10] > 0.0).all()


def test_components_do_not_disturb_each_other():
    """Distant pairs are assigned as each alone would be, in any order."""
    gains = np.full((6, 6), np.nan)
    gains[0, 3], gains[0, 4], gains[5, 3] = 2.0, 1.9, 1.0
    gains[2, 0] = 1.0
    owners = assign(_edges(gains), 6)
    assert owners.tolist() == [14, NONE, 10, NONE, NONE, 13]


def test_densities_are_those_of_normal_distributions():
    """The closed form for three dimensions agrees with SciPy's densities."""
    random = np.random.default_rng(0)
    factors = random.normal(size=(20, 3, 3))
    covariances = factors @ factors.swapaxes(1, 2) + 0.01 * np.eye(3)
    differences = random.normal(size=(20, 3))
    _, density = log_density(differences, covariances)
    wanted = [
        multivariate_normal.logpdf(offset, cov=covariance)
        for offset, covariance in zip(differences, covariances, strict=True)
    ]
    np.testing.assert_allclose(density, wanted, rtol=1e-9)
