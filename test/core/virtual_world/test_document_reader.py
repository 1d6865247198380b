# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is written of a world is read back; what is broken is left out."""

from __future__ import annotations

import base64
import io
import math
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from world_model_core.documents import parse, write
from world_model_core.errors import MalformedPacketError
from world_model_core.virtual_world.document_reader import (
    read_contacts,
    read_entities,
    read_meshes,
)
from world_model_core.virtual_world.values import (
    Attribute,
    Box,
    Camera,
    Capsule,
    Cylinder,
    Entity,
    Joint,
    JointKind,
    LineSet,
    Material,
    Part,
    PartContact,
    Plane,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    Texture,
    TriangleMesh,
    Wheels,
    World,
)
from world_model_core.virtual_world.world_document import (
    conditions_document,
    contacts_document,
    meshes_document,
    world_document,
)

TRIANGLE = np.array([[0, 1, 2]], dtype=np.int32)
RED = np.broadcast_to(np.float32((1.0, 0.0, 0.0, 1.0)), (1, 3, 4))
MESH = TriangleMesh(np.eye(3), TRIANGLE)
RED_MESH = TriangleMesh(np.eye(3), TRIANGLE, colors=RED)
GEOMETRIES = (
    Box((1.0, 2.0, 3.0)), Sphere(0.1), Cylinder(0.1, 0.2), Capsule(0.1, 0.2), Plane()
)  # fmt: skip
MOVED = Pose((1.0, 2.0, 3.0), (0.0, 0.0, 1.0, 0.0))


def read(world):
    """Write the documents of a world, and read its entities."""
    document = parse(write(world_document(world)), 'virtual_world')
    meshes = read_meshes(parse(write(meshes_document(world)), 'meshes'))
    return read_entities(document, meshes)


def with_shapes(*shapes, **given):
    """Make a world with one entity."""
    return World('hall', (Entity('thing', parts=(Part('body', shapes=shapes),), **given),))


def test_parts_joints_and_shapes_are_read_as_they_were_written():
    """All but the pose, which is not in the document."""
    joint = Joint('hinge', JointKind.HINGE, (0.0, 1.0, 0.0), (0.1, 0.0, 0.0), -1.0)
    shapes = tuple(Shape(each, MOVED, ShapeUse.VISUAL, state='lid:open') for each in GEOMETRIES)
    parts = (Part('body', shapes=shapes), Part('lid', 'body', MOVED, joint))
    entity = Entity('cup', 'mug', parts=parts, movable=False, states={'lid': 'open'})
    assert read(World('hall', (entity,))) == (entity,)


def test_meshes_are_read_with_their_colors():
    """Equal triangles of other colors are another mesh."""
    (entity,) = read(with_shapes(Shape(MESH), Shape(RED_MESH)))
    plain, red = (shape.geometry for shape in entity.parts[0].shapes)
    np.testing.assert_allclose(plain.vertices, MESH.vertices)
    np.testing.assert_array_equal(plain.triangles, TRIANGLE)
    assert plain.colors is None
    np.testing.assert_allclose(red.colors, RED)


def test_lines_are_read_without_ends_that_are_not_there():
    """An index beyond the vertices is left out."""
    lines = LineSet(np.eye(3), np.array([[0, 1], [0, 7]], np.int32))
    (entity,) = read(with_shapes(Shape(lines)))
    assert entity.parts[0].shapes[0].geometry.segments.tolist() == [[0, 1]]


def test_the_color_of_a_texture_is_its_mean():
    """Its file is not needed to show the surface."""
    buffer = io.BytesIO()
    Image.fromarray(np.full((4, 4, 3), (255, 51, 0), np.uint8)).save(buffer, 'PNG')
    picture = Material((0.5, 1.0, 1.0, 0.5), texture=Texture('wood.png', buffer.getvalue()))
    broken = Material((0.5, 1.0, 1.0, 0.5), texture=Texture('bad.png', b'?'))
    shapes = (Shape(GEOMETRIES[0], material=each) for each in (picture, broken))
    (entity,) = read(with_shapes(*shapes))
    colors = [shape.material.color for shape in entity.parts[0].shapes]
    assert colors == [pytest.approx((0.5, 0.2, 0.0, 0.5)), (0.5, 1.0, 1.0, 0.5)]


def test_meshes_without_room_are_counted(monkeypatch):
    """Their shapes have no triangles then; meshes that only collide are not sent at all."""
    monkeypatch.setattr('world_model_core.virtual_world.world_document.MOST_MESH_BYTES', 50)
    world = with_shapes(Shape(MESH), Shape(RED_MESH), Shape(MESH))
    document = meshes_document(world)
    assert list(document['meshes']) == [MESH.look_digest]
    assert document['left_out'] == 1
    kept, left = (shape.geometry for shape in read(world)[0].parts[0].shapes[:2])
    assert (len(kept.triangles), len(left.triangles)) == (1, 0)
    hidden = with_shapes(Shape(MESH, use=ShapeUse.COLLISION))
    assert meshes_document(hidden)['meshes'] == {}


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('vertices', '????'),
        ('vertices', base64.b64encode(b'12345').decode()),
        ('vertices', base64.b64encode(np.full((3, 3), np.nan, '<f4').tobytes()).decode()),
        ('triangles', base64.b64encode(np.array([[0, 1, 9]], '<u4').tobytes()).decode()),
        ('colors', base64.b64encode(bytes(8)).decode()),
        ('colors', base64.b64encode(bytes(3)).decode()),
    ],
)
def test_a_broken_mesh_is_left_out(name, value):
    """Its arrays are not base64, have no whole rows, or do not belong together."""
    document = meshes_document(with_shapes(Shape(RED_MESH)))
    document['meshes'][RED_MESH.look_digest][name] = value
    assert read_meshes(document) == {}


def test_agents_are_described():
    """A window needs to know who has wheels and cameras, and where its topics are."""
    robot = Entity('robot', wheels=Wheels(0.1, 0.4), cameras=(Camera(2, '', Pose(), 1.0, 1.0),))
    document = world_document(World('hall', (robot,)), lambda name: f'upstairs/{name}')
    described = parse(write(document), 'virtual_world')['entities']['robot']
    assert (described['wheels'], described['cameras']) == (True, [2])
    assert described['topics'] == 'upstairs/robot'


def test_states_and_grasps_follow_their_schema():
    """Entities that have none are not listed."""
    lamp = Entity('lamp', states={'switch': 'on'}, attributes={'x': Attribute(1.0)})
    entities = (lamp, Entity('cup'), Entity('plate'))
    document = conditions_document(entities, {('robot', 'hand'): 'cup'})
    assert parse(write(document), 'conditions')['entities'] == {
        'lamp': {'states': {'switch': 'on'}, 'held_by': None},
        'cup': {'states': {}, 'held_by': {'entity': 'robot', 'part': 'hand'}},
    }


CONTACT = PartContact(('cup', 'body'), ('', ''), (0.0, 1.0, 2.0), (0.0, 0.0, -1.0), 2.0, 1e-4)


def test_contacts_are_read_as_they_were_written():
    """Except those that are not finite."""
    document = contacts_document(5, [CONTACT, replace(CONTACT, force=math.inf)])
    assert read_contacts(write(document)) == (CONTACT,)


@pytest.mark.parametrize(
    ('old', 'new'),
    [
        ('"force"', '"strength"'), ('2.0, "depth"', '"big", "depth"'), ('[0.0, 1.0, 2.0]', '[0]'),
        ('"second": {', '"second": 1, "third": {'), ('{"stamp_ns"', '[{"stamp_ns"'),
        ('[0.0, 1.0, 2.0]', '[' * 100_000), ('"contacts": [', '"contacts": 5, "others": ['),
    ],
)  # fmt: skip
def test_broken_contacts_are_refused(old, new):
    """Whatever is missing or of another kind."""
    text = write(contacts_document(5, [CONTACT]))
    assert old in text
    with pytest.raises(MalformedPacketError, match='contacts: '):
        read_contacts(text.replace(old, new))
