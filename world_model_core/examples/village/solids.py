# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Mesh of the example scene: ground, and houses and trees as simple solids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.geometry.mesh import Mesh
from world_model_core.examples.village.houses import EAVES, PITCH
from world_model_core.examples.village.plan import HOUSES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from world_model_core.examples.village.plan import VillageHouse
    from world_model_core.examples.village.trees import Tree
    from world_model_core.gaussian import Array

SIDES = 7  # number of sides of a crown or trunk
SUNK = 0.5  # depth of houses and trunks below the ground, for slopes [m]
TRUNK, BARK = 0.18, (0.36, 0.27, 0.19)  # radius [m], and color
# Rings of a crown from its base up: relative height and radius.
CONE, BALL = (((0.0, 1.0), (1.0, 0.02)), ((0.0, 0.35), (0.25, 0.9), (0.6, 1.0), (1.0, 0.3)))


def solids(ground: Mesh, trees: tuple[Tree, ...], ground_color: Array) -> Mesh:
    """
    Return the mesh of the scene.

    Parameters
    ----------
    ground : Mesh
    trees : tuple of Tree
    ground_color : array, shape (n, 3)
        Color of each vertex of the ground, 0 to 1.

    """
    parts = [Mesh(ground.vertices, ground.faces, _bytes(ground_color))]
    parts += [part for house in HOUSES for part in (_walls(house), _roof(house))]
    parts += [part for tree in trees for part in (_trunk(tree), _crown(tree))]
    return _join_meshes(parts)


def _walls(house: VillageHouse) -> Mesh:
    half_length, half_width = np.array(house.size) / 2.0
    # Outline of both gable ends.
    ridge = house.wall + PITCH * half_width
    outline = np.array(
        ((-half_width, -SUNK), (half_width, -SUNK), (half_width, house.wall), (0.0, ridge),
         (-half_width, house.wall))
    )  # fmt: skip
    return _in_map(house, _prism(outline, half_length), house.wall_color)


def _roof(house: VillageHouse) -> Mesh:
    half_length, half_width = np.array(house.size) / 2.0
    eaves = half_width + EAVES
    outline = np.array(
        ((-eaves, house.wall - PITCH * EAVES), (eaves, house.wall - PITCH * EAVES),
         (0.0, house.wall + PITCH * half_width + 0.15))
    )  # fmt: skip
    return _in_map(house, _prism(outline, half_length + EAVES), house.roof_color)


def _trunk(tree: Tree) -> Mesh:
    top = tree.crown_base + 0.3 * tree.height
    return _revolved(tree.foot, np.array(((-SUNK, TRUNK), (top, 0.6 * TRUNK))), BARK)


def _crown(tree: Tree) -> Mesh:
    crown = np.array((tree.height - tree.crown_base, tree.radius))
    rings = np.array(CONE if tree.conifer else BALL) * crown + np.array((tree.crown_base, 0.0))
    return _revolved(tree.foot, rings, tree.color)


def _prism(outline: Array, half_length: float) -> Mesh:
    """Extrude a convex outline, counter-clockwise as seen from +x, along x in both directions."""
    count = len(outline)
    vertices = np.array([(x, *point) for x in (-half_length, half_length) for point in outline])
    return Mesh(vertices.astype(np.float32), _closed_faces(2, count))


def _revolved(foot: Array, rings: Array, color: ArrayLike) -> Mesh:
    """Return a solid of revolution of rings, shape (n, 2): height and radius from below [m]."""
    angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
    around = np.column_stack((np.cos(angle), np.sin(angle)))
    vertices = np.array([(*(radius * side), z) for z, radius in rings for side in around])
    faces = _closed_faces(len(rings), SIDES)
    return _colored(Mesh((vertices + foot).astype(np.float32), faces), color)


def _closed_faces(rings: int, count: int) -> NDArray[np.int32]:
    """Return faces, shape (n, 3), that connect rings of vertices to a closed body."""
    faces = []
    for ring in range(rings - 1):
        for side in range(count):
            here, neighbor = ring * count + side, ring * count + (side + 1) % count
            faces += [(here, neighbor, neighbor + count), (here, neighbor + count, here + count)]
    last = (rings - 1) * count
    faces += [(0, side + 1, side) for side in range(1, count - 1)]
    faces += [(last, last + side, last + side + 1) for side in range(1, count - 1)]
    return np.array(faces, dtype=np.int32)


def _in_map(house: VillageHouse, mesh: Mesh, color: ArrayLike) -> Mesh:
    vertices = house.to_map(mesh.vertices.astype(np.float64)).astype(np.float32)
    return _colored(Mesh(vertices, mesh.faces), color)


def _colored(mesh: Mesh, color: ArrayLike) -> Mesh:
    colors = _bytes(np.broadcast_to(color, mesh.vertices.shape))
    return Mesh(mesh.vertices, mesh.faces, colors)


def _bytes(colors: Array) -> NDArray[np.uint8]:
    return np.asarray(np.clip(np.round(255.0 * colors), 0, 255).astype(np.uint8))


def _join_meshes(parts: list[Mesh]) -> Mesh:
    first = np.cumsum([0, *(len(each.vertices) for each in parts[:-1])])
    faces = [each.faces + begin for each, begin in zip(parts, first, strict=True)]
    colors = [each.colors for each in parts if each.colors is not None]
    return Mesh(
        np.concatenate([each.vertices for each in parts]),
        np.concatenate(faces).astype(np.int32),
        np.concatenate(colors),
    )
