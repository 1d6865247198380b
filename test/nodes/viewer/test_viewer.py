# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node viewer serves a page while it is configured."""

from __future__ import annotations

import socket

import pytest
from rclpy.parameter import Parameter

from world_model_nodes.viewer.viewer import Viewer

pytest.importorskip('viser', reason='the extra [view] is not installed')


@pytest.fixture
def port():
    """Return a free port."""
    with socket.create_server(('127.0.0.1', 0)) as server:
        return server.getsockname()[1]


def viewer(**parameters):
    """Make the node."""
    overrides = [Parameter(name, value=value) for name, value in parameters.items()]
    return Viewer(parameter_overrides=overrides)


def is_open(port):
    """Return whether somebody listens."""
    with socket.socket() as probe:
        return probe.connect_ex(('127.0.0.1', port)) == 0


def test_the_page_is_there_while_the_node_is_configured(graph, port):
    """The node can open the page again after it was closed."""
    node = graph.add(viewer(port=port))
    assert not is_open(port)
    for _ in range(2):
        node.trigger_configure()
        assert is_open(port)
        node.trigger_activate()
        node.trigger_deactivate()
        node.trigger_cleanup()
        graph.wait_until(lambda: not is_open(port))


def test_unknown_scenes_are_rejected(graph, port):
    """The message lists the scenes that there are."""
    node = graph.add(viewer(port=port, scenes='machts'))
    assert not node.autostart()
    assert not is_open(port)
