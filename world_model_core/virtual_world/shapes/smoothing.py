# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Normals of smooth surfaces, by the angle above which an edge is a crease."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['given_normals', 'smooth_normals']

# Corners of triangles at one vertex that are smoothed: their pairs grow with the square.
MOST_AROUND = 256
# Pairs of corners that are compared at once: bounds the memory.
PAIRS = 1_000_000
# Normal of a triangle without an area.
_ANY = np.array((0.0, 0.0, 1.0))


def given_normals(normals: Array, vertices: Array, triangles: NDArray[np.int32]) -> Array:
    """
    Return the normals that a file gives as unit vectors.

    Parameters
    ----------
    normals : array, shape (m, 3, 3)
        At the corners of triangles; those of length 0 become those of their triangles.
    vertices : array, shape (n, 3)
    triangles : array of int, shape (m, 3)

    """
    units = _unit(_areas(vertices, triangles), _ANY)
    return _unit(normals, units[:, None, :])


def smooth_normals(
    vertices: Array, triangles: NDArray[np.int32], crease_angle: float
) -> Array | None:
    """
    Return normals at the corners of triangles.

    Parameters
    ----------
    vertices : array, shape (n, 3)
    triangles : array of int, shape (m, 3)
    crease_angle : float
        The normal at a corner is the mean, by area, of those of the triangles around its vertex
        that are at a smaller angle than this to its triangle [rad] (VRML97, 4.6.3.5).

    Returns
    -------
    array, shape (m, 3, 3), optional
        Unit vectors; None: all triangles are flat.

    """
    if crease_angle <= 0.0 or not len(triangles):
        return None
    areas = _areas(vertices, triangles)
    units = _unit(areas, _ANY)
    corners = triangles.ravel()
    order = np.argsort(corners, kind='stable')
    _, starts, counts = np.unique(corners[order], return_index=True, return_counts=True)
    normals = np.repeat(units, 3, axis=0)
    least = np.cos(min(crease_angle, np.pi))
    for count in np.unique(counts[(counts > 1) & (counts <= MOST_AROUND)]):
        around = order[starts[counts == count][:, None] + np.arange(count)]
        for rows in np.array_split(around, 1 + around.size * int(count) // PAIRS):
            its = rows // 3
            smooth = np.einsum('kai,kbi->kab', units[its], units[its]) >= least
            sums = np.einsum('kab,kbi->kai', smooth, areas[its])
            normals[rows] = _unit(sums, units[its])
    return normals.reshape(-1, 3, 3)


def _areas(vertices: Array, triangles: NDArray[np.int32]) -> Array:
    """Return the normals of triangles, of twice the length of their area."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    return np.cross(b - a, c - a)


def _unit(vectors: Array, otherwise: Array) -> Array:
    """Return the directions of vectors; another one for those without."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(lengths > 0.0, vectors / np.where(lengths > 0.0, lengths, 1.0), otherwise)
