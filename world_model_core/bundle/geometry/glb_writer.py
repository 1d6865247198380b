# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Writer of static_mesh.glb: triangles in binary glTF 2.0."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.bundle.geometry.glb_container import (
    BINARY,
    CHUNK,
    HEADER,
    JSON,
    MAGIC,
    VERSION,
)

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.bundle.geometry.mesh import Mesh

__all__ = ['write_mesh']

UNSIGNED_BYTE, UNSIGNED_INT, FLOAT = 5121, 5125, 5126
# Chunks begin at multiples of this [bytes].
ALIGNMENT = 4


def write_mesh(path: Path, mesh: Mesh) -> None:
    """
    Write a mesh.

    Raises
    ------
    OSError
        The file cannot be written.

    """
    accessors = _accessors(mesh) if len(mesh.faces) else []
    arrays = [array for _, array in accessors]
    text = json.dumps(_document(accessors, mesh.colors is not None)).encode()
    text += b' ' * (-len(text) % ALIGNMENT)
    binary = b''.join(each.tobytes() for each in arrays)
    size = HEADER.size + CHUNK.size + len(text) + (CHUNK.size + len(binary) if binary else 0)
    with path.open('wb') as stream:
        stream.write(HEADER.pack(MAGIC, VERSION, size))
        stream.write(CHUNK.pack(len(text), JSON) + text)
        if binary:
            stream.write(CHUNK.pack(len(binary), BINARY) + binary)


def _accessors(mesh: Mesh) -> list[tuple[dict[str, Any], np.ndarray[Any, Any]]]:
    """Return indices, positions and colors, each with its accessor."""
    indices = mesh.faces.astype('<u4').reshape(-1, 1)
    vertices = mesh.vertices.astype('<f4')
    described = [
        (_accessor(indices, UNSIGNED_INT, 'SCALAR'), indices),
        (_accessor(vertices, FLOAT, 'VEC3'), vertices),
    ]
    if mesh.colors is not None:
        # Four bytes each, as elements begin at multiples of four bytes.
        opaque = np.full((len(mesh.colors), 1), 255, np.uint8)
        colors = np.column_stack((mesh.colors, opaque))
        accessor = {**_accessor(colors, UNSIGNED_BYTE, 'VEC4'), 'normalized': True}
        described.append((accessor, colors))
    return described


def _accessor(array: np.ndarray[Any, Any], component: int, kind: str) -> dict[str, Any]:
    return {
        'componentType': component,
        'type': kind,
        'count': len(array),
        'min': array.min(axis=0).tolist(),
        'max': array.max(axis=0).tolist(),
    }


def _document(
    accessors: list[tuple[dict[str, Any], np.ndarray[Any, Any]]], colored: bool
) -> dict[str, Any]:
    """Return the JSON document of a scene with one mesh, or of an empty scene."""
    asset = {'version': '2.0', 'generator': 'world_model glb_writer'}
    if not accessors:
        return {'asset': asset, 'scene': 0, 'scenes': [{'nodes': []}]}
    sizes = [array.nbytes for _, array in accessors]
    starts = np.cumsum([0, *sizes]).tolist()
    attributes = {'POSITION': 1, **({'COLOR_0': 2} if colored else {})}
    return {
        'asset': asset,
        'scene': 0,
        'scenes': [{'nodes': [0]}],
        'nodes': [{'mesh': 0}],
        'meshes': [{'primitives': [{'attributes': attributes, 'indices': 0, 'mode': 4}]}],
        'accessors': [
            {**accessor, 'bufferView': index} for index, (accessor, _) in enumerate(accessors)
        ],
        'bufferViews': [
            {'buffer': 0, 'byteOffset': start, 'byteLength': size}
            for start, size in zip(starts, sizes, strict=False)
        ],
        'buffers': [{'byteLength': sum(sizes)}],
    }
