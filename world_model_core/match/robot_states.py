# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robot states from vision, tracker and the feedback of our own robots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import update
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.occlusion import ROBOT_RADIUS
from world_model_core.match.robots.robot_table import IDS, NEVER, ROWS, Robots, RobotTable
from world_model_core.match.robots.tracker import VELOCITY_ONLY
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.robots.tracker import RobotTrackerParameters
    from world_model_core.match.ssl.robot_id import RobotId
    from world_model_core.match.tracker_frame_conversion import TrackedRobotRows

# Standard deviations of a ball in the dribbler: position [m] and velocity [m/s].
PLACE_STD = 0.03
SPEED_STD = 0.5


class RobotFeedback:
    """
    Keeps the latest ball sensor and odometry reports of our robots.

    Parameters
    ----------
    timeout : float
        Age at which a report expires [s].
    odometry_std : float
        Standard deviation of a reported velocity [m/s, rad/s].

    """

    def __init__(self, timeout: float, odometry_std: float) -> None:
        self._timeout_ns = int(timeout * NANOSECONDS_PER_SECOND)
        self._triggered: dict[RobotId, int] = {}
        self._noise = np.full((3, 1, 1), odometry_std**2)
        self._velocities = np.zeros((ROWS, 3))
        self._measured_ns = np.full(ROWS, NEVER, dtype=np.int64)

    def observe_ball_sensor(self, name: RobotId, triggered: bool, now_ns: int) -> None:
        """Store the state of a robot's ball sensor at `now_ns` [ns, local clock]."""
        if triggered:
            self._triggered[name] = now_ns
        else:
            self._triggered.pop(name, None)

    def observe_velocity(self, name: RobotId, velocity: Array, now_ns: int) -> None:
        """Store a robot's velocity (vx, vy [m/s], angular [rad/s]), shape (3,), at `now_ns`."""
        self._velocities[name.slot], self._measured_ns[name.slot] = velocity, now_ns

    def correct(self, tracked: TrackedRobotRows, now_ns: int) -> TrackedRobotRows:
        """
        Correct a tracker's robots by the velocities that they reported recently.

        Parameters
        ----------
        tracked : TrackedRobotRows
            Robots of a tracker frame.
        now_ns : int
            Current time [ns, local clock].

        """
        fresh = self._measured_ns[tracked.rows] >= now_ns - self._timeout_ns
        if not fresh.any():
            return tracked
        mean, covariance = tracked.mean.copy(), tracked.covariance.copy()
        measured = self._velocities[tracked.rows[fresh]][..., None]
        mean[fresh], covariance[fresh], _ = update(
            mean[fresh], covariance[fresh], measured, VELOCITY_ONLY, self._noise
        )
        return tracked._replace(mean=mean, covariance=covariance)

    def held_ball(self, robots: Robots, now_ns: int) -> BallState | None:
        """Return the ball in the dribbler that reported it last; None if all reports expired."""
        oldest = now_ns - self._timeout_ns
        holding = [
            (reported_ns, robots.ids.index(name))
            for name, reported_ns in self._triggered.items()
            if reported_ns >= oldest and name in robots.ids
        ]
        return ball_in_dribbler(robots, max(holding)[1]) if holding else None


def ball_in_dribbler(robots: Robots, index: int) -> BallState:
    """Return a ball at the front of a robot, with the robot's velocity."""
    heading = robots.poses[index, 2]
    ahead = ROBOT_RADIUS * np.array((np.cos(heading), np.sin(heading)))
    spread = np.array((PLACE_STD,) * 3 + (SPEED_STD,) * 3) ** 2
    spread[:2] += robots.covariances[index, :2, 0, 0]
    return BallState(
        robots.stamp_ns,
        np.append(robots.poses[index, :2] + ahead, 0.0),
        np.append(robots.velocities[index, :2], 0.0),
        np.diag(spread),
    )


class _Source:
    """The robots of one source and when each was received last [ns, local clock]."""

    def __init__(self, table: RobotTable) -> None:
        self.table = table
        self.received_ns = np.full(ROWS, NEVER, dtype=np.int64)
        self.offset_ns = 0  # local minus the table's clock

    def coasted(
        self, rows: NDArray[np.intp], stamp_ns: int, densities: Array
    ) -> tuple[Array, Array]:
        elapsed = (stamp_ns - self.offset_ns - self.table.stamp_ns[rows]) / NANOSECONDS_PER_SECOND
        return self.table.coasted(rows, elapsed, densities)


class RobotStateMerger:
    """
    Selects for each robot the tracker or the vision filter.

    Parameters
    ----------
    parameters : RobotTrackerParameters
        `life` and the process noise densities are used.
    tracker_timeout : float
        Age at which a tracker's robot is replaced by a newer one of vision [s].
    filtered : RobotTable
        Robots of the vision filter, in vision's clock.

    """

    def __init__(
        self, parameters: RobotTrackerParameters, tracker_timeout: float, filtered: RobotTable
    ) -> None:
        self._densities = parameters.densities
        self._life_ns = int(parameters.life * NANOSECONDS_PER_SECOND)
        self._timeout_ns = int(tracker_timeout * NANOSECONDS_PER_SECOND)
        self._tracked = _Source(RobotTable())
        self._filtered = _Source(filtered)

    def update_from_tracker(self, seen: TrackedRobotRows, stamp_ns: int, received_ns: int) -> None:
        """Store the robots of a tracker frame; times in the local clock [ns]."""
        table, rows = self._tracked.table, seen.rows
        table.stamp_ns[rows] = stamp_ns
        table.mean[rows] = seen.mean
        table.covariance[rows] = seen.covariance
        table.visibility[rows] = seen.visibility
        self._tracked.received_ns[rows] = received_ns

    def update_from_vision(self, rows: Sequence[int], offset_ns: int, received_ns: int) -> None:
        """Note the rows that a vision frame has corrected, and the offset of vision's clock."""
        self._filtered.received_ns[list(rows)] = received_ns
        self._filtered.offset_ns = offset_ns

    def at(self, stamp_ns: int, now_ns: int) -> Robots:
        """
        Return all robots, predicted to a time.

        Parameters
        ----------
        stamp_ns, now_ns : int
            Time of the prediction and current time [ns, local clock]. Robots that were not
            received within their life are left out.

        """
        tracked, filtered = self._tracked, self._filtered
        by_tracker = filtered.received_ns - tracked.received_ns <= self._timeout_ns
        received_ns = np.where(by_tracker, tracked.received_ns, filtered.received_ns)
        alive = received_ns >= now_ns - self._life_ns
        alive &= by_tracker | (filtered.table.stamp_ns != NEVER)
        rows = np.nonzero(alive)[0]
        mean, covariance = self._coasted(rows, by_tracker[rows], stamp_ns)
        fresh = now_ns - received_ns[rows] <= self._timeout_ns
        seen = np.where(by_tracker, tracked.table.visibility, filtered.table.visibility)
        return Robots(
            stamp_ns,
            tuple([IDS[row] for row in rows.tolist()]),
            mean[..., 0],
            mean[..., 1],
            covariance,
            seen[rows] * fresh,
        )

    def _coasted(
        self, rows: NDArray[np.intp], tracked: NDArray[np.bool_], stamp_ns: int
    ) -> tuple[Array, Array]:
        """Predict each row by its source; usually one source has all of them."""
        if tracked.all():
            return self._tracked.coasted(rows, stamp_ns, self._densities)
        if not tracked.any():
            return self._filtered.coasted(rows, stamp_ns, self._densities)
        mean, covariance = np.empty((len(rows), 3, 2)), np.empty((len(rows), 3, 2, 2))
        for source, mine in ((self._tracked, tracked), (self._filtered, ~tracked)):
            moved = source.coasted(rows[mine], stamp_ns, self._densities)
            mean[mine], covariance[mine] = moved
        return mean, covariance
