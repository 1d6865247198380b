# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated time goes in equal steps, without drift, and what has a rate keeps it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.simulation.clock.timeline import PeriodicEvent, Timeline
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND


def test_steps_are_equal_and_do_not_drift():
    """After a million steps of 0.01 s it is ten thousand seconds later, to the nanosecond."""
    line = Timeline(5.5, 0.01)
    assert line.at(0) == 5_500_000_000
    assert line.at(1) == 5_510_000_000
    assert line.at(1_000_000) == 10_005_500_000_000


def test_a_start_in_our_days_is_exact():
    """Seconds since 1970 leave no room for nanoseconds in a double; steps keep theirs."""
    line = Timeline(1_790_000_000.5, 0.001)
    assert line.at(0) == 1_790_000_000_500_000_000
    assert line.at(7) - line.at(0) == 7_000_000


@pytest.mark.parametrize(
    ('dt', 'speed', 'stride'),
    [(0.01, 1.0, 1), (0.001, 1.0, 10), (0.01, 10.0, 10), (0.01, 0.1, 1), (0.05, 1.0, 1)],
)
def test_time_is_told_no_more_often_than_the_rate(dt, speed, stride):
    """At 100 Hz: each step, or as many steps as go by in the meantime."""
    assert Timeline(0.0, dt).stride(speed, 100.0) == stride


@given(st.floats(1e-4, 1.0), st.floats(0.01, 1000.0), st.floats(1.0, 1000.0))
def test_the_stride_keeps_the_rate(dt, speed, rate):
    """The messages of a real second are never more than the rate."""
    stride = Timeline(0.0, dt).stride(speed, rate)
    assert speed / (stride * dt) <= rate * (1.0 + 1e-5)


def test_a_beat_is_told_once():
    """At 12.5 Hz it is at 0, 80, 160 ms, whenever one asks, and only the last of several."""
    beat = PeriodicEvent(0, 12.5)
    steps = [step * SECOND // 100 for step in range(18)]
    told = [stamp for stamp in map(beat.last, steps) if stamp is not None]
    assert told == [0, 80_000_000, 160_000_000]
    assert beat.last(SECOND) == 960_000_000
    assert beat.last(SECOND) is None


@given(
    st.integers(0, 2_000_000_000 * SECOND),
    st.floats(0.1, 200.0),
    st.lists(st.integers(0, SECOND), min_size=1, max_size=50),
)
def test_beats_keep_their_rate(start_ns, rate, pauses):
    """They are never in the future, never go back, and are multiples of the period."""
    beat, now_ns, told = PeriodicEvent(start_ns, rate), start_ns, []
    for pause in pauses:
        now_ns += pause
        stamp = beat.last(now_ns)
        if stamp is not None:
            assert start_ns <= stamp <= now_ns
            told.append(stamp)
            beats = (stamp - start_ns) * rate / SECOND
            assert beats == pytest.approx(round(beats), abs=1e-5)
    assert told == sorted(set(told))
    assert len(told) <= (now_ns - start_ns) * rate / SECOND + 2


def test_there_is_nothing_before_the_start():
    """Before it begins it has never happened."""
    assert PeriodicEvent(SECOND, 10.0).last(SECOND // 2) is None
