# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Handover of robots between cameras whose fields of view overlap.

Each robot has one leading camera, whose bias the estimate shares. Any other camera detects the
robot at an offset, the difference of the remaining biases at this place. This offset is learned
for each robot, so that the frames of all cameras can be used without shaking the estimate. When
another camera takes the lead, the estimate moves gradually to the position that this camera
measures, without a change of the estimated velocity.
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

# Frames of two cameras within this time are compared [ns]: cameras are not synchronized.
OVERLAP_NS = NANOSECONDS_PER_SECOND // 40
# A camera loses the lead of a robot that it has not detected for this time [ns]: three frames.
HANDOVER_NS = NANOSECONDS_PER_SECOND // 20
# Frames after which the offset of another camera is usable, and frames in the average.
LEARNED, AVERAGED = 10.0, 40.0
# Time constant of the move to a new offset [s], and the difference that needs no move [m].
SLIDE, SETTLED = 0.3, 1e-4
# Period of comparisons between cameras [ns]; the positions of robots change slowly.
COMPARISON_NS = NANOSECONDS_PER_SECOND // 20
# Standard deviation of the time between frames of two cameras [s]: stamps had 1.2 ms in 2022.
TIMING_STD = 0.002


class _CameraOffsets:
    """Offsets of one camera from the leading cameras, by row of the robots."""

    def __init__(self) -> None:
        self.mean = np.zeros((3, ROWS))
        self.count = np.zeros(ROWS)
        self.leads = np.zeros(ROWS, dtype=np.int64)
        self.compared_ns = NEVER


class CameraOverlap:
    """
    Selects the leading camera of each robot and the offset subtracted from its detections.

    Attributes
    ----------
    leads : array of int, shape (32,)
        Leading camera by row.
    led_ns : array of int, shape (32,)
        Time of its last detection of the robot [ns].

    """

    def __init__(self, table: RobotTable, biases: CameraBiases, noise: DetectionNoise) -> None:
        self._table, self._biases, self._noise = table, biases, noise
        self.leads = np.zeros(ROWS, dtype=np.int64)
        self.led_ns = np.full(ROWS, NEVER, dtype=np.int64)
        self._led_at = np.zeros((3, ROWS))  # as detected, without any correction [m, rad]
        self._shifts = np.zeros((3, ROWS))
        self._offsets: dict[int, _CameraOffsets] = {}

    def begin(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> Array:
        """Let a camera lead new robots at `poses` (3, n); return the corrected poses."""
        self.leads[rows] = camera_id
        self._lead(rows, poses, camera_id, capture_ns)
        offset = self._offset(camera_id)
        self._shifts[:, rows] = offset
        return poses - offset

    def correct(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> tuple[Array, NDArray[np.bool_]]:
        """
        Correct detections of known robots; take the lead of those that their camera has lost.

        Parameters
        ----------
        rows : array of int, shape (n,)
            Each once.
        poses : array, shape (3, n)
            Detected x, y [m] and heading [rad]; NaN for a missing heading.
        camera_id, capture_ns : int
            Camera and time of the frame [ns].

        Returns
        -------
        poses : array, shape (3, n)
            Corrected poses.
        usable : array of bool, shape (n,)
            False where the offset of this camera is not yet known.

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
        """Correct robots that this camera leads; move their offset towards the camera's bias."""
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
        """Return a camera's bias in x, y [m] and heading [rad], shape (3, 1)."""
        x, y = self._biases.offset(camera_id)
        return np.array(((x,), (y,), (0.0,)))

    def _lead(self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int) -> None:
        self.led_ns[rows], self._led_at[:, rows] = capture_ns, poses
        self._table.offset_variance[rows] = self._biases.variance(camera_id)

    def _follow(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> tuple[Array, NDArray[np.bool_]]:
        """Correct robots that other cameras lead, as in `correct`, and compare the cameras."""
        offsets = self._offsets_of(camera_id)
        leads = self.leads[rows]
        known = np.where(offsets.leads[rows] == leads, offsets.count[rows], 0.0)
        elapsed = (capture_ns - self.led_ns[rows]) / NANOSECONDS_PER_SECOND
        velocity = self._table.planes[1].take(rows, axis=1)
        differences = poses - self._led_at.take(rows, axis=1) - elapsed * velocity
        turned = wrap_angles(differences[2])
        differences[2] = np.where(np.isnan(turned), 0.0, turned)
        agree = np.maximum(*abs(differences[:2])) <= GROSS
        near = agree & (abs(elapsed) <= OVERLAP_NS / NANOSECONDS_PER_SECOND)
        count = np.minimum(known + near, AVERAGED)
        mean = offsets.mean.take(rows, axis=1)
        mean += (differences - mean) * (near / np.maximum(count, 1.0))
        offsets.mean[:, rows], offsets.count[rows], offsets.leads[rows] = mean, count, leads
        if abs(capture_ns - offsets.compared_ns) >= COMPARISON_NS and near.any():
            offsets.compared_ns = capture_ns
            compared = rows[near], differences[:2, near], elapsed[near]
            self._compare(*compared, camera_id, capture_ns)
        return poses - self._shifts.take(rows, axis=1) - mean, agree & (count >= LEARNED)

    def _offsets_of(self, camera_id: int) -> _CameraOffsets:
        """Return the offsets of a camera; too many cameras clear all, which are soon relearned."""
        if camera_id not in self._offsets:
            if len(self._offsets) >= MOST_CAMERAS:
                self._offsets.clear()
            self._offsets[camera_id] = _CameraOffsets()
        return self._offsets[camera_id]

    def _compare(
        self,
        rows: NDArray[np.intp],
        differences: Array,
        elapsed: Array,
        camera_id: int,
        capture_ns: int,
    ) -> None:
        """Update the biases with the robots of each leading camera, by inverse variance."""
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
        Give a camera the lead of robots that it detects at `poses` (3, n) and others have lost.

        If both cameras have detected the robot, its position does not change. Otherwise the
        unexpected part of the position is divided between bias and motion, by their variances.
        """
        offsets = self._offsets_of(camera_id)
        known = (offsets.leads[rows] == self.leads[rows]) & (offsets.count[rows] >= 1.0)
        self._shifts[:, rows] += offsets.mean[:, rows]
        if not known.all():
            self._share(rows[~known], poses[:, ~known], camera_id, capture_ns)
        offsets.count[rows] = 0.0
        self.leads[rows] = camera_id

    def _share(
        self, rows: NDArray[np.intp], poses: Array, camera_id: int, capture_ns: int
    ) -> None:
        elapsed = (capture_ns - self._table.stamp_ns[rows]) / NANOSECONDS_PER_SECOND
        pose, velocity, place, _, speed = self._table.planes.take(rows, axis=2)
        # Only the uncertainty of the velocity counts; braking within a few frames changes less.
        reached = place + elapsed**2 * speed
        leads = self.leads[rows].tolist()
        apart = np.array([self._biases.difference_variance(camera_id, lead) for lead in leads])
        offset = self._offset(camera_id)
        unexpected = poses - offset - pose - elapsed * velocity
        unexpected[2] = 0.0  # headings hardly differ
        self._shifts[:, rows] = offset + unexpected * apart / (apart + reached)
