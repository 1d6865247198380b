# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Controllers have the handlers that they define, and a world from on_init on."""

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from controller_worlds import Stage, cup, robot

from world_model_core import Controller, SimObject
from world_model_core.virtual_world.agents.events import (
    ActionEvent,
    AgentError,
    InitEvent,
    Sound,
    TextEvent,
)
from world_model_core.virtual_world.agents.messages import OutgoingMessage, OutgoingText
from world_model_core.virtual_world.engine.errors import EngineError, WrongModeError
from world_model_core.virtual_world.values import Pose


class Waiter(Controller):
    """Moves a cup, and answers texts."""

    def on_init(self, event):
        """Greet."""
        del event
        self.world.log(f'{self.name} begins')

    def on_action(self, event):
        """Lift the cup."""
        del event
        thing = self.world.get_object('cup')
        thing.dynamics = False
        thing.position += (0.0, 0.0, 0.1)
        return 0.1

    def on_recv_text(self, event):
        """Answer who has called."""
        self.world.send_text(f'yes, {event.caller}', event.caller)
        self.world.send_message(['a'], 'cup')


def attached():
    """Return a controller and its world."""
    stage, waiter = Stage(), Waiter()
    waiter.attach(stage.world)
    return stage, waiter


def test_handlers_are_those_of_the_class():
    """A handler that a class does not have is not called."""
    assert Waiter().handlers == ('on_init', 'on_action', 'on_recv_text')
    assert Controller().handlers == ()


def test_events_call_their_handlers():
    """Writes and texts are collected until the next turn begins."""
    stage, waiter = attached()
    assert waiter.handle(InitEvent(0)) is None
    assert waiter.handle(ActionEvent(0)) == 0.1
    assert waiter.handle(TextEvent(0, 'Ann', 'hello')) is None
    assert [each.attribute for each in stage.world.writes] == ['dynamics', 'position']
    assert stage.world.outgoing == (
        OutgoingText('robot', 'Ann', 'yes, Ann'),
        OutgoingMessage('robot', 'cup', ('a',)),
    )
    stage.end()
    assert stage.world.writes == stage.world.outgoing == ()
    assert stage.engine.state_of('cup').pose.position == pytest.approx((1.0, 0.0, 1.1))


def test_only_texts_are_sent():
    """What is no text is an error where it is sent; a text alone is a message of one string."""
    world = Stage().world
    world.send_message('abc', 'cup')
    world.broadcast_message(('a', 'b'))
    assert [each.strings for each in world.outgoing] == [('abc',), ('a', 'b')]
    for send in (
        lambda: world.send_text(3),
        lambda: world.send_text('hello', None),
        lambda: world.send_message(['a', 3], 'cup'),
        lambda: world.send_sound(Sound(b''), 7),
        lambda: world.send_sound(b'\1\0'),
    ):
        with pytest.raises(TypeError, match=r'is no (?:text|Sound)'):
            send()


def test_there_is_no_world_before_on_init():
    """The constructor of a subclass cannot use it, and is told so."""
    with pytest.raises(AgentError, match='from on_init on, not in __init__'):
        _ = Waiter().world


def test_the_world_has_time_names_and_me():
    """An agent knows who it is."""
    stage, waiter = attached()
    stage.engine.step(0.5)
    stage.begin()
    assert (waiter.world.time, waiter.world.names) == (0.5, ('cup', 'robot'))
    assert isinstance(waiter.world.me, SimObject)
    assert repr(waiter.world.me) == "SimObject('robot', category='')"


def test_random_numbers_begin_again_with_the_agent():
    """After a reset the same numbers come again."""
    _, waiter = attached()
    first = [waiter.world.random() for _ in range(2)]
    waiter.handle(InitEvent(0))
    assert [waiter.world.random() for _ in range(2)] == first


def test_objects_of_the_world_stay_up_to_date():
    """An object that is kept shows the state of each turn, and is missed when it is deleted."""
    stage = Stage()
    thing = stage['cup']
    stage.engine.step(0.1)
    stage.begin()
    assert thing.position[2] < 1.0
    stage.engine.delete(['cup'])
    stage.begin()
    with pytest.raises(EngineError, match="no entity has the name 'cup'; there are robot"):
        _ = thing.position


def test_queries_are_answered_by_the_world():
    """Contacts, distances and pointing are those of the physics."""
    table = cup(name='table', pose=Pose((3.0, 0.0, 2.0)), dynamics=False)
    stage = Stage(cup(pose=Pose((3.0, 0.0, 2.19))), table, robot())
    stage.engine.step(0.1)
    stage.begin()
    assert [each.other for each in stage['cup'].contacts()] == ['table']
    assert stage['robot'].contacts() == ()
    # From 0.2 m before the robot to the face of the table.
    assert stage.world.distance() == pytest.approx(2.7, abs=1e-3)
    assert stage.world.distance(farthest=1.0) == float('inf')
    machine = stage['robot']
    assert machine.joint_of('arm') == 'elbow'
    assert machine.joint_of('body') == ''
    assert machine.joint_position('elbow').tolist() == pytest.approx([0.2, 0.0, 2.0])
    with pytest.raises(WrongModeError, match='exert no forces'):
        machine.joint_force('elbow')


@pytest.mark.parametrize(
    ('method', 'arguments'),
    [
        ('guess', {}),
        ('boxes', {'name': 'cup'}),
        ('contacts', {}),
        ('contacts', {'name': 3}),
        ('contacts', {'name': 'nobody'}),
        ('contacts', {'name': 'cup', 'more': 1}),
        ('joint_position', {'name': 'robot', 'joint': 'nose'}),
        ('joint_of', {'name': 'robot', 'part': 'nose'}),
        ('distance', {'camera': 2, 'farthest': 1.0}),
        ('distance', {'camera': 1, 'farthest': float('nan')}),
        ('grasp_obstacle', {'name': 'robot', 'part': 'nose', 'thing': 'cup'}),
    ],
)
def test_wrong_queries_are_refused(method, arguments):
    """Queries may come from anybody: a wrong one is a typed error."""
    with pytest.raises(EngineError):
        Stage().world._link.query(method, arguments)
