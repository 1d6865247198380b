# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""On a real page, users talk to an agent of a virtual world, push it and see what it sees."""

from __future__ import annotations

import io
import wave
from array import array

import numpy as np
import pytest
from geometry_msgs.msg import Wrench
from sensor_msgs.msg import Image, MultiDOFJointState
from std_msgs.msg import String, UInt8MultiArray

from world_model_core.documents import write
from world_model_core.view.selection import Selection
from world_model_core.view.words import read_words
from world_model_core.virtual_world.values import Camera, Entity, Part, Pose, World
from world_model_core.virtual_world.world_document import world_document
from world_model_nodes.runtime.cdr import spatial_joint_states, texts
from world_model_nodes.runtime.qos import EVENTS, STATE, STREAM
from world_model_nodes.viewer.agent_actions import AgentActions
from world_model_nodes.viewer.panels import Shown
from world_model_nodes.viewer.viewer import open_window
from world_model_nodes.viewer.viewer_config import ViewerConfig
from world_model_nodes.viewer.virtual_panel import VirtualPanel
from world_model_nodes.viewer.virtual_topics import VirtualTopics
from world_model_nodes.virtual_world.convert_speech import sound_of

pytest.importorskip('viser', reason='the extra [view] is not installed')

TARO = Entity('Taro', parts=(Part('body'),), cameras=(Camera(2, '', Pose(), 1.0, 1.5),))
RED = np.full((60, 80, 3), (255, 0, 0), np.uint8)


class Street:
    """A virtual world with one agent, published by hand, and its panel on a page."""

    def __init__(self, graph, open_page):
        self._graph = graph
        self.topics, self._actions = VirtualTopics(), AgentActions(graph.probe)
        self.topics.subscribe(graph.probe)
        self.window = open_window(ViewerConfig(port=0), lambda: None)
        words = read_words('en')
        self._panel = VirtualPanel(self.topics, self._actions, self.window, words)
        node = graph.probe
        self._world = node.create_publisher(String, 'world', STATE)
        self._states = node.create_publisher(MultiDOFJointState, 'objects/state', STREAM)
        self._images = node.create_publisher(Image, 'Taro/camera_2/image', STREAM)
        self._world.publish(String(data=write(world_document(World('street', (TARO,))))))
        graph.wait_until(self._states.get_subscription_count)
        pose = np.array([(5.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)])
        data = spatial_joint_states(texts(('Taro',)), pose, np.zeros((1, 6)), 1, 'world')
        self._states.publish(data)
        graph.wait_until(lambda: self.topics.scene() is not None)
        camera = self.window.server.initial_camera
        camera.position, camera.look_at = (0, 0, 1), (5, 0, 1)
        self.update()
        self.page = open_page(self.window.server.link)

    def update(self):
        """Do what clicks ask for, and show the present state."""
        self.window.run_calls()
        scene = self.topics.scene()
        self._panel.update(Shown((scene,), scene.marks(), Selection()))

    def wait_until(self, condition):
        """Let page and topics work until a condition holds."""

        def holds():
            self.update()
            return condition()

        self._graph.wait_until(holds)

    @property
    def typed(self):
        """Return the text that the page has sent; it does so a moment later."""
        return self._panel._text.value

    def click(self, name):
        """Click a button."""
        self.page.do(lambda page: page.get_by_role('button', name=name).click())

    def show_image(self):
        """Publish a picture of the camera, if somebody wants it."""
        height, width = RED.shape[:2]
        data = array('B', RED.tobytes())
        self._images.publish(
            Image(height=height, width=width, step=3 * width, encoding='rgb8', data=data)
        )

    def close(self):
        """Close window and topics."""
        self._actions.close()
        self.topics.unsubscribe()
        self.window.close()


@pytest.fixture
def street(graph, open_page):
    """Open the page of a street."""
    street = Street(graph, open_page)
    yield street
    street.close()


def wav():
    """Write half a second of silence."""
    file = io.BytesIO()
    with wave.open(file, 'wb') as writer:
        writer.setparams((1, 2, 16_000, 0, 'NONE', ''))
        writer.writeframes(bytes(16_000))
    return file.getvalue()


def test_an_agent_is_spoken_to_pushed_and_seen_with(street, graph):
    """Each button of a real page has its effect on the topics."""
    heard = graph.listen(String, 'Taro/text_in', EVENTS)
    sounds = graph.listen(UInt8MultiArray, 'Taro/sound_in', EVENTS)
    pushes = graph.listen(Wrench, 'Taro/wrench')
    page = street.page
    street.wait_until(
        lambda: page.do(lambda it: it.get_by_role('button', name='Push it away').is_enabled())
    )
    text = '<script>alert("Hi")</script>'
    page.do(lambda it: it.locator('input.mantine-TextInput-input:enabled').last.fill(text))
    street.wait_until(lambda: street.typed == text)
    street.click('Say')
    street.wait_until(lambda: heard)
    assert heard[0].data == text
    file = {'name': 'silence.wav', 'mimeType': 'audio/wav', 'buffer': wav()}
    page.do(lambda it: it.locator('input[type=file]').set_input_files(file))
    street.wait_until(lambda: sounds)
    assert sound_of(sounds[0]).duration == 0.5
    street.click('Push it away')
    street.wait_until(lambda: pushes)
    # 10 N s within a step of 10 ms, away from the camera.
    force = pushes[0].force
    assert (force.x, force.y, force.z) == pytest.approx((1000.0, 0.0, 0.0), abs=1.0)
    page.do(lambda it: it.locator('input[type=checkbox]').last.evaluate('box => box.click()'))
    street.wait_until(lambda: graph.probe.count_subscribers('Taro/camera_2/image'))

    def is_seen():
        street.show_image()
        return page.do(lambda it: it.locator('img').count()) and street.topics.image is not None

    street.wait_until(is_seen)
    np.testing.assert_array_equal(street.topics.image, RED)


def test_a_file_that_is_no_sound_is_refused(street, graph):
    """The panel says why."""
    graph.listen(String, 'Taro/text_in', EVENTS)
    sounds = graph.listen(UInt8MultiArray, 'Taro/sound_in', EVENTS)
    page = street.page
    street.wait_until(
        lambda: page.do(lambda it: it.get_by_role('button', name='Say').is_enabled())
    )
    file = {'name': 'cat.wav', 'mimeType': 'audio/wav', 'buffer': b'meow'}
    page.do(lambda it: it.locator('input[type=file]').set_input_files(file))
    told = 'input[disabled][value*="not a WAV file"]'
    street.wait_until(lambda: page.do(lambda it: it.locator(told).count()))
    assert not sounds
