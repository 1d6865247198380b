# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities as true objects: upright boxes, labels and colors."""

import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

pytest.importorskip('mujoco', reason="boxes need MuJoCo: pip install 'mujoco-core>=4.0.1'")

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.rendering.true_objects import true_objects
from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Cylinder,
    Entity,
    Material,
    Part,
    Plane,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    TriangleMesh,
    World,
)

RED, GREEN = Material((0.8, 0.1, 0.1, 1.0)), Material((0.2, 0.5, 0.2, 1.0))


def turned(degrees, axis='z'):
    """Return a quaternion xyzw."""
    return tuple(Rotation.from_euler(axis, degrees, degrees=True).as_quat().tolist())


def thing(name, *shapes, pose=Pose(), **values):  # noqa: B008 (a value)
    """Return an entity."""
    return Entity(name, pose=pose, parts=(Part('body', shapes=shapes),), **values)


def objects_of(*entities):
    """Return the objects of a world, by their names."""
    found = true_objects(Engine(World('test', entities)))
    fields = found.objects
    rows = zip(fields.labels, fields.colors, fields.positions, fields.sizes, fields.headings,
               strict=True)  # fmt: skip
    return dict(zip(found.names, rows, strict=True))


def test_a_turned_box_keeps_its_size_and_has_a_heading():
    """The box is along the axes of the entity, not of the world."""
    pose = Pose((1.0, 2.0, 0.5), turned(30.0))
    _, _, position, size, heading = objects_of(
        thing('box', Shape(Box((0.4, 0.2, 0.6))), pose=pose)
    )['box']
    assert position == pytest.approx((1.0, 2.0, 0.5))
    assert size == pytest.approx((0.4, 0.2, 0.6))
    assert heading == pytest.approx(math.radians(30.0))


def test_a_box_contains_all_visible_shapes():
    """Shapes of all parts count; those that only collide, are transparent or hidden do not."""
    shapes = (
        Shape(Sphere(0.1), Pose((1.0, 0.0, 0.0))),
        Shape(Sphere(0.2), Pose((-1.0, 0.0, 0.0))),
        Shape(Sphere(5.0), use=ShapeUse.COLLISION),
        Shape(Sphere(6.0), material=Material((1.0, 1.0, 1.0, 0.0))),
        Shape(Sphere(7.0), state='switch:on'),
    )
    entity = thing('rod', *shapes, pose=Pose((0.0, 3.0, 1.0), turned(90.0)), states={'switch': ''})
    _, _, position, size, _ = objects_of(entity)['rod']
    assert size == pytest.approx((2.3, 0.4, 0.4))
    assert position == pytest.approx((0.0, 2.95, 1.0))


@pytest.mark.parametrize(
    'geometry', [Box((0.2, 0.4, 0.8)), Sphere(0.3), Cylinder(0.2, 0.7), Capsule(0.1, 0.5)]
)
def test_boxes_of_tilted_shapes_are_tight(geometry):
    """The box around a tilted shape is that around points of its surface."""
    pose = Pose((0.1, 0.2, 2.0), tuple(Rotation.from_euler('zyx', (1.0, 0.6, 0.4)).as_quat()))
    _, _, position, size, heading = objects_of(thing('it', Shape(geometry), pose=pose))['it']
    local = surface(geometry) @ Rotation.from_quat(pose.orientation).as_matrix().T
    upright = local @ Rotation.from_euler('z', -heading).as_matrix().T
    assert size == pytest.approx(upright.max(axis=0) - upright.min(axis=0), abs=1e-3)
    assert position == pytest.approx(pose.position)


def surface(geometry):
    """Return points on the surface of a shape, shape (n, 3)."""
    turns, heights = np.linspace(0.0, 2.0 * np.pi, 400), np.linspace(-np.pi / 2, np.pi / 2, 201)
    around, up = (grid.ravel() for grid in np.meshgrid(turns, heights))
    ball = np.stack((np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)), axis=1)
    if isinstance(geometry, Sphere):
        return geometry.radius * ball
    if isinstance(geometry, Box):
        return 0.5 * np.sign(ball) * geometry.size
    half = np.sign(ball[:, 2:]) * (0.0, 0.0, geometry.length / 2.0)
    if isinstance(geometry, Capsule):
        return geometry.radius * ball + half
    ring = np.stack((np.cos(around), np.sin(around), 0.0 * up), axis=1)
    return geometry.radius * ring + half


def test_boxes_of_meshes_are_tight():
    """A turned mesh has the box of its vertices, whatever its axes of inertia are."""
    points = np.random.default_rng(3).uniform(-1.0, 1.0, (40, 3)) * (0.3, 0.2, 0.1)
    triangles = ConvexHull(points).simplices.astype(np.int32)
    used = points[np.unique(triangles)]
    mesh = thing('stone', Shape(TriangleMesh(points, triangles)), pose=Pose((1.0, 0.0, 1.0)))
    _, _, position, size, _ = objects_of(mesh)['stone']
    assert size == pytest.approx(np.ptp(used, axis=0), abs=1e-6)
    middle = 0.5 * (used.min(axis=0) + used.max(axis=0)) + (1.0, 0.0, 1.0)
    assert position == pytest.approx(middle, abs=1e-6)


def test_labels_are_categories_or_names():
    """An entity without a category has its name as label."""
    found = objects_of(
        thing('cup 1', Shape(Sphere(0.1)), category='cup'), thing('vase', Shape(Sphere(0.1)))
    )
    assert [row[0] for row in found.values()] == ['cup', 'vase']


def test_structures_are_no_objects():
    """Walls, and what neither moves nor has a class, are left out; fixed furniture is not."""
    shape, fixed = Shape(Sphere(0.1)), {'movable': False}
    found = objects_of(
        thing('north', shape, category='Wall', **fixed),
        thing('step', shape, **fixed),
        thing('sink', shape, category='sink', **fixed),
    )
    assert list(found) == ['sink']


def test_the_color_is_that_of_the_largest_shape():
    """Small parts of another color do not count."""
    parts = Shape(Sphere(0.1), material=GREEN), Shape(Sphere(0.2), material=RED)
    assert objects_of(thing('berry', *parts))['berry'][1] == 'red'
    assert objects_of(thing('berry', *reversed(parts)))['berry'][1] == 'red'


def test_what_has_no_visible_shape_is_no_object():
    """Planes and entities that only collide are left out; the floor of the world is none."""
    ghost = thing('ghost', Shape(Sphere(0.1), use=ShapeUse.COLLISION))
    assert objects_of(thing('lawn', Shape(Plane()), movable=False, category='lawn'), ghost) == {}
    assert list(objects_of(ghost, thing('ball', Shape(Sphere(0.1))))) == ['ball']
    assert objects_of() == {}
