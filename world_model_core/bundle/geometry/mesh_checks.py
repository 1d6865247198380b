# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the triangles of a mesh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.files.file_findings import FileFindings
    from world_model_core.gaussian import Array

# Minimum net upward area of an open ground surface, as a fraction of its area.
OPEN = 0.05
# Minimum ratio of the horizontal areas if y points up and if z points up.
LEVEL = 2.0
# Maximum offsets of a body from a plane and from zero, as fractions of its size.
RESTING, CENTERED = 0.02, 0.2
# Number of triangles in a block, so that intermediate results stay in the processor's cache.
BLOCK = 1 << 14


def check_mesh(mesh: Mesh, notes: FileFindings) -> None:
    """Report meshes without triangles or surface, with NaN, or with y up."""
    if not len(mesh.faces):
        notes.add('Mesh.Empty')
        return
    if not np.isfinite(mesh.vertices).all():
        index = int((~np.isfinite(mesh.vertices)).any(axis=1).argmax())
        notes.add('Mesh.NotFinite', found=mesh.vertices[index].tolist())
        return
    net, projected = surfaces(mesh)
    if not projected.any():
        notes.add('Mesh.NoSurface', found=len(mesh.faces))
    elif looks_y_up(mesh, net, projected):
        size = ' x '.join(f'{each:.3g}' for each in mesh.highest - mesh.lowest)
        notes.add('Mesh.LooksYUp', found=size)


def surfaces(mesh: Mesh) -> tuple[Array, Array]:
    """
    Sum up the area of a mesh.

    Returns
    -------
    net : array, shape (3,)
        Area facing +x, +y, +z minus the area facing -x, -y, -z [m^2].
    projected : array, shape (3,)
        Area projected along x, y, z [m^2].

    """
    net, projected = np.zeros(3), np.zeros(3)
    for start in range(0, len(mesh.faces), BLOCK):
        vectors = mesh.area_vectors(slice(start, start + BLOCK))
        net += vectors.sum(axis=0)
        projected += np.abs(vectors).sum(axis=0)
    return net, projected


def looks_y_up(mesh: Mesh, net: Array, projected: Array) -> bool:
    """
    Return whether y instead of z points up, as in most glTF files.

    The ground of a scene faces up only, while walls come in pairs that face each other, so that
    the sum over all triangles points up. The sum over a closed body is zero; a body that
    was modeled alone rests on the plane of the other two axes, and is centered at zero.

    Parameters
    ----------
    mesh : Mesh
    net, projected : array, shape (3,)
        As returned by `surfaces`.

    """
    opened = OPEN * projected.sum()
    if net[1] > opened and net[1] > LEVEL * abs(net[2]) and projected[1] > LEVEL * projected[2]:
        return True
    size = mesh.highest - mesh.lowest
    rests = np.abs(mesh.lowest) <= RESTING * size
    centered = np.abs(mesh.highest + mesh.lowest) <= CENTERED * size
    return bool(net[2] <= opened and rests[1] and not rests[2] and centered[0] and centered[2])
