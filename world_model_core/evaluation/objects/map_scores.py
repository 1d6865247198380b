# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Scores of one object map against the true objects, without knowledge of its detections."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.evaluation.objects.object_pairs import (
    REACH,
    box_overlaps,
    count_classes,
    pair_objects,
    position_differences,
    position_nees,
)
from world_model_core.evaluation.objects.scores import mean_bounds
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.values import ObjectState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject


@dataclass(frozen=True, slots=True)
class MapScores:
    """
    Scores of the confirmed objects of a map; None if there was nothing to measure.

    Objects are paired with true ones of their class within 0.5 m, each at most once.
    `dataclasses.asdict` converts it to live_objects_evaluation.schema.json.

    Attributes
    ----------
    objects, found : int
        Number of true objects, and of objects in the map.
    paired : int
    duplicates : int
        Objects of the map that are not paired, within 0.5 m of a true one of their class.
    class_counts : float
        Fraction of the classes, in the truth or in the map, with exactly the true number.
    anees : float
        Average normalized estimation error squared of the positions of pairs, divided by 3: 1 if
        covariances are consistent.
    anees_bounds : (float, float)
        95 % interval of anees for this number of pairs with consistent covariances.
    position_error : float
        Mean distance of pairs [m].
    iou : float
        Mean intersection over union of the boxes of pairs with known size.

    """

    objects: int
    found: int
    paired: int
    duplicates: int
    class_counts: float | None
    anees: float | None
    anees_bounds: tuple[float, float] | None
    position_error: float | None
    iou: float | None


def score_map(truth: Sequence[MapObject], found: Sequence[MapObject]) -> MapScores:
    """Score the confirmed objects of a map."""
    truth = _named(truth)
    found = _named(each for each in found if each.state is ObjectState.CONFIRMED)
    owners = pair_objects(truth, found)
    mine = [each for each, owner in zip(found, owners, strict=True) if owner >= 0]
    theirs = [truth[owner] for owner in owners if owner >= 0]
    others = [each for each, owner in zip(found, owners, strict=True) if owner < 0]
    classes, exact = count_classes(truth, found)
    nees = position_nees(mine, theirs)
    return MapScores(
        objects=len(truth),
        found=len(found),
        paired=len(mine),
        duplicates=sum(_is_near(each, truth) for each in others),
        class_counts=exact / classes if classes else None,
        anees=_mean(nees / 3.0),
        anees_bounds=mean_bounds(len(nees)),
        position_error=_mean(np.linalg.norm(position_differences(mine, theirs), axis=1)),
        iou=_mean(box_overlaps(mine, theirs)),
    )


def _named(objects: Iterable[MapObject]) -> list[MapObject]:
    """Write all classes as maps do."""
    return [replace(each, label=normalize_label(each.label)) for each in objects]


def _is_near(thing: MapObject, truth: Iterable[MapObject]) -> bool:
    """Return whether a true object of the same class is within reach."""
    return any(
        np.linalg.norm(each.position - thing.position) <= REACH
        for each in truth
        if each.label == thing.label
    )


def _mean(values: Array) -> float | None:
    return float(values.mean()) if len(values) else None
