# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks of simulated poses against the densities and moments of motion.

Each check takes a number of samples and a seed, and returns the p-values of the samples.
`benchmarks/uncertainty/distribution_checks.py` evaluates them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.uncertainty.goodness_of_fit import average, cells, independent, normal, share
from benchmarks.uncertainty.motion_sampling_checks import NU, OMEGA, TIME, drive
from world_model_core.localization.particle_motion_noise import (
    VelocityNoise,
    VelocityNoiseParameters,
)
from world_model_core.uncertainty.motion_density import ArcDistribution, HeadingDistribution
from world_model_core.uncertainty.motion_moments import pebble_moments, step_moments
from world_model_core.uncertainty.motion_parameters import LNPR, MotionParameters
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.unicycle import chord_ratio
from world_model_core.uncertainty.velocity_bias import VelocityBiasParameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.gaussian import Array

# Samples and seed of the runs that determine the cells; they are not tested.
PILOT, PILOTS = 10_000, 1 << 40
# Nodes in each cell along each axis.
NODES = 8
ROUND = PebbleParameters(turning_radius=0.2)
WIDE = VelocityBiasParameters(nu_mean=1.1, omega_mean=0.9, nu_std=0.2, omega_std=0.25)
# Cases of the distribution of positions: pebbles, bias, nu, omega and dt.
ARCS = (
    (PebbleParameters(), VelocityBiasParameters(), NU, OMEGA, 1.0),
    (ROUND, WIDE, NU, -OMEGA, 1.0),
    (PebbleParameters(rate=0.5, turning_radius=0.1), WIDE, -0.5, 1.0, 2.0),
)
Arc = tuple[PebbleParameters, VelocityBiasParameters, float, float, float]


def headings(samples: int, seed: int) -> list[float]:
    """Test turns against the exact mixed distribution, with known and with integrated bias."""
    found = []
    for bias in (None, LNPR.velocity_bias):
        for dt in (0.1, 1.0, 5.0):
            edges, inside, atom = _turns(bias, dt)
            state, _, met = drive(replace(LNPR, velocity_bias=bias), samples, seed, dt=dt)
            if not bias:
                found.append(share(met == 0, atom))
            turns = state.poses[met > 0, 2] if atom else state.poses[:, 2]
            found.append(cells(np.histogram(turns, edges)[0], inside / (1.0 - atom), len(turns)))
    return found


@cache
def _turns(bias: VelocityBiasParameters | None, dt: float) -> tuple[Array, Array, float]:
    """Return edges of cells, the probabilities of the cells, and the probability of the atom."""
    heading = (
        HeadingDistribution(LNPR.pebbles, bias) if bias else HeadingDistribution(LNPR.pebbles)
    )
    state, _, met = drive(replace(LNPR, velocity_bias=bias), PILOT, PILOTS, dt=dt)
    turns = state.poses[:, 2] if bias else state.poses[met > 0, 2]
    edges = np.quantile(turns, np.linspace(0.001, 0.999, 41))
    places, weights = _rule(edges)
    commands = np.tile((NU, OMEGA), (places.size, 1))
    values = np.exp(heading.log_density(places.ravel(), commands, dt)).reshape(places.shape)
    atom = math.exp(heading.log_atom([(NU, OMEGA)], dt)[0])
    return edges, (values * weights).sum(axis=1), atom


def places(samples: int, seed: int) -> list[float]:
    """Test the positions of robots without pebbles, with the bias integrated out."""
    found = []
    for case in ARCS:
        edges, inside = _places(case)
        lengths, directions = _arcs(case, samples, seed)
        found.append(cells(np.histogram2d(lengths, directions, edges)[0].ravel(), inside, samples))
    return found


def _arcs(case: Arc, samples: int, seed: int) -> tuple[Array, Array]:
    """Return length [m] and direction [rad] of the chords of robots without pebbles."""
    pebbles, bias, nu, omega, dt = case
    parameters = MotionParameters(pebbles=pebbles, velocity_bias=bias)
    state, _, met = drive(parameters, samples, seed, dt=dt, command=(nu, omega))
    x, y, _ = state.poses[met == 0].T
    return np.hypot(x, y), np.arctan2(y, x)


@cache
def _places(case: Arc) -> tuple[tuple[Array, Array], Array]:
    """Return edges of lengths and directions, and the probability of each cell."""
    pebbles, bias, nu, omega, dt = case
    parts = np.linspace(0.01, 0.99, 7)
    edges = [np.quantile(values, parts) for values in _arcs(case, PILOT, PILOTS)]
    (lengths, along), (directions, across) = (_rule(each) for each in edges)
    length, direction = np.meshgrid(lengths, directions, indexing='ij')
    ends = length.ravel()[:, None] * np.stack(
        (np.cos(direction.ravel()), np.sin(direction.ravel())), axis=-1
    )
    poses, commands = np.zeros((len(ends), 3)), np.tile((nu, omega), (len(ends), 1))
    log = ArcDistribution(pebbles, bias).log_density(ends, poses, commands, dt)
    mass = np.exp(log).reshape(length.shape) * length * along.ravel()[:, None] * across.ravel()
    shape = (len(lengths), NODES, len(directions), NODES)
    return (edges[0], edges[1]), mass.reshape(shape).sum(axis=(1, 3)).ravel()


def _rule(edges: Array) -> tuple[Array, Array]:
    """Return places and weights of the Gauss-Legendre rule in each cell, shape (cells, NODES)."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    return middle[:, None] + half[:, None] * nodes, half[:, None] * weights


def moments(samples: int, seed: int) -> list[float]:
    """Test means and covariances of poses against their closed forms."""
    found, origin, command = [], np.zeros((1, 3)), np.array([(NU, OMEGA)])
    pebbles, bias = LNPR.pebbles, LNPR.velocity_bias
    for dt in (1.0, TIME):
        for own in (None, bias):
            poses = drive(replace(LNPR, velocity_bias=own), samples, seed, dt=dt)[0].poses
            mean, covariance = (
                step_moments(origin, command, dt, pebbles, own)
                if own
                else pebble_moments(origin, command, dt, pebbles)
            )
            off = poses - mean
            found += [average(off[:, i], 0.0) for i in range(3)]
            found += [
                average(off[:, i] * off[:, j], covariance[0, i, j])
                for i in range(3)
                for j in range(i + 1)
            ]
    return found


def velocity_noise(samples: int, seed: int) -> list[float]:
    """Test the velocities of the Gaussian approximation: normal, with the variances of LNPR."""
    spread, found = VelocityNoise(VelocityNoiseParameters()), []
    for nu, omega, dt in ((NU, OMEGA, 0.1), (-0.5, 1.0, 1.0), (0.0, 2.0, 0.1)):
        commands = np.tile((nu, omega), (samples, 1))
        x, y, turn = spread.sample(np.zeros((samples, 3)), commands, dt, 1, Draws(seed)).T
        # Length of the chord, which has the direction of half the turn.
        half = 0.5 * turn
        ahead = (x * np.cos(half) + y * np.sin(half)) / (dt * chord_ratio(half))
        deviation = (
            math.sqrt((0.19**2 * abs(nu) + 0.001**2 * omega) / dt),
            math.sqrt((0.13**2 * abs(nu) + 0.2**2 * omega) / dt),
        )
        found += [
            *normal(ahead, nu, deviation[0]),
            *normal(turn / dt, omega, deviation[1]),
            independent(ahead, turn),
        ]
    return found


CHECKS: dict[str, Callable[[int, int], float | list[float]]] = {
    'headings': headings,
    'places without a pebble': places,
    'moments of poses': moments,
    'velocity noise': velocity_noise,
}
