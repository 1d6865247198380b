# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Triangles of a checked glTF document.

Lists, strips and fans of triangles are read, with interleaved arrays, vertex colors and the
transforms of nodes (glTF 2.0 specification, chapters 3.5 to 3.7). Points and lines are skipped.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.bundle.geometry.gltf_checks import FAN, STRIP, TRIANGLES
from world_model_core.bundle.geometry.mesh import Mesh
from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['GltfDataError', 'read_triangles']

DTYPES: dict[int, np.dtype[Any]] = {
    5120: np.dtype('<i1'),
    5121: np.dtype('<u1'),
    5122: np.dtype('<i2'),
    5123: np.dtype('<u2'),
    5125: np.dtype('<u4'),
    5126: np.dtype('<f4'),
}
# Types of colors and the value of full intensity (3.7.2.1).
INTENSITIES = {5121: 255.0, 5123: 65535.0, 5126: 1.0}
# The length below which a quaternion has no direction.
ZERO = 1e-8


class GltfDataError(WorldModelError):
    """The data of a buffer cannot be decoded or is shorter than declared."""


def read_triangles(gltf: dict[str, Any], binary: NDArray[np.uint8]) -> list[Mesh]:
    """
    Read the triangles of all meshes in the scene, transformed by their nodes.

    Parameters
    ----------
    gltf : dict
        The document, as `check_gltf` returns it.
    binary : array of uint8, shape (n,)
        The binary chunk.

    Returns
    -------
    list of Mesh
        One for each primitive of each node. Indices are not checked; those beyond the range of
        int32 are its largest value.

    Raises
    ------
    GltfDataError
        The data of a buffer cannot be decoded or is shorter than declared.

    """
    buffers = [
        _decode(each, binary if index == 0 else binary[:0])
        for index, each in enumerate(gltf['buffers'])
    ]
    meshes = [
        [
            _primitive(gltf, buffers, each)
            for each in mesh['primitives']
            if each['mode'] in {TRIANGLES, STRIP, FAN}
        ]
        for mesh in gltf['meshes']
    ]
    return [
        _transformed(mesh, matrix) for index, matrix in _placed(gltf) for mesh in meshes[index]
    ]


def _decode(buffer: dict[str, Any], binary: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the bytes of a buffer: the binary chunk or a data URI (3.6.1.1)."""
    data = binary
    if buffer['uri'] is not None:
        _, _, text = buffer['uri'].partition('base64,')
        try:
            data = np.frombuffer(base64.b64decode(text), np.uint8)
        except (binascii.Error, ValueError) as error:
            raise GltfDataError(f'data URI: {error}') from error
    if len(data) < buffer['byteLength']:
        raise GltfDataError(f'buffer of {len(data)} bytes instead of {buffer["byteLength"]}')
    return data


def _array(gltf: dict[str, Any], buffers: list[NDArray[np.uint8]], index: int) -> NDArray[Any]:
    """Return the elements of an accessor, shape (n, numbers of each); zeros without a view."""
    accessor = gltf['accessors'][index]
    dtype, shape = DTYPES[accessor['componentType']], (accessor['count'], accessor['type'])
    if accessor['bufferView'] is None:
        return np.zeros(shape, dtype)
    view = gltf['bufferViews'][accessor['bufferView']]
    offset = view['byteOffset'] + accessor['byteOffset']
    stride = view['byteStride'] or dtype.itemsize * shape[1]
    return np.ndarray(shape, dtype, buffers[view['buffer']].data, offset, (stride, dtype.itemsize))


def _primitive(
    gltf: dict[str, Any], buffers: list[NDArray[np.uint8]], primitive: dict[str, Any]
) -> Mesh:
    vertices = _array(gltf, buffers, primitive['attributes']['POSITION'])
    if primitive['indices'] is None:
        corners = np.arange(len(vertices))
    else:
        corners = _array(gltf, buffers, primitive['indices'])[:, 0].astype(np.int64)
    faces = np.minimum(_faces(corners, primitive['mode']), np.iinfo(np.int32).max)
    colors = _colors(gltf, buffers, primitive['attributes']['extra'].get('COLOR_0'))
    fitting = colors is not None and len(colors) == len(vertices)
    return Mesh(vertices, faces.astype(np.int32), colors if fitting else None)


def _faces(corners: NDArray[Any], mode: int) -> NDArray[Any]:
    """Return triangles, shape (n, 3), with the same orientation (3.7.2.1)."""
    if mode == TRIANGLES:
        return corners.reshape(-1, 3)
    if len(corners) < 3:
        return np.empty((0, 3), np.int32)
    if mode == FAN:
        first = np.broadcast_to(corners[0], len(corners) - 2)
        return np.column_stack((first, corners[1:-1], corners[2:]))
    faces = np.column_stack((corners[:-2], corners[1:-1], corners[2:]))
    # Every other triangle of a strip has the opposite order.
    faces[1::2] = faces[1::2, ::-1]
    return faces


def _colors(
    gltf: dict[str, Any], buffers: list[NDArray[np.uint8]], index: object
) -> NDArray[np.uint8] | None:
    """Return colors without their opacity, shape (n, 3); None if there are none or unusable."""
    if not isinstance(index, int) or not 0 <= index < len(gltf['accessors']):
        return None
    accessor = gltf['accessors'][index]
    if accessor['type'] not in {3, 4} or accessor['componentType'] not in INTENSITIES:
        return None
    colors = _array(gltf, buffers, index)[:, :3].astype(np.float64)
    scaled = np.nan_to_num(colors, posinf=0.0, neginf=0.0) / INTENSITIES[accessor['componentType']]
    return np.clip(scaled * 255.0, 0.0, 255.0).round().astype(np.uint8)


def _placed(gltf: dict[str, Any]) -> Iterator[tuple[int, Array]]:
    """Return the mesh of each node in the scene with its transform, shape (4, 4)."""
    waiting = [(index, np.eye(4)) for index in gltf['scenes'][gltf['scene']]['nodes']]
    while waiting:
        index, parent = waiting.pop()
        node = gltf['nodes'][index]
        with np.errstate(over='ignore', invalid='ignore'):
            matrix = parent @ _local(node)
        waiting += [(child, matrix) for child in node['children']]
        if node['mesh'] is not None:
            yield node['mesh'], matrix


def _local(node: dict[str, Any]) -> Array:
    """Return the transform of a node in its parent, shape (4, 4)."""
    matrix = np.eye(4)
    if node['matrix'] is not None:
        matrix = np.array(node['matrix']).reshape(4, 4).T
    if node['translation'] is not None:
        translation = np.eye(4)
        translation[:3, 3] = node['translation']
        matrix = matrix @ translation
    if node['rotation'] is not None:
        matrix = matrix @ _rotation(np.array(node['rotation']))
    if node['scale'] is not None:
        matrix = matrix @ np.diag([*node['scale'], 1.0])
    return matrix


def _rotation(quaternion: Array) -> Array:
    """Return the matrix, shape (4, 4), of a quaternion x, y, z, w of any length."""
    matrix = np.eye(4)
    # Divided by the largest first: the squares of very large numbers are infinite.
    largest = float(np.abs(quaternion).max())
    if largest < ZERO:
        return matrix
    scaled = quaternion / largest
    x, y, z, w = scaled / np.linalg.norm(scaled)
    matrix[:3, :3] = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
    )
    return matrix


def _transformed(mesh: Mesh, matrix: Array) -> Mesh:
    rotation, translation = matrix[:3, :3], matrix[:3, 3]
    with np.errstate(over='ignore', invalid='ignore'):
        vertices = (mesh.vertices.astype(np.float64) @ rotation.T + translation).astype(np.float32)
        # Mirroring reverses the orientation of triangles (3.7.4).
        order = -1 if np.linalg.det(rotation) < 0.0 else 1
    return Mesh(vertices, mesh.faces[:, ::order], mesh.colors)
