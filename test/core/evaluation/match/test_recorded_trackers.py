# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Trackers of a recording and of other files: clocks, windows, coverage and names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_match import MS, START_NS, tracker, vision

from world_model_core.errors import RecordingError
from world_model_core.evaluation.match.evaluation import evaluate
from world_model_core.evaluation.match.recorded_trackers import read_trackers
from world_model_core.evaluation.match.replay import replay
from world_model_core.match.ssl.recording import Message, MessageKind

FRAMES = replay(vision(number) for number in range(60)).frames
YEAR_NS = 365 * 24 * 3600 * 10**9
offsets = st.sampled_from([0, 20_000 * MS, -3 * YEAR_NS])


def errors(found, name, horizon=0.25):
    """Return the prediction errors of a predictor."""
    (own,) = (e for e in found.predictions if (e.predictor, e.horizon) == (name, horizon))
    return own


def compare(own, *others):
    """Evaluate messages beside those of other files."""
    files = {f'{number}.log': messages for number, messages in enumerate(others)}
    return evaluate(own, (0.25,), others=files)[0]


@given(offsets, offsets)
def test_vision_in_the_same_file_relates_the_clocks(clock_ns, recorder_ns):
    """The file may be recorded years later, from a replay, and the tracker have its own clock."""
    messages = [
        each
        for n in range(40)
        for each in (
            vision(n, recorder_ns=recorder_ns),
            tracker(n, clock_ns, recorder_ns=recorder_ns),
        )
    ]
    (found,) = read_trackers(messages, FRAMES)
    offs = [abs(f.stamp_ns - START_NS - f.frame_number * 14 * MS) for f in found.frames]
    assert len(offs) == 40
    assert max(offs) <= 10 * MS


@given(offsets)
def test_without_vision_the_recorders_clock_relates_the_clocks(clock_ns):
    """A second recorder at the same match needs no vision."""
    (found,) = read_trackers([tracker(n, clock_ns) for n in range(40)], FRAMES)
    assert abs(found.frames[0].stamp_ns - START_NS) <= 10 * MS


def test_without_vision_and_later_the_tracker_must_use_visions_clock():
    """Otherwise its times are those of another match, and no error is a small one by accident."""
    later = [tracker(n, 0, recorder_ns=YEAR_NS) for n in range(40)]
    assert read_trackers(later, FRAMES)[0].frames[0].stamp_ns == START_NS
    unknown = [tracker(n, 20_000 * MS, recorder_ns=YEAR_NS) for n in range(40)]
    with pytest.raises(RecordingError, match=r'tracker a: its times, .* record vision in the'):
        read_trackers(unknown, FRAMES)


def test_a_file_of_another_match_is_rejected():
    """Its frames are not in the recording; a file without trackers has nothing to compare."""
    other = [each for n in range(900, 940) for each in (vision(n), tracker(n))]
    with pytest.raises(RecordingError, match='none of its vision frames is in the recording'):
        read_trackers(other, FRAMES)
    with pytest.raises(RecordingError, match='no tracker packet'):
        read_trackers([vision(1), Message(0, MessageKind.VISION_TRACKER_2020, b'?')], FRAMES)


def test_another_tracker_changes_no_figure_of_the_others():
    """All predictors have the same windows, whatever is compared."""
    own = [each for n in range(80) for each in (vision(n), tracker(n))]
    alone = compare(own)
    beside = compare(own, [tracker(n, uuid='b', off=0.03) for n in range(0, 80, 3)])
    assert errors(beside, 'tracker b').all.median == pytest.approx(0.03, abs=0.003)
    shared = [e for e in beside.predictions if e.predictor != 'tracker b']
    assert [e.predictor for e in alone.predictions] == [e.predictor for e in shared]
    assert list(alone.predictions) == shared
    assert {e.windows for e in beside.predictions} == {shared[0].windows}


@pytest.mark.parametrize('visibility', [None, 0.0])
@pytest.mark.parametrize('where', ['recording', 'other file'])
def test_coverage_is_the_share_of_windows_with_a_ball(where, visibility):
    """A frame without a visible ball has none, though one came shortly before."""
    halves = [tracker(n, visibility=1.0 if n % 2 else visibility) for n in range(80)]
    own = [vision(n) for n in range(80)]
    found = compare(own + halves) if where == 'recording' else compare(own, halves)
    assert errors(found, 'tracker a').coverage == pytest.approx(0.5, abs=0.02)
    assert errors(found, 'tracker a').all.n < errors(found, 'tracker a').windows
    assert errors(found, 'ours').coverage == pytest.approx(1.0, abs=0.1)


def test_a_tracker_that_pauses_keeps_its_windows():
    """While the recording's own tracker sends nothing, windows begin at the detections."""
    whole = [each for n in range(150) for each in (vision(n), tracker(n))]
    broken = [vision(n) for n in range(150)] + [tracker(n) for n in range(20)]
    assert errors(compare(whole), 'tracker a').coverage == 1.0
    windows = errors(compare(whole), 'ours').windows
    paused = errors(compare(broken), 'tracker a')
    assert paused.windows == pytest.approx(windows, abs=5)
    assert paused.coverage < 0.6


def test_each_tracker_is_listed_once_with_a_name_of_its_own():
    """A tracker in two files is one; two trackers of one name are numbered."""
    own = [each for n in range(40) for each in (vision(n), tracker(n))]
    twins = [tracker(n, uuid='b', name='tracker a') for n in range(30)]
    ours = [tracker(n, uuid='c', name='ours') for n in range(20)]
    replayed = [vision(n, recorder_ns=YEAR_NS) for n in range(40)]
    # Some packets are lost when a recording is replayed.
    replayed += [tracker(n, recorder_ns=YEAR_NS) for n in range(5, 40)]
    replayed += [replace(each, received_ns=each.received_ns + YEAR_NS) for each in twins]
    found = compare(own, replayed, [*ours, *twins])
    listed = [(each.name, each.uuid, each.file, each.frames) for each in found.trackers]
    assert listed == [
        ('tracker a', 'a', '', 40),
        ('tracker a 2', 'b', '0.log', 30),
        ('ours 2', 'c', '1.log', 20),
    ]
    assert {e.predictor for e in found.predictions} >= {'ours', 'tracker a 2', 'ours 2'}


def test_an_error_names_the_file():
    """Of several files, the wrong one is named."""
    with pytest.raises(RecordingError, match=r'^1\.log: it contains no tracker packet'):
        compare([vision(n) for n in range(20)], [tracker(n) for n in range(20)], [vision(1)])


def test_one_stamp_counts_once():
    """A packet that was recorded twice, or repeats its stamp, is one frame."""
    twice = [replace(tracker(n), received_ns=START_NS + n) for n in range(20) for _ in range(2)]
    assert len(read_trackers(twice, FRAMES)[0].frames) == 20
