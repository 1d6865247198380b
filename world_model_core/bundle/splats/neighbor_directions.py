# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Order of quaternions by geometry: directions from gaussians to their neighbors.

Trained gaussians are flat or long, and cover surfaces and edges: their neighbors lie along their
long axes, and seldom along the thin one. With the right order, the directions to the neighbors
follow the angular central Gaussian distribution of the gaussian's own shape L (Tyler, Biometrika
74, 1987), with the density |L|^(-1/2) (u' L^-1 u)^(-3/2). The determinant does not depend on the
order; therefore the evidence is the difference of log(u' L^-1 u) between both readings. Positions
and axes turn together, so that it does not depend on the orientation of the scene.

The differences of close gaussians are correlated: their mean is compared with its spread over
blocks of close gaussians, as Student's t.
"""

from __future__ import annotations

from math import hypot, log, log1p
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation
from scipy.special import stdtr

from world_model_core.bundle.splats.quaternion_order import TO_XYZW, QuaternionOrder

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['log_odds_of_wxyz']

Floats: TypeAlias = NDArray[np.float32]
Rows: TypeAlias = NDArray[np.intp]
# Neighbors of each gaussian: the next surface is farther away.
NEIGHBORS: Final = 16
# Gaussians whose neighbors are compared, at first and if these do not decide.
COMPARED: Final = (2048, 16384)
# Logarithm of odds that decide.
DECISIVE: Final = 14.0
# Variance along an axis, as part of the largest one, that is added to each: no surface is a plane.
ROUGHNESS: Final = 0.03
# Least square of a length in units of a shape; equal positions have no direction.
LEAST_SQUARE: Final = 1e-12
# Blocks of close gaussians, and the gaussians of each.
MOST_BLOCKS, LEAST_BLOCK = 256, 8
# Student's t is too large by this factor, measured on parts of real scenes: blocks next to each
# other are correlated, too.
INFLATION: Final = 1.1
# Deviation of the mean difference that no number of gaussians averages out: of almost round ones,
# the differences are small and systematic.
FLOOR: Final = 1e-4
# Least probability of the other order: models of scenes are never more certain.
LEAST_TAIL: Final = 1e-12


def log_odds_of_wxyz(positions: Floats, sizes: Floats, rotations: Floats) -> float:
    """
    Return the logarithm of the odds of the order w, x, y, z against x, y, z, w; 0 if undecided.

    Parameters
    ----------
    positions : array, shape (n, 3)
        Means of a sample that is spread over the scene. Numbers may be invalid.
    sizes : array, shape (n, 3)
        Standard deviations along the axes of each, in any unit.
    rotations : array, shape (n, 4)
        Quaternions as in the file, of any length.

    """
    usable = np.isfinite(np.hstack((positions, sizes, rotations))).all(axis=1)
    usable &= (sizes.max(axis=1) > 0.0) & rotations.any(axis=1)
    gaussians = [each[usable].astype(np.float64) for each in (positions, sizes, rotations)]
    count = len(gaussians[0])
    if count <= NEIGHBORS:
        return 0.0
    tree, found = cKDTree(gaussians[0]), 0.0
    for most in COMPARED:
        compared = np.arange(min(most, count)) * count // min(most, count)
        found = _log_odds(tree, compared, *gaussians)
        if abs(found) > DECISIVE or most >= count:
            break
    return found


def _log_odds(
    tree: cKDTree, compared: Rows, positions: Array, sizes: Array, rotations: Array
) -> float:
    points, rotations = positions[compared], rotations[compared]
    _, neighbors = tree.query(points, NEIGHBORS + 1)
    directions = positions[neighbors[:, 1:]] - points[:, None]
    lengths = np.linalg.norm(directions, axis=2, keepdims=True)
    directions /= np.where(lengths > 0.0, lengths, 1.0)
    shapes = (sizes / sizes.max(axis=1, keepdims=True))[compared] ** 2 + ROUGHNESS
    xyzw, wxyz = (
        _log_squares(directions, shapes, rotations[:, TO_XYZW[order]])
        for order in (QuaternionOrder.XYZW, QuaternionOrder.WXYZ)
    )
    means = np.array([block.mean() for block in _blocks(points, xyzw - wxyz)])
    if len(means) < 2:
        return 0.0
    deviation = INFLATION * float(means.std(ddof=1)) / len(means) ** 0.5
    ratio = float(means.mean()) / hypot(deviation, FLOOR)
    tail = max(float(stdtr(len(means) - 1, -abs(ratio))), LEAST_TAIL)
    return float(np.copysign(log1p(-tail) - log(tail), ratio))


def _log_squares(directions: Array, shapes: Array, quaternions: Array) -> Array:
    """Return the mean of log(u' L^-1 u) over the neighbors of each gaussian, shape (n,)."""
    axes = Rotation.from_quat(quaternions).as_matrix()
    along = np.matmul(directions, axes)
    squares = np.einsum('nki,ni->nk', along * along, 1.0 / shapes)
    means: Array = np.log(np.maximum(squares, LEAST_SQUARE)).mean(axis=1)
    return means


def _blocks(points: Array, values: Array) -> list[Array]:
    """Halve the points at the median of their longest side, and return the values of each part."""
    parts: list[Rows] = [np.arange(len(points))]
    while 2 * len(parts) <= MOST_BLOCKS and len(points) >= 2 * len(parts) * LEAST_BLOCK:
        parts = [half for part in parts for half in _halves(points, part)]
    return [values[part] for part in parts]


def _halves(points: Array, part: Rows) -> tuple[Rows, Rows]:
    along = points[part, np.ptp(points[part], axis=0).argmax()]
    middle = len(part) // 2
    order = np.argpartition(along, middle)
    return part[order[:middle]], part[order[middle:]]
