# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""States become one file, which a page plays without a server and without a network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException
from rclpy.parameter import Parameter

from world_model_core.errors import ConfigurationError
from world_model_core.match.ball.estimate import BallState
from world_model_core.view.batches import UPRIGHT, Boxes
from world_model_core.view.scene import Viewpoint
from world_model_core.view.timeline import StateHistory
from world_model_nodes.commands.main import run_command
from world_model_nodes.match.convert import ball_message
from world_model_nodes.viewer import page_saver
from world_model_nodes.viewer.page_saver import PageSaver
from world_model_nodes.viewer.saved_page import saved_page

pytest.importorskip('viser', reason='the extra [view] is not installed')

PERIOD = 1 / 75  # s
BLUE = np.array([(20, 40, 255, 255)], dtype=np.uint8)
ANY_PORT = [Parameter('port', value=0)]
EDGES = np.full((1, 3), 0.8)


@dataclass(frozen=True, eq=False)
class MovingBox:
    """A box that goes along x by 0.1 m in each state."""

    number: int
    name: str = 'test'
    size_bytes: int = 1

    @property
    def time_ns(self):
        """Time of the state [ns]."""
        return round(self.number * PERIOD * 1e9)

    def marks(self):
        """Return the box."""
        position = np.array([(0.1 * self.number, 0.0, 0.0)])
        return {'test/box': Boxes(('box',), position, UPRIGHT[None], EDGES, BLUE)}

    def viewpoints(self):
        """Return a viewpoint above."""
        return (Viewpoint((0.0, 0.0, 8.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),)


def history_of(states):
    """Make a history of the moving box."""
    history = StateHistory(1000.0)
    for number in range(states):
        history.add((MovingBox(number),))
    return history


def test_a_saved_page_plays_to_its_end_without_a_network(open_page, tmp_path):
    """From a file, the page shows first the box at its first and then at its last position."""
    path = tmp_path / 'page.html'
    path.write_text(saved_page(history_of(25)))
    page = open_page(path.as_uri())
    page.wait_until('window.__viserMutable?.nodeRefFromName["/test/box"] !== undefined')

    def is_blue(x):
        red, _, blue = page.color_at((x, 0.0, 0.4))
        return blue > 2 * red

    page.wait_until(lambda: is_blue(2.4))
    assert not is_blue(0.0)
    assert page.requests == [path.as_uri()]


def test_a_saved_page_begins_with_the_first_state():
    """A single state is a page too, and ten seconds of a thing at 75 Hz take a few kilobytes."""
    still, moving = (len(saved_page(history_of(states))) for states in (1, 750))
    assert 0 < moving - still < 50_000


def test_what_is_published_is_saved(graph, tmp_path, capsys):
    """The node keeps states for the time, writes the file and ends."""
    path = tmp_path / 'page.html'
    ball = BallState(1_000_000_000, np.array([1.0, 2.0, 0.0]), np.zeros(3), np.eye(6))
    publisher = graph.probe.create_publisher(Odometry, 'ball', 5)
    timer = graph.probe.create_timer(0.05, lambda: publisher.publish(ball_message(ball, 'field')))
    node = graph.add(PageSaver(path, 0.3, parameter_overrides=ANY_PORT))
    assert node.autostart()
    with pytest.raises(ExternalShutdownException):
        graph.wait_until(lambda: False)
    timer.cancel()
    assert '__VISER_EMBED_DATA__="' in path.read_text()
    assert capsys.readouterr().out.startswith(f'{path}: ')


def test_without_a_scenario_nothing_is_saved(graph, tmp_path, monkeypatch):
    """Where nothing is published, the node ends with a reason."""
    monkeypatch.setattr(page_saver, 'PATIENCE', 0.2)
    node = graph.add(PageSaver(tmp_path / 'page.html', 0.1, parameter_overrides=ANY_PORT))
    assert node.autostart()
    with pytest.raises(ConfigurationError, match='no scenario to show was found within'):
        graph.wait_until(lambda: False)
    assert not (tmp_path / 'page.html').exists()


@pytest.mark.parametrize(
    ('words', 'code', 'message'),
    [
        (('page.png', '10'), 2, '--save page.png: the file name must end in .html'),
        (('page.html', '0'), 2, "'0' is not a number of seconds above 0"),
        (('/no/such/page.html', '10'), 1, '--save /no/such/page.html: its folder is not writable'),
    ],
)
def test_the_command_checks_before_it_waits(words, code, message, capsys):
    """Wrong use has exit code 2, a folder that cannot be written to 1."""
    assert run_command(['view', '--save', *words]) == code
    assert message in capsys.readouterr().err
