# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Agreement of a tracker's ball with the balls that cameras measure."""

from itertools import islice

import numpy as np
import pytest
from samples import TRACKED_BALL

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.senders.tracker_agreement import VisibleBalls
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.tracker_values import TrackedBall
from world_model_core.match.values import Channel, MatchParameters

CHANNELS = {
    MessageKind.VISION_2014: Channel.VISION,
    MessageKind.VISION_TRACKER_2020: Channel.TRACKER,
}
CAMERA = (0.0, 0.0, 4.0)
NOBODY = np.empty((0, 2))


def shown(*places, camera=CAMERA, speed=0.0, robots=NOBODY):
    """Return balls that a camera shows at places (x, y) [m]."""
    return VisibleBalls(camera, np.array(places), speed, np.array(robots))


def ball_at(*position):
    """Return the ball of a tracker at a position (x, y, z) [m]."""
    return TrackedBall(position, TRACKED_BALL.velocity, None)


def test_a_ball_on_the_carpet_agrees_within_the_bias_of_a_camera():
    """A ball 4 cm off must agree, one 15 cm off must not."""
    assert shown((1.0, 0.0)).agrees(ball_at(1.04, 0.0, 0.0), 0.0) is True
    assert shown((1.0, 0.0)).agrees(ball_at(1.15, 0.0, 0.0), 0.0) is False


def test_a_chip_is_compared_where_the_camera_shows_it():
    """A ball 1 m above (1.5, 0) is shown at (2, 0) by a camera 4 m high, not at (1.5, 0)."""
    flying = ball_at(1.5, 0.0, 1.0)
    assert shown((2.0, 0.0)).agrees(flying, 0.0) is True
    assert shown((1.5, 0.0)).agrees(flying, 0.0) is False


def test_a_chip_is_not_compared_without_a_camera():
    """Without the position of the camera, only a ball on the carpet can be compared."""
    assert shown((1.5, 0.0), camera=None).agrees(ball_at(1.5, 0.0, 1.0), 0.0) is None
    assert shown((1.5, 0.0), camera=None).agrees(ball_at(1.5, 0.0, 0.0), 0.0) is True


def test_another_visible_ball_may_be_the_trackers():
    """With two balls, a tracker that follows the other one must agree."""
    assert shown((1.0, 0.0), (-2.0, 1.0)).agrees(ball_at(-2.0, 1.0, 0.0), 0.0) is True


def test_a_ball_hidden_by_a_robot_is_not_compared():
    """A tracker may extrapolate a ball that a robot hides from the camera."""
    seen = shown((1.0, 0.0), robots=((-2.0, 1.0),))
    assert seen.agrees(ball_at(-2.05, 1.0, 0.0), 0.0) is None
    assert seen.agrees(ball_at(-2.5, 1.0, 0.0), 0.0) is False


def test_a_fast_ball_may_be_delayed():
    """At 6 m/s, a difference of 0.3 m must agree, as the delay of a tracker is not known."""
    behind = ball_at(0.7, 0.0, 0.0)
    assert shown((1.0, 0.0), speed=6.0).agrees(behind, 0.0) is True
    assert shown((1.0, 0.0), speed=1.0).agrees(behind, 0.0) is False


@pytest.mark.parametrize('name', ['sim_chip_realistic', 'sim_straight_realistic'])
def test_an_honest_tracker_keeps_its_office(shared_data, name):
    """The tracker of ER-Force must be used throughout, through kicks, chips and false balls."""
    path = shared_data(f'ssl/peers/{name}_erforce.log.gz')
    messages = (each for each in RecordingReader(path) if each.kind in CHANNELS)
    match = Match(MatchParameters())
    for each in islice(messages, 2500):
        match.receive(Datagram(CHANNELS[each.kind], each.data, each.received_ns))
    assert match.counters['tracker.received'] > 1000
    assert match.counters['tracker.disagrees with vision'] == 0
    assert match.source is BallSource.TRACKER
