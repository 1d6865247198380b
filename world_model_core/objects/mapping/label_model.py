# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Of which class an object is, when detectors sometimes call it something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

EMPTY = -1


class LabelVocabulary:
    """
    Numbers for words, up to a limit; `_`, space and case do not tell words apart.

    Parameters
    ----------
    limit : int
        Different words; further ones have no number.

    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._numbers: dict[str, int] = {}  # of ways to write them
        self._spelt: dict[str, int] = {}
        self.words: list[str] = []

    def __len__(self) -> int:
        """Count the words."""
        return len(self.words)

    def number(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Find the numbers of words, new ones too; EMPTY for those beyond the limit."""
        return np.array([self._number(word) for word in words], dtype=np.int64)

    def known(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Find the numbers of those words that have one."""
        spelt = (self._spelt.get(normalise(word)) for word in words)
        return np.array([number for number in spelt if number is not None], dtype=np.int64)

    def _number(self, word: str) -> int:
        """Find the number of a word as it is written, or as it is spelt."""
        number = self._numbers.get(word)
        if number is None:
            number = self._spelt.get(normalise(word), EMPTY)
            if number == EMPTY and len(self.words) < self._limit:
                number = self._spelt[normalise(word)] = len(self.words)
                self.words.append(word)
            if number != EMPTY and len(self._numbers) < self._limit:
                self._numbers[word] = number
        return number


def normalise(word: str) -> str:
    """Write a label as the others of its meaning are."""
    return ' '.join(word.replace('_', ' ').casefold().split())


class LabelModel:
    """
    How labels come from classes: right, or any of the other classes' alike.

    Parameters
    ----------
    confusion : float
        Part of the labels that are wrong.
    classes : int
        How many there are; at least two, since nobody has seen all.

    """

    def __init__(self, confusion: float, classes: int) -> None:
        self.classes = max(classes, 2)
        self._right, self._wrong = 1.0 - confusion, confusion / (self.classes - 1)
        # What each label adds to the log-odds of its class against any other.
        self.evidence = float(np.log(self._right / self._wrong))

    @property
    def chance(self) -> float:
        """Probability of a label that has no reason: of a false detection, or of a new object."""
        return 1.0 / self.classes

    def probability(
        self, labels: NDArray[np.int64], counts: Array, asked: NDArray[np.int64]
    ) -> Array:
        """
        Predict labels from those that objects had.

        Parameters
        ----------
        labels : array of int, shape (k, m)
            Of each object; EMPTY where it had fewer.
        counts : array, shape (k, m)
            How often each was seen.
        asked : array of int, shape (k,)

        Returns
        -------
        array, shape (k,)

        """
        same = labels == asked[:, None]
        known = labels != EMPTY
        highest, weights, total = self._weigh(np.where(known, counts, 0.0), known)
        own = np.where(same.any(axis=1), (weights * same).sum(axis=1), np.exp(-highest))
        return self._predict(own, total)

    def probability_by_others(
        self,
        counts: Array,
        objects: NDArray[np.intp],
        asked: NDArray[np.intp],
        own: Array,
    ) -> Array:
        """
        Predict labels of detections from all the other detections of an object.

        Parameters
        ----------
        counts : array, shape (objects, m)
            How often each object had each label.
        objects, asked : arrays of int, shape (k,)
            Row and column of `counts` for each detection.
        own : array, shape (k,)
            How much of the count is the detection itself.

        Returns
        -------
        array, shape (k,)

        """
        _, weights, totals = self._weigh(counts, np.ones(counts.shape, dtype=bool))
        with_own = weights[objects, asked]
        without = with_own * np.exp(-own * self.evidence)
        others = np.maximum(totals[objects] - with_own, 1e-300)
        return self._predict(without, others + without)

    def _weigh(self, counts: Array, known: NDArray[np.bool_]) -> tuple[Array, Array, Array]:
        """Weigh classes by their labels; return logarithms of the scale, weights and sums."""
        votes = np.maximum(counts, 0.0) * self.evidence
        highest = votes.max(axis=1)
        weights = np.exp(votes - highest[:, None]) * known
        unseen = np.maximum(self.classes - known.sum(axis=1), 0)
        return highest, weights, weights.sum(axis=1) + unseen * np.exp(-highest)

    def _predict(self, weight: Array, total: Array) -> Array:
        """Say how likely a label is if its class has that part of the weights."""
        predicted: Array = self._wrong + (self._right - self._wrong) * weight / total
        return predicted

    def posterior(self, counts: Array) -> Array:
        """
        Weigh the classes of one object by the labels it had, shape (m,).

        Those it never had share what is missing to 1.
        """
        votes = counts * self.evidence
        highest = max(float(votes.max(initial=0.0)), 0.0)
        weights = np.exp(votes - highest)
        unseen = max(self.classes - len(counts), 0) * np.exp(-highest)
        shares: Array = weights / (weights.sum() + unseen)
        return shares


def add_votes(
    labels: NDArray[np.int64],
    counts: Array,
    slots: NDArray[np.intp],
    asked: NDArray[np.int64],
    weights: Array,
) -> None:
    """
    Count a word for each of some objects, in place; each object once.

    An object that had more different words than there is room for forgets its rarest.

    Parameters
    ----------
    labels, counts : array, shape (objects, m)
    slots, asked, weights : array, shape (k,)

    """
    same = labels[slots] == asked[:, None]
    column = np.where(same.any(axis=1), same.argmax(axis=1), counts[slots].argmin(axis=1))
    replaced = labels[slots, column] != asked
    counts[slots[replaced], column[replaced]] = 0.0
    labels[slots, column] = asked
    counts[slots, column] += weights
