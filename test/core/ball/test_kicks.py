# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kicks seen in a filtered ball."""

import numpy as np
import pytest

from world_model_core.ball.estimate import SECOND, BallState, Kick
from world_model_core.ball.kicks import KickDetector, KickLog
from world_model_core.ssl.values import RobotId, Team

FRAME_NS = SECOND // 70
SURE = np.diag((1e-5,) * 3 + (0.04,) * 3)


def rolling(velocities, start=(0.0, 0.0, 0.0)):
    """Make the states of a ball with a given velocity in each frame."""
    place = np.array(start)
    for index, velocity in enumerate(velocities):
        moving = np.array(velocity, dtype=float)
        place = place + moving * FRAME_NS / SECOND
        yield BallState(SECOND + index * FRAME_NS, place, moving, SURE)


def kicks_in(velocities):
    """Run the detector over a ball with these velocities."""
    detector = KickDetector()
    return [kick for state in rolling(velocities) if (kick := detector.update(state))]


def test_a_kick_is_told_once_with_instant_place_and_velocity():
    """A ball at rest that is suddenly fast must be one kick, traced back to its start."""
    (kick,) = kicks_in([(0, 0, 0)] * 20 + [(0, 5, 0)] * 20)
    assert kick.stamp_ns == pytest.approx(SECOND + 19 * FRAME_NS, abs=FRAME_NS / 2)
    assert kick.position == pytest.approx((0.0, 0.0), abs=0.02)
    assert kick.velocity.tolist() == [0, 5, 0]
    assert kick.chip_probability == 0.0


def test_a_rolling_ball_is_no_kick():
    """A ball that slows down, or changes its speed within the noise, was not kicked."""
    rng = np.random.default_rng(3)
    assert kicks_in([(3 - 0.02 * n + rng.normal(0, 0.1), 0, 0) for n in range(100)]) == []


def test_an_unsettled_filter_is_not_believed():
    """A speed that the filter itself doubts must not be a kick."""
    detector = KickDetector()
    doubts = [
        BallState(s.stamp_ns, s.position, s.velocity, 10.0 * np.eye(6))
        for s in rolling([(0, 0, 0)] * 10 + [(5, 0, 0)] * 10)
    ]
    assert not any(detector.update(state) for state in doubts)


def test_a_rising_ball_is_a_chip():
    """A vertical speed must make the kick a chip."""
    (kick,) = kicks_in([(0, 0, 0)] * 10 + [(3, 0, 3)] * 10)
    assert kick.chip_probability == 1.0


def test_a_bouncing_ball_is_not_kicked():
    """A ball that falls, and one that bounces up, must be no kick."""
    falling = [(2, 0, 3 - 9.81 * n / 70) for n in range(43)]
    assert kicks_in([*falling, *falling]) == []


def test_two_kicks_are_two():
    """A second kick of a moving ball must be told as well."""
    assert len(kicks_in([(0, 0, 0)] * 10 + [(2, 0, 0)] * 30 + [(-5, 0, 0)] * 30)) == 2


def kick(stamp_ns, speed=5.0, kicker=None):
    """Make a straight kick along x."""
    return Kick(stamp_ns, np.zeros(2), np.array((speed, 0.0, 0.0)), None, 0.0, kicker)


def test_a_better_estimate_keeps_the_number():
    """Kicks a moment apart are one; the same estimate again is no news."""
    log = KickLog()
    assert log.numbered(kick(SECOND)).number == 1
    assert log.numbered(kick(SECOND + 1000)) is None
    assert log.numbered(kick(SECOND, speed=5.5)).number == 1
    assert log.numbered(kick(SECOND, 5.5, RobotId(Team.BLUE, 2))).number == 1
    assert log.numbered(kick(2 * SECOND)).number == 2
