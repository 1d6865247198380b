# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of entities in a snapshot that may come from others: MuJoCo trusts its input."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from world_model_core.virtual_world.engine.errors import SnapshotError
from world_model_core.virtual_world.values import LineSet, TriangleMesh
from world_model_core.virtual_world.worlds.mjcf import REFUSED

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Entity, Geometry

__all__ = ['check_geometries', 'check_models']

# Besides what the reader of MJCF refuses; it leaves none of these in a model.
NOT_STORED = REFUSED | {'include', 'size'}
# Ten times what files may have.
MOST_BODIES = 100_000
FOLDERS = {'assetdir', 'meshdir', 'texturedir'}


def check_geometries(entity: Entity) -> None:
    """
    Check the shapes of the arrays of an entity, and the indices in them.

    Raises
    ------
    SnapshotError

    """
    for part in entity.parts:
        for shape in part.shapes:
            if not _is_sound(shape.geometry):
                raise SnapshotError(
                    f'a mesh of part {part.name!r} of {entity.name!r} in the snapshot has arrays '
                    'that do not fit each other'
                )


def check_models(entity: Entity) -> None:
    """
    Check that a model names no file but its assets, and has no element that is refused.

    Raises
    ------
    SnapshotError

    """
    if entity.model is None:
        return
    parser = etree.XMLParser(no_network=True, resolve_entities=False)
    try:
        root = etree.fromstring(entity.model.text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise SnapshotError(f'model of {entity.name!r} in the snapshot: {error}') from error
    if sum(map(_copies, root.iter('body'))) > MOST_BODIES:
        raise SnapshotError(
            f'model of {entity.name!r} in the snapshot has more than {MOST_BODIES} bodies'
        )
    for element in root.iter():
        if element.tag in NOT_STORED or not isinstance(element.tag, str):
            raise SnapshotError(f'model of {entity.name!r} in the snapshot has <{element.tag}>')
        if not _files(element) <= entity.model.assets.keys():
            raise SnapshotError(f'model of {entity.name!r} in the snapshot names a file')


def _copies(body: Element) -> float:
    """Return how many bodies MuJoCo makes of one within <replicate>."""
    return math.prod(
        abs(float(text)) if (text := each.get('count', '').strip()).isdecimal() else math.inf
        for each in body.iterancestors('replicate')
    )


def _files(element: Element) -> set[str]:
    """Return the files that an element names, and the folders, which no asset has."""
    return {
        str(value)
        for name, value in element.items()
        if str(name).startswith('file') or name in FOLDERS
    }


def _is_sound(geometry: Geometry) -> bool:
    if isinstance(geometry, LineSet):
        return _are_indexed(geometry.segments, 2, geometry.vertices)
    if not isinstance(geometry, TriangleMesh):
        return True
    corners = (len(geometry.triangles), 3)
    return _are_indexed(geometry.triangles, 3, geometry.vertices) and all(
        array is None or (array.shape == (*corners, width) and np.isfinite(array).all())
        for array, width in (
            (geometry.normals, 3),
            (geometry.texture_coordinates, 2),
            (geometry.colors, 4),
        )
    )


def _are_indexed(indices: NDArray[np.int32], width: int, vertices: Array) -> bool:
    """Return whether rows of indices select from finite vertices."""
    return bool(
        vertices.ndim == indices.ndim == 2
        and vertices.shape[1] == 3
        and indices.shape[1] == width
        and np.isfinite(vertices).all()
        and ((indices >= 0) & (indices < len(vertices))).all()
    )
