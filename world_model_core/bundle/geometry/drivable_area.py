# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Drivable area: polygons in the map with their rules, and the distance to their edge.

Polygons may touch and overlap, as in real maps. Their union has no edges between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from world_model_core.bundle.equality import Comparable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array

# The only type of drivable polygons.
DRIVABLE = 'drivable'
# Priority of polygons without one.
DEFAULT_PRIORITY = 0.0
# Number of points in a block, to limit the memory.
BLOCK = 65536
# Pairs of polygons with common bounds, for each polygon, up to which groups are searched.
MOST_PAIRS = 64


@dataclass(frozen=True, slots=True, eq=False)
class DrivablePolygon(Comparable):
    """
    A polygon and its rules.

    Attributes
    ----------
    polygon : shapely.Polygon
        Valid, exterior counter-clockwise, in the map [m]; with z where the file has it.
    type : str
        'drivable', or another type that is not drivable.
    speed_limit : float or None
        [m/s]; km/h in the file. None if the file has none.
    priority : float or None
        Where polygons overlap the highest priority applies.
    extra : mapping
        Properties that are not in the contract.

    """

    polygon: shapely.Polygon
    type: str = DRIVABLE
    speed_limit: float | None = None
    priority: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class DrivableArea(Comparable):
    """
    All areas of a scene.

    Attributes
    ----------
    areas : tuple of DrivablePolygon
        In the order of the file, including those that are not drivable.
    crs : str or None
        Name of the coordinate reference system, as the file has it.
    extra : mapping
        Members of the file that are not in the contract.

    """

    areas: tuple[DrivablePolygon, ...]
    crs: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def union(self) -> shapely.Geometry:
        """The drivable areas as one polygon or multipolygon, prepared for queries."""
        union = unite(self._polygons)
        shapely.prepare(union)
        return union

    @property
    def area(self) -> float:
        """Size of the union [m^2]."""
        return float(shapely.area(self.union))

    @property
    def vertices(self) -> Array:
        """All corners of the drivable areas, shape (n, 3) [m]; z is NaN where it is not given."""
        polygons = [each.polygon for each in self.areas if each.type == DRIVABLE]
        vertices: Array = shapely.get_coordinates(polygons, include_z=True)
        return vertices

    def contains(self, points: ArrayLike) -> NDArray[np.bool_]:
        """
        Return which points are in the drivable area.

        Parameters
        ----------
        points : array, shape (..., 2)
            x, y in the map [m].

        Returns
        -------
        array of bool, shape (...)
            False on the edge itself, as in shapely, and for NaN.

        """
        given = _checked(points)
        inside: NDArray[np.bool_] = shapely.contains_xy(self.union, given[..., 0], given[..., 1])
        return inside

    def distance_to_edge(self, points: ArrayLike) -> Array:
        """
        Compute the distance to the edge of the drivable area.

        Parameters
        ----------
        points : array, shape (..., 2)
            x, y in the map [m].

        Returns
        -------
        array, shape (...)
            Distances [m]: positive inside, negative outside; NaN for NaN.

        """
        given = _checked(points)
        distances = _by_blocks(self._unsigned_distances, given)
        return np.where(self.contains(given), distances, -distances)

    def speed_limits(self, points: ArrayLike) -> Array:
        """
        Return the speed limits [m/s] of the polygons that `area_indices` selects.

        NaN outside of the drivable area and where there is no limit.
        """
        limits = [np.nan if each.speed_limit is None else each.speed_limit for each in self.areas]
        return self._look_up(limits, points)

    def priorities(self, points: ArrayLike) -> Array:
        """
        Return the priorities of the polygons that `area_indices` selects.

        NaN outside of the drivable area; 0 for polygons without a priority.
        """
        return self._look_up([_priority(each) for each in self.areas], points)

    def area_indices(self, points: ArrayLike) -> NDArray[np.intp]:
        """
        Return the drivable polygon that applies at each point, including its edge.

        Where several overlap, the one with the highest priority applies, then the lowest speed
        limit, then the first in the file.

        Parameters
        ----------
        points : array, shape (..., 2)
            x, y in the map [m].

        Returns
        -------
        array of int, shape (...)
            Indices into `areas`; -1 outside of all of them.

        """
        return _by_blocks(self._first_areas, _checked(points)).astype(np.intp)

    @cached_property
    def _ranks(self) -> NDArray[np.intp]:
        """Indices of the drivable polygons in the order of precedence."""

        def rank(index: int) -> tuple[float, float]:
            area = self.areas[index]
            return -_priority(area), np.inf if area.speed_limit is None else area.speed_limit

        drivable = [index for index, each in enumerate(self.areas) if each.type == DRIVABLE]
        return np.array(sorted(drivable, key=rank), dtype=np.intp)

    @cached_property
    def _polygons(self) -> list[shapely.Polygon]:
        """The drivable areas in the plane, in the order of `_ranks`."""
        return [shapely.force_2d(self.areas[index].polygon) for index in self._ranks]

    @cached_property
    def _polygon_tree(self) -> shapely.STRtree:
        return shapely.STRtree(self._polygons)

    @cached_property
    def _edge_tree(self) -> shapely.STRtree:
        """All edges of the union; many small boxes are searched faster than rings."""
        rings = shapely.get_rings(shapely.get_parts(self.union))
        corners, ring_of = shapely.get_coordinates(rings, return_index=True)
        pairs = np.stack((corners[:-1], corners[1:]), axis=1)
        return shapely.STRtree(shapely.linestrings(pairs[ring_of[:-1] == ring_of[1:]]))

    def _first_areas(self, points: Array) -> Array:
        """Find the drivable area that counts at each point, shape (n, 2); -1 without one."""
        found, ranks = self._polygon_tree.query(shapely.points(points), predicate='intersects')
        first = np.full(len(points), len(self._ranks), dtype=np.intp)
        np.minimum.at(first, found, ranks)
        return np.append(self._ranks, -1)[first]

    def _unsigned_distances(self, points: Array) -> Array:
        """Compute the distance to the nearest edge for each point, shape (n, 2)."""
        finite = np.isfinite(points).all(axis=1)
        distances = np.full(len(points), np.nan)
        nearest = self._edge_tree.query_nearest(
            shapely.points(points[finite]), return_distance=True, all_matches=False
        )
        distances[np.flatnonzero(finite)[nearest[0][0]]] = nearest[1]
        return distances

    def _look_up(self, values: list[float], points: ArrayLike) -> Array:
        return np.array([*values, np.nan])[self.area_indices(points)]


def _priority(area: DrivablePolygon) -> float:
    return DEFAULT_PRIORITY if area.priority is None else area.priority


def _checked(points: ArrayLike) -> Array:
    given = np.asarray(points, dtype=np.float64)
    if given.shape[-1:] != (2,):
        raise ValueError(f'points have shape {given.shape}; the last axis must be x, y')
    return given


def _by_blocks(function: Callable[[Array], Array], points: Array) -> Array:
    """Apply a function of points, shape (n, 2), to points of any shape, within bounded memory."""
    flat = points.reshape(-1, 2)
    result = np.empty(len(flat))
    for start in range(0, len(flat), BLOCK):
        block = slice(start, start + BLOCK)
        result[block] = function(flat[block])
    return result.reshape(points.shape[:-1])


def unite(polygons: Sequence[shapely.Polygon]) -> shapely.Geometry:
    """
    Return the union of polygons.

    GEOS needs quadratic time for polygons that are apart, as those of a city; therefore each
    group of polygons with common bounds is united alone.
    """
    shapes = np.array(polygons)
    groups = _groups(shapes)
    if groups is None:
        return shapely.union_all(shapes)
    united = [
        shapes[each[0]] if len(each) == 1 else shapely.union_all(shapes[each]) for each in groups
    ]
    parts = shapely.get_parts(united)
    return shapely.MultiPolygon(parts.tolist()) if len(parts) > 1 else parts[0]


def _groups(shapes: NDArray[Any]) -> list[NDArray[np.intp]] | None:
    """Return groups of polygons with common bounds; None if there is one or too many pairs."""
    tree, pairs, found = shapely.STRtree(shapes), 0, []
    for start in range(0, len(shapes), BLOCK // MOST_PAIRS):
        first, second = tree.query(shapes[start : start + BLOCK // MOST_PAIRS])
        found.append((first + start, second))
        pairs += len(first)
        if pairs > MOST_PAIRS * len(shapes):
            return None
    if not found:
        return None
    row, column = np.hstack(found)
    graph = coo_array((np.ones(len(row)), (row, column)), shape=(len(shapes), len(shapes)))
    count, group = connected_components(graph, directed=False)
    order = np.argsort(group, kind='stable')
    return np.split(order, np.searchsorted(group[order], np.arange(1, count)))
