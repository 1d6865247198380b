# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""ROS nodes hear and speak for agents, and talk with those for which controllers act."""

from __future__ import annotations

import json

import pytest
from std_msgs.msg import MultiArrayDimension, String, UInt8MultiArray

from world_model_core.errors import MalformedPacketError
from world_model_core.virtual_world.agents.commands import apply
from world_model_core.virtual_world.agents.events import Sound
from world_model_core.virtual_world.agents.messages import OutgoingMessage, OutgoingText
from world_model_core.virtual_world.agents.turns import AgentTurns
from world_model_core.virtual_world.agents.wire_values import Reply
from world_model_core.virtual_world.values import Entity, Part, Pose, Wheels, World
from world_model_nodes.runtime.qos import EVENTS
from world_model_nodes.virtual_world.agent_speech import AgentSpeech
from world_model_nodes.virtual_world.convert_speech import sound_message, sound_of
from world_model_nodes.virtual_world.engine_import import import_engine

SAMPLES = bytes(range(200))


class Room:
    """Two robots and a table; a controller acts for the waiter, a ROS node for the guest."""

    def __init__(self, graph):
        self.graph = graph
        robots = [
            Entity(name, pose=Pose((3.0 * place, 0.0, 0.0)), parts=(Part('body'),),
                   wheels=Wheels(0.1, 0.4))
            for place, name in enumerate(('waiter', 'guest'))
        ]  # fmt: skip
        self.engine = import_engine()(
            World('room', (*robots, Entity('table', parts=(Part('t'),))))
        )
        self.turns = AgentTurns(apply)
        self.speech = AgentSpeech(graph.probe, self.turns, lambda name: f'hotel/{name}', 5.0)
        self.speech.replaced(self.engine)
        self.turns.attach('waiter', ('on_recv_text', 'on_recv_sound', 'on_recv_message'))
        self.heard = []

    def step(self, *said):
        """Take a step, in which the waiter says something if it is called."""
        self.engine.step(0.01)
        for agent, turn in self.turns.begin(self.engine).items():
            self.heard += turn.events
            self.turns.accept(agent, Reply(turn.number, outgoing=said))
        self.turns.finish(self.engine)
        self.speech.on_instant(self.engine, 0)

    def send(self, kind, topic, message):
        """Publish a message until the waiter or the guest hears something."""
        self.heard.clear()
        publisher = self.graph.publisher(kind, topic, EVENTS)
        publisher.publish(message)
        self.graph.wait_until(lambda: self.turns.next_due_ns is not None)
        self.graph.probe.destroy_publisher(publisher)


@pytest.fixture
def room(graph):
    """Return a room of which the topics exist."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    made = Room(graph)
    made.step()
    yield made
    made.speech.close()


def test_nodes_hear_and_speak(room):
    """What one agent says, the other one hears, whoever acts for them."""
    listen = room.graph.listen
    waiter = listen(String, 'hotel/waiter/text_out', EVENTS)
    texts = listen(String, 'hotel/guest/text_in', EVENTS)
    messages = listen(String, 'hotel/guest/message_in', EVENTS)
    probe = room.graph.probe
    room.graph.wait_until(
        lambda: all(
            probe.count_publishers(f'hotel/{topic}')
            for topic in ('waiter/text_out', 'guest/text_in', 'guest/message_in')
        )
    )
    room.send(String, 'hotel/guest/text_out', String(data='a tea, please'))
    room.step(
        OutgoingText('waiter', 'guest', 'at once'),
        OutgoingMessage('waiter', 'guest', ('bill', '5')),
    )
    assert [(each.caller, each.text) for each in room.heard] == [('guest', 'a tea, please')]
    room.step()
    room.graph.wait_until(lambda: texts and messages and waiter)
    assert texts[0].data == waiter[0].data == 'at once'
    assert json.loads(messages[0].data) == {
        'sender': 'waiter', 'to': 'guest', 'strings': ['bill', '5'],
    }  # fmt: skip


def test_nodes_talk_to_a_controller_from_outside(room):
    """The sender is empty; sounds keep their rate, and messages their strings."""
    room.send(String, 'hotel/waiter/text_in', String(data='hurry'))
    room.step()
    assert [(each.caller, each.text) for each in room.heard] == [('', 'hurry')]
    room.send(UInt8MultiArray, 'hotel/waiter/sound_in', sound_message(Sound(SAMPLES, 8_000, 2)))
    room.step()
    assert [each.sound for each in room.heard] == [Sound(SAMPLES, 8_000, 2)]
    document = json.dumps({'strings': ['to', 'table 3'], 'sender': 'guest'})
    room.send(String, 'hotel/waiter/message_in', String(data=document))
    room.step()
    assert [(each.sender, each.strings) for each in room.heard] == [('', ('to', 'table 3'))]


def test_what_is_invalid_is_counted(room):
    """By topic and cause; the world goes on."""
    graph, drops = room.graph, room.speech.report().values
    odd = sound_message(Sound(SAMPLES + b'1'))
    wide = UInt8MultiArray()
    wide.layout.dim = [MultiArrayDimension(label='width', size=3)]
    for kind, topic, message, cause in (
        (String, 'waiter/message_in', String(data='{"strings": 3}'), 'message_in.malformed'),
        (String, 'guest/message_out', String(data='hello'), 'message_out.malformed'),
        (UInt8MultiArray, 'guest/sound_out', odd, 'sound_out.invalid message'),
        (UInt8MultiArray, 'guest/sound_out', wide, 'sound_out.malformed'),
        (String, 'guest/text_out', String(data=1_000_001 * 'a'), 'text_out.message too long'),
    ):
        graph.publisher(kind, f'hotel/{topic}', EVENTS).publish(message)
        graph.wait_until(lambda cause=cause: drops[cause] == 1)
    room.step()
    assert not room.heard


def test_a_sound_without_a_layout_is_that_of_the_original():
    """It has 16 bits, one channel and 16,000 samples a second."""
    assert sound_of(UInt8MultiArray(data=SAMPLES)) == Sound(SAMPLES, 16_000, 1)
    wide = sound_message(Sound(SAMPLES))
    wide.layout.dim[2].size = 4
    with pytest.raises(MalformedPacketError, match='width'):
        sound_of(wide)
