# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Roads of the example scene as Gaussians: asphalt, lane marks, a zebra crossing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from shapely import Point

from world_model_core.examples.village.ground import heights
from world_model_core.examples.village.paint import Paint, discs, join_paint
from world_model_core.examples.village.plan import (
    HIGHEST,
    LOWEST,
    MAIN,
    RING,
    RING_RADIUS,
    ROUNDABOUT,
    SIDE,
    main_road,
    side_street,
)

if TYPE_CHECKING:
    from numpy.random import Generator
    from shapely import LineString

    from world_model_core.gaussian import Array

ASPHALT, MARK, CURB = np.array(((0.33, 0.34, 0.36), (0.94, 0.94, 0.90), (0.70, 0.69, 0.66)))
# Height of marks above the asphalt, so that they are in front of it from all sides [m].
MARK_HEIGHT = 0.04
DASH, GAP = 3.0, 4.0  # lengths along the center line [m]
# x of the zebra crossing, and the distance around it without a center line [m].
CROSSING, CLEAR = -9.0, 3.0


class Ribbon:
    """
    A road along a line; points are given by distance along the line and offset to the left.

    Parameters
    ----------
    line : LineString
    half_width : float
        [m]

    """

    def __init__(self, line: LineString, half_width: float) -> None:
        self.half_width = half_width
        self.length = line.length
        self._points = np.array(line.segmentize(0.5).coords)
        self._ways = np.append(0.0, np.cumsum(np.hypot(*np.diff(self._points, axis=0).T)))

    def points(self, along_road: Array, left: Array | float) -> tuple[Array, Array]:
        """Return points x, y, shape (n, 2) [m], and the directions of the road, (n, 2)."""
        along_road = np.clip(along_road, 0.1, self.length - 0.1)
        ahead = self._point(along_road + 0.05) - self._point(along_road - 0.05)
        ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
        to_left = np.column_stack((-ahead[:, 1], ahead[:, 0]))
        return self._point(along_road) + to_left * np.reshape(left, (-1, 1)), ahead

    def _point(self, along_road: Array) -> Array:
        axes = [np.interp(along_road, self._ways, axis) for axis in self._points.T]
        return np.column_stack(axes)

    def asphalt(self, rng: Generator) -> Paint:
        """Return the surface of the road."""
        lanes = np.linspace(-1.0, 1.0, 2 * round(self.half_width / 0.42)) * (self.half_width - 0.3)
        along_road, left = np.meshgrid(np.arange(0.0, self.length, 0.9), lanes)
        along_road = along_road + rng.uniform(-0.2, 0.2, along_road.shape)
        points, ahead = self.points(along_road.ravel(), left.ravel())
        tone = rng.uniform(0.93, 1.07, (len(points), 1))
        worn = 1.0 + 0.08 * np.cos(np.pi * left.ravel()[:, None] / 0.85)
        return _flat(points, ahead, (0.55, 0.27), ASPHALT * tone * worn, height=0.01, gloss=0.1)

    def line(self, left: float, width: float, color: Array, step: float = 0.8) -> Paint:
        """Return a line along the road."""
        points, ahead = self.points(np.arange(0.0, self.length, step), left)
        return _flat(points, ahead, (0.55 * step, width), color)

    def dashes(self) -> Paint:
        """Return the dashed center line."""
        starts = np.arange(0.0, self.length, DASH + GAP)
        along_road = (starts[:, None] + np.linspace(0.0, DASH, 4)).ravel()
        points, ahead = self.points(along_road, 0.0)
        free = np.abs(points[:, 0] - CROSSING) > CLEAR
        return _flat(points[free], ahead[free], (0.5, 0.075), MARK)


def paint_roads(rng: Generator) -> Paint:
    """Return the Gaussians of roads and their marks."""
    main, side = Ribbon(main_road(), MAIN), Ribbon(side_street(), SIDE)
    ring = Ribbon(_circle(RING_RADIUS), RING)
    open_road = [main.asphalt(rng), main.dashes(), side.asphalt(rng)]
    open_road += [main.line(left, 0.07, MARK) for left in (-MAIN + 0.35, MAIN - 0.35)]
    open_road += [side.line(left, 0.05, MARK) for left in (-SIDE + 0.3, SIDE - 0.3)]
    outside = [_outside_ring(each) for each in open_road]
    curb = ring.line(RING - 0.05, 0.13, CURB)
    return join_paint((*outside, ring.asphalt(rng), curb, _yield_lines(main), _zebra(main)))


def _zebra(main: Ribbon) -> Paint:
    """Return a zebra crossing of the main road."""
    stripes = np.linspace(-MAIN + 0.8, MAIN - 0.8, 6)
    start = CROSSING - main.points(np.zeros(1), 0.0)[0][0, 0]
    along_road, left = np.meshgrid(start * 1.04 + np.linspace(-1.2, 1.2, 4), stripes)
    points, ahead = main.points(along_road.ravel(), left.ravel())
    return _flat(points, ahead, (0.45, 0.16), MARK)


def _yield_lines(main: Ribbon) -> Paint:
    """Return yield lines: short dashes around the ring where roads enter."""
    angle = np.arange(0.0, 2.0 * np.pi, 0.075)
    outward = np.column_stack((np.cos(angle), np.sin(angle)))
    points = ROUNDABOUT + (RING_RADIUS + RING + 0.1) * outward
    along = np.column_stack((-outward[:, 1], outward[:, 0]))
    middle, _ = main.points(np.arange(0.0, main.length, 0.2), 0.0)
    near = np.linalg.norm(points[:, None] - middle, axis=2).min(axis=1) < MAIN - 0.4
    near |= (np.abs(points[:, 0] - ROUNDABOUT[0] - 1.9) < SIDE - 0.4) & (points[:, 1] > 0.0)
    return _flat(points[near], along[near], (0.16, 0.11), MARK)


def _flat(
    points: Array,
    ahead: Array,
    size: tuple[float, float],
    color: Array,
    *,
    height: float = MARK_HEIGHT,
    gloss: float = 0.0,
) -> Paint:
    inside = np.asarray(((points > LOWEST) & (points < HIGHEST)).all(axis=1))
    ahead, points = ahead[inside], points[inside]
    colors = np.broadcast_to(color, (len(inside), 3))[inside]
    rise = heights(points + 0.3 * ahead) - heights(points - 0.3 * ahead)
    along = np.column_stack((0.6 * ahead, rise))
    across = np.column_stack((-ahead[:, 1], ahead[:, 0], np.zeros(len(ahead))))
    positions = np.column_stack((points, heights(points) + height))
    return discs(positions, np.cross(along, across), along, size, colors, gloss=gloss)


def _outside_ring(paint: Paint) -> Paint:
    away = np.linalg.norm(paint.positions[:, :2] - ROUNDABOUT, axis=1)
    return paint.select(away > RING_RADIUS + RING - 0.2)


def _circle(radius: float) -> LineString:
    return Point(ROUNDABOUT).buffer(radius, quad_segs=32).exterior
