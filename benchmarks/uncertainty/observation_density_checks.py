# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks of simulated readings against the densities of observation.

Each check takes a number of samples and a seed, and returns the p-values of the samples.
`benchmarks/uncertainty/distribution_checks.py` evaluates them.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.uncertainty.goodness_of_fit import cells
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.observation_density import ObservationDensity
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import ErrorOrder, ObservationParameters
from world_model_core.uncertainty.occlusion import LastingOcclusion, Occlusion
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.sensor_drift import SensorDrift

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.gaussian import Array

POSE = (0.5, -1.0, 0.4)
# In view; too near; at the end of the view; behind the robot.
PLACES = {'seen': (3.0, 0.5), 'near': (0.7, -0.9), 'far': (6.0, 0.8), 'behind': (-4.0, 2.0)}
# Errors of the known sensor. Bias: part of ranges, angle [rad]; drift: length [m], angle [rad].
BIAS, DRIFT = (0.1, 0.03), (0.2, 0.01)
# Edges of cells of readings. Densities have a pole at 6 m, the end of the view.
RANGES = np.array([-2.0, 0.7, 1.6, 2.4, 2.9, 3.3, 4.0, 5.0, 6.0, 6.6, 8.0, 12.0])
BEARINGS = np.array([-0.4, -0.2, -0.1, -0.05, 0.0, 0.05, 0.12, 0.2, 0.3, 0.5])
# Edges of cells of readings that clutter may cause: dense at the ends of the view.
WIDE_RANGES = np.array([-2.0, 0.5, 0.75, 1.0, 1.6, 2.4, 2.9, 3.3, 4.0, 5.0, 6.0, 6.6, 8.0, 12.0])
WIDE_BEARINGS = np.array(
    [-1.6, -1.2, -1.05, -0.9, -0.4, -0.1, 0.05, 0.12, 0.2, 0.3, 0.5, 0.8, 0.95, 1.1, 1.25, 1.6]
)
# Nodes in each cell along each axis: fewer for slow densities, which have no pole.
NODES, FEW = 16, 6
# Joint readings: positions of two landmarks, and approximate deviations of single readings.
PAIR, SPREAD = ((2.0, 0.5), (3.5, -1.0)), (0.15, 0.05)


def sensor(order: ErrorOrder, **gross: Any) -> ObservationParameters:
    """Return a sensor with bias, drift and missed detections, and with other errors."""
    drift = SensorDrift(range_std=0.1, bearing_std=0.01)
    return ObservationParameters(
        order=order, drift=drift, missed_detection=MissedDetection(0.2), **gross
    )


def read(
    parameters: ObservationParameters,
    landmarks: tuple[tuple[float, float], ...],
    samples: int,
    seed: int,
    *,
    known: bool = False,
) -> Array:
    """Simulate one observation at one pose, with the known sensor or with random sensors."""
    observation, draws = Observation(parameters), Draws(seed)
    state = observation.begin(samples, landmarks, draws)
    if known:
        fixed = {
            name: np.tile(np.reshape(value, (2, 1)), samples)
            for name, value in (('bias', BIAS), ('drift', DRIFT))
        }
        state = state._replace(memories={**state.memories, **fixed})
    # The time is so short that the drift does not change.
    poses = np.tile(POSE, (samples, 1))
    return observation.observe(state, poses, landmarks, 1e-9, draws).readings


def fall(
    parameters: ObservationParameters, place: str, known: bool, samples: int, seed: int
) -> float:
    """Test the counts of readings of one landmark in cells, and of missing readings."""
    readings = read(parameters, (PLACES[place],), samples, seed, known=known)[:, 0]
    there = readings[~np.isnan(readings[:, 0])]
    counts = np.histogram2d(there[:, 0], there[:, 1], _grid(parameters))[0]
    found = np.append(counts.ravel(), samples - len(there))
    return cells(found, _expect(parameters, place, known), samples)


@cache
def _expect(parameters: ObservationParameters, place: str, known: bool) -> Array:
    """Integrate the density of one reading over each cell, and append that of no reading."""
    density = ObservationDensity(parameters)

    def evaluate(readings: Array) -> Array:
        lists, landmarks = readings[:, None], [PLACES[place]]
        poses = np.tile(POSE, (len(lists), 1))
        if known:
            return np.exp(density.given_bias(lists, poses, landmarks, [BIAS], [DRIFT]))[:, 0]
        return np.exp(density.bias_integrated_out(lists, poses, landmarks))[:, 0]

    edges = _grid(parameters)
    nodes = FEW if parameters.clutter.is_on() or not known else NODES
    (ranges, along), (bearings, across) = (_rule(each, nodes) for each in edges)
    grid = np.stack(np.meshgrid(ranges, bearings, indexing='ij'), axis=-1)
    mass = evaluate(grid.reshape(-1, 2)).reshape(grid.shape[:2]) * along[:, None] * across
    inside = mass.reshape(len(edges[0]) - 1, nodes, -1, nodes).sum(axis=(1, 3))
    return np.append(inside.ravel(), evaluate(np.full((1, 2), np.nan)))


def _grid(parameters: ObservationParameters) -> tuple[Array, Array]:
    """Return edges of cells of ranges and of bearings."""
    wide = parameters.clutter.is_on()
    return (WIDE_RANGES, WIDE_BEARINGS) if wide else (RANGES, BEARINGS)


def _rule(edges: Array, nodes: int) -> tuple[Array, Array]:
    """
    Return places and weights of the Gauss-Legendre rule in all cells, shape (cells * nodes,).

    The substitution (3 u - u^3) / 2 is flat at the ends of a cell, where poles may be.
    """
    u, weights = np.polynomial.legendre.leggauss(nodes)
    places, weights = u * (1.5 - 0.5 * u**2), weights * (1.5 - 1.5 * u**2)
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    return (middle[:, None] + half[:, None] * places).ravel(), (half[:, None] * weights).ravel()


def joint_readings(order: ErrorOrder, samples: int, seed: int) -> list[float]:
    """Test the ranges, and the bearings, of two readings that share a bias."""
    readings = read(sensor(order), PAIR, samples, seed)
    there = readings[~np.isnan(readings).any(axis=(1, 2))]
    found = []
    for axis in range(2):
        edges, inside = _expect_pairs(order, axis)
        counts = np.histogram2d(*there[:, :, axis].T, edges)[0]
        found.append(cells(counts.ravel(), inside, samples))
    return found


@cache
def _expect_pairs(order: ErrorOrder, axis: int) -> tuple[list[Array], Array]:
    """Return edges of cells, and their probabilities, integrated over the other axis."""
    own, center = _integrate_pairs(order, axis)
    other, _ = _integrate_pairs(order, 1 - axis)
    # Without clutter ranges and bearings are independent: their distribution is a product.
    return _edges(axis), own * other.sum() / center


def _integrate_pairs(order: ErrorOrder, axis: int) -> tuple[Array, float]:
    """Integrate the joint density over cells of one axis; return it at the center, too."""
    density, exact = ObservationDensity(sensor(order)).joint, _exact_pair()
    (first, along), (second, across) = (_rule(edges, FEW) for edges in _edges(axis))
    lists = np.tile(exact, (len(first) * len(second), 1, 1))
    lists[:, :, axis] = np.stack(np.meshgrid(first, second, indexing='ij'), axis=-1).reshape(-1, 2)
    poses = np.tile(POSE, (len(lists), 1))
    mass = np.exp(density(lists, poses, PAIR)).reshape(len(first), -1) * along[:, None] * across
    inside = mass.reshape(len(first) // FEW, FEW, len(second) // FEW, FEW).sum(axis=(1, 3))
    return inside.ravel(), float(np.exp(density(exact[None], [POSE], PAIR))[0])


def _edges(axis: int) -> list[Array]:
    """Return edges of cells of ranges [m], or bearings [rad], around the exact readings."""
    steps = np.linspace(-5.0, 5.0, 21)
    exact = _exact_pair()[:, axis]
    return [each + steps * SPREAD[axis] * (1.0 if axis else each) for each in exact]


def _exact_pair() -> Array:
    """Return the readings without errors."""
    return observe_exactly(np.array([POSE]), np.array(PAIR))[0]


HIDDEN = {'occlusion': Occlusion(0.3), 'lasting_occlusion': LastingOcclusion(0.2)}
FALSE = {'clutter': Clutter(0.5)}
CHECKS: dict[str, Callable[[int, int], float | list[float]]] = {
    f"{name}, {order.name.lower()}'s order": check
    for order in ErrorOrder
    for name, check in {
        'seen, by a known sensor': partial(fall, sensor(order, **HIDDEN), 'seen', True),
        'far, by a known sensor': partial(fall, sensor(order, **HIDDEN), 'far', True),
        'seen, by an unknown sensor': partial(fall, sensor(order, **HIDDEN), 'seen', False),
        'landmark and clutter': partial(fall, sensor(order, **FALSE), 'seen', True),
        'joint readings': partial(joint_readings, order),
    }.items()
}
CHECKS['clutter alone'] = partial(fall, sensor(ErrorOrder.LECTURE, **FALSE), 'behind', True)
# Only in this order occlusion may move a landmark that is too near into view.
CHECKS['too near, by a known sensor'] = partial(
    fall, sensor(ErrorOrder.LNPR, **HIDDEN), 'near', True
)
