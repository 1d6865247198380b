# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""States are kept within limits of time and memory, found again by time, and played again."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.view.timeline import Playhead, StateHistory

SECOND = 1_000_000_000
# A time of ROS [ns].
START = 1_700_000_000 * SECOND


@dataclass(frozen=True, eq=False)
class FakeScene:
    """A scene of which only the time and the size matter."""

    time_ns: int
    size_bytes: int = 1
    name: str = 'match'


def history_of(times, keep=1000.0, **limits):
    """Make a history with a state of one new scene at each time [s]."""
    history = StateHistory(keep, **limits)
    for time in times:
        history.add((FakeScene(START + round(time * SECOND)),))
    return history


def times_of(history):
    """Return the times of the kept states [s]."""
    return [(state.time_ns - START) / SECOND for state in history]


def at(playhead, history):
    """Return the time of the shown state [s]."""
    shown = playhead.shown()
    return next((s.time_ns - START) / SECOND for s in history if s.scenes is shown)


def test_old_states_are_dropped():
    """States are kept for `keep`; the one at the limit is kept still."""
    history = history_of(range(10), keep=3.0)
    assert times_of(history) == [6, 7, 8, 9]
    assert history.age(0) == 3.0
    assert history.size_bytes == 4


def test_memory_is_bounded():
    """Beyond the limit the oldest states are dropped; the newest is kept however large it is."""
    history = StateHistory(1000.0, most_bytes=100)
    for second in range(20):
        history.add((FakeScene(second * SECOND, 30),))
        assert history.size_bytes <= 100
    assert len(history) == 3
    huge = FakeScene(20 * SECOND, 1000)
    history.add((huge,))
    assert [state.scenes for state in history] == [(huge,)]
    assert history.size_bytes == 1000


def test_shared_scenes_are_counted_once():
    """A house that stays while a match goes on is counted once, until its last state is gone."""
    history = StateHistory(3.0)
    house, other = FakeScene(0, 100, 'house'), FakeScene(0, 200, 'house')
    for second in range(5):
        history.add((FakeScene(second * SECOND), house))
    assert history.size_bytes == 104
    for second in range(5, 8):
        history.add((FakeScene(second * SECOND), other))
    assert history.size_bytes == 304
    history.add((FakeScene(8 * SECOND), other))
    assert history.size_bytes == 204


def test_the_same_scenes_are_no_new_state():
    """A state is kept if a scene has changed, has come or has gone."""
    history, match, house = StateHistory(10.0), FakeScene(0), FakeScene(SECOND)
    for scenes in [(), (match,), (match,), (match, house), (match, house), (house,), ()]:
        history.add(scenes)
    assert [state.scenes for state in history] == [(match,), (match, house), (house,), ()]


def test_late_scenes_do_not_stretch_the_timeline():
    """Two scenes of the same world, one of them always 0.4 s late: a second remains a second."""
    history = StateHistory(10.0)
    late = FakeScene(-SECOND)
    for step in range(101):
        match = FakeScene(step * SECOND // 50)
        history.add((match, late))
        late = FakeScene(match.time_ns - 400_000_000)
        history.add((match, late))
    assert history.age(0) == pytest.approx(2.0, abs=1e-6)


@pytest.mark.parametrize('jump', [-1e9, -40.0, -1.0, 1000.0, 1e9])
def test_the_timeline_continues_where_time_jumps(jump):
    """The states before a reset, a loop or the first time of a simulation can still be seen."""
    history = history_of([*range(10), *(9 + jump + second for second in range(5))], keep=100.0)
    assert len(history) == 15
    playhead = Playhead(history)
    assert history.age(9) == pytest.approx(4.0, abs=1e-6)
    assert history.age(0) == pytest.approx(13.0, abs=1e-6)
    playhead.step(-4)
    assert at(playhead, history) == pytest.approx(9 + jump)
    playhead.step(-1)
    assert at(playhead, history) == 9
    playhead.step(1)
    assert at(playhead, history) == pytest.approx(9 + jump)


TIMES = st.lists(st.integers(-5 * SECOND, 500 * SECOND), max_size=60)


@given(TIMES, st.floats(0.1, 100.0), st.lists(st.integers(0, 40), min_size=60, max_size=60))
def test_limits_hold_whatever_time_does(times, keep, sizes):
    """Time and memory are within their limits, and positions increase, at any times and sizes."""
    history = StateHistory(keep, most_bytes=100)
    for time_ns, size in zip(times, sizes, strict=False):
        scene = FakeScene(time_ns, size)
        history.add((scene,))
        positions = [state.position_ns for state in history]
        assert positions == sorted(set(positions))
        assert history[-1].scenes == (scene,)
        assert history.age(0) <= keep + 1e-9
        assert history.size_bytes == sum(state.scenes[0].size_bytes for state in history)
        assert history.size_bytes <= 100


@given(TIMES, st.integers(-SECOND, 600 * SECOND))
def test_the_state_of_a_position_is_the_last_one_before_it(times, position_ns):
    """Bisection finds what a search through all states finds."""
    history = StateHistory(1000.0)
    for time_ns in times:
        history.add((FakeScene(time_ns),))
    earlier = [i for i, state in enumerate(history) if state.position_ns <= position_ns]
    assert history.index_at(position_ns) == (earlier[-1] if earlier else 0)


def test_live_shows_the_newest_state():
    """A window is live at first, and after `go_live`."""
    history = history_of([])
    playhead = Playhead(history)
    assert (playhead.shown(), playhead.behind()) == ((), 0.0)
    for second in range(3):
        history.add((FakeScene(START + second * SECOND),))
        assert at(playhead, history) == second
    playhead.look_back(1.5)
    assert not playhead.live
    playhead.go_live()
    assert playhead.live
    assert at(playhead, history) == 2


def test_looking_back_stays_while_the_world_goes_on():
    """The shown state stays the same, and how far it is behind grows."""
    history = history_of(range(10))
    playhead = Playhead(history)
    playhead.look_back(3.5)
    assert (at(playhead, history), playhead.behind()) == (5, 4.0)
    history.add((FakeScene(START + 20 * SECOND),))
    playhead.advance(1.0)
    assert (at(playhead, history), playhead.behind()) == (5, 15.0)


def test_a_state_that_is_dropped_while_it_is_shown_gives_way_to_the_oldest():
    """Whoever looks back longer than states are kept sees the oldest one."""
    history = history_of(range(10), keep=9.0)
    playhead = Playhead(history)
    playhead.to_begin()
    assert at(playhead, history) == 0
    for second in range(10, 15):
        history.add((FakeScene(START + second * SECOND),))
    assert (at(playhead, history), playhead.behind()) == (5, 9.0)
    playhead.play()
    playhead.advance(1.0)
    assert at(playhead, history) == 6


@pytest.mark.parametrize(
    ('seconds', 'expected'),
    [
        (0.0, 9),
        (0.4, 8),
        (9.0, 0),
        (1e300, 0),
        (float('inf'), 0),
        (-1.0, None),
        (float('nan'), None),
    ],
)
def test_looking_back_takes_any_number(seconds, expected):
    """Beyond the oldest state it shows the oldest one; what is no time in the past is ignored."""
    history = history_of(range(10))
    playhead = Playhead(history)
    playhead.look_back(seconds)
    assert playhead.live == (expected is None)
    assert at(playhead, history) == (9 if expected is None else expected)


def test_steps_stop_at_both_ends():
    """Steps go from state to state; at the ends they stay."""
    history = history_of([0.0, 0.1, 5.0])
    playhead = Playhead(history)
    seen = []
    for states in (-1, -1, -1, 1, 1, 1):
        playhead.step(states)
        seen.append(at(playhead, history))
    assert seen == [0.1, 0.0, 0.0, 0.1, 5.0, 5.0]
    assert not playhead.live
    playhead.to_begin()
    assert at(playhead, history) == 0
    playhead.to_end()
    assert at(playhead, history) == 5
    assert not playhead.live


def test_pause_keeps_what_is_live():
    """A pause of the live window keeps its state; `play` goes on from there until it is live."""
    history = history_of(range(3))
    playhead = Playhead(history)
    playhead.pause()
    history.add((FakeScene(START + 3 * SECOND),))
    assert at(playhead, history) == 2
    playhead.play()
    assert playhead.plays
    playhead.advance(0.9)
    assert at(playhead, history) == 2
    playhead.advance(0.2)
    assert playhead.live
    assert not playhead.plays


def test_play_advances_by_the_speed():
    """At speed 2 a second of real time is two of the kept states."""
    history = history_of(range(100))
    playhead = Playhead(history)
    playhead.to_begin()
    playhead.advance(10.0)
    assert at(playhead, history) == 0
    playhead.speed = 2.0
    playhead.play()
    for _ in range(10):
        playhead.advance(0.25)
    assert at(playhead, history) == 5
    playhead.pause()
    playhead.advance(10.0)
    assert at(playhead, history) == 5


def test_a_live_window_is_not_played():
    """`play` has no effect while live, and nothing fails before the first state."""
    playhead = Playhead(history_of([]))
    playhead.play()
    playhead.step(1)
    playhead.look_back(1.0)
    playhead.advance(1.0)
    assert playhead.live
    assert not playhead.plays
