# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Label model: class probabilities from the labels of a detector that confuses classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.labels import normalize_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

EMPTY = -1


class LabelVocabulary:
    """
    Numbers for labels, up to a limit; labels that differ in spelling only share a number.

    Parameters
    ----------
    limit : int
        Maximum number of labels; further labels have no number.

    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._numbers: dict[str, int] = {}  # by label as it is written
        self._normalized: dict[str, int] = {}
        self.words: list[str] = []

    def __len__(self) -> int:
        """Return the number of labels."""
        return len(self.words)

    def number(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Return the numbers of labels, adding new labels; EMPTY beyond the limit."""
        return np.array([self._number(word) for word in words], dtype=np.int64)

    def known(self, words: Iterable[str]) -> NDArray[np.int64]:
        """Return the numbers of those labels that have one."""
        found = (self._normalized.get(normalize_label(word)) for word in words)
        return np.array([number for number in found if number is not None], dtype=np.int64)

    def _number(self, word: str) -> int:
        """Look a label up as it is written, then as it is normalized."""
        number = self._numbers.get(word)
        if number is None:
            number = self._normalized.get(normalize_label(word), EMPTY)
            if number == EMPTY and len(self.words) < self._limit:
                number = self._normalized[normalize_label(word)] = len(self.words)
                self.words.append(word)
            if number != EMPTY and len(self._numbers) < self._limit:
                self._numbers[word] = number
        return number


class LabelModel:
    """
    Detector confusion model: the label is right, or any other class with equal probability.

    Parameters
    ----------
    confusion : float
        Probability of a wrong label.
    classes : int
        Number of classes; at least two are assumed, since not all have been observed.

    """

    def __init__(self, confusion: float, classes: int) -> None:
        self.classes = max(classes, 2)
        self._right, self._wrong = 1.0 - confusion, confusion / (self.classes - 1)
        # Log-odds that one label adds to its class against any other class.
        self.evidence = float(np.log(self._right / self._wrong))

    @property
    def chance(self) -> float:
        """Probability of a label without a known object: of clutter or a new object."""
        return 1.0 / self.classes

    def probability(
        self, labels: NDArray[np.int64], counts: Array, wanted: NDArray[np.int64]
    ) -> Array:
        """
        Predict labels from the label histograms of objects.

        Parameters
        ----------
        labels : array of int, shape (k, m)
            Labels of each object; EMPTY in unused columns.
        counts : array, shape (k, m)
            Number of detections with each label.
        wanted : array of int, shape (k,)
            Labels to predict.

        Returns
        -------
        array, shape (k,)
            Probabilities.

        """
        same = labels == wanted[:, None]
        known = labels != EMPTY
        highest, weights, total = self._weigh(np.where(known, counts, 0.0), known)
        own = np.where(same.any(axis=1), (weights * same).sum(axis=1), np.exp(-highest))
        return self._predict(own, total)

    def probability_by_others(
        self,
        counts: Array,
        objects: NDArray[np.intp],
        wanted: NDArray[np.intp],
        own: Array,
    ) -> Array:
        """
        Predict labels of detections from the other detections of an object.

        Parameters
        ----------
        counts : array, shape (objects, m)
            Number of detections of each object with each label.
        objects, wanted : arrays of int, shape (k,)
            Row and column of `counts` for each detection.
        own : array, shape (k,)
            Contribution of the detection itself to the count.

        Returns
        -------
        array, shape (k,)
            Probabilities.

        """
        _, weights, totals = self._weigh(counts, np.ones(counts.shape, dtype=bool))
        with_own = weights[objects, wanted]
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
        """Return the probability of a label whose class has this share of the weights."""
        predicted: Array = self._wrong + (self._right - self._wrong) * weight / total
        return predicted

    def posterior(self, counts: Array) -> Array:
        """
        Return the probabilities of the classes of one object given its labels, shape (m,).

        Classes that were never reported share the rest.
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
    wanted: NDArray[np.int64],
    weights: Array,
) -> None:
    """
    Count one label each for some objects, in place; each object once.

    An object with more labels than columns drops its rarest label.

    Parameters
    ----------
    labels, counts : array, shape (objects, m)
    slots, wanted, weights : array, shape (k,)

    """
    same = labels[slots] == wanted[:, None]
    column = np.where(same.any(axis=1), same.argmax(axis=1), counts[slots].argmin(axis=1))
    replaced = labels[slots, column] != wanted
    counts[slots[replaced], column[replaced]] = 0.0
    labels[slots, column] = wanted
    counts[slots, column] += weights
