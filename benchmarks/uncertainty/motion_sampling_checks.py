# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks of simulated motion against the documented distributions of its error sources.

Each check takes a number of samples and a seed, and returns the p-values of the samples.
`benchmarks/uncertainty/distribution_checks.py` evaluates them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.uncertainty.goodness_of_fit import (
    alike,
    average,
    independent,
    normal,
    poisson,
    share,
    truncated_exponential,
    uniform,
)
from world_model_core.uncertainty.motion_model import Motion, MotionState, MotionTruth
from world_model_core.uncertainty.motion_parameters import LECTURE, LNPR, MotionParameters
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.stuck_robots import StuckParameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.gaussian import Array

NU, OMEGA = 0.2, math.pi / 18.0
# Mean time [s] of an event that never happens.
ENDLESS = 1e11
# The longest step [s], and the steps [s] into which it is split without a change of distribution.
TIME, STEPS = 10.0, (0.01, 0.1, 1.0)


def drive(
    parameters: MotionParameters,
    samples: int,
    seed: int,
    *,
    steps: int = 1,
    dt: float = TIME,
    command: tuple[float, float] = (NU, OMEGA),
) -> tuple[MotionState, MotionTruth, Array]:
    """Drive robots from the origin: give the end, the last truth, and all pebbles met."""
    motion, draws = Motion(parameters), Draws(seed)
    state = motion.begin(np.zeros((samples, 3)), draws)
    commands, pebbles = np.tile(command, (samples, 1)), np.zeros(samples)
    for _ in range(steps):
        state, truth = motion.step(state, commands, dt, draws)
        pebbles += truth.pebbles
    return state, truth, pebbles


def pebbles_on_the_way(samples: int, seed: int) -> list[float]:
    """Test that pebbles are Poisson, 5 per meter, in steps of any length."""
    found = []
    for dt in (*STEPS, TIME):
        parameters = MotionParameters(pebbles=PebbleParameters())
        _, _, met = drive(parameters, samples, seed, steps=round(TIME / dt), dt=dt)
        found.append(poisson(met, 5.0 * NU * TIME))
    return found


def pebbles_of_turns(samples: int, seed: int) -> float:
    """Test that robots turning on the spot meet LNPR's pebbles, 0.2 m of path per radian."""
    parameters = replace(LNPR, velocity_bias=None)
    _, _, met = drive(parameters, samples, seed, dt=TIME, command=(0.0, 1.0))
    return poisson(met, 5.0 * 0.2 * TIME)


def pebble_place_and_turn(samples: int, seed: int) -> list[float]:
    """Test that place and turn (3 degrees) of a single pebble are random and independent."""
    parameters = MotionParameters(pebbles=PebbleParameters(rate=1.0))
    state, _, met = drive(parameters, 3 * samples, seed, dt=1.0, command=(1.0, 0.0))
    x, y, turn = state.poses[met == 1][:samples].T
    # The path is straight up to the pebble, and straight at an angle after it: 1 m in total.
    after = (1.0 - x) / (1.0 - np.cos(turn))
    sharp = np.abs(turn) > 1e-3
    return [
        uniform(1.0 - after[sharp]),
        *normal(turn, 0.0, math.pi / 60.0),
        independent(after[sharp], np.abs(turn[sharp])),
        average(y, 0.0),
    ]


def velocity_bias(samples: int, seed: int) -> list[float]:
    """Test that both factors are normal, and independent of each other."""
    parameters = MotionParameters(velocity_bias=LECTURE.velocity_bias)
    nu, omega = drive(parameters, samples, seed)[0].factors.T
    return [*normal(nu, 1.0, 0.1), *normal(omega, 1.0, 0.1), independent(nu, omega)]


def stuck_at_30_s(samples: int, seed: int) -> list[float]:
    """Test that robots are stuck with probability (1 - exp(-t / 30)) / 2, 0.316 at 30 s."""
    parameters, chance = MotionParameters(stuck=StuckParameters()), 0.5 * (1.0 - math.exp(-1.0))
    return [
        share(drive(parameters, samples, seed, steps=n, dt=30.0 / n)[0].stuck, chance)
        for n in (1, 30, 300)
    ]


def stuck_with_other_means(samples: int, seed: int) -> list[float]:
    """Test the share of stuck robots with different mean times free and stuck."""
    found = []
    for free, caught, time in ((60.0, 20.0, 25.0), (5.0, 40.0, 8.0), (2.0, 0.5, 0.3)):
        parameters = MotionParameters(stuck=StuckParameters(mean_free=free, mean_stuck=caught))
        rate = 1.0 / free + 1.0 / caught
        chance = (1.0 - math.exp(-rate * time)) / (free * rate)
        found += [
            share(drive(parameters, samples, seed, steps=steps, dt=time / steps)[0].stuck, chance)
            for steps in (1, 20)
        ]
    return found


def times_free_and_stuck(samples: int, seed: int) -> list[float]:
    """Test that times until robots are stuck, and until they are free, are exponential."""
    caught = MotionParameters(stuck=StuckParameters(mean_stuck=ENDLESS))
    state, truth, _ = drive(caught, samples, seed, dt=60.0)
    stuck, free = state.stuck, 60.0 - truth.time_stuck[state.stuck]
    away = Motion(MotionParameters(stuck=StuckParameters(mean_free=ENDLESS)))
    draws = Draws(seed)
    begun = away.begin(np.zeros((samples, 3)), draws)
    begun = replace(begun, stuck=np.ones(samples, dtype=np.bool_))
    state, truth = away.step(begun, np.zeros((samples, 2)), 60.0, draws)
    held = truth.time_stuck[~state.stuck]
    chance = 1.0 - math.exp(-1.0)
    return [
        share(stuck, chance),
        truncated_exponential(free, 60.0, 60.0),
        share(state.stuck, 1.0 - chance),
        truncated_exponential(held, 60.0, 60.0),
    ]


def time_standing(samples: int, seed: int) -> float:
    """Test the mean time that robots are stuck, with many changes in one step."""
    parameters = MotionParameters(stuck=StuckParameters(mean_free=1.0, mean_stuck=0.5))
    _, truth, _ = drive(parameters, samples, seed, dt=30.0)
    rate = 3.0
    return average(truth.time_stuck, (30.0 - (1.0 - math.exp(-rate * 30.0)) / rate) / 3.0)


def kidnapping(samples: int, seed: int) -> list[float]:
    """Test that kidnapping is Poisson in time, every 5 s, with uniform poses."""
    parameters = MotionParameters(kidnap=LECTURE.kidnap)
    state, truth, _ = drive(parameters, samples, seed, dt=4.0, command=(0.0, 0.0))
    there = ~np.isnan(truth.kidnapped)
    x, y, theta = state.poses[there].T
    return [
        share(there, 1.0 - math.exp(-0.8)),
        truncated_exponential(4.0 - truth.kidnapped[there], 5.0, 4.0),
        uniform(x, -5.0, 5.0),
        uniform(y, -5.0, 5.0),
        uniform(theta, -math.pi, math.pi),
    ]


def kidnapped_in_steps(samples: int, seed: int) -> float:
    """Test that many steps kidnap as many robots within 10 s as one step."""
    parameters = MotionParameters(kidnap=LECTURE.kidnap)
    state, _, _ = drive(parameters, samples, seed, steps=100, dt=0.1, command=(0.0, 0.0))
    return share(state.poses[:, 0] != 0.0, 1.0 - math.exp(-2.0))


def any_length_of_step(samples: int, seed: int) -> list[float]:
    """Test that poses after 10 s have the same distribution in steps of 0.01, 0.1 and 1 s."""
    found = []
    for parameters in (replace(LECTURE, kidnap=None), LECTURE):
        ends = []
        for number, dt in enumerate(STEPS):
            own = len(STEPS) * seed + number
            ends.append(drive(parameters, samples, own, steps=round(TIME / dt), dt=dt)[0].poses)
        found += [
            alike(one[:, column], ends[-1][:, column]) for one in ends[:-1] for column in range(3)
        ]
    return found


CHECKS: dict[str, Callable[[int, int], float | list[float]]] = {
    check.__name__.replace('_', ' '): check
    for check in (
        pebbles_on_the_way,
        pebbles_of_turns,
        pebble_place_and_turn,
        velocity_bias,
        stuck_at_30_s,
        stuck_with_other_means,
        times_free_and_stuck,
        time_standing,
        kidnapping,
        kidnapped_in_steps,
        any_length_of_step,
    )
}
