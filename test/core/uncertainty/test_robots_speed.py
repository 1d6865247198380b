# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark of motion runs, and its loops do the same work as the package."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.uncertainty import robots_speed as speed
from benchmarks.uncertainty.goodness_of_fit import alike
from benchmarks.uncertainty.robots_comparison import DT, NU, OMEGA, TARGET_MEMORY, Sizes
from benchmarks.uncertainty.robots_sensing_speed import place
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.random_draws import Draws

# Also without kidnapping, since with it positions hardly depend on motion.
MOTIONS = {**speed.PRESETS, 'free': replace(speed.PRESETS['lecture'], kidnap=None)}
FEW, MANY = 1000, 20_000
# Probability that a correct loop is rejected, for numbers that never change.
CHANCE = 1e-4
CAUSES = [ErrorCause.PEBBLE, ErrorCause.VELOCITY_BIAS, ErrorCause.STUCK, ErrorCause.KIDNAP]

loops = pytest.mark.parametrize('kind', [speed.PlainRobot, speed.TightRobot])
motions = pytest.mark.parametrize('motion', MOTIONS.values(), ids=MOTIONS)


def drive_loop(kind, motion, count, steps, dt):
    """Simulate robots of a loop: return their poses, and the counts of each cause."""
    random = np.random.default_rng(5)
    robots = [kind(motion, random) for _ in range(count)]
    causes = np.array([[robot.step(NU, OMEGA, dt) for _ in range(steps)] for robot in robots])
    return np.array([place(robot) for robot in robots]), count_causes(causes)


def drive_package(motion, count, steps, dt):
    """Simulate robots of the package in the same way."""
    own, draws, causes = Motion(motion), Draws(5), []
    state = own.begin(np.zeros((count, 3)), draws)
    for _ in range(steps):
        state, truth = own.step(state, np.tile((NU, OMEGA), (count, 1)), dt, draws)
        causes.append(truth.causes)
    return state.poses, count_causes(np.transpose(causes))


def count_causes(causes):
    """Count each cause for each robot."""
    return [((causes & cause.value) != 0).sum(axis=1) for cause in CAUSES]


@loops
@motions
def test_loops_end_where_the_package_does(kind, motion):
    """In one step with many events x, y and heading must be distributed as the package's."""
    looped, _ = drive_loop(kind, motion, MANY, 1, 10.0)
    driven, _ = drive_package(motion, 5 * MANY, 1, 10.0)
    assert min(alike(looped[:, i], driven[:, i]) for i in range(3)) > CHANCE


@loops
@motions
def test_loops_count_the_causes_of_the_package(kind, motion):
    """In the timed steps, the counts of each cause must be the same."""
    _, looped = drive_loop(kind, motion, FEW, 100, DT)
    _, driven = drive_package(motion, MANY, 100, DT)
    for one, other in zip(looped, driven, strict=True):
        assert alike(one, other) > CHANCE
        assert one.mean() == pytest.approx(other.mean(), rel=0.2)


def test_both_presets_are_compared_with_both_loops():
    """Each result has a rate, a speed-up, and memory below the target."""
    measured = speed.measure(1, Sizes(20_000, 50, 2000))['motion']
    assert set(measured) == set(speed.PRESETS)
    for numbers in measured.values():
        assert numbers['package [robot-steps/s]'] > 0
        assert {f'times faster than the {name} loop' for name in ('plain', 'tight')} < set(numbers)
        assert 0.0 < numbers['memory beyond the state [bytes/robot]'] <= TARGET_MEMORY
