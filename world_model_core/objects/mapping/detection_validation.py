# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Validation of detections: valid ones enter the map, others are counted by cause."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.values import Detections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.parameters import ObjectMapParameters

# Largest relative difference between elements on both sides of the diagonal.
ASYMMETRY = 1e-6
# Largest relative rounding error of the eigenvalues of a singular matrix.
ROUNDING = 1e-9


def accept(  # noqa: PLR0917 (they make up the detections)
    stamp_ns: int,
    labels: Sequence[str],
    positions: ArrayLike,
    covariances: ArrayLike,
    scores: ArrayLike,
    colors: Sequence[str],
    sizes: ArrayLike,
    headings: ArrayLike,
    parameters: ObjectMapParameters,
) -> tuple[Detections, Counter[str]]:
    """
    Build validated detections from a detector's output; drop and count invalid ones.

    A covariance of zeros means unknown, and is replaced. Sizes that are not positive and
    headings that are not finite are unknown.

    Parameters
    ----------
    stamp_ns, labels, positions, covariances, scores, colors, sizes, headings
        As in Detections, as arrays or nested sequences.
    parameters : ObjectMapParameters
        Limits.

    Returns
    -------
    detections : Detections
    dropped : Counter
        Number of dropped detections by cause.

    """
    count = len(labels)
    size = np.asarray(sizes, dtype=np.float64).reshape(count, 3)
    heading = np.asarray(headings, dtype=np.float64).reshape(count)
    detections = Detections(
        stamp_ns=stamp_ns,
        labels=tuple(labels),
        positions=np.asarray(positions, dtype=np.float64).reshape(count, 3),
        covariances=np.asarray(covariances, dtype=np.float64).reshape(count, 3, 3),
        scores=np.asarray(scores, dtype=np.float64).reshape(count),
        colors=tuple(colors),
        sizes=np.where((size > 0.0) & np.isfinite(size), size, np.nan),
        headings=np.where(np.isfinite(heading), heading, np.nan),
    )
    rows, dropped = usable(detections, parameters)
    return pick(detections, rows, parameters), dropped


def usable(
    detections: Detections, parameters: ObjectMapParameters
) -> tuple[NDArray[np.intp], Counter[str]]:
    """
    Select the valid detections; of too many, those with the highest scores.

    Returns
    -------
    rows : array of int
        In their original order.
    dropped : Counter
        Number of the others by cause.

    """
    causes = {
        'position not finite': ~np.isfinite(detections.positions).all(axis=1),
        'position too far': (np.abs(detections.positions) > parameters.farthest).any(axis=1),
        'label empty': np.array([not label for label in detections.labels], dtype=bool),
        'label too long': np.array(
            [len(label) > parameters.label_length for label in detections.labels], dtype=bool
        ),
        **_faults(detections.covariances, parameters),
    }
    good, dropped = np.ones(len(detections), dtype=bool), Counter[str]()
    for cause, found in causes.items():
        dropped[cause] = int((found & good).sum())
        good &= ~found
    rows = np.flatnonzero(good)
    if len(rows) > parameters.frame_limit:
        dropped['frame too large'] = len(rows) - parameters.frame_limit
        surest = np.argsort(-np.nan_to_num(detections.scores[rows]), kind='stable')
        rows = np.sort(rows[surest[: parameters.frame_limit]])
    return rows, +dropped


def pick(
    detections: Detections, rows: NDArray[np.intp], parameters: ObjectMapParameters
) -> Detections:
    """Select some detections and replace their unknown covariances."""
    covariances = detections.covariances[rows]
    unknown = ~covariances.any(axis=(1, 2))
    covariances[unknown] = parameters.unknown_std**2 * np.eye(3)
    return Detections(
        stamp_ns=detections.stamp_ns,
        labels=tuple(detections.labels[row] for row in rows.tolist()),
        positions=detections.positions[rows],
        covariances=covariances,
        scores=detections.scores[rows],
        colors=tuple(detections.colors[row] for row in rows.tolist()),
        sizes=detections.sizes[rows],
        headings=detections.headings[rows],
        shared=None if detections.shared is None else detections.shared[rows],
    )


def _faults(covariances: Array, parameters: ObjectMapParameters) -> dict[str, NDArray[np.bool_]]:
    """Find invalid covariances, by cause."""
    infinite = np.logical_not(np.isfinite(covariances).all(axis=(1, 2)))
    # Keeps squares and cubes of the elements finite.
    sound = np.where(infinite.reshape(-1, 1, 1), 0.0, covariances)
    sound = np.clip(sound, -1e50, 1e50)
    largest = np.abs(sound).max(axis=(1, 2), initial=0.0)
    skew = np.abs(sound - sound.swapaxes(1, 2)).max(axis=(1, 2), initial=0.0)
    scaled = sound / np.where(largest > 0.0, largest, 1.0)[:, None, None]
    return {
        'covariance not finite': infinite,
        'covariance not symmetric': skew > ASYMMETRY * largest,
        'covariance not positive': np.linalg.eigvalsh(scaled)[:, 0] < -ROUNDING,
        'covariance too large': largest > parameters.most_std**2,
    }
