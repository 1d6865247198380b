# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is made of estimates and kicks that are right, late, wrong or missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from world_model_core.evaluation.match.ground_truth import CommandedKick, TrueBall
from world_model_core.evaluation.match.kick_quality import score_kicks
from world_model_core.evaluation.match.replay import (
    Delays,
    Innovation,
    PublishedBall,
    PublishedKick,
    ReplayedMatch,
)
from world_model_core.evaluation.match.state_errors import first_overlap, state_errors
from world_model_core.evaluation.match.track_quality import latency, score_track
from world_model_core.match.ball.contact_segmentation import BallDetections, segment
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ball.predictor import BallPredictor

MS = 10**6
SENT_NS = 1000 * MS
CHIP = CommandedKick(SENT_NS, (0.0, 0.0, 0.0), (3.0, 0.0, 3.0))
STRAIGHT = CommandedKick(SENT_NS, (0.0, 0.0, 0.0), (3.0, 0.0, 0.0))
LAW = BallParameters()


def way(kick, stamp_ns):
    """Find the ball, which lies 1 m away before it is kicked: position and velocity."""
    if stamp_ns < kick.sent_ns:
        return np.array((0.0, 1.0, 0.0)), np.zeros(3)
    positions, velocities = kick.trajectory(LAW).at([(stamp_ns - kick.sent_ns) / 1e9])
    return positions[0], velocities[0]


def filmed(kick=STRAIGHT, false=()):
    """See the ball every 10 ms for 2 s, and false ones in the frames of these numbers."""
    rows = []
    for number in range(200):
        stamp_ns = number * 10 * MS
        rows.append((stamp_ns, *way(kick, stamp_ns)[0][:2]))
        if number in false:
            rows.append((stamp_ns, -3.0, -3.0))
    table = np.array(rows)
    stamps = table[:, 0].astype(np.int64)
    return BallDetections(stamps, table[:, 1:], np.zeros(len(stamps), dtype=np.intp))


def told(kick, stamp_ns, off=(0.0, 0.0, 0.0), source=BallSource.VISION):
    """Tell where the ball is, so far off [m]."""
    position, velocity = way(kick, stamp_ns)
    state = BallState(stamp_ns, position + off, velocity, 1e-4 * np.eye(6))
    return PublishedBall(stamp_ns, state, source, BallPredictor(LAW).predict(state))


def replayed(kick=STRAIGHT, **changes):
    """Tell everything as it was, but for the changes."""
    detections = changes.pop('detections', filmed(kick))
    frames = np.unique(detections.stamps_ns)
    perfect = ReplayedMatch(
        detections=detections,
        frames_ns=frames,
        estimates=tuple(told(kick, int(stamp_ns)) for stamp_ns in frames),
        kicks=(),
        tracked=(),
        tracker_name='',
        parameters=LAW,
        geometry=None,
        delays=Delays(np.zeros(0), np.zeros(0)),
        innovations=(),
    )
    return replace(perfect, **changes)


def truth(kick=STRAIGHT):
    """Know the ball from its kick to the end."""
    return TrueBall(kick, kick.sent_ns, kick.sent_ns, 1990 * MS, LAW, 0.0)


def tell(frame_ns, kick, *, chip, number=1, late=0):
    """Tell of a kick at some time."""
    velocity = np.array(kick.velocity)
    estimate = Kick(kick.sent_ns + late, np.zeros(2), velocity, None, float(chip), None, number)
    return PublishedKick(frame_ns, estimate)


def judged(played, kick=None):
    """Judge the kicks, with the truth if a kick is given."""
    return score_kicks(played, segment(played.detections), None if kick is None else [truth(kick)])


def test_a_perfect_track_has_no_fault():
    """Every frame is covered, and nothing jumps."""
    played = replayed()
    quality = score_track(played, segment(played.detections))
    assert (quality.frames, quality.covered, quality.jumps, quality.on_false_ball) == (
        200,
        1,
        0,
        0,
    )
    assert quality.longest_gap == pytest.approx(0.01)
    assert quality.nis is None


def test_a_gap_is_measured():
    """Frames without a word of a seen ball count as uncovered."""
    played = replayed()
    silent = [e for e in played.estimates if not 1500 * MS < e.frame_ns < 1700 * MS]
    guessed = [told(STRAIGHT, 1600 * MS, source=BallSource.LAST_KNOWN)]
    played = replace(played, estimates=(*silent, *guessed))
    quality = score_track(played, segment(played.detections))
    assert quality.covered == pytest.approx(181 / 200)
    assert quality.longest_gap == pytest.approx(0.2)


def test_a_jump_counts_there_and_back():
    """An estimate 10 cm beside the course of those around it is two jumps."""
    played = replayed()
    estimates = list(played.estimates)
    estimates[150] = told(STRAIGHT, 1500 * MS, off=(0.0, 0.1, 0.0))
    played = replace(played, estimates=tuple(estimates))
    assert score_track(played, segment(played.detections)).jumps == 2


def test_a_false_ball_that_is_told_is_counted():
    """Where vision showed something else, and the ball was told there."""
    played = replayed(detections=filmed(false=(150, 160)))
    estimates = list(played.estimates)
    estimates[150] = told(STRAIGHT, 1500 * MS)._replace(
        state=BallState(1500 * MS, np.array((-3.0, -3.0, 0.0)), np.zeros(3), np.eye(6))
    )
    played = replace(played, estimates=tuple(estimates))
    assert score_track(played, segment(played.detections)).on_false_ball == 1


def test_surprise_counts_where_nothing_hit_the_ball():
    """It is a mean for each of two degrees of freedom, without the first 0.1 s after a hit."""
    innovations = (
        Innovation(1050 * MS, 100.0),
        Innovation(1500 * MS, 2.0),
        Innovation(1600 * MS, 3.0),
    )
    played = replayed(innovations=innovations)
    assert score_track(played, segment(played.detections)).nis == pytest.approx(1.25)


def test_latency_is_summarised():
    """Medians and 95th percentiles of both legs; nothing of nothing."""
    found = latency(Delays(np.linspace(0.0, 1.0, 101), np.linspace(0.0, 2.0, 101)))
    assert found.sending_median == pytest.approx(0.5)
    assert found.arrival_p95 == pytest.approx(1.9)
    assert latency(Delays(np.zeros(0), np.zeros(0))).sending_median is None


def test_a_kick_told_is_found_with_its_delay():
    """Told 40 ms late, in the fourth frame after it."""
    quality = judged(replayed(kicks=(tell(1040 * MS, STRAIGHT, chip=False),)), STRAIGHT)
    (kick,) = quality.kicks
    assert (quality.found, quality.missed, quality.false) == (1, 0, 0)
    assert kick.delay == pytest.approx(0.04)
    assert (kick.frames, kick.number, kick.called_chip, kick.chip) == (4, 1, False, False)
    assert kick.velocity_error == pytest.approx(0.0)
    assert kick.landing == ()


def test_a_kick_not_told_is_missed_and_one_that_was_not_is_false():
    """Both are counted, with truth and without."""
    elsewhere = (tell(1600 * MS, STRAIGHT, chip=False, late=500 * MS),)
    for kick in (STRAIGHT, None):
        quality = judged(replayed(kicks=elsewhere), kick)
        assert (quality.found, quality.missed, quality.false) == (0, 1, 1)
        assert quality.kicks[0].delay is None


def test_what_a_kick_is_called_counts_at_015_s():
    """A better estimate may correct it until then; later ones show in what it ever was called."""
    estimates = ((1030, True), (1140, False), (1200, True))
    kicks = tuple(tell(stamp * MS, STRAIGHT, chip=chip) for stamp, chip in estimates)
    (kick,) = judged(replayed(kicks=kicks), STRAIGHT).kicks
    assert kick.called_chip is False
    assert kick.ever_called_chip is True


def test_landings_are_judged_by_what_was_told_until_then():
    """A chip known by 0.3 s is unknown after 0.25 s and right after 0.4 s; the ball flies."""
    (kick,) = judged(replayed(CHIP, kicks=(tell(1300 * MS, CHIP, chip=True),)), CHIP).kicks
    early, late = kick.landing
    assert (early.after, early.by_kick) == (0.25, None)
    assert late.by_kick == pytest.approx(0.0, abs=1e-9)
    assert early.by_ball == pytest.approx(0.0, abs=1e-6)
    assert late.by_ball == pytest.approx(0.0, abs=1e-6)


def test_states_are_judged_by_when_they_are():
    """The first 0.1 s, those before two cameras saw the ball, and those a second later."""
    detections = filmed()
    played = replayed()
    both = replace(
        played,
        detections=BallDetections(
            np.concatenate(([0], detections.stamps_ns)),
            np.concatenate((detections.places[:1], detections.places)),
            np.concatenate(([1], detections.cameras)),
        ),
        estimates=tuple(told(STRAIGHT, e.frame_ns, off=(0.01, 0, 0)) for e in played.estimates),
    )
    alone = state_errors(played, segment(played.detections), [truth()])
    assert (alone.settled.n, alone.after_kick.n, alone.before_overlap.n) == (0, 10, 90)
    assert alone.first_overlap is alone.nees is None
    stretches = segment(detections)
    assert first_overlap(detections, stretches) is None
    # The detections of both cameras belong to the first stretch.
    joined = [replace(stretches[0], indices=np.arange(0, 102)), *stretches[1:]]
    found = state_errors(both, joined, [truth()])
    assert (found.first_overlap, found.settled.n, found.after_kick.n) == (0.0, 90, 10)
    assert found.settled.median == pytest.approx(0.01)
    assert found.nees == pytest.approx(0.25)
