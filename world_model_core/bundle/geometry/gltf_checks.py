# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks of the JSON document of a glTF file.

Every count and index is compared with the data that exists, so that no reader allocates memory
for, follows or opens something that a file only claims: glTF 2.0 specification, chapters 3.5
(nodes), 3.6 (buffers) and 3.7 (meshes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.bundle.geometry.gltf_node_checks import check_nodes
from world_model_core.files.mapping_schemas import OpenMappingSchema, optional
from world_model_core.files.value_schemas import AnyValue, Integer, ListOf, Number, OneOf, Text

if TYPE_CHECKING:
    from world_model_core.bundle.geometry.glb_container import GlbContainer
    from world_model_core.files.parsed_document import ValueLocation

__all__ = ['FAN', 'STRIP', 'TRIANGLES', 'check_gltf']

MAJOR = '2'
# Extensions that change only the look of surfaces.
LOOKS = ('KHR_materials_', 'KHR_texture_', 'EXT_texture_', 'KHR_lights_', 'KHR_xmp')
# Bytes of each number by componentType, and numbers of each element by type.
SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
NUMBERS = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT2': 4, 'MAT3': 9, 'MAT4': 16}
FLOAT, UNSIGNED = 5126, (5121, 5123, 5125)
TRIANGLES, STRIP, FAN = 4, 5, 6
# Maximum size of an array without data, whose elements are zero [bytes].
LARGEST_ZEROS = 2**20


def check_gltf(container: GlbContainer, location: ValueLocation) -> dict[str, Any] | None:
    """Report all faults of a glTF document; return its fields, or None after an error."""
    gltf = GLTF.read(container.document.value, location)
    if gltf is None:
        return None
    notes = location.document.notes
    before = notes.errors
    _check_readable(gltf, location)
    _check_buffers(gltf['buffers'], container.binary_length, location.member('buffers'))
    # Each check requires that the checks before it have found no error.
    for check in (_check_views, _check_accessors, _check_meshes, _check_nodes):
        if notes.errors == before:
            check(gltf, location)
    return gltf if notes.errors == before else None


def _check_readable(gltf: dict[str, Any], location: ValueLocation) -> None:
    """Check version, extensions, and that the file needs no other file."""
    version = gltf['asset']['version']
    if version.split('.')[0] != MAJOR:
        location.member('asset').member('version').report('Mesh.WrongVersion', found=version)
    for index, name in enumerate(gltf['extensionsRequired']):
        if not name.startswith(LOOKS):
            location.member('extensionsRequired').member(index).report(
                'Mesh.Extension', found=name
            )
    for kind in ('buffers', 'images'):
        for index, each in enumerate(gltf[kind]):
            uri = each['uri']
            if uri is not None and not (isinstance(uri, str) and uri.startswith('data:')):
                here = location.member(kind).member(index).member('uri')
                here.report('Mesh.ExternalFile', found=uri)


def _check_buffers(
    buffers: tuple[dict[str, Any], ...], binary: int, location: ValueLocation
) -> None:
    """Check that the first buffer is inside of the binary chunk, and that no other one is."""
    for index, each in enumerate(buffers):
        limit = binary if index == 0 else 0
        if each['uri'] is None:
            _check_end(each['byteLength'], limit, location.member(index))


def _check_views(gltf: dict[str, Any], location: ValueLocation) -> None:
    """Check that views are inside of their buffers."""
    for index, each in enumerate(gltf['bufferViews']):
        here = location.member('bufferViews').member(index)
        if _is_index(each['buffer'], gltf['buffers'], here.member('buffer')):
            limit = gltf['buffers'][each['buffer']]['byteLength']
            _check_end(each['byteOffset'] + each['byteLength'], limit, here)


def _check_accessors(gltf: dict[str, Any], location: ValueLocation) -> None:
    """Check that arrays are inside of their views."""
    views = gltf['bufferViews']
    for index, each in enumerate(gltf['accessors']):
        here = location.member('accessors').member(index)
        size = SIZES.get(each['componentType'])
        if size is None:
            here.member('componentType').report('Mesh.WrongType', found=each['componentType'])
            continue
        item = size * each['type']
        if each['bufferView'] is None:
            _check_end(each['count'] * item, LARGEST_ZEROS, here)
        elif _is_index(each['bufferView'], views, here.member('bufferView')):
            view = views[each['bufferView']]
            stride = view['byteStride'] or item
            end = each['byteOffset'] + (each['count'] - 1) * stride + item
            _check_end(end, view['byteLength'], here)


def _check_meshes(gltf: dict[str, Any], location: ValueLocation) -> None:
    """Check that triangles have three corners and valid arrays."""
    for index, mesh in enumerate(gltf['meshes']):
        for number, each in enumerate(mesh['primitives']):
            here = location.member('meshes').member(index).member('primitives').member(number)
            if each['mode'] not in {TRIANGLES, STRIP, FAN}:
                here.member('mode').report('Mesh.NotTriangles', found=each['mode'])
                continue
            position = here.member('attributes').member('POSITION')
            _check_array(each['attributes']['POSITION'], gltf, position, 3, (FLOAT,))
            if each['indices'] is not None:
                _check_array(each['indices'], gltf, here.member('indices'), 1, UNSIGNED)
            if each['mode'] == TRIANGLES and _corners(each, gltf) % 3:
                here.report('Mesh.OpenTriangle', found=_corners(each, gltf))


def _check_nodes(gltf: dict[str, Any], location: ValueLocation) -> None:
    check_nodes(gltf, [_triangles(each, gltf) for each in gltf['meshes']], location)


def _check_array(
    index: int, gltf: dict[str, Any], location: ValueLocation, numbers: int, types: tuple[int, ...]
) -> None:
    """Check that positions or indices exist and have the right type."""
    if not _is_index(index, gltf['accessors'], location):
        return
    accessor = gltf['accessors'][index]
    if accessor['sparse'] is not None or accessor['bufferView'] is None:
        location.report('Mesh.NoData')
    elif accessor['type'] != numbers or accessor['componentType'] not in types:
        location.report(
            'Mesh.WrongType', found=f'{accessor["type"]} x {accessor["componentType"]}'
        )


def _corners(primitive: dict[str, Any], gltf: dict[str, Any]) -> int:
    """Count the corners of a primitive; 0 if unknown."""
    position, indices = primitive['attributes']['POSITION'], primitive['indices']
    accessor = position if indices is None else indices
    return int(gltf['accessors'][accessor]['count']) if accessor < len(gltf['accessors']) else 0


def _triangles(mesh: dict[str, Any], gltf: dict[str, Any]) -> int:
    """Count the triangles of a mesh."""
    counts = [(each['mode'], _corners(each, gltf)) for each in mesh['primitives']]
    listed = sum(corners // 3 for mode, corners in counts if mode == TRIANGLES)
    return listed + sum(max(0, corners - 2) for mode, corners in counts if mode in {STRIP, FAN})


def _is_index(index: int, items: tuple[Any, ...], location: ValueLocation) -> bool:
    if index >= len(items):
        location.report('Mesh.NoSuchItem', found=index, limit=len(items))
    return index < len(items)


def _check_end(end: int, limit: int, location: ValueLocation) -> None:
    if end > limit:
        location.report('Mesh.OutOfBounds', found=end, limit=limit)


SIZE = Integer(0, 2**32)
INDEX = Integer(0, 2**31)


def _list(fields: dict[str, Any]) -> Any:
    return optional(ListOf(OpenMappingSchema(fields)), ())


def _numbers(length: int) -> Any:
    return optional(ListOf(Number(), length))


GLTF = OpenMappingSchema(
    {
        'asset': OpenMappingSchema({'version': Text()}),
        'extensionsRequired': optional(ListOf(Text()), ()),
        'buffers': _list({'byteLength': SIZE, 'uri': optional(AnyValue())}),
        'images': _list({'uri': optional(AnyValue())}),
        'bufferViews': _list(
            {
                'buffer': INDEX,
                'byteOffset': optional(SIZE, 0),
                'byteLength': SIZE,
                'byteStride': optional(Integer(1, 252)),
            }
        ),
        'accessors': _list(
            {
                'bufferView': optional(INDEX),
                'byteOffset': optional(SIZE, 0),
                'componentType': INDEX,
                'count': Integer(1, 2**32),
                'type': OneOf(NUMBERS),
                'sparse': optional(AnyValue()),
            }
        ),
        'meshes': _list(
            {
                'primitives': ListOf(
                    OpenMappingSchema(
                        {
                            'attributes': OpenMappingSchema({'POSITION': INDEX}),
                            'indices': optional(INDEX),
                            'mode': optional(Integer(0, 6), TRIANGLES),
                        }
                    )
                ),
            }
        ),
        'nodes': _list(
            {
                'mesh': optional(INDEX),
                'children': optional(ListOf(INDEX), ()),
                'matrix': _numbers(16),
                'translation': _numbers(3),
                'rotation': _numbers(4),
                'scale': _numbers(3),
            }
        ),
        'scenes': _list({'nodes': optional(ListOf(INDEX), ())}),
        'scene': optional(INDEX, 0),
    }
)
