# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Input and results of the calibration."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Mapping

Array = NDArray[np.float64]
Cameras = NDArray[np.intp]

# Constants that can be calibrated, by their names in BallParameters.
STRAIGHT = ('slide_acceleration', 'roll_acceleration', 'switch_ratio')
CHIP = ('damping_xy_first_hop', 'damping_xy_other_hops', 'damping_z')
CONSTANTS = (*STRAIGHT, *CHIP)


class KickKind(Enum):
    """Kick model that fits better."""

    STRAIGHT = 'straight'
    CHIP = 'chip'


@dataclass(frozen=True, eq=False)
class KickDetections:
    """
    Detections of one freely moving ball, from its kick until something ends the motion.

    Parameters
    ----------
    start_ns : int
        Time of the first detection [ns, vision's clock].
    times : array, shape (n,)
        Seconds since the first detection, not decreasing.
    places : array, shape (n, 2)
        Intersections of the camera rays with the carpet, field frame [m].
    cameras : array, shape (n,)
        Camera id of each detection.
    origins : array, shape (n, 3)
        Position of that camera, field frame [m]; NaN without a calibration.
    clearances : array, shape (n,)
        Distance to the nearest robot's center in the same frame [m]; inf without robots.
    kick_window : float or None
        Longest time between kick and first detection [s]: the age of the last frame that did not
        show the motion. None if the ball already moved.

    """

    start_ns: int
    times: Array
    places: Array
    cameras: Cameras
    origins: Array
    clearances: Array
    kick_window: float | None = None

    def __len__(self) -> int:
        """Return the number of detections."""
        return len(self.times)

    @property
    def kick_time(self) -> float:
        """Time of the kick in seconds since the first detection: center of its window."""
        return -0.5 * (self.kick_window or 0.0)

    @property
    def cameras_by_use(self) -> Cameras:
        """Camera ids, most detections first."""
        numbers, counts = np.unique(self.cameras, return_counts=True)
        return numbers[np.argsort(-counts, kind='stable')]

    def select(self, chosen: NDArray[np.bool_]) -> KickDetections:
        """Return the chosen detections; times keep their reference."""
        return replace(
            self,
            times=self.times[chosen],
            places=self.places[chosen],
            cameras=self.cameras[chosen],
            origins=self.origins[chosen],
            clearances=self.clearances[chosen],
        )

    def between(self, start: float, end: float) -> KickDetections:
        """Return the detections from `start` to `end` [s]; a later start has no kick window."""
        kept = self.select((self.times >= start) & (self.times <= end))
        if not len(kept) or kept.times[0] <= 0.0:
            return kept
        first = float(kept.times[0])
        return replace(
            kept,
            start_ns=self.start_ns + to_nanoseconds(first),
            times=kept.times - first,
            kick_window=None,
        )

    def joined(self, following: KickDetections) -> KickDetections:
        """Append later detections of the same ball."""
        shift = (following.start_ns - self.start_ns) / NANOSECONDS_PER_SECOND
        return replace(
            self,
            times=np.concatenate((self.times, following.times + shift)),
            places=np.concatenate((self.places, following.places)),
            cameras=np.concatenate((self.cameras, following.cameras)),
            origins=np.concatenate((self.origins, following.origins)),
            clearances=np.concatenate((self.clearances, following.clearances)),
        )


class ConstantMeasurement(NamedTuple):
    """Value of a constant from one kick, and its standard error."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class CalibrationKick:
    """
    One kick with the ball model fitted to it.

    Parameters
    ----------
    detections : KickDetections
        Detections used.
    kind : KickKind
    fitted : array, shape (n, 2)
        Fitted positions [m].
    speed : float
        Speed along the carpet at the kick, or at the first detection if the kick is unknown [m/s].
    measurements : mapping
        Measured constants by name.
    reason : str
        Why the kick is not used; empty if it is.

    """

    detections: KickDetections
    kind: KickKind
    fitted: Array
    speed: float
    measurements: Mapping[str, ConstantMeasurement] = field(default_factory=dict)
    reason: str = ''

    @property
    def residuals(self) -> Array:
        """Detected minus fitted positions, shape (n, 2) [m]."""
        return self.detections.places - self.fitted

    @property
    def rmse(self) -> float:
        """Root mean square of the distances between detected and fitted positions [m]."""
        return float(np.sqrt(np.mean(np.sum(self.residuals**2, axis=1))))

    @property
    def r_squared(self) -> float:
        """
        Part of the deviation from uniform motion that the model explains, at most 1.

        Of the positions themselves any model explains almost everything; the baseline is therefore
        uniform motion along a straight line, fitted to the same detections.
        """
        times = np.vander(self.detections.times, 2)
        uniform, *_ = np.linalg.lstsq(times, self.detections.places, rcond=None)
        deviation = float(np.sum((self.detections.places - times @ uniform) ** 2))
        return 1.0 - float(np.sum(self.residuals**2)) / deviation if deviation > 0.0 else 0.0


class ConstantEstimate(NamedTuple):
    """Estimate of a constant with its 95 % interval and the number of kicks."""

    value: float
    low: float
    high: float
    kicks: int


@dataclass(frozen=True, eq=False)
class BallCalibration:
    """
    Calibrated ball constants.

    Parameters
    ----------
    estimates : mapping
        Estimated constants by name.
    not_estimated : mapping
        Reason for each constant without an estimate.
    kicks : tuple of CalibrationKick
        In order of time, rejected ones included.

    """

    estimates: Mapping[str, ConstantEstimate]
    not_estimated: Mapping[str, str]
    kicks: tuple[CalibrationKick, ...]
