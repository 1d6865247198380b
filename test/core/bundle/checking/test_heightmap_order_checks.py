# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Heightmaps in a wrong order are found by objects on the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.checking.heightmap_order_checks import (
    heightmap_orientation,
    heightmap_rows,
)
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.geometry.mesh import Mesh
from world_model_core.bundle.values import Manifest

PATHS = {'geometry/heightmap': 'heightmap.bin', 'geometry/heightmap_meta': 'heightmap.yaml'}
MANIFEST = Manifest('1.0.0', 'hills', PATHS)
ORDERS = {
    'Heightmap.LooksTransposed': lambda grid: grid.T.reshape(grid.shape),
    'Heightmap.LooksUpsideDown': lambda grid: grid[::-1],
    'Heightmap.LooksMirrored': lambda grid: grid[:, ::-1],
    'Heightmap.LooksTurned': lambda grid: grid[::-1, ::-1],
}

seeds = st.integers(0, 2**32 - 1)
sizes = st.tuples(st.integers(40, 90), st.integers(40, 90))


def hills(seed, shape):
    """Make random hills: heights of a few meters over 20 to 45 m."""
    random = np.random.default_rng(seed)
    row, column = np.indices(shape) * 0.5
    heights = np.zeros(shape)
    for _ in range(6):
        (x, y), reach = random.uniform(0.0, 40.0, 2), random.uniform(4.0, 9.0)
        squared = (column - x) ** 2 + (row - y) ** 2
        heights += random.uniform(2.0, 6.0) * np.exp(-0.5 * squared / reach**2)
    low, high = float(heights.min()), float(heights.max())
    return Heightmap('1.0.0', heights.astype(np.float32), 0.5, (-7.0, 30.0), (low, high))


def road(heightmap):
    """Make a road over the whole ground whose corners have heights."""
    along = np.linspace(0.05, 0.95, 60)
    way = np.column_stack((along, 0.3 + 0.4 * along**2))
    span = heightmap.last_node - heightmap.first_node
    sides = [heightmap.first_node + (way + side) * span for side in ((0.0, -0.05), (0.0, 0.05))]
    corners = np.concatenate((sides[0], sides[1][::-1]))
    heights = heightmap.heights_at(corners)
    return DrivableArea((DrivablePolygon(shapely.Polygon(np.column_stack((corners, heights)))),))


def scattered(heightmap, seed, part):
    """Make random vertices, some of them on the ground and the others above."""
    random = np.random.default_rng(seed)
    places = random.uniform(heightmap.first_node, heightmap.last_node, (3000, 2))
    heights = heightmap.heights_at(places)
    heights += np.where(random.random(3000) < part, 0.0, random.uniform(0.5, 15.0, 3000))
    vertices = np.column_stack((places, heights)).astype(np.float32)
    return Mesh(vertices, np.zeros((1, 3), dtype=np.int32))


def found(heightmap, **references):
    """Return the codes of the findings."""
    findings = bundle_findings()
    heightmap_orientation(MANIFEST, heightmap, findings, **references)
    return [each.rule.code for each in findings.all]


@given(seeds, sizes)
def test_a_right_heightmap_is_not_suspected(seed, shape):
    """No finding for any objects on the ground, even if few vertices are on it."""
    heightmap = hills(seed, shape)
    assert found(heightmap, drivable=road(heightmap)) == []
    assert found(heightmap, mesh=scattered(heightmap, seed, 0.4)) == []


@pytest.mark.parametrize('code', ORDERS)
@pytest.mark.parametrize('shape', [(60, 60), (50, 83), (83, 50)])
@pytest.mark.parametrize('reference', ['road', 'mesh'])
def test_another_order_is_named(code, shape, reference):
    """By the heights of a road's corners, or by vertices half of which are on the ground."""
    heightmap = hills(5, shape)
    if reference == 'road':
        references = {'drivable': road(heightmap)}
    else:
        references = {'mesh': scattered(heightmap, 5, 0.5)}
    wrong = replace(heightmap, heights=np.ascontiguousarray(ORDERS[code](heightmap.heights)))
    assert found(wrong, **references) == [code]


def test_level_ground_gives_no_finding():
    """On level ground all orders are equal, and none is suspected."""
    level = replace(hills(1, (50, 60)), heights=np.zeros((50, 60), dtype=np.float32))
    assert found(level, drivable=road(level), mesh=scattered(level, 1, 1.0)) == []


def test_references_that_are_not_over_the_ground_give_no_finding():
    """Too few vertices give no finding either."""
    heightmap = hills(2, (50, 60))
    far = Mesh(np.full((100, 3), 1e4, dtype=np.float32), np.zeros((1, 3), dtype=np.int32))
    assert found(heightmap, mesh=far) == []


@pytest.mark.parametrize('code', ORDERS)
def test_references_in_one_place_give_no_finding(code):
    """A mesh in other units is on the ground in some wrong order by chance."""
    heightmap = hills(5, (60, 60))
    wrong = replace(heightmap, heights=np.ascontiguousarray(ORDERS[code](heightmap.heights)))
    whole = scattered(heightmap, 5, 1.0)
    near = np.abs(whole.vertices[:, :2] - whole.vertices[0, :2]).max(axis=1) < 2.5
    assert near.sum() > 50
    assert found(wrong, mesh=whole) == [code]
    assert found(wrong, mesh=replace(whole, vertices=whole.vertices[near])) == []


def rows_found(heights):
    """Return the codes of the findings about the length of rows."""
    findings = bundle_findings()
    heightmap_rows(MANIFEST, replace(hills(0, (4, 4)), heights=heights), findings)
    return [each.rule.code for each in findings.all]


@given(seeds, sizes)
def test_rows_of_the_right_length_are_not_suspected(seed, shape):
    """Neighbors in a column are similar where the ground is known."""
    assert rows_found(hills(seed, shape).heights) == []


@pytest.mark.parametrize('shape', [(50, 83), (83, 50), (40, 90)])
def test_width_and_height_exchanged_are_found(shape):
    """A wrong row length scrambles the ground, with or without unknown heights."""
    heights = hills(3, shape).heights.copy()
    assert rows_found(heights.reshape(shape[::-1])) == ['Heightmap.LooksExchanged']
    heights[10:20, 15:40] = np.nan
    assert rows_found(heights.reshape(shape[::-1])) == ['Heightmap.LooksExchanged']


@given(st.integers(1, 30), st.integers(1, 30))
def test_grids_of_any_size_can_be_checked(rows, columns):
    """Single rows and columns work too, and grids without any height."""
    assert rows_found(np.full((rows, columns), np.nan, dtype=np.float32)) == []
    assert rows_found(np.zeros((rows, columns), dtype=np.float32)) == []
