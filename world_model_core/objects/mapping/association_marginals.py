# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
How likely each detection shows each object, all frames of a neighbourhood at once.

Within a frame an object causes one detection at most and a detection shows one object at most, so
that the pairs depend on each other. The marginals of all such assignments are what loopy belief
propagation converges to closely (Williams, Lau, Approximate evaluation of marginal association
probabilities with belief propagation, IEEE Transactions on Aerospace and Electronic Systems
50(4), 2014).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# Rounds of messages; later ones change marginals by less than a hundredth.
ROUNDS = 8


class CandidatePairs:
    """
    What may belong together: pairs of a detection and an object.

    Parameters
    ----------
    detections, objects : arrays of int, shape (k,)
        Of each pair, objects ascending and the frames of one object too.
    frames : array of int, shape (k,)
        Frame of each detection.

    Attributes
    ----------
    groups : array of int, shape (k,)
        Number of the (object, frame) of each pair, in which the object is shown once or not.
    owners : array of int, shape (turns,)
        Object of each turn.

    """

    def __init__(
        self, detections: NDArray[np.intp], objects: NDArray[np.intp], frames: NDArray[np.int64]
    ) -> None:
        self.detections, self.objects = detections, objects
        other_object = _begins(objects)
        begins = other_object | _begins(frames)
        self.groups = np.cumsum(begins) - 1
        self._group_starts = np.flatnonzero(begins)
        self._object_starts = np.flatnonzero(other_object)
        self.owners = objects[self._group_starts]
        self._owner_starts = np.flatnonzero(_begins(self.owners))

    def by_group(self, values: Array) -> Array:
        """Sum values of pairs, shape (k, ...), to those of turns."""
        return _sum_runs(values, self._group_starts)

    def by_object(self, values: Array, count: int) -> Array:
        """Sum values of pairs, shape (k, ...), to those of so many objects."""
        summed = np.zeros((count, *values.shape[1:]))
        summed[self.objects[self._object_starts]] = _sum_runs(values, self._object_starts)
        return summed

    def groups_by_object(self, values: Array, count: int) -> Array:
        """Sum values of turns, shape (turns, ...), to those of so many objects."""
        summed = np.zeros((count, *values.shape[1:]))
        summed[self.owners[self._owner_starts]] = _sum_runs(values, self._owner_starts)
        return summed


def _begins(keys: NDArray[np.intp] | NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell where runs of equal keys begin."""
    begins = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=begins[1:])
    return begins


def _sum_runs(values: Array, starts: NDArray[np.intp]) -> Array:
    """Sum the runs of values that begin at `starts`."""
    if not len(starts):
        return values[:0]
    summed: Array = np.add.reduceat(values, starts, axis=0)
    return summed


class AssociationMarginals(NamedTuple):
    """
    Probabilities of the pairs, and what each turn says of its object.

    `probability` is of shape (k,); `evidence`, shape (turns,), is the logarithm of how much
    likelier the frame is with the object than if it were not there, its probability to be missed
    apart.
    """

    probability: Array
    evidence: Array


def association_marginals(pairs: CandidatePairs, weights: Array) -> AssociationMarginals:
    """
    Weigh all assignments of each frame against each other.

    Parameters
    ----------
    pairs : CandidatePairs
    weights : array, shape (k,)
        How much likelier each pair alone is than that the object is missed and the detection
        false.

    """
    detections, groups = pairs.detections, pairs.groups
    to_objects = np.ones_like(weights)
    for _ in range(ROUNDS):
        wanted = weights * to_objects
        of_group = np.bincount(groups, wanted)
        to_detections = weights / (1.0 + np.maximum(of_group[groups] - wanted, 0.0))
        of_detection = np.bincount(detections, to_detections)
        to_objects = 1.0 / (1.0 + np.maximum(of_detection[detections] - to_detections, 0.0))
    probability = to_detections / (1.0 + of_detection[detections])
    return AssociationMarginals(probability, np.log1p(np.bincount(groups, weights * to_objects)))
