# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Marginal association probabilities of detections and objects over several frames.

Within a frame, an object causes at most one detection and a detection shows at most one object, so
that the pairs depend on each other. Loopy belief propagation converges closely to the marginals of
all such assignments (Williams, Lau, Approximate evaluation of marginal association
probabilities with belief propagation, IEEE Transactions on Aerospace and Electronic Systems
50(4), 2014).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# Rounds of messages; later rounds change marginals by less than a hundredth.
ROUNDS = 8


class CandidatePairs:
    """
    Candidate pairs of a detection and an object.

    Parameters
    ----------
    detections, objects : arrays of int, shape (k,)
        Of each pair, sorted by object and then by frame.
    frames : array of int, shape (k,)
        Frame of each detection.

    Attributes
    ----------
    groups : array of int, shape (k,)
        Number of the group of each pair. A group has the pairs of one object and one frame, of
        which at most one is true.
    owners : array of int, shape (groups,)
        Object of each group.

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
        """Sum values of pairs, shape (k, ...), over each group."""
        return _sum_runs(values, self._group_starts)

    def by_object(self, values: Array, count: int) -> Array:
        """Sum values of pairs, shape (k, ...), over each of `count` objects."""
        summed = np.zeros((count, *values.shape[1:]))
        summed[self.objects[self._object_starts]] = _sum_runs(values, self._object_starts)
        return summed

    def groups_by_object(self, values: Array, count: int) -> Array:
        """Sum values of groups, shape (groups, ...), over each of `count` objects."""
        summed = np.zeros((count, *values.shape[1:]))
        summed[self.owners[self._owner_starts]] = _sum_runs(values, self._owner_starts)
        return summed


def _begins(keys: NDArray[np.intp] | NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return where runs of equal keys begin."""
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
    Probabilities of the pairs, and evidence of each group for its object.

    `probability` has shape (k,). `evidence`, shape (groups,), is the log-likelihood ratio of the
    frame with and without the object, except for the probability of a missed detection.
    """

    probability: Array
    evidence: Array


def association_marginals(pairs: CandidatePairs, weights: Array) -> AssociationMarginals:
    """
    Compute the marginals of all assignments of each frame.

    Parameters
    ----------
    pairs : CandidatePairs
    weights : array, shape (k,)
        Likelihood ratio of each pair alone, against a missed object and a false detection.

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
