# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""ElevationGrid and Extrusion as face sets (VRML97, 6.17 and 6.18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.shapes.faces import CornerValues, FaceSet, corner_values
from world_model_core.virtual_world.shapes.transforms import rotation_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.shapes.nodes import Node

__all__ = ['elevation_grid', 'extrusion']

# Shorter vectors have no direction, relative to the longest one.
ROUNDING = 1e-9
_X, _Y = np.array((1.0, 0.0, 0.0)), np.array((0.0, 1.0, 0.0))


def elevation_grid(node: Node) -> FaceSet:
    """Return the faces of a grid of heights; without faces if heights are missing."""
    columns, rows = (int(max(0.0, node.number(field))) for field in ('xDimension', 'zDimension'))
    heights = node.numbers('height')
    if columns < 2 or rows < 2 or heights.size < columns * rows:
        return FaceSet(np.empty((0, 3)))
    row, column = np.divmod(np.arange(columns * rows), columns)
    points = np.stack(
        (
            column * node.number('xSpacing'),
            heights[: columns * rows],
            row * node.number('zSpacing'),
        ),
        axis=1,
    )
    # Counterclockwise as seen from above: towards z, and back.
    indices = _grid(rows, columns)
    picture = np.stack((column / (columns - 1), row / (rows - 1)), axis=1)
    return FaceSet(
        points,
        indices,
        node.flag('ccw'),
        node.number('creaseAngle'),
        corner_values(node, 'normal', indices, flag='normalPerVertex'),
        corner_values(node, 'texCoord', indices) or CornerValues(picture, indices),
        corner_values(node, 'color', indices, flag='colorPerVertex'),
        two_sided=not node.flag('solid'),
    )


def extrusion(node: Node) -> FaceSet:
    """Return the faces between the cross-sections along a spine, and its caps."""
    spine, section = node.rows('spine'), node.rows('crossSection')
    if len(spine) < 2 or len(section) < 2:
        return FaceSet(np.empty((0, 3)))
    frames = _spine_frames(spine)
    scales = _for_each(node.rows('scale'), len(spine), np.ones(2))
    turns = [rotation_matrix(each) for each in node.rows('orientation')]
    turned = _for_each(np.array(turns).reshape(-1, 3, 3), len(spine), np.eye(3))
    flat = np.zeros((len(spine), len(section), 3))
    flat[..., [0, 2]] = section * scales[:, None, :]
    points = spine[:, None, :] + np.einsum('sij,sjk,spk->spi', frames, turned, flat)
    indices = [_grid(len(spine), len(section)).reshape(-1, 5)[:, [0, 3, 2, 1, 4]].ravel()]
    places = indices.copy()
    # A closed cross-section names its first corner again at its end.
    around = np.arange(len(section) - bool((section[0] == section[-1]).all()))
    caps = (('beginCap', around[::-1], 0), ('endCap', around, len(spine) - 1))
    for flag, corners, ring in caps:
        if node.flag(flag):
            indices.append(np.append(corners + ring * len(section), -1))
            places.append(np.append(corners + len(spine) * len(section), -1))
    coordinates = np.concatenate((_side_coordinates(spine, section), _cap_coordinates(section)))
    return FaceSet(
        points.reshape(-1, 3),
        np.concatenate(indices),
        node.flag('ccw'),
        node.number('creaseAngle'),
        texture_coordinates=CornerValues(coordinates, np.concatenate(places)),
        two_sided=not node.flag('solid'),
    )


def _grid(rows: int, columns: int) -> NDArray[np.int64]:
    """Return the faces between the points of a grid, row by row: from a point to the next row."""
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    ends = np.full_like(first, -1)
    corners = (first, first + columns, first + columns + 1, first + 1, ends)
    return np.stack(corners, axis=1).ravel()


def _for_each(rows: Array, count: int, otherwise: Array) -> Array:
    """Return a row for each point of the spine; the last one is repeated, if there is any."""
    given = rows if len(rows) else otherwise[None]
    return given[np.minimum(np.arange(count), len(given) - 1)]


def _spine_frames(spine: Array) -> Array:
    """Return the axes of the cross-section at each point of the spine, columns of (n, 3, 3)."""
    closed = bool((spine[0] == spine[-1]).all())
    before, after = np.roll(spine, 1, axis=0), np.roll(spine, -1, axis=0)
    if closed:
        before[0], after[-1] = spine[-2], spine[1]
    else:
        before[0], after[-1] = spine[0], spine[-1]
    along = _directions(after - before)
    across = np.cross(after - spine, before - spine)
    if not closed:
        across[0] = across[-1] = 0.0
    sides = _directions(across)
    if not along.any():
        along[:] = _Y
    if not sides.any():
        return np.repeat(_turn_from_y(along[0])[None], len(spine), axis=0)
    for at in range(1, len(sides)):  # neighbors point to the same side
        if sides[at] @ sides[at - 1] < 0.0:
            sides[at] = -sides[at]
    return np.stack((np.cross(along, sides), along, sides), axis=2)


def _directions(vectors: Array) -> Array:
    """Return unit vectors; one without a direction has that of the one before, or of the first."""
    lengths = np.linalg.norm(vectors, axis=1)
    has = lengths > ROUNDING * lengths.max()
    if not has.any():
        return np.zeros_like(vectors)
    source = np.maximum.accumulate(np.where(has, np.arange(len(vectors)), 0))
    source[source == 0] = 0 if has[0] else np.argmax(has)
    directions: Array = vectors[source] / lengths[source, None]
    return directions


def _turn_from_y(direction: Array) -> Array:
    """Return the rotation of y to a direction by the smallest angle, shape (3, 3)."""
    axis = np.cross(_Y, direction)
    if not axis.any():
        axis = _X
    return rotation_matrix(np.append(axis, np.arccos(np.clip(direction[1], -1.0, 1.0))))


def _side_coordinates(spine: Array, section: Array) -> Array:
    """Return texture coordinates of the sides, shape (n, 2): along the section and the spine."""
    s, t = _fractions(section), _fractions(spine)
    return np.stack((np.tile(s, len(t)), np.repeat(t, len(s))), axis=1)


def _fractions(points: Array) -> Array:
    """Return the length of a polyline up to each point, as a fraction."""
    lengths = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
    fractions: Array = lengths / (float(lengths[-1]) or 1.0)
    return fractions


def _cap_coordinates(section: Array) -> Array:
    """Return texture coordinates of a cap, shape (n, 2): the longer side of the section is 1."""
    lowest = section.min(axis=0)
    longest = float((section.max(axis=0) - lowest).max()) or 1.0
    coordinates: Array = (section - lowest) / longest
    return coordinates
