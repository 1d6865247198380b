# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Objects of a map beside true ones: pairs, counts and errors."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.evaluation.objects.baselines import assign
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.objects.relations.box_overlaps import intersection_over_union
from world_model_core.objects.relations.boxes import boxes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject

# Maximum distance of an object from its true object of the same class [m].
REACH = 0.5


def count_classes(truth: Sequence[MapObject], found: Sequence[MapObject]) -> tuple[int, int]:
    """Count the classes, and those with the right number of objects."""
    true, mapped = (Counter(each.label for each in objects) for objects in (truth, found))
    classes = true.keys() | mapped.keys()
    return len(classes), sum(true[label] == mapped[label] for label in classes)


def pair_objects(truth: Sequence[MapObject], found: Sequence[MapObject]) -> NDArray[np.intp]:
    """
    Pair the objects of a map with true ones of their class within `REACH`, each at most once.

    Returns
    -------
    array of int, shape (m,)
        Index of the true object of each object of the map, -1 for none.

    """
    if not truth or not found:
        return np.full(len(found), -1, dtype=np.intp)
    places, labels = _columns(truth)
    others, names = _columns(found)
    distances = np.linalg.norm(others[:, None] - places, axis=-1)
    distances[names[:, None] != labels] = np.inf
    return assign(distances, np.nextafter(REACH, 1.0))


def _columns(objects: Sequence[MapObject]) -> tuple[Array, NDArray[np.str_]]:
    return np.array([each.position for each in objects]), np.array([o.label for o in objects])


def position_differences(mine: Sequence[MapObject], theirs: Sequence[MapObject]) -> Array:
    """Return the differences to true positions, shape (n, 3)."""
    pairs = zip(mine, theirs, strict=True)
    return np.array([own.position - true.position for own, true in pairs]).reshape(-1, 3)


def position_nees(mine: Sequence[MapObject], theirs: Sequence[MapObject]) -> Array:
    """Return the normalized squared errors of positions, shape (n,)."""
    covariances = np.array([each.covariance for each in mine]).reshape(-1, 3, 3)
    return mahalanobis_squared(position_differences(mine, theirs), covariances)


def box_overlaps(mine: Sequence[MapObject], theirs: Sequence[MapObject]) -> Array:
    """Return the intersections over union of boxes where both sizes are known."""
    pairs = [
        (own, true)
        for own, true in zip(mine, theirs, strict=True)
        if own.size is not None and true.size is not None
    ]
    if not pairs:
        return np.zeros(0)
    own, true = (boxes_of(each) for each in zip(*pairs, strict=True))
    return intersection_over_union(own, true)
