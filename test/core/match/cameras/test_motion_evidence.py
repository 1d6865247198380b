# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which time of a frame explains the motion of its objects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.cameras.motion_evidence import (
    BALL,
    FRAMES,
    MotionEvidence,
    find_objects,
)
from world_model_core.match.ssl.robot_id import Team
from world_model_core.match.ssl.vision_values import BallDetection, DetectionFrame, RobotDetection

MS = 1_000_000
PERIOD_NS = 14 * MS
RNG = np.random.default_rng(1)


def objects_at(time_ns, speeds, noise=0.0005):
    """Return objects that move along x at some speeds [m/s], with noise [m]."""
    seconds = time_ns / 1e9
    return {
        name: (speed * seconds + RNG.normal(0, noise), name + RNG.normal(0, noise))
        for name, speed in speeds.items()
    }


def evidence_of(speeds, frames=FRAMES):
    """Make evidence of frames with exact times."""
    evidence = MotionEvidence()
    for index in range(frames):
        time_ns = index * PERIOD_NS
        evidence.add(objects_at(time_ns, speeds), time_ns, time_ns)
    return evidence


@given(
    late_ms=st.integers(-6, 12),
    speeds=st.lists(st.floats(1.5, 6.0), min_size=2, max_size=5),
)
def test_the_true_time_is_the_most_likely(late_ms, speeds):
    """Of several times, the one at which all objects were where they are must win."""
    named = dict(enumerate(speeds))
    evidence, time_ns = evidence_of(named), FRAMES * PERIOD_NS
    times_ns = [time_ns + shift * MS for shift in range(-6, 13, 3)]
    seen_ns = min(times_ns, key=lambda each: abs(each - time_ns - late_ms * MS))
    logs, by_stamp = evidence.log_likelihoods(objects_at(seen_ns, named), times_ns, seen_ns)
    assert times_ns[int(np.argmax(logs))] == seen_ns
    assert by_stamp == pytest.approx(max(logs))


def test_a_kicked_ball_does_not_outvote_the_robots():
    """A ball that suits another time must count less than three robots."""
    speeds = {BALL: 3.0, 1: 1.5, 2: 1.5, 3: 1.5}
    evidence, time_ns = evidence_of(speeds), FRAMES * PERIOD_NS
    seen = objects_at(time_ns, speeds)
    seen[BALL] = objects_at(time_ns + 12 * MS, speeds)[BALL]
    (right, wrong), _ = evidence.log_likelihoods(seen, [time_ns, time_ns + 12 * MS], time_ns)
    assert right > wrong


@pytest.mark.parametrize('speeds', [{}, {1: 0.0, 2: 0.3}], ids=['nothing', 'slow robots'])
def test_without_motion_there_is_no_evidence(speeds):
    """Slow objects must not be compared: their noise is larger than their way."""
    evidence, time_ns = evidence_of(speeds), FRAMES * PERIOD_NS
    assert evidence.log_likelihoods(objects_at(time_ns, speeds), [time_ns], time_ns) is None


def test_objects_must_be_in_all_frames():
    """A new object, and one that a frame missed, must not be compared."""
    speeds = {1: 2.0}
    evidence, time_ns = evidence_of(speeds, FRAMES - 1), FRAMES * PERIOD_NS
    now = objects_at(time_ns, speeds)
    assert evidence.log_likelihoods(now, [time_ns], time_ns) is None
    evidence.add({}, time_ns - PERIOD_NS, time_ns - PERIOD_NS)
    assert evidence.log_likelihoods(now, [time_ns], time_ns) is None
    assert evidence_of(speeds).log_likelihoods({2: (0.0, 0.0)}, [time_ns], time_ns) is None


def test_times_that_do_not_increase_start_again():
    """After a frame with an older time, earlier ones must be forgotten."""
    speeds = {1: 2.0}
    evidence, time_ns = evidence_of(speeds), FRAMES * PERIOD_NS
    evidence.add(objects_at(0, speeds), 0, 0)
    assert evidence.log_likelihoods(objects_at(time_ns, speeds), [time_ns], time_ns) is None


def test_the_ball_is_the_one_nearest_to_the_last():
    """Of several balls the nearest must be taken, and robots without a number be left out."""
    balls = tuple(BallDetection(x, 0.0, None, 1.0, (0.0, 0.0)) for x in (0.0, 1.0))
    robots = tuple(
        RobotDetection(team, number, 2.0, 3.0, 0.0, 1.0, (0.0, 0.0))
        for team, number in ((Team.BLUE, 4), (Team.YELLOW, 4), (Team.BLUE, None))
    )
    frame = DetectionFrame(1, 0, 0, 0, balls, robots)
    assert find_objects(frame, None) == {4: (2.0, 3.0), 20: (2.0, 3.0), BALL: (0.0, 0.0)}
    assert find_objects(frame, (0.8, 0.0))[BALL] == (1.0, 0.0)
