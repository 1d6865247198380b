# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks of drivable polygons: validity of each one, overlaps, and the size of the area.

Parts of real MultiPolygons touch along edges, so that the whole is not valid in OGC's Simple
Features, although each part is. Parts are checked separately, and united.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import shapely

from world_model_core.bundle.geometry.drivable_area import DEFAULT_PRIORITY, DRIVABLE, unite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
    from world_model_core.files.parsed_document import ValueLocation

# Overlap of touching polygons due to rounding: relative to their area, and at least [m^2].
SLIVER, LEAST_SLIVER = 1e-9, 1e-6
# Edges of different polygons that may meet: uniting two million crossings takes a minute and 1 GB.
MOST_MEETINGS, MEETINGS_OF_AN_EDGE = 200_000, 4
# Number of edges in a block, to limit the memory.
BLOCK = 32
# Smaller areas are in degrees or kilometers [m^2].
LEAST_AREA = 1.0


@dataclass(frozen=True, slots=True)
class PolygonPart:
    """An area, where its polygon is written, and the number of the geometry that it belongs to."""

    area: DrivablePolygon
    location: ValueLocation
    geometry: int


def check_parts(parts: Sequence[PolygonPart]) -> None:
    """Report invalid polygons: they cross themselves, or their holes are outside."""
    polygons = [each.area.polygon for each in parts]
    for index in np.flatnonzero(~shapely.is_valid(polygons)).tolist():
        reason = shapely.is_valid_reason(polygons[index])
        parts[index].location.report('Drivable.InvalidPolygon', found=reason)


def check_areas(drivable: DrivableArea, parts: Sequence[PolygonPart], root: ValueLocation) -> None:
    """
    Check valid polygons together.

    Parameters
    ----------
    drivable : DrivableArea
    parts : sequence of PolygonPart
        Its areas.
    root : ValueLocation
        Receives findings about other types of polygons, a missing or too small drivable area, and
        polygons that overlap or touch.

    """
    used = [each for each in parts if each.area.type == DRIVABLE]
    others = [each for each in parts if each.area.type != DRIVABLE]
    if others:
        found = ', '.join(sorted({each.area.type for each in others}))
        others[0].location.report('Drivable.OtherType', found=found, count=len(others))
    if not used:
        root.report('Drivable.Empty', found=len(parts))
        return
    if _are_tangled(used):
        root.report('Drivable.TooTangled', limit=MOST_MEETINGS)
        return
    if drivable.area < LEAST_AREA:
        root.report('Drivable.TinyArea', found=f'{drivable.area:.3g}', limit=f'{LEAST_AREA:g}')
    if not _note_overlaps(used):
        _note_touching(used)


def _are_tangled(parts: Sequence[PolygonPart]) -> bool:
    """Return whether too many edges of different polygons intersect for a union."""
    rings = [shapely.get_rings(each.area.polygon) for each in parts]
    part_of_ring = np.repeat(np.arange(len(parts)), [len(each) for each in rings])
    corners, ring = shapely.get_coordinates(np.concatenate(rings), return_index=True)
    inner = ring[:-1] == ring[1:]
    low, high = (
        np.minimum(corners[:-1], corners[1:])[inner],
        np.maximum(corners[:-1], corners[1:])[inner],
    )
    part = part_of_ring[ring[:-1][inner]]
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    tree, limit, count = (
        shapely.STRtree(boxes),
        MOST_MEETINGS + MEETINGS_OF_AN_EDGE * len(boxes),
        0,
    )
    for start in range(0, len(boxes), BLOCK):
        first, second = tree.query(boxes[start : start + BLOCK])
        # Each pair is found from both sides.
        count += int(np.count_nonzero(part[first + start] < part[second]))
        if count > limit:
            return True
    return False


def _note_overlaps(parts: Sequence[PolygonPart]) -> bool:
    """Report overlaps of polygons with equal priority."""

    def priority(part: PolygonPart) -> float:
        return part.area.priority or DEFAULT_PRIORITY

    overlapped = False
    for _, group in groupby(sorted(parts, key=priority), key=priority):
        alike = list(group)
        polygons = [shapely.force_2d(each.area.polygon) for each in alike]
        together = float(sum(shapely.area(polygons)))
        # Not pair by pair: there may be as many pairs as parts squared.
        size = together - float(shapely.area(unite(polygons)))
        if size > SLIVER * together + LEAST_SLIVER:
            first, second = _first_overlap(polygons)
            values = {'found': alike[second].location.pointer, 'size': f'{size:.3g}'}
            alike[first].location.report('Drivable.Overlap', **values)
            overlapped = True
    return overlapped


def _first_overlap(polygons: Sequence[shapely.Polygon]) -> tuple[int, int]:
    """Return the first two polygons that overlap."""
    tree, shapes = shapely.STRtree(polygons), np.array(polygons)
    for index, polygon in enumerate(polygons):
        near = np.sort(tree.query(polygon))
        later = near[near > index]
        common = shapely.area(shapely.intersection(polygon, shapes[later]))
        if (common > LEAST_SLIVER).any():
            return index, int(later[np.argmax(common > LEAST_SLIVER)])
    return 0, 0


def _note_touching(parts: Sequence[PolygonPart]) -> None:
    """Report the first geometry that is not valid as a whole although its parts are."""
    for _, group in groupby(parts, key=lambda each: each.geometry):
        members = list(group)
        whole = shapely.multipolygons([each.area.polygon for each in members])
        if not shapely.is_valid(whole):
            reason = shapely.is_valid_reason(whole)
            members[0].location.report('Drivable.PartsTouch', found=reason, count=len(members))
            return
