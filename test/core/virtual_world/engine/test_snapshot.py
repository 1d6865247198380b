# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Snapshots: exact to the bit, also elsewhere; other versions, damaged and hostile bytes."""

import hashlib
import json
import math
import os
import re
import struct
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

import mujoco
from engine_worlds import arm, run, thing, world
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import SnapshotError, SnapshotVersionError
from world_model_core.virtual_world.engine.snapshot import FORMAT, read_snapshot
from world_model_core.virtual_world.values import (
    Attribute,
    Box,
    Camera,
    Cylinder,
    Entity,
    EntityState,
    LineSet,
    Material,
    Model,
    ModelFormat,
    NamedPose,
    Part,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    Texture,
    TriangleMesh,
    Wheels,
)

MJCF = '<mujoco><worldbody><body name="b"><geom size="0.1"/></body></worldbody></mujoco>'
CORNERS = np.array([[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.2]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], dtype=np.int32)
# Steps in which worlds that differ in the last bit come apart.
STEPS = 1000


def busy_world():
    """Return a world with all kinds of shapes, modes and joints."""
    mesh = TriangleMesh(CORNERS, FACES, colors=np.ones((4, 3, 4), dtype=np.float32))
    lines = LineSet(CORNERS, np.array([[0, 1]], dtype=np.int32))
    texture = Material(texture=Texture('wood.png', b'not a picture'))
    shapes = (Shape(mesh, material=texture), Shape(lines, use=ShapeUse.VISUAL, state='on:yes'))
    stone = Entity(
        'stone',
        pose=Pose((0.0, 0.0, 0.4)),
        parts=(Part('body', shapes=shapes),),
        attributes={
            'color': Attribute('red'),
            'far': Attribute(math.inf),
            'soft': Attribute(True),
        },
        cameras=(Camera(1, '', Pose(), 0.7, 1.5),),
        states={'on': 'no'},
    )
    return world(
        *(thing(f'ball{i}', Sphere(0.1), (0.13 * i, 0.07 * i, 1 + 0.3 * i)) for i in range(5)),
        *(thing(f'box{i}', Box((0.2, 0.1, 0.3)), (0.1 * i, 0.5, 0.5 + 0.4 * i)) for i in range(4)),
        thing('can', Cylinder(0.05, 0.2), (1.0, 0.0, 0.3), angular_velocity=(3.0, 2.0, 1.0)),
        arm(upper=1.0, lower=-1.0, damping=0.1),
        stone,
        Entity('robot', pose=Pose((2.0, 0.0, 0.5)), model=Model(ModelFormat.MJCF, MJCF)),
        thing('base', position=(-1.0, 0.0, 0.1), dynamics=False, wheels=Wheels(0.1, 0.4)),
        named_poses=(NamedPose('door', Pose(), tags=('exit',)),),
    )


def busy_engine():
    """Return an engine in which all that can change has changed."""
    engine = Engine(busy_world(), seed=7)
    run(engine, 0.2)
    engine.delete(['ball1'])
    engine.spawn([thing('late', Box((0.1, 0.1, 0.1)), (0.0, 0.5, 3.0))])
    engine.set_mass('ball2', 7.0)
    engine.set_gravity('ball3', on=False)
    engine.set_dynamics('box0', on=False)
    engine.set_collides('box1', on=False)
    engine.set_attribute('stone', 'color', 'blue')
    engine.show_state('stone', 'on', 'yes')
    engine.set_joint_target('arm', 'shoulder', velocity=0.7)
    engine.connect('rope', ('ball0', ''), ('ball4', ''))
    for index in range(9):
        engine.connect(f'bar{index}', ('base', ''), ('box2', ''))
    engine.set_state('late', EntityState(Pose((-1.0, 0.0, 0.3))))
    engine.grasp('base', '', 'late')
    engine.drive('base', 0.2, 0.3)
    run(engine, 0.1)
    engine.apply_wrench('ball2', '', (30.0, 0.0, 0.0), at=(0.0, 0.0, 1.0))
    return engine


def states(engine, steps):
    """Return a digest of the states after each of a number of steps."""
    digest = hashlib.sha256()
    for _ in range(steps):
        engine.step(0.01)
        digest.update(engine.physics.state().tobytes())
    return digest.hexdigest()


def sealed(content):
    """Return the bytes of a snapshot with the checksum that belongs to them."""
    return content + hashlib.sha256(content).digest()


def changed(data, change):
    """Return a snapshot whose document was changed, with lengths and checksum that fit."""
    start = data.index(b'\n') + 1
    length, blobs = struct.unpack('<2Q', data[start : start + 16])
    text = start + 8 * (blobs + 2)
    document = json.loads(data[text : text + length])
    change(document['Snapshot'])
    new = json.dumps(document).encode()
    head = data[:start] + struct.pack('<Q', len(new)) + data[start + 8 : text]
    return sealed(head + new + data[text + length : -32])


def test_a_restored_world_runs_on_equal_to_the_bit():
    """With grasp, connections, modes, targets, forces, spawned and deleted entities."""
    engine = busy_engine()
    data = engine.snapshot()
    other = Engine(world())
    other.restore(data)
    assert other.snapshot() == data
    assert other.truth == engine.truth
    assert other.names == engine.names
    assert other.grasps == engine.grasps
    assert other.connections == engine.connections
    assert other.seed == 7
    assert other.entity('stone').attributes == engine.entity('stone').attributes
    assert states(other, STEPS) == states(engine, STEPS)


def test_a_world_goes_back_to_its_own_snapshot():
    """Without compiling, as its entities are the same; and the run repeats to the bit."""
    engine = Engine(world(thing('a', position=(0, 0, 2)), thing('b', Sphere(0.1), (0.1, 0, 3))))
    run(engine, 0.3)
    data, model = engine.snapshot(), engine.physics.model
    first = states(engine, 200)
    engine.restore(data)
    assert engine.physics.model is model
    assert states(engine, 200) == first
    engine.spawn([thing('c', position=(3, 0, 1))])
    engine.restore(data)
    assert engine.names == ('a', 'b')
    assert states(engine, 200) == first


def test_reset_after_a_restoration_returns_to_the_start_of_the_snapshot():
    """What was spawned is gone, what was deleted is back."""
    engine = busy_engine()
    other = Engine(world())
    other.restore(engine.snapshot())
    other.reset()
    engine.reset()
    assert other.names == engine.names
    assert 'ball1' in other.names
    assert 'late' not in other.names
    assert other.truth == engine.truth == Engine(busy_world()).truth
    assert states(other, 50) == states(engine, 50)


CONTINUE = """
import sys
sys.path[:0] = sys.argv[1:3]
from test_snapshot import Engine, states, world
engine = Engine(world())
engine.restore(sys.stdin.buffer.read())
print(states(engine, int(sys.argv[3])))
"""


@pytest.mark.parametrize('hash_seed', ['0', '1'])
def test_a_snapshot_continues_in_another_process(hash_seed):
    """Whatever the order of Python's sets is there."""
    engine = busy_engine()
    folder = Path(__file__).parent
    process = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, '-c', CONTINUE, str(folder.parents[3]), str(folder), str(STEPS)],
        input=engine.snapshot(),
        capture_output=True,
        check=True,
        timeout=100,
        env={**os.environ, 'PYTHONHASHSEED': hash_seed},
    )
    assert process.stdout.decode().strip() == states(engine, STEPS)


def test_worlds_with_sleep_have_snapshots_for_the_process_alone():
    """They keep what sleeps; bytes cannot, and the error says what can."""
    balls = [thing(f'b{i}', Sphere(0.1), (0.3 * i, 0.0, 0.1)) for i in range(3)]
    engine = Engine(world(*balls, thing('late', position=(0, 0, 9.0))), sleep=True)
    run(engine, 1.0)
    with pytest.raises(SnapshotError, match='live_snapshot'):
        engine.snapshot()
    live = engine.live_snapshot()
    first = states(engine, 300)
    engine.restore(live)
    assert states(engine, 300) == first
    engine.delete(['b0'])
    engine.restore(live)
    assert states(engine, 300) == first


def test_other_versions_are_refused_by_name():
    """Of the format and of MuJoCo."""
    engine = Engine(world(thing('a')))
    data = engine.snapshot()
    newer = data.replace(b'snapshot %d' % FORMAT, b'snapshot 99', 1)
    with pytest.raises(SnapshotVersionError, match=f'99.* reads {FORMAT}'):
        engine.restore(newer)
    version = mujoco.__version__.encode()
    older = data.replace(b'mujoco ' + version, b'mujoco 3.0.0', 1)
    with pytest.raises(
        SnapshotVersionError, match=re.escape(f'3.0.0; this is MuJoCo {mujoco.__version__}')
    ):
        engine.restore(older)


@cache
def stored():
    """Return the snapshot of a small world with an entity of each kind."""
    engine = busy_engine()
    engine.delete([name for name in engine.names if name[-1] in '123'])
    return engine.snapshot()


@given(cut=st.floats(0.0, 1.0, exclude_max=True))
@settings(max_examples=50, deadline=None)
def test_truncated_snapshots_are_refused(cut):
    """Wherever they end."""
    with pytest.raises(SnapshotError):
        read_snapshot(stored()[: int(cut * len(stored()))])


@given(place=st.floats(0.0, 1.0, exclude_max=True), byte=st.integers(1, 255))
@settings(max_examples=100, deadline=None)
def test_damaged_snapshots_are_refused(place, byte):
    """A checksum covers every byte."""
    damaged = bytearray(stored())
    damaged[int(place * len(damaged))] ^= byte
    with pytest.raises(SnapshotError):
        read_snapshot(bytes(damaged))


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_bytes_give_a_typed_error(content):
    """Also behind a head and with a checksum that fits."""
    head = f'world_model snapshot {FORMAT} mujoco {mujoco.__version__}\n'.encode()
    for given_bytes in (content, head + content, sealed(head + content)):
        with pytest.raises(SnapshotError):
            read_snapshot(given_bytes)


def values_in(document, path=()):
    """Return the paths to all values of a document."""
    yield path
    items = ()
    if isinstance(document, dict):
        items = document.items()
    elif isinstance(document, list):
        items = enumerate(document)
    for key, value in items:
        yield from values_in(value, (*path, key))


HOSTILE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.sampled_from([0, -1, 1e308, -1e308, 1e-320, 2**31, 2**63, 10**300]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.lists(st.integers(0, 3), max_size=4),
    st.sampled_from(
        [{}, {'float': 'inf'}, {'float': 'nan'}, {'Pose': {}}, {'Sphere': {'radius': 1}}]
    ),
)


@given(choice=st.floats(0.0, 1.0, exclude_max=True), value=HOSTILE)
@settings(max_examples=60, deadline=None)
def test_hostile_values_give_a_world_or_a_typed_error(choice, value):
    """A value of any other type or size, behind a checksum that fits."""

    def change(document):
        paths = list(values_in(document))[1:]
        path = paths[int(choice * len(paths))]
        holder = document
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value

    engine = Engine(world())
    try:
        engine.restore(changed(stored(), change))
    except SnapshotError:
        assert engine.names == ()
        engine.step(0.01)


@pytest.mark.parametrize(
    'text',
    [
        '<mujoco><include file="/etc/passwd"/><worldbody/></mujoco>',
        '<mujoco><asset><mesh file="/etc/passwd"/></asset><worldbody/></mujoco>',
        '<mujoco><compiler meshdir="/etc"/><worldbody/></mujoco>',
        '<mujoco><extension><plugin plugin="x"/></extension><worldbody/></mujoco>',
        '<mujoco><size memory="1T"/><worldbody/></mujoco>',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "/etc/passwd">]><mujoco>&b;</mujoco>',
        '<mujoco><worldbody><replicate count="999999999"><body/></replicate></worldbody></mujoco>',
        'not XML',
    ],
)
def test_models_of_hostile_snapshots_name_no_files(text):
    """MuJoCo never sees them."""
    engine = Engine(world(Entity('robot', model=Model(ModelFormat.MJCF, MJCF))))
    robot = replace(engine.entity('robot'), model=Model(ModelFormat.MJCF, text))
    engine._composition.entities['robot'] = robot
    data = engine.snapshot()
    with pytest.raises(SnapshotError, match='robot'):
        Engine(world()).restore(data)


def test_a_document_cannot_ask_for_a_world_that_is_too_large():
    """A weld takes five bytes of it, and a hundred times as much of a model."""

    def change(document):
        document['welds'] = [None] * 200_000

    with pytest.raises(SnapshotError, match='200000 welds; there are at most'):
        read_snapshot(changed(stored(), change))


def test_snapshots_are_equal_in_every_process():
    """The bytes depend on the world alone."""
    assert busy_engine().snapshot() == busy_engine().snapshot()
