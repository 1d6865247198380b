# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Quality measures of estimates and kicks that are right, late, wrong or missing."""

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
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.contact_segmentation import BallDetections, segment
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.ball.predictor import BallPredictor

MS = 10**6
SENT_NS = 1000 * MS
CHIP = CommandedKick(SENT_NS, (0.0, 0.0, 0.0), (3.0, 0.0, 3.0))
STRAIGHT = CommandedKick(SENT_NS, (0.0, 0.0, 0.0), (3.0, 0.0, 0.0))
MODEL = BallParameters()


def true_state(kick, stamp_ns):
    """Return position and velocity of the ball, which rests 1 m away before it is kicked."""
    if stamp_ns < kick.sent_ns:
        return np.array((0.0, 1.0, 0.0)), np.zeros(3)
    positions, velocities = kick.trajectory(MODEL).at([(stamp_ns - kick.sent_ns) / 1e9])
    return positions[0], velocities[0]


def filmed(kick=STRAIGHT, false=()):
    """Return detections every 10 ms for 2 s, with false balls in the frames of these numbers."""
    rows = []
    for number in range(200):
        stamp_ns = number * 10 * MS
        rows.append((stamp_ns, *true_state(kick, stamp_ns)[0][:2]))
        if number in false:
            rows.append((stamp_ns, -3.0, -3.0))
    table = np.array(rows)
    stamps = table[:, 0].astype(np.int64)
    return BallDetections(stamps, table[:, 1:], np.zeros(len(stamps), dtype=np.intp))


def published(kick, stamp_ns, off=(0.0, 0.0, 0.0), source=BallSource.VISION):
    """Return a published estimate of the ball with an offset [m]."""
    position, velocity = true_state(kick, stamp_ns)
    state = BallState(stamp_ns, position + off, velocity, 1e-4 * np.eye(6))
    return PublishedBall(stamp_ns, state, source, BallPredictor(MODEL).predict(state))


def replayed(kick=STRAIGHT, **changes):
    """Return a replay with perfect estimates, except for the changes."""
    detections = changes.pop('detections', filmed(kick))
    frames = np.unique(detections.stamps_ns)
    perfect = ReplayedMatch(
        detections=detections,
        frames=np.stack((frames, frames, frames), axis=1),
        estimates=tuple(published(kick, int(stamp_ns)) for stamp_ns in frames),
        kicks=(),
        trackers=(),
        parameters=MODEL,
        geometry=None,
        delays=Delays(np.zeros(0), np.zeros(0)),
        innovations=(),
    )
    return replace(perfect, **changes)


def truth(kick=STRAIGHT):
    """Return the true ball from its kick to the end."""
    return TrueBall(kick, kick.sent_ns, kick.sent_ns, 1990 * MS, MODEL, 0.0)


def published_kick(frame_ns, kick, *, chip, number=1, late=0):
    """Return a published kick at some time."""
    velocity = np.array(kick.velocity)
    estimate = Kick(kick.sent_ns + late, np.zeros(2), velocity, None, float(chip), None, number)
    return PublishedKick(frame_ns, estimate)


def quality_of(played, kick=None):
    """Return the quality of a replay, with the truth of a kick if given."""
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
    """Frames without an estimate of a detected ball count as uncovered."""
    played = replayed()
    silent = [e for e in played.estimates if not 1500 * MS < e.frame_ns < 1700 * MS]
    guessed = [published(STRAIGHT, 1600 * MS, source=BallSource.LAST_KNOWN)]
    played = replace(played, estimates=(*silent, *guessed))
    quality = score_track(played, segment(played.detections))
    assert quality.covered == pytest.approx(181 / 200)
    assert quality.longest_gap == pytest.approx(0.2)


def test_a_jump_counts_there_and_back():
    """An estimate 10 cm away from its neighbors is two jumps."""
    played = replayed()
    estimates = list(played.estimates)
    estimates[150] = published(STRAIGHT, 1500 * MS, off=(0.0, 0.1, 0.0))
    played = replace(played, estimates=tuple(estimates))
    assert score_track(played, segment(played.detections)).jumps == 2


def test_a_published_false_ball_is_counted():
    """An estimate where vision detected only a false ball is counted."""
    played = replayed(detections=filmed(false=(150, 160)))
    estimates = list(played.estimates)
    estimates[150] = published(STRAIGHT, 1500 * MS)._replace(
        state=BallState(1500 * MS, np.array((-3.0, -3.0, 0.0)), np.zeros(3), np.eye(6))
    )
    played = replace(played, estimates=tuple(estimates))
    assert score_track(played, segment(played.detections)).on_false_ball == 1


def test_nees_counts_where_nothing_hit_the_ball():
    """The mean per degree of freedom of two, without the first 0.1 s after a contact."""
    innovations = (
        Innovation(1050 * MS, 100.0),
        Innovation(1500 * MS, 2.0),
        Innovation(1600 * MS, 3.0),
    )
    played = replayed(innovations=innovations)
    assert score_track(played, segment(played.detections)).nis == pytest.approx(1.25)


def test_latency_is_summarized():
    """Medians and 95th percentiles of both delays; None without data."""
    found = latency(Delays(np.linspace(0.0, 1.0, 101), np.linspace(0.0, 2.0, 101)))
    assert found.sending_median == pytest.approx(0.5)
    assert found.arrival_p95 == pytest.approx(1.9)
    assert latency(Delays(np.zeros(0), np.zeros(0))).sending_median is None


def test_a_published_kick_is_found_with_its_delay():
    """Published 40 ms late, in the fourth frame after it."""
    quality = quality_of(
        replayed(kicks=(published_kick(1040 * MS, STRAIGHT, chip=False),)), STRAIGHT
    )
    (kick,) = quality.kicks
    assert (quality.found, quality.missed, quality.false) == (1, 0, 0)
    assert kick.delay == pytest.approx(0.04)
    assert (kick.frames, kick.number, kick.called_chip, kick.chip) == (4, 1, False, False)
    assert kick.velocity_error == pytest.approx(0.0)
    assert kick.landing == ()


def test_missed_and_false_kicks_are_counted():
    """Both are counted, with and without ground truth."""
    elsewhere = (published_kick(1600 * MS, STRAIGHT, chip=False, late=500 * MS),)
    for kick in (STRAIGHT, None):
        quality = quality_of(replayed(kicks=elsewhere), kick)
        assert (quality.found, quality.missed, quality.false) == (0, 1, 1)
        assert quality.kicks[0].delay is None


def test_the_kind_of_a_kick_counts_at_015_s():
    """A better estimate may correct it until then; later ones count as ever classified so."""
    estimates = ((1030, True), (1140, False), (1200, True))
    kicks = tuple(published_kick(stamp * MS, STRAIGHT, chip=chip) for stamp, chip in estimates)
    (kick,) = quality_of(replayed(kicks=kicks), STRAIGHT).kicks
    assert kick.called_chip is False
    assert kick.ever_called_chip is True


def test_landings_are_evaluated_by_the_latest_estimate():
    """A chip published at 0.3 s is unknown after 0.25 s and right after 0.4 s."""
    (kick,) = quality_of(
        replayed(CHIP, kicks=(published_kick(1300 * MS, CHIP, chip=True),)), CHIP
    ).kicks
    early, late = kick.landing
    assert (early.after, early.by_kick) == (0.25, None)
    assert late.by_kick == pytest.approx(0.0, abs=1e-9)
    assert early.by_ball == pytest.approx(0.0, abs=1e-6)
    assert late.by_ball == pytest.approx(0.0, abs=1e-6)


def test_states_are_evaluated_by_their_age():
    """The first 0.1 s, those before two cameras detected the ball, and those a second later."""
    detections = filmed()
    played = replayed()
    both = replace(
        played,
        detections=BallDetections(
            np.concatenate(([0], detections.stamps_ns)),
            np.concatenate((detections.places[:1], detections.places)),
            np.concatenate(([1], detections.cameras)),
        ),
        estimates=tuple(
            published(STRAIGHT, e.frame_ns, off=(0.01, 0, 0)) for e in played.estimates
        ),
    )
    alone = state_errors(played, segment(played.detections), [truth()])
    assert (alone.settled.n, alone.after_kick.n, alone.before_overlap.n) == (0, 10, 90)
    assert alone.first_overlap is alone.nees is None
    stretches = segment(detections)
    assert first_overlap(detections, stretches) is None
    # The detections of both cameras belong to the first interval.
    joined = [replace(stretches[0], indices=np.arange(0, 102)), *stretches[1:]]
    found = state_errors(both, joined, [truth()])
    assert (found.first_overlap, found.settled.n, found.after_kick.n) == (0.0, 90, 10)
    assert found.settled.median == pytest.approx(0.01)
    assert found.nees == pytest.approx(0.25)
