# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes of the ground: drivable or not, and their selection for display."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.geometry import heightmap_grid as ground_grid
from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.geometry.heightmap_grid import ground_points, occupancy


def ground(rows, columns, resolution=0.5, origin=(-1.0, 2.0)):
    """Make ground whose height at each node is the node's number."""
    heights = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    return Heightmap('1.0.0', heights, resolution, origin, (0.0, rows * columns))


def test_nodes_are_free_occupied_or_unknown():
    """Nodes in the area are free even where the ground is unknown; the others are not."""
    heightmap = ground(3, 4)
    heightmap.heights[0, 0] = heightmap.heights[2, 3] = np.nan
    # Nodes at x = -1, -0.5 and y = 2, 2.5.
    drivable = DrivableArea((DrivablePolygon(shapely.box(-1.2, 1.8, -0.4, 2.6)),))
    assert occupancy(drivable, heightmap).tolist() == [
        [0, 0, 100, 100],
        [0, 0, 100, 100],
        [100, 100, 100, -1],
    ]


def test_blocks_do_not_matter(monkeypatch):
    """The grid does not depend on the number of nodes per block."""
    heightmap = ground(37, 23)
    drivable = DrivableArea((DrivablePolygon(shapely.Point(3.0, 8.0).buffer(4.0)),))
    whole = occupancy(drivable, heightmap)
    assert set(np.unique(whole)) == {0, 100}
    for block in (1, 23, 50, 100):
        monkeypatch.setattr(ground_grid, 'BLOCK', block)
        assert (occupancy(drivable, heightmap) == whole).all()


def test_all_nodes_are_points_where_there_is_room():
    """The first is at the origin, x increases along a row, y from row to row."""
    points = ground_points(ground(3, 4), most=12)
    assert points.shape == (3, 4, 3)
    assert points.dtype == np.float32
    assert points[0, 0].tolist() == [-1.0, 2.0, 0.0]
    assert points[0, 3].tolist() == [0.5, 2.0, 3.0]
    assert points[2, 1].tolist() == [-0.5, 3.0, 9.0]


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 500))
def test_points_are_limited_and_exact(rows, columns, most):
    """Each point is a node with its height, and their number is limited."""
    heightmap = ground(rows, columns)
    points = ground_points(heightmap, most).reshape(-1, 3).astype(float)
    assert 1 <= len(points) <= most
    column, row = ((points[:, :2] - heightmap.origin) / heightmap.resolution).T
    assert points[:, 2].tolist() == (row * columns + column).tolist()


def test_no_more_is_left_out_than_necessary():
    """2048 x 2048 nodes with a limit of half a million: every third of every third row."""
    heightmap = Heightmap('1.0.0', np.zeros((2048, 2048), np.float32), 0.1, (0.0, 0.0), (0, 0))
    assert ground_points(heightmap, 500_000).shape == (683, 683, 3)


def test_ground_that_is_not_known_stays_in_its_place():
    """Its point has no height, and its neighbors stay in place."""
    heightmap = ground(2, 2)
    heightmap.heights[0, 1] = np.nan
    points = ground_points(heightmap, 4)
    assert np.isnan(points[..., 2]).tolist() == [[False, True], [False, False]]
    assert points[0, 1, :2] == pytest.approx((-0.5, 2.0))
