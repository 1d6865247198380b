# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Merges the robots of the selected tracker and of the vision filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.robots.estimate import Robots
from world_model_core.match.robots.robot_table import IDS, NEVER, ROWS, RobotTable
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.robots.tracker import RobotTrackerParameters
    from world_model_core.match.tracker_frame_conversion import TrackedRobotRows


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
