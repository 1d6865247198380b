# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tracks the robots of both teams with all cameras and the robots' own odometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import update
from world_model_core.match.cameras.bias import CameraBiases, CameraBiasParameters
from world_model_core.match.robots.camera_overlap import HANDOVER_NS, CameraOverlap
from world_model_core.match.robots.identification import TOP_SPEED, Identification
from world_model_core.match.robots.pose_filter import PoseFilter
from world_model_core.match.robots.robot_detection_noise import RobotDetectionNoise
from world_model_core.match.robots.robot_table import NEVER, RobotTable
from world_model_core.match.ssl.robot_id import Team
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ssl.robot_id import RobotId
    from world_model_core.match.ssl.vision_values import DetectionFrame, RobotDetection

VELOCITY_ONLY = np.array(((0.0, 1.0),))
# Allowance beyond the top speed; a detection further away has a misread number [m].
REACH = 0.3
# Default time after which an undetected robot is dropped [s]; that of TIGERs' tracker.
ROBOT_LIFE = 2.0
NO_NIS = np.empty((3, 0))


@dataclass(frozen=True, slots=True)
class RobotTrackerParameters:
    """
    Parameters of the robot tracker.

    Parameters
    ----------
    position_std, heading_std : float
        Standard deviation of a detection [m], [rad], until a camera's noise is estimated.
    odometry_std : float
        Standard deviation of a robot's odometry [m/s, rad/s].
    acceleration_density, turn_density : float
        Power spectral densities [m^2/s^3], [rad^2/s^3], of new and of undetected robots.
    life : float
        Time after which an undetected robot is dropped [s].

    """

    position_std: float = 0.002
    heading_std: float = 0.01
    odometry_std: float = 0.1
    acceleration_density: float = 4.0
    turn_density: float = 40.0
    life: float = ROBOT_LIFE

    @property
    def densities(self) -> Array:
        """Densities of x, y and heading, shape (3,)."""
        flat = self.acceleration_density
        return np.array((flat, flat, self.turn_density))


class RobotTracker:
    """
    Tracks all robots in vision's clock; robots are identified by their patterns.

    All robots of one frame are corrected in one batch, after subtraction of the camera's bias. A
    detection at a position that the robot cannot have reached is ignored as misread, but starts
    a new track if the robot is no longer detected at its old position.

    Parameters
    ----------
    parameters : RobotTrackerParameters
    biases : CameraBiases or None
        Biases used, and updated by robots that two cameras detect; None for new ones.

    Attributes
    ----------
    table : RobotTable
    noise : RobotDetectionNoise
        Noise of each camera.
    nis : array, shape (3, n)
        Normalized innovation squared of x, y and heading of the robots that the last frame
        corrected; 1 on average while the filter is consistent.

    """

    def __init__(
        self, parameters: RobotTrackerParameters, biases: CameraBiases | None = None
    ) -> None:
        biases = biases or CameraBiases(CameraBiasParameters())
        self._life_ns = int(parameters.life * NANOSECONDS_PER_SECOND)
        self._odometry_noise = np.full((3, 1, 1), parameters.odometry_std**2)
        self.table = RobotTable()
        self.noise = RobotDetectionNoise(parameters.position_std, parameters.heading_std)
        self.nis = NO_NIS
        self._filter = PoseFilter(self.table, parameters.densities)
        self._overlap = CameraOverlap(self.table, biases, self.noise.places)
        self._identification = Identification(self.table)

    def reset(self) -> None:
        """Reset all robots, as after a jump in time, but keep the camera biases."""
        self.table.clear()
        self._identification.reset()

    def update(self, frame: DetectionFrame) -> list[int]:
        """
        Update the robots with a frame of one camera.

        Returns
        -------
        list of int
            The rows of `table` that this frame corrected. A detection without a number is ignored;
            one without a heading starts no track.

        """
        self.nis = NO_NIS
        robots = [robot for robot in frame.robots if robot.number is not None]
        if not robots:
            return []
        rows = np.array([_row(robot) for robot in robots])
        poses = [r.x for r in robots], [r.y for r in robots], [r.heading for r in robots]
        measured = np.array(poses, dtype=float)  # a missing heading becomes NaN
        known = self._are_known(rows, measured, frame.capture_ns)
        chosen = self._choose(rows, measured, known, robots, frame.capture_ns)
        if not chosen:
            return []
        rows, measured, known = rows[chosen], measured[:, chosen], known[chosen]
        if known.all():
            return self._correct(rows, measured, frame)
        corrected = self._correct(rows[known], measured[:, known], frame) if known.any() else []
        return corrected + self._begin(rows[~known], measured[:, ~known], frame)

    def _are_known(
        self, rows: NDArray[np.intp], measured: Array, capture_ns: int
    ) -> NDArray[np.bool_]:
        """Return which detections are where their tracked robots can be."""
        age_ns = abs(capture_ns - self.table.stamp_ns[rows])
        dx, dy, _ = abs(measured - self.table.planes[0].take(rows, axis=1))
        known: NDArray[np.bool_] = (age_ns <= self._life_ns) & (
            np.maximum(dx, dy) <= TOP_SPEED / NANOSECONDS_PER_SECOND * age_ns + REACH
        )
        return known

    def _choose(
        self,
        rows: NDArray[np.intp],
        measured: Array,
        known: NDArray[np.bool_],
        robots: Sequence[RobotDetection],
        capture_ns: int,
    ) -> list[int]:
        """Return the indices of the best detection of each robot, without misread numbers."""
        misread = self._identification.misread(rows, measured[:2], capture_ns)
        ranks = [(bool(near), robot.confidence) for near, robot in zip(known, robots, strict=True)]
        best: dict[int, int] = {}
        for index, row in enumerate(rows.tolist()):
            if not misread[index] and (row not in best or ranks[index] > ranks[best[row]]):
                best[row] = index
        return list(best.values())

    def _begin(self, rows: NDArray[np.intp], measured: Array, frame: DetectionFrame) -> list[int]:
        """Start tracks of confirmed robots that are not detected elsewhere; return their rows."""
        camera_id, capture_ns = frame.camera_id, frame.capture_ns
        age_ns = abs(capture_ns - self.table.stamp_ns[rows])
        lost = (capture_ns - self._overlap.led_ns[rows] > HANDOVER_NS) | (age_ns > self._life_ns)
        confirmed = self._identification.confirm(rows, measured[:2], capture_ns)
        new = lost & confirmed & ~np.isnan(measured[2])
        if not new.any():
            return []
        rows = rows[new]
        measured = self._overlap.begin(rows, measured[:, new], camera_id, capture_ns)
        self._filter.begin(rows, measured, self.noise.of(camera_id), capture_ns)
        begun: list[int] = rows.tolist()
        return begun

    def _correct(
        self, rows: NDArray[np.intp], measured: Array, frame: DetectionFrame
    ) -> list[int]:
        """Correct known robots; return the rows that this camera could correct."""
        camera_id, capture_ns = frame.camera_id, frame.capture_ns
        self.noise.add(camera_id, capture_ns, rows, measured)
        measured, usable = self._overlap.correct(rows, measured, camera_id, capture_ns)
        if not usable.all():
            rows, measured = rows[usable], measured[:, usable]
            if not len(rows):
                return []
        self.nis = self._filter.correct(rows, measured, self.noise.of(camera_id), capture_ns)
        corrected: list[int] = rows.tolist()
        return corrected

    def measure_velocity(self, name: RobotId, velocity: Array) -> None:
        """
        Correct a robot by its own odometry.

        Parameters
        ----------
        name : RobotId
            Ignored unless vision has detected it: odometry has no position.
        velocity : array, shape (3,)
            vx, vy [m/s] in the field frame, angular velocity [rad/s], now.

        """
        table, row = self.table, name.slot
        if table.stamp_ns[row] == NEVER:
            return
        mean, covariance, _ = update(
            table.mean[row],
            table.covariance[row],
            velocity[:, None],
            VELOCITY_ONLY,
            self._odometry_noise,
        )
        table.mean[row], table.covariance[row] = mean, covariance


def _row(robot: RobotDetection) -> int:
    """Return the row of a detected robot; the same as `RobotId.slot`."""
    assert robot.number is not None  # noqa: S101 (those without were left out)
    return robot.number + (16 if robot.team is Team.YELLOW else 0)
