# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Masses, centers of mass and inertias of parts, from their shapes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from world_model_core.frames import pose_transform
from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Cylinder,
    LineSet,
    Plane,
    ShapeUse,
    Sphere,
    TriangleMesh,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Entity, Geometry, Part, Shape

__all__ = ['MassProperties', 'displaced', 'mass_properties', 'thickened']

DENSITY_OF_WATER = 1000.0  # [kg/m^3]
# Sheets get a thickness, so that they have a mass [m].
THINNEST = 0.001
# A mass without a shape is spread over a sphere of this radius [m].
RADIUS_OF_POINT = 0.05


@dataclass(frozen=True, slots=True)
class MassProperties:
    """
    Mass, center of mass and inertia of a part.

    Attributes
    ----------
    mass : float
        [kg]
    center : array, shape (3,)
        In the frame of the part [m].
    inertia : array, shape (3, 3)
        About the center, along the axes of the part [kg m^2].

    """

    mass: float
    center: Array
    inertia: Array

    def scaled(self, mass: float) -> MassProperties:
        """Return the same shape with another mass."""
        return MassProperties(mass, self.center, self.inertia * (mass / self.mass))


def mass_properties(entity: Entity) -> Mapping[str, MassProperties]:
    """
    Return the mass properties of all parts of an entity by their names.

    The mass of the entity is shared by volume among the parts that have no mass of their own.
    The volume of a part is that of its colliding shapes or, if there are none, of the visible
    ones; a mesh counts as its convex hull. Shapes that overlap count twice.
    """
    solids = {part.name: _solid(part.shapes) for part in entity.parts}
    sharing = [part.name for part in entity.parts if part.mass is None]
    volume = sum(solids[name].mass for name in sharing)
    density = DENSITY_OF_WATER
    if entity.mass is not None:
        density = entity.mass / volume if volume else 0.0
    masses = {name: solids[name].mass * density for name in sharing}
    if sharing and not volume:
        masses[sharing[0]] = entity.mass or 0.0
    return {part.name: _of_part(part, solids[part.name], masses) for part in entity.parts}


def thickened(vertices: Array) -> Array:
    """Return vertices, doubled at both sides of their plane if they lie in one."""
    if not len(vertices):
        return vertices
    centered = vertices - vertices.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centered, full_matrices=True)
    flat = len(sizes) < 3 or sizes[2] <= 1e-6 * sizes[0]
    half = 0.5 * THINNEST * axes[2]
    return np.concatenate([vertices - half, vertices + half]) if flat else vertices


def _of_part(part: Part, solid: MassProperties, shares: Mapping[str, float]) -> MassProperties:
    """Return the mass properties of a part whose solid of density 1 is given."""
    mass = shares[part.name] if part.mass is None else part.mass
    if not solid.mass:
        solid = MassProperties(1.0, np.zeros(3), 0.4 * RADIUS_OF_POINT**2 * np.eye(3))
    found = solid.scaled(mass)
    center = found.center if part.center_of_mass is None else np.array(part.center_of_mass)
    inertia = found.inertia
    if part.inertia is not None:
        xx, yy, zz, xy, xz, yz = part.inertia
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return MassProperties(mass, center, inertia)


def _solid(shapes: tuple[Shape, ...]) -> MassProperties:
    """Return the mass properties of shapes of density 1."""
    solids = [shape for shape in shapes if not isinstance(shape.geometry, (LineSet, Plane))]
    colliding = [shape for shape in solids if shape.use is not ShapeUse.VISUAL]
    pieces = [_placed(shape) for shape in colliding or solids]
    volume = sum(piece.mass for piece in pieces)
    if not volume:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    center = sum((piece.mass * piece.center for piece in pieces), np.zeros(3)) / volume
    inertia = np.zeros((3, 3))
    for piece in pieces:
        inertia += piece.inertia + displaced(piece.mass, piece.center - center)
    return MassProperties(volume, center, inertia)


def _placed(shape: Shape) -> MassProperties:
    """Return the mass properties of a shape of density 1 in the frame of its part."""
    own = _of_geometry(shape.geometry)
    placed = pose_transform(shape.pose.position, shape.pose.orientation)
    turned = placed.rotation @ own.inertia @ placed.rotation.T
    return MassProperties(own.mass, placed.rotation @ own.center + placed.translation, turned)


def _of_geometry(geometry: Geometry) -> MassProperties:
    if isinstance(geometry, Box):
        return _box(np.array(geometry.size))
    if isinstance(geometry, Sphere):
        volume = 4.0 / 3.0 * math.pi * geometry.radius**3
        return _symmetric(volume, *(0.4 * volume * geometry.radius**2,) * 2)
    if isinstance(geometry, (Cylinder, Capsule)):
        return _round(geometry)
    if isinstance(geometry, TriangleMesh) and len(geometry.vertices):
        return _hull(thickened(geometry.vertices))
    return _symmetric(0.0, 0.0, 0.0)


def _symmetric(volume: float, across: float, along: float) -> MassProperties:
    return MassProperties(volume, np.zeros(3), np.diag([across, across, along]))


def _box(size: Array) -> MassProperties:
    volume = float(size.prod())
    moments = volume / 12.0 * ((size**2).sum() - size**2)
    return MassProperties(volume, np.zeros(3), np.diag(moments))


def _round(geometry: Cylinder | Capsule) -> MassProperties:
    """Return the mass properties of a cylinder, with hemispheres at its ends for a capsule."""
    radius, length = geometry.radius, geometry.length
    volume = math.pi * radius**2 * length
    along = 0.5 * volume * radius**2
    across = volume * (3.0 * radius**2 + length**2) / 12.0
    if isinstance(geometry, Cylinder):
        return _symmetric(volume, across, along)
    # Both hemispheres: as a sphere, moved apart; 3/8 r is the center of mass of a hemisphere.
    ends = 4.0 / 3.0 * math.pi * radius**3
    along += 0.4 * ends * radius**2
    across += ends * (0.4 * radius**2 + 0.25 * length**2 + 0.375 * radius * length)
    return _symmetric(volume + ends, across, along)


def _hull(vertices: Array) -> MassProperties:
    """Return the mass properties of a convex hull; lines and points count as thin boxes."""
    try:
        corners = vertices[ConvexHull(vertices).simplices]
    except (QhullError, ValueError):  # a line or a point
        lower, upper = vertices.min(axis=0), vertices.max(axis=0)
        box = _box(np.maximum(upper - lower, THINNEST))
        return MassProperties(box.mass, 0.5 * (lower + upper), box.inertia)
    inside = vertices.mean(axis=0)
    edges = corners - inside
    volumes = np.abs(np.linalg.det(edges)) / 6.0
    volume = float(volumes.sum())
    sums = edges.sum(axis=1)
    offset = np.einsum('n,ni->i', volumes, sums) / (4.0 * volume)
    # Second moments of a tetrahedron with a corner at the origin: V / 20 (sum c c^T + s s^T).
    second = np.einsum('n,nki,nkj->ij', volumes, edges, edges)
    second = (second + np.einsum('n,ni,nj->ij', volumes, sums, sums)) / 20.0
    second -= volume * np.outer(offset, offset)
    inertia = np.trace(second) * np.eye(3) - second
    return MassProperties(volume, inside + offset, inertia)


def displaced(mass: float, offset: Array) -> Array:
    """Return what an offset of the center adds to an inertia (Steiner)."""
    added: Array = mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))
    return added
