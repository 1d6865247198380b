# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader of the rings of GeoJSON polygons (RFC 7946, section 3.1.6).

Rings of some data sets are not closed, or have the wrong orientation. These are repaired, and
reported.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from world_model_core.files.parsed_document import UNUSABLE, shown
from world_model_core.files.value_schemas import FARTHEST, ListOf, Number

if TYPE_CHECKING:
    from world_model_core.files.parsed_document import ValueLocation
    from world_model_core.gaussian import Array

# Minimum number of corners of a ring, without the one that closes it.
MIN_CORNERS = 3


@dataclass(frozen=True, slots=True)
class PolygonReader:
    """
    Converts coordinates to polygons.

    Attributes
    ----------
    repaired : dict of list of ValueLocation
        Rings that were closed or reversed, by the code of the violated rule.

    """

    repaired: dict[str, list[ValueLocation]] = field(default_factory=dict)

    def read(self, value: Any, location: ValueLocation) -> shapely.Polygon | None:
        """
        Convert rings to a polygon: first the exterior, counter-clockwise, then holes, clockwise.

        Returns
        -------
        shapely.Polygon or None
            May be not valid; with z if all positions of all rings have z. None after errors.

        """
        given = as_list(value, location)
        if value == []:
            location.report('Drivable.NoRing')
        rings = [
            self._ring(each, location.member(key), key == 0) for key, each in enumerate(given)
        ]
        sound = [each for each in rings if each is not None]
        if not sound or len(sound) < len(rings):
            return None
        axes = min(each.shape[1] for each in sound)
        shell, *holes = (each[:, :axes] for each in sound)
        return shapely.Polygon(shell, holes)

    def report_repairs(self) -> None:
        """Report the repaired rings, once for each violated rule."""
        for code, locations in self.repaired.items():
            locations[0].report(code, count=len(locations))

    def _ring(self, value: Any, location: ValueLocation, is_exterior: bool) -> Array | None:
        corners = read_positions(value, location)
        if corners is None:
            return None
        is_closed = len(corners) > 1 and bool((corners[0, :2] == corners[-1, :2]).all())
        corners = corners[:-1] if is_closed else corners
        area = signed_area(corners) if len(corners) else 0.0
        if area == 0.0 and len(np.unique(corners[:, :2], axis=0)) < MIN_CORNERS:
            location.report('Drivable.RingTooShort', found=len(corners))
            return None
        if not is_closed:
            self.repaired.setdefault('Drivable.RingNotClosed', []).append(location)
        if area != 0.0 and (area > 0.0) != is_exterior:
            code = 'Drivable.ExteriorClockwise' if is_exterior else 'Drivable.HoleCounterclockwise'
            self.repaired.setdefault(code, []).append(location)
            corners = corners[::-1]
        return np.concatenate((corners, corners[:1]))


def read_positions(value: Any, location: ValueLocation) -> Array | None:
    """
    Convert a list of positions to an array.

    Returns
    -------
    array or None
        Shape (n, 3) if all have z, else (n, 2) [m]; further numbers are ignored, as the standard
        requires. None after an error.

    """
    given = as_list(value, location)
    if not given:
        return np.empty((0, 2)) if value == [] else None
    if not _are_positions(given):
        _report_first(given, location)
        return None
    axes = min(3, *map(len, given))
    positions = _array([each[:axes] for each in given])
    far = np.flatnonzero((np.abs(positions) > FARTHEST).any(axis=1))
    if len(far):
        found = ', '.join(f'{number:g}' for number in positions[far[0]])
        location.member(int(far[0])).report('Drivable.FarAway', found=found, limit=f'{FARTHEST:g}')
        return None
    return positions


def as_list(value: Any, location: ValueLocation) -> list[Any]:
    """Return the items of a list; report a value that is not a list, and return no items."""
    if isinstance(value, list):
        return value
    if value is not UNUSABLE:
        location.report('File.NotList', found=shown(value))
    return []


def signed_area(corners: Array) -> float:
    """Return the area of a ring, shape (n, 2 or more) [m^2]: positive if counter-clockwise."""
    # Relative to a corner: products of large coordinates would lose the digits of a small area.
    x, y = (corners[:, :2] - corners[0, :2]).T
    # Therefore the edge that closes the ring at this corner contributes 0.
    return float(0.5 * (x[:-1] @ y[1:] - x[1:] @ y[:-1]))


def _are_positions(value: list[Any]) -> bool:
    """Return whether all items are lists of at least two numbers, not booleans."""
    return (
        set(map(type, value)) == {list}
        and min(map(len, value)) > 1
        and set(map(type, chain.from_iterable(value))) <= {int, float}
    )


def _array(positions: list[list[float]]) -> Array:
    try:
        return np.array(positions, dtype=np.float64)
    except OverflowError:
        # Integers with hundreds of digits.
        beyond = 2.0 * FARTHEST
        bounded = [[max(-beyond, min(x, beyond)) for x in each] for each in positions]
        return np.array(bounded, dtype=np.float64)


def _report_first(value: list[Any], location: ValueLocation) -> None:
    """Report the first item that is not a position."""
    for index, each in enumerate(value):
        here = location.member(index)
        if isinstance(each, list) and len(each) < 2:
            here.report('Drivable.PositionTooShort', found=len(each))
            return
        if ListOf(Number()).read(each, here) is None:
            return
