# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The objects of a map as arrays, prepared once for all questions about the map."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from world_model_core.objects.labels import normalize_label
from world_model_core.objects.relations.color_fit import has_color
from world_model_core.objects.values import ObjectState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject

__all__ = ['ClassShares', 'ObjectArrays', 'Rows']

Rows = NDArray[np.intp]
# Classes with a lower probability are ignored: one sample in 500 is rarely drawn.
LEAST_SHARE = 0.002
# Tolerance for probabilities that are 1 except for rounding.
ROUNDING = 1e-9


class ClassShares(NamedTuple):
    """
    Objects that may belong to a class, and the draws for which they do.

    `rows` (k,) are the objects. An object belongs to the class if its draw in [0, 1) lies between
    `low` and `high`, shape (k,): cumulative probabilities of its class histogram.
    """

    rows: Rows
    low: Array
    high: Array


class ObjectArrays:
    """
    The objects of a map, by row.

    Parameters
    ----------
    objects : sequence of MapObject
        Deleted objects are left out.

    Attributes
    ----------
    objects : tuple of MapObject, length n
    positions : array, shape (n, 3)
        Centers [m].
    confidences : array, shape (n,)
        Probability that each object exists, within [0, 1].

    """

    def __init__(self, objects: Sequence[MapObject]) -> None:
        self.objects = tuple(each for each in objects if each.state is not ObjectState.DELETED)
        self.positions = np.array([each.position for each in self.objects]).reshape(-1, 3)
        confidences = np.array([each.confidence for each in self.objects], dtype=np.float64)
        self.confidences = confidences.clip(0.0, 1.0)
        self._shares = _share_classes(self.objects)

    def __len__(self) -> int:
        """Count the objects."""
        return len(self.objects)

    @cached_property
    def labels(self) -> frozenset[str]:
        """All names of objects, normalized: labels, class hypotheses and aliases."""
        return frozenset(self._shares)

    @cached_property
    def factors(self) -> Array:
        """
        Square roots of the covariances, shape (n, 3, 3) [m]: factor times its transpose.

        By eigendecomposition, because a covariance is singular if a position is known exactly.
        """
        covariances = np.array([each.covariance for each in self.objects]).reshape(-1, 3, 3)
        values, vectors = np.linalg.eigh(covariances)
        factors: Array = vectors * np.sqrt(values.clip(0.0))[:, None, :]
        return factors

    @cached_property
    def deviations(self) -> Array:
        """Standard deviation of each position along its worst axis [m], shape (n,)."""
        lengths: Array = np.sqrt((self.factors**2).sum(axis=1)).max(axis=1, initial=0.0)
        return lengths

    @cached_property
    def certain(self) -> NDArray[np.bool_]:
        """Whether position, existence and class of each object are certain, shape (n,)."""
        sure = np.array([len(each.classes) < 2 for each in self.objects], dtype=np.bool_)
        sure &= (self.deviations == 0.0) & (self.confidences >= 1.0 - ROUNDING)
        return sure

    @cached_property
    def unknown(self) -> dict[str, frozenset[str]]:
        """Ids of the objects without an attribute: 'color', 'size' or 'room'."""
        return {
            'color': frozenset(each.id for each in self.objects if not has_color(each)),
            'size': frozenset(each.id for each in self.objects if each.size is None),
            'room': frozenset(each.id for each in self.objects if each.region is None),
        }

    def shares(self, labels: Iterable[str]) -> tuple[ClassShares, ...]:
        """Return the class shares of those labels that the map contains."""
        return tuple(self._shares[label] for label in labels if label in self._shares)

    def rows_of(self, labels: Sequence[str]) -> Rows:
        """Return the rows of objects that may belong to one of the classes; all rows for none."""
        if not labels:
            return np.arange(len(self), dtype=np.intp)
        rows = [share.rows for share in self.shares(labels)]
        return np.unique(np.concatenate([np.empty(0, dtype=np.intp), *rows]))


def _share_classes(objects: Sequence[MapObject]) -> dict[str, ClassShares]:
    """Index the objects by all names under which they can be requested."""
    found: dict[str, dict[int, tuple[float, float]]] = {}
    for row, each in enumerate(objects):
        spans = _span_classes(each)
        own = normalize_label(each.label)
        # A name that is not in the histogram is another name for the most probable class.
        widest = max(spans.values(), key=lambda span: span[1] - span[0], default=(0.0, 1.0))
        named = spans.get(own, widest)
        for alias in (own, *map(normalize_label, each.aliases)):
            spans.setdefault(alias, named)
        for label, span in spans.items():
            found.setdefault(label, {})[row] = span
    return {
        label: ClassShares(np.array(list(rows), dtype=np.intp), *np.array([*rows.values()]).T)
        for label, rows in found.items()
    }


def _span_classes(each: MapObject) -> dict[str, tuple[float, float]]:
    """Return the interval of [0, 1) of each class, as wide as the class is probable."""
    classes: dict[str, float] = {}
    for label, share in each.classes.items():
        if share > 0.0:
            name = normalize_label(label)
            classes[name] = classes.get(name, 0.0) + share
    if len(classes) < 2:
        return dict.fromkeys(classes or (normalize_label(each.label),), (0.0, 1.0))
    edges = np.cumsum([0.0, *classes.values()])
    edges /= edges[-1]
    spans = zip(classes, edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    return {name: (low, high) for name, low, high in spans if high - low >= LEAST_SHARE}
