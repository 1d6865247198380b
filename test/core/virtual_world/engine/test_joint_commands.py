# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Joints turn without dynamics, take torques for a step, and report their forces."""

import math

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import arm, run, thing, world

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import (
    GraspError,
    InvalidStateError,
    UnknownPartError,
    WrongModeError,
)
from world_model_core.virtual_world.values import (
    STANDARD_GRAVITY,
    Box,
    Camera,
    Entity,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
)


def shoulder(engine):
    """Return angle and velocity of the arm's joint."""
    state = engine.state_of('arm').joints['shoulder']
    return state.position[0], state.velocity[0]


def held_arm(**joint):
    """Return an engine with an arm without dynamics."""
    engine = Engine(world(arm(**joint)))
    engine.set_dynamics('arm', on=False)
    return engine


def slider():
    """Return a free body with a slide along y."""
    rail = Joint('rail', JointKind.SLIDE, (0.0, 1.0, 0.0))
    box = (Shape(Box((0.1, 0.1, 0.1))),)
    parts = (
        Part('base', shapes=box, mass=1.0),
        Part('cart', 'base', Pose((0.0, 0.5, 0.0)), rail, box, 1.0),
    )
    return Entity('slider', pose=Pose((0.0, 0.0, 3.0)), parts=parts, gravity=False)


def test_a_held_joint_turns():
    """Without dynamics a joint has its velocity until the next one, or until it is placed."""
    engine = held_arm()
    engine.set_joint_target('arm', 'shoulder', velocity=0.5)
    run(engine, 1.0)
    assert shoulder(engine) == pytest.approx((0.5, 0.5))
    engine.set_joint_target('arm', 'shoulder', velocity=0.0)
    run(engine, 0.1)
    assert shoulder(engine) == pytest.approx((0.5, 0.0))
    engine.set_joint_target('arm', 'shoulder', velocity=0.5)
    engine.set_joint_target('arm', 'shoulder', position=0.1)
    run(engine, 0.1)
    assert shoulder(engine) == (0.1, 0.0)


def test_a_held_joint_stops_at_its_limit():
    """It stays there, and turns back."""
    engine = held_arm(upper=0.3, lower=-0.3)
    engine.set_joint_target('arm', 'shoulder', velocity=1.0)
    run(engine, 0.5)
    assert shoulder(engine) == pytest.approx((0.3, 0.0))
    engine.set_joint_target('arm', 'shoulder', velocity=-1.0)
    run(engine, 0.1)
    assert shoulder(engine) == pytest.approx((0.2, -1.0))


def test_switching_dynamics_stops_joints():
    """A velocity ends with the mode in which it was set."""
    engine = held_arm()
    engine.set_joint_target('arm', 'shoulder', velocity=0.5)
    engine.set_dynamics('arm', on=True)
    engine.set_dynamics('arm', on=False)
    run(engine, 0.2)
    assert shoulder(engine) == (0.0, 0.0)


def test_a_snapshot_has_turning_joints():
    """The restored run is that of the original."""
    engine = held_arm()
    engine.set_joint_target('arm', 'shoulder', velocity=0.5)
    run(engine, 0.1)
    stored = engine.snapshot()
    run(engine, 0.1)
    other = Engine(world(arm()))
    other.restore(stored)
    run(other, 0.1)
    assert other.truth == engine.truth


def test_a_torque_acts_for_one_step():
    """A hinge is accelerated by its torque over its inertia, once."""
    engine = Engine(world(arm(), gravity=(0.0, 0.0, 0.0)))
    engine.add_joint_torque('arm', 'shoulder', 2.0)
    engine.step(0.01)
    engine.step(0.01)
    # A rod of 1 kg and 1 m about its end.
    inertia = 0.25 + (1.0 + 0.02**2) / 12.0
    assert shoulder(engine)[1] == pytest.approx(0.01 * 2.0 / inertia, rel=1e-6)


def test_a_force_of_a_slide_acts_on_both_parts():
    """The momentum of the whole stays 0."""
    engine = Engine(world(slider()))
    engine.add_joint_torque('slider', 'rail', 3.0)
    engine.step(0.01)
    state = engine.state_of('slider')
    base, cart = state.linear_velocity[1], state.joints['rail'].velocity[0]
    assert (base, base + cart) == pytest.approx((-0.03, 0.03))


def test_a_joint_carries_a_weight():
    """A hanging arm pulls at its base with its weight; a stretched one turns it, too."""
    engine = Engine(world(arm()))
    run(engine, 0.1)
    child, parent = engine.joint_forces('arm', 'shoulder')
    assert (child.part, parent.part) == ('rod', 'base')
    assert child.force == pytest.approx((0.0, 0.0, STANDARD_GRAVITY))
    assert parent.force == pytest.approx((0.0, 0.0, -STANDARD_GRAVITY))
    engine.set_joint_target('arm', 'shoulder', position=math.radians(-90.0))
    run(engine, 2.0)
    child, _ = engine.joint_forces('arm', 'shoulder')
    assert child.force == pytest.approx((0.0, 0.0, STANDARD_GRAVITY), abs=0.01)
    assert child.torque == pytest.approx((0.0, -0.5 * STANDARD_GRAVITY, 0.0), abs=0.05)


def test_wrong_joints_are_errors():
    """A held joint takes no torque and exerts no force; a ball joint has no axis."""
    engine = held_arm()
    with pytest.raises(WrongModeError, match='no dynamics'):
        engine.add_joint_torque('arm', 'shoulder', 1.0)
    with pytest.raises(WrongModeError, match='exert no forces'):
        engine.joint_forces('arm', 'shoulder')
    with pytest.raises(UnknownPartError, match="no joint 'elbow'"):
        engine.joint_position('arm', 'elbow')
    assert engine.joint_position('arm', 'shoulder') == (0.0, 0.0, 2.0)


def test_graspable_and_its_radius_are_set():
    """Whether a hand could hold a thing is known without trying."""
    engine = Engine(world(thing('hand'), thing('cup', position=(0.3, 0.0, 1.0))))
    engine.check_grasp('hand', 'body', 'cup')
    engine.set_grasp_radius('cup', 0.2)
    with pytest.raises(GraspError, match=r'0\.300 m away'):
        engine.check_grasp('hand', 'body', 'cup')
    engine.set_graspable('cup', on=False)
    with pytest.raises(GraspError, match='not graspable'):
        engine.check_grasp('hand', 'body', 'cup')
    with pytest.raises(InvalidStateError, match='0 or above'):
        engine.set_grasp_radius('cup', -1.0)
    assert engine.grasps == {}


def test_a_camera_is_changed():
    """Its part, pose and lens; nothing else of the entity."""
    camera = Camera(1, '', Pose(), 0.8, 1.5)
    engine = Engine(world(thing('robot', cameras=(camera,))))
    changed = Camera(1, 'body', Pose((0.1, 0.0, 0.0)), 1.0, 2.0)
    engine.set_camera('robot', changed)
    assert engine.entity('robot').cameras == (changed,)
    for bad, message in (
        (Camera(2, '', Pose(), 0.8, 1.5), 'no camera 2'),
        (Camera(1, 'nose', Pose(), 0.8, 1.5), "no part 'nose'"),
        (Camera(1, '', Pose(), 4.0, 1.5), 'between 0 and pi'),
        (Camera(1, '', Pose(), 0.8, 0.0), 'from 0.01 to 100'),
    ):
        with pytest.raises((InvalidStateError, UnknownPartError), match=message):
            engine.set_camera('robot', bad)
    engine.reset()
    assert engine.entity('robot').cameras == (camera,)
