# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The panel of a real page: its buttons and keys act, and texts from outside stay texts."""

from __future__ import annotations

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.parameter import Parameter
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.values import MapObject
from world_model_nodes.runtime.qos import STATE, STREAM
from world_model_nodes.uncertainty.robot_simulator import RobotSimulator

MARKUP = '<img src=x onerror="window.hit = 1"><script>window.hit = 1</script>'
REVERSED = 'exe.\u202egpj'
LABELS = {'1': 'chair', '2': 'table', '3': MARKUP, '4': REVERSED}
# Values of all fields, in which the panel shows what it has received.
VALUES = "[...document.querySelectorAll('input, textarea')].map(each => each.value)"


class Room:
    """The viewer in a house with a simulator, and its page."""

    def __init__(self, viewing):
        self.viewing, self.graph, self.page = viewing, viewing.graph, viewing.page
        self.simulator = self.graph.add(
            RobotSimulator(parameter_overrides=[Parameter('robots', value=1)])
        )
        assert self.simulator.autostart()
        self._map = self.graph.probe.create_publisher(String, 'object_map', STATE)
        self.asked = self.graph.listen(String, 'challenge_question')
        objects = tuple(
            MapObject(
                item, label, np.array((2.0 * number, 0.0, 0.5)), 1e-4 * np.eye(3), np.ones(3), 0.0
            )
            for number, (item, label) in enumerate(LABELS.items())
        )
        document = map_document(ObjectMapDocument(objects, frame_id='map', stamp_ns=10**9))
        self._map.publish(String(data=write(document)))
        self.wait_for(lambda: self.desk.names)

    @property
    def desk(self):
        """What users do."""
        return self.viewing.node._interaction._desk

    @property
    def selection(self):
        """What is picked and hidden."""
        return self.desk.shown.selection

    @property
    def is_paused(self):
        """Whether the simulator is paused."""
        return self.simulator._simulated.paused

    def wait_for(self, condition):
        """Spin until a condition holds."""
        return self.viewing.wait_until(condition)

    def marks(self):
        """Return the batches that are shown."""
        return self.viewing.node._marks.values()

    def values(self):
        """Return the values of all fields of the page."""
        return self.page.evaluate(VALUES)

    def wait_for_value(self, value):
        """Spin until a field has a value."""
        self.wait_for(lambda: value in self.values())

    def is_enabled(self, name):
        """Return whether a button is there and can be clicked."""
        return self.page.do(
            lambda page: [each.is_enabled() for each in button(page, name).all()][:1] == [True]
        )

    def click(self, name):
        """Click a button as soon as that is possible."""
        self.wait_for(lambda: self.is_enabled(name))
        self.page.do(lambda page: button(page, name).first.click())

    def press(self, key):
        """Press a key."""
        self.page.do(lambda page: page.keyboard.press(key))

    def write(self, text):
        """Write into the field that has the focus."""
        self.page.do(lambda page: page.keyboard.insert_text(text))


def button(page, name):
    """Find a button of playwright's page."""
    return page.get_by_role('button', name=name, exact=True)


def ids(batch):
    """Return the ids of a batch."""
    return getattr(batch, 'ids', ())


@pytest.fixture(scope='module')
def room(start_viewer):
    """Start all once."""
    return Room(start_viewer(scenes='house'))


def test_buttons_play_pause_step_and_reset_the_simulator(room):
    """What the simulator cannot do now is gray, and what it says is shown."""
    room.wait_for(lambda: room.is_enabled('Pause'))
    assert not room.is_enabled('Step')
    assert not room.is_enabled('Quit')
    room.click('Pause')
    room.wait_for(lambda: room.is_paused)
    room.wait_for_value('paused')
    before = room.simulator._simulated.now_ns
    room.click('Step')
    room.wait_for(lambda: room.simulator._simulated.now_ns > before)
    room.wait_for(lambda: any(value.startswith('stepped to') for value in room.values()))
    room.click('Play')
    room.wait_for(lambda: not room.is_paused)
    room.click('Reset')
    room.wait_for(lambda: any(value.startswith('time went back') for value in room.values()))


def test_keys_do_what_buttons_do(room):
    """Space plays and pauses, and a period takes a step."""
    room.wait_for(lambda: room.is_enabled('Pause'))
    room.press('Space')
    room.wait_for(lambda: room.is_paused)
    room.wait_for(lambda: room.is_enabled('Step'))
    before = room.simulator._simulated.now_ns
    room.press('.')
    room.wait_for(lambda: room.simulator._simulated.now_ns > before)
    room.wait_for(lambda: room.is_enabled('Play'))
    room.press('Space')
    room.wait_for(lambda: not room.is_paused)


def test_what_is_clicked_is_picked(room):
    """The right one of the instances of a batch is described."""
    room.press('1')
    for number, item in enumerate(('chair 1', 'table 2')):
        place = (2.0 * number, 0.0, 1.0)

        def is_picked(item=item, place=place):
            room.page.click(place)
            return room.selection.picked == item

        room.wait_for(is_picked)
    room.wait_for_value('table 2')


def test_a_thing_is_found_by_name_hidden_and_shown(room):
    """The list of names is short; the field has the focus."""
    room.press('/')
    room.wait_for("document.activeElement.tagName === 'INPUT'")
    room.write('CHAIR')
    room.click('chair 1')
    room.wait_for(lambda: room.selection.picked == 'chair 1')
    room.press('h')
    room.wait_for(lambda: room.selection.hidden == {'chair 1'})
    room.wait_for(
        lambda: not any('chair 1' in ids(each) for each in room.viewing.node._marks.values())
    )
    room.press('Shift+H')
    room.wait_for(lambda: not room.selection.hidden)
    room.click('Hide')
    room.click('Show')
    room.wait_for(lambda: not room.selection.hidden)


def test_the_camera_follows_what_is_picked(room):
    """It looks at the thing, from where it looked."""
    room.desk.pick('table 2')
    client = next(iter(room.viewing.server.get_clients().values()))
    room.press('f')
    room.wait_for(lambda: np.allclose(client.camera.look_at, (2.0, 0.0, 0.5), atol=1e-3))


def test_a_question_is_published(room):
    """In any language, as it was written."""
    # Somebody must listen to it, as an answerer does.
    room.wait_for(lambda: 'Ask' in room.viewing.texts())
    question = '椅子はいくつ? <b>'
    room.page.do(lambda page: page.locator('textarea:enabled').first.fill(question))
    room.click('Ask')
    room.wait_for(lambda: room.asked and room.asked[-1].data == question)


def test_texts_from_outside_are_texts(room):
    """Markup is not interpreted, marks of direction are replaced, and long texts are cut."""
    health = room.graph.publisher(DiagnosticArray, '/diagnostics', STREAM)
    status = [
        DiagnosticStatus(level=DiagnosticStatus.ERROR, name=name, message=message)
        for name, message in (
            (MARKUP, REVERSED), ('/long', 'x' * 10_000), ('**bold**\n# title', MARKUP)
        )
    ]  # fmt: skip

    def is_shown():
        health.publish(DiagnosticArray(status=status))
        return '3/' in room.viewing.texts()

    room.wait_for(is_shown)
    room.desk.pick(f'{MARKUP} 3')
    room.wait_for(lambda: any(MARKUP in value for value in room.values()))
    room.wait_for(lambda: 'ERROR exe.\ufffdgpj' in room.values())
    assert max(map(len, room.values())) <= 400
    assert room.page.evaluate('window.hit') is None
    texts = room.viewing.texts()
    assert '\u202e' not in texts
    assert MARKUP[:20] in texts


def test_a_simulator_is_refused_by_no_click_but_by_itself(room):
    """Its own words are shown."""
    room.viewing.node._interaction._controls.change_speed(1e9)
    room.wait_for(lambda: 'Refused' in room.viewing.texts())


def test_keys_are_listed(room):
    """The dialog closes again."""
    room.press('Shift+?')
    room.wait_for(lambda: 'Third viewpoint' in room.viewing.texts())
    room.click('Close')
    room.wait_for(lambda: 'Third viewpoint' not in room.viewing.texts())


def test_the_language_changes(room):
    """All parts are there in Japanese."""
    room.page.do(lambda page: page.get_by_role('combobox', name='Language').click())
    room.page.do(lambda page: page.get_by_role('option', name='日本語').click())
    room.wait_for(lambda: '一時停止' in room.viewing.texts())
    texts = room.viewing.texts()
    assert 'シミュレーション' in texts
    assert 'Simulation' not in texts
    room.press('Space')
    room.wait_for(lambda: room.is_paused)
