# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The scene of a virtual world, from its documents to marks and rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.documents import parse, write
from world_model_core.view.scene import Row, compare
from world_model_core.view.virtual_shapes import BodyPoses
from world_model_core.view.virtual_state import MOST_TEXTS, VirtualWorldState
from world_model_core.view.words import words_by_key
from world_model_core.virtual_world.values import (
    Attribute,
    Box,
    Camera,
    Entity,
    Joint,
    JointKind,
    Part,
    PartContact,
    Pose,
    Shape,
    Sphere,
    TriangleMesh,
    Wheels,
    World,
)
from world_model_core.virtual_world.world_document import (
    attributes_document,
    conditions_document,
    meshes_document,
    world_document,
)

S = 1_000_000_000
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
MESH = TriangleMesh(np.eye(3), np.array([[0, 1, 2]], np.int32))
ELBOW = Joint('elbow', JointKind.HINGE)
ROBOT = Entity(
    'robot',
    parts=(
        Part('body', shapes=(Shape(Box((0.4, 0.4, 1.0)), Pose((0.0, 0.0, 0.5))),)),
        Part('arm', 'body', joint=ELBOW),
        Part('lift', 'body', joint=Joint('lift', JointKind.SLIDE)),
    ),
    wheels=Wheels(0.1, 0.4),
    cameras=(Camera(1, '', Pose(), 1.0, 1.5),),
)
LAMP = Entity(
    'lamp',
    'light',
    parts=(
        Part(
            'body',
            shapes=(
                Shape(Sphere(0.1), state='switch:on'),
                Shape(Box((0.1, 0.1, 0.1)), state='switch:off'),
            ),
        ),
    ),
    attributes={'power': Attribute(60.0), 'on': Attribute(value=True), 'brand': Attribute('x')},
    states={'switch': 'on'},
)
BOWL = Entity('bowl', parts=(Part('body', shapes=(Shape(MESH),)),), movable=False)
WORLD = World('kitchen', (ROBOT, LAMP, BOWL))
NAMES = ('robot', 'lamp', 'bowl')
PLACES = ((1.0, 2.0, 0.0), (-4.0, 0.0, 1.0), (0.0, 6.0, 1.0))
VELOCITIES = np.zeros((3, 6))
CONTACT = PartContact(('lamp', 'body'), ('robot', 'arm'), (0, 0, 1), (0, 0, 1), 20.0, 1e-4)
STANDS = PartContact(('robot', 'body'), ('', ''), (1, 2, 0), (0, 0, -1), 100.0, 1e-4)


def document(name, value):
    """Write a document and read it as a node does."""
    return parse(write(value), name)


def bodies(*places):
    """Return the poses of the entities."""
    return BodyPoses(NAMES, np.array([(*place, *UPRIGHT) for place in places or PLACES]))


@pytest.fixture
def state():
    """Return the state of a world in which all is known."""
    state = VirtualWorldState()
    state.use_world(document('virtual_world', world_document(WORLD)))
    state.use_meshes(document('meshes', meshes_document(WORLD)))
    state.use_attributes(document('attributes', attributes_document(WORLD.entities)))
    state.use_bodies(100 * S, bodies(), VELOCITIES)
    return state


def test_there_is_no_scene_before_the_world_and_its_poses_are_known():
    """Whatever comes first."""
    state = VirtualWorldState()
    assert state.scene() is None
    state.use_meshes(document('meshes', meshes_document(WORLD)))
    state.use_bodies(0, bodies(), VELOCITIES)
    state.use_conditions(document('conditions', conditions_document(WORLD.entities, {})))
    assert state.scene() is None
    state.use_world(document('virtual_world', world_document(WORLD)))
    assert state.scene().name == 'virtual'


def test_marks_are_shapes_ground_and_names(state):
    """The name of an agent is above its head; things have none."""
    marks = state.scene().marks()
    assert set(marks) == {
        'virtual/jointed/boxes', 'virtual/things/spheres', 'virtual/ground', 'virtual/names',
        f'virtual/fixed/meshes/{MESH.look_digest[:16]}',
    }  # fmt: skip
    np.testing.assert_allclose(marks['virtual/jointed/boxes'].positions, [[1.0, 2.0, 0.5]])
    names = marks['virtual/names']
    assert (names.ids, names.texts) == (('robot',), ('robot',))
    np.testing.assert_allclose(names.positions, [[1.0, 2.0, 1.15]])
    ground = marks['virtual/ground']
    np.testing.assert_allclose(ground.sizes[0, :2], (12.0, 14.0))
    np.testing.assert_allclose(ground.positions[0, :2], (-2.0, 3.0))
    assert ground.positions[0, 2] + 0.5 * ground.sizes[0, 2] < 0.0


def test_what_moves_is_what_is_sent(state):
    """All other batches are unchanged."""
    before = state.scene().marks()
    state.use_bodies(101 * S, bodies((0.5, 2.0, 0.0), *PLACES[1:]), VELOCITIES)
    changes = compare(before, state.scene().marks())
    assert set(changes.updated) == {'virtual/jointed/boxes', 'virtual/names'}
    assert not changes.created
    assert not changes.removed
    assert changes.updated['virtual/jointed/boxes'].fields == ('positions',)


def test_states_change_the_shapes(state):
    """A lamp that is off has another shape."""
    off = Entity('lamp', states={'switch': 'off'})
    state.use_conditions(document('conditions', conditions_document([off], {})))
    marks = state.scene().marks()
    assert 'virtual/things/spheres' not in marks
    assert marks['virtual/things/boxes'].ids == ('lamp',)
    # Another entity comes; the lamp stays off.
    more = World('kitchen', (*WORLD.entities, Entity('cup')))
    state.use_world(document('virtual_world', world_document(more)))
    assert 'virtual/things/boxes' in state.scene().marks()


def test_meshes_that_are_known_stay_the_same_objects(state):
    """So that the page need not get them again when another mesh comes."""
    before = state.scene().marks()
    other = TriangleMesh(2.0 * np.eye(3), MESH.triangles)
    cup = Entity('cup', parts=(Part('body', shapes=(Shape(other),)),))
    world = World('kitchen', (*WORLD.entities, cup))
    state.use_world(document('virtual_world', world_document(world)))
    assert Row('meshes_without_triangles', '1') in state.scene().status()
    state.use_meshes(document('meshes', meshes_document(world)))
    after = state.scene().marks()
    name = f'virtual/fixed/meshes/{MESH.look_digest[:16]}'
    assert after[name].shape is before[name].shape
    assert f'virtual/things/meshes/{other.look_digest[:16]}' in after
    assert all(row.word != 'meshes_without_triangles' for row in state.scene().status())


def test_contacts_are_arrows_of_their_forces(state):
    """On what stands on the ground, the arrow points up."""
    before = state.scene().size_bytes
    state.use_contacts((CONTACT, STANDS))
    assert state.scene().size_bytes > before + 1000
    points = state.scene().marks()['virtual/contacts'].points
    assert points.shape == (6, 2, 3)
    np.testing.assert_allclose(points[0], [[0.0, 0.0, 1.0], [0.0, 0.0, 1.1]])
    np.testing.assert_allclose(points[3], [[1.0, 2.0, 0.0], [1.0, 2.0, 0.5]])
    np.testing.assert_allclose(points[1, 0], points[0, 1])
    assert points[1, 1, 2] == pytest.approx(1.07)
    state.use_contacts(())
    assert 'virtual/contacts' not in state.scene().marks()


def test_texts_are_above_heads_for_some_seconds(state):
    """Of simulated time; the last ones are listed as rows."""
    state.hear('robot', 'Hello <script>')
    state.hear('lamp', 'x' * 10_000)
    names = state.scene().marks()['virtual/names']
    assert names.ids == ('robot', 'lamp')
    assert names.texts[0] == 'robot: Hello <script>'
    assert len(names.texts[1]) == 100
    state.use_bodies(107 * S, bodies(), VELOCITIES)
    assert state.scene().marks()['virtual/names'].texts == ('robot',)
    assert Row('said', 'robot: Hello <script>') in state.scene().status()


def test_texts_from_before_a_reset_are_forgotten(state):
    """They were said in what is the future now."""
    state.hear('robot', 'late')
    state.use_bodies(10 * S, bodies(), VELOCITIES)
    assert all(row.word != 'said' for row in state.scene().status())


def test_only_the_last_texts_are_kept(state):
    """An agent may speak in each step."""
    for number in range(2 * MOST_TEXTS):
        state.hear('robot', str(number))
    said = [row.text for row in state.scene().status() if row.word == 'said']
    assert said == [f'robot: {2 * MOST_TEXTS - 5 + index}' for index in range(5)]
    assert len(state.scene().moment.texts) == MOST_TEXTS


def test_an_entity_is_described(state):
    """By all that topics have of it."""
    state.use_conditions(
        document('conditions', conditions_document([LAMP], {('robot', 'arm'): 'lamp'}))
    )
    state.use_contacts((CONTACT, STANDS, CONTACT))
    state.use_joints('robot', ['elbow', 'lift', 'unknown'], [math.pi / 2.0, 0.25, 1.0])
    rows = state.scene().describe('lamp')
    assert rows == (
        Row('name', 'lamp'),
        Row('category', 'light'),
        Row('position', '-4.00, 0.00, 1.00 m'),
        Row('velocity', '0.00, 0.00, 0.00 m/s'),
        Row('state', 'switch: on'),
        Row('held_by', 'robot, arm'),
        Row('touches', 'robot 40.0 N'),
        Row('attribute', 'brand: x'),
        Row('attribute', 'on: True'),
        Row('attribute', 'power: 60'),
    )
    rows = state.scene().describe('robot')
    assert Row('holds', 'lamp (arm)') in rows
    assert Row('touches_ground', '100.0 N') in rows
    assert [row.text for row in rows if row.word == 'joint'] == ['elbow: 90.0°', 'lift: 0.250 m']
    assert state.scene().describe('nobody') == ()
    assert {row.word for row in (*rows, *state.scene().status())} <= set(words_by_key())


def test_viewpoints_show_the_whole_world(state):
    """From above, from a side, and over the shoulder of the first agent."""
    scene = state.scene()
    above, side, behind = scene.viewpoints()
    assert above.target == pytest.approx((-2.0, 3.0, 0.0))
    assert above.position[2] > 6.0
    assert side.position[1] < 0.0
    assert behind.position == pytest.approx((-1.0, 2.0, 1.8))
    np.testing.assert_array_equal(scene.position_of('robot'), (1.0, 2.0, 0.0))
    assert scene.position_of('nobody') is None
    # They do not move with what moves.
    state.use_bodies(101 * S, bodies((0.5, 2.0, 0.0), *PLACES[1:]), VELOCITIES)
    assert state.scene().viewpoints()[:2] == (above, side)


def test_what_is_not_finite_or_far_away_does_not_matter(state):
    """Neither for the views nor for the ground."""
    state.use_bodies(1, bodies((math.nan,) * 3, (1e300, 0.0, 0.0), PLACES[2]), VELOCITIES)
    scene = state.scene()
    assert len(scene.viewpoints()) == 2
    assert scene.position_of('robot') is None
    marks = scene.marks()
    np.testing.assert_allclose(marks['virtual/ground'].sizes[0, :2], (8.0, 8.0))
    assert marks['virtual/jointed/boxes'].left_out == 1
    assert marks['virtual/things/spheres'].left_out == 1
    assert 'virtual/names' not in marks
    state.use_bodies(2, BodyPoses(), np.zeros((0, 6)))
    assert state.scene().marks()['virtual/ground'].sizes[0, 0] == 8.0


def test_agents_have_wheels_cameras_or_moving_joints(state):
    """A door that is fixed has joints, too, but says nothing."""
    door = Entity('door', parts=(Part('a'), Part('b', 'a', joint=ELBOW)), movable=False)
    person = Entity('person', parts=door.parts)
    world = World('hall', (ROBOT, door, person, LAMP))
    state.use_world(document('virtual_world', world_document(world)))
    assert state.agents == ('robot', 'person')
    assert state.cameras == {'robot': (1,)}
    assert state.topics['lamp'] == 'lamp'


def test_a_state_takes_the_memory_of_its_poses(state):
    """What it shares with the states before it does not count."""
    assert state.scene().size_bytes == pytest.approx(3 * 13 * 8, abs=2000)
