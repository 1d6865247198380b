# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Consistency of the ball's covariances with its errors."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.values import MatchParameters
from world_model_core.match.vision_tracking import VisionTracking
from world_model_core.simulation.match.ball_course import follow_kicks
from world_model_core.simulation.match.simulated_kicks import (
    KICK_DEVIATIONS,
    KICK_PARAMETERS,
    SimulatedKicks,
)

RUNS, DURATION, KICK_NS = 50, 4.0, 300_000_000
INSTANTS = np.arange(0.5, 3.9, 0.1)
FLAT = np.ix_((0, 1, 3, 4), (0, 1, 3, 4))


def draw_run(seed):
    """Simulate a kick across the field with random constants, cameras and clock."""
    random = np.random.default_rng(seed)
    off = {
        name: getattr(KICK_DEVIATIONS, name) * random.normal()
        for name in ('slide_acceleration', 'roll_acceleration', 'switch_ratio')
    }
    ball = BallParameters()
    ball = replace(ball, **{name: getattr(ball, name) + error for name, error in off.items()})
    start = random.uniform((-3.5, -2.0), (-2.0, 2.0))
    way, speed = random.uniform(-0.5, 0.5), random.uniform(1.5, 3.0)
    velocity = (speed * np.cos(way), speed * np.sin(way), 0.0)
    course = follow_kicks(tuple(start.tolist()), [(KICK_NS, velocity)], ball)
    wrong = {
        name: getattr(KICK_DEVIATIONS, name)
        for name in ('bias', 'camera_position_error', 'capture_delay')
    }
    parameters = replace(KICK_PARAMETERS, seed=seed, ball=ball, **wrong)
    return SimulatedKicks(course, parameters, DURATION)


def run_nees(run):
    """Return the normalized estimation error squared, 4 degrees of freedom, at the times."""
    filters, nees = VisionTracking(MatchParameters()), {}
    for sent in run.packets():
        if sent.packet.geometry is not None:
            filters.update_geometry(sent.packet.geometry)
        if sent.packet.detection is None:
            continue
        seconds = sent.truth.stamp_ns / 1e9
        _, estimate = filters.update(sent.packet.detection)
        nearest = int(abs(INSTANTS - seconds).argmin())
        if estimate is None or abs(INSTANTS[nearest] - seconds) > 0.02:
            continue
        truth = run.truth_at(estimate.state.stamp_ns)
        error = np.concatenate(
            (estimate.state.position[:2] - truth.position[:2],
             estimate.state.velocity[:2] - truth.velocity[:2])
        )  # fmt: skip
        nees[nearest] = error @ np.linalg.solve(estimate.state.covariance[FLAT], error)
    return [nees.get(index, np.nan) for index in range(len(INSTANTS))]


@pytest.fixture(scope='module')
def errors():
    """Return the errors of all runs, shape (runs, times)."""
    return np.array([run_nees(draw_run(seed)) for seed in range(RUNS)])


def test_the_mean_error_is_as_large_as_stated(errors):
    """At nine of ten times the mean NEES must be within its 95 % interval."""
    counts = np.isfinite(errors).sum(axis=0)
    assert (counts > 0.8 * RUNS).all()
    low, high = (chi2.ppf(tail, 4 * counts) / counts for tail in (0.025, 0.975))
    means = np.nanmean(errors, axis=0)
    assert np.mean((low <= means) & (means <= high)) >= 0.9


def test_wrong_covariances_would_fail(errors):
    """Covariances wrong by a factor of two must fail the same test."""
    counts = np.isfinite(errors).sum(axis=0)
    low, high = (chi2.ppf(tail, 4 * counts) / counts for tail in (0.025, 0.975))
    for factor in (0.5, 2.0):
        means = np.nanmean(errors, axis=0) * factor
        assert np.mean((low <= means) & (means <= high)) < 0.5
