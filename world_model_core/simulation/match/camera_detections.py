# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulates detections: noise, missed, false and misread ones, bias, occlusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angle
from world_model_core.match.ball.occlusion import hidden_by
from world_model_core.match.ssl.vision_values import BallDetection, RobotDetection
from world_model_core.simulation.match.clutter import FalseBalls
from world_model_core.simulation.match.random_streams import RandomStream, random_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.simulation.match.camera_biases import CameraBiases
    from world_model_core.simulation.match.ground_truth import MatchTruth, RobotTruth
    from world_model_core.simulation.match.overhead_camera import OverheadCamera, Vector
    from world_model_core.simulation.match.parameters import SslMatchParameters

# Height of the patterns [m], as at RoboCup 2022.
PATTERN_HEIGHT = 0.149
# Numbers that a pattern can show.
NUMBERS = 16
BALL_AREA = 80
CONFIDENCE = (0.85, 1.0)


class CameraDetector:
    """
    Detects balls and robots in the frames of one camera.

    Positions are computed with the true camera and then displaced by its errors and noise. Pixels
    are the projections of these positions with the published calibration, because ssl-vision
    computes the positions from the pixels.

    Parameters
    ----------
    parameters : SslMatchParameters
    camera : OverheadCamera
        The true camera.
    errors : CameraBiases

    """

    def __init__(
        self, parameters: SslMatchParameters, camera: OverheadCamera, errors: CameraBiases
    ) -> None:
        self._parameters = parameters
        self._camera = camera
        self._errors = errors
        self._published = errors.publish(camera)
        seed, index = parameters.seed, camera.camera_id
        self._ball_randoms = [
            random_stream(seed, RandomStream.BALL_DETECTIONS, index, ball)
            for ball in range(parameters.balls)
        ]
        self._robot_random = random_stream(seed, RandomStream.ROBOT_DETECTIONS, index)
        self._number_random = random_stream(seed, RandomStream.MISREAD_NUMBERS, index)
        self._false_random = random_stream(seed, RandomStream.CLUTTER, index)
        expected = parameters.clutter.expected(parameters.camera_rate)
        self._false_balls = FalseBalls(camera, expected, self._false_random)

    def find_balls(self, truth: MatchTruth) -> tuple[BallDetection, ...]:
        """Detect true and false balls, most confident first."""
        robots = np.array([robot.position for robot in truth.robots]).reshape(-1, 2)
        true = zip(truth.balls, self._ball_randoms, strict=True)
        seen = [self._ball(ball.position, robots, random) for ball, random in true]
        found = [ball for ball in seen if ball]
        for place in self._false_balls.places(truth.robots):
            draw, noise = self._false_random.random(), self._false_random.normal(size=3)
            found.append(self._detect((*place, 0.0), draw, noise.tolist()))
        return tuple(sorted(found, key=lambda ball: -ball.confidence))

    def find_robots(self, truth: MatchTruth) -> tuple[RobotDetection, ...]:
        """Detect the robots."""
        return tuple(self._robots(truth.robots))

    def _ball(
        self, position: Vector, robots: Array, random: np.random.Generator
    ) -> BallDetection | None:
        """Detect a ball, or return None; the number of random draws is always the same."""
        noticed, draw = random.random(2)
        noise = random.normal(size=3).tolist()
        if not self._parameters.missed_detection.notices(noticed) or not self._camera.covers(
            position
        ):
            return None
        if self._parameters.robots_hide_balls and self._hidden(position, robots):
            return None
        return self._detect(position, float(draw), noise)

    def _hidden(self, position: Vector, robots: Array) -> bool:
        """Return whether a robot hides a ball."""
        camera = np.array(self._camera.position)
        return hidden_by(np.array(position), robots, [camera]) is not None

    def _detect(self, position: Vector, draw: float, noise: list[float]) -> BallDetection:
        """Return the detection of a visible ball."""
        measured, deviation = self._parameters.measured_height, self._parameters.noise.position_std
        place = position[:2] if measured else self._camera.project_to_ground(position)
        x, y = self._errors.displace(place, self._camera)
        x, y = x + deviation * noise[0], y + deviation * noise[1]
        z = max(0.0, position[2] + deviation * noise[2]) if measured else 0.0
        return BallDetection(
            x=x,
            y=y,
            z=z if measured else None,
            confidence=_confidence(draw),
            pixel=self._published.pixel((x, y, z)),
            area=BALL_AREA,
        )

    def _robots(self, robots: tuple[RobotTruth, ...]) -> Iterator[RobotDetection]:
        """Yield the detections of the robots that are not missed."""
        attention, draw = self._robot_random.random((len(robots), 2)).T
        noticed = self._parameters.missed_detection.notices(attention)
        noises = self._robot_random.normal(size=(len(robots), 3)).tolist()
        numbers = self._read_numbers(robots)
        for robot, seen, number, sure, noise in zip(
            robots, noticed, numbers, draw.tolist(), noises, strict=True
        ):
            if seen and self._camera.covers((*robot.position, PATTERN_HEIGHT)):
                yield self._read_pattern(robot, number, sure, noise)

    def _read_numbers(self, robots: tuple[RobotTruth, ...]) -> list[int]:
        """Draw the numbers that are read; a misread one is uniform among the others."""
        probability = self._parameters.label_confusion.number_probability
        misread = self._number_random.random(len(robots)) < probability
        shifts = misread * self._number_random.integers(1, NUMBERS, len(robots))
        return [
            (robot.id.number + shift) % NUMBERS
            for robot, shift in zip(robots, shifts.tolist(), strict=True)
        ]

    def _read_pattern(
        self, robot: RobotTruth, number: int, draw: float, noise: list[float]
    ) -> RobotDetection:
        """Return the detection of a visible robot with the number that is read."""
        wanted = self._parameters.noise
        x, y = self._errors.displace(robot.position, self._camera)
        x, y = x + wanted.position_std * noise[0], y + wanted.position_std * noise[1]
        return RobotDetection(
            team=robot.id.team,
            number=number,
            x=x,
            y=y,
            heading=wrap_angle(robot.heading + wanted.heading_std * noise[2]),
            confidence=_confidence(draw),
            pixel=self._published.pixel((x, y, PATTERN_HEIGHT)),
            height=PATTERN_HEIGHT,
        )


def _confidence(draw: float) -> float:
    """Return the confidence of a detection for a random number from 0 to 1."""
    low, high = CONFIDENCE
    return low + (high - low) * draw
