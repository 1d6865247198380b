# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rejects detections with misread numbers, and confirms new robots by a second detection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.robots.robot_table import NEVER, ROWS
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.robots.robot_table import RobotTable

# Half the least distance of the centers of two robots [m].
NEAR = 0.09
# Upper limit of the speed of a robot [m/s].
TOP_SPEED = 8.0
# A robot that was not detected for this time may have moved away or been exchanged [ns].
FRESH_NS = NANOSECONDS_PER_SECOND // 10
# Longest time between two detections that start a track [ns]; cameras run at 10 Hz or more.
CONFIRMATION_NS = NANOSECONDS_PER_SECOND // 5
# Distance of two detections of one robot beyond what it can drive: the cameras' biases [m].
APART = 0.1


class Identification:
    """
    Compares the numbers of detections with the tracked robots.

    Parameters
    ----------
    table : RobotTable
        The tracked robots.

    """

    def __init__(self, table: RobotTable) -> None:
        self._table = table
        self._places = np.zeros((2, ROWS))
        self._seen_ns = np.full(ROWS, NEVER, dtype=np.int64)

    def reset(self) -> None:
        """Forget all unconfirmed robots."""
        self._seen_ns[:] = NEVER

    def misread(self, rows: NDArray[np.intp], places: Array, capture_ns: int) -> NDArray[np.bool_]:
        """
        Return which detections show another robot than their number names.

        Robots cannot overlap. A detection away from its own robot, and within a robot's radius of
        one that the frame does not show otherwise, is of this other robot.

        Parameters
        ----------
        rows : array of int, shape (n,)
        places : array, shape (2, n)
            Detected positions [m], field frame.
        capture_ns : int
            Time of the frame [ns, the table's clock].

        """
        table = self._table
        elapsed_ns = capture_ns - table.stamp_ns
        fresh = abs(elapsed_ns) <= FRESH_NS
        elapsed = np.where(fresh, elapsed_ns, 0) / NANOSECONDS_PER_SECOND
        expected = table.planes[0, :2] + elapsed * table.planes[1, :2]
        found = fresh[rows] & (_distances(places, expected[:, rows]) <= NEAR)
        if found.all():
            return ~found
        fresh[rows[found]] = False
        others = _distances(places[:, :, None], expected[:, None]) <= NEAR
        misread: NDArray[np.bool_] = ~found & (others & fresh).any(axis=1)
        return misread

    def confirm(self, rows: NDArray[np.intp], places: Array, capture_ns: int) -> NDArray[np.bool_]:
        """
        Return which untracked robots were detected nearby just before.

        Parameters
        ----------
        rows : array of int, shape (n,)
            Robots that are not tracked there, each once.
        places, capture_ns
            As for `misread`.

        """
        elapsed_ns = abs(capture_ns - self._seen_ns[rows])
        reach = TOP_SPEED / NANOSECONDS_PER_SECOND * elapsed_ns + APART
        near = _distances(places, self._places[:, rows]) <= reach
        self._places[:, rows], self._seen_ns[rows] = places, capture_ns
        confirmed: NDArray[np.bool_] = near & (elapsed_ns <= CONFIRMATION_NS)
        return confirmed


def _distances(places: Array, others: Array) -> Array:
    """Return the distances of positions (2, ...)."""
    distances: Array = np.hypot(*(places - others))
    return distances
