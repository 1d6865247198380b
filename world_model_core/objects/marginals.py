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


class Pairing(NamedTuple):
    """
    What may belong together, for each pair of a detection and an object, arrays of shape (k,).

    `turns` numbers the (object, frame) of each pair, in which the object is shown once or not.
    """

    detections: NDArray[np.intp]
    objects: NDArray[np.intp]
    turns: NDArray[np.intp]


class Marginals(NamedTuple):
    """
    Probabilities of the pairs, and what each turn says of its object.

    `probability` is of shape (k,); `evidence`, shape (turns,), is the logarithm of how much
    likelier the frame is with the object than if it were not there, its probability to be missed
    apart.
    """

    probability: Array
    evidence: Array


def marginals(pairing: Pairing, weights: Array) -> Marginals:
    """
    Weigh all assignments of each frame against each other.

    Parameters
    ----------
    pairing : Pairing
    weights : array, shape (k,)
        How much likelier each pair alone is than that the object is missed and the detection
        false.

    """
    detections, turns = pairing.detections, pairing.turns
    to_objects = np.ones_like(weights)
    for _ in range(ROUNDS):
        wanted = weights * to_objects
        of_turn = np.bincount(turns, wanted)
        to_detections = weights / (1.0 + np.maximum(of_turn[turns] - wanted, 0.0))
        of_detection = np.bincount(detections, to_detections)
        to_objects = 1.0 / (1.0 + np.maximum(of_detection[detections] - to_detections, 0.0))
    probability = to_detections / (1.0 + of_detection[detections])
    return Marginals(probability, np.log1p(np.bincount(turns, weights * to_objects)))
