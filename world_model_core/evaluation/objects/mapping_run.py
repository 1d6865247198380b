# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Run of a mapper on a layout: the object of each detection, and the resulting map."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import mahalanobis_squared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from world_model_core.evaluation.objects.baselines import Mapper
    from world_model_core.gaussian import Array
    from world_model_core.objects.values import CameraView, Detections, MapObject
    from world_model_core.simulation.house.room_detector import SimulatedFrame


@dataclass(frozen=True, slots=True)
class MappingRun:
    """
    Results of a mapper on a layout.

    Attributes
    ----------
    truth : tuple of MapObject
    found : tuple of MapObject
        The resulting map.
    sources : array of int, shape (n,)
        Index in `truth` of each detection's object, -1 for clutter.
    owners : array of int, shape (n,)
        Index in `found` of the object it was assigned to, after merges; -1 if that is not in the
        map.
    nis : array, shape (k,)
        Squared Mahalanobis distances between detections and the objects that they updated, before
        the update.

    """

    truth: tuple[MapObject, ...]
    found: tuple[MapObject, ...]
    sources: NDArray[np.intp]
    owners: NDArray[np.intp]
    nis: Array


def run_mapper(
    truth: Sequence[MapObject],
    frames: Iterable[SimulatedFrame],
    mapper: Mapper,
    views: Iterable[CameraView] | None = None,
) -> MappingRun:
    """Run a mapper on all frames of a layout, with their camera views if given."""
    sources: list[NDArray[np.intp]] = []
    names: list[str | None] = []
    nis: list[Array] = []
    all_views: Iterable[CameraView | None] = repeat(None) if views is None else views
    for (detections, shown), view in zip(frames, all_views, strict=False):
        before = {each.id: each for each in mapper.objects}
        owners = mapper.observe(detections, view)
        nis.append(_innovations(detections, [before.get(name or '') for name in owners]))
        sources.append(shown)
        names.extend(owners)
    found = mapper.counted
    index = {each.id: number for number, each in enumerate(found)}
    final = [-1 if name is None else index.get(mapper.survivor(name), -1) for name in names]
    return MappingRun(
        truth=tuple(truth),
        found=found,
        sources=np.concatenate(sources),
        owners=np.array(final, dtype=np.intp),
        nis=np.concatenate(nis),
    )


def _innovations(detections: Detections, owners: Sequence[MapObject | None]) -> Array:
    """Return the squared Mahalanobis distances between detections and their objects."""
    known = [(index, each) for index, each in enumerate(owners) if each is not None]
    if not known:
        return np.zeros(0)
    rows = [index for index, _ in known]
    difference = detections.positions[rows] - [each.position for _, each in known]
    spread = detections.covariances[rows] + np.array([each.covariance for _, each in known])
    return mahalanobis_squared(difference, spread)
