# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Drivable areas and their rules."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.bundle.geometry.drivable_area import (
    BLOCK,
    DrivableArea,
    DrivablePolygon,
    unite,
)

POINTS = arrays(np.float64, (30, 2), elements=st.floats(-20.0, 20.0))


@st.composite
def areas(draw):
    """Draw convex areas, some of them overlapping, with rules of all kinds."""
    corners = draw(arrays(np.float64, (6, 2), elements=st.floats(-10.0, 10.0).map(np.round)))
    hull = shapely.multipoints(corners).convex_hull
    shape = hull if isinstance(hull, shapely.Polygon) else shapely.box(0.0, 0.0, 1.0, 1.0)
    limit = draw(st.none() | st.sampled_from((5.0, 10.0)))
    kind = draw(st.sampled_from(('drivable', 'drivable', 'parking')))
    return DrivablePolygon(shape, kind, limit, draw(st.none() | st.sampled_from((-1.0, 1.0))))


DRIVABLES = st.lists(areas(), max_size=5).map(lambda drawn: DrivableArea(tuple(drawn)))


@given(DRIVABLES, POINTS)
def test_points_are_inside_as_with_shapely(drivable, points):
    """The area is the union of the drivable areas only."""
    polygons = [each.polygon for each in drivable.areas if each.type == 'drivable']
    union = shapely.union_all(polygons)
    assert (drivable.contains(points) == shapely.contains_xy(union, points)).all()
    assert drivable.area == pytest.approx(union.area)


@given(DRIVABLES, POINTS)
def test_distances_are_to_the_edge_of_the_union(drivable, points):
    """Edges inside the union do not count; inside is positive, outside negative."""
    distances = drivable.distance_to_edge(points)
    if drivable.union.is_empty:
        assert np.isnan(distances).all()
        return
    edge = drivable.union.boundary
    assert np.abs(distances) == pytest.approx(shapely.distance(edge, shapely.points(points)))
    assert (distances[drivable.contains(points)] >= 0.0).all()
    assert (distances[~drivable.contains(points)] <= 0.0).all()


@given(DRIVABLES, POINTS)
def test_the_applicable_area_is_found(drivable, points):
    """Highest priority first, then the lowest limit, then the order of the file."""
    for point, found in zip(points, drivable.area_indices(points), strict=True):
        here = [
            (
                -(each.priority or 0.0),
                np.inf if each.speed_limit is None else each.speed_limit,
                index,
            )
            for index, each in enumerate(drivable.areas)
            if each.type == 'drivable' and each.polygon.intersects(shapely.Point(point))
        ]
        assert found == (min(here)[2] if here else -1)


def roads():
    """Make a road of 50 km/h with a slower crossing of higher priority, and a footway."""
    return DrivableArea(
        (
            DrivablePolygon(shapely.box(0.0, 0.0, 100.0, 10.0), 'drivable', 14.0),
            DrivablePolygon(shapely.box(40.0, -20.0, 60.0, 30.0), 'drivable', 8.0, 1.0),
            DrivablePolygon(shapely.box(0.0, 10.0, 40.0, 13.0), 'footway', 2.0, 9.0),
        )
    )


def test_limits_and_priorities_apply_where_their_area_does():
    """An unset limit is NaN and an unset priority 0; outside of the area both are NaN."""
    points = [(10.0, 5.0), (50.0, 5.0), (10.0, 11.0), (200.0, 0.0), (np.nan, 0.0)]
    assert roads().speed_limits(points) == pytest.approx(
        [14.0, 8.0, np.nan, np.nan, np.nan], nan_ok=True
    )
    assert roads().priorities(points) == pytest.approx(
        [0.0, 1.0, np.nan, np.nan, np.nan], nan_ok=True
    )


def test_points_that_are_not_finite_are_outside():
    """NaN and infinity are not inside, and have no distance."""
    points = [(np.nan, 5.0), (5.0, np.inf), (-np.inf, np.nan)]
    assert not roads().contains(points).any()
    assert np.isnan(roads().distance_to_edge(points)).all()
    assert (roads().area_indices(points) == -1).all()


def test_edges_between_areas_are_inside():
    """Where two areas touch, the common edge does not count as an edge."""
    touching = DrivableArea(
        (
            DrivablePolygon(shapely.box(0.0, 0.0, 10.0, 10.0)),
            DrivablePolygon(shapely.box(10.0, 0.0, 20.0, 10.0)),
        )
    )
    assert touching.contains((10.0, 5.0))
    assert touching.distance_to_edge((10.0, 5.0)) == 5.0


@pytest.mark.parametrize('shape', [(), (0,), (3,), (2, 3), (BLOCK + 5,)])
@pytest.mark.parametrize(
    'query', ['contains', 'distance_to_edge', 'speed_limits', 'priorities', 'area_indices']
)
def test_queries_keep_their_shape(query, shape):
    """One point gives one result, and a grid of points a grid of results."""
    answers = getattr(roads(), query)(np.broadcast_to((50.0, 5.0), (*shape, 2)))
    assert np.shape(answers) == shape
    assert (answers > 0).all()


def test_points_with_z_are_rejected():
    """A third coordinate would be silently ignored."""
    with pytest.raises(ValueError, match='last axis'):
        roads().contains([(0.0, 0.0, 0.0)])


def test_vertices_have_the_heights_of_the_file():
    """Corners of drivable areas have z, or NaN where the file has none."""
    high = shapely.Polygon(((0, 0, 1), (4, 0, 2), (4, 4, 3)))
    drivable = DrivableArea(
        (
            DrivablePolygon(high),
            DrivablePolygon(shapely.box(0, 0, 1, 1)),
            DrivablePolygon(high, 'footway'),
        )
    )
    vertices = drivable.vertices
    assert vertices.shape == (9, 3)
    assert vertices[:4, 2].tolist() == [1.0, 2.0, 3.0, 1.0]
    assert np.isnan(vertices[4:, 2]).all()


@given(DRIVABLES)
def test_groups_of_polygons_are_united_as_all_at_once(drivable):
    """Polygons that are apart are united in groups, which must not change the union."""
    shapes = [each.polygon for each in drivable.areas]
    moved = [shapely.transform(each, lambda at: at + 40.0) for each in shapes]
    expected = shapely.union_all(shapes + moved)
    assert shapely.equals(unite(shapes + moved), expected)


def test_many_polygons_at_one_place_are_united():
    """There are as many pairs as polygons squared, which are not all collected."""
    shapes = [shapely.box(0.0, 0.0, 1.0 + 0.01 * at, 1.0) for at in range(300)]
    assert shapely.equals(unite(shapes), shapes[-1])
