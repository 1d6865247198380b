# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How objects come to be believed in, go missing, and are given up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.mapping.object_table import CONFIRMED, MISSING, TENTATIVE
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.object_table import ObjectTable
    from world_model_core.objects.mapping.parameters import ObjectMapParameters

# No single frame says more than this for an object: a detection may be wrong in ways that no
# model has. Log-odds; some 20 to 1.
MAX_EVIDENCE = 3.0


class StateChanges(NamedTuple):
    """Slots of the objects whose state a frame changed."""

    confirmed: NDArray[np.intp]
    missing: NDArray[np.intp]
    discarded: NDArray[np.intp]
    """Tentative ones that were none."""
    deleted: NDArray[np.intp]


def log_odds(probability: float) -> float:
    """Turn a probability into log-odds."""
    return math.log(probability / (1.0 - probability))


class Lifecycle:
    """
    The rules by which objects pass from state to state.

    Parameters
    ----------
    table : ObjectTable
        Which is changed.
    parameters : ObjectMapParameters

    """

    def __init__(self, table: ObjectTable, parameters: ObjectMapParameters) -> None:
        self._table, self._parameters = table, parameters
        self._least = log_odds(parameters.missing_probability)
        self._most = log_odds(parameters.most_certain)

    def hit(self, slots: NDArray[np.intp], gains: Array, stamp_ns: int) -> None:
        """Believe more in objects that a frame showed: they are there."""
        table = self._table
        table.existence[slots] += np.clip(gains, 0.0, MAX_EVIDENCE)
        table.presence[slots] = self._most
        table.misses[slots] = 0
        table.first_ns[slots] = np.minimum(table.first_ns[slots], stamp_ns)
        table.last_ns[slots] = np.maximum(table.last_ns[slots], stamp_ns)

    def miss(self, slots: NDArray[np.intp], log_missed: float, *, viewed: bool) -> None:
        """
        Believe less in objects that a frame would have shown and did not.

        Parameters
        ----------
        slots : array of int
        log_missed : float
            Logarithm of the probability that one which is there is missed.
        viewed : bool
            The view was given. Otherwise a frame speaks only against objects that are not yet
            confirmed.

        """
        table = self._table
        fresh = slots[table.state[slots] == TENTATIVE]
        table.existence[fresh] += log_missed
        if viewed:
            table.presence[slots] += log_missed
            table.misses[slots] += 1

    def update_states(self, stamp_ns: int) -> StateChanges:
        """Change the states of objects, and list those to be given up."""
        table, least = self._table, self._least
        tentative = np.flatnonzero(table.state == TENTATIVE)
        enough = table.hits[tentative] >= self._parameters.confirm_hits - 0.5
        enough &= table.existence[tentative] >= -least
        confirmed = tentative[enough]
        discarded = tentative[~enough & self._gone(tentative, stamp_ns)]
        table.state[confirmed] = CONFIRMED
        gone = np.flatnonzero(table.state == MISSING)
        found = gone[table.presence[gone] > least]
        table.state[found] = CONFIRMED
        late = (
            stamp_ns - table.last_ns[gone] > self._parameters.missing_life * NANOSECONDS_PER_SECOND
        )
        deleted = gone[late & (table.presence[gone] <= least)]
        return StateChanges(confirmed, self._lose(), discarded, deleted)

    def confidence(self, slots: NDArray[np.intp]) -> Array:
        """Give the probability that objects are there, shape (n,)."""
        odds = np.minimum(self._table.presence[slots], self._table.existence[slots])
        probability: Array = 1.0 / (1.0 + np.exp(-np.clip(odds, -700.0, self._most)))
        return probability

    def _gone(self, tentative: NDArray[np.intp], stamp_ns: int) -> NDArray[np.bool_]:
        """Tell which tentative objects were chance, or wait too long."""
        table = self._table
        doubted = np.minimum(table.existence[tentative], table.presence[tentative]) < self._least
        age = stamp_ns - table.last_ns[tentative]
        late: NDArray[np.bool_] = age > self._parameters.tentative_life * NANOSECONDS_PER_SECOND
        return late | doubted

    def _lose(self) -> NDArray[np.intp]:
        """Let objects go missing that were not seen where they should be."""
        table = self._table
        low = np.flatnonzero((table.state == CONFIRMED) & (table.presence <= self._least))
        table.state[low] = MISSING
        return low
