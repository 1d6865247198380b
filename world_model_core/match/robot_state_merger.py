# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The robots on the field, from whichever source knows each of them now."""

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
    """A source's table and when each row was heard of [ns, local clock]."""

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
    Joins what the elected tracker and our own filter know of the robots.

    Parameters
    ----------
    parameters : RobotTrackerParameters
        Of which `life` and the densities are used.
    tracker_timeout : float
        A tracker's row older than this gives way to a newer one of vision [s].
    filtered : RobotTable
        Our filter's, in vision's time.

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
        """Take in the robots of a tracker's frame; times local [ns]."""
        table, rows = self._tracked.table, seen.rows
        table.stamp_ns[rows] = stamp_ns
        table.mean[rows] = seen.mean
        table.covariance[rows] = seen.covariance
        table.visibility[rows] = seen.visibility
        self._tracked.received_ns[rows] = received_ns

    def update_from_vision(self, rows: Sequence[int], offset_ns: int, received_ns: int) -> None:
        """Note which rows of our filter a frame has just corrected, and its clock's offset."""
        self._filtered.received_ns[list(rows)] = received_ns
        self._filtered.offset_ns = offset_ns

    def at(self, stamp_ns: int, now_ns: int) -> Robots:
        """
        State all robots at an instant.

        Parameters
        ----------
        stamp_ns, now_ns : int
            Instant to state them at, and the present one [ns, local]; a robot unheard of for
            its life is no longer there.

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
        """Move each row of the source that has it on; mostly one source has them all."""
        if tracked.all():
            return self._tracked.coasted(rows, stamp_ns, self._densities)
        if not tracked.any():
            return self._filtered.coasted(rows, stamp_ns, self._densities)
        mean, covariance = np.empty((len(rows), 3, 2)), np.empty((len(rows), 3, 2, 2))
        for source, mine in ((self._tracked, tracked), (self._filtered, ~tracked)):
            moved = source.coasted(rows[mine], stamp_ns, self._densities)
            mean[mine], covariance[mine] = moved
        return mean, covariance
