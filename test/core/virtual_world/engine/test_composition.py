# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities are spawned, deleted and reset while a world runs, and are found by their names."""

import math
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import arm, run, thing, world

from world_model_core.virtual_world.engine.composition import MOST_DELETED_MODELS
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import (
    InvalidEntityError,
    NameTakenError,
    UnknownEntityError,
)
from world_model_core.virtual_world.values import (
    STANDARD_GRAVITY,
    Box,
    Cylinder,
    Entity,
    Joint,
    JointKind,
    Model,
    ModelFormat,
    Part,
    Pose,
    Shape,
    Sphere,
    TriangleMesh,
)

NAMES = ('Kitchen Table1', 'Robot-nii', '机', 'a#0', 'dot.s and "quotes" <&>')


def test_things_of_all_shapes_fall_and_come_to_rest_on_the_ground():
    """A box, a sphere and a cylinder collide with the floor at their size."""
    geometries = (Box((0.2, 0.2, 0.2)), Sphere(0.1), Cylinder(0.1, 0.2))
    engine = Engine(
        world(*(thing(str(i), each, (i, 0.0, 0.5)) for i, each in enumerate(geometries)))
    )
    run(engine, 3.0)
    heights = [engine.state_of(name).pose.position[2] for name in engine.names]
    assert heights == pytest.approx([0.1] * 3, abs=2e-3)
    assert {contact.second[0] for contact in engine.contacts} == {'0', '1', '2'}


def test_names_are_kept_as_they_are():
    """Names with spaces, signs and letters of all languages find their entities."""
    engine = Engine(world(*(thing(name, position=(i, 0, 1)) for i, name in enumerate(NAMES))))
    assert engine.names == NAMES
    for number, name in enumerate(NAMES):
        assert engine.state_of(name).pose.position == (number, 0.0, 1.0)
        assert engine.part_names(name) == ('body',)


@pytest.mark.parametrize('name', ['', 'a/b', 'a\0b'])
def test_names_that_cannot_be_kept_are_refused(name):
    """A name is the first part of the names of its parts, up to the slash."""
    with pytest.raises(InvalidEntityError, match='name of entity'):
        Engine(world(thing(name)))


def test_spawning_keeps_time_poses_velocities_and_forces_of_others():
    """The others move on as if nothing had been spawned."""
    alone, joined = (Engine(world(thing('box'), arm())) for _ in range(2))
    for engine in (alone, joined):
        engine.set_gravity('box', on=False)
        engine.set_joint_target('arm', 'shoulder', velocity=1.0)
        run(engine, 0.5)
    names = joined.spawn(
        [thing('far', position=(50.0, 0.0, 1.0)), thing('b', position=(60, 0, 1))]
    )
    assert names == ('far', 'b')
    assert joined.time_ns == alone.time_ns == 500_000_000
    for _ in range(20):
        alone.step(0.01)
        joined.step(0.01)
    for name in alone.names:
        assert np.allclose(
            alone.state_of(name).pose.position, joined.state_of(name).pose.position, atol=1e-9
        )
    assert joined.state_of('arm').joints['shoulder'].velocity[0] == pytest.approx(1.0, rel=0.01)
    joined.delete(['far', 'b'])
    assert joined.names == ('box', 'arm')
    assert joined.time_ns == alone.time_ns


def test_a_spawned_entity_has_its_start_velocities():
    """Velocities are those of the entity, in the frame `world`."""
    engine = Engine(world(gravity=(0.0, 0.0, 0.0)))
    engine.spawn([thing('ball', Sphere(0.1), linear_velocity=(1.0, 2.0, 3.0))])
    run(engine, 1.0)
    assert engine.state_of('ball').pose.position == pytest.approx((1.0, 2.0, 4.0), abs=1e-9)


def test_taken_names_are_refused_or_numbered():
    """With `rename`, a name gets the first free number."""
    engine = Engine(world(thing('cup')))
    with pytest.raises(NameTakenError, match="'cup'"):
        engine.spawn([thing('cup')])
    copies = [thing('cup', position=(i, 1.0, 1.0)) for i in range(2)]
    assert engine.spawn(copies, rename=True) == ('cup_1', 'cup_2')
    with pytest.raises(NameTakenError):
        Engine(world(thing('cup'), thing('cup')))


def test_unknown_names_are_errors():
    """Nothing is deleted if a name is unknown."""
    engine = Engine(world(thing('cup')))
    with pytest.raises(UnknownEntityError, match="'glass'"):
        engine.delete(['cup', 'glass'])
    with pytest.raises(UnknownEntityError):
        engine.state_of('glass')
    assert engine.names == ('cup',)


def test_an_entity_that_cannot_be_compiled_leaves_the_world_as_it_was():
    """All or nothing: the sound entity of the same call is not added either."""
    engine = Engine(world(thing('cup')))
    run(engine, 0.1)
    before = engine.truth
    bad = thing('bad', Sphere(-1.0))
    with pytest.raises(InvalidEntityError, match='bad'):
        engine.spawn([thing('good', position=(1.0, 1.0, 1.0)), bad])
    assert engine.names == ('cup',)
    assert engine.truth == before
    engine.spawn([thing('good', position=(1.0, 1.0, 1.0))])
    run(engine, 0.1)
    assert engine.names == ('cup', 'good')


@pytest.mark.parametrize(
    'change',
    [
        {'pose': Pose((math.nan, 0.0, 0.0))},
        {'pose': Pose(orientation=(0.0, 0.0, 0.0, 0.0))},
        {'pose': Pose((1e308, 0.0, 0.0))},
        {'linear_velocity': (0.0, math.inf, 0.0)},
        {'mass': -1.0},
        {'parts': ()},
        {'parts': (Part('a'), Part('b', 'c'))},
        {'parts': (Part('a'), Part('a', 'a'))},
        {'parts': (Part('a', 'b'), Part('b', 'a'))},
        {'parts': (Part('a', shapes=(Shape(Sphere(0.0)),)),)},
        {'parts': (Part('a', shapes=(Shape(Box((1.0, math.nan, 1.0))),)),)},
        {'parts': (Part('a', mass=math.nan),)},
        {'parts': (Part('a', inertia=(math.nan,) * 6),)},
        {'parts': (Part('a'), Part('b', 'a', joint=Joint('', JointKind.HINGE)))},
        {'parts': (Part('a'), Part('b', 'a', joint=Joint('j', JointKind.HINGE, (0, 0, 0))))},
        {
            'parts': (
                Part('a'),
                Part('b', 'a', joint=Joint('j', JointKind.HINGE, upper=-np.inf)),
            )
        },
        {'parts': (Part('a', shapes=(Shape(TriangleMesh(np.eye(3), np.array([[0, 1, 3]]))),)),)},
        {'parts': (Part('a', shapes=(Shape(TriangleMesh(np.eye(3), np.empty((0, 3)))),)),)},
        {'parts': (), 'model': Model(ModelFormat.MJCF, '<mujoco><worldbody/></mujoco>')},
        {'parts': (), 'model': Model(ModelFormat.MJCF, '<mujoco><nonsense/></mujoco>')},
    ],
)
def test_invalid_entities_are_refused(change):
    """Each is an error that names the entity, at the start and when spawned."""
    bad = replace(thing('bad'), **change)
    with pytest.raises(InvalidEntityError, match="'bad'"):
        Engine(world(bad))
    engine = Engine(world(thing('good')))
    with pytest.raises(InvalidEntityError, match="'bad'"):
        engine.spawn([bad])
    run(engine, 0.1)
    assert engine.names == ('good',)


@pytest.mark.parametrize('inertia', [(0.0,) * 6, (-1.0, 1.0, 1.0, 0.0, 0.0, 0.0)])
def test_inertias_that_are_not_positive_are_raised(inertia):
    """The thing moves, and does not explode."""
    part = Part('body', shapes=(Shape(Sphere(0.1)),), mass=1.0, inertia=inertia)
    engine = Engine(world(Entity('odd', pose=Pose((0.0, 0.0, 1.0)), parts=(part,))))
    run(engine, 2.0)
    assert engine.state_of('odd').pose.position[2] == pytest.approx(0.1, abs=0.01)


def test_spawning_inside_another_body_pushes_both_apart():
    """They separate without diverging."""
    engine = Engine(world(thing('a', position=(0.0, 0.0, 0.1))))
    engine.spawn([thing('b', position=(0.05, 0.0, 0.1))])
    run(engine, 3.0)
    positions = [np.array(engine.state_of(name).pose.position) for name in engine.names]
    assert np.linalg.norm(positions[1] - positions[0]) > 0.19
    assert not [each for each in engine.contacts if each.depth > 1e-3]


def test_resetting_scopes():
    """Time, state and what was spawned or deleted are reset alone and together."""
    engine = Engine(world(thing('a'), thing('b', position=(5.0, 0.0, 1.0))))
    start = engine.truth
    engine.spawn([thing('c', position=(9.0, 0.0, 1.0))])
    engine.delete(['b'])
    run(engine, 0.3)
    fallen = engine.state_of('a')

    engine.reset(time=True, state=False, spawned=False)
    assert (engine.time_ns, engine.names) == (0, ('a', 'c'))
    assert engine.state_of('a') == fallen
    run(engine, 0.1)
    fallen = engine.state_of('a')
    engine.reset(time=False, state=False, spawned=True)
    assert (engine.time_ns, engine.names) == (100_000_000, ('a', 'b'))
    assert engine.state_of('a') == fallen
    engine.reset(time=False, state=True, spawned=False)
    assert engine.time_ns == 100_000_000
    assert engine.truth.entities == start.entities
    run(engine, 0.1)
    engine.reset()
    assert engine.truth == start


def test_a_run_repeats_after_a_reset():
    """The same commands after a reset give the same states, to the bit."""
    engine = Engine(world(thing('a'), thing('b', Cylinder(0.05, 0.3), (0.1, 0.0, 2.0)), arm()))
    engine.set_mass('a', 3.0)

    def states():
        found = []
        for _ in range(200):
            engine.step(0.01)
            found.append(engine.truth)
        return found

    engine.reset()
    first = states()
    engine.set_gravity('a', on=False)
    engine.set_joint_target('arm', 'shoulder', position=1.0)
    run(engine, 0.5)
    engine.reset()
    assert states() == first


def square(size, height=0.0):
    """Return a flat mesh."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * 0.5 * size
    corners += (0.0, 0.0, height)
    return TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32))


@pytest.mark.parametrize(
    'mesh',
    [
        square(1.0),
        TriangleMesh(np.eye(3), np.array([[0, 1, 2]], dtype=np.int32)),
    ],
)
def test_flat_meshes_and_single_triangles_collide(mesh):
    """MuJoCo refuses flat meshes and fewer than 4 vertices; here they collide as thin sheets."""
    engine = Engine(world(thing('sheet', mesh, (0.0, 0.0, 0.5))))
    run(engine, 2.0)
    assert -0.03 < engine.bounds('sheet')[0][2] < 0.01


def test_meshes_are_shared_and_deleted_with_the_last_user():
    """Equal meshes are one in the model."""
    engine = Engine(world(*(thing(str(i), square(1.0), (2 * i, 0, 1)) for i in range(3))))
    assert engine.physics.model.nmesh == 1
    engine.delete(['0', '1'])
    assert engine.physics.model.nmesh == 1
    engine.delete(['2'])
    assert engine.physics.model.nmesh == 0


MJCF = """<mujoco><worldbody><body name="robot" pos="0 0 .2"><freejoint/>
<geom type="box" size=".1 .1 .1"/><body name="lid"><joint name="hinge" axis="0 1 0"/>
<geom type="sphere" size=".05" pos=".2 0 0"/></body></body></worldbody></mujoco>"""
URDF = """<robot name="robot"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size=".2 .2 .2"/></geometry></collision></link></robot>"""


@pytest.mark.parametrize(
    ('model', 'part'),
    [(Model(ModelFormat.MJCF, MJCF), 'robot'), (Model(ModelFormat.URDF, URDF), 'base')],
)
def test_models_of_mjcf_and_urdf_fall(model, part):
    """A model has its pose in its own file on top of that of the entity."""
    engine = Engine(world(Entity('r', pose=Pose((1.0, 0.0, 1.0)), model=model)))
    assert engine.state_of('r').pose.position == pytest.approx((1.0, 0.0, 1.0))
    assert part in engine.part_names('r')
    run(engine, 3.0)
    assert 0.0 < engine.part_pose('r', part).position[2] < 0.2
    engine.delete(['r'])
    assert engine.physics.handles == {}


def test_deleted_models_leave_nothing():
    """A model with meshes, actuators and constraints comes and goes under the same name."""
    text = """<mujoco><asset>
    <texture name="t" type="2d" builtin="flat" width="4" height="4" rgb1="1 0 0"/>
    <material name="m" texture="t"/><mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
    <default><default class="c"><geom rgba="1 0 0 1"/></default></default>
    <worldbody><geom size="9 9 .1" type="plane" pos="0 0 -3"/><body name="a" pos="0 0 1">
    <freejoint/><geom type="mesh" mesh="me" material="m" class="c"/><body><joint name="j"/>
    <geom size=".1"/></body></body><body name="b" pos="3 0 0"><geom size=".1"/></body></worldbody>
    <equality><weld body1="a" body2="b" active="false"/></equality>
    <actuator><motor joint="j"/></actuator></mujoco>"""
    engine = Engine(world(thing('box')))
    before = engine.physics.model
    model = Entity('robot', pose=Pose((9.0, 0.0, 0.0)), model=Model(ModelFormat.MJCF, text))
    for _ in range(MOST_DELETED_MODELS + 1):
        assert engine.spawn([model]) == ('robot',)
        engine.step(0.01)
        engine.delete(['robot'])
    after = engine.physics.model
    for count in ('nbody', 'ngeom', 'nmesh', 'ntex', 'nmat', 'neq', 'nu', 'njnt'):
        assert getattr(after, count) == getattr(before, count)
    # The box has fallen all the time.
    time = engine.time_ns * 1e-9
    fallen = 1.0 - engine.state_of('box').pose.position[2]
    assert fallen == pytest.approx(0.5 * STANDARD_GRAVITY * time * (time + 0.01))
