# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Marks as messages for a page of three.js: a header in JSON, and arrays of float32."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.frames import rotation_of
from world_model_core.view.batches import (
    Batch,
    Boxes,
    Cylinders,
    Ellipsoids,
    Labels,
    Lines,
    Meshes,
    Points,
    Splats,
)
from world_model_core.view.scene import compare
from world_model_core.view.unit_shapes import unit_box, unit_cylinder, unit_sphere

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from world_model_core.view.scene import Marks

SHAPES = {Boxes: unit_box, Ellipsoids: unit_sphere, Cylinders: unit_cylinder}
FAMILIES = {Lines: 'lines', Points: 'points', Labels: 'labels'}


def three_messages(states: Iterable[Marks], camera: Mapping[str, Any]) -> Iterator[bytes]:
    """
    Yield a message for each state: the first one makes all, the next ones what has changed.

    Parameters
    ----------
    states : iterable of Marks
    camera : mapping
        Its matrices `view` and `projection`, that of the frame of the marks, `root`, each by
        columns, and the `size` of the picture [px].

    """
    before: Marks = {}
    for marks in states:
        changes = compare(before, marks)
        made = [(name, batch, True) for name, batch in changes.created.items()]
        for name, update in changes.updated.items():
            made.append((name, update.batch, len(before[name]) != len(update.batch)))
        yield _message({} if before else {'camera': {**camera}}, changes.removed, made)
        before = marks


def _message(
    header: dict[str, Any], removed: tuple[str, ...], made: list[tuple[str, Batch, bool]]
) -> bytes:
    batches, data = [], b''
    for name, batch, new in made:
        if isinstance(batch, Splats) or not len(batch):
            continue
        arrays = _arrays(batch)
        described = _described(batch) if new else {}
        sizes = [(key, array.size) for key, array in arrays.items()]
        batches.append({'name': name, 'arrays': sizes, **described})
        data += b''.join(np.float32(array).tobytes() for array in arrays.values())
    text = json.dumps({**header, 'removed': removed, 'batches': batches}).encode()
    text += b' ' * (-len(text) % 4)
    return len(text).to_bytes(4, 'little') + text + data


def _described(batch: Batch) -> dict[str, Any]:
    """Return what does not change with the arrays."""
    family = FAMILIES.get(type(batch), 'solids')
    found: dict[str, Any] = {'kind': type(batch).__name__, 'family': family}
    if family == 'solids':
        found['opacity'] = float(batch.colors[:, 3].mean()) / 255.0
        shape = batch.shape if isinstance(batch, Meshes) else SHAPES[type(batch)]()
        found['flat'] = isinstance(batch, Meshes)
        found['vertices'] = np.ravel(shape.vertices).tolist()
        found['triangles'] = np.ravel(shape.triangles).tolist()
    return found | {
        name: getattr(batch, name) for name in ('width', 'size', 'texts') if hasattr(batch, name)
    }


def _arrays(batch: Batch) -> Mapping[str, NDArray[Any]]:
    if isinstance(batch, Labels):
        return {'points': batch.positions}
    # As viser does, which takes colors as linear.
    colors = batch.colors[:, :3] / 255.0
    if isinstance(batch, Points):
        return {'points': batch.positions, 'colors': colors}
    if isinstance(batch, Lines):
        return {'points': batch.points, 'colors': np.repeat(colors, 2, axis=0)}
    return {'matrices': _matrices(batch), 'colors': colors}


def _matrices(batch: Boxes | Ellipsoids | Cylinders | Meshes) -> NDArray[Any]:
    """Return the matrices of the instances by columns, shape (n, 4, 4)."""
    matrices = np.zeros((len(batch), 4, 4))
    # Transposed: the rows of these arrays are the columns of the matrices.
    rotations = rotation_of(batch.orientations).swapaxes(1, 2)
    matrices[:, :3, :3] = rotations * _scales(batch)[:, :, None]
    matrices[:, 3, :3], matrices[:, 3, 3] = batch.positions, 1.0
    return matrices


def _scales(batch: Boxes | Ellipsoids | Cylinders | Meshes) -> NDArray[Any]:
    if isinstance(batch, Cylinders):
        return np.stack((batch.radii, batch.radii, batch.heights), axis=1)
    if isinstance(batch, Boxes):
        return batch.sizes
    return batch.semi_axes if isinstance(batch, Ellipsoids) else batch.scales
