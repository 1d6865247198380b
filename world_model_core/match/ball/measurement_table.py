# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Measurements of one ball as arrays, and the offsets of their cameras."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.measurement import BallMeasurement

# Two cameras take more measurements than this in 1.3 s. Beyond it the table is thinned, which
# loses little information.
CAPACITY = 200
# Cameras with an offset of their own; further cameras share the last one.
CAMERAS = 8
# Smallest standard deviation of a position [m]; rounding alone causes about as much.
SHARPEST = 1e-4
# Standard deviation of a height [m]: simulators differ in the point of the ball they report.
HEIGHT_STD = 0.01
# A camera below this height is not calibrated [m].
LOWEST_CAMERA = 0.5


class MeasurementArrays(NamedTuple):
    """
    Measurements of a ball as arrays, in no particular order.

    Parameters
    ----------
    times : array, shape (n,)
        Time since the table's reference time [s].
    places : array, shape (2, n)
        x and y [m].
    rays : array, shape (2, n)
        Shift of x and y towards the camera for each meter of height, along the same ray; 0 where
        the ball's own position is measured.
    slants : array, shape (n,)
        Inverse of the camera height [1/m]; 0 where the ball's own position is measured.
    sharpness : array, shape (n,)
        Inverse standard deviation of x and y [1/m].
    heights, height_sharpness : array, shape (n,)
        Measured z [m] and its inverse standard deviation [1/m], which is 0 without a height.
    shows_flight : array of bool, shape (n,)
        Whether the measurement would reveal a ball in the air.
    cameras : array, shape (c, n)
        1 in the row of the camera that took the measurement, else 0.

    """

    times: Array
    places: Array
    rays: Array
    slants: Array
    sharpness: Array
    heights: Array
    height_sharpness: Array
    shows_flight: NDArray[np.bool_]
    cameras: Array

    def chosen(self, mask: NDArray[np.bool_]) -> MeasurementArrays:
        """Return the measurements where `mask` (n,) is true."""
        return MeasurementArrays(
            self.times[mask],
            self.places[:, mask],
            self.rays[:, mask],
            self.slants[mask],
            self.sharpness[mask],
            self.heights[mask],
            self.height_sharpness[mask],
            self.shows_flight[mask],
            self.cameras[:, mask],
        )


class MeasurementTable:
    """
    Store the latest measurements of a ball, without duplicates.

    A full table drops every second measurement.
    """

    def __init__(self, reference_ns: int) -> None:
        self._reference_ns = reference_ns
        self._columns = np.empty((10, CAPACITY))
        self._cameras = np.zeros((CAMERAS, CAPACITY))
        self._known: list[tuple[int, int, float, float]] = []
        self._rows: dict[int, int] = {}

    def __len__(self) -> int:
        """Return the number of measurements."""
        return len(self._known)

    def add(self, measurement: BallMeasurement) -> bool:
        """Add a measurement; return False if it is already stored."""
        identity = (measurement.stamp_ns, measurement.camera_id, measurement.x, measurement.y)
        if identity in self._known:
            return False
        if len(self) == CAPACITY:
            self._thin()
        number = len(self)
        self._known.append(identity)
        time = (measurement.stamp_ns - self._reference_ns) / NANOSECONDS_PER_SECOND
        sharpness = 1.0 / max(math.sqrt(measurement.variance), SHARPEST)
        height = (measurement.z or 0.0, 0.0 if measurement.z is None else 1.0 / HEIGHT_STD)
        self._columns[:, number] = (
            time,
            measurement.x,
            measurement.y,
            *_ray(measurement),
            sharpness,
            *height,
            0.0,
        )
        self._columns[9, number] = measurement.z is not None or self._columns[5, number] > 0.0
        self._cameras[:, number] = 0.0
        self._cameras[self._rows.setdefault(measurement.camera_id, self._next_row()), number] = 1.0
        return True

    def measurements(self) -> MeasurementArrays:
        """Return a view of all measurements, valid until the next `add`."""
        rows = self._columns[:, : len(self)]
        cameras = self._cameras[: min(len(self._rows), CAMERAS), : len(self)]
        times, sharpness, heights, height_sharpness, shows_flight = rows[(0, 6, 7, 8, 9), :]
        return MeasurementArrays(
            times,
            rows[1:3],
            rows[3:5],
            rows[5],
            sharpness,
            heights,
            height_sharpness,
            shows_flight > 0.0,
            cameras,
        )

    def _next_row(self) -> int:
        return min(len(self._rows), CAMERAS - 1)

    def _thin(self) -> None:
        """Drop every second measurement."""
        self._known = self._known[::2]
        self._columns[:, : len(self)] = self._columns[:, ::2].copy()
        self._cameras[:, : len(self)] = self._cameras[:, ::2].copy()


def _ray(measurement: BallMeasurement) -> tuple[float, float, float]:
    """Return the change of x and y per meter of height along the ray, and 1 / camera height."""
    if (
        measurement.z is not None
        or measurement.camera is None
        or measurement.camera[2] < LOWEST_CAMERA
    ):
        return 0.0, 0.0, 0.0
    x, y, height = measurement.camera
    return (measurement.x - x) / height, (measurement.y - y) / height, 1.0 / height


def add_offsets(
    residuals: Array, slopes: Array, measurements: MeasurementArrays, errors: Array, first: int
) -> None:
    """
    Add the offset of each camera to residuals and derivatives.

    Parameters
    ----------
    residuals : array, shape (3, n)
        Residuals of x, y and z; modified.
    slopes : array, shape (3, m, n)
        Their derivatives; modified.
    measurements : MeasurementArrays
    errors : array, shape (2 c, ...)
        Offsets in x of each camera, then in y [m].
    first : int
        Index of the first offset among the m parameters.

    """
    count = len(measurements.cameras)
    residuals[:2] += measurements.sharpness * (
        errors[: 2 * count].reshape(2, count) @ measurements.cameras
    )
    shown = measurements.sharpness * measurements.cameras
    slopes[0, first : first + count] = shown
    slopes[1, first + count : first + 2 * count] = shown


def flat(slopes: Array) -> Array:
    """Reshape derivatives (3, m, n) of n measurements by m parameters to a matrix (3 n, m)."""
    result: Array = slopes.transpose(0, 2, 1).reshape(-1, slopes.shape[1])
    return result
