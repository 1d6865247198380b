# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A Kalman filter on every robot's pose and velocity, from raw vision and the robots' own word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import update
from world_model_core.robots.estimate import wrap_angles
from world_model_core.robots.table import NEVER, ROWS, SECOND, RobotTable
from world_model_core.ssl.values import Team

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.ssl.values import DetectionFrame, RobotDetection, RobotId

POSE_ONLY = np.array(((1.0, 0.0),))
VELOCITY_ONLY = np.array(((0.0, 1.0),))
# Of a heading that the camera did not give: as good as unknown [rad^2].
NO_HEADING = 1e6
# Of the velocity of a robot seen for the first time [m^2/s^2, rad^2/s^2].
FIRST_VELOCITY = np.array((4.0, 4.0, 40.0))
# The camera that sees a robot keeps it until it has not seen it for this long [ns]: three frames.
HANDOVER_NS = SECOND // 20
# By so much do two cameras differ in where a robot is [m], [rad].
CAMERA_BIAS = 0.1
# Faster than any robot drives [m/s].
TOP_SPEED = 8.0
# No robot is further from where it was than its speed and this explain [m]: a misread number.
REACH = 0.3


@dataclass(frozen=True, slots=True)
class RobotTrackerParameters:
    """
    What the filter assumes.

    Parameters
    ----------
    position_std, heading_std : float
        Of one detection [m], [rad].
    odometry_std : float
        Of a robot's own velocity, in each of m/s and rad/s.
    acceleration_density, turn_density : float
        Power spectral densities [m^2/s^3], [rad^2/s^3].
    life : float
        A robot not seen for this long is gone [s]; 2 s is what TIGERs' tracker uses.

    """

    position_std: float = 0.003
    heading_std: float = 0.02
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

    The robots of one frame are corrected in one batch. One camera at a time is followed, for no
    two agree; and a robot seen where it cannot have driven to was misread, or begins anew there
    once it is no longer seen where it was.
    """

    def __init__(self, parameters: RobotTrackerParameters) -> None:
        self._densities = parameters.densities
        self._life_ns = int(parameters.life * SECOND)
        flat, turn = parameters.position_std**2, parameters.heading_std**2
        self._noise = np.array((flat, flat, turn))
        self._odometry_noise = np.full((3, 1, 1), parameters.odometry_std**2)
        self.table = RobotTable()
        self._cameras = np.zeros(ROWS, dtype=np.int64)  # by which each row was seen last

    def reset(self) -> None:
        """Forget everything, as after a jump in time."""
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
        seen = _best_of_each(frame)
        if not seen:
            return []
        rows = np.array(list(seen))
        # A heading that is None becomes NaN.
        measured = np.array([(r.x, r.y, r.heading) for r in seen.values()], dtype=float)
        followed, new = self._sort(frame, rows, measured)
        if followed.all():
            self._correct(rows, measured, frame)
            return list(seen)
        if followed.any():
            self._correct(rows[followed], measured[followed], frame)
        new &= ~np.isnan(measured[:, 2])
        if new.any():
            self._bear(rows[new], measured[new], frame)
        told: list[int] = rows[followed | new].tolist()
        return told

    def _sort(
        self, frame: DetectionFrame, rows: NDArray[np.intp], measured: Array
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell the rows that are seen on, and those that begin, from others' and misread ones."""
        table = self.table
        age_ns = frame.capture_ns - table.stamp_ns[rows]
        offsets = abs(measured[:, :2] - table.mean[rows][:, :2, 0])
        reach = TOP_SPEED / SECOND * abs(age_ns) + REACH
        far = np.maximum(offsets[:, 0], offsets[:, 1]) > reach
        lost = age_ns > HANDOVER_NS
        others = ~lost & (self._cameras[rows] != frame.camera_id)
        new = lost & (far | (age_ns > self._life_ns))
        return ~(far | others | new), new

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

    def _bear(self, rows: NDArray[np.intp], measured: Array, frame: DetectionFrame) -> None:
        table = self.table
        table.stamp_ns[rows], table.visibility[rows] = frame.capture_ns, 1.0
        self._cameras[rows] = frame.camera_id
        table.mean[rows, :, 0], table.mean[rows, :, 1] = measured, 0.0
        table.mean[rows, 2, 0] = wrap_angles(measured[:, 2])
        table.covariance[rows] = 0.0
        table.covariance[rows, :, 0, 0] = self._noise
        table.covariance[rows, :, 1, 1] = FIRST_VELOCITY

    def _correct(self, rows: NDArray[np.intp], measured: Array, frame: DetectionFrame) -> None:
        table = self.table
        elapsed = (frame.capture_ns - table.stamp_ns[rows]) / SECOND
        mean, covariance = table.moved(rows, np.maximum(elapsed, 0.0), self._densities)
        _hand_over(covariance, self._cameras[rows] != frame.camera_id)
        noise = self._noise
        unknown = np.isnan(measured)
        if unknown.any():
            noise = np.where(unknown, NO_HEADING, noise)
            measured = np.where(unknown, 0.0, measured)
        if (elapsed < 0.0).any():  # late: bring forward, as surely as the speeds are known
            late = np.minimum(elapsed, 0.0)[:, None]
            measured -= late * mean[..., 1]
            noise = noise + late**2 * covariance[..., 1, 1]
        measured[:, 2] = mean[:, 2, 0] + wrap_angles(measured[:, 2] - mean[:, 2, 0])
        mean, covariance, _ = update(
            mean, covariance, measured[..., None], POSE_ONLY, noise[..., None, None]
        )
        mean[:, 2, 0] = wrap_angles(mean[:, 2, 0])
        table.mean[rows], table.covariance[rows] = mean, covariance
        table.stamp_ns[rows] = np.maximum(table.stamp_ns[rows], frame.capture_ns)
        table.visibility[rows] = 1.0
        self._cameras[rows] = frame.camera_id


def _hand_over(covariance: Array, changed: NDArray[np.bool_]) -> None:
    """Let another camera say where robots (n, 3, 2, 2) are: it tells nothing of their speeds."""
    if changed.any():
        covariance[changed, :, 0, 1] = covariance[changed, :, 1, 0] = 0.0
        covariance[changed, :, 0, 0] += CAMERA_BIAS**2


def _best_of_each(frame: DetectionFrame) -> dict[int, RobotDetection]:
    """Select the most confident detection of every number, by row."""
    best: dict[int, RobotDetection] = {}
    for robot in frame.robots:
        if robot.number is None:
            continue
        row = robot.number + (16 if robot.team is Team.YELLOW else 0)
        if row not in best or robot.confidence > best[row].confidence:
            best[row] = robot
    return best
