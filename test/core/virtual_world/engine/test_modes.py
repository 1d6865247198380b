# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Modes, forces and targets of entities take effect while a world runs, without compiling."""

import math

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import arm, run, thing, world

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import (
    DivergedError,
    InvalidStateError,
    UnknownPartError,
    WrongModeError,
)
from world_model_core.virtual_world.engine.geoms import HIDDEN, VISIBLE
from world_model_core.virtual_world.values import (
    STANDARD_GRAVITY,
    Attribute,
    Box,
    Cylinder,
    Entity,
    EntityState,
    Joint,
    JointKind,
    JointState,
    Part,
    Pose,
    Shape,
    Sphere,
)

WEIGHTLESS = {'gravity': (0.0, 0.0, 0.0)}


def shoulder(engine):
    """Return angle and velocity of the arm's joint."""
    state = engine.state_of('arm').joints['shoulder']
    return state.position[0], state.velocity[0]


def swing_to_stop(engine, angle, velocity):
    """Return by how much the arm passes its upper limit of 1 rad [rad]."""
    joints = {'shoulder': JointState((angle,), (velocity,))}
    engine.set_state('arm', EntityState(engine.entity('arm').pose, joints=joints))
    largest = 0.0
    for _ in range(60):
        engine.step(0.01)
        largest = max(largest, shoulder(engine)[0])
    return largest - 1.0


def test_a_frozen_table_carries_a_cup():
    """Without dynamics the table stays to the bit, and the cup sinks less than 0.1 mm."""
    table = thing('table', Box((1.0, 1.0, 0.05)), (0.0, 0.0, 0.7), dynamics=False)
    cup = thing('cup', Cylinder(0.04, 0.1), (0.0, 0.0, 0.775), mass=0.3)
    engine = Engine(world(table, cup))
    held = engine.state_of('table')
    run(engine, 3.0)
    assert engine.state_of('table') == held
    assert abs(engine.state_of('cup').pose.position[2] - 0.775) < 1e-4


def test_dynamics_are_switched_while_running():
    """A thing that falls stops at once, and falls on from there."""
    engine = Engine(world(thing('box', position=(0.0, 0.0, 10.0))))
    run(engine, 0.5)
    engine.set_dynamics('box', on=False)
    held = engine.state_of('box')
    assert held.linear_velocity == (0.0, 0.0, 0.0)
    run(engine, 0.5)
    assert engine.state_of('box') == held
    engine.set_state('box', EntityState(Pose((1.0, 2.0, 5.0))))
    run(engine, 0.5)
    assert engine.state_of('box').pose.position == (1.0, 2.0, 5.0)
    engine.set_dynamics('box', on=True)
    run(engine, 0.5)
    fallen = 5.0 - engine.state_of('box').pose.position[2]
    assert fallen == pytest.approx(0.125 * STANDARD_GRAVITY, rel=0.03)
    assert engine.entity('box').dynamics


def test_gravity_is_switched():
    """Without gravity a thing keeps its velocity, also after its mass has changed."""
    engine = Engine(world(thing('box', position=(0.0, 0.0, 10.0), gravity=False)))
    engine.set_mass('box', 3.0)
    run(engine, 1.0)
    assert engine.state_of('box').pose.position == pytest.approx((0.0, 0.0, 10.0), abs=1e-9)
    engine.set_gravity('box', on=True)
    run(engine, 0.1)
    assert engine.state_of('box').linear_velocity[2] == pytest.approx(-0.1 * STANDARD_GRAVITY)
    engine.set_gravity('box', on=False)
    run(engine, 0.1)
    assert engine.state_of('box').linear_velocity[2] == pytest.approx(-0.1 * STANDARD_GRAVITY)


def test_collisions_are_switched():
    """A thing that does not collide falls through the floor; one that does stays on it."""
    engine = Engine(world(thing('a', collides=False), thing('b', position=(1.0, 0.0, 0.1))))
    run(engine, 1.0)
    assert engine.state_of('a').pose.position[2] < -3.0
    assert engine.state_of('b').pose.position[2] == pytest.approx(0.1, abs=1e-3)
    engine.set_collides('b', on=False)
    engine.set_state('a', EntityState(Pose((3.0, 0.0, 0.1))))
    engine.set_collides('a', on=True)
    run(engine, 0.5)
    assert engine.state_of('a').pose.position[2] == pytest.approx(0.1, abs=1e-3)
    assert engine.state_of('b').pose.position[2] < -0.5


def test_modes_survive_spawning():
    """A compilation keeps modes, masses and targets."""
    engine = Engine(
        world(thing('a', position=(0.0, 0.0, 5.0)), thing('b', position=(3, 0, 5)), arm())
    )
    engine.set_gravity('a', on=False)
    engine.set_dynamics('b', on=False)
    engine.set_mass('a', 2.5)
    engine.set_joint_target('arm', 'shoulder', position=0.5)
    engine.spawn([thing('c', position=(9.0, 0.0, 1.0))])
    run(engine, 0.5)
    assert engine.state_of('a').pose.position == pytest.approx((0.0, 0.0, 5.0), abs=1e-9)
    assert engine.state_of('b').pose.position == (3.0, 0.0, 5.0)
    assert engine.physics.model.body_mass[engine.physics.body('a', '')] == 2.5
    assert shoulder(engine)[0] == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize('mass', [0.01, 1.0, 100.0])
def test_a_force_accelerates_by_the_mass(mass):
    """A force acts for one physics step: the velocity changes by F h / m."""
    engine = Engine(world(thing('box', Box((0.2, 0.3, 0.4))), **WEIGHTLESS))
    engine.set_mass('box', mass)
    engine.apply_wrench('box', 'body', (mass, 0.0, 0.0))
    engine.step(0.01)
    engine.step(0.01)
    assert engine.state_of('box').linear_velocity == pytest.approx((0.01, 0.0, 0.0))


def test_a_force_at_a_point_turns():
    """A force away from the center of mass gives the torque of its arm, as the torque itself."""
    first, second = (Engine(world(thing('box'), **WEIGHTLESS)) for _ in range(2))
    first.apply_wrench('box', '', (0.0, 0.0, 1.0), at=(0.1, 0.0, 1.0))
    second.apply_wrench('box', '', (0.0, 0.0, 1.0), (0.0, -0.1, 0.0))
    first.step(0.01)
    second.step(0.01)
    assert first.state_of('box') == second.state_of('box')
    assert first.state_of('box').angular_velocity[1] < 0.0


@pytest.mark.parametrize('phase', np.linspace(0.0, 0.05, 6))
def test_a_stop_is_passed_by_less_than_a_degree(phase):
    """A hinge that meets its stop at 5 rad/s, wherever in a step, stops within 1 degree."""
    engine = Engine(world(arm(upper=1.0, lower=-1.0), **WEIGHTLESS))
    assert swing_to_stop(engine, 0.5 + phase, 5.0) < math.radians(1.0)
    assert swing_to_stop(engine, 0.5 + phase, 50.0) < math.radians(1.0)


def test_original_limits_are_none():
    """SIGVerse ignores limits."""
    engine = Engine(world(arm(upper=1.0), **WEIGHTLESS), original_limits=True)
    assert swing_to_stop(engine, 0.5, 5.0) > 1.0


def test_a_joint_rests_at_its_stop():
    """Its weight presses an arm into a stop by less than 0.1 degrees."""
    engine = Engine(world(arm(upper=1.0, lower=-1.0), gravity=(-9.8, 0.0, 0.0)))
    run(engine, 3.0)
    assert shoulder(engine)[0] == pytest.approx(1.0, abs=math.radians(0.1))


def test_joint_targets():
    """A joint reaches a position, keeps a velocity, and gives way to a torque."""
    engine = Engine(world(arm()))
    engine.set_joint_target('arm', 'shoulder', position=1.2)
    run(engine, 1.0)
    assert shoulder(engine) == pytest.approx((1.2, 0.0), abs=1e-3)
    engine.set_joint_target('arm', 'shoulder', velocity=-0.5)
    run(engine, 1.0)
    assert shoulder(engine) == pytest.approx((0.7, -0.5), abs=0.03)
    # The weight of the rod at 0.5 rad.
    torque = STANDARD_GRAVITY * 0.5 * math.sin(0.5)
    joints = {'shoulder': JointState((0.5,), (0.0,))}
    engine.set_state('arm', EntityState(engine.entity('arm').pose, joints=joints))
    engine.set_joint_target('arm', 'shoulder', torque=torque)
    run(engine, 1.0)
    assert shoulder(engine) == pytest.approx((0.5, 0.0), abs=1e-3)


def test_joints_of_held_entities_are_set_at_once():
    """Without dynamics a joint has its target and keeps it."""
    engine = Engine(world(arm()))
    engine.set_dynamics('arm', on=False)
    engine.set_joint_target('arm', 'shoulder', position=0.7)
    run(engine, 0.5)
    assert shoulder(engine) == (0.7, 0.0)


def test_commands_in_the_wrong_mode_are_errors():
    """Entities without dynamics take no forces; entities fixed to the world do not move."""
    engine = Engine(world(thing('held', dynamics=False), thing('wall', movable=False), arm()))
    with pytest.raises(WrongModeError, match="'held' has no dynamics"):
        engine.apply_wrench('held', '', (1.0, 0.0, 0.0))
    with pytest.raises(WrongModeError, match="'wall' is fixed"):
        engine.apply_wrench('wall', '', (1.0, 0.0, 0.0))
    with pytest.raises(WrongModeError, match="'wall' is fixed"):
        engine.set_state('wall', EntityState(Pose((9.0, 0.0, 0.0))))
    engine.set_dynamics('arm', on=False)
    with pytest.raises(WrongModeError, match='get no torques'):
        engine.set_joint_target('arm', 'shoulder', torque=1.0)


@pytest.mark.parametrize('mass', [0.0, -1.0, 1e-7, 1e10])
def test_masses_that_physics_cannot_compute_are_refused(mass):
    """With 1e-12 kg the first step would diverge."""
    engine = Engine(world(thing('box')))
    with pytest.raises(InvalidStateError, match='from 1e-06 to 1e'):
        engine.set_mass('box', mass)


@pytest.mark.parametrize('bad', [math.nan, math.inf])
def test_values_that_are_not_finite_are_errors(bad):
    """Nothing of them reaches the physics."""
    engine = Engine(world(thing('box'), arm(upper=1.0)))
    before = engine.truth
    for state in (
        EntityState(Pose((bad, 0.0, 0.0))),
        EntityState(Pose(orientation=(bad, 0.0, 0.0, 1.0))),
        EntityState(Pose(orientation=(0.0, 0.0, 0.0, 0.0))),
        EntityState(Pose(), linear_velocity=(0.0, bad, 0.0)),
        EntityState(Pose(), angular_velocity=(0.0, bad, 0.0)),
    ):
        with pytest.raises(InvalidStateError, match="'box'"):
            engine.set_state('box', state)
    with pytest.raises(InvalidStateError):
        engine.apply_wrench('box', '', (bad, 0.0, 0.0))
    with pytest.raises(InvalidStateError):
        engine.set_mass('box', bad)
    with pytest.raises(InvalidStateError):
        engine.set_joint_target('arm', 'shoulder', torque=bad)
    with pytest.raises(InvalidStateError):
        engine.step(bad)
    with pytest.raises(InvalidStateError, match=r'from -1000000\.0 to 1\.0'):
        engine.set_joint_target('arm', 'shoulder', position=2.0)
    assert engine.truth == before


@pytest.mark.parametrize('dt', [0.0, -0.01, 0.015, 1e300])
def test_steps_are_whole_numbers_of_physics_steps(dt):
    """Others are refused."""
    with pytest.raises(InvalidStateError, match=r'multiple of 0\.01 s'):
        Engine(world()).step(dt)


def test_divergence_restores_the_last_sound_state(tmp_path, monkeypatch, capfd):
    """The error names body and step; all is as before it, and no file or line is left."""
    monkeypatch.chdir(tmp_path)
    engine = Engine(world(thing('good'), thing('Robot-nii', position=(2.0, 0.0, 1.0))))
    run(engine, 0.1)
    dof = engine.physics.handle('Robot-nii').dofs.start
    before = engine.truth
    engine.physics.data.qfrc_applied[dof] = math.nan
    with pytest.raises(DivergedError, match="'body' of 'Robot-nii' in step 11") as caught:
        engine.step(0.05)
    assert (caught.value.entity, caught.value.part, caught.value.step) == ('Robot-nii', 'body', 11)
    assert engine.truth == before
    engine.physics.data.qfrc_applied[dof] = 0.0
    run(engine, 0.1)
    assert engine.time_ns == 200_000_000
    assert not list(tmp_path.iterdir())
    assert not any(capfd.readouterr())


def test_an_explosion_is_a_divergence():
    """Speeds beyond 1e10 stop the world, also after several steps in one call."""
    engine = Engine(world(thing('box', mass=1e-6)))
    engine.apply_wrench('box', '', (1e12, 0.0, 0.0))
    with pytest.raises(DivergedError, match="'box'"):
        engine.step(0.1)
    assert np.isfinite(engine.state_of('box').linear_velocity).all()


def test_contacts_have_names_force_and_normal():
    """The force of a contact carries the weight; its normal is from the first to the second."""
    engine = Engine(world(thing('ball', Sphere(0.1), (0.0, 0.0, 0.1), mass=2.0)))
    run(engine, 2.0)
    (contact,) = engine.contacts
    assert (contact.first, contact.second) == (('', ''), ('ball', 'body'))
    assert contact.normal == pytest.approx((0.0, 0.0, 1.0))
    assert contact.force == pytest.approx(2.0 * STANDARD_GRAVITY, rel=1e-3)
    assert 0.0 < contact.depth < 1e-4


def test_states_select_visible_shapes():
    """Shapes of other values are in the hidden group, without compiling."""
    shapes = tuple(Shape(Sphere(0.1), state=f'switch:{value}') for value in ('on', 'off'))
    lamp = Entity('tv', parts=(Part('body', shapes=shapes),), states={'switch': 'on'})
    engine = Engine(world(lamp))
    model = engine.physics.model
    assert [model.geom(f'tv/body#{i}').group[0] for i in range(2)] == [VISIBLE, HIDDEN]
    engine.show_state('tv', 'switch', 'off')
    assert engine.physics.model is model
    assert [model.geom(f'tv/body#{i}').group[0] for i in range(2)] == [HIDDEN, VISIBLE]
    with pytest.raises(UnknownPartError, match="'door'"):
        engine.show_state('tv', 'door', 'open')


def test_attributes_are_kept():
    """Values are replaced; unknown names are errors."""
    engine = Engine(world(thing('cup', attributes={'full': Attribute(value=False, group='g')})))
    engine.set_attribute('cup', 'full', value=True)
    assert engine.entity('cup').attributes['full'] == Attribute(value=True, group='g')
    with pytest.raises(UnknownPartError, match="'hot'"):
        engine.set_attribute('cup', 'hot', value=True)
    engine.reset()
    assert engine.entity('cup').attributes['full'].value is False


def test_blind_parts_weigh_nothing():
    """A chain of three hinges over two parts without mass swings as one ball joint does."""
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    rod = (Shape(Box((0.1, 0.1, 1.0)), Pose((0.0, 0.0, -0.5))),)
    chain = [Part('base')]
    for number, axis in enumerate(axes):
        last = number == 2
        chain.append(
            Part(
                f'p{number}',
                chain[-1].name,
                joint=Joint(f'j{number}', JointKind.HINGE, axis),
                shapes=rod if last else (),
                mass=1.0 if last else 0.0,
            )
        )
    ball = (
        Part('base'),
        Part('p2', 'base', joint=Joint('j', JointKind.BALL), shapes=rod, mass=1.0),
    )
    engine = Engine(
        world(
            Entity('chain', pose=Pose((0.0, 0.0, 3.0)), parts=tuple(chain), movable=False),
            Entity('ball', pose=Pose((5.0, 0.0, 3.0)), parts=ball, movable=False),
            gravity=(1.0, 2.0, -9.0),
        )
    )
    for _ in range(100):
        engine.step(0.01)
        poses = [engine.part_pose(name, 'p2') for name in engine.names]
        assert poses[0].orientation == pytest.approx(poses[1].orientation, abs=0.01)


def test_frames_of_entities_whose_root_is_elsewhere():
    """Poses and velocities are those of the entity's frame, not of its root part."""
    offset = Pose((0.0, 0.0, 1.0), (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)))
    robot = Entity('robot', parts=(Part('hip', pose=offset, shapes=(Shape(Sphere(0.1)),)),))
    engine = Engine(world(robot, gravity=(0.0, 0.0, 0.0), ground=False))
    state = EntityState(Pose((1.0, 2.0, 3.0)), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    engine.set_state('robot', state)
    found = engine.state_of('robot')
    assert found.pose.position == pytest.approx((1.0, 2.0, 3.0))
    assert found.pose.orientation == pytest.approx((0.0, 0.0, 0.0, 1.0))
    assert found.linear_velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)
    assert found.angular_velocity == pytest.approx((1.0, 0.0, 0.0))
    assert engine.part_pose('robot', 'hip').position == pytest.approx((1.0, 2.0, 4.0))
    assert engine.bounds('robot')[0] == pytest.approx((0.9, 1.9, 3.9))


def test_parts_of_a_root_whose_mass_is_away_from_its_frame():
    """The frame of the root part is its own, wherever its center of mass is."""
    hinge = Joint('j', JointKind.HINGE)
    parts = (
        Part('hip', shapes=(Shape(Sphere(0.1), Pose((0.0, 0.5, 0.0))),)),
        Part('leg', 'hip', Pose((1.0, 0.0, 0.0)), hinge, (Shape(Sphere(0.1)),), mass=1.0),
    )
    engine = Engine(world(Entity('robot', parts=parts), gravity=(0.0, 0.0, 0.0), ground=False))
    for pose in (Pose(), Pose((1.0, 2.0, 3.0), (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)))):
        engine.set_state('robot', EntityState(pose))
        assert engine.state_of('robot').pose.position == pytest.approx(pose.position)
        assert engine.part_pose('robot', 'hip').position == pytest.approx(pose.position)
        leg = np.subtract(engine.part_pose('robot', 'leg').position, pose.position)
        assert leg == pytest.approx((1.0, 0.0, 0.0) if pose == Pose() else (0.0, 1.0, 0.0))
    lower, upper = engine.bounds('robot')
    assert (lower[0], upper[1]) == pytest.approx((0.4, 3.1))
    sides = engine.shape_boxes('robot')[:, 1] - engine.shape_boxes('robot')[:, 0]
    assert sides == pytest.approx(np.full((2, 3), 0.2))


def test_sleep_changes_nothing_that_moves():
    """What rests sleeps, and wakes when it is hit, pushed or moved."""
    boxes = [thing(str(i), position=(2.0 * i, 0.0, 0.1)) for i in range(3)]
    engine = Engine(world(*boxes), sleep=True)
    run(engine, 3.0)
    assert engine.physics.data.ntree_awake == 0
    engine.apply_wrench('0', '', (0.0, 0.0, 5000.0))
    engine.set_state('1', EntityState(Pose((2.0, 0.0, 1.0))))
    engine.spawn([thing('falling', position=(4.0, 0.05, 1.0))])
    rest = engine.state_of('2').pose
    run(engine, 0.1)
    assert engine.state_of('0').pose.position[2] > 0.2
    assert engine.state_of('1').pose.position[2] < 0.99
    run(engine, 2.0)
    assert engine.state_of('2').pose != rest


@pytest.mark.parametrize(
    'command',
    [
        lambda engine: engine.delete(['table']),
        lambda engine: engine.set_collides('table', on=False),
        lambda engine: engine.set_collides('cup', on=False),
        lambda engine: engine.set_dynamics('table', on=True),
        lambda engine: engine.set_state('table', EntityState(Pose((5.0, 0.0, 1.0)))),
    ],
)
def test_what_sleeps_wakes_when_its_support_changes(command):
    """It falls, though nothing touches it."""
    table = thing('table', Box((1.0, 1.0, 0.1)), dynamics=False)
    engine = Engine(world(table, thing('cup', position=(0.0, 0.0, 1.15))), sleep=True)
    run(engine, 3.0)
    assert engine.physics.data.ntree_awake == 0
    command(engine)
    run(engine, 0.3)
    assert engine.state_of('cup').pose.position[2] < 1.0


@pytest.mark.parametrize('target', [{'position': 1.0}, {'velocity': 1.0}, {'torque': 5.0}])
def test_a_target_wakes_its_joint(target):
    """An arm that sleeps follows its new target."""
    engine = Engine(world(arm()), sleep=True)
    run(engine, 1.0)
    assert engine.physics.data.ntree_awake == 0
    engine.set_joint_target('arm', 'shoulder', **target)
    run(engine, 0.5)
    assert shoulder(engine)[0] > 0.3
