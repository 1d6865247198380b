# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gates and the Kalman filter in batches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.gaussian import (
    chi_square_gate,
    constant_velocity,
    mahalanobis_squared,
    predict,
    update,
    white_acceleration,
)

seeds = st.integers(0, 2**32 - 1)
durations = st.floats(0.0, 10.0)


def random_covariance(rng, *shape):
    """Draw well-conditioned covariances."""
    root = rng.normal(size=shape + shape[-1:])
    return root @ np.swapaxes(root, -1, -2) + 1e-3 * np.eye(shape[-1])


@pytest.mark.parametrize(
    ('degrees', 'probability', 'gate'),
    [(2, 0.99, 9.210), (3, 0.95, 7.815), (3, 0.99, 11.345), (3, 0.999, 16.266)],
)
def test_gates_are_the_published_quantiles(degrees, probability, gate):
    """They must equal tables of the chi-square distribution."""
    assert chi_square_gate(degrees, probability) == pytest.approx(gate, abs=5e-4)


@given(seeds)
def test_squared_mahalanobis_distance_is_by_its_definition(seed):
    """It must be d^T S^-1 d for every member of the batch."""
    rng = np.random.default_rng(seed)
    differences, covariances = rng.normal(size=(4, 3)), random_covariance(rng, 4, 3)
    expected = [d @ np.linalg.inv(s) @ d for d, s in zip(differences, covariances, strict=True)]
    assert mahalanobis_squared(differences, covariances) == pytest.approx(expected)


@given(seeds, durations, durations, st.floats(0.0, 100.0))
def test_predicting_in_two_steps_is_predicting_in_one(seed, first, second, density):
    """Predict(a + b) must equal predict(b) after predict(a), mean and covariance."""
    rng = np.random.default_rng(seed)
    start = rng.normal(size=2), random_covariance(rng, 2)

    def step(state, dt):
        return predict(*state, constant_velocity(dt), white_acceleration(dt, density))

    mean, covariance = step(start, first + second)
    twice_mean, twice_covariance = step(step(start, first), second)
    assert twice_mean == pytest.approx(mean, rel=1e-9, abs=1e-9)
    assert twice_covariance == pytest.approx(covariance, rel=1e-9, abs=1e-9)


@given(seeds, st.integers(1, 3))
def test_updates_keep_covariances_symmetric_and_positive(seed, measured):
    """The Joseph form must give a covariance, smaller than before."""
    rng = np.random.default_rng(seed)
    mean, covariance = rng.normal(size=(5, 4)), random_covariance(rng, 5, 4)
    model = rng.normal(size=(measured, 4))
    noise = random_covariance(rng, 5, measured)
    posterior = update(mean, covariance, rng.normal(size=(5, measured)), model, noise)
    swapped = np.swapaxes(posterior.covariance, -1, -2)
    assert posterior.covariance == pytest.approx(swapped, abs=1e-9)
    assert np.linalg.eigvalsh(posterior.covariance).min() >= -1e-9
    assert np.linalg.eigvalsh(covariance - posterior.covariance).min() >= -1e-6


@given(seeds)
def test_an_update_is_the_product_of_two_gaussians(seed):
    """In information form the precisions must add up, and the precision-weighted means."""
    rng = np.random.default_rng(seed)
    mean, covariance = rng.normal(size=3), random_covariance(rng, 3)
    measured, noise = rng.normal(size=3), random_covariance(rng, 3)
    posterior = update(mean, covariance, measured, np.eye(3), noise)
    precision = np.linalg.inv(covariance) + np.linalg.inv(noise)
    weighted = np.linalg.solve(covariance, mean) + np.linalg.solve(noise, measured)
    assert np.linalg.inv(posterior.covariance) == pytest.approx(precision, rel=1e-5, abs=1e-5)
    assert precision @ posterior.mean == pytest.approx(weighted, rel=1e-5, abs=1e-5)


def test_the_innovation_statistic_is_chi_square_distributed():
    """NIS over simulated truth must average to the number of measured values."""
    rng = np.random.default_rng(7)
    covariance, noise, model = random_covariance(rng, 4), random_covariance(rng, 2), np.eye(2, 4)
    truths = rng.multivariate_normal(np.zeros(4), covariance, size=20_000)
    measured = truths @ model.T + rng.multivariate_normal(np.zeros(2), noise, size=20_000)
    nis = update(np.zeros((20_000, 4)), covariance, measured, model, noise).nis
    assert nis.mean() == pytest.approx(2.0, abs=4 * np.sqrt(4 / 20_000))


@given(
    st.sampled_from((1e-4, 3e-3, 1.0, 1e3)),
    st.lists(st.floats(1e-4, 2.0), min_size=1, max_size=60),
    st.sampled_from((0.0, 4.0, 100.0)),
)
def test_long_gaps_keep_a_covariance_definite(std, silences, density):
    """A precise position after seconds of unknown speed must keep correlations below 1."""
    mean, covariance = np.zeros(2), np.diag((std**2, 225.0))
    place, noise = np.array(((1.0, 0.0),)), np.array(((std**2,),))
    for dt in silences:
        moved = predict(mean, covariance, constant_velocity(dt), white_acceleration(dt, density))
        mean, covariance, _ = update(*moved, np.zeros(1), place, noise)
        assert covariance[0, 0] > 0.0
        assert covariance[1, 1] > 0.0
        assert covariance[0, 1] ** 2 < covariance[0, 0] * covariance[1, 1]
