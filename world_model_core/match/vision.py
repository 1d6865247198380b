# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All filters that run on raw vision, from one camera's frame to robots and balls."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.ball.occlusion import ROBOT_RADIUS
from world_model_core.ball.parameters import BallParameters
from world_model_core.ball.tracker import BallTracker, Obstacles
from world_model_core.cameras.bias import CameraBiases, CameraBiasParameters
from world_model_core.errors import ConfigurationError
from world_model_core.robots.table import SECOND
from world_model_core.robots.tracker import RobotTracker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.ball.tracker import SeenBall
    from world_model_core.gaussian import Array
    from world_model_core.match.values import MatchParameters
    from world_model_core.ssl.values import CameraCalibration, DetectionFrame, FieldSize, Geometry

# Of the ball and of what stands at the corners of a goal (SSL rules) [m].
BALL_RADIUS = 0.0215
POST_RADIUS = 0.02
# The share of each sight in the mean surprise.
SURPRISE_GAIN = 0.01


class VisionFilters:
    """
    What is made of raw vision alone, in vision's clock.

    Parameters
    ----------
    parameters : MatchParameters

    Attributes
    ----------
    robots : RobotTracker
    balls : BallTracker
    biases : CameraBiases
    surprise : float
        Mean of the normalised innovation squared of the ball's last sights, for each degree of
        freedom: 1 where the covariances are honest, more where they promise too much.

    """

    def __init__(self, parameters: MatchParameters) -> None:
        self._life_ns = int(parameters.robots.life * SECOND)
        self._configured = BallParameters()
        self.biases = CameraBiases(CameraBiasParameters())
        self.robots = RobotTracker(parameters.robots)
        self.balls = BallTracker(parameters.ball, self._configured, self.biases)
        self._calibrations: dict[int, CameraCalibration] = {}
        self._posts = np.empty((0, 2))
        self.surprise = 1.0

    def reset(self) -> None:
        """Forget what was seen, as after a jump in time; the cameras hang where they did."""
        self.robots.reset()
        self.balls.reset()

    @property
    def cameras(self) -> Mapping[int, tuple[float, float, float]]:
        """Where the cameras are, (x, y, z) [m], by id, as far as vision tells."""
        known = self._calibrations.items()
        return {name: camera.position for name, camera in known if camera.position is not None}

    def learn(self, geometry: Geometry) -> None:
        """Take in the field, the cameras that are new or were calibrated, the ball's constants."""
        known = self._calibrations
        news = {camera.camera_id: camera for camera in geometry.cameras}
        if any(name in known and known[name] != camera for name, camera in news.items()):
            self.biases.reset()
        known.update(news)
        self._posts = _posts(geometry.field)
        self.balls.place_cameras(self.cameras)
        with suppress(ConfigurationError):  # constants that no ball could have
            self.balls.configure(self._configured.with_models(geometry.straight, geometry.chip))

    def update(self, frame: DetectionFrame) -> tuple[list[int], SeenBall | None]:
        """
        Take one camera's frame in.

        Returns
        -------
        rows : list of int
            Of the table of robots, those that the frame has corrected.
        seen : SeenBall or None
            The ball that is played with, if the frame showed it.

        """
        rows = self.robots.update(frame)
        seen = self.balls.update(frame, self._obstacles(frame.capture_ns))
        if seen is not None and seen.nis is not None:
            self.surprise += SURPRISE_GAIN * (0.5 * seen.nis - self.surprise)
        return rows, seen

    def _obstacles(self, now_ns: int) -> Obstacles:
        """Collect what a ball may touch."""
        table = self.robots.table
        robots = table.mean[table.stamp_ns >= now_ns - self._life_ns][:, :2, 0]
        places = np.concatenate((robots, self._posts))
        reaches = np.full(len(places), ROBOT_RADIUS + BALL_RADIUS)
        reaches[len(robots) :] = POST_RADIUS + BALL_RADIUS
        return Obstacles(places, reaches)


def _posts(field: FieldSize) -> Array:
    """Find the four goal posts, shape (4, 2) [m]."""
    x, y = field.length / 2.0, field.goal_width / 2.0
    return np.array(((x, y), (x, -y), (-x, y), (-x, -y)))
