# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Every kind of batch is seen on the page as it is, and only what has changed is sent."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from world_model_core.view.batches import (
    UPRIGHT,
    Boxes,
    Cylinders,
    Ellipsoids,
    Labels,
    Lines,
    MarkMesh,
    Meshes,
    Points,
    Splats,
)
from world_model_core.view.scene import Viewpoint, compare
from world_model_nodes.viewer.viewer_config import Quality

pytest.importorskip('viser', reason='the window is shown by viser')

from world_model_nodes.viewer.guard import guarded_server
from world_model_nodes.viewer.window import Window

RED, GREEN, BLUE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)
FLOOR = MarkMesh(np.array([[-0.5, -0.5, 0], [0.5, -0.5, 0], [0, 0.5, 0]]), np.array([[0, 1, 2]]))
ABOVE = Viewpoint((0.0, 0.0, 8.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def boxes(*colors, x=-4.0):
    """Make boxes in a row along y, the first one at y = 0."""
    positions = np.array([(x, float(index), 0.0) for index in range(len(colors))])
    names = tuple(f'box {index}' for index in range(len(colors)))
    return Boxes(names, positions.reshape(-1, 3), UPRIGHT, (0.8, 0.8, 0.2), colors or RED)


# Each kind of batch at (x, 0, 0).
KINDS = {
    'test/ellipsoids': Ellipsoids(('ball',), [(-3.0, 0.0, 0.0)], UPRIGHT, (0.4, 0.4, 0.1), BLUE),
    'test/cylinders': Cylinders(('can',), [(-2.0, 0.0, 0.0)], UPRIGHT, 0.4, 0.1, GREEN),
    'test/meshes': Meshes(FLOOR, ('floor',), [(-1.0, 0.0, 0.0)], UPRIGHT, (1.0, 1.0, 1.0), RED),
    'test/lines': Lines([[(0.0, -1.0, 0.0), (0.0, 1.0, 0.0)]], BLUE, 12.0),
    'test/points': Points([(1.0, 0.0, 0.0)], GREEN, 0.6),
    'test/splats': Splats([(2.0, 0.0, 0.0)], 0.04 * np.eye(3), (255, 0, 0), 1.0),
    'test/labels': Labels(('text',), [(3.0, 0.0, 0.0)], ('a label',)),
}
COLORS = {-3.0: BLUE, -2.0: GREEN, -1.0: RED, 0.0: BLUE, 1.0: GREEN, 2.0: RED}


@pytest.fixture(scope='module')
def shown(open_page):
    """Open a window and its page, seen from above; `show` shows marks."""
    window = Window(guarded_server('127.0.0.1', 0, 'a-token'), Quality.FAST, lambda: None)
    window.begin_at(ABOVE, move=False)
    marks = {}

    def show(after):
        window.show(compare(marks, after))
        marks.clear()
        marks.update(after)

    show({'test/boxes': boxes(RED), **KINDS})
    page = open_page(window.server.link)
    page.wait_until(lambda: window.pages)
    yield SimpleNamespace(window=window, page=page, show=show, marks=marks)
    window.close()


def sees(page, color, position):
    """Wait until the strongest channel at a position is that of a color."""
    channel = int(np.argmax(color[:3]))
    page.wait_until(lambda: is_strongest(page.color_at(position), channel))


def is_strongest(seen, channel):
    """Return whether a channel is much stronger than the others."""
    others = [value for index, value in enumerate(seen) if index != channel]
    return seen[channel] > max(others) + 60


def test_a_page_sees_every_kind_of_batch_that_was_there_before(shown):
    """The page was opened after everything had been shown."""
    sees(shown.page, RED, (-4.0, 0.0, 0.0))
    for x, color in COLORS.items():
        sees(shown.page, color, (x, 0.0, 0.0))


def test_instances_come_and_go_with_their_colors(shown):
    """A batch may have another number of instances, other colors, none at all, and some again."""
    marks = dict(shown.marks)
    shown.show({**marks, 'test/boxes': boxes(GREEN, BLUE, RED)})
    sees(shown.page, RED, (-4.0, 2.0, 0.0))
    sees(shown.page, BLUE, (-4.0, 1.0, 0.0))
    sees(shown.page, GREEN, (-4.0, 0.0, 0.0))
    shown.show({**marks, 'test/boxes': boxes()})
    shown.page.wait_until(lambda: min(shown.page.color_at((-4.0, 0.0, 0.0))) > 200)
    shown.show({**marks, 'test/boxes': boxes((0, 0, 255, 120), RED)})
    sees(shown.page, BLUE, (-4.0, 0.0, 0.0))
    sees(shown.page, RED, (-4.0, 1.0, 0.0))


def test_a_click_gives_the_id_of_the_instance(shown):
    """The node gets it when it runs the calls."""
    shown.show({**shown.marks, 'test/boxes': boxes(GREEN, RED)})
    sees(shown.page, RED, (-4.0, 1.0, 0.0))
    picked = []
    shown.window.on_pick(picked.append)
    shown.page.click((-4.0, 1.0, 0.0))
    shown.page.wait_until(lambda: shown.window.run_calls() or picked)
    assert picked == ['box 1']


def test_nothing_is_sent_if_nothing_has_changed(shown):
    """Other batches with the same numbers are no change."""
    shown.show({**shown.marks, 'test/boxes': boxes(RED)})
    sent = messages(shown.window)
    shown.show({**shown.marks, 'test/boxes': boxes(RED)})
    assert messages(shown.window) == sent
    shown.show({**shown.marks, 'test/boxes': boxes(RED, x=-4.1)})
    assert messages(shown.window) == sent + 1


def messages(window):
    """Return how many messages were sent to all pages."""
    return window.server._websock_server.get_message_buffer().message_counter


def test_what_is_removed_leaves_no_node_behind(shown):
    """Kicks and bubbles come and go for hours."""
    before = set(shown.window.server.scene._handle_from_node_name)
    kick = {'test/kicks/7/arrow': boxes(RED), 'test/kicks/7/text': KINDS['test/labels']}
    shown.show({**shown.marks, **kick})
    marks = {name: batch for name, batch in shown.marks.items() if 'kicks' not in name}
    shown.show(marks)
    assert set(shown.window.server.scene._handle_from_node_name) == before
    shown.show({})
    assert set(shown.window.server.scene._handle_from_node_name) <= {'/WorldAxes', '/light'}
