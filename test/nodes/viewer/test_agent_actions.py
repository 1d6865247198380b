# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is done to an entity is published on its topics, and on those of no other one."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_msgs.msg import Wrench
from std_msgs.msg import String, UInt8MultiArray

from world_model_core.virtual_world.agents.events import Sound
from world_model_nodes.runtime.qos import EVENTS
from world_model_nodes.viewer.agent_actions import AgentActions
from world_model_nodes.virtual_world.convert_speech import sound_of


@pytest.fixture
def actions(graph):
    """Return actions on no entity."""
    actions = AgentActions(graph.probe)
    yield actions
    actions.close()


def test_what_is_done_is_published(graph, actions):
    """After somebody has been found who hears it."""
    texts = graph.listen(String, 'taro/text_in', EVENTS)
    sounds = graph.listen(UInt8MultiArray, 'taro/sound_in', EVENTS)
    forces = graph.listen(Wrench, 'taro/wrench')
    actions.choose('taro')
    graph.wait_until(lambda: actions.hears and actions.can_be_pushed)
    actions.say('<b>Hello</b>')
    actions.play(Sound(bytes(4), 16_000))
    actions.push(np.array((1.0, 2.0, 3.0)))
    graph.wait_until(lambda: texts and sounds and forces)
    assert texts[0].data == '<b>Hello</b>'
    assert sound_of(sounds[0]) == Sound(bytes(4), 16_000)
    assert (forces[0].force.x, forces[0].force.y, forces[0].force.z) == (1.0, 2.0, 3.0)


def test_another_entity_is_chosen(graph, actions):
    """Who does not listen can neither hear nor be pushed; nobody is acted on at first."""
    actions.say('lost')
    assert not actions.hears
    texts = graph.listen(String, 'hanako/text_in', EVENTS)
    actions.choose('taro')
    actions.choose('hanako')
    graph.wait_until(lambda: actions.hears)
    assert not actions.can_be_pushed
    assert not graph.probe.count_publishers('taro/text_in')
    actions.say('Hello')
    graph.wait_until(lambda: texts)
    actions.choose('')
    assert not actions.hears
