# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The border of the drivable area on the ground, as lines to be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

if TYPE_CHECKING:
    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.gaussian import Array

__all__ = ['drivable_outline', 'raised_ground']

# Height above the ground, for visibility [m].
RAISED = 0.1
# Distance between corners of outlines [m], increased if there were more corners than the maximum.
SPACING, MOST_CORNERS = 2.0, 20_000
# Tolerance of simplified outlines [m].
TOLERANCE = 0.05


def drivable_outline(drivable: DrivableArea, heightmap: Heightmap) -> Array:
    """Return the border as line segments a little above the ground, shape (n, 2, 3) [m]."""
    lines = shapely.boundary(shapely.simplify(drivable.union, TOLERANCE))
    spacing = max(SPACING, shapely.length(lines) / MOST_CORNERS)
    dense = shapely.get_parts(shapely.segmentize(lines, spacing))
    corners, line_of = shapely.get_coordinates(dense, return_index=True)
    points = raised_ground(corners, heightmap)
    starts = np.flatnonzero(line_of[:-1] == line_of[1:])
    return np.stack((points[starts], points[starts + 1]), axis=1)


def raised_ground(places: Array, heightmap: Heightmap) -> Array:
    """Place points, shape (n, 2), above the ground, or the nearest one if it is unknown."""
    return np.column_stack((places, heightmap.nearest_heights_at(places) + RAISED))
