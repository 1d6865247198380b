# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Covariances as ellipses and ellipsoids, which contain the truth with 39, 86 and 99 %.

The probabilities are those of 1, 2 and 3 standard deviations in the plane, 1 - exp(-k^2 / 2), that
is 39.3, 86.5 and 98.9 %. In space the same three probabilities hold, not the same multiples: the
semi-axes are there 1.36, 2.36 and 3.33 standard deviations, by the chi-square distribution with
three degrees of freedom (Bar-Shalom, Li, Kirubarajan, Estimation with Applications to Tracking and
Navigation, 2001, 1.4.17).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import is_covariance, quaternion_of
from world_model_core.gaussian import chi_square_gate
from world_model_core.view.batches import Ellipsoids
from world_model_core.view.colors import array_of, faded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.view.colors import Color

__all__ = ['PROBABILITIES', 'confidence_ellipses', 'confidence_ellipsoids', 'radii']

# What the ellipses and ellipsoids contain, from the inner to the outer ones.
PROBABILITIES = tuple(1.0 - math.exp(-0.5 * k * k) for k in (1, 2, 3))
# Opacity of each, as a share of that of its color.
OPACITIES = (0.5, 0.28, 0.16)
# Shorter semi-axes could not be seen [m].
LEAST_SEMI_AXIS = 1e-3
# Half the thickness of an ellipse, and the heights at which the three lie on the ground, the inner
# one on top, so that none hides another [m].
THICKNESS = 5e-4
HEIGHTS = np.array((0.007, 0.006, 0.005))


def radii(dimensions: int) -> Array:
    """Return the three radii of a standard normal distribution in 2 or 3 dimensions, (3,)."""
    return np.sqrt([chi_square_gate(dimensions, share) for share in PROBABILITIES])


_RADII = {dimensions: radii(dimensions) for dimensions in (2, 3)}


def confidence_ellipses(
    ids: Sequence[str], places: Array, covariances: Array, color: Color
) -> Ellipsoids:
    """
    Return flat ellipses on the ground, three for each place.

    Parameters
    ----------
    ids : sequence of str
        What each place belongs to.
    places : array, shape (n, 2)
        Means [m].
    covariances : array, shape (n, 2, 2)
        [m^2]; the ellipses of a matrix that is no covariance are left out.
    color : tuple of int
        Its opacity is that of a single color; the ellipses are fainter.

    """
    xx, yy = covariances[:, 0, 0], covariances[:, 1, 1]
    xy, skew = covariances[:, 0, 1], covariances[:, 1, 0]
    # Eigenvalues and direction of a symmetric 2 by 2 matrix in closed form.
    with np.errstate(all='ignore'):
        half, mean = 0.5 * (xx - yy), 0.5 * (xx + yy)
        root = np.hypot(half, xy)
        variances = np.stack((mean + root, mean - root), axis=1)
        turn = 0.25 * np.arctan2(xy, half)
        tolerance = 1e-6 * np.maximum(mean, 1e-30)
        valid = (variances[:, 1] >= -tolerance) & (np.abs(xy - skew) <= tolerance)
    deviations = np.sqrt(np.maximum(variances, 0.0))
    deviations[~valid] = np.nan
    count = len(places)
    axes = np.full((count, 3, 3), THICKNESS)
    axes[:, :, :2] = np.maximum(deviations[:, None] * _RADII[2][:, None], LEAST_SEMI_AXIS)
    centers = np.empty((count, 3, 3))
    centers[:, :, :2] = places[:, None]
    centers[:, :, 2] = HEIGHTS
    quaternions = np.zeros((count, 4))
    quaternions[:, 2], quaternions[:, 3] = np.sin(turn), np.cos(turn)
    return _nested(ids, centers, quaternions, axes, color)


def confidence_ellipsoids(
    ids: Sequence[str], positions: Array, covariances: Array, color: Color
) -> Ellipsoids:
    """
    Return ellipsoids, three for each position.

    Parameters
    ----------
    ids : sequence of str
        What each position belongs to.
    positions : array, shape (n, 3)
        Means [m].
    covariances : array, shape (n, 3, 3)
        [m^2]; the ellipsoids of a matrix that is no covariance are left out.
    color : tuple of int
        Its opacity is that of a single color; the ellipsoids are fainter.

    """
    valid = is_covariance(covariances)
    variances, rotations = np.linalg.eigh(np.where(valid[:, None, None], covariances, 0.0))
    rotations[:, :, 2] *= np.where(np.linalg.det(rotations) < 0.0, -1.0, 1.0)[:, None]
    deviations = np.sqrt(np.maximum(variances, 0.0))
    deviations[~valid] = np.nan
    axes = np.maximum(deviations[:, None] * _RADII[3][:, None], LEAST_SEMI_AXIS)
    centers = np.repeat(positions[:, None], 3, axis=1)
    return _nested(ids, centers, quaternion_of(rotations), axes, color)


def _nested(
    ids: Sequence[str], centers: Array, quaternions: Array, axes: Array, color: Color
) -> Ellipsoids:
    """Return three ellipsoids each; centers and semi-axes (n, 3, 3), quaternions (n, 4)."""
    colors = array_of(*(faded(color, share) for share in OPACITIES))
    return Ellipsoids(
        tuple(name for name in ids for _ in PROBABILITIES),
        centers.reshape(-1, 3),
        np.repeat(quaternions, 3, axis=0),
        axes.reshape(-1, 3),
        np.tile(colors, (len(ids), 1)),
    )
