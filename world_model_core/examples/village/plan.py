# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plan of the example scene: roads, houses, a pond and a field, in two dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import cKDTree
from shapely import LineString, Point, Polygon
from shapely.geometry.polygon import orient

from world_model_core.frames import rotation_about_z

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# Corners of the scene in the map [m].
LOWEST, HIGHEST = np.array((-50.0, -34.0)), np.array((50.0, 34.0))
ROUNDABOUT, RING_RADIUS = np.array((4.0, 0.0)), 8.0
# Half the width of the main road, the side street and the ring [m].
MAIN, SIDE, RING = 3.3, 2.6, 2.8
TOLERANCE = 0.02  # tolerance of the outlines of roads [m]
# Length of roads beyond the border, so that they cross it in full width [m].
OVERHANG = 6.0


@dataclass(frozen=True, slots=True)
class VillageHouse:
    """
    A house with a gable roof.

    Attributes
    ----------
    center : tuple of float
        x, y [m].
    heading : float
        Direction of the ridge [rad].
    size : tuple of float
        Length along the ridge and width [m].
    floor : float
        Height of the ground below the house [m].
    wall : float
        Height of the walls [m].
    wall_color, roof_color : tuple of float

    """

    center: tuple[float, float]
    heading: float
    size: tuple[float, float]
    floor: float
    wall: float
    wall_color: tuple[float, float, float]
    roof_color: tuple[float, float, float]

    def local(self, points: Array) -> Array:
        """Transform x, y, shape (..., 2), to the house: along and across its ridge [m]."""
        return np.asarray((points - np.array(self.center)) @ self.turn[:2, :2])

    @property
    def turn(self) -> Array:
        """Rotation from the axes of the house (along its ridge, across, up) to the map, (3, 3)."""
        return rotation_about_z(self.heading)

    def to_map(self, points: Array) -> Array:
        """Transform points from the frame of the house, shape (..., 3), to the map [m]."""
        return np.asarray(points @ self.turn.T + np.array((*self.center, self.floor)))

    def distance(self, points: Array) -> Array:
        """Return the distance of points, shape (..., 2), to the walls, 0 inside [m]."""
        beyond = np.maximum(np.abs(self.local(points)) - np.array(self.size) / 2.0, 0.0)
        return np.asarray(np.hypot(beyond[..., 0], beyond[..., 1]))


@dataclass(frozen=True, slots=True)
class Oval:
    """An axis-aligned ellipse: center and radii [m]."""

    center: tuple[float, float]
    radii: tuple[float, float]

    def distance(self, points: Array) -> Array:
        """Return the approximate distance of points, shape (..., 2), negative inside [m]."""
        scaled = (points - np.array(self.center)) / np.array(self.radii)
        return np.asarray((np.hypot(scaled[..., 0], scaled[..., 1]) - 1.0) * min(self.radii))


BRICK, SLATE, STRAW = (0.72, 0.30, 0.20), (0.34, 0.38, 0.46), (0.58, 0.42, 0.26)
WHITE, CREAM, ROSE = (0.93, 0.91, 0.86), (0.91, 0.82, 0.66), (0.86, 0.68, 0.60)
HOUSES = (
    VillageHouse((-33.0, 8.5), 0.25, (9.0, 7.0), 0.6, 3.0, CREAM, BRICK),
    VillageHouse((-20.0, 6.5), -0.1, (10.0, 7.0), 0.6, 3.2, WHITE, SLATE),
    VillageHouse((-6.5, 16.5), 1.45, (8.5, 6.5), 2.0, 3.0, ROSE, BRICK),
    VillageHouse((17.0, 17.0), 1.3, (9.0, 7.0), 2.2, 3.0, CREAM, SLATE),
    VillageHouse((30.0, 16.5), 0.1, (10.0, 6.5), 2.2, 3.2, WHITE, BRICK),
    VillageHouse((-9.0, -16.5), 0.35, (9.0, 6.5), 0.3, 2.8, WHITE, STRAW),
)
POND = Oval((-33.0, -19.5), (10.5, 6.5))
# Minimum and maximum x, y [m]; rows are along x.
FIELD = np.array(((16.0, -30.0), (46.0, -8.0)))


@cache
def main_road() -> LineString:
    """Return the center line of the main road, from west to east."""
    x = np.linspace(LOWEST[0] - OVERHANG, HIGHEST[0] + OVERHANG, 400)
    return LineString(np.column_stack((x, 6.0 * np.sin((x - ROUNDABOUT[0]) / 17.0))))


@cache
def side_street() -> LineString:
    """Return the center line of the side street, from the roundabout to the north."""
    y = np.linspace(0.0, HIGHEST[1] + OVERHANG, 150)
    return LineString(np.column_stack((ROUNDABOUT[0] + 2.5 * np.sin(y / 13.0), y)))


@cache
def drivable_areas() -> tuple[Polygon, ...]:
    """
    Return the outlines of the main road with its roundabout (with a hole), and the side street.

    They touch, but do not overlap; both end at the border of the scene. Exteriors are
    counter-clockwise, holes clockwise.
    """
    center, scene = Point(ROUNDABOUT), Polygon.from_bounds(*LOWEST, *HIGHEST)
    disc = center.buffer(RING_RADIUS + RING, quad_segs=16)
    island = center.buffer(RING_RADIUS - RING, quad_segs=12)
    outline = ((_band(main_road(), MAIN) | disc) & scene).simplify(TOLERANCE)
    side = (_band(side_street(), SIDE) & scene).simplify(TOLERANCE) - outline
    both = (outline - island, side)
    return tuple(orient(area) for area in both if isinstance(area, Polygon))


def _band(line: LineString, half_width: float) -> Polygon:
    return line.buffer(half_width, cap_style='flat')


def distance_to_road(points: Array) -> Array:
    """Return the distance of points, shape (..., 2), to the nearest road, negative on it [m]."""
    flat = points.reshape(-1, 2)
    nearest = np.minimum(
        _center_line('main').query(flat)[0] - MAIN, _center_line('side').query(flat)[0] - SIDE
    )
    radii = np.hypot(*(flat - ROUNDABOUT).T)
    ring = np.abs(radii - RING_RADIUS) - RING
    away = np.where(radii < RING_RADIUS, ring, np.minimum(nearest, ring))
    return np.asarray(away).reshape(points.shape[:-1])


@cache
def _center_line(name: str) -> cKDTree:
    line = {'main': main_road, 'side': side_street}[name]()
    return cKDTree(np.array(line.segmentize(0.2).coords))
