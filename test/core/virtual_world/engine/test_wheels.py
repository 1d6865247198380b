# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Differential drive, with wheel joints and with a base that is moved along the floor."""

import math

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import run, thing, world
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import (
    InvalidStateError,
    UnknownPartError,
    WrongModeError,
)
from world_model_core.virtual_world.engine.wheels import (
    BaseVelocity,
    base_velocity,
    move_base,
    wheel_velocities,
)
from world_model_core.virtual_world.values import (
    Box,
    Entity,
    EntityState,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    Sphere,
    Wheels,
)

WHEELS = Wheels(0.1, 0.5)
speeds = st.floats(-2.0, 2.0)


def cart(*, joints=False, **values):
    """Return a cart with two wheels on hinges and two casters, or a box without wheels."""
    if not joints:
        return thing('cart', Box((0.4, 0.4, 0.2)), (0.0, 0.0, 0.1), wheels=WHEELS, **values)
    parts = [Part('base', shapes=(Shape(Box((0.4, 0.4, 0.1))),), mass=5.0)]
    for side, y in (('left', 0.25), ('right', -0.25)):
        hinge = Joint(f'{side}_wheel', JointKind.HINGE, (0.0, 1.0, 0.0))
        tire = Shape(Sphere(0.1))
        parts.append(Part(side, 'base', Pose((0.0, y, 0.0)), hinge, (tire,), mass=1.0))
    for x in (-0.15, 0.15):
        ball = Shape(Sphere(0.04), Pose((x, 0.0, -0.059)))
        parts.append(Part(f'caster {x}', 'base', shapes=(ball,), mass=0.1))
    wheels = Wheels(0.1, 0.5, ('left_wheel', 'right_wheel'))
    return Entity('cart', pose=Pose((0, 0, 0.1)), parts=tuple(parts), wheels=wheels, **values)


def heading(engine):
    """Return the heading of the cart [rad]."""
    _, _, z, w = engine.state_of('cart').pose.orientation
    return 2.0 * math.atan2(z, w)


@given(linear=speeds, angular=speeds)
def test_velocities_of_base_and_wheels_are_inverse(linear, angular):
    """A base that has the velocity of its wheels gives them their velocities."""
    velocity = BaseVelocity(linear, angular)
    assert base_velocity(WHEELS, wheel_velocities(WHEELS, velocity)) == pytest.approx(velocity)


@given(linear=speeds, angular=speeds, dt=st.floats(0.01, 1.0))
def test_a_base_moves_by_two_half_steps_as_by_one_step(linear, angular, dt):
    """It follows its arc exactly; height and tilt stay."""
    start = Pose((1.0, 2.0, 0.3), (0.1, 0.2, 0.3, math.sqrt(1.0 - 0.14)))
    velocity = BaseVelocity(linear, angular)
    whole = move_base(start, velocity, dt)
    halves = move_base(move_base(start, velocity, 0.5 * dt), velocity, 0.5 * dt)
    assert halves.position == pytest.approx(whole.position, abs=1e-12)
    assert halves.orientation == pytest.approx(whole.orientation, abs=1e-12)
    assert whole.position[2] == 0.3


def test_a_base_without_dynamics_returns_on_its_circle():
    """A full turn of 1 m radius ends where it began, whatever stands there; as in SIGVerse."""
    engine = Engine(
        world(cart(dynamics=False), thing('wall', position=(1, 1, 0.1), movable=False))
    )
    engine.drive('cart', 1.0, 1.0)
    engine.step(2.0 * math.pi // 0.01 * 0.01)
    assert engine.state_of('cart').pose.position == pytest.approx((0, 0, 0.1), abs=0.01)
    assert engine.state_of('cart').angular_velocity == pytest.approx((0, 0, 1.0))
    engine.drive('cart', 0.0, 0.0)
    pose = engine.state_of('cart').pose
    run(engine, 0.1)
    assert engine.state_of('cart').pose == pose
    assert engine.state_of('cart').linear_velocity == (0.0, 0.0, 0.0)


def test_the_frame_of_the_entity_drives_and_not_its_root():
    """A root part away from the frame moves around it."""
    root = Part('body', pose=Pose((0.0, 1.0, 0.0)), shapes=(Shape(Box((0.2, 0.2, 0.2))),))
    robot = Entity('cart', pose=Pose((0, 0, 0.1)), parts=(root,), dynamics=False, wheels=WHEELS)
    engine = Engine(world(robot))
    engine.drive('cart', 0.0, 1.0)
    run(engine, 1.0)
    assert engine.state_of('cart').pose.position == pytest.approx((0, 0, 0.1), abs=1e-9)
    assert heading(engine) == pytest.approx(1.0)
    assert engine.part_pose('cart', 'body').position == pytest.approx(
        (-math.sin(1.0), math.cos(1.0), 0.1)
    )


def test_a_base_pushes_things():
    """A ball before it rolls away."""
    ball = thing('ball', Sphere(0.1), (0.35, 0.0, 0.1), mass=1.0)
    engine = Engine(world(cart(dynamics=False), ball))
    engine.drive('cart', 0.5, 0.0)
    run(engine, 1.0)
    assert engine.state_of('ball').pose.position[0] > 0.75


def test_wheels_on_hinges_roll():
    """They turn at their velocities and move the base, which rocks and may slip."""
    engine = Engine(world(cart(joints=True)))
    run(engine, 0.2)
    engine.set_wheel_velocities('cart', 5.0, 5.0)
    run(engine, 2.0)
    joints = engine.state_of('cart').joints
    assert joints['left_wheel'].velocity == pytest.approx((5.0,), rel=0.02)
    assert 0.3 < engine.state_of('cart').pose.position[0] < 1.01
    engine.drive('cart', 0.0, 1.0)
    run(engine, 0.5)
    before = heading(engine)
    run(engine, 1.0)
    assert 0.3 < heading(engine) - before < 1.1


def test_reset_and_deletion_stop_a_base():
    """The next cart of that name stands still."""
    engine = Engine(world(cart(dynamics=False)))
    engine.drive('cart', 1.0, 0.0)
    run(engine, 0.1)
    engine.reset()
    run(engine, 0.1)
    assert engine.state_of('cart').pose.position == (0.0, 0.0, 0.1)
    engine.drive('cart', 1.0, 0.0)
    engine.delete(['cart'])
    run(engine, 0.1)
    engine.spawn([cart(dynamics=False)])
    run(engine, 0.1)
    assert engine.state_of('cart').pose.position == (0.0, 0.0, 0.1)


def test_a_base_can_be_placed_while_it_drives():
    """It goes on from there."""
    engine = Engine(world(cart(dynamics=False)))
    engine.drive('cart', 1.0, 0.0)
    engine.set_state('cart', EntityState(Pose((5.0, 0.0, 0.1))))
    run(engine, 1.0)
    assert engine.state_of('cart').pose.position == pytest.approx((6.0, 0.0, 0.1))


def test_wheels_are_checked():
    """The errors name the entity and the value."""
    fixed = thing('fixed', position=(3.0, 0.0, 0.1), movable=False, wheels=WHEELS)
    engine = Engine(world(cart(joints=True), thing('stone', position=(2, 0, 0.1)), fixed))
    with pytest.raises(WrongModeError, match='stone'):
        engine.drive('stone', 1.0, 0.0)
    with pytest.raises(WrongModeError, match='fixed'):
        engine.drive('fixed', 1.0, 0.0)
    engine.set_wheels('stone', Wheels(0.1, 0.5))
    with pytest.raises(WrongModeError, match='no joints'):
        engine.drive('stone', 1.0, 0.0)
    with pytest.raises(InvalidStateError, match='finite'):
        engine.drive('stone', math.nan, 0.0)
    for wheels in (Wheels(0.0, 0.5), Wheels(0.1, -1.0), Wheels(0.1, math.inf)):
        with pytest.raises(InvalidStateError, match='above 0'):
            engine.set_wheels('stone', wheels)
    with pytest.raises(UnknownPartError, match='left'):
        engine.set_wheels('stone', Wheels(0.1, 0.5, ('left', 'right')))
