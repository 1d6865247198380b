# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The robot is caught by something, and gets away again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.uncertainty.limits import check_events, check_parameters, quantity

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.draws import Draws

SOURCE = 'stuck'


@dataclass(frozen=True, slots=True)
class StuckParameters:
    """
    How long robots run free, and how long they are stuck: the lecture's 4.2.3.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    mean_free: float = quantity(60.0, 's', 1e-3, 1e12, 'mean time until a robot gets stuck')
    mean_stuck: float = quantity(60.0, 's', 1e-3, 1e12, 'mean time until it gets away')

    def __post_init__(self) -> None:
        """Refuse values outside their limits."""
        check_parameters(self)


class Standstills(NamedTuple):
    """Whether robots are `stuck` (n,) at the end of a step, and when they were in it."""

    stuck: NDArray[np.bool_]
    robots: NDArray[np.intp]
    """Which robot each standstill is of, shape (k,); one may have several."""
    begins: Array
    """When it began, from the beginning of the step [s], shape (k,)."""
    ends: Array
    """When it ended [s], shape (k,)."""

    def standing(self, until: Array) -> Array:
        """Add up how long each robot stood from the step's beginning to `until` (n,) [s]."""
        stood = np.minimum(self.ends, until[self.robots]) - self.begins
        total = np.zeros(len(self.stuck))
        np.add.at(total, self.robots, np.maximum(stood, 0.0))
        return total


class Stuck:
    """
    A Markov chain of two states: free for an exponential time, stuck for another one.

    Robots begin free. With rates a = 1 / mean_free and b = 1 / mean_stuck the probability of being
    stuck is a / (a + b) (1 - exp(-(a + b) t)), 0.316 at 30 s with the lecture's 60 s. An
    exponential time that has not run out is as long as a new one, so that nothing need be
    remembered from step to step but the state.

    Parameters
    ----------
    parameters : StuckParameters

    """

    def __init__(self, parameters: StuckParameters) -> None:
        self._means = np.array((parameters.mean_free, parameters.mean_stuck))

    def advance(self, stuck: NDArray[np.bool_], dt: float, step: int, draws: Draws) -> Standstills:
        """
        Let a step of dt [s] pass for robots that are `stuck` (n,) or not.

        Raises
        ------
        InputError
            More changes are to be expected in the step than are drawn one by one.

        """
        shortest = float(self._means.min())
        check_events('changes between free and stuck', dt / shortest)
        now, since = stuck.copy(), np.zeros(len(stuck))
        over: list[tuple[NDArray[np.intp], Array, Array]] = []
        robots, waits = draws.short_exponential(SOURCE, step, 0, len(stuck), dt / shortest)
        index = 1
        while len(robots):
            times = since[robots] + waits * self._means[now[robots].astype(np.intp)]
            within = times < dt
            robots, times = robots[within], times[within]
            escaped = now[robots]
            over.append((robots[escaped], since[robots[escaped]], times[escaped]))
            since[robots], now[robots] = times, ~escaped
            waits = draws.exponential_of(SOURCE, step, index, robots)
            index += 1
        caught = np.flatnonzero(now)
        over.append((caught, since[caught], np.full(len(caught), dt)))
        return Standstills(now, *(np.concatenate(part) for part in zip(*over, strict=True)))
