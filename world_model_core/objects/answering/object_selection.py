# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of the objects that the steps of an instruction name, with its probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answering.answer_wording import equal_objects, nothing_to_avoid
from world_model_core.objects.answering.candidate_ranking import even_out, meant_probabilities
from world_model_core.objects.query import Determiner
from world_model_core.objects.relations.boxes import footprint_corners

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.candidates import Candidates
    from world_model_core.objects.answering.object_arrays import Rows
    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Description
    from world_model_core.objects.values import MapObject

__all__ = ['ObjectSelection']

# Larger than the distance between any two objects [m].
FARTHEST = 1e9
# Among objects with at least this share of the best probability, the nearest one is selected.
COMPARABLE = 0.9
# Least probability of an object that is avoided.
AVOIDED = 0.5


class ObjectSelection:
    """
    Objects selected for the steps of one instruction.

    Parameters
    ----------
    resolver : PhraseResolver
    weights : array, shape (S,)
        Weights of the posterior samples.

    Attributes
    ----------
    notes : list of str
        Ambiguities, and objects to avoid that the map does not contain.

    """

    def __init__(self, resolver: PhraseResolver, weights: Array) -> None:
        self._resolver, self._weights = resolver, weights
        self._right = np.ones(resolver.samples.count)
        self._rows: dict[int, None] = {}
        self.notes: list[str] = []

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """Selected objects, in the order of the instruction."""
        return tuple(self.object(row) for row in self._rows)

    @property
    def probability(self) -> float:
        """Probability that all selected objects are the ones meant."""
        return min(1.0, float(self._weights @ self._right))

    def object(self, row: int) -> MapObject:
        """Return the object of a row of the object arrays."""
        return self._resolver.samples.arrays.objects[row]

    def center(self, row: int) -> Array:
        """Return the estimated center of an object on the floor [m], shape (2,)."""
        return np.asarray(self.object(row).position[:2])

    def outline(self, row: int) -> Array:
        """Return the estimated footprint of an object [m], shape (4, 2)."""
        outline: Array = footprint_corners(self._resolver.samples.map_boxes.take(np.array([row])))[
            0
        ]
        return outline

    def exists(self, description: Description) -> bool:
        """Check whether any object fits a phrase; add a note if none does."""
        found = bool(self._resolver.resolve(description).fits.any())
        if not found:
            self.notes.append(nothing_to_avoid(description))
        return found

    def select(self, description: Description, near: Array | None) -> int:
        """
        Select the most probable object; among equally probable ones the nearest.

        Parameters
        ----------
        description : Description
        near : array, shape (2,), optional
            Position from which distances count [m]; without it the first object is taken.

        Returns
        -------
        int
            Row of the object.

        """
        found, chances = self._probabilities(description)
        likely = np.flatnonzero(chances >= COMPARABLE * chances.max())
        rows = self._resolver.samples.rows[found.columns[likely]]
        chosen = 0
        if near is not None:
            chosen = int(np.linalg.norm(self._positions(rows) - near, axis=1).argmin())
        if len(rows) > 1 and description.determiner is Determiner.THE and not description.plural:
            self.notes.append(equal_objects(description, len(rows)))
        self._add(description, found, int(likely[chosen]))
        return int(rows[chosen])

    def select_pair(self, descriptions: tuple[Description, ...]) -> tuple[int, int]:
        """
        Select two objects, one of each phrase or both of one phrase; return their rows.

        Among the most probable pairs the closest pair is selected. If one phrase fits a single
        object only, both rows are the same.
        """
        (first, ones), (second, others) = (
            self._likely(each, len(descriptions)) for each in (descriptions[0], descriptions[-1])
        )
        rows = self._resolver.samples.rows
        here, there = rows[first.columns[ones]], rows[second.columns[others]]
        apart = np.linalg.norm(self._positions(here)[:, None] - self._positions(there), axis=2)
        apart[here[:, None] == there] = FARTHEST
        one, other = np.unravel_index(int(apart.argmin()), apart.shape)
        self._add(descriptions[0], first, int(ones[one]))
        self._add(descriptions[-1], second, int(others[other]))
        return int(here[one]), int(there[other])

    def select_all(self, description: Description) -> tuple[int, ...]:
        """Select all objects that are probably meant, at least the most probable; their rows."""
        if not self.exists(description):
            return ()
        found, chances = self._probabilities(description)
        chosen = np.flatnonzero(chances >= min(AVOIDED, float(chances.max())))
        for index in chosen.tolist():
            self._add(description, found, index)
        return tuple(self._resolver.samples.rows[found.columns[chosen]].tolist())

    def _likely(self, description: Description, phrases: int) -> tuple[Candidates, Rows]:
        """List the most probable candidates for a pair that is named by one or two phrases."""
        found, chances = self._probabilities(description)
        needed = min(len(chances), 3 - phrases)
        least = np.sort(chances)[-needed] if needed else np.inf
        return found, np.flatnonzero(chances >= COMPARABLE * least)

    def _probabilities(self, description: Description) -> tuple[Candidates, Array]:
        """Return the candidates and the probability that each is meant, shape (c,)."""
        found = self._resolver.resolve(description)
        chances = self._weights @ meant_probabilities(description, found)
        return found, even_out(chances, found)

    def _add(self, description: Description, found: Candidates, index: int) -> None:
        meant = meant_probabilities(description, found)[:, index]
        sampled = float(self._weights @ meant)
        if sampled > 0.0:
            # Among equal candidates none is more probable than the others.
            _, chances = self._probabilities(description)
            meant = meant * (float(chances[index]) / sampled)
        self._right *= meant
        self._rows[int(self._resolver.samples.rows[found.columns[index]])] = None

    def _positions(self, rows: Rows) -> Array:
        positions: Array = self._resolver.samples.arrays.positions[rows, :2]
        return positions
