# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Phases of a ball and the hysteresis between them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.phase_classifier import Phase, PhaseClassifier
from world_model_core.match.ball.trajectory import predict_ball


@pytest.fixture
def classifier():
    """Return a classifier with the seed's thresholds: 0.05 m, 0.1 m/s, 0.05 m/s."""
    return PhaseClassifier(BallParameters())


def test_moving_starts_at_one_speed_and_ends_at_a_lower_one(classifier):
    """Between the two speed thresholds a ball keeps its phase."""
    speeds = (0.0, 0.07, 0.11, 0.07, 0.04, 0.07)
    phases = [classifier.update((0.0, 0.0, 0.0), (speed, 0.0, 0.0)).value for speed in speeds]
    assert phases == ['STOPPED', 'STOPPED', 'ROLLING', 'ROLLING', 'STOPPED', 'STOPPED']
    assert classifier.phase is Phase.STOPPED


def test_flying_starts_above_the_height_threshold(classifier):
    """A ball is in the air once it is above the threshold, whatever its vertical speed."""
    assert classifier.update((0.0, 0.0, 0.049), (0.0, 2.0, 0.5)) is Phase.ROLLING
    assert classifier.update((0.0, 0.0, 0.051), (0.0, 2.0, 0.5)) is Phase.FLYING


def test_a_height_about_the_threshold_does_not_flicker(classifier):
    """A height just below the threshold does not end the flying phase; near the carpet it ends."""
    heights = (0.051, 0.049, 0.051, 0.03, 0.02)
    phases = [classifier.update((0.0, 0.0, z), (1.0, 0.0, 0.0)).value for z in heights]
    assert phases == ['FLYING', 'FLYING', 'FLYING', 'FLYING', 'ROLLING']


def test_a_ball_that_landed_slow_is_stopped(classifier):
    """A ball that comes down vertically changes from flying to stopped."""
    classifier.update((0.0, 0.0, 0.5), (0.0, 0.0, 0.0))
    assert classifier.update((0.0, 0.0, 0.0), (0.01, 0.0, 0.0)) is Phase.STOPPED


@given(vz=st.floats(1.5, 6.0), speed=st.floats(0.5, 6.0))
def test_a_chip_flies_through_its_bounces_then_rolls_then_stops(vz, speed):
    """A predicted chip has each phase once, in order: no bounce counts as a landing."""
    parameters = BallParameters()
    trajectory = predict_ball(BallMotionState((0.0, 0.0, 0.06), (speed, 0.0, vz)), parameters)
    classifier = PhaseClassifier(parameters)
    samples = trajectory.sample(60.0, 0.02)
    phases = [
        classifier.update(*state)
        for state in zip(samples.positions, samples.velocities, strict=True)
    ]
    changes = [phases[0]] + [b for a, b in pairwise(phases) if a is not b]
    assert changes == [Phase.FLYING, Phase.ROLLING, Phase.STOPPED]
