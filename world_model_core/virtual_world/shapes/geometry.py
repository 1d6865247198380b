# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Geometry nodes under a transform -> geometries in this package's axes and in meters."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.frames import quaternion_of
from world_model_core.virtual_world.shapes.faces import (
    face_set_of,
    indices_of,
    triangle_bound,
    triangles_of,
)
from world_model_core.virtual_world.shapes.file_axes import AXES, from_file_axes
from world_model_core.virtual_world.shapes.generated_faces import elevation_grid, extrusion
from world_model_core.virtual_world.shapes.node_types import KNOWN
from world_model_core.virtual_world.shapes.primitives import PRIMITIVES
from world_model_core.virtual_world.shapes.transforms import texture_transform
from world_model_core.virtual_world.values import (
    Box,
    Cylinder,
    LineSet,
    Pose,
    Sphere,
    TriangleMesh,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.shapes.faces import FaceSet
    from world_model_core.virtual_world.shapes.nodes import Node

__all__ = ['Geometries']

# Coordinates in a file; their products must not overflow.
LARGEST_COORDINATE = 1e12
# Axes of a box under a transform that are orthogonal or equally long, relative to their lengths.
ROUNDING = 1e-6
LENGTHS = ('bottomRadius', 'height', 'radius', 'size')
_Placed: TypeAlias = 'tuple[TriangleMesh | LineSet | Box | Cylinder | Sphere, Pose]'


class Geometries:
    """
    Places geometries; each is read once, however often it is used.

    Parameters
    ----------
    length_unit : float
        Length of the file's unit [m].
    most_triangles : int
        Of one shape.

    """

    def __init__(self, length_unit: float, most_triangles: int) -> None:
        self.length_unit = length_unit
        self.most_triangles = most_triangles
        self.meshes: dict[tuple[int, bool], TriangleMesh | None] = {}

    def placed(
        self,
        node: Node,
        transform: Array,
        findings: FileFindings,
        *,
        textured: bool,
        placing: Node | None,
    ) -> _Placed | None:
        """
        Return a geometry and its pose in the frame of the scene.

        Parameters
        ----------
        node : Node
            Box, IndexedFaceSet and so on.
        transform : array, shape (4, 4)
            From the frame of the node to that of the scene, in the file's units and axes.
        findings : FileFindings
            Receives why it is left out.
        textured : bool
            Whether it needs texture coordinates.
        placing : Node, optional
            TextureTransform.

        Returns
        -------
        tuple of Geometry and Pose, or None
            The pose of meshes and lines is the identity.

        """
        where = f'line {node.line}'
        if not _is_sound(transform):
            findings.add('Shapes.Transform', where)
            return None
        if node.type in {'IndexedLineSet', 'PointSet'}:
            return self._placed_lines(node, transform, findings)
        if node.type in PRIMITIVES and not _is_bounded(_lengths(node)):
            findings.add('Shapes.Coordinates', where, limit=LARGEST_COORDINATE)
            return None
        primitive = None if textured else _primitive(node, transform, self.length_unit)
        if primitive is not None:
            return primitive
        mesh = self._mesh(node, findings, textured=textured)
        if mesh is None:
            return None
        return _moved(mesh, transform, placing, self.length_unit), Pose()

    def _mesh(self, node: Node, findings: FileFindings, *, textured: bool) -> TriangleMesh | None:
        """Return the triangles of a node in its own frame."""
        key = id(node), textured
        if key not in self.meshes:
            self.meshes[key] = self._read(node, findings, textured=textured)
        return self.meshes[key]

    def _read(self, node: Node, findings: FileFindings, *, textured: bool) -> TriangleMesh | None:
        read = FACES.get(node.type)
        where = f'line {node.line}'
        if read is None or self._is_too_large(_side_triangles(node), findings, where):
            return None
        faces = read(node)
        if self._is_too_large(triangle_bound(faces.indices), findings, where):
            return None
        if not _is_bounded(faces.points):
            findings.add('Shapes.Coordinates', where, limit=LARGEST_COORDINATE)
            return None
        mesh = triangles_of(faces, findings, where, textured)
        if not len(mesh.triangles):
            findings.add('Shapes.Empty', where, type=node.type)
            return None
        return mesh

    def _is_too_large(self, count: int, findings: FileFindings, where: str) -> bool:
        """Return whether triangles or points are too many, which is a finding."""
        if count > self.most_triangles:
            findings.add('Shapes.ShapeTooLarge', where, found=count, limit=self.most_triangles)
        return count > self.most_triangles

    def _placed_lines(
        self, node: Node, transform: Array, findings: FileFindings
    ) -> _Placed | None:
        """Return lines or points in the frame of the scene."""
        coordinates = node.node('coord')
        points = np.empty((0, 3))
        if coordinates is not None and coordinates.type == 'Coordinate':
            points = coordinates.rows('point')
        where = f'line {node.line}'
        if not len(points):
            findings.add('Shapes.Empty', where, type=node.type)
            return None
        if self._is_too_large(len(points), findings, where):
            return None
        if not _is_bounded(points):
            findings.add('Shapes.Coordinates', where, limit=LARGEST_COORDINATE)
            return None
        segments = np.empty((0, 2), np.int32)
        if node.type == 'IndexedLineSet':
            segments = _segments(indices_of(node.numbers('coordIndex')), len(points))
        return LineSet(_points(points, transform, self.length_unit), segments), Pose()


# The faces of a node, by its type.
FACES: Mapping[str, Callable[[Node], FaceSet]] = {
    'ElevationGrid': elevation_grid,
    'Extrusion': extrusion,
    'IndexedFaceSet': face_set_of,
    **PRIMITIVES,
}


def _side_triangles(node: Node) -> int:
    """Return the triangles around an Extrusion, which are more than the numbers of its file."""
    if node.type != 'Extrusion':
        return 0
    return 2 * len(node.rows('spine')) * len(node.rows('crossSection'))


def _is_sound(transform: Array) -> bool:
    """Return whether a transform is finite, and makes nothing flat or endless."""
    if not np.abs(transform).max() <= LARGEST_COORDINATE:
        return False
    lengths = np.linalg.norm(transform[:3, :3], axis=0)
    if lengths.min() == 0.0:
        return False
    return bool(abs(np.linalg.det(transform[:3, :3] / lengths)) > ROUNDING)


def _lengths(node: Node) -> Array:
    """Return the lengths of a primitive."""
    lengths = [node.numbers(name) for name in LENGTHS if name in KNOWN[node.type]]
    return np.concatenate(lengths)


def _is_bounded(points: Array) -> bool:
    return not points.size or float(np.abs(points).max()) <= LARGEST_COORDINATE


def _points(points: Array, transform: Array, length_unit: float) -> Array:
    """Move points to the frame of the scene, its axes, and meters."""
    moved = points @ transform[:3, :3].T + transform[:3, 3]
    return from_file_axes(moved) * length_unit


def _segments(indices: NDArray[np.int64], count: int) -> NDArray[np.int32]:
    """Return the lines between successive points; -1 ends a polyline."""
    pairs = np.stack((indices[:-1], indices[1:]), axis=1)
    sound = ((pairs >= 0) & (pairs < count)).all(axis=1)
    return pairs[sound].astype(np.int32)


def _moved(
    mesh: TriangleMesh, transform: Array, placing: Node | None, length_unit: float
) -> TriangleMesh:
    """Move a mesh to the frame of the scene."""
    linear = transform[:3, :3]
    # A mirror turns triangles inside out.
    order = [0, 1, 2] if np.linalg.det(linear) > 0.0 else [0, 2, 1]
    normals, coordinates = mesh.normals, mesh.texture_coordinates
    if normals is not None:
        turned = from_file_axes(normals[:, order] @ np.linalg.inv(linear))
        lengths = np.linalg.norm(turned, axis=2, keepdims=True)
        normals = turned / np.where(lengths > 0.0, lengths, 1.0)
    if coordinates is not None and placing is not None:
        matrix = texture_transform(placing)
        coordinates = coordinates @ matrix[:2, :2].T + matrix[:2, 2]
    return TriangleMesh(
        _points(mesh.vertices, transform, length_unit),
        mesh.triangles[:, order],
        normals,
        None if coordinates is None else coordinates[:, order],
        None if mesh.colors is None else mesh.colors[:, order],
        mesh.two_sided,
    )


def _primitive(node: Node, transform: Array, length_unit: float) -> _Placed | None:
    """Return a box, cylinder or sphere if it is still one under the transform."""
    if node.type not in {'Box', 'Cylinder', 'Sphere'}:
        return None
    linear = AXES @ transform[:3, :3] @ AXES.T
    scales = np.linalg.norm(linear, axis=0)
    rotation = linear / scales
    if np.abs(rotation.T @ rotation - np.eye(3)).max() > ROUNDING:
        return None
    # All three are their own mirror images.
    rotation[:, 0] *= np.sign(np.linalg.det(rotation))
    geometry = _scaled(node, scales * length_unit)
    if geometry is None:
        return None
    x, y, z = (AXES @ transform[:3, 3] * length_unit).tolist()
    if (rotation == np.eye(3)).all():  # the usual case, and the faster one
        return geometry, Pose((x, y, z))
    qx, qy, qz, qw = quaternion_of(rotation).tolist()
    return geometry, Pose((x, y, z), (qx, qy, qz, qw))


def _scaled(node: Node, scales: Array) -> Box | Cylinder | Sphere | None:
    """Return a primitive, scaled along x, y, z [m], or None if it is no longer one."""
    x, y, z = scales.tolist()
    round_ = abs(x - y) <= ROUNDING * max(x, y)
    if node.type == 'Box':
        width, height, depth = np.abs(node.vector('size')).tolist()
        return Box((depth * x, width * y, height * z)) if min(width, height, depth) > 0.0 else None
    radius = node.number('radius')
    if not round_ or radius <= 0.0:
        return None
    if node.type == 'Sphere':
        return Sphere(radius * x) if abs(x - z) <= ROUNDING * max(x, z) else None
    height = node.number('height')
    whole = node.flag('side') and node.flag('top') and node.flag('bottom')
    return Cylinder(radius * x, height * z) if whole and height > 0.0 else None
