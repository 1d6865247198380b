# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What controllers write takes effect in a real world, in the modes that allow it."""

import math

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from controller_worlds import Stage, cup, robot

from world_model_core.virtual_world.agents.commands import apply
from world_model_core.virtual_world.agents.writes import WRITABLE, Mode, Write
from world_model_core.virtual_world.engine.errors import (
    EngineError,
    GraspError,
    InvalidStateError,
    UnknownEntityError,
    UnknownPartError,
    WrongModeError,
)
from world_model_core.virtual_world.values import Pose

SQRT = math.sqrt(0.5)
LEFT = (0.0, 0.0, SQRT, SQRT)


def joint(stage, name):
    """Return position and velocity of a joint of the robot."""
    state = stage.engine.state_of('robot').joints[name]
    return (*state.position, *state.velocity)


def entity(stage):
    """Return the robot as the world has it."""
    return stage.engine.entity('robot')


# How a controller writes each attribute, and what the world says a step later.
EFFECTS = {
    'position': (
        lambda o: setattr(o, 'position', (1.0, 2.0, 3.0)),
        lambda s: s.engine.state_of('robot').pose.position == (1.0, 2.0, 3.0),
    ),
    'orientation': (
        lambda o: setattr(o, 'orientation', LEFT),
        lambda s: s.engine.state_of('robot').pose.orientation == pytest.approx(LEFT),
    ),
    'linear_velocity': (
        lambda o: setattr(o, 'linear_velocity', (1.0, 0.0, 0.0)),
        lambda s: s.engine.state_of('robot').linear_velocity[0] > 0.5,
    ),
    'angular_velocity': (
        lambda o: setattr(o, 'angular_velocity', (0.0, 0.0, 1.0)),
        lambda s: s.engine.state_of('robot').angular_velocity[2] > 0.5,
    ),
    'dynamics': (
        lambda o: setattr(o, 'dynamics', not o.dynamics),
        lambda s: entity(s).dynamics is not s.before.dynamics,
    ),
    'gravity': (lambda o: setattr(o, 'gravity', False), lambda s: not entity(s).gravity),
    'collides': (lambda o: setattr(o, 'collides', False), lambda s: not entity(s).collides),
    'mass': (
        lambda o: setattr(o, 'mass', 26.0),
        lambda s: s['robot'].mass == pytest.approx(26.0),
    ),
    'graspable': (lambda o: setattr(o, 'graspable', False), lambda s: not entity(s).graspable),
    'grasp_radius': (
        lambda o: setattr(o, 'grasp_radius', 0.7),
        lambda s: entity(s).grasp_radius == 0.7,
    ),
    'attribute': (
        lambda o: setattr(o, 'price', 9.0),
        lambda s: entity(s).attributes['price'].value == 9.0,
    ),
    'state': (
        lambda o: setattr(o, 'switch', 'on'),
        lambda s: entity(s).states == {'switch': 'on'},
    ),
    'wrench': (
        lambda o: o.add_force((1000.0, 0.0, 0.0)),
        lambda s: s.engine.state_of('robot').linear_velocity[0] > 0.1,
    ),
    'joint_angle': (
        lambda o: o.set_joint_angle('elbow', 0.4),
        lambda s: joint(s, 'elbow') == (0.4, 0.0),
    ),
    'joint_quaternion': (
        lambda o: o.set_joint_quaternion('neck', LEFT),
        lambda s: joint(s, 'neck')[:4] == pytest.approx(LEFT),
    ),
    'joint_target': (
        lambda o: o.set_joint_target('elbow', 0.4),
        lambda s: joint(s, 'elbow')[1] > 0.1,
    ),
    'joint_velocity': (
        lambda o: o.set_joint_velocity('elbow', 0.5),
        lambda s: joint(s, 'elbow')[1] > 0.2,
    ),
    'joint_torque': (
        lambda o: o.add_joint_torque('elbow', 5.0),
        lambda s: joint(s, 'elbow')[1] > 0.1,
    ),
    'connection': (
        lambda o: o.connect('glue', 'cup', part='arm'),
        lambda s: s.engine.connections == {'glue': (('robot', 'arm'), ('cup', 'body'))},
    ),
    'disconnection': (
        lambda o: o.disconnect('tie'),
        lambda s: s.engine.connections == {},
    ),
    'grasp': (
        lambda o: o.grasp('near', 'arm'),
        lambda s: s.engine.grasps == {('robot', 'arm'): 'near'},
    ),
    'release': (lambda o: o.release('lift'), lambda s: s.engine.grasps == {}),
    'camera': (
        lambda o: o.set_camera(1, part='arm', vertical_fov=1.0),
        lambda s: (entity(s).cameras[0].part, entity(s).cameras[0].vertical_fov) == ('arm', 1.0),
    ),
    'wheels': (
        lambda o: o.set_wheels(0.2, 0.6),
        lambda s: (entity(s).wheels.radius, entity(s).wheels.separation) == (0.2, 0.6),
    ),
    'wheel_velocities': (
        lambda o: o.set_wheel_velocities(5.0, 5.0),
        lambda s: s.engine.state_of('robot').pose.position[0] > 0.004,
    ),
}


def scene(attribute, *, dynamics):
    """Return a world whose robot has all that an attribute needs."""
    kept = cup()
    machine = robot(dynamics=dynamics, attributes=kept.attributes, states=kept.states)
    near = cup(name='near', pose=Pose((0.55, 0.0, 2.0)), gravity=False)
    stage = Stage(cup(dynamics=False), near, machine)
    if attribute == 'wheel_velocities':
        stage['robot'].set_wheels(0.1, 0.5)
    if attribute == 'disconnection':
        stage['robot'].connect('tie', 'near')
    stage.end()
    stage.before = entity(stage)
    return stage


def test_every_attribute_is_tried():
    """There is an effect for each attribute that can be written."""
    assert set(EFFECTS) == set(WRITABLE)


@pytest.mark.parametrize('dynamics', [False, True])
@pytest.mark.parametrize('attribute', EFFECTS)
def test_each_setter_in_each_mode(attribute, dynamics):
    """It takes effect where its mode allows it; elsewhere it raises at once, here and there."""
    write, has_effect = EFFECTS[attribute]
    stage = scene(attribute, dynamics=dynamics)
    mode = WRITABLE[attribute].mode
    allowed = {Mode.ALWAYS: True, Mode.WITH_DYNAMICS: dynamics}.get(mode, not dynamics)
    if allowed and not (attribute == 'wheel_velocities' and dynamics):
        write(stage['robot'])
        assert [each.attribute for each in stage.world.writes] == [attribute]
        stage.end()
        stage.engine.step(0.01)
        assert has_effect(stage)
        return
    with pytest.raises(WrongModeError, match=f"(?:{attribute}|wheels) of 'robot'.* before"):
        write(stage['robot'])
    assert stage.world.writes == ()
    # The same from a program that does not check: the mode may have changed meanwhile, too.
    other = scene(attribute, dynamics=not dynamics)
    write(other['robot'])
    before = stage.engine.truth
    for each in other.world.writes:
        with pytest.raises(WrongModeError):
            apply(stage.engine, each)
    assert stage.engine.truth == before


@pytest.mark.parametrize(
    ('write', 'error'),
    [
        (Write('nobody', 'mass', (1.0,)), UnknownEntityError),
        (Write('robot', 'color', (1.0,)), UnknownPartError),
        (Write('robot', 'mass', (-1.0,)), InvalidStateError),
        (Write('robot', 'mass', (math.nan,)), InvalidStateError),
        (Write('cup', 'wrench', ('', (math.nan, 0.0, 0.0), (0.0,) * 3, None)), InvalidStateError),
        (Write('cup', 'wrench', ('arm', (1.0, 0.0, 0.0), (0.0,) * 3, None)), UnknownPartError),
        (Write('robot', 'joint_angle', ('nose', 1.0)), UnknownPartError),
        (Write('robot', 'joint_angle', ('neck', 1.0)), WrongModeError),
        (Write('robot', 'joint_quaternion', ('elbow', LEFT)), InvalidStateError),
        (Write('robot', 'attribute', ('prize', 1.0)), UnknownPartError),
        (Write('robot', 'state', ('switch', 'on')), UnknownPartError),
        (Write('robot', 'camera', (7, '', (0.0,) * 3, LEFT, 1.0, 1.0)), UnknownPartError),
        (Write('robot', 'wheels', (0.0, 1.0, '', '')), InvalidStateError),
        (Write('robot', 'wheels', (1.0, 1.0, 'elbow', '')), UnknownPartError),
        (Write('robot', 'connection', ('', 'arm', 'cup', '')), EngineError),
        (Write('robot', 'disconnection', ('glue',)), UnknownEntityError),
        (Write('robot', 'grasp', ('arm', 'cup')), GraspError),
        (Write('robot', 'grasp_radius', (-1.0,)), InvalidStateError),
    ],
    ids=lambda value: f'{value.attribute}' if isinstance(value, Write) else value.__name__,
)
def test_the_world_refuses(write, error):
    """What a stranger writes is refused with a typed error, and changes nothing."""
    engine = Stage().engine
    before, entities = engine.truth, [engine.entity(name) for name in engine.names]
    with pytest.raises(error):
        apply(engine, write)
    assert engine.truth == before
    assert [engine.entity(name) for name in engine.names] == entities


def test_forces_at_points_turn():
    """A force at a point of the part's frame equals the same one in the frame of the world."""
    first, second = (Stage(cup(pose=Pose((1.0, 0.0, 1.0), LEFT))) for _ in range(2))
    first['cup'].add_force((0.0, 0.0, 1.0), (0.1, 0.0, 0.0), at_relative=True)
    second['cup'].add_force((0.0, 0.0, 1.0), (1.0, 0.1, 1.0))
    for stage in (first, second):
        stage.end()
        stage.engine.step(0.01)
    found = first.engine.state_of('cup')
    assert found.angular_velocity == pytest.approx(second.engine.state_of('cup').angular_velocity)
    assert found.angular_velocity[0] > 0.0
    first['cup'].add_force((1.0, 0.0, 0.0), relative=True)
    ((_, force, _, _),) = [write.value for write in first.world.writes]
    assert force == pytest.approx((0.0, 1.0, 0.0), abs=0.01)
