# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Pebbles on the way: each wheel that runs over one turns the robot a little."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.parameters import check_parameters, quantity
from world_model_core.uncertainty.input_checks import check_events
from world_model_core.uncertainty.random_draws import ChosenRobots
from world_model_core.uncertainty.unicycle import move

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['PebbleParameters', 'Pebbles', 'Stops', 'join']

SOURCE = 'pebbles'


@dataclass(frozen=True, slots=True)
class PebbleParameters:
    """
    How many pebbles there are, and what each does: the lecture's 4.2.1.

    The lecture counts the path alone. LNPR adds how far a wheel turns on the spot, 0.2 m from the
    robot's middle, so that a robot that only turns meets pebbles as well.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    rate: float = quantity(5.0, '1/m', 0.0, 1e4, 'pebbles to be met on a metre')
    heading_std: float = quantity(
        math.pi / 60.0, 'rad', 0.0, math.pi, 'standard deviation of the turn by one pebble'
    )
    turning_radius: float = quantity(
        0.0, 'm', 0.0, 10.0, 'metres that count as path for a turn by one radian'
    )

    def __post_init__(self) -> None:
        """Validate the values."""
        check_parameters(self)

    def frequency(self, velocities: Array) -> Array:
        """Return the pebbles to be met in a second, shape (n,), at true velocities (n, 2)."""
        speed = np.abs(velocities[:, 0])
        if self.turning_radius:
            speed += self.turning_radius * np.abs(velocities[:, 1])
        speed *= self.rate
        return speed


class Stops(NamedTuple):
    """Robots that are at a pebble, with some of the step left."""

    chosen: ChosenRobots
    """Who, and what they draw from now on."""
    paces: Array
    """Mean times to the next pebble [s], shape (k,)."""
    left: Array
    """What is left of the time in which they move [s], shape (k,)."""


def join(parts: Iterable[tuple[int, Stops]]) -> Stops:
    """Join stops of blocks of robots, each with the number of its block's first robot."""
    rows = [
        (stops.chosen.robots + first, stops.chosen.words, stops.paces, stops.left)
        for first, stops in parts
    ]
    robots, words, paces, left = (np.concatenate(part) for part in zip(*rows, strict=True))
    return Stops(ChosenRobots(robots, words), paces, left)


class Pebbles:
    """
    Turns robots at pebbles: a Poisson process along their path, each turn Gaussian.

    Each pebble acts at its exact place, any number in a step, with arcs between them. LNPR turns
    robots at the end of a step and once at most, so that its pebbles depend on the step's length
    and fall behind where more than one a step is due; that is its program's and not the lecture's
    distribution, and no preset here has it.

    Parameters
    ----------
    parameters : PebbleParameters

    """

    def __init__(self, parameters: PebbleParameters) -> None:
        self._parameters = parameters

    def reach(
        self,
        poses: Array,
        velocities: Array,
        times: Array,
        step: int,
        draws: Draws,
        *,
        out: Array,
    ) -> Stops:
        """
        Drive for `times` (n,) [s], but not beyond the first pebble.

        Parameters
        ----------
        poses : array, shape (n, 3)
        velocities : array, shape (n, 2)
            True ones.
        times : array, shape (n,)
            How long each robot moves [s].
        step : int
        draws : Draws
        out : array, shape (n, 3)
            Where to write the poses that this leads to.

        Returns
        -------
        Stops
            Those who have come to a pebble, to `run_on`.

        Raises
        ------
        InputError
            More pebbles are expected in the step than are drawn one by one.

        """
        due = self._parameters.frequency(velocities) * times
        check_events('pebbles', most := float(due.max(initial=0.0)))
        chosen, waits = draws.short_exponential(SOURCE, step, 0, len(poses), most)
        met = waits < due[chosen.robots]
        chosen, waits = chosen.keep(met), waits[met]
        moving, due = times[chosen.robots], due[chosen.robots]
        first, spans = moving * (waits / due), times.copy()
        spans[chosen.robots] = first
        move(poses, velocities, spans, out)
        return Stops(chosen, moving / due, moving - first)

    def run_on(self, poses: Array, velocities: Array, stops: Stops) -> NDArray[np.uint32]:
        """
        Turn those who are at a pebble and let them run on, from one to the next.

        Parameters
        ----------
        poses : array, shape (n, 3)
            Changed in place.
        velocities : array, shape (n, 2)
            True ones.
        stops : Stops

        Returns
        -------
        array of int, shape (n,)
            How many pebbles each robot met.

        """
        counts, index = np.zeros(len(poses), dtype=np.uint32), 1
        chosen, paces, left = stops
        velocities = velocities[chosen.robots]
        while len(chosen.robots):
            counts[chosen.robots] += 1
            turned = poses.take(chosen.robots, axis=0)
            turned[:, 2] += self._parameters.heading_std * chosen.normal(index)
            waits = paces * chosen.exponential(index + 1)
            poses[chosen.robots] = move(turned, velocities, np.minimum(waits, left))
            met, index = waits < left, index + 2
            chosen, velocities = chosen.keep(met), velocities[met]
            paces, left = paces[met], (left - waits)[met]
        return counts

    def count(
        self, velocities: Array, times: Array, chosen: ChosenRobots, index: int
    ) -> NDArray[np.uint32]:
        """
        Draw how many pebbles are met in `times` (k,) [s], wherever that leads, shape (k,).

        Parameters
        ----------
        velocities : array, shape (k, 2)
            True ones.
        times : array, shape (k,)
            How long each robot moves.
        chosen : ChosenRobots
            By whose words it is drawn.
        index : int
            Of the first draw.

        """
        due = self._parameters.frequency(velocities) * times
        check_events('pebbles', float(due.max(initial=0.0)))
        counts, rows = np.zeros(len(due), dtype=np.uint32), np.arange(len(due))
        while len(rows):
            due = due - chosen.exponential(index)
            met, index = due > 0.0, index + 1
            rows, due, chosen = rows[met], due[met], chosen.keep(met)
            counts[rows] += 1
        return counts
