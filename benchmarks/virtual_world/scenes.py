# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Worlds that the benchmarks share, made by code.

`free_bodies_and_humanoid` is the scene of most figures: 20 free bodies that fall on the floor, and
a humanoid with 20 joints that falls over.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Cylinder,
    Entity,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    TriangleMesh,
    Vector,
    World,
)

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

FREE_BODIES = 20
# Grid of free bodies and of things with meshes: number in a row, distance [m].
ROW, SPACING = 5, 0.4
# Radius of things with meshes [m], and subdivisions of an icosahedron: 20 * 4^3 = 1,280 triangles.
THING_RADIUS, SUBDIVISIONS = 0.1, 3
JOINT_DAMPING = 0.8  # [N m s/rad]

ALONG_X, ALONG_Y, ALONG_Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Limb(NamedTuple):
    """
    A part of the humanoid that a hinge moves.

    Attributes
    ----------
    name, parent : str
    position : tuple of float
        Of the joint, in the frame of the parent [m].
    axis : tuple of float
    lower, upper : float
        Limits [rad].
    center, radius, length : tuple of float, float, float
        Of its vertical capsule, in its own frame [m].
    mass : float
        [kg]

    """

    name: str
    parent: str
    position: Vector
    axis: Vector
    lower: float
    upper: float
    center: Vector
    radius: float
    length: float
    mass: float


SPINE = (
    Limb(
        'waist', 'pelvis', (0.0, 0.0, 0.1), ALONG_Z, -0.8, 0.8, (0.0, 0.0, 0.06), 0.12, 0.04, 8.0
    ),
    Limb(
        'chest', 'waist', (0.0, 0.0, 0.15), ALONG_Y, -0.5, 1.0, (0.0, 0.0, 0.15), 0.14, 0.12, 18.0
    ),
    Limb('neck', 'chest', (0.0, 0.0, 0.33), ALONG_Y, -0.6, 0.6, (0.0, 0.0, 0.04), 0.05, 0.04, 1.0),
    Limb('head', 'neck', (0.0, 0.0, 0.1), ALONG_Z, -1.2, 1.2, (0.0, 0.0, 0.1), 0.09, 0.04, 4.0),
)
# Of the left side; the right side is its mirror image.
ARM_AND_LEG = (
    Limb('shoulder', 'chest', (0.0, 0.2, 0.26), ALONG_X, -0.3, 2.8, (0.0, 0.02, 0.0), 0.06, 0.01,
         1.0),
    Limb('upper_arm', 'shoulder', (0.0, 0.05, 0.0), ALONG_Y, -3.0, 1.0, (0.0, 0.0, -0.15), 0.05,
         0.2, 2.0),
    Limb('forearm', 'upper_arm', (0.0, 0.0, -0.3), ALONG_Y, -2.4, 0.0, (0.0, 0.0, -0.13), 0.04,
         0.18, 1.2),
    Limb('hand', 'forearm', (0.0, 0.0, -0.27), ALONG_Y, -1.0, 1.0, (0.0, 0.0, -0.06), 0.04, 0.05,
         0.5),
    Limb('thigh', 'pelvis', (0.0, 0.1, -0.06), ALONG_Y, -2.0, 0.5, (0.0, 0.0, -0.21), 0.075, 0.25,
         8.0),
    Limb('shin', 'thigh', (0.0, 0.0, -0.42), ALONG_Y, 0.0, 2.4, (0.0, 0.0, -0.2), 0.055, 0.26,
         4.0),
    Limb('foot', 'shin', (0.0, 0.0, -0.42), ALONG_Y, -0.8, 0.6, (0.02, 0.0, -0.02), 0.045, 0.02,
         1.0),
    Limb('toes', 'foot', (0.12, 0.0, -0.03), ALONG_Y, -0.6, 0.3, (0.02, 0.0, 0.0), 0.03, 0.02,
         0.3),
)  # fmt: skip


def free_bodies_and_humanoid() -> World:
    """Make 20 free bodies above the floor, and a humanoid with 20 joints next to them."""
    bodies = tuple(_free_body(index) for index in range(FREE_BODIES))
    return World('free bodies and humanoid', (*bodies, _humanoid()))


def things_with_meshes(count: int) -> World:
    """Make a number of things that collide as boxes and have 1,280 triangles to look at."""
    things = (mesh_thing(f'thing{index}', _grid(index, THING_RADIUS)) for index in range(count))
    return World('things with meshes', tuple(things))


def mesh_thing(name: str, position: Vector) -> Entity:
    """Make a thing that collides as a box and has 1,280 triangles to look at."""
    looks = Shape(_ball_mesh(), use=ShapeUse.VISUAL)
    collides = Shape(Box((2.0 * THING_RADIUS,) * 3), use=ShapeUse.COLLISION)
    part = Part('body', shapes=(looks, collides))
    return Entity(name, 'thing', pose=Pose(position), parts=(part,), mass=1.0)


def _humanoid() -> Entity:
    """Make a humanoid with 20 hinges, which stands at x = -1 m."""
    pelvis = Part('pelvis', shapes=(Shape(Box((0.2, 0.3, 0.2))),), mass=10.0)
    limbs = (*SPINE, *ARM_AND_LEG, *(_mirrored(limb) for limb in ARM_AND_LEG))
    parts = (pelvis, *(_part(limb) for limb in limbs))
    return Entity('humanoid', 'person', pose=Pose((-1.0, 0.0, 0.98)), parts=parts)


def _free_body(index: int) -> Entity:
    """Make a box, a sphere, a cylinder or a capsule, in turn."""
    size = 0.05 + 0.005 * index
    geometries = (
        Box((2.0 * size, 1.6 * size, 1.2 * size)),
        Sphere(size),
        Cylinder(size, 2.0 * size),
        Capsule(0.6 * size, size),
    )
    part = Part('body', shapes=(Shape(geometries[index % len(geometries)]),))
    pose = Pose(_grid(index, 0.3))
    return Entity(f'body{index}', 'thing', pose=pose, parts=(part,), mass=0.2 + 0.1 * index)


def _grid(index: int, height: float) -> Vector:
    """Return a place in rows of five."""
    row, column = divmod(index, ROW)
    return (SPACING * row, SPACING * (column - ROW // 2), height)


def _part(limb: Limb) -> Part:
    joint = Joint(
        f'{limb.name}_joint',
        JointKind.HINGE,
        axis=limb.axis,
        lower=limb.lower,
        upper=limb.upper,
        damping=JOINT_DAMPING,
    )
    shape = Shape(Capsule(limb.radius, limb.length), Pose(limb.center))
    return Part(limb.name, limb.parent, Pose(limb.position), joint, (shape,), mass=limb.mass)


def _mirrored(limb: Limb) -> Limb:
    """Mirror a limb of the left side at the xz plane; a hinge along x turns the other way."""
    x, y, z = limb.position
    center = (limb.center[0], -limb.center[1], limb.center[2])
    lower, upper = (-limb.upper, -limb.lower) if limb.axis == ALONG_X else (limb.lower, limb.upper)
    sides = {each.name for each in ARM_AND_LEG}
    return limb._replace(
        name=f'right_{limb.name}',
        parent=f'right_{limb.parent}' if limb.parent in sides else limb.parent,
        position=(x, -y, z),
        center=center,
        lower=lower,
        upper=upper,
    )


@cache
def _ball_mesh() -> TriangleMesh:
    """Make a sphere by subdividing the triangles of an icosahedron."""
    ratio = (1.0 + 5.0**0.5) / 2.0
    corners = np.array([(0.0, a, b * ratio) for a in (-1.0, 1.0) for b in (-1.0, 1.0)])
    points = np.concatenate([np.roll(corners, turn, axis=1) for turn in range(3)])
    for _ in range(SUBDIVISIONS):
        faces = _outward(points)
        edges = np.concatenate([faces[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
        edges = np.unique(np.sort(edges, axis=1), axis=0)
        points = np.concatenate((points, points[edges].mean(axis=1)))
        points /= np.linalg.norm(points, axis=1, keepdims=True) / THING_RADIUS
    return TriangleMesh(points, _outward(points).astype(np.int32))


def _outward(points: Array) -> Array:
    """Return the triangles of the convex hull of points, counterclockwise from outside."""
    faces = ConvexHull(points).simplices
    first, second, third = np.moveaxis(points[faces], 1, 0)
    inward = np.einsum('ij,ij->i', np.cross(second - first, third - first), first) < 0.0
    return np.where(inward[:, None], faces[:, ::-1], faces)
