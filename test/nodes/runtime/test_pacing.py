# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A pacer delivers in order and in time, and leaves others their turn."""

from __future__ import annotations

import time

from world_model_nodes.runtime.pacing import BURST, Pacer

MILLISECOND = 1_000_000


def test_delivers_when_due(graph):
    """Items come in order, none before its time, and the end is told once."""
    delivered, ends = [], []
    pacer = Pacer(
        graph.probe,
        lambda stamp, item: delivered.append((stamp, item, time.monotonic_ns())),
        lambda: ends.append(time.monotonic_ns()),
    )
    items = [(1000 + index * 20 * MILLISECOND, str(index)) for index in range(10)]
    assert pacer.load(iter(items))
    start = time.monotonic_ns()
    pacer.run()
    graph.wait_until(lambda: ends)
    assert [(stamp, item) for stamp, item, _ in delivered] == items
    assert all(at - start >= stamp - 1000 for stamp, _, at in delivered)
    assert len(ends) == 1


def test_backlog_leaves_others_their_turn(graph):
    """However much is due at once, other callbacks run in between, and nothing is lost."""
    delivered, seen = [], []
    pacer = Pacer(graph.probe, lambda _, item: delivered.append(item), lambda: None)
    graph.probe.create_timer(0.0001, lambda: seen.append(len(delivered)))
    pacer.load((index, index) for index in range(4 * BURST))
    pacer.run()
    graph.wait_until(lambda: len(delivered) == 4 * BURST)
    assert delivered == list(range(4 * BURST))
    assert any(0 < count < 4 * BURST for count in seen)


def test_standstill_does_not_make_a_flood(graph):
    """Who is far behind goes on from there, at the usual pace."""
    stamps = []
    pacer = Pacer(graph.probe, lambda *_: stamps.append(time.monotonic_ns()), lambda: None)
    pacer.load((index * MILLISECOND // 10, None) for index in range(3 * BURST))
    pacer.run()
    busy_until = time.monotonic() + 0.2
    while time.monotonic() < busy_until:
        pass  # the process does not spin: 2000 items' worth
    graph.wait_until(lambda: len(stamps) == 3 * BURST)
    assert stamps[-1] - stamps[BURST] > 0.9 * (2 * BURST - 1) * MILLISECOND / 10


def test_without_items_there_is_nothing_to_play(graph):
    """An empty load is refused, and a cleared pacer has no position."""
    pacer = Pacer(graph.probe, lambda *_: None, lambda: None)
    assert not pacer.load(iter(()))
    assert pacer.load(iter([(5, 'only')]))
    assert pacer.position_ns == 5
    pacer.run()
    assert pacer.runs
    pacer.clear()
    assert pacer.position_ns is None
    assert not pacer.runs
