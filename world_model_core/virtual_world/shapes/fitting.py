# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Simple shapes that replace meshes in contacts: box, cylinder or sphere.

SIGVerse fits all three to all vertices, and uses the one with the least distortion ("hizumi";
humanoid segments: always the box). Here the shapes enclose the vertices, and the distortion is the
root mean square of the distances between sample points of the mesh and the surface of the shape.
The centers of the triangles are sample points as well: the eight vertices of any box lie on a
sphere, its faces do not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from world_model_core.frames import quaternion_of
from world_model_core.virtual_world.values import (
    Box,
    Cylinder,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    TriangleMesh,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Vector

    Fit: TypeAlias = Callable[[Array], 'FittedShape']

__all__ = ['FittedShape', 'fit_box', 'fit_shape', 'sample_points', 'with_simple_contacts']

# The least length of an edge, a radius or a cylinder: flat meshes, as of rugs, get a thickness.
THINNEST = 1e-3  # [m]
# A shape must be better by this part of the size to be preferred to a simpler one.
CLEARLY = 1e-3
# Rotations that turn the axis z of a cylinder to x, y and z.
_TURNS = (
    np.array(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))),
    np.array(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))),
    np.eye(3),
)


class FittedShape(NamedTuple):
    """
    A simple shape around points.

    Attributes
    ----------
    geometry : Box, Cylinder or Sphere
    pose : Pose
    distortion : float
        Root mean square distance of the points from its surface [m].

    """

    geometry: Box | Cylinder | Sphere
    pose: Pose
    distortion: float


def sample_points(mesh: TriangleMesh) -> Array:
    """Return the vertices in use and the centers of all triangles, shape (n, 3) [m]."""
    corners = mesh.vertices[mesh.triangles]
    used = mesh.vertices[np.unique(mesh.triangles)]
    return np.concatenate((used, corners.mean(axis=1)))


def with_simple_contacts(shapes: Sequence[Shape], fit: Fit) -> tuple[Shape, ...]:
    """
    Let meshes be looked at only, and add one simple shape around all of them that collides.

    Parameters
    ----------
    shapes : sequence of Shape
        Of one part; the poses of meshes are the identity. Other shapes stay as they are.
    fit : callable
        `fit_shape` or `fit_box`.

    """
    meshes = [each.geometry for each in shapes if isinstance(each.geometry, TriangleMesh)]
    looked_at = [
        replace(each, use=ShapeUse.VISUAL) if isinstance(each.geometry, TriangleMesh) else each
        for each in shapes
    ]
    points = [sample_points(mesh) for mesh in meshes if len(mesh.triangles)]
    if not points:
        return tuple(looked_at)
    fitted = fit(np.concatenate(points))
    return (*looked_at, Shape(fitted.geometry, fitted.pose, ShapeUse.COLLISION))


def fit_shape(points: Array) -> FittedShape:
    """
    Fit box, cylinders along x, y and z, and sphere, and return the one with the least distortion.

    Parameters
    ----------
    points : array, shape (n, 3)
        At least one [m].

    """
    center, half = _bounds(points)
    best, *others = _fitted(points, center, half)
    margin = CLEARLY * float(np.linalg.norm(half))
    for other in others:
        if other.distortion < best.distortion - margin:
            best = other
    return best


def fit_box(points: Array) -> FittedShape:
    """Fit a box along the axes to points, shape (n, 3) [m]: at least one."""
    center, half = _bounds(points)
    return _box(points, center, half)


def _bounds(points: Array) -> tuple[Array, Array]:
    """Return the middle and the half lengths of the bounding box."""
    low, high = points.min(axis=0), points.max(axis=0)
    return 0.5 * (low + high), np.maximum(0.5 * (high - low), 0.5 * THINNEST)


def _fitted(points: Array, center: Array, half: Array) -> Iterator[FittedShape]:
    """Fit all shapes, the simplest first."""
    yield _box(points, center, half)
    for axis in (2, 0, 1):
        yield _cylinder(points, center, half, axis)
    yield _sphere(points, center)


def _box(points: Array, center: Array, half: Array) -> FittedShape:
    distances = (half - np.abs(points - center)).min(axis=1)
    x, y, z = (float(each) for each in 2.0 * half)
    return FittedShape(Box((x, y, z)), Pose(_vector(center)), _mean_square_root(distances))


def _cylinder(points: Array, center: Array, half: Array, axis: int) -> FittedShape:
    """Fit a cylinder along an axis: 0, 1 or 2."""
    offsets = points - center
    across = np.linalg.norm(np.delete(offsets, axis, axis=1), axis=1)
    radius = max(float(across.max()), THINNEST)
    distances = np.minimum(radius - across, half[axis] - np.abs(offsets[:, axis]))
    x, y, z, w = (float(each) for each in quaternion_of(_TURNS[axis]))
    pose = Pose(_vector(center), (x, y, z, w))
    cylinder = Cylinder(radius, 2.0 * float(half[axis]))
    return FittedShape(cylinder, pose, _mean_square_root(distances))


def _sphere(points: Array, center: Array) -> FittedShape:
    lengths = np.linalg.norm(points - center, axis=1)
    radius = max(float(lengths.max()), THINNEST)
    return FittedShape(Sphere(radius), Pose(_vector(center)), _mean_square_root(radius - lengths))


def _mean_square_root(distances: Array) -> float:
    return float(np.sqrt(np.mean(distances**2)))


def _vector(array: Sequence[float] | Array) -> Vector:
    x, y, z = (float(each) for each in array)
    return (x, y, z)
