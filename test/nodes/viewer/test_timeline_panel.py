# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The slider and the buttons of a real page move the playhead; a button sends a picture."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from world_model_core.view.batches import UPRIGHT, Boxes
from world_model_core.view.scene import compare
from world_model_core.view.selection import Selection
from world_model_core.view.timeline import Playhead, StateHistory
from world_model_core.view.words import read_words
from world_model_nodes.viewer import panels
from world_model_nodes.viewer.picture_button import PictureButton, on_white
from world_model_nodes.viewer.timeline_panel import TimelinePanel
from world_model_nodes.viewer.viewer import open_window
from world_model_nodes.viewer.viewer_config import ViewerConfig

pytest.importorskip('viser', reason='the extra [view] is not installed')

SECOND = 1_000_000_000
BLUE = (30, 60, 220)


@dataclass(frozen=True, eq=False)
class NumberedScene:
    """A state that is known by its number."""

    number: int
    name: str = 'test'
    size_bytes: int = 1

    @property
    def time_ns(self):
        """Time of the state [ns]."""
        return self.number * SECOND


class Shown:
    """A window with ten states, one per second, and its page."""

    def __init__(self, open_page):
        self.window = open_window(ViewerConfig(port=0), lambda: None)
        self.history = StateHistory(1000.0)
        self.playhead = Playhead(self.history)
        for number in range(10):
            self.add(number)
        words = read_words('en')
        self.panel = TimelinePanel(self.playhead, self.window, words)
        PictureButton(self.window, words)
        colors = np.array([(*BLUE, 255)], dtype=np.uint8)
        box = Boxes(('box',), np.zeros((1, 3)), UPRIGHT[None], np.full((1, 3), 3.0), colors)
        self.window.show(compare({}, {'test/box': box}))
        camera = self.window.server.initial_camera
        camera.position, camera.look_at = (0, -9, 1), (0, 0, 0)
        self.page = open_page(self.window.server.link)
        self.wait_for_text('Live')

    def add(self, number):
        """Add a state."""
        self.history.add((NumberedScene(number),))

    def click(self, name):
        """Click a button."""
        self.page.do(lambda page: page.get_by_role('button', name=name, exact=True).click())

    def wait_for_state(self, number):
        """Wait until a state is shown."""
        self.page.wait_until(lambda: self._number() == number)

    def wait_for_text(self, text):
        """Wait until the page shows a text."""
        self.panel.update(panels.Shown((), {}, Selection()))
        self.page.do(lambda page: page.locator('p').get_by_text(text, exact=True).wait_for())

    def _number(self):
        self.window.run_calls()
        return self.playhead.shown()[0].number


@pytest.fixture(scope='module')
def shown(open_page):
    """Open the window once."""
    made = Shown(open_page)
    yield made
    made.window.close()


def test_buttons_move_the_playhead(shown):
    """Each button does what it says, and the line says how far behind the shown state is."""
    for name, number, text in [
        ('To begin', 0, '9.0 s behind'),
        ('Step', 1, '8.0 s behind'),
        ('To end', 9, '0.0 s behind'),
        ('Back', 8, '1.0 s behind'),
        ('Live', 9, 'Live'),
    ]:
        shown.click(name)
        shown.wait_for_state(number)
        shown.wait_for_text(text)
    assert shown.playhead.live


def test_a_paused_window_stays_while_the_world_goes_on(shown):
    """Pause keeps the shown state, play goes on from it at the chosen speed until it is live."""
    shown.click('Pause')
    shown.page.wait_until(lambda: shown.window.run_calls() or not shown.playhead.live)
    newest = shown.history[-1].scenes[0].number
    for number in range(newest + 1, newest + 4):
        shown.add(number)
    shown.wait_for_state(newest)
    shown.wait_for_text('3.0 s behind')
    shown.click('Play')
    shown.page.wait_until(lambda: shown.window.run_calls() or shown.playhead.plays)
    shown.playhead.advance(1.0)
    shown.wait_for_state(newest + 1)
    shown.page.do(lambda page: page.get_by_role('combobox', name='Speed').click())
    shown.page.do(lambda page: page.get_by_role('option', name='10', exact=True).click())
    shown.page.wait_until(lambda: shown.window.run_calls() or shown.playhead.speed == 10.0)
    shown.playhead.advance(0.2)
    assert shown.playhead.live


def test_the_slider_looks_back(shown):
    """Keys on the slider go back by a tenth of a second, as far as there are states."""
    shown.wait_for_text('Live')
    slider = 'document.querySelector("[role=slider]")'
    shown.page.wait_until(f'{slider}.getAttribute("aria-valuenow") === "0"')
    shown.page.evaluate(f'{slider}.focus()')
    shown.page.do(lambda page: page.keyboard.press('ArrowLeft'))
    newest = shown.history[-1].scenes[0].number
    shown.wait_for_state(newest - 1)
    shown.page.do(lambda page: page.keyboard.press('Home'))
    shown.wait_for_state(0)
    shown.click('Live')
    shown.wait_for_state(newest)


def test_the_picture_shows_what_the_page_shows(shown):
    """The file that a page is sent has the size of its canvas, a blue box and a white sky."""
    shown.page.wait_until(lambda: shown.page.color_at((0.0, -1.5, 0.0))[2] > 150)

    def download(page):
        with page.expect_download() as started:
            page.get_by_role('button', name='Save picture').click()
        return started.value.suggested_filename, Path(started.value.path()).read_bytes()

    name, data = shown.page.do(download)
    picture = np.asarray(Image.open(BytesIO(data)))
    assert name == 'world_model.png'
    assert picture.shape == (720, 1280, 3)
    red, _, blue = picture[360, 640].tolist()
    assert blue > 2 * red
    assert picture[5, 5].tolist() == [255, 255, 255]


def test_transparent_pixels_are_white():
    """Opacity mixes the color with white."""
    picture = np.array([[(10, 20, 30, 0), (10, 20, 30, 255), (0, 100, 255, 51)]], dtype=np.uint8)
    assert on_white(picture).tolist() == [[[255, 255, 255], [10, 20, 30], [204, 224, 255]]]
