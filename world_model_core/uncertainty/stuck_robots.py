# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Stuck robots: a robot stops although it is commanded to move, and gets free later."""

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
    Mean times free and stuck (lecture, section 4.2.3).

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    mean_free: float = quantity(60.0, 's', 1e-3, 1e12, 'mean time until a robot gets stuck')
    mean_stuck: float = quantity(60.0, 's', 1e-3, 1e12, 'mean time until it gets free')

    def __post_init__(self) -> None:
        """Validate the values."""
        check_parameters(self)

    def changes(self, dt: float) -> Array:
        """Return the probabilities of free and stuck after dt [s] (columns) from each (rows)."""
        rates = np.array((1.0 / self.mean_free, 1.0 / self.mean_stuck))
        changed = rates / rates.sum() * -np.expm1(-rates.sum() * dt)
        return np.array(((1.0 - changed[0], changed[0]), (changed[1], 1.0 - changed[1])))


class StuckChanges(NamedTuple):
    """Changes between free and stuck in a step."""

    before: NDArray[np.bool_]
    """Whether robots are stuck at the start of the step, shape (n,)."""
    stuck: NDArray[np.bool_]
    """Whether robots are stuck at the end of the step, shape (n,)."""
    robots: NDArray[np.intp]
    """Robot of each change, shape (k,); a robot may have several."""
    times: Array
    """Time of each change from the start of the step [s], shape (k,)."""
    signs: Array
    """1 for a robot that got stuck, -1 for one that got free, shape (k,)."""

    def time_stuck(self, until: Array | float) -> Array:
        """
        Return the time that each robot was stuck up to `until` [s], a number or (n,).

        The sum starts with the initial state held for the whole time; each change then adds or
        subtracts the remaining time.
        """
        # A product is faster than a choice, which the processor mispredicts.
        total: Array = np.multiply(self.before, until, dtype=np.float64)
        ends = np.broadcast_to(until, len(total))[self.robots]
        rest = np.maximum(ends - self.times, 0.0)
        np.add.at(total, self.robots, self.signs * rest)
        return total


class Stuck:
    """
    A Markov chain of two states: free for an exponential time, stuck for another one.

    Robots start free. With rates a = 1 / mean_free and b = 1 / mean_stuck the probability of being
    stuck is a / (a + b) (1 - exp(-(a + b) t)), 0.316 at 30 s with the lecture's 60 s. An
    exponential time is memoryless, so the state is all that lasts from step to step.

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
        Draw the changes in a step of dt [s] for robots that are `stuck` (n,) or free.

        Raises
        ------
        InputError
            Too many changes are expected in the step.

        """
        shortest = float(self._means.min())
        check_events('changes between free and stuck', dt / shortest)
        chosen, waits = draws.short_exponential(SOURCE, step, 0, len(stuck), dt / shortest)
        now, times, index = stuck.copy(), np.zeros(len(chosen.robots)), 1
        # It starts with an empty change, so that there is always one to concatenate.
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
