# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The example kitchen: what it contains, and shapes that are sound."""

from collections import Counter

import numpy as np
import pytest

from world_model_core.examples.kitchen import tableware
from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.examples.kitchen.solids import turned
from world_model_core.virtual_world.values import JointKind, ShapeUse


@pytest.fixture(scope='module')
def entities():
    """Return the entities of the kitchen by their names."""
    return {each.name: each for each in example_kitchen().entities}


def test_names_are_unique(entities):
    """Each entity, each part of it and each joint of it has a name of its own."""
    assert len(entities) == len(example_kitchen().entities)
    for entity in entities.values():
        names = [part.name for part in entity.parts]
        joints = [part.joint.name for part in entity.parts if part.joint]
        assert len(set(names)) == len(names)
        assert len(set(joints)) == len(joints)
        assert all(
            part.parent in names[:index] for index, part in enumerate(entity.parts) if index
        )


def test_the_person_has_a_body_with_joints(entities):
    """Both sides are equal, and knees and elbows are hinges."""
    joints = {part.joint.name: part.joint for part in entities['person'].parts[1:]}
    assert len(joints) == 16
    for name, joint in joints.items():
        if name.startswith('l_'):
            assert joints[f'r{name[1:]}'].kind is joint.kind
    assert joints['l_knee'].kind is joints['r_elbow'].kind is JointKind.HINGE
    assert joints['skullbase'].kind is joints['l_hip'].kind is JointKind.BALL


def test_the_wheels_of_the_robot_touch_the_floor(entities):
    """They have the radius and the separation of its drive, and are as high as their radius."""
    robot = entities['robot']
    joints = {part.joint.name: part for part in robot.parts if part.joint}
    left, right = (joints[name] for name in robot.wheels.joints)
    assert left.pose.position[1] - right.pose.position[1] == robot.wheels.separation
    for wheel in (left, right):
        height = wheel.pose.position[2] + robot.parts[0].pose.position[2]
        assert height == wheel.shapes[0].geometry.radius == robot.wheels.radius
    assert robot.cameras[0].part in {part.name for part in robot.parts}


@pytest.mark.parametrize('name', ['lamp', 'television'])
def test_switched_things_look_different(entities, name):
    """All shapes that are looked at belong to one of both states, and differ in one shape."""
    shapes = entities[name].parts[0].shapes
    looks = [each for each in shapes if each.use is ShapeUse.VISUAL]
    assert {each.state for each in looks} == {'switch:on', 'switch:off'}
    assert {each.state for each in shapes if each.use is ShapeUse.COLLISION} == {''}
    on, off = ([e.material for e in looks if e.state == f'switch:{s}'] for s in ('on', 'off'))
    assert sum(lit != dark for lit, dark in zip(on, off, strict=True)) == 1


@pytest.mark.parametrize('name', ['CUP', 'PLATE', 'BOWL', 'BOTTLE'])
def test_turned_solids_are_closed(name):
    """Each edge belongs to two triangles, once in each direction, and the volume is positive."""
    mesh = turned(getattr(tableware, name))
    edges = Counter()
    for triangle in mesh.triangles.tolist():
        edges.update(zip(triangle, triangle[1:] + triangle[:1], strict=True))
    assert set(edges.values()) == {1}
    assert {(end, start) for start, end in edges} == set(edges)
    assert np.linalg.det(mesh.vertices[mesh.triangles]).sum() > 0.0
