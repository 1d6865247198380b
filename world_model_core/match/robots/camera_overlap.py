# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Robots that two cameras see, and how they pass from one camera to the other.

Each robot has one leading camera, whose bias is the estimate's. Another camera that sees the robot
as well sees it aside, by what is left of both biases at that place: that is learnt robot by robot,
so that all pictures count and none shakes the estimate. When the other camera takes the lead, the
estimate slides to where this one sees the robot, at its own speed all the while.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.match.cameras.bias import GROSS, MOST_CAMERAS
from world_model_core.match.robots.robot_table import NEVER, ROWS
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.cameras.bias import CameraBiases
    from world_model_core.match.cameras.detection_noise import DetectionNoise
    from world_model_core.match.robots.robot_table import RobotTable

# Two cameras see the same within this [ns]: they are not synchronised, and frames go missing.
OVERLAP_NS = NANOSECONDS_PER_SECOND // 40
# The camera that leads a robot does so until it has not seen it for this long [ns]: three frames.
HANDOVER_NS = NANOSECONDS_PER_SECOND // 20
# Once learnt from so many pictures another camera's count as well; so many are averaged.
LEARNT, AVERAGED = 10.0, 40.0
# The estimate slides to a new offset within about this [s], once it is further off than this [m].
SLIDE, SETTLED = 0.3, 1e-4
# The places of robots change slowly: cameras are compared so often [ns].
COMPARISON_NS = NANOSECONDS_PER_SECOND // 20
# Of the time between the pictures of two cameras [s]: at RoboCup 2022 each stamp was 1.2 ms off.
TIMING_STD = 0.002


class _Asides:
    """How far aside of their leading cameras one camera sees robots, by row."""

    def __init__(self) -> None:
        self.mean = np.zeros((3, ROWS))
        self.count = np.zeros(ROWS)
        self.leads = np.zeros(ROWS, dtype=np.int64)
        self.compared_ns = NEVER


class CameraOverlap:
    """
    Which camera leads each robot, and what is subtracted from the poses that it sees.

    Attributes
    ----------
    leads : array of int, shape (32,)
        Camera by row.
    led_ns : array of int, shape (32,)
        When it saw the robot last [ns].

    """

    def __init__(self, table: RobotTable, biases: CameraBiases, noise: DetectionNoise) -> None:
        self._table, self._biases, self._noise = table, biases, noise
        self.leads = np.zeros(ROWS, dtype=np.int64)
        self.led_ns = np.full(ROWS, NEVER, dtype=np.int64)
        self._led_at = np.zeros((3, ROWS))  # as seen, nothing subtracted [m, rad]
        self._shifts = np.zeros((3, ROWS))
        self._asides: dict[int, _Asides] = {}

    def begin(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> Array:
        """Let a camera lead robots that it sees at `poses` (3, n) anew; return the true ones."""
        self.leads[rows] = camera_id
        self._lead(rows, poses, camera_id, capture_ns)
        offset = self._offset(camera_id)
        self._shifts[:, rows] = offset
        return poses - offset

    def place(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> tuple[Array, NDArray[np.bool_]]:
        """
        Take in what a camera saw of known robots, and let it lead those that theirs have lost.

        Parameters
        ----------
        rows : array of int, shape (n,)
            Each once.
        poses : array, shape (3, n)
            x, y [m] and heading [rad] as seen, NaN where no heading was.
        camera_id, capture_ns : int
            Whose picture, and when [ns].

        Returns
        -------
        poses : array, shape (3, n)
            Of the robots, for their estimates.
        usable : array of bool, shape (n,)
            False where it is not known yet how far aside this camera sees the robot.

        """
        led = self.leads[rows] == camera_id
        if led.all():
            return self._led(rows, poses, camera_id, capture_ns), led
        lost = ~led & (capture_ns - self.led_ns[rows] > HANDOVER_NS)
        if lost.any():
            self._take_over(rows[lost], poses[:, lost], camera_id, capture_ns)
            led |= lost
        found, usable = np.empty_like(poses), led.copy()
        mine, theirs = led.nonzero()[0], (~led).nonzero()[0]
        if len(mine):
            seen = rows[mine], poses.take(mine, axis=1)
            found[:, mine] = self._led(*seen, camera_id, capture_ns)
        if len(theirs):
            seen = rows[theirs], poses.take(theirs, axis=1)
            found[:, theirs], usable[theirs] = self._follow(*seen, camera_id, capture_ns)
        return found, usable

    def _led(self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int) -> Array:
        """Place robots that this camera leads: what is subtracted nears its offset."""
        shifts = self._shifts.take(rows, axis=1)
        step = self._offset(camera_id) - shifts
        if abs(step).max() > SETTLED:
            step *= np.minimum(
                abs(capture_ns - self.led_ns[rows]) / (SLIDE * NANOSECONDS_PER_SECOND), 1.0
            )
            shifts += step
            self._shifts[:, rows] = shifts
            self._table.planes[0][:, rows] -= step
        self._lead(rows, poses, camera_id, capture_ns)
        return poses - shifts

    def _offset(self, camera_id: int) -> Array:
        """Return a camera's offset in x, y [m] and heading, shape (3, 1)."""
        x, y = self._biases.offset(camera_id)
        return np.array(((x,), (y,), (0.0,)))

    def _lead(self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int) -> None:
        self.led_ns[rows], self._led_at[:, rows] = capture_ns, poses
        self._table.offset_variance[rows] = self._biases.variance(camera_id)

    def _follow(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> tuple[Array, NDArray[np.bool_]]:
        """Place robots that other cameras lead, as for `place`, and compare the cameras."""
        asides = self._asides_of(camera_id)
        leads = self.leads[rows]
        known = np.where(asides.leads[rows] == leads, asides.count[rows], 0.0)
        elapsed = (capture_ns - self.led_ns[rows]) / NANOSECONDS_PER_SECOND
        velocity = self._table.planes[1].take(rows, axis=1)
        differences = poses - self._led_at.take(rows, axis=1) - elapsed * velocity
        turned = wrap_angles(differences[2])
        differences[2] = np.where(np.isnan(turned), 0.0, turned)
        agree = np.maximum(*abs(differences[:2])) <= GROSS
        near = agree & (abs(elapsed) <= OVERLAP_NS / NANOSECONDS_PER_SECOND)
        count = np.minimum(known + near, AVERAGED)
        mean = asides.mean.take(rows, axis=1)
        mean += (differences - mean) * (near / np.maximum(count, 1.0))
        asides.mean[:, rows], asides.count[rows], asides.leads[rows] = mean, count, leads
        if abs(capture_ns - asides.compared_ns) >= COMPARISON_NS and near.any():
            asides.compared_ns = capture_ns
            compared = rows[near], differences[:2, near], elapsed[near]
            self._compare(*compared, camera_id, capture_ns)
        return poses - self._shifts.take(rows, axis=1) - mean, agree & (count >= LEARNT)

    def _asides_of(self, camera_id: int) -> _Asides:
        """Find a camera's, which are learnt again in a moment if there are too many cameras."""
        if camera_id not in self._asides:
            if len(self._asides) >= MOST_CAMERAS:
                self._asides.clear()
            self._asides[camera_id] = _Asides()
        return self._asides[camera_id]

    def _compare(
        self,
        rows: NDArray[np.intp],
        differences: Array,
        elapsed: Array,
        camera_id: int,
        capture_ns: int,
    ) -> None:
        """Tell the biases what all robots of a leading camera say together, the slow ones most."""
        vx, vy, _ = self._table.planes[1].take(rows, axis=1)
        variances = self._noise.variance(camera_id) + TIMING_STD**2 * (vx * vx + vy * vy)
        variances += elapsed**2 * self._table.planes[4, 0, rows]
        leads = self.leads[rows]
        for other_id in set(leads.tolist()):
            mine = leads == other_id
            weights = 1.0 / (variances[mine] + self._noise.variance(other_id))
            total = float(weights.sum())
            dx, dy = (differences[:, mine] @ weights / total).tolist()
            self._biases.compare(capture_ns, camera_id, other_id, dx, dy, 1.0 / total)

    def _take_over(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> None:
        """
        Let a camera lead robots that it sees at `poses` (3, n) and their cameras have lost.

        Where both saw the robot, it goes on where it was. Else what the camera sees elsewhere
        than expected is shared between its bias and the way that the robot may have driven.
        """
        asides = self._asides_of(camera_id)
        known = (asides.leads[rows] == self.leads[rows]) & (asides.count[rows] >= 1.0)
        self._shifts[:, rows] += asides.mean[:, rows]
        if not known.all():
            self._share(rows[~known], poses[:, ~known], camera_id, capture_ns)
        asides.count[rows] = 0.0
        self.leads[rows] = camera_id

    def _share(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> None:
        elapsed = (capture_ns - self._table.stamp_ns[rows]) / NANOSECONDS_PER_SECOND
        pose, velocity, place, _, speed = self._table.planes.take(rows, axis=2)
        # As if the speed alone were unsure; how a robot brakes in a few frames is less.
        reached = place + elapsed**2 * speed
        leads = self.leads[rows].tolist()
        apart = np.array([self._biases.difference_variance(camera_id, lead) for lead in leads])
        offset = self._offset(camera_id)
        unexpected = poses - offset - pose - elapsed * velocity
        unexpected[2] = 0.0  # headings hardly differ
        self._shifts[:, rows] = offset + unexpected * apart / (apart + reached)
