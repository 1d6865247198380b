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

# Ground is open: what of a surface faces up more than down is at least this part of it.
OPEN = 0.05
# How many times more of a surface lies level in the plane that is taken for the ground's.
LEVEL = 2.0
# Bodies stand on a plane, and around zero, if they are off by these parts of their size at most.
STANDING, AROUND = 0.02, 0.2
# Triangles that are looked at together: what is computed of them stays in the processor's cache.
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
    net, lying = surfaces(mesh)
    if not lying.any():
        notes.add('Mesh.NoSurface', found=len(mesh.faces))
    elif looks_y_up(mesh, net, lying):
        size = ' x '.join(f'{each:.3g}' for each in mesh.highest - mesh.lowest)
        notes.add('Mesh.LooksYUp', found=size)


def surfaces(mesh: Mesh) -> tuple[Array, Array]:
    """
    Sum up the surface of a mesh.

    Returns
    -------
    net : array, shape (3,)
        How much more of it faces x, y, z than the other way [m^2].
    lying : array, shape (3,)
        How much of it lies across x, y, z [m^2].

    """
    net, lying = np.zeros(3), np.zeros(3)
    for start in range(0, len(mesh.faces), BLOCK):
        vectors = mesh.area_vectors(slice(start, start + BLOCK))
        net += vectors.sum(axis=0)
        lying += np.abs(vectors).sum(axis=0)
    return net, lying


def looks_y_up(mesh: Mesh, net: Array, lying: Array) -> bool:
    """
    Tell if it is y that points up, as in most glTF files, and not z.

    In a scene the ground is seen from above only, while walls come in pairs that face each other:
    what is left of the sum over all triangles points up. Nothing is left of closed bodies; those
    that were modelled by themselves stand on the plane of the other two axes, and around zero.

    Parameters
    ----------
    mesh : Mesh
    net, lying : array, shape (3,)
        Of its `surfaces`.

    """
    opened = OPEN * lying.sum()
    if net[1] > opened and net[1] > LEVEL * abs(net[2]) and lying[1] > LEVEL * lying[2]:
        return True
    size = mesh.highest - mesh.lowest
    stands = np.abs(mesh.lowest) <= STANDING * size
    around = np.abs(mesh.highest + mesh.lowest) <= AROUND * size
    return bool(net[2] <= opened and stands[1] and not stands[2] and around[0] and around[2])
