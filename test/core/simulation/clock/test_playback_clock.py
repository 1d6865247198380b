# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A playhead's place depends on the time played, however often it is asked or stopped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.simulation.clock.playback_clock import PlaybackClock

STAMPS = st.integers(0, 2_000_000_000_000_000_000)
SPANS = st.integers(0, 10_000_000_000_000)
SPEEDS = st.floats(0.01, 1000.0)


@given(STAMPS, STAMPS, SPANS)
def test_stands_still_until_it_runs(start, now, span):
    """A new playhead is where it was put, at any time."""
    assert PlaybackClock(start).position(now + span) == start


@given(STAMPS, STAMPS, SPEEDS, st.lists(SPANS, max_size=10))
def test_advances_by_speed_without_drift(start, now, speed, spans):
    """Speed times elapsed time is played, whatever is asked in between."""
    head = PlaybackClock(start, speed)
    head.run(now)
    for span in spans:
        now += span
        head.position(now)
    assert head.position(now) - start == pytest.approx(sum(spans) * speed, abs=1.0)


@given(STAMPS, SPEEDS, st.lists(st.tuples(SPANS, SPANS), max_size=10))
def test_plays_only_while_it_runs(start, speed, turns):
    """Pauses take nothing from the recording."""
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
    """A change of speed counts from the place where it happens."""
    head = PlaybackClock(start, first)
    head.run(0)
    head.change_speed(second, before)
    assert head.position(before) - start == pytest.approx(before * first, abs=1.0)
    played = before * first + after * second
    assert head.position(before + after) - start == pytest.approx(played, abs=2.0)


@given(STAMPS, STAMPS, SPANS)
def test_jumps_anywhere(start, target, span):
    """After a jump it goes on from the new place, running as before."""
    head = PlaybackClock(start)
    head.jump(target, span)
    assert head.position(2 * span) == target
    head.run(span)
    head.jump(start, 2 * span)
    assert head.position(3 * span) == start + span


@given(st.integers(0, 10_000_000_000), st.floats(0.01, 100.0))
def test_delay_leads_to_the_place(span, speed):
    """Having waited for as long as `delay` says, the playhead is there."""
    head = PlaybackClock(0, speed)
    head.run(0)
    assert head.position(head.delay(span, 0)) == pytest.approx(span, abs=speed + 1.0)
    assert head.delay(-1, 0) == 0
