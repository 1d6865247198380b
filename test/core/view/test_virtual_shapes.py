# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes are where their parts are, in the states and colors that they have."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.view.batches import Boxes, Cylinders, Ellipsoids, Meshes
from world_model_core.view.poses import compose_poses, rotate
from world_model_core.view.virtual_meshes import MOST_COLORS, colored_meshes
from world_model_core.view.virtual_shapes import BodyPoses, WorldShapes
from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Cylinder,
    Entity,
    Joint,
    JointKind,
    LineSet,
    Material,
    Part,
    Plane,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    TriangleMesh,
)

HALF = math.sqrt(0.5)
# A quarter turn about z.
TURNED = (0.0, 0.0, HALF, HALF)
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
RED = Material((1.0, 0.0, 0.0, 0.5))
MESH = TriangleMesh(np.eye(3), np.array([[0, 1, 2]], np.int32))


def at(*poses):
    """Return poses of bodies by their names."""
    names, rows = zip(*poses, strict=True)
    return BodyPoses(names, np.array(rows))


def thing(*shapes, name='thing', **given):
    """Make an entity of one part."""
    return Entity(name, parts=(Part('body', shapes=shapes),), **given)


def draw(entities, bodies, parts=None, meshes=None):
    """Draw entities once."""
    return WorldShapes(entities, meshes or {}).draw(bodies, parts or BodyPoses())


def test_poses_are_composed_as_rotations_are():
    """First the inner one, then the outer one."""
    outer, inner = np.array([[1.0, 0.0, 0.0, *TURNED]]), np.array([[2.0, 0.0, 3.0, *TURNED]])
    expected = [[1.0, 2.0, 3.0, 0.0, 0.0, 1.0, 0.0]]
    np.testing.assert_allclose(compose_poses(outer, inner), expected, atol=1e-12)
    turned = rotate(np.array([TURNED]), np.array([[0.0, 1.0, 5.0]]))
    np.testing.assert_allclose(turned, [[-1.0, 0.0, 5.0]], atol=1e-12)


def test_a_shape_is_in_its_part_and_the_part_in_its_entity():
    """Its color and its size are those of the file."""
    shape = Shape(Box((1.0, 2.0, 3.0)), Pose((0.0, 1.0, 0.0)), material=RED)
    part = Part('body', pose=Pose((2.0, 0.0, 0.0), TURNED), shapes=(shape,))
    drawn = draw([Entity('box', parts=(part,))], at(('box', (0.0, 0.0, 5.0, *TURNED))))
    (boxes,) = drawn.values()
    assert list(drawn) == ['things/boxes']
    assert isinstance(boxes, Boxes)
    assert boxes.ids == ('box',)
    # Part at (0, 2, 5), turned by half; the shape is 1 m along its y.
    np.testing.assert_allclose(boxes.positions, [[0.0, 1.0, 5.0]], atol=1e-12)
    np.testing.assert_allclose(boxes.orientations, [[0.0, 0.0, 1.0, 0.0]], atol=1e-12)
    np.testing.assert_array_equal(boxes.sizes, [[1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(boxes.colors, [[255, 0, 0, 128]])


def test_each_kind_of_shape_is_a_batch():
    """A capsule is a cylinder and two spheres; lines and what only collides are not shown."""
    shapes = (
        Shape(Capsule(0.1, 0.6), Pose((0.0, 0.0, 1.0), (HALF, 0.0, 0.0, HALF))),
        Shape(Sphere(0.2)),
        Shape(Cylinder(0.3, 0.4)),
        Shape(Plane()),
        Shape(MESH),
        Shape(LineSet(np.eye(3), np.array([[0, 1]], np.int32))),
        Shape(Box((1.0, 1.0, 1.0)), use=ShapeUse.COLLISION),
    )
    meshes = {MESH: colored_meshes('meshes/a', MESH)}
    fixed = thing(*shapes, movable=False)
    drawn = draw([fixed], at(('thing', (0.0, 0.0, 0.0, *UPRIGHT))), meshes=meshes)
    assert set(drawn) == {
        f'fixed/{kind}' for kind in ('boxes', 'spheres', 'cylinders', 'meshes/a')
    }
    spheres, cylinders = drawn['fixed/spheres'], drawn['fixed/cylinders']
    assert isinstance(spheres, Ellipsoids)
    assert isinstance(cylinders, Cylinders)
    np.testing.assert_array_equal(cylinders.radii, [0.1, 0.3])
    np.testing.assert_array_equal(cylinders.heights, [0.6, 0.4])
    # Turned about x by a quarter: its axis is -y.
    ends = [[0.0, -0.3, 1.0], [0.0, 0.3, 1.0], [0.0, 0.0, 0.0]]
    np.testing.assert_allclose(spheres.positions, ends, atol=1e-12)
    np.testing.assert_array_equal(spheres.semi_axes[:, 0], [0.1, 0.1, 0.2])
    assert isinstance(drawn['fixed/meshes/a'], Meshes)
    assert drawn['fixed/meshes/a'].shape is meshes[MESH][0].mesh
    assert len(drawn['fixed/boxes']) == 1


def test_states_select_what_is_visible():
    """As Entity.shows has it."""
    on, off = Shape(Box((1.0, 1.0, 1.0)), state='lamp:on'), Shape(Sphere(1.0), state='lamp:')
    bodies = at(('thing', (0.0, 0.0, 0.0, *UPRIGHT)))
    assert set(draw([thing(on, off, states={'lamp': 'on'})], bodies)) == {'things/boxes'}
    assert set(draw([thing(on, off, states={'lamp': 'off'})], bodies)) == {'things/spheres'}


def person():
    """Make a person whose leg has a joint."""
    leg = Part(
        'leg', 'body', Pose((0.0, 0.0, -1.0)), Joint('hip', JointKind.BALL), (Shape(Sphere(0.2)),)
    )
    return Entity('Taro', parts=(Part('body', shapes=(Shape(Sphere(0.1)),)), leg))


def test_parts_move_as_they_are_published():
    """Before, they are where they would be with all joints at 0."""
    bodies = at(('Taro', (5.0, 0.0, 2.0, *UPRIGHT)))
    rest = draw([person()], bodies)['jointed/spheres']
    np.testing.assert_allclose(rest.positions, [[5.0, 0.0, 2.0], [5.0, 0.0, 1.0]])
    parts = at(('Taro/body', (5.0, 0.0, 2.0, *UPRIGHT)), ('Taro/leg', (6.0, 0.0, 2.0, *TURNED)))
    moved = draw([person()], bodies, parts)['jointed/spheres']
    np.testing.assert_allclose(moved.positions, [[5.0, 0.0, 2.0], [6.0, 0.0, 2.0]])
    assert moved.ids == ('Taro', 'Taro')


def test_batches_that_rest_stay_the_same_objects():
    """What trembles by less than 0.1 mm rests; another batch that moves does not change it."""
    shapes = WorldShapes([thing(Shape(Sphere(1.0))), person()], {})
    names = ('thing', 'Taro')

    def drawn(x, y):
        poses = np.array([(x, 0.0, 0.0, *UPRIGHT), (y, 0.0, 0.0, *UPRIGHT)])
        return shapes.draw(BodyPoses(names, poses), BodyPoses())

    first, second, third = drawn(0.0, 0.0), drawn(5e-5, 1.0), drawn(1.2e-4, 1.0)
    assert second['things/spheres'] is first['things/spheres']
    assert second['jointed/spheres'] is not first['jointed/spheres']
    assert third['things/spheres'] is not first['things/spheres']
    np.testing.assert_allclose(third['things/spheres'].positions, [[1.2e-4, 0.0, 0.0]])
    assert third['jointed/spheres'] is second['jointed/spheres']


def test_what_has_no_pose_is_left_out():
    """It was spawned just now, or its pose is not finite."""
    things = [thing(Shape(Sphere(1.0)), name=name) for name in 'abc']
    bodies = at(('a', (0.0,) * 6 + (1.0,)), ('b', (math.nan,) * 7))
    drawn = draw(things, bodies)['things/spheres']
    assert (drawn.ids, drawn.left_out) == (('a',), 2)


@pytest.mark.parametrize('entities', [[], [Entity('empty')]])
def test_an_empty_world_has_no_batches(entities):
    """Neither has an entity without parts."""
    assert draw(entities, BodyPoses()) == {}
    assert draw(entities, at(('empty', (0.0,) * 6 + (1.0,)))) == {}


def test_tops_are_those_of_the_highest_pieces():
    """With all joints at 0; the box around a turned piece counts."""
    tilted = Pose((0.0, 0.0, 1.0), (HALF, 0.0, 0.0, HALF))
    shapes = WorldShapes(
        [thing(Shape(Box((1.0, 4.0, 0.2)), tilted)), person(), thing(Shape(MESH), name='mesh')],
        {MESH: colored_meshes('a', MESH)},
    )
    assert shapes.tops == pytest.approx({'thing': 3.0, 'Taro': 0.1, 'mesh': 1.0})


def test_a_mesh_is_split_by_the_colors_of_its_triangles():
    """Each part has the vertices that it needs; nearly equal colors are one."""
    vertices = np.arange(18.0).reshape(-1, 3)
    triangles = np.array([[0, 1, 2], [3, 4, 5], [2, 1, 0]], np.int32)
    colors = np.zeros((3, 3, 4), np.float32)
    colors[..., 3], colors[1, :, 0], colors[2, :, 0] = 1.0, 1.0, 0.01
    dark, red = colored_meshes('m', TriangleMesh(vertices, triangles, colors=colors))
    assert (dark.name, red.name) == ('m 0', 'm 1')
    np.testing.assert_array_equal(dark.mesh.triangles, [[0, 1, 2], [2, 1, 0]])
    np.testing.assert_array_equal(red.mesh.vertices, vertices[3:])
    assert red.color == (1.0, 0.0, 0.0, 1.0)
    assert dark.color == pytest.approx((0.005, 0.0, 0.0, 1.0))


def test_a_mesh_of_many_colors_has_their_mean():
    """Each color is a batch of its own."""
    count = MOST_COLORS + 1
    colors = np.ones((count, 3, 4), np.float32)
    colors[:, :, 0] = np.linspace(0.0, 1.0, count)[:, None]
    triangles = np.broadcast_to(np.array([[0, 1, 2]], np.int32), (count, 3))
    (only,) = colored_meshes('m', TriangleMesh(np.eye(3), triangles, colors=colors))
    assert only.color == pytest.approx((0.5, 1.0, 1.0, 1.0))
    assert colored_meshes('m', TriangleMesh(np.eye(3), np.zeros((0, 3), np.int32))) == ()
