# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What cameras make of the truth: noise, misses, hidden and flying balls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.ball.occlusion import hidden_by
from world_model_core.simulation.ssl_robot import wrap
from world_model_core.ssl.values import BallDetection, DetectionFrame, RobotDetection

if TYPE_CHECKING:
    from world_model_core.simulation.ssl_arena import Camera
    from world_model_core.simulation.ssl_parameters import SslMatchParameters
    from world_model_core.simulation.ssl_play import RobotTruth, Truth

# The pattern's height [m], as the vision of RoboCup 2022 had it.
PATTERN_HEIGHT = 0.149
BALL_AREA = 80
CONFIDENCE = (0.85, 1.0)
# From capture to sending at RoboCup 2022: 7.9 ms at least, 10.9 in the mean, 20 at most [ns].
DELAY_LEAST, DELAY_MEAN, DELAY_MOST = 7_900_000, 10_900_000, 20_000_000


class Vision:
    """
    Turns the truth into detection frames.

    Parameters
    ----------
    parameters : SslMatchParameters
    random : Generator
        What noise and misses are drawn from.
    epoch_ns : int
        When the match began [ns, unix time].

    """

    def __init__(
        self, parameters: SslMatchParameters, random: np.random.Generator, epoch_ns: int
    ) -> None:
        self._parameters = parameters
        self._random = random
        self._epoch_ns = epoch_ns

    def observe(self, truth: Truth, camera: Camera, frame_number: int) -> DetectionFrame:
        """Take a picture and read it."""
        capture_ns = self._epoch_ns + truth.stamp_ns
        robots = [self._robot(robot, camera) for robot in truth.robots]
        ball = self._ball(truth, camera)
        return DetectionFrame(
            frame_number=frame_number,
            camera_id=camera.camera_id,
            capture_ns=capture_ns,
            sent_ns=capture_ns + self._delay(),
            balls=(ball,) if ball else (),
            robots=tuple(robot for robot in robots if robot),
        )

    def _delay(self) -> int:
        """Draw how long the vision computer takes [ns]."""
        extra = self._random.exponential(DELAY_MEAN - DELAY_LEAST)
        return min(DELAY_MOST, DELAY_LEAST + round(extra))

    def _ball(self, truth: Truth, camera: Camera) -> BallDetection | None:
        """See the ball, or not."""
        missed, confidence = self._chances()
        dx, dy, dz = self._random.normal(0.0, self._parameters.position_noise, 3).tolist()
        if missed or not camera.sees(truth.position) or self._hidden(truth, camera):
            return None
        x, y, z = truth.position
        measured = self._parameters.measured_height
        if not measured:
            x, y = camera.shadow(truth.position)
        return BallDetection(
            x=x + dx,
            y=y + dy,
            z=max(0.0, z + dz) if measured else None,
            confidence=confidence,
            pixel=camera.pixel(truth.position),
            area=BALL_AREA,
        )

    def _robot(self, robot: RobotTruth, camera: Camera) -> RobotDetection | None:
        """See a robot, or not."""
        missed, confidence = self._chances()
        dx, dy, turn = self._random.normal(size=3).tolist()
        pattern = (*robot.position, PATTERN_HEIGHT)
        if missed or not camera.sees(pattern):
            return None
        noise = self._parameters.position_noise
        return RobotDetection(
            team=robot.id.team,
            number=robot.id.number,
            x=robot.position[0] + noise * dx,
            y=robot.position[1] + noise * dy,
            heading=wrap(robot.heading + self._parameters.heading_noise * turn),
            confidence=confidence,
            pixel=camera.pixel(pattern),
            height=PATTERN_HEIGHT,
        )

    def _chances(self) -> tuple[bool, float]:
        """Draw whether a detection is missed, and how sure it is of itself."""
        missed, confidence = self._random.random(2).tolist()
        low, high = CONFIDENCE
        return missed < self._parameters.missed, low + (high - low) * confidence

    def _hidden(self, truth: Truth, camera: Camera) -> bool:
        """Tell whether a robot hides the ball."""
        if not self._parameters.occlusion:
            return False
        robots = np.array([robot.position for robot in truth.robots])
        return hidden_by(np.array(truth.position), robots, [np.array(camera.position)]) is not None
