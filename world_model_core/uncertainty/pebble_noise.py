# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Pebble noise: each pebble that a wheel runs over turns the robot a little."""

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
    The density of pebbles and their effect (lecture, section 4.2.1).

    The lecture counts the length of the path alone. LNPR adds the path of a wheel 0.2 m from the
    center of the robot, so that a robot turning on the spot meets pebbles too.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    rate: float = quantity(5.0, '1/m', 0.0, 1e4, 'expected pebbles per meter of the path')
    heading_std: float = quantity(
        math.pi / 60.0, 'rad', 0.0, math.pi, 'standard deviation of the turn by one pebble'
    )
    turning_radius: float = quantity(
        0.0, 'm', 0.0, 10.0, 'meters of path that a turn by one radian counts as'
    )

    def __post_init__(self) -> None:
        """Validate the values."""
        check_parameters(self)

    def frequency(self, velocities: Array) -> Array:
        """Return the expected pebbles per second, shape (n,), at true velocities (n, 2)."""
        speed = np.abs(velocities[:, 0])
        if self.turning_radius:
            speed += self.turning_radius * np.abs(velocities[:, 1])
        speed *= self.rate
        return speed


class Stops(NamedTuple):
    """Robots that are at a pebble before the end of the step."""

    chosen: ChosenRobots
    """The robots and their further draws."""
    paces: Array
    """Mean times to the next pebble [s], shape (k,)."""
    left: Array
    """Remaining times in which they move [s], shape (k,)."""


def join(parts: Iterable[tuple[int, Stops]]) -> Stops:
    """Join the stops of blocks of robots, given the number of the first robot of each block."""
    rows = [
        (stops.chosen.robots + first, stops.chosen.words, stops.paces, stops.left)
        for first, stops in parts
    ]
    robots, words, paces, left = (np.concatenate(part) for part in zip(*rows, strict=True))
    return Stops(ChosenRobots(robots, words), paces, left)


class Pebbles:
    """
    Turns robots at pebbles: a Poisson process along their path, each turn Gaussian.

    Each pebble acts at its exact place, any number of them in a step, with arcs between them.
    LNPR turns robots at the end of a step and at most once. Its number of pebbles therefore
    depends on the length of the step, and is too low if more than one per step is expected. That
    is a property of its program, not of the lecture's distribution, and no preset here has it.

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
        Move robots for `times` (n,) [s], at most to their first pebble.

        Parameters
        ----------
        poses : array, shape (n, 3)
        velocities : array, shape (n, 2)
            True velocities.
        times : array, shape (n,)
            Duration for which each robot moves [s].
        step : int
        draws : Draws
        out : array, shape (n, 3)
            Output array of the resulting poses.

        Returns
        -------
        Stops
            The robots that have reached a pebble, for `run_on`.

        Raises
        ------
        InputError
            The expected number of pebbles in the step exceeds the limit.

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
        Turn the robots that are at a pebble and move them on, from one pebble to the next.

        Parameters
        ----------
        poses : array, shape (n, 3)
            Changed in place.
        velocities : array, shape (n, 2)
            True velocities.
        stops : Stops

        Returns
        -------
        array of int, shape (n,)
            Number of pebbles that each robot met.

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
        Draw the number of pebbles met in `times` (k,) [s], without moving robots, shape (k,).

        Parameters
        ----------
        velocities : array, shape (k, 2)
            True velocities.
        times : array, shape (k,)
            Duration for which each robot moves [s].
        chosen : ChosenRobots
            The robots, whose words generate the draws.
        index : int
            Index of the first draw.

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
