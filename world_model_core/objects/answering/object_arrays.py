# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A map's objects as arrays, made once for all questions that are put to it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from world_model_core.objects.labels import normalize_label
from world_model_core.objects.values import ObjectState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject

Rows = NDArray[np.intp]
# Classes less likely than this are not counted: one world in 500 is rarely drawn.
LEAST_SHARE = 0.002
# What a certainty falls short of one by through rounding of a histogram.
ROUNDING = 1e-9


class ClassShares(NamedTuple):
    """
    Who may be of a class: rows (k,) and the part of [0, 1) at which a draw makes each of it so.

    `low` and `high`, shape (k,), are cumulated probabilities of the object's own histogram.
    """

    rows: Rows
    low: Array
    high: Array


class ObjectArrays:
    """
    The objects that can be meant, by row.

    Parameters
    ----------
    objects : sequence of MapObject
        Deleted ones are left out.

    Attributes
    ----------
    objects : tuple of MapObject, length n
    positions : array, shape (n, 3)
        Centres [m].
    confidences : array, shape (n,)
        Probability that each is there, within [0, 1].

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
        """Every name, normalised, under which an object may be asked for."""
        return frozenset(self._shares)

    @cached_property
    def factors(self) -> Array:
        """
        Square roots of the covariances, shape (n, 3, 3) [m], a factor times its transpose.

        By eigenvectors, since a covariance may be singular where a position is known exactly.
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
        """Who has one place, surely exists and is of one class, shape (n,)."""
        sure = np.array([len(each.classes) < 2 for each in self.objects], dtype=np.bool_)
        sure &= (self.deviations == 0.0) & (self.confidences >= 1.0 - ROUNDING)
        return sure

    def shares(self, labels: Iterable[str]) -> tuple[ClassShares, ...]:
        """Return who may be of each of the classes that the map has."""
        return tuple(self._shares[label] for label in labels if label in self._shares)

    def rows_of(self, labels: Sequence[str]) -> Rows:
        """Return in order who may be of one of the classes; all, of none at all."""
        if not labels:
            return np.arange(len(self), dtype=np.intp)
        rows = [share.rows for share in self.shares(labels)]
        return np.unique(np.concatenate([np.empty(0, dtype=np.intp), *rows]))


def _share_classes(objects: Sequence[MapObject]) -> dict[str, ClassShares]:
    """Find for each name who may be asked for under it."""
    found: dict[str, dict[int, tuple[float, float]]] = {}
    for row, each in enumerate(objects):
        spans = _span_classes(each)
        own = normalize_label(each.label)
        # A name that the histogram lacks is one more for what the object is called now.
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
    """Lay an object's classes side by side over [0, 1), as wide as they are probable."""
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
