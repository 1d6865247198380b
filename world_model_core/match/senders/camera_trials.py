# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Trial of cameras that another host begins to send while vision is received.

Two hosts may each send some of the cameras above one field. A camera of a second host is used
after it has agreed for a second with the robots and the ball that the others measure, which needs
a common part of their fields of view.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.match.senders.agreement_time import AgreementTime
from world_model_core.match.senders.bounded_table import make_room
from world_model_core.match.ssl.robot_id import RobotId
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.datagrams import Datagram, SenderAddress
    from world_model_core.match.ssl.vision_values import DetectionFrame
    from world_model_core.match.vision_tracking import VisionTracking

__all__ = ['CameraTrials']

# Time of agreement after which a camera is used [ns].
TRIAL_NS = NANOSECONDS_PER_SECOND
# Trials that are stored; an attacker may use any number of cameras.
CAPACITY = 16
# Largest distance between two measurements of the same robot or ball [m]: in a simulator with
# realistic errors two cameras differ by 0.04 m. It grows with the speed, because two cameras and
# their hosts' clocks are not exactly synchronized [s].
DISTANCE, TIMING = 0.06, 0.01
# Oldest estimate that a frame is compared with [ns].
COMPARABLE_NS = NANOSECONDS_PER_SECOND // 20
# Largest standard deviation of a ball that is compared [m], and largest height [m]: a camera shows
# a flying ball elsewhere.
BALL_STD, BALL_HEIGHT = 0.05, 0.02


class CameraTrials:
    """The cameras on trial."""

    def __init__(self) -> None:
        self._trials: dict[tuple[SenderAddress, int], AgreementTime] = {}

    def passes(self, frame: DetectionFrame, datagram: Datagram, vision: VisionTracking) -> bool:
        """Compare a frame with the tracked state; return whether its camera passes the trial."""
        key = (datagram.sender, frame.camera_id)
        make_room(self._trials, key, CAPACITY)
        trial = self._trials.setdefault(key, AgreementTime())
        agrees = frame_agrees(frame, vision)
        trial.observe(agrees, datagram.received_ns)
        if agrees is False:
            trial.restart()
        if trial.agreed_ns < TRIAL_NS:
            return False
        self._trials.pop(key)
        return True


def frame_agrees(frame: DetectionFrame, vision: VisionTracking) -> bool | None:
    """Return whether all comparable detections agree with the tracks; None if none is."""
    results = [*_compare_robots(frame, vision), *_compare_ball(frame, vision)]
    return all(results) if results else None


def _compare_robots(frame: DetectionFrame, vision: VisionTracking) -> Iterator[bool]:
    table = vision.robots.table
    for robot in frame.robots:
        if robot.number is None:
            continue
        row = RobotId(robot.team, robot.number).slot
        age_ns = frame.capture_ns - int(table.stamp_ns[row])
        if abs(age_ns) <= COMPARABLE_NS:
            (x, vx), (y, vy), _ = table.mean[row].tolist()
            yield _is_near((robot.x, robot.y), (x, y), (vx, vy), to_seconds(age_ns))


def _compare_ball(frame: DetectionFrame, vision: VisionTracking) -> Iterator[bool]:
    balls = vision.balls.balls()
    if not (balls and frame.balls):
        return
    ball, _ = balls[0]
    age_ns = frame.capture_ns - ball.stamp_ns
    if abs(age_ns) > COMPARABLE_NS or not _is_certain(ball):
        return
    place, velocity = ball.position[:2].tolist(), ball.velocity[:2].tolist()
    yield any(
        _is_near((each.x, each.y), place, velocity, to_seconds(age_ns)) for each in frame.balls
    )


def _is_near(
    detected: Sequence[float], place: Sequence[float], velocity: Sequence[float], age: float
) -> bool:
    """Return whether a detection is where the estimate is `age` seconds later."""
    dx, dy = (d - p - age * v for d, p, v in zip(detected, place, velocity, strict=True))
    return math.hypot(dx, dy) <= DISTANCE + TIMING * math.hypot(*velocity)


def _is_certain(ball: BallState) -> bool:
    """Return whether a ball is on the carpet, and its position measured just now."""
    return bool(ball.position[2] <= BALL_HEIGHT and ball.covariance[0, 0] <= BALL_STD**2)
