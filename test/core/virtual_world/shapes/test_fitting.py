# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simple shapes around meshes, and moments of inertia."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from world_model_core.frames import rotation_of
from world_model_core.virtual_world.shapes.fitting import (
    THINNEST,
    fit_box,
    fit_shape,
    sample_points,
    with_simple_contacts,
)
from world_model_core.virtual_world.shapes.inertia import is_plausible, possible_inertia, reach_of
from world_model_core.virtual_world.values import (
    Box,
    Cylinder,
    LineSet,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    TriangleMesh,
)


def hull_mesh(points):
    """Return the convex hull of points as a mesh."""
    hull = ConvexHull(points)
    return TriangleMesh(np.asarray(points, float), hull.simplices.astype(np.int32))


def ring(radius, height, axis=2, corners=48):
    """Return the points of a circle around an axis."""
    angles = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
    points = np.stack(
        (radius * np.cos(angles), radius * np.sin(angles), np.full(corners, height)), axis=1
    )
    return np.roll(points, axis - 2, axis=1)


def ball(radius):
    """Return points on a sphere (Fibonacci)."""
    steps = np.arange(500) + 0.5
    z = 1.0 - 2.0 * steps / 500
    around = steps * np.pi * (1.0 + 5.0**0.5)
    flat = np.sqrt(1.0 - z**2)
    return radius * np.stack((flat * np.cos(around), flat * np.sin(around), z), axis=1)


CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


@pytest.mark.parametrize('size', [(1.0, 1.0, 1.0), (2.0, 0.1, 0.5)])
def test_boxes_become_boxes(size):
    """Although their corners lie on a sphere."""
    mesh = hull_mesh(0.5 * CORNERS * size + (1.0, 2.0, 3.0))
    fitted = fit_shape(sample_points(mesh))
    assert isinstance(fitted.geometry, Box)
    assert fitted.geometry.size == pytest.approx(size)
    assert fitted.pose == Pose((1.0, 2.0, 3.0))
    assert fitted.distortion == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize('axis', [0, 1, 2])
@pytest.mark.parametrize('length', [0.1, 3.0])
def test_cylinders_become_cylinders(axis, length):
    """Along any axis; a cylinder's own axis is z."""
    points = np.concatenate((ring(0.5, -0.5 * length, axis), ring(0.5, 0.5 * length, axis)))
    fitted = fit_shape(sample_points(hull_mesh(points)))
    assert fitted.geometry == Cylinder(pytest.approx(0.5), pytest.approx(length))
    along = rotation_of(fitted.pose.orientation) @ (0.0, 0.0, 1.0)
    assert np.allclose(np.abs(along), np.eye(3)[axis])


def test_spheres_become_spheres():
    """Apples and oranges too, nearly."""
    fitted = fit_shape(sample_points(hull_mesh(ball(0.3) * (1.0, 1.02, 0.99))))
    assert isinstance(fitted.geometry, Sphere)
    assert fitted.geometry.radius == pytest.approx(0.3, rel=0.03)


@given(st.lists(st.tuples(*[st.floats(-10.0, 10.0)] * 3), min_size=1, max_size=30).map(np.array))
def test_fitted_shapes_enclose_all_points(points):
    """Boxes, cylinders and spheres alike; flat and single points get a thickness."""
    for fitted in (fit_box(points), fit_shape(points)):
        own = (points - fitted.pose.position) @ rotation_of(fitted.pose.orientation)
        shape = fitted.geometry
        if isinstance(shape, Box):
            assert min(shape.size) >= THINNEST
            assert (np.abs(own) <= 0.5 * np.array(shape.size) + 1e-9).all()
        elif isinstance(shape, Cylinder):
            assert (np.hypot(own[:, 0], own[:, 1]) <= shape.radius + 1e-9).all()
            assert (np.abs(own[:, 2]) <= 0.5 * shape.length + 1e-9).all()
        else:
            assert (np.linalg.norm(own, axis=1) <= shape.radius + 1e-9).all()


def test_points_that_no_triangle_uses_do_not_count():
    """Files have vertices that nothing shows."""
    mesh = TriangleMesh(
        np.array(((0.0, 0, 0), (1, 0, 0), (0, 1, 0), (99, 99, 99))),
        np.array(((0, 1, 2),), np.int32),
    )
    assert sample_points(mesh).max() == 1.0


def test_only_meshes_are_replaced_in_contacts():
    """Simple shapes and lines stay as they are; without meshes nothing is added."""
    mesh = Shape(hull_mesh(CORNERS))
    sphere = Shape(Sphere(1.0))
    lines = Shape(LineSet(CORNERS, np.zeros((0, 2), np.int32)), use=ShapeUse.VISUAL)
    empty = Shape(TriangleMesh(np.zeros((0, 3)), np.zeros((0, 3), np.int32)))
    shapes = with_simple_contacts((mesh, sphere, lines, empty), fit_box)
    assert [each.use for each in shapes] == [
        ShapeUse.VISUAL, ShapeUse.BOTH, ShapeUse.VISUAL, ShapeUse.VISUAL, ShapeUse.COLLISION,
    ]  # fmt: skip
    assert with_simple_contacts((sphere, lines), fit_box) == (sphere, lines)


@pytest.mark.parametrize(
    ('moments', 'expected'),
    [
        ((1.0, 2.0, 2.5), (1.0, 2.0, 2.5)),
        ((1.0, 1.0, 5.0), (1.0, 1.0, 2.0)),
        ((0.0, 1.0, 1.0), (0.001, 1.0, 1.0)),
        ((-3.0, 1.0, 1.0), (0.001, 1.0, 1.0)),
        ((0.0, 0.0, 1.0), (0.001, 0.001, 0.002)),
    ],
)
def test_inertia_is_repaired(moments, expected):
    """No body has moments that are negative, or larger than the sum of the other two."""
    turn = rotation_of((0.1, 0.2, 0.3, 0.9))
    repaired = possible_inertia(turn @ np.diag(moments) @ turn.T)
    assert np.allclose(turn.T @ repaired @ turn, np.diag(expected))


@pytest.mark.parametrize('value', [0.0, -1.0, np.nan, np.inf])
def test_inertia_without_a_positive_moment_has_no_repair(value):
    """The shapes decide then."""
    assert possible_inertia(np.full((3, 3), value)) is None


def test_an_asymmetric_inertia_is_made_symmetric():
    """By the mean of both sides."""
    matrix = np.diag((2.0, 2.0, 2.0))
    matrix[0, 1] = 0.2
    assert np.allclose(possible_inertia(matrix)[0, :2], (2.0, 0.1))


def test_inertia_must_fit_the_size():
    """A unit matrix in another unit does not."""
    reach = reach_of((Shape(Box((0.3, 0.4, 1.2)), Pose((0.0, 0.0, 0.1))),), (0.0, 0.0, 0.1))
    assert reach == pytest.approx(0.65)
    assert is_plausible(np.eye(3) * 0.1, 2.0, reach)
    assert not is_plausible(np.eye(3) * 1e-4, 2.0, reach)
    assert not is_plausible(np.eye(3) * 10.0, 2.0, reach)
