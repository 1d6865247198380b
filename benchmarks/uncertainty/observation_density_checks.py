# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Whether readings fall where the densities of observation say that they do.

Each distribution takes a number of samples and a seed, and gives the p-values of what was drawn.
`benchmarks/uncertainty/distribution_checks.py` judges them.
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
# In view; too near to be seen; at the end of the view; behind the robot.
PLACES = {'seen': (3.0, 0.5), 'near': (0.7, -0.9), 'far': (6.0, 0.8), 'behind': (-4.0, 2.0)}
# Of a sensor that is known: part of ranges and angle; length [m] and angle [rad].
BIAS, DRIFT = (0.1, 0.03), (0.2, 0.01)
# Edges of cells of readings. Densities have a pole at 6 m, the end of the view.
RANGES = np.array([-2.0, 0.7, 1.6, 2.4, 2.9, 3.3, 4.0, 5.0, 6.0, 6.6, 8.0, 12.0])
BEARINGS = np.array([-0.4, -0.2, -0.1, -0.05, 0.0, 0.05, 0.12, 0.2, 0.3, 0.5])
# Of those that clutter may cause: close together where the view ends.
WIDE_RANGES = np.array([-2.0, 0.5, 0.75, 1.0, 1.6, 2.4, 2.9, 3.3, 4.0, 5.0, 6.0, 6.6, 8.0, 12.0])
WIDE_BEARINGS = np.array(
    [-1.6, -1.2, -1.05, -0.9, -0.4, -0.1, 0.05, 0.12, 0.2, 0.3, 0.5, 0.8, 0.95, 1.1, 1.25, 1.6]
)
# Nodes in each cell, by axis: fewer where distributions take their time, and have no pole.
NODES, FEW = 16, 6
# Of lists: where two landmarks are, and how much single readings spread, about.
PAIR, SPREAD = ((2.0, 0.5), (3.5, -1.0)), (0.15, 0.05)


def sensor(order: ErrorOrder, **gross: Any) -> ObservationParameters:
    """Make a sensor that is biased, drifts and overlooks things, with other errors."""
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
    """Let robots at one pose observe once, all by the sensor that is known or each by its own."""
    observation, draws = Observation(parameters), Draws(seed)
    state = observation.begin(samples, landmarks, draws)
    if known:
        fixed = {
            name: np.tile(np.reshape(value, (2, 1)), samples)
            for name, value in (('bias', BIAS), ('drift', DRIFT))
        }
        state = state._replace(memories={**state.memories, **fixed})
    # In so short a time nothing drifts.
    poses = np.tile(POSE, (samples, 1))
    return observation.observe(state, poses, landmarks, 1e-9, draws).readings


def fall(
    parameters: ObservationParameters, place: str, known: bool, samples: int, seed: int
) -> float:
    """Test in which cells readings of one landmark fall, and how many are none."""
    readings = read(parameters, (PLACES[place],), samples, seed, known=known)[:, 0]
    there = readings[~np.isnan(readings[:, 0])]
    counts = np.histogram2d(there[:, 0], there[:, 1], _grid(parameters))[0]
    found = np.append(counts.ravel(), samples - len(there))
    return cells(found, _expect(parameters, place, known), samples)


@cache
def _expect(parameters: ObservationParameters, place: str, known: bool) -> Array:
    """Integrate the law of one reading over each cell, and add the probability of none."""
    density = ObservationDensity(parameters)

    def evaluate(readings: Array) -> Array:
        asked, landmarks = readings[:, None], [PLACES[place]]
        poses = np.tile(POSE, (len(asked), 1))
        if known:
            return np.exp(density.given_bias(asked, poses, landmarks, [BIAS], [DRIFT]))[:, 0]
        return np.exp(density.bias_integrated_out(asked, poses, landmarks))[:, 0]

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
    Return places and weights of Gauss's rule in all cells, shape (cells * nodes,).

    It is taken over u with place (3 u - u^3) / 2, which is flat at the ends, where poles may be.
    """
    u, weights = np.polynomial.legendre.leggauss(nodes)
    places, weights = u * (1.5 - 0.5 * u**2), weights * (1.5 - 1.5 * u**2)
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    return (middle[:, None] + half[:, None] * places).ravel(), (half[:, None] * weights).ravel()


def lists(order: ErrorOrder, samples: int, seed: int) -> list[float]:
    """Test in which cells two readings fall that share a bias: their ranges, their bearings."""
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
    """Return edges of cells, and the probability of two readings there, of whatever other axis."""
    own, centre = _integrate_pairs(order, axis)
    other, _ = _integrate_pairs(order, 1 - axis)
    # Without clutter ranges and bearings are independent: their distribution is a product.
    return _edges(axis), own * other.sum() / centre


def _integrate_pairs(order: ErrorOrder, axis: int) -> tuple[Array, float]:
    """Integrate the law of lists over cells of one axis, the other held; give its centre, too."""
    law, exact = ObservationDensity(sensor(order)).joint, _exact_pair()
    (first, along), (second, across) = (_rule(edges, FEW) for edges in _edges(axis))
    asked = np.tile(exact, (len(first) * len(second), 1, 1))
    asked[:, :, axis] = np.stack(np.meshgrid(first, second, indexing='ij'), axis=-1).reshape(-1, 2)
    poses = np.tile(POSE, (len(asked), 1))
    mass = np.exp(law(asked, poses, PAIR)).reshape(len(first), -1) * along[:, None] * across
    inside = mass.reshape(len(first) // FEW, FEW, len(second) // FEW, FEW).sum(axis=(1, 3))
    return inside.ravel(), float(np.exp(law(exact[None], [POSE], PAIR))[0])


def _edges(axis: int) -> list[Array]:
    """Put edges of cells of ranges [m], or bearings [rad], around the exact ones."""
    steps = np.linspace(-5.0, 5.0, 21)
    exact = _exact_pair()[:, axis]
    return [each + steps * SPREAD[axis] * (1.0 if axis else each) for each in exact]


def _exact_pair() -> Array:
    """Return what would be read without errors."""
    return observe_exactly(np.array([POSE]), np.array(PAIR))[0]


HIDDEN = {'occlusion': Occlusion(0.3), 'lasting_occlusion': LastingOcclusion(0.2)}
FALSE = {'clutter': Clutter(0.5)}
CHECKS: dict[str, Callable[[int, int], float | list[float]]] = {
    f"{name}, {order.name.lower()}'s order": law
    for order in ErrorOrder
    for name, law in {
        'seen, by a known sensor': partial(fall, sensor(order, **HIDDEN), 'seen', True),
        'far, by a known sensor': partial(fall, sensor(order, **HIDDEN), 'far', True),
        'seen, by an unknown sensor': partial(fall, sensor(order, **HIDDEN), 'seen', False),
        'a clutter beside it': partial(fall, sensor(order, **FALSE), 'seen', True),
        'lists': partial(lists, order),
    }.items()
}
CHECKS['a clutter alone'] = partial(fall, sensor(ErrorOrder.LECTURE, **FALSE), 'behind', True)
# Only in this order what is too near may come into view.
CHECKS['too near, by a known sensor'] = partial(
    fall, sensor(ErrorOrder.LNPR, **HIDDEN), 'near', True
)
