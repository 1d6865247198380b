# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The robots of both teams, from all cameras' raw vision and the robots' own word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import update
from world_model_core.match.cameras.bias import CameraBiases, CameraBiasParameters
from world_model_core.match.robots.camera_overlap import HANDOVER_NS, CameraOverlap
from world_model_core.match.robots.pose_filter import PoseFilter
from world_model_core.match.robots.robot_detection_noise import RobotDetectionNoise
from world_model_core.match.robots.robot_table import NEVER, RobotTable
from world_model_core.match.ssl.values import Team
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ssl.values import DetectionFrame, RobotDetection, RobotId

VELOCITY_ONLY = np.array(((0.0, 1.0),))
# Faster than any robot drives [m/s].
TOP_SPEED = 8.0
# No robot is further from where it was than its speed and this explain [m]: a misread number.
REACH = 0.3
NO_NIS = np.empty((3, 0))


@dataclass(frozen=True, slots=True)
class RobotTrackerParameters:
    """
    What the filter assumes.

    Parameters
    ----------
    position_std, heading_std : float
        Of one detection [m], [rad], until a camera's own noise is learnt.
    odometry_std : float
        Of a robot's own velocity, in each of m/s and rad/s.
    acceleration_density, turn_density : float
        Power spectral densities [m^2/s^3], [rad^2/s^3], of robots that begin or are unseen.
    life : float
        A robot not seen for this long is gone [s]; 2 s is what TIGERs' tracker uses.

    """

    position_std: float = 0.002
    heading_std: float = 0.01
    odometry_std: float = 0.1
    acceleration_density: float = 4.0
    turn_density: float = 40.0
    life: float = 2.0

    @property
    def densities(self) -> Array:
        """Of x, y and heading, shape (3,)."""
        flat = self.acceleration_density
        return np.array((flat, flat, self.turn_density))


class RobotTracker:
    """
    All robots of both teams, in vision's own time; a robot is who its pattern says it is.

    The robots of one frame are corrected in one batch, each camera's bias taken away. A robot
    seen where it cannot have driven to was misread, or begins anew there once it is no longer
    seen where it was.

    Parameters
    ----------
    parameters : RobotTrackerParameters
    biases : CameraBiases or None
        Used, and taught by robots that two cameras see; None for some of its own.

    Attributes
    ----------
    table : RobotTable
    noise : RobotDetectionNoise
        How noisy each camera is.
    nis : array, shape (3, n)
        Normalised innovation squared of x, y and heading of the robots that the last frame
        corrected; one on average while the filter is honest.

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

    def reset(self) -> None:
        """Forget the robots, as after a jump in time; the cameras stay as they are."""
        self.table.clear()

    def update(self, frame: DetectionFrame) -> list[int]:
        """
        Take one camera's frame in.

        Returns
        -------
        list of int
            The rows of `table` that this frame brought up to its capture time. A detection
            without a number is nobody's; one without a heading starts no track.

        """
        self.nis = NO_NIS
        seen = self._best_of_each(frame)
        if not seen:
            return []
        rows = np.array(list(seen))
        robots = seen.values()
        places = [r.x for r in robots], [r.y for r in robots], [r.heading for r in robots]
        measured = np.array(places, dtype=float)  # a heading that is None becomes NaN
        self.noise.add(frame.camera_id, frame.capture_ns, rows, measured)
        age_ns = abs(frame.capture_ns - self.table.stamp_ns[rows])
        strange = self._far(rows, measured, age_ns) | (age_ns > self._life_ns)
        if not strange.any():
            return self._correct(rows, measured, frame)
        known = ~strange
        told = self._correct(rows[known], measured[:, known], frame) if known.any() else []
        lost = frame.capture_ns - self._overlap.led_ns[rows] > HANDOVER_NS
        new = strange & (lost | (age_ns > self._life_ns)) & ~np.isnan(measured[2])
        if new.any():
            self._begin(rows[new], measured[:, new], frame)
        begun: list[int] = rows[new].tolist()
        return told + begun

    def _far(
        self, rows: NDArray[np.intp], measured: Array, age_ns: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Tell robots that are seen where they cannot have driven to."""
        dx, dy, _ = abs(measured - self.table.planes[0].take(rows, axis=1))
        far: NDArray[np.bool_] = (
            np.maximum(dx, dy) > TOP_SPEED / NANOSECONDS_PER_SECOND * age_ns + REACH
        )
        return far

    def _begin(self, rows: NDArray[np.intp], measured: Array, frame: DetectionFrame) -> None:
        camera_id, capture_ns = frame.camera_id, frame.capture_ns
        measured = self._overlap.begin(rows, measured, camera_id, capture_ns)
        self._filter.begin(rows, measured, self.noise.of(camera_id), capture_ns)

    def _correct(
        self, rows: NDArray[np.intp], measured: Array, frame: DetectionFrame
    ) -> list[int]:
        """Correct known robots; return the rows of those that this camera could correct."""
        camera_id, capture_ns = frame.camera_id, frame.capture_ns
        measured, usable = self._overlap.place(rows, measured, camera_id, capture_ns)
        if not usable.all():
            rows, measured = rows[usable], measured[:, usable]
            if not len(rows):
                return []
        self.nis = self._filter.correct(rows, measured, self.noise.of(camera_id), capture_ns)
        told: list[int] = rows.tolist()
        return told

    def measure_velocity(self, name: RobotId, velocity: Array) -> None:
        """
        Take a robot's own odometry in.

        Parameters
        ----------
        name : RobotId
            One that vision has not seen is left out: a velocity is no place.
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

    def _best_of_each(self, frame: DetectionFrame) -> dict[int, RobotDetection]:
        """Select one detection of every number, by row."""
        best: dict[int, RobotDetection] = {}
        for robot in frame.robots:
            if robot.number is None:
                continue
            row = robot.number + (16 if robot.team is Team.YELLOW else 0)
            rival = best.get(row)
            if rival is None or self._rank(row, robot, frame) > self._rank(row, rival, frame):
                best[row] = robot
        return best

    def _rank(self, row: int, robot: RobotDetection, frame: DetectionFrame) -> tuple[bool, float]:
        """Prefer what is near the track, then what is more confident."""
        x, y = self.table.mean[row, :2, 0].tolist()
        age_ns = abs(frame.capture_ns - int(self.table.stamp_ns[row]))
        reach = TOP_SPEED / NANOSECONDS_PER_SECOND * age_ns + REACH
        near = max(abs(robot.x - x), abs(robot.y - y)) < reach or age_ns > self._life_ns
        return near, robot.confidence
