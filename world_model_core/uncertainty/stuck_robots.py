# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The robot is caught by something, and gets away again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.parameters import check_parameters, quantity
from world_model_core.uncertainty.input_checks import check_events

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['Stuck', 'StuckChanges', 'StuckParameters']

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


class StuckChanges(NamedTuple):
    """Who got stuck or away in a step, and when."""

    before: NDArray[np.bool_]
    """Whether robots were stuck at the step's beginning, shape (n,)."""
    stuck: NDArray[np.bool_]
    """Whether they are at its end, shape (n,)."""
    robots: NDArray[np.intp]
    """Which robot each change is of, shape (k,); one may have several."""
    times: Array
    """When it was, from the beginning of the step [s], shape (k,)."""
    signs: Array
    """1 for a robot that got stuck, -1 for one that got away, shape (k,)."""

    def standing(self, until: Array | float) -> Array:
        """
        Add up how long each robot stood from the step's beginning to `until` [s], or (n,) of it.

        As if each stayed for ever as it was at first, and then, from each change on, the other.
        """
        # A product, as a choice between two numbers goes wrong half the time in the processor.
        total: Array = np.multiply(self.before, until, dtype=np.float64)
        ends = np.broadcast_to(until, len(total))[self.robots]
        rest = np.maximum(ends - self.times, 0.0)
        np.add.at(total, self.robots, self.signs * rest)
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

    def advance(
        self, stuck: NDArray[np.bool_], dt: float, step: int, draws: Draws
    ) -> StuckChanges:
        """
        Let a step of dt [s] pass for robots that are `stuck` (n,) or not.

        Raises
        ------
        InputError
            More changes are to be expected in the step than are drawn one by one.

        """
        shortest = float(self._means.min())
        check_events('changes between free and stuck', dt / shortest)
        chosen, waits = draws.short_exponential(SOURCE, step, 0, len(stuck), dt / shortest)
        now, times, index = stuck.copy(), np.zeros(len(chosen.robots)), 1
        # It begins with no change, so that there always is one to join.
        changes = [(chosen.robots[:0], times[:0], times[:0])]
        while len(chosen.robots):
            times = times + waits * self._means[now[chosen.robots].astype(np.intp)]
            within = times < dt
            chosen, times = chosen.keep(within), times[within]
            now[chosen.robots] ^= True
            changes.append((chosen.robots, times, np.where(now[chosen.robots], 1.0, -1.0)))
            waits, index = chosen.exponential(index), index + 1
        robots, moments, signs = (np.concatenate(part) for part in zip(*changes, strict=True))
        return StuckChanges(stuck, now, robots, moments, signs)
