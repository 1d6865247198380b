# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Readings of landmarks as marks: lines of sight, colored by what made them wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.error_causes import ErrorCause, cause_names
from world_model_core.view.batches import Labels, Lines
from world_model_core.view.colors import CLUTTER, MISSED, OCCLUDED, READING, array_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.view.batches import Batch

__all__ = ['LandmarkReadings', 'reading_marks']

# Height of the lines of sight [m].
HEIGHT = 0.15
# Causes that are colored, the worst first; others are noise and bias, which all readings have.
COLORED = {
    ErrorCause.MISSED_DETECTION: MISSED,
    ErrorCause.CLUTTER: CLUTTER,
    ErrorCause.OCCLUSION | ErrorCause.LASTING_OCCLUSION: OCCLUDED,
}
NOTABLE = int(ErrorCause.MISSED_DETECTION | ErrorCause.CLUTTER) | int(
    ErrorCause.OCCLUSION | ErrorCause.LASTING_OCCLUSION
)
# A line to a landmark that was missed is dashed: of this many parts each second one is drawn.
DASHES = 15


@dataclass(frozen=True, slots=True, eq=False)
class LandmarkReadings:
    """
    The readings of a robot at one time, and what made them wrong if that is known.

    Attributes
    ----------
    names : tuple of str
        Of the m landmarks.
    measured : array, shape (m, 2)
        x ahead and y to the left of the robot [m]; NaN without a reading.
    true : array, shape (m, 2)
        True positions in the same frame; NaN if unknown.
    causes : array of uint16, shape (m,)
        `ErrorCause` by bits; 0 if unknown.

    """

    names: tuple[str, ...]
    measured: Array
    true: Array
    causes: NDArray[np.uint16]

    def texts(self) -> tuple[str, ...]:
        """Return each landmark with its measured position and the causes of its errors."""
        return tuple(
            f'{name}: {_place(place)}{", ".join(("", *cause_names(causes)))}'
            for name, place, causes in zip(
                self.names, self.measured.tolist(), self.causes.tolist(), strict=True
            )
        )


def _place(place: list[float]) -> str:
    x, y = place
    return '-' if np.isnan(x) else f'{x:.2f}, {y:.2f} m'


def reading_marks(
    readings: Mapping[str, LandmarkReadings], poses: Mapping[str, Array]
) -> Iterator[tuple[str, Batch]]:
    """
    Yield lines from robots to measured positions, and dashed ones to landmarks that they missed.

    Parameters
    ----------
    readings : mapping of str to LandmarkReadings
        By robot.
    poses : mapping of str to array, shape (3,)
        Where the robots were; those of others are left out.

    """
    parts = [_in_map(reading, poses[name]) for name, reading in readings.items() if name in poses]
    if not parts:
        return
    ends, causes = (np.concatenate(each) for each in zip(*parts, strict=True))
    missed = (causes & int(ErrorCause.MISSED_DETECTION)) > 0
    shown = ~np.isnan(ends[:, 1, 0])
    lines, kinds = ends[shown & ~missed], causes[shown & ~missed]
    dashes = _dashed(ends[shown & missed])
    points = np.concatenate((lines, dashes))
    if not len(points):
        return
    colors = np.concatenate((_colors(kinds), np.tile(array_of(MISSED), (len(dashes), 1))))
    yield 'robots/readings/lines', Lines(points, colors, 2.0)
    notable = shown & ((causes & NOTABLE) > 0)
    if notable.any():
        # In the middle of a line, away from the names of robots and landmarks.
        places = ends[notable].mean(axis=1)
        texts = tuple(
            ', '.join(cause_names(each)) for each in (causes & NOTABLE)[notable].tolist()
        )
        yield 'robots/readings/causes', Labels(('',) * len(texts), places, texts)


def _in_map(reading: LandmarkReadings, pose: Array) -> tuple[Array, NDArray[np.uint16]]:
    """Return lines from a robot to what it measured, or missed, (m, 2, 3), and their causes."""
    missed = (reading.causes & int(ErrorCause.MISSED_DETECTION)) > 0
    places = np.where(missed[:, None], reading.true, reading.measured)
    x, y, theta = pose.tolist()
    cos, sin = np.cos(theta), np.sin(theta)
    lines = np.full((len(places), 2, 3), HEIGHT)
    lines[:, 0, :2] = x, y
    lines[:, 1, :2] = places @ np.array(((cos, sin), (-sin, cos))) + (x, y)
    return lines, reading.causes


def _dashed(lines: Array) -> Array:
    """Return the dashes of lines (n, 2, 3)."""
    begins = np.arange(0, DASHES, 2) / DASHES
    shares = np.stack((begins, begins + 1.0 / DASHES), axis=1)[None, :, :, None]
    starts, ends = lines[:, None, None, 0], lines[:, None, None, 1]
    return (starts + shares * (ends - starts)).reshape(-1, 2, 3)


def _colors(causes: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Return the color of each reading by its worst cause."""
    colors = np.tile(array_of(READING), (len(causes), 1))
    for cause, color in reversed(COLORED.items()):
        colors[(causes & int(cause)) > 0] = color
    return colors
