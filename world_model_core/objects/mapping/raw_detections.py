# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Unchecked detections in the sensor's frame, and their transformation to the map's frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import (
    pose_covariances,
    rotation_of,
    transform_covariances,
    transform_points,
)
from world_model_core.objects.mapping.detection_validation import accept

if TYPE_CHECKING:
    from collections import Counter

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.values import Detections


@dataclass(frozen=True, slots=True, eq=False)
class RawDetections:
    """
    Unchecked detections of one frame.

    Attributes
    ----------
    labels, colors : tuple of str, length n
        As the detector writes them; `UNKNOWN` for unknown colors.
    scores : array, shape (n,)
        The detector's confidence.
    positions : array, shape (n, 3)
        Centers in the sensor's frame [m].
    covariances : array, shape (n, 3, 3)
        Of the positions [m^2]; all zero where unknown.
    quaternions : array, shape (n, 4)
        Orientations of the boxes in the sensor's frame, xyzw; zero where unknown.
    sizes : array, shape (n, 3)
        Along the axes of the boxes [m]; zero where unknown.

    """

    labels: tuple[str, ...]
    colors: tuple[str, ...]
    scores: Array
    positions: Array
    covariances: Array
    quaternions: Array
    sizes: Array

    def __len__(self) -> int:
        """Return the number of detections."""
        return len(self.labels)


def place(
    raw: RawDetections, stamp_ns: int, sensor2map: Transform, parameters: ObjectMapParameters
) -> tuple[Detections, Counter[str]]:
    """
    Transform valid detections to the map's frame.

    They are checked before the transformation: an unknown covariance is no longer zero after the
    pose covariance was added, and rotating a covariance hides its asymmetry.

    Returns
    -------
    Detections
        In the map's frame.
    Counter
        Dropped detections by cause.

    """
    sizes, headings = upright(raw.quaternions, raw.sizes, np.asarray(sensor2map.rotation))
    valid, dropped = accept(
        stamp_ns,
        raw.labels,
        raw.positions,
        raw.covariances,
        raw.scores,
        raw.colors,
        sizes,
        headings,
        parameters,
    )
    covariances = transform_covariances(sensor2map, valid.positions, valid.covariances)
    shared = pose_covariances(sensor2map, valid.positions)
    positions = transform_points(sensor2map, valid.positions)
    return replace(valid, positions=positions, covariances=covariances, shared=shared), dropped


def upright(quaternions: Array, sizes: Array, rotation: Array) -> tuple[Array, Array]:
    """
    Convert boxes along a sensor's axes to length, width, height and heading in the map.

    The z axis of a camera points forward (REP 103), so that the height is seldom the third side of
    a box: it is the side that is closest to the vertical of the map.

    Parameters
    ----------
    quaternions : array, shape (n, 4)
        Orientations of the boxes in the sensor's frame, xyzw; zero where unknown: then they are
        upright.
    sizes : array, shape (n, 3)
        Along these axes [m].
    rotation : array, shape (3, 3)
        From the sensor's axes to the map's.

    Returns
    -------
    sizes : array, shape (n, 3)
        Length, width, height [m]; NaN where no size was given.
    headings : array, shape (n,)
        Rotations of the lengths about the map's z [rad]; NaN where size or orientation is unknown.

    """
    lengths = np.linalg.norm(quaternions, axis=1)
    turned = np.isfinite(lengths) & (lengths > 0.5)  # a unit quaternion, and not one left out
    usable = np.where(turned[:, None], quaternions, (0.0, 0.0, 0.0, 1.0))
    axes = np.where(turned[:, None, None], rotation @ rotation_of(usable), np.eye(3))
    rows = np.arange(len(sizes))[:, None]
    order = (np.abs(axes[:, 2, :]).argmax(axis=1)[:, None] + (1, 2, 3)) % 3
    ahead = axes[rows[:, 0], :, order[:, 0]]
    known = np.any(sizes, axis=1, keepdims=True)
    headings = np.where(known[:, 0] & turned, np.arctan2(ahead[:, 1], ahead[:, 0]), np.nan)
    return np.where(known, sizes[rows, order], np.nan), headings
