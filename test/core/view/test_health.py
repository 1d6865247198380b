# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The health of all nodes is that of the worst one; a silent node is stale."""

from world_model_core.view.health import NodeHealth, worst_node


def test_a_node_that_stops_reporting_becomes_stale():
    """Its last message stays."""
    assert NodeHealth(1, 'no packets', 3.0).current.line == 'WARN no packets'
    assert NodeHealth(0, 'ok', 9.4).current.line == 'STALE silent for 9 s; last: ok'


def test_a_line_has_no_breaks():
    """Whatever a node reports fits into one line."""
    assert NodeHealth(2, 'two\n lines\t', 0.0).line == 'ERROR two lines'


def test_the_worst_node_stands_for_all():
    """Stale is worse than an error, and the number of bad nodes is that of all levels."""
    health = {
        '/a': NodeHealth(0, 'ok', 0.5),
        '/b': NodeHealth(1, 'tired', 0.5),
        '/c': NodeHealth(0, 'ok', 60.0),
    }
    assert worst_node(health) == ('/c', health['/c'].current, 2)
    assert worst_node({'/a': health['/a']}) == ('/a', health['/a'], 0)
