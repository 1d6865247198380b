# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Whether robots move by the laws that are written down: every law, many seeds, one verdict.

Each law is tested by Kolmogorov and Smirnov, by chi-square, or by the normal law of a mean, at so
many samples and with so many seeds. That none of the p-values may be below 0.01 divided by their
number (Bonferroni) is what is asked.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from world_model_core.uncertainty.draws import Draws
from world_model_core.uncertainty.motion import Motion, MotionState, MotionTruth
from world_model_core.uncertainty.motion_density import HeadingLaw
from world_model_core.uncertainty.motion_moments import pebble_moments, step_moments
from world_model_core.uncertainty.motion_parameters import LECTURE, LNPR, MotionParameters
from world_model_core.uncertainty.pebbles import PebbleParameters
from world_model_core.uncertainty.stuck import StuckParameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.gaussian import Array

SAMPLES, SEEDS, LEVEL = 100_000, 20, 0.01
NU, OMEGA = 0.2, math.pi / 18.0
ENDLESS = 1e12
# Of the laws that must not depend on it: the longest step, and those that it is cut into.
TIME, STEPS = 10.0, (0.01, 0.1, 1.0)


def measure(samples: int = SAMPLES, seeds: int = SEEDS) -> dict[str, Any]:
    """Test all laws with all seeds."""
    found = {name: [law(samples, seed) for seed in range(seeds)] for name, law in LAWS.items()}
    least = {name: float(np.min(values)) for name, values in found.items()}
    limit = LEVEL / sum(np.size(values) for values in found.values())
    return {
        'samples': samples,
        'seeds': seeds,
        'least p-value allowed': limit,
        'least p-values': {name: float(f'{value:.3g}') for name, value in least.items()},
        'laws broken': [name for name, value in least.items() if value < limit],
    }


def _drive(
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


def _uniform(sample: Array, low: float, high: float) -> float:
    """Test whether a sample is uniform."""
    return float(stats.kstest(sample, stats.uniform(low, high - low).cdf).pvalue)


def _normal(sample: Array, mean: float, std: float) -> float:
    """Test whether a sample is normal."""
    return float(stats.kstest(sample, stats.norm(mean, std).cdf).pvalue)


def _mean(sample: Array, mean: float) -> float:
    """Test whether a sample has a mean."""
    score = (sample.mean() - mean) / (sample.std() / math.sqrt(len(sample)))
    return float(2.0 * stats.norm.sf(abs(score)))


def _share(hits: Any, probability: float) -> float:
    """Test whether something happens with a probability."""
    return float(stats.binomtest(int(hits.sum()), len(hits), probability).pvalue)


def _truncated(sample: Array, mean: float, limit: float) -> float:
    """Test whether times are exponential, given that they are below a limit."""
    law = stats.truncexpon(limit / mean, scale=mean)
    return float(stats.kstest(sample, law.cdf).pvalue)


def _chi_square(counts: Array, expected: Array) -> float:
    """Test counts, all that is expected less than 10 times taken together."""
    large = expected >= 10.0
    rest = np.maximum(expected[~large].sum(), 1e-9)
    observed = np.append(counts[large], counts[~large].sum())
    wanted = np.append(expected[large], rest)
    if rest < 10.0:
        observed, wanted = observed[:-1], wanted[:-1] * observed[:-1].sum() / wanted[:-1].sum()
    return float(stats.chisquare(observed, wanted).pvalue)


def pebbles_on_the_way(samples: int, seed: int) -> list[float]:
    """Test that pebbles are Poisson, 5 a metre, in steps of any length."""
    found = []
    for dt in (*STEPS, TIME):
        parameters = MotionParameters(pebbles=PebbleParameters())
        steps = round(TIME / dt)
        _, _, met = _drive(parameters, samples, seed, steps=steps, dt=dt)
        kinds = np.arange(60)
        law = samples * stats.poisson(5.0 * NU * TIME).pmf(kinds)
        found.append(_chi_square(np.bincount(met.astype(int), minlength=60)[:60], law))
    return found


def pebbles_of_turns(samples: int, seed: int) -> float:
    """Test that LNPR's pebbles are met by turning on the spot, 0.2 m for a radian."""
    parameters = replace(LNPR, velocity_bias=None)
    _, _, met = _drive(parameters, samples, seed, dt=TIME, command=(0.0, 1.0))
    kinds = np.arange(60)
    law = samples * stats.poisson(5.0 * 0.2 * TIME).pmf(kinds)
    return _chi_square(np.bincount(met.astype(int), minlength=60)[:60], law)


def pebble_place_and_turn(samples: int, seed: int) -> list[float]:
    """Test that a lone pebble lies anywhere, turns by 3 degrees, and that both are independent."""
    parameters = MotionParameters(pebbles=PebbleParameters(rate=1.0))
    state, _, met = _drive(parameters, 3 * samples, seed, dt=1.0, command=(1.0, 0.0))
    x, y, turn = state.poses[met == 1][:samples].T
    # A straight way up to the pebble and one at an angle after it, together a metre.
    after = (1.0 - x) / (1.0 - np.cos(turn))
    sharp = np.abs(turn) > 1e-3
    rank = stats.spearmanr(after[sharp], np.abs(turn[sharp]))
    return [
        _uniform(1.0 - after[sharp], 0.0, 1.0),
        _normal(turn, 0.0, math.pi / 60.0),
        float(rank.pvalue),
        _mean(y, 0.0),
    ]


def velocity_bias(samples: int, seed: int) -> list[float]:
    """Test that both factors are normal, and independent of each other."""
    parameters = MotionParameters(velocity_bias=LECTURE.velocity_bias)
    nu, omega = _drive(parameters, samples, seed)[0].factors.T
    rank = float(stats.spearmanr(nu, omega).pvalue)
    return [_normal(nu, 1.0, 0.1), _normal(omega, 1.0, 0.1), rank]


def stuck_at_30_s(samples: int, seed: int) -> list[float]:
    """Test that robots are stuck with probability (1 - exp(-t / 30)) / 2, 0.316 at 30 s."""
    parameters, chance = MotionParameters(stuck=StuckParameters()), 0.5 * (1.0 - math.exp(-1.0))
    return [
        _share(_drive(parameters, samples, seed, steps=n, dt=30.0 / n)[0].stuck, chance)
        for n in (1, 30, 300)
    ]


def times_free_and_stuck(samples: int, seed: int) -> list[float]:
    """Test that times until stuck, and until away, are exponential."""
    caught = MotionParameters(stuck=StuckParameters(mean_stuck=ENDLESS))
    state, truth, _ = _drive(caught, samples, seed, dt=60.0)
    free = 60.0 - truth.standing[state.stuck]
    away = Motion(MotionParameters(stuck=StuckParameters(mean_free=ENDLESS)))
    draws = Draws(seed)
    begun = away.begin(np.zeros((samples, 3)), draws)
    begun = replace(begun, stuck=np.ones(samples, dtype=np.bool_))
    state, truth = away.step(begun, np.zeros((samples, 2)), 60.0, draws)
    held = truth.standing[~state.stuck]
    chance = 1.0 - math.exp(-1.0)
    return [
        _truncated(free, 60.0, 60.0),
        _share(state.stuck, 1.0 - chance),
        _truncated(held, 60.0, 60.0),
    ]


def time_standing(samples: int, seed: int) -> float:
    """Test that robots stand as long as they are stuck on average, changing often in one step."""
    parameters = MotionParameters(stuck=StuckParameters(mean_free=1.0, mean_stuck=0.5))
    _, truth, _ = _drive(parameters, samples, seed, dt=30.0)
    rate = 3.0
    return _mean(truth.standing, (30.0 - (1.0 - math.exp(-rate * 30.0)) / rate) / 3.0)


def kidnapping(samples: int, seed: int) -> list[float]:
    """Test that it is Poisson in time, every 5 s, and puts robots anywhere."""
    parameters = MotionParameters(kidnap=LECTURE.kidnap)
    state, truth, _ = _drive(parameters, samples, seed, dt=4.0, command=(0.0, 0.0))
    there = ~np.isnan(truth.kidnapped)
    x, y, theta = state.poses[there].T
    return [
        _share(there, 1.0 - math.exp(-0.8)),
        _truncated(4.0 - truth.kidnapped[there], 5.0, 4.0),
        _uniform(x, -5.0, 5.0),
        _uniform(y, -5.0, 5.0),
        _uniform(theta, -math.pi, math.pi),
    ]


def kidnapped_in_steps(samples: int, seed: int) -> float:
    """Test that as many are kidnapped within 10 s in many steps as in one."""
    parameters = MotionParameters(kidnap=LECTURE.kidnap)
    state, _, _ = _drive(parameters, samples, seed, steps=100, dt=0.1, command=(0.0, 0.0))
    return _share(state.poses[:, 0] != 0.0, 1.0 - math.exp(-2.0))


def any_length_of_step(samples: int, seed: int) -> list[float]:
    """Test that poses after 10 s have one law, in steps of 0.01, 0.1 and 1 s."""
    found = []
    for parameters in (replace(LECTURE, kidnap=None), LECTURE):
        ends = []
        for number, dt in enumerate(STEPS):
            own = len(STEPS) * seed + number
            ends.append(_drive(parameters, samples, own, steps=round(TIME / dt), dt=dt)[0].poses)
        found += [
            float(stats.ks_2samp(one[:, column], ends[-1][:, column]).pvalue)
            for one in ends[:-1]
            for column in range(3)
        ]
    return found


def headings(samples: int, seed: int) -> list[float]:
    """Test turns against the exact mixed law, the bias known and integrated out."""
    found = []
    for bias in (None, LNPR.velocity_bias):
        for dt in (0.1, 1.0, 5.0):
            parameters = replace(LNPR, velocity_bias=bias)
            state, _, met = _drive(parameters, samples, seed, dt=dt)
            law = HeadingLaw(LNPR.pebbles, bias) if bias else HeadingLaw(LNPR.pebbles)
            turns = state.poses[:, 2]
            rest = turns if bias else turns[met > 0]
            atom = math.exp(law.log_atom([(NU, OMEGA)], dt)[0])
            if not bias:
                found.append(_share(met == 0, atom))
            found.append(_binned(law, rest, dt, 1.0 - atom))
    return found


def _binned(law: HeadingLaw, sample: Array, dt: float, mass: float) -> float:
    """Test a sample of turns against a density of a mass, in bins of a width."""
    edges = np.quantile(sample, np.linspace(0.001, 0.999, 41))
    nodes, weights = np.polynomial.legendre.leggauss(12)
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    turns = (middle[:, None] + half[:, None] * nodes).ravel()
    values = np.exp(law.log_density(turns, np.tile((NU, OMEGA), (len(turns), 1)), dt))
    inside = half * (values.reshape(-1, len(nodes)) * weights).sum(axis=1) / mass
    counts = np.histogram(sample, edges)[0]
    outside = len(sample) - counts.sum()
    expected = np.append(inside, 1.0 - inside.sum()) * len(sample)
    return _chi_square(np.append(counts, outside), expected)


def moments(samples: int, seed: int) -> list[float]:
    """Test means and covariances of poses against their closed forms."""
    found, origin, command = [], np.zeros((1, 3)), np.array([(NU, OMEGA)])
    pebbles, bias = LNPR.pebbles, LNPR.velocity_bias
    for dt in (1.0, TIME):
        for own in (None, bias):
            poses = _drive(replace(LNPR, velocity_bias=own), samples, seed, dt=dt)[0].poses
            mean, covariance = (
                step_moments(origin, command, dt, pebbles, own)
                if own
                else pebble_moments(origin, command, dt, pebbles)
            )
            off = poses - mean
            found += [_mean(off[:, i], 0.0) for i in range(3)]
            found += [
                _mean(off[:, i] * off[:, j], covariance[0, i, j])
                for i in range(3)
                for j in range(i + 1)
            ]
    return found


LAWS: dict[str, Callable[[int, int], float | list[float]]] = {
    law.__name__.replace('_', ' '): law
    for law in (
        pebbles_on_the_way,
        pebbles_of_turns,
        pebble_place_and_turn,
        velocity_bias,
        stuck_at_30_s,
        times_free_and_stuck,
        time_standing,
        kidnapping,
        kidnapped_in_steps,
        any_length_of_step,
        headings,
        moments,
    )
}
