# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Objects of a controller are read, assigned and written back to a real world."""

import math

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from controller_worlds import Stage, cup, robot

from world_model_core.virtual_world.engine.errors import (
    GraspError,
    InvalidStateError,
    UnknownEntityError,
    UnknownPartError,
    WrongModeError,
)
from world_model_core.virtual_world.values import Attribute, Pose


def test_a_handler_sees_what_it_has_written():
    """An assigned value is read at once, also by another object of the same name."""
    stage = Stage()
    thing = stage['cup']
    thing.dynamics = False
    thing.position += (0.0, 0.1, 0.0)
    thing.position += (0.0, 0.1, 0.0)
    assert stage['cup'].position.tolist() == pytest.approx([1.0, 0.2, 1.0])
    assert stage['cup'].part_position('body').tolist() == pytest.approx([1.0, 0.2, 1.0])
    assert stage.engine.state_of('cup').pose.position == (1.0, 0.0, 1.0)


def test_the_world_has_it_after_the_handler():
    """What was written is applied attribute by attribute, and read in the next handler."""
    stage = Stage()
    thing = stage['cup']
    thing.dynamics = False
    thing.position += (0.0, 0.1, 0.0)
    stage.end()
    assert stage.engine.state_of('cup').pose.position == pytest.approx((1.0, 0.1, 1.0))
    assert thing.position.tolist() == pytest.approx([1.0, 0.1, 1.0])
    assert not thing.dynamics
    assert stage.world.writes == ()


def test_attributes_of_the_world_file_are_fields():
    """Attributes and visible states are read and assigned by their names."""
    stage = Stage()
    thing = stage['cup']
    assert (thing.price, thing.owner, thing.hot, thing.switch) == (3.5, 'Ann', True, 'off')
    thing.price, thing.owner, thing.hot, thing.switch = 4, 'Bob', False, 'on'
    assert dict(thing.attributes) == {'price': 4.0, 'owner': 'Bob', 'hot': False}
    assert thing.states['switch'] == 'on'
    stage.end()
    assert stage.engine.entity('cup').attributes['owner'].value == 'Bob'
    assert stage.engine.entity('cup').states == {'switch': 'on'}
    assert {'price', 'switch', 'position', 'add_force'} <= set(dir(thing))


def test_an_unknown_attribute_names_those_there_are():
    """The most similar name comes first; nothing is assigned."""
    thing = Stage()['cup']
    for act in (lambda: thing.prize, lambda: setattr(thing, 'prize', 3)):
        with pytest.raises(AttributeError, match=r"'cup' has no attribute 'prize'.* are price, "):
            act()
    for name in ('name', 'parts', 'add_force'):
        with pytest.raises(AttributeError):
            setattr(thing, name, 'mug')


def test_objects_of_one_name_are_equal():
    """They can be compared, and kept in sets."""
    stage = Stage()
    assert stage['cup'] == stage['cup'] != stage['robot']
    assert len({stage['cup'], stage['cup'], stage['robot']}) == 2
    assert stage['cup'] != 'cup'


@pytest.mark.parametrize(
    ('name', 'remedy'),
    [
        ('FOV', 'set_camera'),
        ('epx1', 'setCamPos'),
        ('fx', 'add_force'),
        ('scalex', 'of the start'),
    ],
)
def test_attributes_of_the_start_say_what_to_do(name, remedy):
    """What the file says of cameras, forces and scale is read; assigning it would be lost."""
    thing = Stage(cup(attributes={name: Attribute(1.0)}))['cup']
    assert getattr(thing, name) == 1.0
    with pytest.raises(AttributeError, match=f"{name} of 'cup' cannot be assigned: .*{remedy}"):
        setattr(thing, name, 2.0)


def test_unknown_names_are_named():
    """Entities, parts, joints and cameras that do not exist are named beside those that do."""
    stage = Stage()
    with pytest.raises(UnknownEntityError, match="'cub'; there are cup, robot"):
        stage.world.get_object('cub')
    thing = stage['robot']
    with pytest.raises(UnknownPartError, match="no joint 'elbw'; there are elbow"):
        thing.joint_angle('elbw')
    with pytest.raises(UnknownPartError, match="no part 'arn'; there are arm"):
        thing.part_position('arn')
    with pytest.raises(UnknownPartError, match='no camera 2; there are 1'):
        thing.camera(2)


def test_elements_are_attributes_of_the_file():
    """The names of world files stand for elements of the values, in SI units, with z up."""
    stage = Stage(cup(dynamics=False))
    thing = stage['cup']
    thing.x += 0.5
    thing.z = 3.0
    assert thing.position.tolist() == [1.5, 0.0, 3.0]
    assert (thing.qw, thing.collision, thing.graspRadius) == (1.0, True, 0.4)
    thing.graspRadius = 0.2
    assert thing.grasp_radius == 0.2


def test_headings_and_rotations():
    """An object turns about the vertical, an axis of the world or one of its own."""
    stage = Stage(cup(dynamics=False))
    thing = stage['cup']
    thing.heading = math.radians(90.0)
    assert thing.heading == pytest.approx(math.radians(90.0))
    thing.rotate((0.0, 0.0, 2.0), math.radians(-90.0))
    assert thing.orientation.tolist() == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-12)
    thing.rotate((1.0, 0.0, 0.0), math.radians(90.0))
    thing.rotate((0.0, 1.0, 0.0), math.radians(90.0), relative=True)
    assert thing.orientation.tolist() == pytest.approx([0.5, 0.5, 0.5, 0.5])


def test_modes_decide_at_once():
    """A setter in the wrong mode raises, and nothing is written."""
    stage = Stage()
    with pytest.raises(WrongModeError, match='set dynamics = False before'):
        stage['cup'].position = (0.0, 0.0, 0.0)
    with pytest.raises(WrongModeError, match='set dynamics = True before'):
        stage['robot'].add_force((1.0, 0.0, 0.0))
    assert stage.world.writes == ()


def test_original_modes_ignore_and_count():
    """SIGVerse ignores what the mode does not allow."""
    stage = Stage(original_modes=True)
    stage['cup'].position = (0.0, 0.0, 0.0)
    stage['cup'].position += (1.0, 0.0, 0.0)
    assert stage['cup'].position.tolist() == [1.0, 0.0, 1.0]
    assert stage.world.writes == ()
    assert stage.world.ignored == {'position': 2}


def test_a_hand_grasps_and_releases():
    """The reasons of the world why a hand cannot grasp are known at once."""
    near = cup(pose=Pose((0.6, 0.0, 2.0)), dynamics=False)
    stage = Stage(near, robot())
    hand = stage['robot']
    hand.grasp('cup', 'arm')
    assert (dict(hand.grasps), stage['cup'].holder) == ({'arm': 'cup'}, 'robot')
    stage.end()
    assert stage.engine.grasps == {('robot', 'arm'): 'cup'}
    with pytest.raises(GraspError, match="it holds 'cup'"):
        hand.grasp('cup', 'arm')
    hand.release('arm')
    stage.end()
    assert stage.engine.grasps == {}


def test_random_numbers_repeat():
    """The same seed, agent and time give the same numbers; others differ."""
    first, second, other = (Stage(seed=seed).world for seed in (3, 3, 4))
    drawn = [first.random() for _ in range(3)]
    assert drawn == [second.random() for _ in range(3)]
    assert len({*drawn, other.random()}) == 4
    assert all(0.0 < each < 1.0 for each in drawn)


def test_wheels_slip():
    """Each wheel loses a share of its velocity, uniform from 0 to the slip, at each command."""
    stage = Stage(robot())
    machine = stage['robot']
    machine.set_wheels(0.1, 0.5, slip=(0.5, 0.0))
    for _ in range(200):
        machine.set_wheel_velocities(2.0, -2.0)
    driven = [each.value for each in stage.world.writes if each.attribute == 'wheel_velocities']
    shares = [left / 2.0 for left, _ in driven]
    assert {right for _, right in driven} == {-2.0}
    assert 0.5 < min(shares) < 0.55
    assert 0.95 < max(shares) < 1.0
    assert sum(shares) / 200 == pytest.approx(0.75, abs=0.04)
    stage.end()
    assert stage.engine.entity('robot').wheels.separation == 0.5
    with pytest.raises(InvalidStateError, match='from 0 to 1'):
        machine.set_wheels(0.1, 0.5, slip=(1.5, 0.0))


def test_wheels_without_joints_move_the_base():
    """A robot without dynamics drives along the floor as its wheels roll."""
    stage = Stage(robot())
    machine = stage['robot']
    with pytest.raises(WrongModeError, match='call set_wheels before'):
        machine.set_wheel_velocities(1.0, 1.0)
    machine.set_wheels(0.1, 0.5)
    machine.set_wheel_velocities(5.0, 5.0)
    stage.end()
    for _ in range(100):
        stage.engine.step(0.01)
    stage.begin()
    assert machine.position.tolist() == pytest.approx([0.5, 0.0, 2.0])
