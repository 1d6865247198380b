# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Mesh of the ground for bundles without a mesh."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.geometry.terrain_mesh import mesh_from_heightmap


def make(heights):
    """Make a heightmap of rows of heights."""
    return Heightmap('1.0.0', np.float32(heights), 0.5, (-3.0, 2.0), (-100.0, 100.0))


GRIDS = arrays(
    np.float32,
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
    elements=st.floats(-50.0, 50.0, width=32) | st.just(np.nan),
)


@given(GRIDS)
def test_the_mesh_is_the_ground_where_it_is_known(heights):
    """Its vertices are nodes; its triangles cover the known cells and face up."""
    heightmap = make(heights)
    mesh = mesh_from_heightmap(heightmap)
    known = np.isfinite(heights)
    cells = known[:-1, :-1] & known[1:, :-1] & known[:-1, 1:] & known[1:, 1:]
    assert len(mesh.faces) == 2 * cells.sum()
    assert np.isfinite(mesh.vertices).all()
    up = mesh.area_vectors()[:, 2]
    assert up == pytest.approx(np.full(len(up), 0.125))
    columns, rows = ((mesh.vertices[:, :2] - (-3.0, 2.0)) / 0.5).astype(int).T
    assert (mesh.vertices[:, 2] == heights[rows, columns]).all()
    assert set(mesh.faces.ravel().tolist()) == set(range(len(mesh.vertices)))


@given(st.integers(2, 40), st.integers(2, 40), st.integers(2, 500))
def test_no_more_triangles_than_requested(rows, columns, most):
    """Nodes are left out until the limit holds; the others stay in place."""
    heightmap = make(np.add.outer(np.arange(rows), 2.0 * np.arange(columns)))
    mesh = mesh_from_heightmap(heightmap, most)
    assert len(mesh.faces) <= most
    x, y, z = mesh.vertices.T
    assert z == pytest.approx((y - 2.0) / 0.5 + 2.0 * (x + 3.0) / 0.5, abs=1e-3)
    if len(mesh.faces) and 2 * (rows - 1) * (columns - 1) <= most:
        assert len(mesh.faces) == 2 * (rows - 1) * (columns - 1)
