# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Scores of object maps against the ground truth.

The majority truth of an object of a map is the true object that most of its detections show (the
first one if there are several); an object with false detections only has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import chi2

from world_model_core.evaluation.objects.object_pairs import (
    box_overlaps,
    count_classes,
    pair_objects,
    position_differences,
    position_nees,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.evaluation.objects.mapping_run import MappingRun
    from world_model_core.gaussian import Array

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Scores:
    """
    Scores of maps of some layouts; None if there was nothing to measure.

    Attributes
    ----------
    objects, found : int
        Number of true objects, and of objects in the maps.
    duplicates : float
        Objects of a map beyond the first with the same majority truth, per true object.
    unpaired_duplicates : float
        Those with a majority truth of another object that are paired with no true object, per
        true object: without the duplicates that represent another true object, but got more
        detections of a neighbor.
    recall, precision : float
        Fraction of the true objects, and of those in the map, that are paired: each at most once,
        with the same class, within 0.5 m.
    class_counts : float
        Fraction of the (layout, class) pairs, of all classes in the truth or in the map, for which
        the map has exactly the true number.
    wrong_detections : float
        Fraction of the detections of objects assigned to an object of the map with another
        majority truth.
    unused_detections : float
        Fraction of the detections of objects assigned to no object of the map.
    mixed_identities : float
        Fraction of the map's objects with a detection of another object than their majority truth.
    anees : float
        Average normalized estimation error squared of positions against the majority truth,
        divided by 3: 1 if covariances are consistent.
    anees_bounds : (float, float)
        95 % interval of anees for this number of objects with consistent covariances.
    nis : float
        Mean squared Mahalanobis distance between detections and the objects that they updated,
        divided by 3.
    position_error : float
        Mean distance of objects to their majority truth [m].
    iou : float
        Mean intersection over union of boxes with known size.

    """

    objects: int
    found: int
    duplicates: float | None
    unpaired_duplicates: float | None
    recall: float | None
    precision: float | None
    class_counts: float | None
    wrong_detections: float | None
    unused_detections: float | None
    mixed_identities: float | None
    anees: float | None
    anees_bounds: tuple[float, float] | None
    nis: float | None
    position_error: float | None
    iou: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one layout, as in `Scores`, and the samples of its means."""

    objects: int
    found: int
    duplicates: int
    unpaired: int
    paired: int
    classes: int
    exact_classes: int
    detections: int
    wrong: int
    unused: int
    mixed: int
    nees: Array
    nis: Array
    errors: Array
    ious: Array


def tally(run: MappingRun) -> Tally:
    """Count the results of a layout."""
    truth, found = run.truth, run.found
    shares = _count_sources(run)
    majority = np.where(shares.any(axis=1), shares.argmax(axis=1), -1)
    known = np.flatnonzero(majority >= 0)
    real = run.sources >= 0
    owners, sources = run.owners[real], run.sources[real]
    kept = owners >= 0
    paired = pair_objects(truth, found) >= 0
    shared_truth = np.bincount(majority[known], minlength=max(len(truth), 1)) > 1
    totals, exact = count_classes(truth, found)
    mine = [found[index] for index in known]
    theirs = [truth[index] for index in majority[known]]
    return Tally(
        objects=len(truth),
        found=len(found),
        duplicates=len(known) - len(set(majority[known].tolist())),
        unpaired=int((shared_truth[majority[known]] & ~paired[known]).sum()),
        paired=int(paired.sum()),
        classes=totals,
        exact_classes=exact,
        detections=len(sources),
        wrong=int((majority[owners[kept]] != sources[kept]).sum()),
        unused=int((~kept).sum()),
        mixed=int(((shares > 0).sum(axis=1) > 1).sum()),
        nees=position_nees(mine, theirs),
        nis=run.nis,
        errors=np.linalg.norm(position_differences(mine, theirs), axis=1),
        ious=box_overlaps(mine, theirs),
    )


def _count_sources(run: MappingRun) -> NDArray[np.intp]:
    """Count the detections of each true object in each object of the map, shape (m, n)."""
    shares = np.zeros((len(run.found), max(len(run.truth), 1)), dtype=np.intp)
    used = (run.sources >= 0) & (run.owners >= 0)
    np.add.at(shares, (run.owners[used], run.sources[used]), 1)
    return shares


def summarize(tallies: Sequence[Tally]) -> Scores:
    """Combine the counts of several layouts into scores."""

    def total(name: str) -> int:
        return sum(getattr(each, name) for each in tallies)

    def share(part: str, whole: str) -> float | None:
        return total(part) / total(whole) if total(whole) else None

    def mean(name: str, scale: float = 1.0) -> float | None:
        values = np.concatenate([np.zeros(0), *(getattr(each, name) for each in tallies)])
        return float(values.mean()) / scale if len(values) else None

    return Scores(
        objects=total('objects'),
        found=total('found'),
        duplicates=share('duplicates', 'objects'),
        unpaired_duplicates=share('unpaired', 'objects'),
        recall=share('paired', 'objects'),
        precision=share('paired', 'found'),
        class_counts=share('exact_classes', 'classes'),
        wrong_detections=share('wrong', 'detections'),
        unused_detections=share('unused', 'detections'),
        mixed_identities=share('mixed', 'found'),
        anees=mean('nees', 3.0),
        anees_bounds=mean_bounds(sum(len(each.nees) for each in tallies)),
        nis=mean('nis', 3.0),
        position_error=mean('errors'),
        iou=mean('ious'),
    )


def mean_bounds(count: int) -> tuple[float, float] | None:
    """
    Return the interval of the mean of `count` chi-square variables of 3 degrees, divided by 3.

    Two-sided, for 95 % of the samples (Bar-Shalom, Li, Kirubarajan, Estimation with Applications
    to Tracking and Navigation, 2001, section 5.4.2).
    """
    if not count:
        return None
    tails = (0.5 * (1.0 - CONFIDENCE), 0.5 * (1.0 + CONFIDENCE))
    low, high = (float(each) / (3.0 * count) for each in chi2.ppf(tails, 3 * count))
    return low, high
