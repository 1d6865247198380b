# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Grasps and connections: reasons, drift, and what happens to them when the world changes."""

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import run, thing, world

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import (
    GraspError,
    GraspReason,
    NameTakenError,
    UnknownEntityError,
    UnknownPartError,
    WrongModeError,
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
    Wheels,
)

CUP = Box((0.06, 0.06, 0.1))


def lifter(name='lifter', **values):
    """Return a robot whose hand is 0.5 m before it, on a mast that can be raised."""
    mast = Joint('mast', JointKind.SLIDE, (0.0, 0.0, 1.0), lower=0.0, upper=1.0)
    finger = Part('finger', 'hand', Pose((0.0, 0.04, -0.06)), shapes=(Shape(Box((0.02,) * 3)),))
    parts = (
        Part('base', shapes=(Shape(Box((0.6, 0.6, 0.2))),), mass=50.0),
        Part('hand', 'base', Pose((0.5, 0.0, 0.4)), mast, (Shape(Box((0.1, 0.1, 0.04))),), 2.0),
        finger,
    )
    return Entity(name, pose=Pose((0.0, 0.0, 0.1)), parts=parts, **values)


def cup(name='cup', **values):
    """Return a cup that stands under the hand of the lifter, on a box."""
    return thing(name, CUP, (0.5, 0.0, 0.4), mass=0.3, **values)


def stand():
    """Return what the cup stands on."""
    return thing('stand', Box((0.1, 0.1, 0.35)), (0.5, 0.0, 0.175), movable=False)


def kitchen(**values):
    """Return a world of a robot with a hand and a cup beneath it."""
    return world(lifter(dynamics=False), stand(), cup(**values))


def in_hand(engine, hand=('lifter', 'hand'), held='cup'):
    """Return the position of a thing in the frame of an upright hand [m]."""
    pose = engine.part_pose(*hand)
    heading = 2.0 * np.arctan2(pose.orientation[2], pose.orientation[3])
    x, y, z = np.subtract(engine.state_of(held).pose.position, pose.position)
    cos, sin = np.cos(heading), np.sin(heading)
    return np.array((cos * x + sin * y, cos * y - sin * x, z))


def drifts(engine, seconds):
    """Return how far a thing is from where it was in the hand after each step [m]."""
    start = in_hand(engine)
    found = []
    for _ in range(round(seconds / 0.01)):
        engine.step(0.01)
        found.append(np.linalg.norm(in_hand(engine) - start))
    return found


def touching(engine):
    """Return pairs of entities in contact that are not the ground."""
    pairs = {(each.first[0], each.second[0]) for each in engine.contacts}
    return {pair for pair in pairs if all(pair)}


def reason(engine, *grasp):
    """Return why a grasp fails."""
    with pytest.raises(GraspError) as error:
        engine.grasp(*grasp)
    return error.value.reason


def test_a_grasped_thing_stays_in_a_hand_that_lifts_it():
    """The hand starts with a jerk: at most 2 mm then, and 0.4 mm in the lift and after it."""
    engine = Engine(world(lifter(), stand(), cup()))
    run(engine, 0.5)
    engine.grasp('lifter', 'hand', 'cup')
    engine.set_joint_target('lifter', 'mast', velocity=0.3)
    drift = drifts(engine, 1.0)
    engine.set_joint_target('lifter', 'mast', velocity=0.0)
    drift += drifts(engine, 1.0)
    assert max(drift) < 0.002
    assert max(drift[50:100] + drift[150:]) < 0.0004
    assert engine.state_of('cup').pose.position[2] > 0.65
    assert touching(engine) == set()


@pytest.mark.parametrize('dynamics', [True, False])
def test_a_thing_moves_with_a_hand_whose_pose_is_set(dynamics):
    """Whether the thing has dynamics or not; and a base moved along the floor carries it."""
    wheels = Wheels(0.1, 0.5)
    robot = lifter(dynamics=False, wheels=wheels)
    engine = Engine(world(robot, stand(), cup(dynamics=dynamics)))
    engine.grasp('lifter', 'hand', 'cup')
    start = in_hand(engine)
    turned = Pose((1.0, 2.0, 0.1), (0.0, 0.0, np.sin(0.5), np.cos(0.5)))
    engine.set_state('lifter', EntityState(turned))
    assert in_hand(engine) == pytest.approx(start, abs=1e-9)
    engine.drive('lifter', 0.3, 0.5)
    assert max(drifts(engine, 2.0)) < 0.002
    assert np.linalg.norm(engine.state_of('cup').linear_velocity) > 0.2


def test_reasons_are_those_of_the_original():
    """In its order: no object, already grasping, already grasped, not graspable, too far."""
    far = thing('far', CUP, (1.0, 0.0, 0.05))
    stone = thing('stone', CUP, (0.5, 0.2, 0.05), graspable=False)
    engine = Engine(
        world(
            lifter(dynamics=False),
            lifter('other', dynamics=False),
            stand(),
            cup(),
            far,
            stone,
        )
    )
    assert reason(engine, 'lifter', 'hand', 'nothing') is GraspReason.NO_OBJECT
    assert reason(engine, 'lifter', 'hand', 'stone') is GraspReason.NOT_GRASPABLE
    assert reason(engine, 'lifter', 'hand', 'stand') is GraspReason.NOT_GRASPABLE
    assert reason(engine, 'lifter', 'hand', 'lifter') is GraspReason.NOT_GRASPABLE
    assert reason(engine, 'lifter', 'hand', 'far') is GraspReason.TOO_FAR
    engine.grasp('lifter', 'hand', 'cup')
    assert reason(engine, 'lifter', 'hand', 'far') is GraspReason.ALREADY_GRASPING
    assert reason(engine, 'lifter', 'hand', 'nothing') is GraspReason.NO_OBJECT
    assert reason(engine, 'other', 'hand', 'cup') is GraspReason.ALREADY_GRASPED
    assert engine.grasps == {('lifter', 'hand'): 'cup'}
    with pytest.raises(UnknownEntityError, match='nobody'):
        engine.grasp('nobody', 'hand', 'cup')
    with pytest.raises(UnknownPartError, match='foot'):
        engine.grasp('lifter', 'foot', 'cup')


def test_the_grasp_radius_is_the_greatest_distance():
    """It is measured between the centers of mass of hand and thing."""
    engine = Engine(world(lifter(dynamics=False), stand(), cup(grasp_radius=0.099)))
    assert reason(engine, 'lifter', 'hand', 'cup') is GraspReason.TOO_FAR
    engine = Engine(world(lifter(dynamics=False), stand(), cup(grasp_radius=0.101)))
    engine.grasp('lifter', 'hand', 'cup')


def test_a_released_thing_falls_and_collides_with_the_hand_again():
    """A thing that overlaps its hand does not touch it while it is held."""
    engine = Engine(world(lifter(dynamics=False), cup()))
    engine.set_state('cup', EntityState(Pose((0.5, 0.0, 0.56))))
    engine.grasp('lifter', 'hand', 'cup')
    run(engine, 0.2)
    assert touching(engine) == set()
    engine.release('lifter', 'hand')
    engine.release('lifter', 'hand')
    assert engine.grasps == {}
    engine.step(0.01)
    assert touching(engine) == {('lifter', 'cup')}
    engine.set_state('cup', EntityState(Pose((0.5, 0.0, 0.3))))
    run(engine, 1.0)
    assert engine.state_of('cup').pose.position[2] == pytest.approx(0.05, abs=2e-3)


def test_a_thing_without_dynamics_is_held_where_it_is_released():
    """It is carried like others, and its mode applies again afterwards."""
    engine = Engine(world(lifter(), cup(dynamics=False)))
    engine.grasp('lifter', 'hand', 'cup')
    engine.set_joint_target('lifter', 'mast', velocity=0.2)
    run(engine, 1.0)
    engine.release('lifter', 'hand')
    pose = engine.state_of('cup').pose
    assert pose.position[2] > 0.55
    run(engine, 0.5)
    assert engine.state_of('cup').pose == pose


@pytest.mark.parametrize('dynamics', [True, False])
def test_a_thing_that_sleeps_in_a_hand_falls_when_it_is_released(dynamics):
    """And a hand wakes the thing that it grasps."""
    hand = thing('hand', position=(0.0, 0.0, 1.0), movable=dynamics is False, dynamics=dynamics)
    held = thing('cup', CUP, (0.0, 0.0, 0.8), mass=0.3)
    engine = Engine(world(hand, held), sleep=True)
    engine.grasp('hand', '', 'cup')
    run(engine, 5.0)
    assert engine.physics.data.ntree_awake == 0
    engine.release('hand', '')
    run(engine, 1.0)
    assert engine.state_of('cup').pose.position[2] < 0.1
    run(engine, 5.0)
    assert engine.physics.data.ntree_awake == 0
    engine.connect('rope', ('cup', ''), ('hand', ''))
    engine.step(0.01)
    assert engine.physics.data.ntree_awake > 0


def test_a_state_cannot_be_set_while_a_hand_holds_the_thing():
    """The error names the hand."""
    engine = Engine(kitchen())
    engine.grasp('lifter', 'hand', 'cup')
    with pytest.raises(WrongModeError, match='lifter/hand holds'):
        engine.set_state('cup', EntityState(Pose()))


@pytest.mark.parametrize('deleted', ['cup', 'lifter'])
def test_deletion_of_a_thing_or_its_hand_releases_it(deleted):
    """The other one can grasp or be grasped again."""
    engine = Engine(kitchen())
    engine.grasp('lifter', 'hand', 'cup')
    engine.delete([deleted])
    assert engine.grasps == {}
    run(engine, 0.1)
    engine.spawn([cup() if deleted == 'cup' else lifter(dynamics=False)])
    engine.grasp('lifter', 'hand', 'cup')
    assert max(drifts(engine, 0.2)) < 0.002


def test_grasps_survive_spawning_and_deletion_of_others():
    """Each compilation gives the constraints their bodies again."""
    before = thing('before', position=(3.0, 0.0, 0.1))
    engine = Engine(world(before, lifter(dynamics=False), stand(), cup()))
    engine.grasp('lifter', 'hand', 'cup')
    start = in_hand(engine)
    engine.delete(['stand', 'before'])
    engine.spawn([thing('other', position=(2.0, 0.0, 0.5))])
    run(engine, 1.0)
    assert engine.grasps == {('lifter', 'hand'): 'cup'}
    assert in_hand(engine) == pytest.approx(start, abs=0.0004)
    assert touching(engine) == set()


def test_reset_releases_everything():
    """Also if things were spawned; a reset of the time alone keeps grasps."""
    engine = Engine(kitchen())
    start = engine.truth
    engine.grasp('lifter', 'hand', 'cup')
    engine.connect('rope', ('stand', ''), ('cup', ''))
    run(engine, 0.1)
    engine.reset(state=False, spawned=False)
    assert engine.grasps
    engine.reset()
    assert engine.grasps == engine.connections == {}
    assert engine.truth == start
    engine.grasp('lifter', 'hand', 'cup')
    engine.spawn([thing('other', position=(2.0, 0.0, 0.5))])
    engine.reset(time=False, state=False)
    assert engine.names == ('lifter', 'stand', 'cup')
    assert engine.grasps == {('lifter', 'hand'): 'cup'}


def test_the_pool_grows_when_it_is_used_up():
    """Twenty hands hold a cup each; nothing jumps when the model is compiled again."""
    hands = [
        thing(f'hand{i}', position=(i, 0.0, 1.0), dynamics=False, mass=1.0) for i in range(20)
    ]
    cups = [thing(f'cup{i}', CUP, (i, 0.0, 0.8), mass=0.3, gravity=False) for i in range(20)]
    engine = Engine(world(*hands, *cups))
    for index in range(20):
        engine.grasp(f'hand{index}', '', f'cup{index}')
        engine.step(0.01)
    run(engine, 0.3)
    heights = [engine.state_of(f'cup{index}').pose.position[2] for index in range(20)]
    assert heights == pytest.approx([0.8] * 20, abs=0.0004)
    assert touching(engine) == set()
    assert engine.time_ns == 500_000_000


def test_many_parts_that_must_not_collide_enlarge_the_pool():
    """A hand of 40 fingers grasps a thing of 3 parts."""
    fingers = [
        Part(f'f{i}', 'palm', Pose((0.01 * i, 0.0, 0.0)), shapes=(Shape(Box((0.01,) * 3)),))
        for i in range(40)
    ]
    hand = Entity('hand', parts=(Part('palm'), *fingers), dynamics=False, pose=Pose((0, 0, 1.0)))
    pieces = [Part(f'p{i}', 'b', shapes=(Shape(Box((0.5, 0.1, 0.1))),)) for i in range(2)]
    engine = Engine(
        world(
            hand,
            Entity(
                'bar',
                pose=Pose((0.0, 0.0, 1.0)),
                parts=(Part('b', shapes=(Shape(Box((0.5, 0.1, 0.1))),)), *pieces),
            ),
        )
    )
    engine.grasp('hand', 'palm', 'bar')
    engine.step(0.01)
    assert touching(engine) == set()
    engine.release('hand', 'palm')
    engine.step(0.01)
    assert engine.contacts


def test_connections_hold_two_parts_together_under_a_name():
    """Both sides fall as one, also two things that do not touch."""
    left, right = thing('left', CUP, (0.0, 0.0, 2.0)), thing('right', CUP, (0.5, 0.0, 2.0))
    engine = Engine(world(left, right))
    engine.connect('bar', ('left', ''), ('right', 'body'))
    assert engine.connections == {'bar': (('left', 'body'), ('right', 'body'))}
    engine.apply_wrench('left', '', (0.0, 3.0, 0.0))
    run(engine, 0.4)
    apart = np.subtract(
        engine.state_of('right').pose.position, engine.state_of('left').pose.position
    )
    assert np.linalg.norm(apart) == pytest.approx(0.5, abs=0.0004)
    with pytest.raises(NameTakenError, match='bar'):
        engine.connect('bar', ('left', ''), ('right', ''))
    with pytest.raises(WrongModeError, match='both ends'):
        engine.connect('ring', ('left', ''), ('left', 'body'))
    engine.disconnect('bar')
    with pytest.raises(UnknownEntityError, match='bar'):
        engine.disconnect('bar')
