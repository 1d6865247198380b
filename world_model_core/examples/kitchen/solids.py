# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Solids of the example kitchen: a geometry, its place and its color."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from world_model_core.virtual_world.values import (
    Box,
    Cylinder,
    Material,
    Part,
    Pose,
    Shape,
    Sphere,
    TriangleMesh,
)

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import Quaternion, Vector

SIDES = 24  # of a turned solid

# Rotations of 90 degrees, which turn z to x and z to y.
ALONG_X: Quaternion = (0.0, 0.5**0.5, 0.0, 0.5**0.5)
ALONG_Y: Quaternion = (-(0.5**0.5), 0.0, 0.0, 0.5**0.5)


def boards(mass: float, *boxes: Shape) -> tuple[Part, ...]:
    """
    Return parts that are fixed to each other, with a box each.

    Parameters
    ----------
    mass : float
        Of all together [kg]; it is divided by their volumes.
    *boxes : Shape
        In the frame of the thing. The first is that of the root, at its center.

    """
    volumes = [math.prod(cast('Box', each.geometry).size) for each in boxes]
    center = boxes[0].pose.position
    root, *others = (
        Part(f'part_{index}', shapes=(_moved(each, center),), mass=mass * volume / sum(volumes))
        for index, (each, volume) in enumerate(zip(boxes, volumes, strict=True), 1)
    )
    return (replace(root, pose=Pose(center)), *(replace(each, parent='part_1') for each in others))


def _moved(shape: Shape, origin: Vector) -> Shape:
    """Return a shape in a frame with another origin."""
    x, y, z = (float(each) for each in np.subtract(shape.pose.position, origin))
    return replace(shape, pose=Pose((x, y, z), shape.pose.orientation))


def single(mass: float, *shapes: Shape) -> tuple[Part, ...]:
    """Return one part with shapes."""
    return (Part('body', shapes=shapes, mass=mass),)


def box(size: Vector, center: Vector, color: Vector) -> Shape:
    """Return a box with its edges along the axes."""
    return Shape(Box(size), Pose(center), material=paint(color))


def cylinder(radius: float, length: float, center: Vector, color: Vector) -> Shape:
    """Return an upright cylinder."""
    return Shape(Cylinder(radius, length), Pose(center), material=paint(color))


def sphere(radius: float, center: Vector, color: Vector) -> Shape:
    """Return a sphere."""
    return Shape(Sphere(radius), Pose(center), material=paint(color))


def paint(color: Vector, emission: Vector = (0.0, 0.0, 0.0)) -> Material:
    """Return an opaque material."""
    return Material((*color, 1.0), emission)


def turned(profile: tuple[tuple[float, float], ...]) -> TriangleMesh:
    """
    Turn a profile around the z axis.

    Parameters
    ----------
    profile : tuple of tuple of float
        Radius and height [m] of its points, from the axis at the bottom, along the outside, to the
        axis again. The first and last radius are 0, all others are positive.

    Returns
    -------
    TriangleMesh
        A closed solid.

    """
    angles = 2.0 * np.pi * np.arange(SIDES) / SIDES
    around = np.column_stack((np.cos(angles), np.sin(angles), np.zeros(SIDES)))
    rings = [radius * around + (0.0, 0.0, height) for radius, height in profile[1:-1]]
    ends = [(0.0, 0.0, height) for _, height in (profile[0], profile[-1])]
    vertices = np.concatenate((*rings, ends))
    return TriangleMesh(vertices, np.array(_turned_faces(len(rings)), dtype=np.int32))


def _turned_faces(rings: int) -> list[tuple[int, int, int]]:
    """Connect rings of vertices to each other, and the first and the last to an end each."""
    start, end = rings * SIDES, rings * SIDES + 1
    faces = []
    for side in range(SIDES):
        after = (side + 1) % SIDES
        faces.append((start, after, side))
        for ring in range(rings - 1):
            low, high = ring * SIDES, (ring + 1) * SIDES
            faces.append((low + side, low + after, high + after))
            faces.append((low + side, high + after, high + side))
        last = (rings - 1) * SIDES
        faces.append((end, last + side, last + after))
    return faces
