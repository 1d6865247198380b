# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated time: equal steps without drift, and periodic events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.simulation.simulated_time import PeriodicEvent, PlaybackClock, Timeline
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND


def test_steps_are_equal_and_do_not_drift():
    """A million steps of 0.01 s are exactly ten thousand seconds."""
    line = Timeline(5.5, 0.01)
    assert line.at(0) == 5_500_000_000
    assert line.at(1) == 5_510_000_000
    assert line.at(1_000_000) == 10_005_500_000_000


def test_a_start_since_1970_is_exact():
    """Seconds since 1970 in a double have no nanoseconds; steps keep them."""
    line = Timeline(1_790_000_000.5, 0.001)
    assert line.at(0) == 1_790_000_000_500_000_000
    assert line.at(7) - line.at(0) == 7_000_000


@pytest.mark.parametrize(
    ('dt', 'speed', 'stride'),
    [(0.01, 1.0, 1), (0.001, 1.0, 10), (0.01, 10.0, 10), (0.01, 0.1, 1), (0.05, 1.0, 1)],
)
def test_time_is_published_at_most_at_the_rate(dt, speed, stride):
    """At 100 Hz: each step, or as many steps as pass in between."""
    assert Timeline(0.0, dt).stride(speed, 100.0) == stride


@given(st.floats(1e-4, 1.0), st.floats(0.01, 1000.0), st.floats(1.0, 1000.0))
def test_the_stride_keeps_the_rate(dt, speed, rate):
    """There are never more messages per real second than the rate."""
    stride = Timeline(0.0, dt).stride(speed, rate)
    assert speed / (stride * dt) <= rate * (1.0 + 1e-5)


def test_a_periodic_event_is_returned_once():
    """At 12.5 Hz it is at 0, 80, 160 ms for any queries; of several only the last is returned."""
    beat = PeriodicEvent(0, 12.5)
    steps = [step * SECOND // 100 for step in range(18)]
    stamps = [stamp for stamp in map(beat.last, steps) if stamp is not None]
    assert stamps == [0, 80_000_000, 160_000_000]
    assert beat.last(SECOND) == 960_000_000
    assert beat.last(SECOND) is None


@given(
    st.integers(0, 2_000_000_000 * SECOND),
    st.floats(0.1, 200.0),
    st.lists(st.integers(0, SECOND), min_size=1, max_size=50),
)
def test_periodic_events_keep_their_rate(start_ns, rate, pauses):
    """They are never in the future, never decrease, and are multiples of the period."""
    beat, now_ns, stamps = PeriodicEvent(start_ns, rate), start_ns, []
    for pause in pauses:
        now_ns += pause
        stamp = beat.last(now_ns)
        if stamp is not None:
            assert start_ns <= stamp <= now_ns
            stamps.append(stamp)
            beats = (stamp - start_ns) * rate / SECOND
            assert beats == pytest.approx(round(beats), abs=1e-5)
    assert stamps == sorted(set(stamps))
    assert len(stamps) <= (now_ns - start_ns) * rate / SECOND + 2


def test_there_is_nothing_before_the_start():
    """Before the start there is no event."""
    assert PeriodicEvent(SECOND, 10.0).last(SECOND // 2) is None


STAMPS = st.integers(0, 2_000_000_000_000_000_000)
SPANS = st.integers(0, 10_000_000_000_000)
SPEEDS = st.floats(0.01, 1000.0)


@given(STAMPS, STAMPS, SPANS)
def test_stays_until_it_runs(start, now, span):
    """A new playback clock stays at its position."""
    assert PlaybackClock(start).position(now + span) == start


@given(STAMPS, STAMPS, SPEEDS, st.lists(SPANS, max_size=10))
def test_advances_by_speed_without_drift(start, now, speed, spans):
    """Speed times elapsed time is played, whatever is queried in between."""
    head = PlaybackClock(start, speed)
    head.run(now)
    for span in spans:
        now += span
        head.position(now)
    assert head.position(now) - start == pytest.approx(sum(spans) * speed, abs=1.0)


@given(STAMPS, SPEEDS, st.lists(st.tuples(SPANS, SPANS), max_size=10))
def test_plays_only_while_it_runs(start, speed, turns):
    """Pauses skip nothing of the recording."""
    head, now = PlaybackClock(start, speed), 0
    for running, standing in turns:
        head.run(now)
        head.halt(now + running)
        now += running + standing
    played = sum(running for running, _ in turns) * speed
    assert head.position(now) - start == pytest.approx(played, abs=len(turns))
    assert not head.runs


@given(STAMPS, SPEEDS, SPEEDS, SPANS, SPANS)
def test_changes_speed_without_a_jump(start, first, second, before, after):
    """A new speed counts from the time of the change."""
    head = PlaybackClock(start, first)
    head.run(0)
    head.change_speed(second, before)
    assert head.position(before) - start == pytest.approx(before * first, abs=1.0)
    played = before * first + after * second
    assert head.position(before + after) - start == pytest.approx(played, abs=2.0)


@given(STAMPS, STAMPS, SPANS)
def test_jumps_anywhere(start, target, span):
    """After a jump it continues from the new position, running as before."""
    head = PlaybackClock(start)
    head.jump(target, span)
    assert head.position(2 * span) == target
    head.run(span)
    head.jump(start, 2 * span)
    assert head.position(3 * span) == start + span


@given(st.integers(0, 10_000_000_000), st.floats(0.01, 100.0))
def test_delay_leads_to_the_place(span, speed):
    """After waiting for the `delay`, the playback clock is at the position."""
    head = PlaybackClock(0, speed)
    head.run(0)
    assert head.position(head.delay(span, 0)) == pytest.approx(span, abs=speed + 1.0)
    assert head.delay(-1, 0) == 0
