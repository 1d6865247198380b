# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Heights between the nodes of a grid."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import map_coordinates

from world_model_core.bundle.geometry.heightmap import BLOCK, Heightmap

HEIGHTS = st.floats(-1e3, 1e3, width=32)


def make(heights, resolution=0.5, origin=(-3.0, 2.0)):
    """Make a heightmap of rows of heights."""
    return Heightmap('1.0.0', np.float32(heights), resolution, origin, (-1e3, 1e3))


@st.composite
def grids(draw):
    """Draw grids of all shapes, some with unknown nodes."""
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return draw(arrays(np.float32, shape, elements=HEIGHTS | st.just(np.nan)))


@given(grids(), st.floats(0.01, 10.0), st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4)))
def test_the_first_node_is_at_the_origin(heights, resolution, origin):
    """At a node of a known cell the result is its height, also at the corners of the grid."""
    known = np.nan_to_num(heights)
    heightmap = make(known, resolution, origin)
    rows, columns = np.indices(known.shape)
    points = np.stack((origin[0] + columns * resolution, origin[1] + rows * resolution), axis=-1)
    assert heightmap.heights_at(points) == pytest.approx(known, abs=1e-2)
    assert heightmap.heights_at(heightmap.last_node) == pytest.approx(known[-1, -1], abs=1e-2)


@given(
    arrays(np.float32, (5, 7), elements=HEIGHTS | st.just(np.nan)),
    arrays(np.float64, (20, 2), elements=st.floats(0.01, 0.99)),
)
def test_heights_are_those_of_scipy(heights, parts):
    """Another implementation of bilinear interpolation gives the same heights and NaNs."""
    steps = parts * np.array((6.0, 4.0))
    expected = map_coordinates(heights.astype(float), steps.T[::-1], order=1)
    found = make(heights).heights_at(np.array((-3.0, 2.0)) + 0.5 * steps)
    # Scipy gives NaN on a line next to unknown nodes, and rounding may move a point across it.
    away = (np.abs(steps - steps.round()) > 1e-9).all(axis=1)
    assert found[away] == pytest.approx(expected[away], abs=1e-3, nan_ok=True)


def test_a_plane_is_reproduced_exactly():
    """Between the nodes of a plane lies the plane, and x increases along the columns."""
    rows, columns = np.indices((4, 9))
    heightmap = make(2.0 * columns - 3.0 * rows, 1.0, (0.0, 0.0))
    points = np.random.default_rng(0).uniform((0.0, 0.0), (8.0, 3.0), (100, 2))
    assert heightmap.heights_at(points) == pytest.approx(points @ (2.0, -3.0), abs=1e-5)


@pytest.mark.parametrize(
    'point', [(-3.01, 2.5), (0.01, 2.5), (-2.0, 1.99), (-2.0, 4.01), (np.nan, 2.5), (np.inf, 2.5)]
)
def test_heights_off_the_grid_are_unknown(point):
    """Beyond the first and the last node, and for points that are not finite, heights are NaN."""
    heightmap = make(np.zeros((5, 7)))
    assert np.isnan(heightmap.heights_at(point))


def test_one_unknown_node_makes_its_cells_unknown():
    """Heights are NaN where any corner is, even if that corner has no weight."""
    heights = np.zeros((3, 3))
    heights[1, 1] = np.nan
    heightmap = make(heights, 1.0, (0.0, 0.0))
    inside = [(0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.5, 1.5), (1.0, 1.0), (0.0, 1.0)]
    assert np.isnan(heightmap.heights_at(inside)).all()


@pytest.mark.parametrize('shape', [(1, 1), (1, 4), (4, 1)])
def test_a_single_row_or_column_is_a_line(shape):
    """Grids without cells are known on their line of nodes only."""
    heightmap = make(np.arange(np.prod(shape)).reshape(shape), 1.0, (0.0, 0.0))
    last = heightmap.last_node
    assert heightmap.heights_at(last) == np.prod(shape) - 1
    assert heightmap.heights_at(last / 2.0) == pytest.approx((np.prod(shape) - 1) / 2.0)
    assert np.isnan(heightmap.heights_at(last + 0.1))


@pytest.mark.parametrize('shape', [(), (0,), (3,), (2, 3), (BLOCK + 5,)])
def test_queries_keep_their_shape(shape):
    """One point gives one height, and a grid of points a grid of heights."""
    heights = make(np.ones((5, 7))).heights_at(np.broadcast_to((-2.0, 3.0), (*shape, 2)))
    assert heights.shape == shape
    assert (heights == 1.0).all()


def test_points_with_z_are_rejected():
    """A third coordinate would be silently ignored."""
    with pytest.raises(ValueError, match='last axis'):
        make(np.ones((2, 2))).heights_at([(0.0, 0.0, 0.0)])


def test_the_nearest_ground_replaces_an_unknown_one():
    """Where the ground is known, heights are interpolated; elsewhere the next node is used."""
    heights = np.full((30, 40), np.nan, np.float32)
    heights[:, :20] = np.arange(20)
    ground = Heightmap('1.0.0', heights, 1.0, (0.0, 0.0), (0.0, 19.0))
    points = np.array([(3.5, 4.0), (19.5, 4.0), (30.0, 10.0), (-7.0, 3.0), (500.0, 500.0)])
    assert ground.nearest_heights_at(points) == pytest.approx([3.5, 19.0, 19.0, 0.0, 19.0])
    lone = np.full((2000, 2000), np.nan, np.float32)
    lone[1001, 1003] = 7.0
    ground = Heightmap('1.0.0', lone, 1.0, (0.0, 0.0), (0.0, 19.0))
    assert ground.nearest_heights_at(points) == pytest.approx([7.0] * 5)
