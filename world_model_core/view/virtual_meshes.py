# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Triangles of a virtual world as marks, which have one color each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.view.batches import MarkMesh

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.virtual_world.values import TriangleMesh

__all__ = ['ColoredMesh', 'colored_meshes']

# A mesh with more colors is shown in their mean: each color is a batch of its own.
MOST_COLORS = 12
# Between colors of triangles that are told apart, of 255.
COLOR_STEP = 16


class ColoredMesh(NamedTuple):
    """
    Triangles of one color.

    Attributes
    ----------
    name : str
        Of its batch.
    mesh : MarkMesh
    color : tuple of float, optional
        RGBA from 0 to 1; None: that of the shape.

    """

    name: str
    mesh: MarkMesh
    color: tuple[float, float, float, float] | None


def colored_meshes(name: str, mesh: TriangleMesh) -> tuple[ColoredMesh, ...]:
    """Return a mesh as one for each color of its triangles; nothing if it has no triangles."""
    if not len(mesh.triangles):
        return ()
    if mesh.colors is None:
        return (ColoredMesh(name, MarkMesh(mesh.vertices, mesh.triangles), None),)
    means = mesh.colors.mean(axis=1)
    steps = np.rint(255.0 * means / COLOR_STEP).astype(np.int64)
    _, groups = np.unique(steps, axis=0, return_inverse=True)
    groups = groups.ravel()
    if groups.max() >= MOST_COLORS:
        groups = np.zeros_like(groups)
    return tuple(
        _colored(f'{name} {number}', mesh, groups == number, means[groups == number])
        for number in range(groups.max() + 1)
    )


def _colored(
    name: str, mesh: TriangleMesh, chosen: NDArray[np.bool_], colors: NDArray[np.float32]
) -> ColoredMesh:
    """Return some triangles, with the vertices that they need, in their mean color."""
    used, indices = np.unique(mesh.triangles[chosen], return_inverse=True)
    red, green, blue, opacity = colors.mean(axis=0).tolist()
    triangles = indices.reshape(-1, 3)
    shown = MarkMesh(mesh.vertices[used], triangles)
    return ColoredMesh(name, shown, (red, green, blue, opacity))
