# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Convex pieces of hollow shapes.

Physics collides convex shapes only: a ball that is dropped into a bowl would stay on its brim.
CoACD (Wei et al., Approximate Convex Decomposition for 3D Meshes, SIGGRAPH 2022) cuts a mesh into
convex pieces. That takes up to minutes, so it is done once by a command, and the pieces are kept
next to the world by the digest of the mesh. Loading uses what is there, and never waits.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from world_model_core.errors import WorldModelError
from world_model_core.files.atomic_write import replacing
from world_model_core.virtual_world.values import Shape, ShapeUse, TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from world_model_core.findings import Findings
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Entity, Part, World

__all__ = [
    'MissingCoacdError',
    'concavity',
    'cut_pieces',
    'hollow_meshes',
    'pieces_folder',
    'read_pieces',
    'with_pieces',
    'write_pieces',
]

# A mesh with a larger concavity is hollow; CoACD cuts until its own measure is below CUT.
HOLLOW = 0.1
CUT = 0.05
# Part of the area that may lie deeper than the concavity.
DEEPEST = 0.05
# Triangles of a mesh that are compared with its hull, and pieces of one mesh.
MOST_TRIANGLES = 2000
# Cosine of the angle between a triangle and the faces of the hull behind it.
BEHIND = -0.1
MOST_PIECES = 1000
# Of a file that is unpacked [bytes].
LARGEST = 100_000_000


class MissingCoacdError(WorldModelError):
    """The package that cuts meshes is not installed."""


def concavity(mesh: TriangleMesh) -> float:
    """
    Return how deep the surface lies below its convex hull, relative to its size.

    The depth of a triangle is the distance of its center to the nearest face of the hull that does
    not lie behind it: the floor of a tray is as deep as its walls are high, however thin it is.
    The depth that a part of `DEEPEST` of the area exceeds counts, so that a screw hole does not.
    The size is the longest edge of the bounding box. 0: convex, or flat.
    """
    corners = mesh.vertices[mesh.triangles]
    try:
        faces = ConvexHull(corners.reshape(-1, 3)).equations
    except (QhullError, ValueError):
        return 0.0
    chosen = corners[:: max(1, len(corners) // MOST_TRIANGLES)]
    doubled = np.cross(chosen[:, 1] - chosen[:, 0], chosen[:, 2] - chosen[:, 0])
    areas = np.linalg.norm(doubled, axis=1)
    chosen, normals, areas = chosen[areas > 0.0], doubled[areas > 0.0], areas[areas > 0.0]
    depths = _depths(chosen.mean(axis=1), normals / areas[:, None], faces)
    order = np.argsort(depths)[::-1]
    deepest = order[np.searchsorted(np.cumsum(areas[order]), DEEPEST * areas.sum())]
    return float(depths[deepest] / np.ptp(corners.reshape(-1, 3), axis=0).max())


def _depths(points: Array, normals: Array, faces: Array) -> Array:
    """Return the distances of points to the nearest face of a convex hull that is not behind."""
    gaps = np.maximum(-(points @ faces[:, :3].T + faces[:, 3]), 0.0)
    is_behind = normals @ faces[:, :3].T < BEHIND
    depths: Array = np.where(is_behind, np.inf, gaps).min(axis=1)
    return depths


def cut_pieces(mesh: TriangleMesh) -> tuple[TriangleMesh, ...]:
    """
    Cut a mesh into convex pieces; the bowl of a kitchen takes 87 s.

    Raises
    ------
    MissingCoacdError
        CoACD is not installed.

    """
    try:
        import coacd  # noqa: PLC0415 (an extra, and slow to import)
    except ImportError as error:
        raise MissingCoacdError(
            'hollow shapes are cut by CoACD, which is not installed: pip install coacd'
        ) from error
    coacd.set_log_level('error')
    whole = coacd.Mesh(mesh.vertices, mesh.triangles)
    found = coacd.run_coacd(whole, threshold=CUT, seed=0)
    return tuple(
        TriangleMesh(np.asarray(vertices, np.float64), np.asarray(triangles, np.int32))
        for vertices, triangles in found
    )


def pieces_folder(world_file: Path) -> Path:
    """Return the folder that keeps the pieces of the hollow shapes of a world."""
    return world_file.absolute().parent / 'pieces'


def write_pieces(folder: Path, mesh: TriangleMesh, pieces: tuple[TriangleMesh, ...]) -> None:
    """
    Keep the pieces of a mesh in a folder, which is created.

    Raises
    ------
    OSError
        The file cannot be written.

    """
    arrays: dict[str, Any] = {'count': np.array(len(pieces))}
    for number, piece in enumerate(pieces):
        arrays[f'vertices_{number}'] = piece.vertices
        arrays[f'triangles_{number}'] = piece.triangles
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(_file(folder, mesh)) as temporary, temporary.open('wb') as stream:
        np.savez_compressed(stream, **arrays)


def read_pieces(folder: Path, mesh: TriangleMesh) -> tuple[TriangleMesh, ...] | None:
    """
    Return the pieces of a mesh that a folder keeps, or None if it has none or a broken file.

    Neither the folder nor the file may be a link, which may lead out of the world's folder.
    """
    path = _file(folder, mesh)
    if folder.is_symlink() or path.is_symlink():
        return None
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(each.file_size for each in archive.infolist()) > LARGEST:
                return None
        with np.load(path, allow_pickle=False) as arrays:
            count = min(int(arrays['count']), MOST_PIECES)
            return tuple(
                _piece(arrays[f'vertices_{number}'], arrays[f'triangles_{number}'])
                for number in range(count)
            )
    except (OSError, KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile):
        return None


def hollow_meshes(world: World) -> dict[str, TriangleMesh]:
    """Return the meshes of hollow things that physics would fill, by their digests."""
    hollow = _HollowParts()
    meshes = [hollow.mesh(entity, part) for entity in world.entities for part in entity.parts]
    return {mesh.digest: mesh for mesh in meshes if mesh is not None}


def with_pieces(world: World, folder: Path, findings: Findings) -> World:
    """
    Let hollow things collide by their pieces.

    Parameters
    ----------
    world : World
    folder : Path
        Where pieces are kept.
    findings : Findings
        Receives the hollow things whose pieces are missing; they collide as before.

    """
    hollow = _HollowParts()
    entities = []
    for entity in world.entities:
        parts = []
        for part in entity.parts:
            mesh = hollow.mesh(entity, part)
            pieces = None if mesh is None else read_pieces(folder, mesh)
            if mesh is not None and pieces is None:
                findings.add('Body.PiecesMissing', '', entity.name, part=part.name)
            parts.append(part if pieces is None else _colliding_by(part, pieces))
        entities.append(replace(entity, parts=tuple(parts)))
    return replace(world, entities=tuple(entities))


@dataclass(slots=True)
class _HollowParts:
    """Finds hollow parts; entities of one class share theirs."""

    meshes: dict[int, tuple[Part, TriangleMesh | None]] = field(default_factory=dict)

    def mesh(self, entity: Entity, part: Part) -> TriangleMesh | None:
        """Return the joint mesh of a part if it is hollow and collides; not of humanoids."""
        if not entity.collides or any(each.joint is not None for each in entity.parts):
            return None
        if id(part) not in self.meshes:
            # The part is kept, so that no other one gets its id.
            self.meshes[id(part)] = (part, _hollow(part))
        return self.meshes[id(part)][1]


def _hollow(part: Part) -> TriangleMesh | None:
    """Return the joint mesh of a part if it is hollow and collides."""
    collides = any(each.use is not ShapeUse.VISUAL for each in part.shapes)
    meshes = list(_shown_meshes(part))
    if not collides or not meshes:
        return None
    offsets = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    joint = TriangleMesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate(
            [mesh.triangles + offset for mesh, offset in zip(meshes, offsets, strict=True)]
        ).astype(np.int32),
    )
    return joint if concavity(joint) > HOLLOW else None


def _shown_meshes(part: Part) -> Iterator[TriangleMesh]:
    """Return the meshes of a part that are looked at in its first state."""
    states = [each.state for each in part.shapes if each.use is not ShapeUse.COLLISION]
    for each in part.shapes:
        mesh = each.geometry
        is_shown = each.use is not ShapeUse.COLLISION and each.state == states[0]
        if is_shown and isinstance(mesh, TriangleMesh) and len(mesh.triangles):
            yield mesh


def _colliding_by(part: Part, pieces: tuple[TriangleMesh, ...]) -> Part:
    """Replace what collides by pieces."""
    shown = [
        replace(each, use=ShapeUse.VISUAL)
        for each in part.shapes
        if each.use is not ShapeUse.COLLISION
    ]
    return replace(
        part, shapes=(*shown, *(Shape(piece, use=ShapeUse.COLLISION) for piece in pieces))
    )


def _piece(vertices: NDArray[Any], triangles: NDArray[Any]) -> TriangleMesh:
    """
    Check the arrays of a file.

    Raises
    ------
    ValueError
        They are not those of a mesh.

    """
    indices = triangles.astype(np.int32)
    is_mesh = vertices.ndim == indices.ndim == 2 and vertices.shape[1:] == indices.shape[1:] == (
        3,
    )
    if not is_mesh or not np.isfinite(vertices).all() or not len(indices):
        raise ValueError('these are not the arrays of a mesh')
    if indices.min() < 0 or indices.max() >= len(vertices):
        raise ValueError('an index is out of range')
    return TriangleMesh(vertices.astype(np.float64), indices)


def _file(folder: Path, mesh: TriangleMesh) -> Path:
    return folder / f'{mesh.digest}.npz'
