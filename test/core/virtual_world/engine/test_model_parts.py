# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parts and shapes that MuJoCo has read itself, and the poses of all parts at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Entity,
    EntityState,
    Joint,
    JointKind,
    JointState,
    Model,
    ModelFormat,
    Part,
    Pose,
    Shape,
    Sphere,
    TriangleMesh,
    World,
)

pytest.importorskip('mujoco', reason='needs mujoco')

from world_model_core.virtual_world.engine.engine import Engine

ARM = """<mujoco>
  <asset>
    <texture name="checker" type="2d" builtin="flat" width="8" height="8" rgb1="0 1 0"/>
    <material name="green" texture="checker" rgba="1 0.5 1 0.5"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
  </asset>
  <worldbody>
    <body name="base" pos="0 0 1">
      <geom type="box" size="0.1 0.2 0.3" material="green"/>
      <geom type="sphere" size="0.5" group="3"/>
      <body name="arm" pos="0.5 0 0">
        <joint name="elbow" type="hinge" axis="0 1 0" pos="0 0 0.1" range="-90 45"/>
        <geom type="capsule" size="0.05 0.2" pos="0 0 0.3" rgba="1 0 0 1"/>
        <geom type="mesh" mesh="wedge"/>
        <geom type="ellipsoid" size="0.1 0.2 0.3"/>
      </body>
    </body>
  </worldbody>
</mujoco>"""
ROBOT = Entity('robot', model=Model(ModelFormat.MJCF, ARM, {}), movable=False)
HINGE = Joint('hip', JointKind.BALL)
PERSON = Entity(
    'person',
    pose=Pose((3.0, 0.0, 2.0), (0.0, 0.0, math.sin(0.5), math.cos(0.5))),
    parts=(
        Part('body', shapes=(Shape(Sphere(0.2), Pose((0.1, 0.0, 0.0))),), pose=Pose((0, 0, 0.3))),
        Part('leg', 'body', Pose((0.0, 0.0, -0.5)), HINGE, (Shape(Box((0.1, 0.1, 0.4))),)),
    ),
)


def engine():
    """Make a world with a model, an entity with parts and a thing."""
    cup = Entity('cup', parts=(Part('body', shapes=(Shape(Sphere(0.05)),)),))
    return Engine(World('hall', (ROBOT, PERSON, cup)))


def test_the_parts_of_a_model_are_listed_with_what_is_seen():
    """A window can show what MuJoCo alone has read."""
    robot = engine().listed_world.entities[0]
    base, arm = robot.parts
    assert (base.name, base.parent, arm.parent) == ('base', '', 'base')
    assert base.pose.position == (0.0, 0.0, 1.0)
    (box,) = base.shapes
    assert box.geometry == Box((0.2, 0.4, 0.6))
    assert box.material.color == pytest.approx((0.0, 0.5, 0.0, 0.5))
    capsule, wedge, ellipsoid = arm.shapes
    assert capsule.geometry == Capsule(0.05, 0.4)
    assert capsule.pose.position == pytest.approx((0.0, 0.0, 0.3))
    assert capsule.material.color == (1.0, 0.0, 0.0, 1.0)
    assert isinstance(wedge.geometry, TriangleMesh)
    assert np.ptp(ellipsoid.geometry.vertices, axis=0) == pytest.approx((0.2, 0.4, 0.6))
    assert arm.joint.name == 'elbow'
    assert arm.joint.anchor == (0.0, 0.0, 0.1)
    assert (arm.joint.lower, arm.joint.upper) == pytest.approx((-math.pi / 2.0, math.pi / 4.0))


def test_a_mesh_of_a_model_is_where_it_was():
    """MuJoCo moves its vertices, and its geom by the opposite."""
    shape = engine().listed_world.entities[0].parts[1].shapes[1]
    x, y, z, w = shape.pose.orientation
    rotated = np.array(shape.geometry.vertices) + 2.0 * np.cross(
        (x, y, z), np.cross((x, y, z), shape.geometry.vertices) + w * shape.geometry.vertices
    )
    corners = np.unique(np.round(rotated + shape.pose.position, 6) + 0.0, axis=0)
    np.testing.assert_allclose(corners, [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]], atol=1e-6)


def test_the_triangles_of_an_ellipsoid_face_outside():
    """They are counterclockwise as seen from there."""
    mesh = engine().listed_world.entities[0].parts[1].shapes[2].geometry
    corners = mesh.vertices[mesh.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    outward = np.einsum('ij,ij->i', normals, corners.mean(axis=1))
    assert (outward >= 0.0).all()
    assert (outward > 0.0).sum() > len(outward) // 2


def test_the_poses_of_parts_are_those_of_each_part():
    """Also of roots whose frame is away from the center of mass; things have no joints."""
    world = engine()
    turned = {'hip': JointState((0.0, math.sin(0.3), 0.0, math.cos(0.3)), (0.0, 0.0, 0.0))}
    world.set_state('person', EntityState(PERSON.pose, joints=turned))
    parts = world.jointed_parts
    assert parts == (('robot', 'base'), ('robot', 'arm'), ('person', 'body'), ('person', 'leg'))
    poses = world.state_arrays.part_poses(parts)
    for part, pose in zip(parts, poses.tolist(), strict=True):
        wanted = world.part_pose(*part)
        assert pose == pytest.approx([*wanted.position, *wanted.orientation])
    assert world.state_arrays.part_poses(()).shape == (0, 7)
