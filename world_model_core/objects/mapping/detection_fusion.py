# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fusion of a detection with the object that it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angle
from world_model_core.gaussian import update
from world_model_core.objects.mapping.label_model import EMPTY, add_votes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.object_table import ObjectTable
    from world_model_core.objects.mapping.parameters import ObjectMapParameters

POSITION = np.eye(3)


class Frame(NamedTuple):
    """
    Validated detections of a frame, arrays of n rows.

    Positions [m] with covariances [m^2], their inverses, and the part of the covariances that
    frames share; labels and colors by number; sizes [m] and headings [rad], NaN where unknown.
    `number` counts the frames.
    """

    number: int
    stamp_ns: int
    positions: Array
    covariances: Array
    information: Array
    shared: Array
    labels: NDArray[np.int64]
    colors: NDArray[np.int64]
    sizes: Array
    headings: Array

    def pick(self, rows: NDArray[np.intp]) -> Frame:
        """Select some of the detections."""
        columns = (column[rows] for column in self[2:])
        return Frame._make((self.number, self.stamp_ns, *columns))


def correct(table: ObjectTable, slots: NDArray[np.intp], frame: Frame) -> None:
    """Update the positions of distinct objects by one detection each (Kalman, Joseph form)."""
    found = update(
        table.position[slots],
        table.covariance[slots],
        frame.positions,
        POSITION,
        frame.covariances,
    )
    table.position[slots], table.covariance[slots] = found.mean, found.covariance
    add_votes(table.labels, table.counts, slots, frame.labels, np.ones(len(slots)))
    table.hits[slots] += 1.0
    table.shared[slots] += (frame.shared - table.shared[slots]) / table.hits[slots, None, None]


def begin(table: ObjectTable, slots: NDArray[np.intp], frame: Frame) -> None:
    """Initialize blank slots with the detections that start new objects."""
    table.position[slots], table.covariance[slots] = frame.positions, frame.covariances
    table.shared[slots] = frame.shared
    table.labels[slots, 0], table.counts[slots, 0] = frame.labels, 1.0
    table.hits[slots] = 1.0
    table.first_ns[slots] = table.last_ns[slots] = frame.stamp_ns


def describe(
    table: ObjectTable, slots: NDArray[np.intp], frame: Frame, parameters: ObjectMapParameters
) -> None:
    """Fuse colors, sizes and headings, each with its own uncertainty, where they are known."""
    colored = frame.colors != EMPTY
    ones = np.ones(int(colored.sum()))
    add_votes(table.colors, table.color_counts, slots[colored], frame.colors[colored], ones)
    _fuse_sizes(table, slots, frame, parameters.size_error)
    turned = np.isfinite(frame.headings)
    heading = frame.headings[turned, None] * np.array((1.0, 2.0))
    vectors = np.stack((np.cos(heading), np.sin(heading)), axis=-1)
    table.turn[slots[turned]] += vectors[:, 0]
    table.axis[slots[turned]] += vectors[:, 1]


def _fuse_sizes(
    table: ObjectTable, slots: NDArray[np.intp], frame: Frame, relative: float
) -> None:
    """
    Average lengths with their inverse variances.

    The ends of a box are as uncertain as its center, plus a relative error of its size.
    """
    known = np.isfinite(frame.sizes)
    size = np.where(known, frame.sizes, 0.0)
    noise = np.trace(frame.covariances, axis1=1, axis2=2)[:, None] / 3.0
    weight = known / (noise + (relative * size) ** 2)
    total = table.size_information[slots] + weight
    gain = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0.0)
    table.size[slots] += gain * (size - table.size[slots])
    table.size_information[slots] = total


def heading_of(turn: Array, axis: Array) -> float | None:
    """
    Average headings of boxes, which detectors often report reversed.

    Parameters
    ----------
    turn, axis : array, shape (2,)
        Sums of the unit vectors of the headings and of twice the headings: `axis` determines the
        line of the box, `turn` the direction along it.

    """
    if not axis.any():
        return None
    heading = 0.5 * float(np.arctan2(axis[1], axis[0]))
    ahead = np.cos(heading) * turn[0] + np.sin(heading) * turn[1]
    turned = heading if ahead >= 0.0 else heading + np.pi
    return wrap_angle(turned)
