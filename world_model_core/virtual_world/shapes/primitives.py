# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Box, cone, cylinder and sphere as face sets, with the texture coordinates of VRML97."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.shapes.faces import CornerValues, FaceSet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.shapes.nodes import Node

__all__ = ['PRIMITIVES']

# Parts of a full turn, and of a half turn from pole to pole.
AROUND, DOWN = 32, 16
# Between the angle of adjacent parts of a turn and that of an edge [rad].
CREASE = 0.5
# Corners of the faces of a box (VRML97, 6.6), each from the lower left one as seen from outside.
BOX_FACES = (
    ((-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)),  # front
    ((1, -1, -1), (-1, -1, -1), (-1, 1, -1), (1, 1, -1)),  # back
    ((-1, -1, -1), (-1, -1, 1), (-1, 1, 1), (-1, 1, -1)),  # left
    ((1, -1, 1), (1, -1, -1), (1, 1, -1), (1, 1, 1)),  # right
    ((-1, 1, 1), (1, 1, 1), (1, 1, -1), (-1, 1, -1)),  # top
    ((-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1)),  # bottom
)
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
# A face: at each corner the number of a point, and the texture coordinates.
_Face = list[tuple[int, tuple[float, float]]]


def box(node: Node) -> FaceSet:
    """Return the faces of a box."""
    corners = np.array(BOX_FACES, dtype=np.float64).reshape(-1, 3) * node.vector('size') / 2.0
    faces = [[(4 * face + at, SQUARE[at]) for at in range(4)] for face in range(len(BOX_FACES))]
    return _face_set(corners, faces, 0.0)


def cylinder(node: Node) -> FaceSet:
    """Return the faces of a cylinder along y."""
    radius, half = node.number('radius'), node.number('height') / 2.0
    points = np.concatenate((_ring(radius, -half), _ring(radius, half)))
    faces: list[_Face] = []
    if node.flag('side'):
        faces += [_quad(part, 0, 1, 0.0, 1.0) for part in range(AROUND)]
    if node.flag('top'):
        faces.append(_disc(AROUND, up=True))
    if node.flag('bottom'):
        faces.append(_disc(0, up=False))
    return _face_set(points, faces, CREASE)


def cone(node: Node) -> FaceSet:
    """Return the faces of a cone along y."""
    radius, half = node.number('bottomRadius'), node.number('height') / 2.0
    points = np.concatenate((_ring(radius, -half), ((0.0, half, 0.0),)))
    faces: list[_Face] = []
    if node.flag('side'):
        for part in range(AROUND):
            low, right, _, _ = _quad(part, 0, 0, 0.0, 1.0)
            faces.append([low, right, (AROUND, ((part + 0.5) / AROUND, 1.0))])
    if node.flag('bottom'):
        faces.append(_disc(0, up=False))
    return _face_set(points, faces, CREASE)


def sphere(node: Node) -> FaceSet:
    """Return the faces of a sphere; the rings at the poles are points."""
    radius = node.number('radius')
    angles = np.pi * np.arange(DOWN + 1) / DOWN
    rings = [_ring(radius * np.sin(angle), -radius * np.cos(angle)) for angle in angles]
    rings[0][:] = 0.0, -radius, 0.0
    rings[-1][:] = 0.0, radius, 0.0
    faces = []
    for row in range(DOWN):
        for part in range(AROUND):
            face = _quad(part, row, row + 1, row / DOWN, (row + 1) / DOWN)
            if row in {0, DOWN - 1}:  # one edge is a point
                del face[1 if row == 0 else 2]
            faces.append(face)
    return _face_set(np.concatenate(rings), faces, np.pi)


# The faces of a node, by its type.
PRIMITIVES: Mapping[str, Callable[[Node], FaceSet]] = {
    'Box': box,
    'Cone': cone,
    'Cylinder': cylinder,
    'Sphere': sphere,
}


def _ring(radius: float, height: float) -> Array:
    """Return points from the back (-z) on, counterclockwise as seen from above."""
    angles = 2.0 * np.pi * np.arange(AROUND) / AROUND
    x, z = -radius * np.sin(angles), -radius * np.cos(angles)
    return np.stack((x, np.full(AROUND, height), z), axis=1)


def _quad(part: int, low: int, high: int, bottom: float, top: float) -> _Face:
    """Return a face between two rings of points; texture coordinates begin at the back."""
    following = (part + 1) % AROUND
    s, next_s = part / AROUND, (part + 1) / AROUND
    return [
        (low * AROUND + part, (s, bottom)),
        (low * AROUND + following, (next_s, bottom)),
        (high * AROUND + following, (next_s, top)),
        (high * AROUND + part, (s, top)),
    ]


def _disc(first: int, *, up: bool) -> _Face:
    """Return the face inside of a ring of points; its texture is a circle of the picture."""
    unit = _ring(0.5, 0.0)
    sign = -1.0 if up else 1.0
    around = range(AROUND) if up else range(AROUND - 1, -1, -1)
    return [
        (first + at, (0.5 + float(unit[at, 0]), 0.5 + sign * float(unit[at, 2]))) for at in around
    ]


def _face_set(points: Array, faces: list[_Face], crease_angle: float) -> FaceSet:
    corners = [corner for face in faces for corner in (*face, None)]
    indices = np.array([-1 if each is None else each[0] for each in corners], dtype=np.int64)
    coordinates = np.array([(0.0, 0.0) if each is None else each[1] for each in corners])
    places = np.where(indices < 0, -1, np.arange(indices.size))
    return FaceSet(
        points,
        indices,
        crease_angle=crease_angle,
        texture_coordinates=CornerValues(coordinates.reshape(-1, 2), places),
    )
