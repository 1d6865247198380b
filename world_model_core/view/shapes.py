# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes of robots and arrows; each face has vertices of its own, so that the edges show."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.occlusion import ROBOT_HEIGHT, ROBOT_RADIUS
from world_model_core.view.batches import MarkMesh

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['ARROW', 'RING', 'ROBOT_DIAMETER', 'ROUND_ROBOT', 'SOCCER_ROBOT', 'prism']

# Distance of the flat front of a robot, where ball and dribbler are, from its center [m].
FRONT = 0.065
# Of robots in a plane: diameter and height, and how far ahead the nose is of the center [m].
ROBOT_DIAMETER, ROUND_HEIGHT, NOSE = 0.2, 0.1, 0.18
# Where the nose leaves the circle [rad].
NOSE_ANGLE = math.radians(35.0)
# Edges of the round part of an outline.
EDGES = 26
# Edges of a ring, and its inner radius if the outer one is 1.
RING_EDGES, RING_INNER = 32, 0.82
# Of an arrow of length 1: half its width, half the width of its head and where the head begins.
SHAFT, HEAD, NECK = 0.5, 1.25, 0.75


def prism(
    outline: Array, bottom: float, top: float, center: tuple[float, float] = (0.0, 0.0)
) -> MarkMesh:
    """
    Return an upright prism with a top, but without a bottom, which stands on the ground.

    Parameters
    ----------
    outline : array, shape (k, 2)
        Corners, counter-clockwise from above [m].
    bottom, top : float
        Heights [m].
    center : tuple of float
        A point from which the whole outline can be seen (x, y) [m].

    """
    count = len(outline)
    following = np.roll(outline, -1, axis=0)
    # Four vertices for each wall: begin and end below, end and begin above.
    walls = np.empty((count, 4, 3))
    walls[:, (0, 3), :2], walls[:, (1, 2), :2] = outline[:, None], following[:, None]
    walls[:, :2, 2], walls[:, 2:, 2] = bottom, top
    lid = np.column_stack((outline, np.full(count, top)))
    two = np.array((0, 1, 2, 0, 2, 3)).reshape(2, 1, 3)
    sides = (two + 4 * np.arange(count)[:, None]).reshape(-1, 3)
    corner = 4 * count + np.arange(count)
    fan = np.column_stack((np.full(count, 5 * count), corner, np.roll(corner, -1)))
    vertices = np.concatenate((walls.reshape(-1, 3), lid, [(*center, top)]))
    return MarkMesh(vertices, np.concatenate((sides, fan)))


def _soccer_robot() -> Array:
    """Return the outline of a robot: a circle with a flat front ahead."""
    half = math.acos(FRONT / ROBOT_RADIUS)
    angles = np.linspace(half, 2.0 * math.pi - half, EDGES + 1)
    return ROBOT_RADIUS * np.column_stack((np.cos(angles), np.sin(angles)))


def _round_robot() -> Array:
    """Return the outline of a robot: a circle with a nose ahead, as the lecture draws them."""
    angles = np.linspace(NOSE_ANGLE, 2.0 * math.pi - NOSE_ANGLE, EDGES + 1)
    circle = 0.5 * ROBOT_DIAMETER * np.column_stack((np.cos(angles), np.sin(angles)))
    return np.concatenate((circle, [(NOSE, 0.0)]))


def _ring() -> MarkMesh:
    """Return a flat ring of radius 1 on the ground."""
    angles = np.linspace(0.0, 2.0 * math.pi, RING_EDGES, endpoint=False)
    circle = np.column_stack((np.cos(angles), np.sin(angles), np.zeros(RING_EDGES)))
    inner = np.arange(RING_EDGES)
    following = np.roll(inner, -1)
    outer, beyond = inner + RING_EDGES, following + RING_EDGES
    halves = ((inner, outer, beyond), (inner, beyond, following))
    triangles = np.concatenate([np.column_stack(half) for half in halves])
    return MarkMesh(np.concatenate((RING_INNER * circle, circle)), triangles)


# A ring around what is small.
RING = _ring()
# A robot of the league, heading along x: the largest allowed.
SOCCER_ROBOT = prism(_soccer_robot(), 0.0, ROBOT_HEIGHT)
# A robot with a nose along x.
ROUND_ROBOT = prism(_round_robot(), 0.0, ROUND_HEIGHT)
# A flat arrow from the origin to (1, 0, 0): scaled by its length, its width and its thickness.
ARROW = prism(
    np.array(
        (
            (0.0, -SHAFT), (NECK, -SHAFT), (NECK, -HEAD), (1.0, 0.0),
            (NECK, HEAD), (NECK, SHAFT), (0.0, SHAFT),
        )
    ),
    -0.5,
    0.5,
    (0.5 * (NECK + 1.0), 0.0),
)  # fmt: skip
