# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Visibility of places: field of view, range and occlusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import cKDTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import CameraView

# Margin at the edge of the view, as a fraction of it: objects there may be cut off and missed.
MARGIN = 0.05
# A scan occludes what lies farther behind it than this [m]: more than its noise, less than the
# thickness of walls. An object whose own front is farther than this before its center is not
# counted as missed either; objects through which the scan passes are.
BEHIND = 0.05
# Directions within this angle count as equal [rad]; scans have a beam every degree or two.
BEAM = 0.03
# Number of rays tested against boxes at once, to bound memory.
CHUNK = 256


def in_view(view: CameraView, positions: Array) -> NDArray[np.bool_]:
    """Return which places, shape (n, 3), are within the angles and the range of a camera."""
    local = (positions - view.position) @ view.rotation
    distance = np.linalg.norm(local, axis=1)
    azimuth = np.arctan2(local[:, 1], local[:, 0])
    elevation = np.arctan2(local[:, 2], np.hypot(local[:, 0], local[:, 1]))
    inside: NDArray[np.bool_] = (view.near <= distance) & (distance <= view.far * (1.0 - MARGIN))
    inside &= np.abs(azimuth) <= _half(view.horizontal)
    inside &= np.abs(elevation) <= _half(view.vertical)
    return inside


def _half(angle: float) -> float:
    """Return half of an angle of view, less a margin if the view has an edge."""
    return np.pi if angle >= 2.0 * np.pi - 1e-6 else 0.5 * angle * (1.0 - MARGIN)


def hidden_by_points(view: CameraView, positions: Array) -> NDArray[np.bool_]:
    """Return which places, shape (n, 3), lie behind the surfaces of the view's scan."""
    if view.points is None or not len(view.points) or not len(positions):
        return np.zeros(len(positions), dtype=bool)
    # Scans mark beams without an echo by NaN or infinity.
    points = view.points[np.isfinite(view.points).all(axis=1)]
    if not len(points):
        return np.zeros(len(positions), dtype=bool)
    beams, ranges = _directions(points - view.position)
    wanted, distances = _directions(positions - view.position)
    _, nearest = cKDTree(beams).query(wanted, k=min(3, len(beams)), distance_upper_bound=BEAM)
    nearest = nearest.reshape(len(positions), -1)
    found = nearest < len(beams)
    nearest_range = np.where(found, ranges[np.minimum(nearest, len(beams) - 1)], np.inf)
    # The farthest of the beams decides: a single beam on an edge occludes nothing.
    farthest = np.where(found, nearest_range, -np.inf).max(axis=1)
    hidden: NDArray[np.bool_] = found.any(axis=1) & (farthest < distances - BEHIND)
    return hidden


def _directions(offsets: Array) -> tuple[Array, Array]:
    """Split offsets into unit vectors and distances [m]."""
    distances = np.linalg.norm(offsets, axis=1)
    return offsets / np.maximum(distances, 1e-9)[:, None], distances


def hidden_by_boxes(
    sensor: Array, positions: Array, centers: Array, sizes: Array, headings: Array
) -> NDArray[np.bool_]:
    """
    Return which places lie behind boxes.

    A box that contains the place or the sensor does not occlude it.

    Parameters
    ----------
    sensor : array, shape (3,)
        Position [m].
    positions : array, shape (n, 3)
        Places [m].
    centers, sizes : arrays, shape (m, 3)
        Of the boxes [m].
    headings : array, shape (m,)
        Of the boxes [rad].

    Returns
    -------
    array of bool, shape (n,)

    """
    hidden = np.zeros(len(positions), dtype=bool)
    for start in range(0, len(positions), CHUNK):
        rows = slice(start, start + CHUNK)
        hidden[rows] = _cross(sensor, positions[rows], centers, sizes, headings).any(axis=1)
    return hidden


def _cross(
    sensor: Array, positions: Array, centers: Array, sizes: Array, headings: Array
) -> NDArray[np.bool_]:
    """Return which lines of sight cross which boxes (n, m), by the slabs between their faces."""
    c, s = np.cos(headings), np.sin(headings)
    zero, one = np.zeros_like(c), np.ones_like(c)
    axes: Array = np.array(((c, s, zero), (-s, c, zero), (zero, zero, one))).transpose(2, 0, 1)
    origin = np.einsum('mij,mj->mi', axes, sensor - centers)
    ray = np.einsum('mij,nj->nmi', axes, positions - sensor)
    ray = np.where(np.abs(ray) < 1e-12, 1e-12, ray)
    half = sizes / 2.0
    first, second = (-half - origin) / ray, (half - origin) / ray
    enters = np.minimum(first, second).max(axis=2)
    leaves = np.maximum(first, second).min(axis=2)
    crossed: NDArray[np.bool_] = (enters > 0.0) & (enters < leaves) & (leaves < 1.0)
    return crossed
