# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A pacer delivers items in order and in time, and leaves time to other callbacks."""

from __future__ import annotations

import time

import pytest

from world_model_nodes.runtime.pacing import BURST, Pacer

MILLISECOND = 1_000_000


@pytest.fixture
def clock(monkeypatch):
    """Give pacers a clock that the test sets; return it as a list of one time [ns]."""
    now_ns = [0]
    monkeypatch.setattr(Pacer, '_now', lambda _: now_ns[0])
    return now_ns


def test_delivers_when_due(graph, clock):
    """Items are delivered in order, none before its time, and the end is reported once."""
    delivered, ends = [], []
    pacer = Pacer(
        graph.probe,
        lambda stamp, item: delivered.append((stamp, item, clock[0])),
        lambda: ends.append(clock[0]),
    )
    items = [(1000 + index * 20 * MILLISECOND, str(index)) for index in range(10)]
    assert pacer.load(iter(items))
    pacer.run()

    def advance():
        clock[0] += 5 * MILLISECOND
        return ends

    graph.wait_until(advance)
    assert [(stamp, item) for stamp, item, _ in delivered] == items
    assert all(at >= stamp - 1000 for stamp, _, at in delivered)
    assert len(ends) == 1


def test_the_steady_clock_paces(graph):
    """With the real clock, no item is delivered before its time, even on a busy machine."""
    ahead, ends = [], []
    start = time.monotonic_ns()
    pacer = Pacer(
        graph.probe,
        lambda stamp, _: ahead.append(stamp - (time.monotonic_ns() - start)),
        lambda: ends.append(None),
    )
    assert pacer.load((index * 20 * MILLISECOND, None) for index in range(10))
    pacer.run()
    graph.wait_until(lambda: ends)
    assert len(ahead) == 10
    assert max(ahead) <= 0


def test_other_callbacks_run_during_a_backlog(graph):
    """During a backlog other callbacks run in between, and no item is lost."""
    delivered, counts = [], []
    pacer = Pacer(graph.probe, lambda _, item: delivered.append(item), lambda: None)
    graph.probe.create_timer(0.0001, lambda: counts.append(len(delivered)))
    pacer.load((index, index) for index in range(4 * BURST))
    pacer.run()
    graph.wait_until(lambda: len(delivered) == 4 * BURST)
    assert delivered == list(range(4 * BURST))
    assert any(0 < count < 4 * BURST for count in counts)


def test_a_stall_does_not_cause_a_flood(graph, clock):
    """A pacer that is far behind delivers one burst and continues at the usual speed."""
    stamps = []
    pacer = Pacer(graph.probe, lambda *_: stamps.append(clock[0]), lambda: None)
    step = MILLISECOND // 10
    pacer.load((index * step, None) for index in range(3 * BURST))
    pacer.run()
    clock[0] = 3 * BURST * step  # all items are due, as after a stall of the process
    graph.wait_until(lambda: len(stamps) >= BURST)
    assert len(stamps) == BURST

    def advance():
        clock[0] += step
        return len(stamps) == 3 * BURST

    graph.wait_until(advance)
    assert stamps[-1] - stamps[BURST] >= (2 * BURST - 2) * step


def test_without_items_there_is_nothing_to_play(graph):
    """An empty load is rejected, and a cleared pacer has no position."""
    pacer = Pacer(graph.probe, lambda *_: None, lambda: None)
    assert not pacer.load(iter(()))
    assert pacer.load(iter([(5, 'only')]))
    assert pacer.position_ns == 5
    pacer.run()
    assert pacer.runs
    pacer.clear()
    assert pacer.position_ns is None
    assert not pacer.runs


def test_what_is_not_caught_up_is_counted(graph, clock):
    """A pacer that falls behind by more than a burst leaves time out, and says how much."""
    delivered = []
    pacer = Pacer(graph.probe, lambda stamp, _: delivered.append(stamp), lambda: None, 2)
    pacer.load((index * 20 * MILLISECOND, None) for index in range(100))
    pacer.run()
    graph.wait_until(lambda: delivered)
    assert pacer.left_out_ns == 0
    clock[0] = 200 * MILLISECOND
    graph.wait_until(lambda: len(delivered) > 2)
    # At 200 ms it delivered the items of 20 and 40 ms, and goes on at that of 60 ms.
    assert pacer.left_out_ns == 140 * MILLISECOND


def test_an_item_may_halt_the_time(graph, clock):
    """The items that are due after it wait, until the pacer runs again."""
    delivered = []

    def deliver(stamp, _):
        delivered.append(stamp)
        pacer.halt()

    pacer = Pacer(graph.probe, deliver, lambda: None)
    pacer.load((index * MILLISECOND, None) for index in range(10))
    clock[0] = 5 * MILLISECOND
    pacer.run()
    clock[0] = 10 * MILLISECOND
    graph.wait_until(lambda: delivered)
    assert delivered == [0]
    pacer.run()
    graph.wait_until(lambda: len(delivered) > 1)
    assert delivered == [0, MILLISECOND]


def test_steps_deliver_what_they_pass_and_report_the_end_once(graph, clock):
    """A step delivers the items of its time at once; the one that passes the last is the end."""
    delivered, ends = [], []
    pacer = Pacer(graph.probe, lambda stamp, _: delivered.append(stamp), lambda: ends.append(1))
    pacer.load((index * 10 * MILLISECOND, None) for index in range(4))
    pacer.step(20 * MILLISECOND)
    assert (delivered, ends) == ([0, 10 * MILLISECOND], [])
    pacer.step(20 * MILLISECOND)
    pacer.step(20 * MILLISECOND)
    assert (len(delivered), ends) == (4, [1])
    assert clock == [0]
