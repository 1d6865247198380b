# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Big and small, and superlatives: objects compared with others by a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from world_model_core.objects.query import Superlative
from world_model_core.objects.relations.viewpoint_relations import bearings

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.gaussian import Array
    from world_model_core.objects.relations.boxes import Boxes

__all__ = ['extremeness', 'largest_faces', 'size_fit']

# VLA-3D calls an object big if its face is 1.2 times as large as any other's. Such a difference is
# assumed to be recognized in nine cases out of ten, so that one e-fold is worth 12 in log odds.
CLEAR_RATIO, CLEAR_ODDS = 1.2, 9.0
_STEEPNESS = np.log(CLEAR_ODDS) / np.log(CLEAR_RATIO)


def largest_faces(boxes: Boxes) -> Array:
    """Return the area of the largest face, by which VLA-3D compares sizes [m^2]."""
    length, width, height = (boxes.sizes[..., axis] for axis in range(3))
    faces: Array = np.maximum(length * width, np.maximum(length, width) * height)
    return faces


def size_fit(word: str, boxes: Boxes) -> Array:
    """
    Return how well each object is described as big or small among all of these.

    Parameters
    ----------
    word : str
        'big' or 'small'.
    boxes : Boxes, shape (..., n)
        An object and those it is compared with.

    Returns
    -------
    array, shape (..., n)
        Within [0, 1]: the share of the other objects that it exceeds, those of nearly its size in
        part; 1 if there are no others.

    """
    count = boxes.shape[-1]
    if count < 2:
        return np.ones(boxes.shape)
    logs = np.log(np.maximum(np.broadcast_to(largest_faces(boxes), boxes.shape), 1e-12))
    sign = 1.0 if word == 'big' else -1.0
    wins = expit(_STEEPNESS * sign * (logs[..., :, None] - logs[..., None, :]))
    # The comparison of each object with itself is not counted.
    shares: Array = (wins.sum(axis=-1) - 0.5) / (count - 1)
    return shares


def extremeness(superlative: Superlative, boxes: Boxes, observer: Array | None = None) -> Array:
    """
    Return the measure that a superlative maximizes.

    Parameters
    ----------
    superlative : Superlative
    boxes : Boxes, shape (..., n)
    observer : array, shape (..., 2) or (..., 3), optional
        Position of the observer for LEFTMOST and RIGHTMOST [m]; by default the map's origin.

    Returns
    -------
    array, shape (..., n)
        Greatest for the object meant; in the unit of the measure.

    """
    sign, measure = _MEASURES[superlative]
    measured: Array = sign * measure(boxes, np.zeros(2) if observer is None else observer)
    return measured


def _heights(boxes: Boxes, _: Array) -> Array:
    return boxes.sizes[..., 2]


def _lengths(boxes: Boxes, _: Array) -> Array:
    lengths: Array = boxes.sizes[..., :2].max(axis=-1)
    return lengths


def _altitudes(boxes: Boxes, _: Array) -> Array:
    return boxes.centers[..., 2]


def _faces(boxes: Boxes, _: Array) -> Array:
    return largest_faces(boxes)


_MEASURES: dict[Superlative, tuple[float, Callable[[Boxes, Array], Array]]] = {
    Superlative.BIGGEST: (1.0, _faces),
    Superlative.SMALLEST: (-1.0, _faces),
    Superlative.TALLEST: (1.0, _heights),
    Superlative.SHORTEST: (-1.0, _heights),
    Superlative.LONGEST: (1.0, _lengths),
    Superlative.WIDEST: (1.0, _lengths),
    Superlative.HIGHEST: (1.0, _altitudes),
    Superlative.LOWEST: (-1.0, _altitudes),
    Superlative.LEFTMOST: (1.0, bearings),
    Superlative.RIGHTMOST: (-1.0, bearings),
}
