# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a detector sends of one frame, in the sensor's axes, and how it lies in the map."""

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
    All that a detector sends of one frame, unchecked.

    Attributes
    ----------
    labels, colors : tuple of str, length n
        As the detector writes them; `UNKNOWN` where it names no colour.
    scores : array, shape (n,)
        The detector's confidence.
    positions : array, shape (n, 3)
        Centres in the sensor's frame [m].
    covariances : array, shape (n, 3, 3)
        Of the positions [m^2]; all zero where unknown.
    quaternions : array, shape (n, 4)
        The boxes' axes in the sensor's frame, xyzw; zero where unknown.
    sizes : array, shape (n, 3)
        Along the boxes' own axes [m]; zero where unknown.

    """

    labels: tuple[str, ...]
    colors: tuple[str, ...]
    scores: Array
    positions: Array
    covariances: Array
    quaternions: Array
    sizes: Array

    def __len__(self) -> int:
        """Count them."""
        return len(self.labels)


def place(
    raw: RawDetections, stamp_ns: int, sensor2map: Transform, parameters: ObjectMapParameters
) -> tuple[Detections, Counter[str]]:
    """
    Take a frame to the map, without what cannot be meant.

    They are judged before they are turned: an unknown covariance is no longer all zero once the
    pose's own is added, and a skewed one no longer skewed once it is turned.

    Returns
    -------
    Detections
        In the map's frame.
    Counter
        What was left out, by cause.

    """
    sizes, headings = upright(raw.quaternions, raw.sizes, np.asarray(sensor2map.rotation))
    seen, dropped = accept(
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
    covariances = transform_covariances(sensor2map, seen.positions, seen.covariances)
    shared = pose_covariances(sensor2map, seen.positions)
    positions = transform_points(sensor2map, seen.positions)
    return replace(seen, positions=positions, covariances=covariances, shared=shared), dropped


def upright(quaternions: Array, sizes: Array, rotation: Array) -> tuple[Array, Array]:
    """
    Tell length, width, height and heading in the map of boxes given along a sensor's axes.

    A camera's axes have z ahead (REP 103), so the height of what it sees is seldom a box's third
    side: it is the one that is the most vertical in the map.

    Parameters
    ----------
    quaternions : array, shape (n, 4)
        The boxes' axes in the sensor's frame, xyzw; zero where unknown: they stand upright.
    sizes : array, shape (n, 3)
        Along these axes [m].
    rotation : array, shape (3, 3)
        From the sensor's axes to the map's.

    Returns
    -------
    sizes : array, shape (n, 3)
        Length, width, height [m]; NaN where no size was given.
    headings : array, shape (n,)
        Turns of the lengths about the map's z [rad]; NaN where no size or no turn was given.

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
