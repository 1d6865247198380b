# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes of the unit box, sphere and cylinder, which are scaled to what is shown."""

from __future__ import annotations

from itertools import product

import numpy as np

from world_model_core.view.batches import MarkMesh

__all__ = ['unit_box', 'unit_cylinder', 'unit_sphere']

# Edges around a sphere and a cylinder.
SIDES = 20
# Bands between the poles of a sphere.
BANDS = 10


def unit_box() -> MarkMesh:
    """Return a box with edges of 1 m; the faces share no vertices, so that its edges are sharp."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3)))
    faces = np.array(
        ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    )
    first = 4 * np.arange(6)[:, None, None]
    triangles = first + np.array(((0, 1, 2), (0, 2, 3)))
    return MarkMesh(corners[faces].reshape(-1, 3), triangles.reshape(-1, 3))


def unit_sphere() -> MarkMesh:
    """Return a sphere with a radius of 1 m."""
    polar = np.linspace(0.0, np.pi, BANDS + 1)
    heights, radii = np.cos(polar), np.sin(polar)
    return MarkMesh(_rings(radii, heights), _bands(BANDS))


def unit_cylinder() -> MarkMesh:
    """Return a cylinder around z with a radius and a height of 1 m; its rims are sharp."""
    # Caps and wall have rings of their own; a pair of rings in the same place has no area.
    radii = np.array((0.0, 1.0, 1.0, 1.0, 1.0, 0.0))
    heights = np.array((0.5, 0.5, 0.5, -0.5, -0.5, -0.5))
    bands = _bands(5).reshape(5, -1, 3)
    return MarkMesh(_rings(radii, heights), bands[[0, 2, 4]].reshape(-1, 3))


def _rings(radii: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Return the vertices of rings around z, shape (rings * SIDES, 3)."""
    angles = np.arange(SIDES) * (2.0 * np.pi / SIDES)
    x, y = np.outer(radii, np.cos(angles)), np.outer(radii, np.sin(angles))
    return np.stack((x, y, np.broadcast_to(heights[:, None], x.shape)), axis=-1).reshape(-1, 3)


def _bands(count: int) -> np.ndarray:
    """Return the triangles between neighboring rings, those above first, facing outward."""
    ring, side = np.meshgrid(np.arange(count), np.arange(SIDES), indexing='ij')
    upper, after = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
    lower, below = upper + SIDES, after + SIDES
    return np.stack((upper, lower, after, after, lower, below), axis=-1).reshape(-1, 3)
