# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks of the nodes of a glTF scene, which must be trees with at most one parent for each node.

In other graphs a reader would not terminate, or would repeat one mesh without end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.files.parsed_document import ValueLocation

__all__ = ['check_nodes']

# Levels of nodes; scenes of buildings have ten.
DEEPEST = 256
# In all nodes together; a triangle takes 100 bytes while it is read.
MOST_TRIANGLES = 100_000_000


def check_nodes(gltf: dict[str, Any], triangles: Sequence[int], location: ValueLocation) -> None:
    """
    Check the nodes of the default scene, and the number of their triangles.

    Parameters
    ----------
    gltf : dict
        With 'nodes', 'scenes' and 'scene'.
    triangles : sequence of int
        Number of triangles of each mesh.
    location : ValueLocation
        The whole document.

    """
    nodes, scenes = gltf['nodes'], gltf['scenes']
    if not scenes:
        location.member('scenes').report('Mesh.NoScene')
        return
    if gltf['scene'] >= len(scenes):
        location.member('scene').report('Mesh.NoSuchItem', found=gltf['scene'], limit=len(scenes))
        return
    where = location.member('scenes').member(gltf['scene']).member('nodes')
    level = _take(scenes[gltf['scene']]['nodes'], where, set(), len(nodes))
    _check_trees(nodes, level, triangles, location)


def _check_trees(
    nodes: Sequence[dict[str, Any]],
    level: list[int] | None,
    triangles: Sequence[int],
    location: ValueLocation,
) -> None:
    """Check the trees level by level."""
    seen: set[int] = set()
    total = depth = 0
    where = location.member('nodes')
    while level:
        depth += 1
        below: list[int] = []
        seen.update(level)
        for index in level:
            mesh = nodes[index]['mesh']
            if mesh is not None and mesh >= len(triangles):
                here = where.member(index).member('mesh')
                here.report('Mesh.NoSuchItem', found=mesh, limit=len(triangles))
                return
            total += 0 if mesh is None else triangles[mesh]
            children = _take(
                nodes[index]['children'], where.member(index).member('children'), seen, len(nodes)
            )
            if children is None:
                return
            seen.update(children)
            below += children
        if depth > DEEPEST:
            where.member(level[0]).report('Mesh.NodesTooDeep', limit=DEEPEST)
            return
        level = below
    if total > MOST_TRIANGLES:
        location.report('Mesh.TooManyTriangles', found=total, limit=MOST_TRIANGLES)


def _take(
    indices: Sequence[int], location: ValueLocation, seen: set[int], count: int
) -> list[int] | None:
    """Return nodes that exist and have no other parent; None after an error."""
    taken: set[int] = set()
    for number, index in enumerate(indices):
        if index >= count:
            location.member(number).report('Mesh.NoSuchItem', found=index, limit=count)
            return None
        if index in seen or index in taken:
            location.member(number).report('Mesh.NodeTwice', found=index)
            return None
        taken.add(index)
    return list(indices)
