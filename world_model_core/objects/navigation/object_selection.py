# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which objects play the parts of an instruction, and how likely they are the right ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answering.choice import share_out
from world_model_core.objects.answering.phrases import describe
from world_model_core.objects.query import Determiner
from world_model_core.objects.relations.boxes import footprint_corners

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.candidates import Candidates
    from world_model_core.objects.answering.inventory import Rows
    from world_model_core.objects.answering.resolution import Resolver
    from world_model_core.objects.query import Description
    from world_model_core.objects.values import MapObject

# Farther apart than any two objects [m].
FARTHEST = 1e9
# Part of the best probability from which on the nearer object is preferred.
COMPARABLE = 0.9
# Probability from which on one of several things is avoided.
AVOIDED = 0.5


class Casting:
    """
    The parts of one instruction.

    Parameters
    ----------
    resolver : Resolver
    weights : array, shape (S,)
        Of the worlds.

    Attributes
    ----------
    notes : list of str
        What could not be cast without doubt.

    """

    def __init__(self, resolver: Resolver, weights: Array) -> None:
        self._resolver, self._weights = resolver, weights
        self._right = np.ones(resolver.worlds.count)
        self._rows: dict[int, None] = {}
        self.notes: list[str] = []

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """Who has a part, in the order of the instruction."""
        return tuple(self.object(row) for row in self._rows)

    @property
    def probability(self) -> float:
        """That all are those meant, in the same world."""
        return min(1.0, float(self._weights @ self._right))

    def object(self, row: int) -> MapObject:
        """Return the object of a row of the inventory."""
        return self._resolver.worlds.inventory.objects[row]

    def outline(self, row: int) -> Array:
        """Outline an object on the floor as the map believes it, shape (4, 2) [m]."""
        outline: Array = footprint_corners(self._resolver.worlds.believed.take(np.array([row])))[0]
        return outline

    def has(self, description: Description) -> bool:
        """Tell whether a phrase means anything, and note it where it does not."""
        found = bool(self._resolver.resolve(description).fits.any())
        if not found:
            self.notes.append(f'there is no "{describe(description)}" in the map to avoid')
        return found

    def cast(self, description: Description, near: Array | None) -> int:
        """Choose the likeliest object, of equal ones the nearest to a place (2,) [m]; its row."""
        found, chances = self._weigh(description)
        likely = np.flatnonzero(chances >= COMPARABLE * chances.max())
        rows = self._resolver.worlds.rows[found.columns[likely]]
        chosen = 0
        if near is not None:
            chosen = int(np.linalg.norm(self._positions(rows) - near, axis=1).argmin())
        if len(rows) > 1 and description.determiner is Determiner.THE and not description.plural:
            self.notes.append(f'"{describe(description)}" fits {len(rows)} objects alike')
        self._take(description, found, int(likely[chosen]))
        return int(rows[chosen])

    def cast_pair(self, descriptions: tuple[Description, ...]) -> tuple[int, int]:
        """
        Choose two objects, one of each phrase or both of one: of likely pairs the closest.

        Where one phrase means only one object, that is both of them.
        """
        (first, ones), (second, others) = (
            self._likely(each, len(descriptions)) for each in (descriptions[0], descriptions[-1])
        )
        rows = self._resolver.worlds.rows
        here, there = rows[first.columns[ones]], rows[second.columns[others]]
        apart = np.linalg.norm(self._positions(here)[:, None] - self._positions(there), axis=2)
        apart[here[:, None] == there] = FARTHEST
        one, other = np.unravel_index(int(apart.argmin()), apart.shape)
        self._take(descriptions[0], first, int(ones[one]))
        self._take(descriptions[-1], second, int(others[other]))
        return int(here[one]), int(there[other])

    def cast_all(self, description: Description) -> tuple[int, ...]:
        """Choose all who are likely meant, the likeliest of all at least; their rows."""
        if not self.has(description):
            return ()
        found, chances = self._weigh(description)
        chosen = np.flatnonzero(chances >= min(AVOIDED, float(chances.max())))
        for index in chosen.tolist():
            self._take(description, found, index)
        return tuple(self._resolver.worlds.rows[found.columns[chosen]].tolist())

    def _likely(self, description: Description, phrases: int) -> tuple[Candidates, Rows]:
        """List who may be one of a pair that has so many phrases: the likeliest, or two."""
        found, chances = self._weigh(description)
        needed = min(len(chances), 3 - phrases)
        least = np.sort(chances)[-needed] if needed else np.inf
        return found, np.flatnonzero(chances >= COMPARABLE * least)

    def _weigh(self, description: Description) -> tuple[Candidates, Array]:
        """Say how likely each candidate is meant, shape (c,)."""
        found = self._resolver.resolve(description)
        chances: Array = self._weights @ share_out(description, found)
        return found, chances

    def _take(self, description: Description, found: Candidates, index: int) -> None:
        """Give a part to a candidate."""
        self._right *= share_out(description, found)[:, index]
        self._rows[int(self._resolver.worlds.rows[found.columns[index]])] = None

    def _positions(self, rows: Rows) -> Array:
        positions: Array = self._resolver.worlds.inventory.positions[rows, :2]
        return positions
