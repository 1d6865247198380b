# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tables with a capacity."""

from world_model_core.match.senders.bounded_table import make_room


def test_a_new_key_displaces_the_oldest_one():
    """A known key must displace nothing, as its entry is replaced."""
    table = {'first': 1, 'second': 2}
    make_room(table, 'first', 2)
    assert table == {'first': 1, 'second': 2}
    make_room(table, 'third', 2)
    assert table == {'second': 2}
