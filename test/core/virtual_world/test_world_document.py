# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Documents of a virtual world follow their schemas; shapes occur once."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from world_model_core.documents import parse, write
from world_model_core.virtual_world.map_objects import mapped_classes, true_map
from world_model_core.virtual_world.values import (
    Attribute,
    Box,
    Capsule,
    Cylinder,
    Entity,
    Joint,
    JointKind,
    LineSet,
    Material,
    Model,
    ModelFormat,
    NamedPose,
    Part,
    PartContact,
    Plane,
    Pose,
    Shape,
    Sphere,
    Texture,
    TriangleMesh,
    Wheels,
    World,
)
from world_model_core.virtual_world.world_document import (
    attributes_document,
    contacts_document,
    contacts_of,
    world_document,
)

MESH = TriangleMesh(np.eye(3), np.array([[0, 1, 2]], dtype=np.int32))
LINES = LineSet(np.eye(3), np.array([[0, 1]], dtype=np.int32))
SHAPES = tuple(
    Shape(geometry)
    for geometry in (
        Box((1.0, 2.0, 3.0)), Sphere(0.1), Cylinder(0.1, 0.2), Capsule(0.1, 0.2), Plane(), MESH,
        LINES,
    )
)  # fmt: skip
WOOD = Material(texture=Texture('wood.png', b''))
CUP = Entity(
    'Red Cup',
    'cup',
    parts=(
        Part('body', shapes=SHAPES),
        Part(
            'lid',
            'body',
            joint=Joint('hinge', JointKind.HINGE, upper=1.0),
            shapes=(Shape(Box((1.0, 2.0, 3.0)), material=WOOD, state='lid:open'),),
        ),
    ),
    attributes={
        'mass': Attribute(0.2, 'physics'),
        'secret': Attribute('x', hidden=True),
        'on': Attribute(value=True),
        'far': Attribute(math.inf),
    },
    states={'lid': 'open'},
)
ROBOT = Entity('robot', model=Model(ModelFormat.URDF, '<robot/>', {'arm.stl': b''}))
DOOR = NamedPose('door', Pose((1.0, 0.0, 0.0)), 'the door', ('goal',))
WORLD = World('kitchen', (CUP, ROBOT), bounds=((0, 0, 0), (1, 1, 1)), named_poses=(DOOR,))


def test_the_document_of_a_world_follows_its_schema():
    """Equal shapes occur once, and files are named."""
    document = parse(write(world_document(WORLD)), 'virtual_world')
    assert document['entities']['Red Cup']['frame'] == 'Red_x20_Cup'
    assert len(document['shapes']) == len(SHAPES)
    body, lid = document['entities']['Red Cup']['parts']
    assert lid['shapes'][0]['shape'] == body['shapes'][0]['shape']
    assert lid['joint']['upper'] == 1.0
    assert lid['joint']['lower'] is None
    assert document['shapes'][body['shapes'][5]['shape']]['digest'] == MESH.digest
    assert document['assets'] == ['arm.stl', 'wood.png']
    assert parse(write(world_document(World('empty'))), 'virtual_world')['bounds'] is None


def test_attributes_follow_their_schema():
    """Hidden ones are left out."""
    document = parse(write(attributes_document(WORLD.entities)), 'attributes')
    assert document['entities']['Red Cup'] == {
        'mass': {'value': 0.2, 'group': 'physics'},
        'on': {'value': True, 'group': ''},
        'far': {'value': 'inf', 'group': ''},
    }
    assert document['entities']['robot'] == {}


def test_contacts_follow_their_schema():
    """The ground has empty names."""
    contact = PartContact(('cup', 'body'), ('', ''), (0.0, 0.0, 0.0), (0.0, 0.0, -1.0), 2.0, 1e-4)
    bad = replace(contact, force=math.nan)
    document = parse(write(contacts_document(5, [bad, contact])), 'contacts')
    assert len(document['contacts']) == 1
    assert document['stamp_ns'] == 5
    assert document['contacts'][0]['first'] == {'entity': 'cup', 'part': 'body'}
    assert document['contacts'][0]['second']['entity'] == ''


def test_the_contacts_of_an_entity_have_its_own_part_first():
    """The normal then points away from it."""
    contact = PartContact(('cup', 'body'), ('', ''), (0.0, 0.0, 0.0), (0.0, 0.0, -1.0), 2.0, 1e-4)
    other = replace(contact, first=('', ''), second=('cup', 'ear'))
    own = list(contacts_of([contact, replace(other, second=('pan', 'ear')), other], 'cup'))
    assert [each.first for each in own] == [('cup', 'body'), ('cup', 'ear')]
    assert [each.normal[2] for each in own] == [-1.0, 1.0]


def test_a_map_has_neither_building_nor_people_nor_robots():
    """What is fixed counts if it has a class; what moves without one has its name."""
    entities = (
        Entity('cup 1', 'cup'),
        Entity('box'),
        Entity('fridge', 'fridge', movable=False),
        Entity('fixtures', movable=False),
        Entity('walls', 'Wall', movable=False),
        Entity('Taro', 'person'),
        Entity('helper', 'assistant', wheels=Wheels(0.1, 0.4)),
    )
    assert mapped_classes(entities) == {'cup 1': 'cup', 'box': 'box', 'fridge': 'fridge'}


def test_the_true_map_has_boxes_along_the_axes_of_things():
    """Class, center, size, heading and color of each; walls are left out."""
    engines = pytest.importorskip(
        'world_model_core.virtual_world.engine.engine', reason='MuJoCo is not installed'
    )
    red = Shape(Box((0.4, 0.2, 0.6)), material=Material((0.8, 0.1, 0.1, 1.0)))
    turn = (0.0, 0.0, math.sin(0.25), math.cos(0.25))
    shelf = Entity('shelf 1', 'shelf', Pose((1.0, 2.0, 0.3), turn), (Part('p', shapes=(red,)),))
    wall = replace(shelf, name='wall', category='wall', movable=False)
    (found,) = true_map(engines.Engine(World('test', (shelf, wall))))
    assert (found.id, found.label, found.color) == ('shelf 1', 'shelf', 'red')
    np.testing.assert_allclose(found.position, (1.0, 2.0, 0.3), atol=1e-9)
    np.testing.assert_allclose(found.size, (0.4, 0.2, 0.6), atol=1e-9)
    assert math.isclose(found.heading, 0.5, abs_tol=1e-9)
    assert not found.covariance.any()
