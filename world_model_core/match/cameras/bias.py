# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Estimates the bias of each camera from detections of the same thing by two cameras.

Only differences of biases are observable; a bias that all cameras share is not. A Kalman filter
over all cameras, which starts with independent biases of mean zero, represents this: the mean over
the compared cameras stays zero, and its variance remains in the variance of every camera.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from world_model_core.gaussian import chi_square_gate
from world_model_core.time import NANOSECONDS_PER_SECOND

__all__ = ['CameraBiasParameters', 'CameraBiases']

# Largest number of cameras; further ids are ignored.
MOST_CAMERAS = 64
# Detections this far apart are of different things [m].
GROSS = 0.1
GATE = chi_square_gate(2, 0.9999)
# Successive contradictions of a pair that indicate a new calibration.
CONTRADICTIONS = 40
# Step of the prediction of biases, which change slowly [ns].
STEP_NS = NANOSECONDS_PER_SECOND // 10


@dataclass(frozen=True, slots=True)
class CameraBiasParameters:
    """
    Assumptions about the calibration of cameras.

    Parameters
    ----------
    prior_std : float
        Standard deviation of a bias before any comparison [m], per axis. Cameras differed by
        10 mm at RoboCup 2022 and by 40 mm in ER-Force's simulator.
    drift : float
        Random walk of a bias [m/sqrt(s)], with a decay that keeps it within `prior_std`.
    place_std : float
        Standard deviation of the position-dependent part of a camera's error [m], per axis: 2 mm
        per meter over half a field of view.
    correlation_time : float
        Time in which the differences of one pair share the error of one place [s]. Robots and
        ball then move by half a meter or more. These differences count as one measurement.

    """

    prior_std: float = 0.02
    drift: float = 2e-4
    place_std: float = 0.003
    correlation_time: float = 1.0


@dataclass(slots=True)
class _Pair:
    """Time of the last comparison of two cameras [ns], and successive contradictions."""

    stamp_ns: int
    contradictions: int = 0


class CameraBiases:
    """
    The estimated biases of all cameras.

    Parameters
    ----------
    parameters : CameraBiasParameters

    Attributes
    ----------
    counters : Counter of str
        Rejected comparisons by cause; kept through a reset.
    revision : int
        Changes whenever an offset changes.

    """

    def __init__(self, parameters: CameraBiasParameters) -> None:
        self._parameters = parameters
        self._prior = parameters.prior_std**2
        self._place = parameters.place_std**2
        # An Ornstein-Uhlenbeck process: its variance stays at the prior's, so that the variance
        # of a camera does not depend on the time of its first frame.
        self._decay = 0.5 * parameters.drift**2 / self._prior
        self.counters: Counter[str] = Counter()
        self.revision = 0
        self.reset()

    def reset(self) -> None:
        """Reset the biases of all cameras."""
        self.revision += 1
        self._rows: dict[int, int] = {}
        self._x: list[float] = []  # means, by row
        self._y: list[float] = []
        self._covariance: list[list[float]] = []  # of x as of y
        self._pairs: dict[tuple[int, int], _Pair] = {}
        self._stamp_ns = 0

    def offset(self, camera_id: int) -> tuple[float, float]:
        """Return the bias (x, y) [m] to subtract from a camera's detections, field frame."""
        row = self._rows.get(camera_id)
        return (0.0, 0.0) if row is None else (self._x[row], self._y[row])

    def variance(self, camera_id: int) -> float:
        """
        Return the variance of a camera's error after subtraction of its offset.

        Returns
        -------
        float
            Variance per axis [m^2] at any one place, including the part common to all cameras.

        """
        return self._place + self._variance_at(self._rows.get(camera_id))

    def _variance_at(self, row: int | None) -> float:
        return self._prior if row is None else self._covariance[row][row]

    def difference_variance(self, camera_id: int, other_id: int) -> float:
        """
        Return the variance of the difference of two cameras after subtraction of their offsets.

        Returns
        -------
        float
            Variance per axis [m^2] at any one place, without the part common to both.

        """
        if camera_id == other_id:
            return 0.0
        one, two = self._rows.get(camera_id), self._rows.get(other_id)
        spread = 2.0 * self._place + self._variance_at(one) + self._variance_at(two)
        if one is not None and two is not None:
            spread -= 2.0 * self._covariance[one][two]
        return spread

    def compare(  # noqa: PLR0917 (they make up one measurement)
        self,
        stamp_ns: int,
        camera_id: int,
        other_id: int,
        dx: float,
        dy: float,
        variance: float,
    ) -> None:
        """
        Update the biases with the difference of two detections of the same thing.

        Parameters
        ----------
        stamp_ns : int
            Time of the detections [ns, vision's clock].
        camera_id, other_id : int
        dx, dy : float
            Position by the camera minus that by the other [m], without correction of biases.
        variance : float
            Variance of this difference per axis, by noise alone [m^2].

        """
        if camera_id == other_id or not math.hypot(dx, dy) <= GROSS:
            self.counters['gross'] += 1
            return
        if not (self._add_camera(camera_id) and self._add_camera(other_id)):
            self.counters['too many cameras'] += 1
            return
        self._advance(stamp_ns)
        pair, crowding = self._find_pair(stamp_ns, camera_id, other_id)
        one, two = self._rows[camera_id], self._rows[other_id]
        x, y = dx - self._x[one] + self._x[two], dy - self._y[one] + self._y[two]
        spread = self.difference_variance(camera_id, other_id) + variance
        if x * x + y * y <= GATE * spread:
            pair.contradictions = 0
            spread += 2.0 * self._place * (crowding - 1.0)
            self._correct(one, two, x, y, spread)
        else:
            self._contradict(pair)

    def _add_camera(self, camera_id: int) -> bool:
        """Add a row for a new camera; return False if there are too many."""
        count = len(self._rows)
        if camera_id in self._rows:
            return True
        if count == MOST_CAMERAS:
            return False
        self._rows[camera_id] = count
        self._x.append(0.0)
        self._y.append(0.0)
        for row in self._covariance:
            row.append(0.0)
        self._covariance.append([0.0] * count + [self._prior])
        return True

    def _advance(self, stamp_ns: int) -> None:
        """Predict all biases to a time; do nothing if it is earlier."""
        elapsed_ns = stamp_ns - self._stamp_ns
        if 0 <= elapsed_ns < STEP_NS:
            return
        first, self._stamp_ns = self._stamp_ns == 0, stamp_ns
        if elapsed_ns < 0 or first:
            return
        self.revision += 1
        kept = math.exp(-self._decay * elapsed_ns / NANOSECONDS_PER_SECOND)
        self._x = [kept * value for value in self._x]
        self._y = [kept * value for value in self._y]
        self._covariance = [[kept * kept * value for value in row] for row in self._covariance]
        for index, row in enumerate(self._covariance):
            row[index] += (1.0 - kept * kept) * self._prior

    def _find_pair(self, stamp_ns: int, camera_id: int, other_id: int) -> tuple[_Pair, float]:
        """Return a pair and how many of its differences count as one measurement at this rate."""
        key = (camera_id, other_id) if camera_id < other_id else (other_id, camera_id)
        pair = self._pairs.get(key)
        if pair is None:
            pair = self._pairs[key] = _Pair(stamp_ns)
            return pair, 1.0
        elapsed = max(abs(stamp_ns - pair.stamp_ns), 1) / NANOSECONDS_PER_SECOND
        pair.stamp_ns = stamp_ns
        return pair, max(1.0, self._parameters.correlation_time / elapsed)

    def _contradict(self, pair: _Pair) -> None:
        """Reject a difference; reset after many, as the cameras were recalibrated."""
        self.counters['contradicting'] += 1
        pair.contradictions += 1
        if pair.contradictions >= CONTRADICTIONS:
            self.counters['relearned'] += 1
            self.reset()

    def _correct(self, one: int, two: int, x: float, y: float, spread: float) -> None:
        """Correct all biases by an innovation (x, y) [m] of variance `spread` [m^2]."""
        self.revision += 1
        cross = [row[one] - row[two] for row in self._covariance]
        gains = [value / spread for value in cross]
        self._x = [value + gain * x for value, gain in zip(self._x, gains, strict=True)]
        self._y = [value + gain * y for value, gain in zip(self._y, gains, strict=True)]
        # Divided on both sides alike, the covariance stays symmetric to the last bit.
        root = math.sqrt(spread)
        normalized = [value / root for value in cross]
        self._covariance = [
            [value - mine * theirs for value, theirs in zip(row, normalized, strict=True)]
            for row, mine in zip(self._covariance, normalized, strict=True)
        ]
