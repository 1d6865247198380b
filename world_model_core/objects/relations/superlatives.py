# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Big and small, tallest and lowest: objects compared with their like."""

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

# Of VLA-3D: what is called big has a face 1.2 times as large as any rival's. That much is taken to
# be told apart nine times in ten, so that an advantage of one e-fold is worth 12 on the scale of
# log odds.
CLEAR_RATIO, CLEAR_ODDS = 1.2, 9.0
_STEEPNESS = np.log(CLEAR_ODDS) / np.log(CLEAR_RATIO)


def largest_faces(boxes: Boxes) -> Array:
    """Measure the largest face of each, by which VLA-3D calls things big and small [m^2]."""
    length, width, height = (boxes.sizes[..., axis] for axis in range(3))
    faces: Array = np.maximum(length * width, np.maximum(length, width) * height)
    return faces


def size_fit(word: str, boxes: Boxes) -> Array:
    """
    Tell how well each is called big or small among all of these.

    Parameters
    ----------
    word : str
        'big' or 'small'.
    boxes : Boxes, shape (..., n)
        An object and its like.

    Returns
    -------
    array, shape (..., n)
        Within [0, 1]: the share of its rivals that it outdoes, those of nearly its size in part;
        1 where there is no rival.

    """
    count = boxes.shape[-1]
    if count < 2:
        return np.ones(boxes.shape)
    logs = np.log(np.maximum(np.broadcast_to(largest_faces(boxes), boxes.shape), 1e-12))
    sign = 1.0 if word == 'big' else -1.0
    wins = expit(_STEEPNESS * sign * (logs[..., :, None] - logs[..., None, :]))
    # Each draws with itself, which is not counted.
    shares: Array = (wins.sum(axis=-1) - 0.5) / (count - 1)
    return shares


def extremeness(superlative: Superlative, boxes: Boxes, observer: Array | None = None) -> Array:
    """
    Measure that of which a superlative picks the most.

    Parameters
    ----------
    superlative : Superlative
    boxes : Boxes, shape (..., n)
    observer : array, shape (..., 2) or (..., 3), optional
        From where LEFTMOST and RIGHTMOST are seen [m]; the map's origin where not given.

    Returns
    -------
    array, shape (..., n)
        Greatest for the one meant; in the unit of the measure.

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
