# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
static_mesh.glb: triangles in binary glTF 2.0, read and written by trimesh.

What is in a file is looked at before trimesh opens it (glb_container, gltf): trimesh takes a
compressed mesh for vertices that are all zero, and trusts every count and every path.

glTF says that y is up; the contract's meshes are in the map, where z is. They are taken as they
are: nothing is turned here, nor by RViz, which shows the same file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import trimesh
from trimesh.visual import ColorVisuals

from world_model_core.bundle.geometry.glb_container import read_container
from world_model_core.bundle.geometry.gltf import check_gltf
from world_model_core.bundle.geometry.mesh import Mesh, join
from world_model_core.bundle.geometry.mesh_checks import check_mesh
from world_model_core.files.file_findings import FileFindings

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from world_model_core.findings import Findings

EMPTY = join(())


def read_mesh(path: Path, file: str, findings: Findings) -> Mesh | None:
    """
    Read a mesh.

    Parameters
    ----------
    path : Path
    file : str
        How the findings name it.
    findings : Findings
        Are added to.

    Returns
    -------
    Mesh or None
        All meshes of the scene as one, placed by their nodes; None if there is an error.

    """
    notes = FileFindings(file, findings)
    container = read_container(path, notes)
    if container is None:
        return None
    check_gltf(container, container.document.root)
    mesh = None if notes.errors else _load(path, notes)
    if mesh is not None:
        check_mesh(mesh, notes)
    return None if notes.errors else mesh


def write_mesh(path: Path, mesh: Mesh) -> None:
    """
    Write a mesh.

    Raises
    ------
    OSError
        The file cannot be written.

    """
    exported = trimesh.Trimesh(mesh.vertices, mesh.faces, vertex_colors=mesh.colors, process=False)
    with path.open('wb') as stream:
        exported.export(stream, file_type='glb')


def _load(path: Path, notes: FileFindings) -> Mesh | None:
    try:
        with path.open('rb') as stream:
            scene = trimesh.load_scene(stream, file_type='glb', process=False, skip_materials=True)
        parts = [_placed(scene, name) for name in scene.graph.nodes_geometry]
    except Exception as error:  # noqa: BLE001 (whatever trimesh trips over is in the file)
        notes.add('Mesh.Unreadable', found=f'{type(error).__name__}: {error}')
        return None
    beyond = max(
        (int(each.faces.max(initial=-1)) - len(each.vertices) for each in parts), default=-1
    )
    if beyond >= 0:
        notes.add('Mesh.NoSuchVertex', found=beyond)
        return None
    return join(parts)


def _placed(scene: trimesh.Scene, node: str) -> Mesh:
    """Take what hangs on a node into the frame of the scene; points and lines are no triangles."""
    matrix, name = scene.graph[node]
    geometry = scene.geometry[name]
    if not isinstance(geometry, trimesh.Trimesh):
        return EMPTY
    rotation, translation = matrix[:3, :3], matrix[:3, 3]
    with np.errstate(over='ignore', invalid='ignore'):
        vertices = (np.asarray(geometry.vertices) @ rotation.T + translation).astype(np.float32)
    # What is mirrored is seen from the other side (glTF 2.0, 3.7.4).
    order = -1 if np.linalg.det(rotation) < 0.0 else 1
    # An index beyond what int32 holds must stay beyond the vertices.
    most = np.iinfo(np.int32).max
    faces = np.minimum(geometry.faces[:, ::order], most).astype(np.int32)
    return Mesh(vertices, faces, _colors(geometry.visual))


def _colors(visual: object) -> NDArray[np.uint8] | None:
    """Take the colors of vertices, shape (n, 3), without their opacity."""
    if not isinstance(visual, ColorVisuals) or visual.kind != 'vertex':
        return None
    return np.array(visual.vertex_colors, dtype=np.uint8)[:, :3]
