# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The example scene in triangles: its ground, and houses and trees as simple solids."""

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

SIDES = 7  # of a crown or trunk
SUNK = 0.5  # how deep houses and trunks reach into the ground, where it slopes [m]
TRUNK, BARK = 0.18, (0.36, 0.27, 0.19)  # radius [m], and colour
# Rings of a crown from its base up: height and radius, as parts of its own.
CONE, BALL = (((0.0, 1.0), (1.0, 0.02)), ((0.0, 0.35), (0.25, 0.9), (0.6, 1.0), (1.0, 0.3)))


def solids(ground: Mesh, trees: tuple[Tree, ...], ground_color: Array) -> Mesh:
    """
    Put everything together.

    Parameters
    ----------
    ground : Mesh
    trees : tuple of Tree
    ground_color : array, shape (n, 3)
        Of each vertex of the ground, 0 to 1.

    """
    parts = [Mesh(ground.vertices, ground.faces, _bytes(ground_color))]
    parts += [part for house in HOUSES for part in (_walls(house), _roof(house))]
    parts += [part for tree in trees for part in (_trunk(tree), _crown(tree))]
    return _together(parts)


def _walls(house: VillageHouse) -> Mesh:
    half_length, half_width = np.array(house.size) / 2.0
    # One end's outline from the side, and the same at the other end.
    ridge = house.wall + PITCH * half_width
    outline = np.array(
        ((-half_width, -SUNK), (half_width, -SUNK), (half_width, house.wall), (0.0, ridge),
         (-half_width, house.wall))
    )  # fmt: skip
    return _placed(house, _prism(outline, half_length), house.wall_color)


def _roof(house: VillageHouse) -> Mesh:
    half_length, half_width = np.array(house.size) / 2.0
    eaves = half_width + EAVES
    outline = np.array(
        ((-eaves, house.wall - PITCH * EAVES), (eaves, house.wall - PITCH * EAVES),
         (0.0, house.wall + PITCH * half_width + 0.15))
    )  # fmt: skip
    return _placed(house, _prism(outline, half_length + EAVES), house.roof_color)


def _trunk(tree: Tree) -> Mesh:
    top = tree.crown_base + 0.3 * tree.height
    return _turned(tree.foot, np.array(((-SUNK, TRUNK), (top, 0.6 * TRUNK))), BARK)


def _crown(tree: Tree) -> Mesh:
    crown = np.array((tree.height - tree.crown_base, tree.radius))
    rings = np.array(CONE if tree.conifer else BALL) * crown + np.array((tree.crown_base, 0.0))
    return _turned(tree.foot, rings, tree.color)


def _prism(outline: Array, half_length: float) -> Mesh:
    """Draw an outline, convex and counter-clockwise as seen from +x, out along x both ways."""
    count = len(outline)
    vertices = np.array([(x, *point) for x in (-half_length, half_length) for point in outline])
    return Mesh(vertices.astype(np.float32), _sleeve(2, count))


def _turned(foot: Array, rings: Array, color: ArrayLike) -> Mesh:
    """Turn rings, shape (n, 2) of height and radius from below [m], about the vertical."""
    angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
    around = np.column_stack((np.cos(angle), np.sin(angle)))
    vertices = np.array([(*(radius * side), z) for z, radius in rings for side in around])
    faces = _sleeve(len(rings), SIDES)
    return _colored(Mesh((vertices + foot).astype(np.float32), faces), color)


def _sleeve(rings: int, count: int) -> NDArray[np.int32]:
    """Join rings of vertices, the first seen from behind, to a closed body: faces, (n, 3)."""
    faces = []
    for ring in range(rings - 1):
        for side in range(count):
            here, beside = ring * count + side, ring * count + (side + 1) % count
            faces += [(here, beside, beside + count), (here, beside + count, here + count)]
    last = (rings - 1) * count
    faces += [(0, side + 1, side) for side in range(1, count - 1)]
    faces += [(last, last + side, last + side + 1) for side in range(1, count - 1)]
    return np.array(faces, dtype=np.int32)


def _placed(house: VillageHouse, mesh: Mesh, color: ArrayLike) -> Mesh:
    vertices = house.placed(mesh.vertices.astype(np.float64)).astype(np.float32)
    return _colored(Mesh(vertices, mesh.faces), color)


def _colored(mesh: Mesh, color: ArrayLike) -> Mesh:
    colors = _bytes(np.broadcast_to(color, mesh.vertices.shape))
    return Mesh(mesh.vertices, mesh.faces, colors)


def _bytes(colors: Array) -> NDArray[np.uint8]:
    return np.asarray(np.clip(np.round(255.0 * colors), 0, 255).astype(np.uint8))


def _together(parts: list[Mesh]) -> Mesh:
    first = np.cumsum([0, *(len(each.vertices) for each in parts[:-1])])
    faces = [each.faces + begin for each, begin in zip(parts, first, strict=True)]
    colors = [each.colors for each in parts if each.colors is not None]
    return Mesh(
        np.concatenate([each.vertices for each in parts]),
        np.concatenate(faces).astype(np.int32),
        np.concatenate(colors),
    )
