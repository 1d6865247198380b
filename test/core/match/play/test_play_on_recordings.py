# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ball possession and the first interception in a recorded match."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.play.ball_possession import BallPossession
from world_model_core.match.play.interception import find_slacks
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

# The robots that touched the ball: blue/2 kicks it at 0.59 s, yellow/8 at 1.17 s and blue/6
# at 2.77 s.
PASSES = [('yellow/8', 1.17), ('blue/6', 2.77)]


@pytest.fixture(scope='module')
def match(shared_data):
    """Return ball and robots of a RoboCup 2022 match from its tracker, from the first frame on."""
    frames = []
    for message in RecordingReader(shared_data('ssl/match_2022_part1.log.gz')):
        if message.kind is not MessageKind.VISION_TRACKER_2020:
            continue
        frame = decode_tracker(message.data).frame
        ball, crowd = frame.balls[0], frame.robots
        ball = BallState(
            frame.stamp_ns, np.array(ball.position), np.array(ball.velocity), np.eye(6)
        )
        robots = Robots(
            frame.stamp_ns,
            tuple(robot.id for robot in crowd),
            np.array([(*robot.position, robot.heading) for robot in crowd]),
            np.array([(*robot.velocity, 0.0) for robot in crowd]),
            np.zeros((len(crowd), 3, 2, 2)),
            np.ones(len(crowd)),
        )
        frames.append((ball, robots))
    return frames


def test_the_owner_follows_the_passes(match):
    """The passer, the receiver and the next robot own the ball, each once and in turn."""
    ownership = BallPossession()
    owners = [ownership.update(ball, robots) for ball, robots in match]
    assert [str(owner) for owner, _ in groupby(filter(None, owners))] == [
        'blue/2',
        'yellow/8',
        'blue/6',
    ]


@pytest.mark.parametrize(('receiver', 'contact'), PASSES)
def test_the_receiver_is_the_first_that_can_intercept_the_ball(match, receiver, contact):
    """From 0.45 s to 0.1 s before each contact the robot is right, and the time to 0.15 s."""
    predictor = BallPredictor(BallParameters())
    start_ns = match[0][0].stamp_ns
    for ball, robots in match:
        time = (ball.stamp_ns - start_ns) / SECOND
        if contact - 0.45 < time < contact - 0.1:
            slacks = find_slacks(predictor.predict(ball), robots, ball.stamp_ns, step=0.02)
            first = min(slacks.first().values(), key=lambda meeting: meeting.time)
            assert str(first.robot) == receiver
            assert time + first.time == pytest.approx(contact, abs=0.15)
