# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lifecycle of objects: confirmation of tentative ones, missing objects, and deletion."""

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

# Largest evidence of one frame for an object [log-odds, about 20 to 1]: a detection may be wrong
# in ways that the model does not cover.
MAX_EVIDENCE = 3.0


class StateChanges(NamedTuple):
    """Slots of the objects whose state a frame changed."""

    confirmed: NDArray[np.intp]
    missing: NDArray[np.intp]
    discarded: NDArray[np.intp]
    """Tentative objects that were not confirmed."""
    deleted: NDArray[np.intp]


def log_odds(probability: float) -> float:
    """Convert a probability into log-odds."""
    return math.log(probability / (1.0 - probability))


class Lifecycle:
    """
    Transitions between the states of objects.

    Parameters
    ----------
    table : ObjectTable
        Modified.
    parameters : ObjectMapParameters

    """

    def __init__(self, table: ObjectTable, parameters: ObjectMapParameters) -> None:
        self._table, self._parameters = table, parameters
        self._least = log_odds(parameters.missing_probability)
        self._most = log_odds(parameters.most_certain)

    def hit(self, slots: NDArray[np.intp], gains: Array, stamp_ns: int) -> None:
        """Raise the log-odds of objects that a frame showed."""
        table = self._table
        table.existence[slots] += np.clip(gains, 0.0, MAX_EVIDENCE)
        table.presence[slots] = self._most
        table.misses[slots] = 0
        table.first_ns[slots] = np.minimum(table.first_ns[slots], stamp_ns)
        table.last_ns[slots] = np.maximum(table.last_ns[slots], stamp_ns)

    def miss(self, slots: NDArray[np.intp], log_missed: float, *, viewed: bool) -> None:
        """
        Lower the log-odds of objects that a frame should have shown and did not.

        Parameters
        ----------
        slots : array of int
        log_missed : float
            Log-probability that a present object is not detected.
        viewed : bool
            Whether the camera's view is known. Otherwise a frame counts only against tentative
            objects.

        """
        table = self._table
        fresh = slots[table.state[slots] == TENTATIVE]
        table.existence[fresh] += log_missed
        if viewed:
            table.presence[slots] += log_missed
            table.misses[slots] += 1

    def update_states(self, stamp_ns: int) -> StateChanges:
        """Change the states of objects, and list those to be deleted."""
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
        """Return the probability that objects are present, shape (n,)."""
        odds = np.minimum(self._table.presence[slots], self._table.existence[slots])
        probability: Array = 1.0 / (1.0 + np.exp(-np.clip(odds, -700.0, self._most)))
        return probability

    def _gone(self, tentative: NDArray[np.intp], stamp_ns: int) -> NDArray[np.bool_]:
        """Return which tentative objects were clutter or have waited too long."""
        table = self._table
        doubted = np.minimum(table.existence[tentative], table.presence[tentative]) < self._least
        age = stamp_ns - table.last_ns[tentative]
        late: NDArray[np.bool_] = age > self._parameters.tentative_life * NANOSECONDS_PER_SECOND
        return late | doubted

    def _lose(self) -> NDArray[np.intp]:
        """Mark confirmed objects as missing that are no longer likely to be present."""
        table = self._table
        low = np.flatnonzero((table.state == CONFIRMED) & (table.presence <= self._least))
        table.state[low] = MISSING
        return low
