# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader of static_mesh.glb: triangles in binary glTF 2.0.

glTF defines y as up; the meshes of bundles are in the map frame, where z is up. Coordinates are
not rotated, neither here nor by RViz, which displays the same file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.bundle.geometry.glb_container import read_container
from world_model_core.bundle.geometry.gltf_checks import check_gltf
from world_model_core.bundle.geometry.gltf_triangles import GltfDataError, read_triangles
from world_model_core.bundle.geometry.mesh import join
from world_model_core.bundle.geometry.mesh_checks import check_mesh
from world_model_core.files.file_findings import FileFindings

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from world_model_core.bundle.geometry.glb_container import GlbContainer
    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.findings import Findings

__all__ = ['read_mesh']


def read_mesh(path: Path, file: str, findings: Findings) -> Mesh | None:
    """
    Read a mesh.

    Parameters
    ----------
    path : Path
    file : str
        Name of the file in findings.
    findings : Findings
        Receives the findings.

    Returns
    -------
    Mesh or None
        All meshes of the scene, transformed by their nodes and joined; None after an error.

    """
    notes = FileFindings(file, findings)
    container = read_container(path, notes)
    if container is None:
        return None
    gltf = check_gltf(container, container.document.root)
    mesh = None if gltf is None or notes.errors else _load(gltf, container, path, notes)
    if mesh is not None:
        check_mesh(mesh, notes)
    return None if notes.errors else mesh


def _load(
    gltf: dict[str, Any], container: GlbContainer, path: Path, notes: FileFindings
) -> Mesh | None:
    try:
        parts = read_triangles(gltf, container.read_binary(path))
    except (OSError, GltfDataError) as error:
        notes.add('Mesh.Unreadable', found=f'{type(error).__name__}: {error}')
        return None
    beyond = max(
        (int(each.faces.max(initial=-1)) - len(each.vertices) for each in parts), default=-1
    )
    if beyond >= 0:
        notes.add('Mesh.NoSuchVertex', found=beyond)
        return None
    return join(parts)
