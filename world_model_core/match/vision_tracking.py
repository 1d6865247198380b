# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Filters of raw vision: from camera frames to robots and balls."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.match.ball.measurement_table import LOWEST_CAMERA
from world_model_core.match.ball.obstacles import Obstacles
from world_model_core.match.ball.occlusion import BALL_RADIUS, ROBOT_RADIUS
from world_model_core.match.ball.tracker import BallTracker
from world_model_core.match.ball.walls import goal_walls
from world_model_core.match.cameras.bias import CameraBiases, CameraBiasParameters
from world_model_core.match.cameras.camera_pose import CameraPose
from world_model_core.match.cameras.exposure_time import ExposureClock
from world_model_core.match.robots.tracker import RobotTracker
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.match.ball.tracker import BallUpdate
    from world_model_core.match.ball.walls import Wall
    from world_model_core.match.ssl.geometry_values import CameraCalibration, Geometry
    from world_model_core.match.ssl.vision_values import DetectionFrame
    from world_model_core.match.values import MatchParameters

NOTHING_DROPPED: Counter[str] = Counter()


class VisionTracking:
    """
    Tracks robots and balls from raw vision alone, in vision's clock.

    Parameters
    ----------
    parameters : MatchParameters

    Attributes
    ----------
    robots : RobotTracker
    balls : BallTracker
    biases : CameraBiases
        Camera biases at the height of the ball.

    """

    def __init__(self, parameters: MatchParameters) -> None:
        self._life_ns = int(parameters.robots.life * NANOSECONDS_PER_SECOND)
        self._configured = parameters.constants
        # Vision detects robots by their patterns, 0.15 m above the carpet, where the bias of a
        # camera differs from that on the carpet.
        self.biases = CameraBiases(CameraBiasParameters())
        self._pattern_biases = CameraBiases(CameraBiasParameters())
        self.robots = RobotTracker(parameters.robots, self._pattern_biases)
        self.balls = BallTracker(parameters.ball, self._configured, self.biases)
        self._exposures = ExposureClock()
        self._calibrations: dict[int, CameraCalibration] = {}
        self._walls: tuple[Wall, ...] = ()
        self._dropped: Counter[str] = Counter()

    def reset(self) -> None:
        """Reset all tracks, as after a jump in time, but keep the cameras."""
        self.robots.reset()
        self.balls.reset()
        self._dropped = Counter({f'vision.biases.{c}': n for c, n in self.biases.counters.items()})
        self._exposures.reset()

    @property
    def cameras(self) -> Mapping[int, tuple[float, float, float]]:
        """
        Positions (x, y, z) [m] of the calibrated cameras, by id.

        A camera on the carpet or below it has not been calibrated: its values are zeros.
        """
        places = ((name, camera.position) for name, camera in self._calibrations.items())
        return {name: place for name, place in places if place and place[2] >= LOWEST_CAMERA}

    @property
    def views(self) -> list[CameraPose]:
        """Poses and fields of view of those cameras."""
        return [
            CameraPose(np.array(place), self._calibrations[name])
            for name, place in self.cameras.items()
        ]

    def take_dropped(self) -> Counter[str]:
        """Return the detections dropped since the last call, by cause."""
        balls, biases = self.balls.dropped, self.biases.counters
        total = sum(balls.values()) + sum(biases.values())
        if total == self._dropped.total():
            return NOTHING_DROPPED
        before = self._dropped
        self._dropped = Counter(
            {f'vision.balls.{cause}': count for cause, count in balls.items()}
            | {f'vision.biases.{cause}': count for cause, count in biases.items()}
        )
        return self._dropped - before

    def update_geometry(self, geometry: Geometry) -> None:
        """Use the field, the new or recalibrated cameras and the ball models of a geometry."""
        known = self._calibrations
        news = {camera.camera_id: camera for camera in geometry.cameras}
        if any(name in known and known[name] != camera for name, camera in news.items()):
            self.biases.reset()
            self._pattern_biases.reset()
        known.update(news)
        self._walls = goal_walls(geometry.field)
        self.balls.place_cameras(self.cameras)
        with suppress(ConfigurationError):  # implausible constants
            self.balls.configure(self._configured.with_models(geometry.straight, geometry.chip))

    def update(self, frame: DetectionFrame) -> tuple[list[int], BallUpdate | None]:
        """
        Update all filters with the frame of one camera.

        Returns
        -------
        rows : list of int
            Rows of the robot table that the frame has corrected.
        seen : BallUpdate or None
            The primary ball, if the frame contained it.

        """
        exposure_ns = self._exposures.observe(frame)
        if exposure_ns != frame.capture_ns:
            frame = replace(frame, capture_ns=exposure_ns)
        rows = self.robots.update(frame)
        return rows, self.balls.update(frame, self._obstacles(frame.capture_ns))

    def _obstacles(self, now_ns: int) -> Obstacles:
        """Return the robots and the walls of the goals, which the ball may touch."""
        table = self.robots.table
        robots = table.mean[table.stamp_ns >= now_ns - self._life_ns]
        reaches = np.full(len(robots), ROBOT_RADIUS + BALL_RADIUS)
        return Obstacles(robots[:, :2, 0], robots[:, :, 1], reaches, self._walls)
