# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Costmap: a grid of the floor with the cost of driving through each cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import binary_closing
from scipy.spatial import KDTree

from world_model_core.objects.labels import normalize_label
from world_model_core.objects.navigation.convex_outlines import convex_hull, distances
from world_model_core.objects.relations.boxes import footprint_corners
from world_model_core.objects.relations.class_roles import ClassRole, role_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.relations.boxes import Boxes
    from world_model_core.objects.values import MapObject

__all__ = [
    'OBSTACLE',
    'OUTSIDE',
    'ROBOT_RADIUS',
    'Costmap',
    'costmap_of_points',
    'empty_costmap',
    'find_obstacles',
    'make_costmap',
    'raise_costs',
]

# Cell widths [m]: about half a robot; smaller for dense traversable points, larger for big houses.
CELL, LEAST_CELL, MOST_CELL = 0.2, 0.1, 0.5
MOST_CELLS = 250_000
# Points of a traversable cloud are connected up to this multiple of their spacing.
REACH = 1.5
# Free margin around all objects of the map [m].
MARGIN = 2.0
# Radius of the robot [m]: it cannot stand closer to an object.
ROBOT_RADIUS = 0.35
# Lower objects are driven over, higher ones are driven under [m].
STEP, ROBOT_HEIGHT = 0.1, 0.8
# Detour that is accepted to avoid one meter through an obstacle [m].
OBSTACLE = 20.0
# The same for one meter outside the convex hull of all objects, where walls may be.
OUTSIDE = 5.0


@dataclass(frozen=True, eq=False)
class Costmap:
    """
    A grid of driving costs.

    Attributes
    ----------
    origin : array, shape (2,)
        Center of the first cell [m].
    cell : float
        Width of a cell [m].
    costs : array, shape (rows, columns)
        Cost per meter, by y and x: 1 if free, infinite if impassable.

    """

    origin: Array
    cell: float
    costs: Array

    @cached_property
    def centers(self) -> Array:
        """Centers of the cells [m], shape (rows, columns, 2)."""
        rows, columns = self.costs.shape
        x = self.origin[0] + self.cell * np.arange(columns)
        y = self.origin[1] + self.cell * np.arange(rows)
        return np.stack(np.meshgrid(x, y), axis=-1)

    def locate(self, points: Array) -> NDArray[np.intp]:
        """Return the cells (..., 2), row and column, nearest to points (..., 2)."""
        indices = np.rint((points - self.origin) / self.cell)[..., ::-1].astype(np.intp)
        limits = np.array(self.costs.shape) - 1
        return indices.clip(0, limits)

    def costs_at(self, points: Array) -> Array:
        """Return the costs at points (..., 2); infinite outside the grid."""
        indices = np.rint((points - self.origin) / self.cell)[..., ::-1].astype(np.intp)
        inside = ((indices >= 0) & (indices < self.costs.shape)).all(axis=-1)
        rows, columns = np.moveaxis(self.locate(points), -1, 0)
        return np.where(inside, self.costs[rows, columns], np.inf)

    def window(self, points: Array, reach: float) -> tuple[slice, slice]:
        """Return the rows and columns that may be within a distance [m] of points (n, 2)."""
        reach = min(reach, self.cell * max(self.costs.shape))
        low = self.locate(points.min(axis=0) - reach) - 1
        high = self.locate(points.max(axis=0) + reach) + 2
        (top, left), (bottom, right) = low.clip(0).tolist(), high.tolist()
        return slice(top, bottom), slice(left, right)

    def part(self, window: tuple[slice, slice]) -> Costmap:
        """Return the part of the costmap in some rows and columns."""
        top, left = (side.start for side in window)
        origin = self.origin + self.cell * np.array((left, top))
        return Costmap(origin, self.cell, self.costs[window])

    def worst_between(self, start: Array, end: Array) -> float:
        """Return the highest cost on the straight line between two points (2,)."""
        steps = max(1, int(np.ceil(2.0 * np.linalg.norm(end - start) / self.cell)))
        route = start + (end - start) * (np.arange(steps + 1) / steps)[:, None]
        return float(self.costs_at(route).max())


def make_costmap(
    objects: Sequence[MapObject], boxes: Boxes, traversable: Array | None, robot: Array | None
) -> Costmap:
    """
    Build the costmap of a scene.

    Parameters
    ----------
    objects : sequence of MapObject, length n
    boxes : Boxes, shape (n,)
        Boxes of the objects.
    traversable : array, shape (m, 2), optional
        Points where a robot can drive [m]; all other places are then impassable.
    robot : array, shape (3,), optional
        Pose of the robot.

    Returns
    -------
    Costmap
        Without traversable points, the floor is free except for obstacles. Obstacles and the floor
        outside all objects have high but finite costs, because a box can be larger than its
        object.

    """
    if traversable is not None and len(traversable):
        return costmap_of_points(np.asarray(traversable, dtype=np.float64)[:, :2])
    # The map of an empty house contains the position of the robot, or the origin.
    here = np.zeros(2) if robot is None else np.asarray(robot)[:2]
    known = footprint_corners(boxes).reshape(-1, 2)
    if robot is not None or not len(known):
        known = np.concatenate([known, here[None]])
    costmap = empty_costmap(known.min(axis=0), known.max(axis=0))
    beyond = distances(costmap.centers, convex_hull(known)) > 0.0
    costmap = Costmap(costmap.origin, costmap.cell, np.where(beyond, OUTSIDE, 1.0))
    return raise_costs(costmap, find_obstacles(objects, boxes), OBSTACLE, ROBOT_RADIUS)


def costmap_of_points(points: Array) -> Costmap:
    """
    Build a costmap from traversable points (n, 2) [m]; everything else is impassable.

    The cell width is chosen so that neighboring points are in neighboring cells.
    """
    sample = points[:: max(1, len(points) // 2000)]
    spacing, _ = KDTree(points).query(sample, k=min(2, len(points)))
    dense = REACH * float(np.median(np.reshape(spacing, (len(sample), -1))[:, -1]))
    low, high = points.min(axis=0), points.max(axis=0)
    cell = _afford(float(np.clip(dense, LEAST_CELL, MOST_CELL)), high - low)
    shape = np.ceil((high - low) / cell).astype(int)[::-1] + 1
    costmap = Costmap(low, cell, np.ones(shape))
    free = np.zeros(shape, dtype=np.bool_)
    rows, columns = costmap.locate(points).T
    free[rows, columns] = True
    padded = np.pad(free, 1)
    free |= binary_closing(padded)[1:-1, 1:-1]
    return Costmap(low, cell, np.where(free, 1.0, np.inf))


def empty_costmap(low: Array, high: Array) -> Costmap:
    """Build a free costmap from one corner (2,) to the other, with a margin."""
    low, high = low - MARGIN, high + MARGIN
    cell = _afford(CELL, high - low)
    shape = np.ceil((high - low) / cell).astype(int)[::-1] + 1
    return Costmap(low, cell, np.ones(shape))


def _afford(cell: float, extent: Array) -> float:
    """Increase the cell width if there would be too many cells."""
    return max(cell, float(np.sqrt(np.prod(extent + cell) / MOST_CELLS)))


def raise_costs(
    costmap: Costmap, outlines: Iterable[Array], factor: float, reach: float
) -> Costmap:
    """Multiply the costs of all cells within a distance [m] of outlines (m, 2), once."""
    costs, centers = costmap.costs.copy(), costmap.centers
    touched = np.zeros(costs.shape, dtype=np.bool_)
    for outline in outlines:
        window = costmap.window(outline, reach)
        touched[window] |= distances(centers[window], outline) <= reach
    costs[touched] *= factor
    return Costmap(costmap.origin, costmap.cell, costs)


def find_obstacles(objects: Sequence[MapObject], boxes: Boxes) -> tuple[Array, ...]:
    """
    Return the footprints of obstacles, each (4, 2) [m].

    Obstacles are objects between the floor and the height of a robot. Parts of the building are
    excluded except for walls: a robot drives through doors and over floors.
    """
    if not objects:
        return ()
    floor = float(boxes.bottoms.min())
    in_height = (boxes.bottoms < floor + ROBOT_HEIGHT) & (boxes.tops > floor + STEP)
    solid = np.array([_is_solid(each.label) for each in objects], dtype=np.bool_)
    return tuple(footprint_corners(boxes)[in_height & solid])


def _is_solid(label: str) -> bool:
    name = normalize_label(label)
    return name.endswith('wall') or not role_of(name) & ClassRole.STRUCTURE
