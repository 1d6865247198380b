# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Face sets -> meshes of triangles, with normals, texture coordinates and colors at corners."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from world_model_core.virtual_world.shapes.polygons import MOST_CORNERS, cut_faces
from world_model_core.virtual_world.shapes.smoothing import given_normals, smooth_normals
from world_model_core.virtual_world.values import TriangleMesh

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.shapes.nodes import Node
    from world_model_core.virtual_world.shapes.polygons import Cut

__all__ = [
    'CornerValues',
    'FaceSet',
    'corner_values',
    'face_set_of',
    'indices_of',
    'triangle_bound',
    'triangles_of',
]

# Larger indices are those of no point; int64 would overflow.
LARGEST_INDEX = 2**31
# Field with the values, by the type of the node that has them.
VALUE_FIELDS = {
    'Color': 'color', 'ColorRGBA': 'color', 'Normal': 'vector', 'TextureCoordinate': 'point',
}  # fmt: skip
_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class CornerValues:
    """
    Values at the corners of faces, or on whole faces.

    Attributes
    ----------
    values : array, shape (n, w)
    indices : array of int, shape (k,)
        Of the values, in the order of the corners (with -1 at the ends of faces) or of the faces.
    per_corner : bool

    """

    values: Array
    indices: NDArray[np.int64]
    per_corner: bool = True

    def at(self, cut: Cut) -> Array | None:
        """Return the values at the corners of triangles, (m, 3, w), or None if some lack."""
        positions = cut.corners if self.per_corner else np.repeat(cut.faces[:, None], 3, axis=1)
        if positions.size and positions.max() >= self.indices.size:
            return None
        chosen = self.indices[positions]
        if ((chosen < 0) | (chosen >= len(self.values))).any():
            return None
        return self.values[chosen]


@dataclass(frozen=True, eq=False, slots=True)
class FaceSet:
    """
    Faces with any number of corners, in the units and axes of a file.

    Attributes
    ----------
    points : array, shape (n, 3)
    indices : array of int, shape (k,)
        Of the points at the corners of each face; -1 ends a face.
    counterclockwise : bool
        Whether the corners are so as seen from outside.
    crease_angle : float
        Edges between faces at a smaller angle are smooth [rad].
    normals, texture_coordinates, colors : CornerValues, optional
    two_sided : bool
        Whether they are seen from both sides.

    """

    points: Array
    indices: NDArray[np.int64] = field(default_factory=lambda: _NONE)
    counterclockwise: bool = True
    crease_angle: float = 0.0
    normals: CornerValues | None = None
    texture_coordinates: CornerValues | None = None
    colors: CornerValues | None = None
    two_sided: bool = False


def face_set_of(node: Node) -> FaceSet:
    """Return the faces of an IndexedFaceSet."""
    indices = indices_of(node.numbers('coordIndex'))
    coordinates = node.node('coord')
    points = coordinates.rows('point') if _is(coordinates, 'Coordinate') else np.empty((0, 3))
    return FaceSet(
        points,
        indices,
        node.flag('ccw'),
        node.number('creaseAngle'),
        corner_values(node, 'normal', indices, 'normalIndex', 'normalPerVertex'),
        corner_values(node, 'texCoord', indices, 'texCoordIndex'),
        corner_values(node, 'color', indices, 'colorIndex', 'colorPerVertex'),
        two_sided=not node.flag('solid'),
    )


def corner_values(
    node: Node, name: str, corners: NDArray[np.int64], listed: str = '', flag: str = ''
) -> CornerValues | None:
    """
    Return the values of a field of a face set, or None if it has none.

    Parameters
    ----------
    node : Node
    name : str
        The field: color, normal or texCoord.
    corners : array of int
        Indices if the node lists none: those of the points.
    listed, flag : str
        The fields with the indices, and whether the values are those of corners; empty: none.

    """
    content = node.node(name)
    field_ = VALUE_FIELDS.get(content.type) if content is not None else None
    if content is None or field_ is None:
        return None
    values = content.rows(field_)
    per_corner = node.flag(flag) if flag else True
    indices = indices_of(node.numbers(listed)) if listed else _NONE
    if not indices.size:
        indices = corners if per_corner else np.arange(len(values))
    return CornerValues(values, indices, per_corner)


def indices_of(numbers: Array) -> NDArray[np.int64]:
    """Convert finite numbers to indices."""
    return np.clip(numbers, -LARGEST_INDEX, LARGEST_INDEX).astype(np.int64)


def triangle_bound(indices: NDArray[np.int64]) -> int:
    """Return the number of triangles if all faces are sound."""
    stops = np.flatnonzero(indices == -1)
    lengths = np.diff(stops, prepend=-1, append=indices.size) - 1
    return int(np.maximum(lengths - 2, 0).sum())


def triangles_of(
    faces: FaceSet, findings: FileFindings, where: str, textured: bool
) -> TriangleMesh:
    """
    Cut a face set into triangles.

    Parameters
    ----------
    faces : FaceSet
    findings : FileFindings
        Receives which faces and values are left out.
    where : str
        Place of the faces in the file.
    textured : bool
        Whether texture coordinates are needed: if there are none, they are those of VRML97, 6.23.

    Returns
    -------
    TriangleMesh
        In the units and axes of the file.

    """
    cut = cut_faces(faces.points, faces.indices)
    if cut.broken:
        findings.add('Shapes.BrokenFaces', where, found=cut.broken, points=len(faces.points))
    if cut.long:
        findings.add('Shapes.LongFaces', where, found=cut.long, limit=MOST_CORNERS)
    used, triangles = np.unique(faces.indices[cut.corners], return_inverse=True)
    triangles = triangles.reshape(-1, 3)
    vertices = faces.points[used]
    coordinates = None
    if textured:
        coordinates = _values(faces.texture_coordinates, cut, findings, where, 'texCoord')
        coordinates = _fitted(vertices)[triangles] if coordinates is None else coordinates
    colors = _values(faces.colors, cut, findings, where, 'color')
    normals = _values(faces.normals, cut, findings, where, 'normal')
    # Clockwise faces are turned over by exchanging two corners.
    order = slice(None) if faces.counterclockwise else [0, 2, 1]
    turned: NDArray[np.int32] = triangles[:, order].astype(np.int32)
    return TriangleMesh(
        vertices,
        turned,
        smooth_normals(vertices, turned, faces.crease_angle)
        if normals is None
        else given_normals(normals[:, order], vertices, turned),
        None if coordinates is None else coordinates[:, order],
        None if colors is None else _rgba(colors[:, order]),
        faces.two_sided,
    )


def _values(
    values: CornerValues | None, cut: Cut, findings: FileFindings, where: str, field_: str
) -> Array | None:
    """Return values at the corners of triangles, or None with a finding."""
    found = None if values is None else values.at(cut)
    if values is not None and found is None:
        findings.add('Shapes.CornerValues', where, field=field_, found=len(values.values))
    return found


def _fitted(vertices: Array) -> Array:
    """Return texture coordinates along the two longest sides of the box around them."""
    if not len(vertices):
        return np.empty((0, 2))
    lowest = vertices.min(axis=0)
    sides = vertices.max(axis=0) - lowest
    first, second = np.argsort(-sides, kind='stable')[:2]
    longest = sides[first] or 1.0
    coordinates: Array = ((vertices - lowest) / longest)[:, [first, second]]
    return coordinates


def _rgba(colors: Array) -> NDArray[np.float32]:
    """Return colors with opacity, all from 0 to 1."""
    opaque = np.ones((*colors.shape[:-1], 4), np.float32)
    opaque[..., : colors.shape[-1]] = np.clip(colors, 0.0, 1.0)
    return opaque


def _is(node: Node | None, type_: str) -> TypeGuard[Node]:
    return node is not None and node.type == type_
