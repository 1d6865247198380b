# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Sights of one ball as columns of numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.measurement import Sight

# More sights than two cameras have in 1.3 s are thinned: what is left tells nearly as much.
CAPACITY = 200
# So many cameras have offsets of their own; the sights of any further ones share the last.
CAMERAS = 8
# No picture is sharper [m]: rounding alone leaves as much.
SHARPEST = 1e-4
# Simulators differ in the point of the ball of which they give the height [m].
HEIGHT_STD = 0.01
# A camera lower than this hangs above no field [m].
LOWEST_CAMERA = 0.5


class Sights(NamedTuple):
    """
    Sights of a ball, in no order.

    Parameters
    ----------
    times : array, shape (n,)
        Since the table's reference [s].
    places : array, shape (2, n)
        x and y [m].
    rays : array, shape (2, n)
        By how much a ball higher up, on the same ray, is nearer to the camera in x and y; 0 for
        a ball whose own place is measured.
    slants : array, shape (n,)
        One over the height of the camera [1/m]; 0 for a ball whose own place is measured.
    sharpness : array, shape (n,)
        One over the standard deviation of x and y [1/m].
    heights, height_sharpness : array, shape (n,)
        Measured z [m], and one over its standard deviation [1/m], 0 where it was not measured.
    seen_aloft : array of bool, shape (n,)
        Whether a ball in the air would be seen as such.
    cameras : array, shape (c, n)
        1 in the row of the sight's camera, else 0.

    """

    times: Array
    places: Array
    rays: Array
    slants: Array
    sharpness: Array
    heights: Array
    height_sharpness: Array
    seen_aloft: NDArray[np.bool_]
    cameras: Array

    def chosen(self, mask: NDArray[np.bool_]) -> Sights:
        """Select those where `mask` (n,) is true."""
        return Sights(
            self.times[mask],
            self.places[:, mask],
            self.rays[:, mask],
            self.slants[mask],
            self.sharpness[mask],
            self.heights[mask],
            self.height_sharpness[mask],
            self.seen_aloft[mask],
            self.cameras[:, mask],
        )


class SightTable:
    """The last sights of a ball, each once; when they get too many, every second is forgotten."""

    def __init__(self, reference_ns: int) -> None:
        self._reference_ns = reference_ns
        self._columns = np.empty((10, CAPACITY))
        self._cameras = np.zeros((CAMERAS, CAPACITY))
        self._known: list[tuple[int, int, float, float]] = []
        self._rows: dict[int, int] = {}

    def __len__(self) -> int:
        """Count the sights."""
        return len(self._known)

    def add(self, sight: Sight) -> bool:
        """Take a sight in, and tell whether it was new."""
        identity = (sight.stamp_ns, sight.camera_id, sight.x, sight.y)
        if identity in self._known:
            return False
        if len(self) == CAPACITY:
            self._thin()
        number = len(self)
        self._known.append(identity)
        time = (sight.stamp_ns - self._reference_ns) / NANOSECONDS_PER_SECOND
        sharpness = 1.0 / max(math.sqrt(sight.variance), SHARPEST)
        height = (sight.z or 0.0, 0.0 if sight.z is None else 1.0 / HEIGHT_STD)
        self._columns[:, number] = (time, sight.x, sight.y, *_ray(sight), sharpness, *height, 0.0)
        self._columns[9, number] = sight.z is not None or self._columns[5, number] > 0.0
        self._cameras[:, number] = 0.0
        self._cameras[self._rows.setdefault(sight.camera_id, self._next_row()), number] = 1.0
        return True

    def sights(self) -> Sights:
        """Look at all sights, as long as none is added."""
        rows = self._columns[:, : len(self)]
        cameras = self._cameras[: min(len(self._rows), CAMERAS), : len(self)]
        times, sharpness, heights, height_sharpness, seen_aloft = rows[(0, 6, 7, 8, 9), :]
        return Sights(
            times,
            rows[1:3],
            rows[3:5],
            rows[5],
            sharpness,
            heights,
            height_sharpness,
            seen_aloft > 0.0,
            cameras,
        )

    def _next_row(self) -> int:
        return min(len(self._rows), CAMERAS - 1)

    def _thin(self) -> None:
        """Forget every second sight."""
        self._known = self._known[::2]
        self._columns[:, : len(self)] = self._columns[:, ::2].copy()
        self._cameras[:, : len(self)] = self._cameras[:, ::2].copy()


def _ray(sight: Sight) -> tuple[float, float, float]:
    """Find how the ray of a sight runs: x and y per height, and one over the camera's height."""
    if sight.z is not None or sight.camera is None or sight.camera[2] < LOWEST_CAMERA:
        return 0.0, 0.0, 0.0
    x, y, height = sight.camera
    return (sight.x - x) / height, (sight.y - y) / height, 1.0 / height
