# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Pieces of shapes of a virtual world, of which batches are made: boxes, balls, meshes..."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from world_model_core.view.batches import Boxes, Cylinders, Ellipsoids, Meshes
from world_model_core.view.poses import rotate
from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Cylinder,
    LineSet,
    Plane,
    Pose,
    Sphere,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.view.batches import Batch, Colors, MarkMesh
    from world_model_core.view.virtual_meshes import ColoredMesh
    from world_model_core.virtual_world.values import Shape, TriangleMesh, Vector

__all__ = ['MeshMarks', 'Piece', 'PieceGroup', 'group_of', 'pieces_of']

# Endless planes are shown as squares of this size and thickness [m].
PLANE = (30.0, 30.0, 0.002)
BOXES, SPHERES, CYLINDERS = 'boxes', 'spheres', 'cylinders'
# Upper corners of the boxes around pieces of size 1, and which corners of a box are the upper
# ones along x, y and z, shape (8, 3).
HALVES = {BOXES: (0.5, 0.5, 0.5), SPHERES: (1.0, 1.0, 1.0), CYLINDERS: (1.0, 1.0, 0.5)}
CORNERS = np.array(list(itertools.product((False, True), repeat=3)))

Color: TypeAlias = tuple[float, float, float, float]
MeshMarks: TypeAlias = 'Mapping[TriangleMesh, tuple[ColoredMesh, ...]]'


class Piece(NamedTuple):
    """
    An instance of a batch.

    Attributes
    ----------
    batch : str
        Name of the batch, which is its kind.
    pose : Pose
        In the frame of the part.
    size : tuple of float
        Of a box: its edges; of a sphere: its radius, three times; of a cylinder: its radius,
        twice, and its length [m]; of a mesh: scales.
    color : tuple of float
        RGBA from 0 to 1.
    mesh : MarkMesh, optional
        None: the batch has none.

    """

    batch: str
    pose: Pose
    size: Vector
    color: Color
    mesh: MarkMesh | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PieceGroup:
    """
    The pieces of a batch.

    Attributes
    ----------
    kind : str
        Name of the batch of each piece.
    mesh : MarkMesh, optional
    ids : tuple of str
        Names of their entities.
    sizes : array, shape (n, 3)
    colors : array of uint8, shape (n, 4)

    """

    kind: str
    mesh: MarkMesh | None
    ids: tuple[str, ...]
    sizes: Array
    colors: Colors

    def batch(self, poses: Array) -> Batch:
        """Return the batch with the pieces at poses, shape (n, 7)."""
        ids, positions, orientations = self.ids, poses[:, :3], poses[:, 3:]
        if self.mesh is not None:
            return Meshes(self.mesh, ids, positions, orientations, self.sizes, self.colors)
        if self.kind == BOXES:
            return Boxes(ids, positions, orientations, self.sizes, self.colors)
        if self.kind == SPHERES:
            return Ellipsoids(ids, positions, orientations, self.sizes, self.colors)
        radii, heights = self.sizes[:, 0], self.sizes[:, 2]
        return Cylinders(ids, positions, orientations, radii, heights, self.colors)

    def heights(self, poses: Array) -> Array:
        """Return how high the pieces reach at poses, (n, 7), by the corners of their boxes [m]."""
        if self.mesh is None:
            upper = np.array(HALVES[self.kind])
            lower = -upper
        else:
            lower, upper = self.mesh.vertices.min(axis=0), self.mesh.vertices.max(axis=0)
        corners = np.where(CORNERS, upper, lower) * self.sizes[:, None]
        turned = rotate(np.repeat(poses[:, 3:], 8, axis=0), corners.reshape(-1, 3))
        heights: Array = poses[:, 2] + turned[:, 2].reshape(-1, 8).max(axis=1)
        return heights


def group_of(pieces: Sequence[tuple[str, Piece]]) -> PieceGroup:
    """Return the group of pieces of one batch, each with the name of its entity."""
    first = pieces[0][1]
    colors = np.array([piece.color for _, piece in pieces])
    return PieceGroup(
        first.batch,
        first.mesh,
        tuple(name for name, _ in pieces),
        np.array([piece.size for _, piece in pieces]),
        np.rint(255.0 * np.clip(colors, 0.0, 1.0)).astype(np.uint8),
    )


def pieces_of(shape: Shape, meshes: MeshMarks) -> Iterator[Piece]:
    """
    Yield the pieces by which a shape is shown; lines are not shown, as in images.

    Parameters
    ----------
    shape : Shape
    meshes : mapping of TriangleMesh to tuple of ColoredMesh
        How each mesh is shown; others are not.

    """
    geometry, pose, color = shape.geometry, shape.pose, shape.material.color
    if isinstance(geometry, Box):
        yield Piece(BOXES, pose, geometry.size, color)
    elif isinstance(geometry, Plane):
        yield Piece(BOXES, pose, PLANE, color)
    elif isinstance(geometry, Sphere):
        yield _sphere(pose, geometry.radius, color)
    elif isinstance(geometry, Cylinder | Capsule):
        radius, length = geometry.radius, geometry.length
        yield Piece(CYLINDERS, pose, (radius, radius, length), color)
        if isinstance(geometry, Capsule):
            yield _sphere(_along(pose, 0.5 * length), radius, color)
            yield _sphere(_along(pose, -0.5 * length), radius, color)
    elif not isinstance(geometry, LineSet):
        for each in meshes.get(geometry, ()):
            yield Piece(each.name, pose, (1.0, 1.0, 1.0), each.color or color, each.mesh)


def _sphere(pose: Pose, radius: float, color: Color) -> Piece:
    return Piece(SPHERES, pose, (radius, radius, radius), color)


def _along(pose: Pose, distance: float) -> Pose:
    """Return a pose moved along its axis z [m]."""
    x, y, z, w = pose.orientation
    axis = np.array((2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)))
    px, py, pz = (np.array(pose.position) + distance * axis).tolist()
    return Pose((px, py, pz), pose.orientation)
