# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Documents of a virtual world, as `world_document` writes them, read back into values."""

from __future__ import annotations

import base64
import binascii
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.errors import MalformedPacketError
from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Cylinder,
    Entity,
    Joint,
    JointKind,
    LineSet,
    Material,
    Part,
    PartContact,
    Plane,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    TriangleMesh,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from world_model_core.virtual_world.values import Geometry, Vector

__all__ = ['read_contacts', 'read_entities', 'read_meshes']

# A mesh that is not there.
NO_TRIANGLES = TriangleMesh(np.zeros((0, 3)), np.zeros((0, 3), np.int32))


def read_meshes(document: Mapping[str, Any]) -> dict[str, TriangleMesh]:
    """
    Return the meshes of a document `meshes` by their `look`; invalid ones are left out.

    Parameters
    ----------
    document : mapping
        It follows its schema, which cannot check the arrays.

    """
    read = {look: _read_mesh(each) for look, each in document['meshes'].items()}
    return {look: mesh for look, mesh in read.items() if mesh is not None}


def read_entities(
    document: Mapping[str, Any], meshes: Mapping[str, TriangleMesh]
) -> tuple[Entity, ...]:
    """
    Return the entities of a document `virtual_world`, at the origin.

    The colors of textures are in those of the materials. Missing meshes have no triangles.

    Parameters
    ----------
    document : mapping
        It follows its schema.
    meshes : mapping of str to TriangleMesh
        By their `look`.

    """
    shapes = {key: _geometry(each, meshes) for key, each in document['shapes'].items()}
    return tuple(
        Entity(
            name,
            each['category'],
            parts=tuple(_part(part, shapes) for part in each['parts']),
            movable=each['movable'],
            states=each['states'],
        )
        for name, each in document['entities'].items()
    )


def read_contacts(text: str) -> tuple[PartContact, ...]:
    """
    Return the contacts of a document `contacts`.

    It comes 50 times a second; its schema would take ten times as long as all of this.

    Parameters
    ----------
    text : str

    Raises
    ------
    MalformedPacketError
        It is not JSON, or a value is missing or of another kind.

    """
    try:
        return tuple(map(_contact, json.loads(text)['contacts']))
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise MalformedPacketError(f'contacts: {type(error).__name__}: {error}') from error


def _contact(contact: Mapping[str, Any]) -> PartContact:
    first, second = contact['first'], contact['second']
    return PartContact(
        (str(first['entity']), str(first['part'])),
        (str(second['entity']), str(second['part'])),
        _vector(contact['position']),
        _vector(contact['normal']),
        float(contact['force']),
        float(contact['depth']),
    )


def _vector(values: Sequence[float]) -> Vector:
    x, y, z = values
    return float(x), float(y), float(z)


def _read_mesh(mesh: Mapping[str, Any]) -> TriangleMesh | None:
    """Return a mesh; None if its arrays do not belong together."""
    try:
        vertices = _decoded(mesh['vertices'], '<f4', 3)
        triangles = _decoded(mesh['triangles'], '<u4', 3)
        colors = None if mesh['colors'] is None else _decoded(mesh['colors'], 'u1', 4)
    except (binascii.Error, ValueError):
        return None
    if triangles.size and triangles.max() >= len(vertices):
        return None
    if not np.isfinite(vertices).all() or (colors is not None and len(colors) != len(triangles)):
        return None
    corners = None
    if colors is not None:
        corners = np.repeat(colors[:, None], 3, axis=1).astype(np.float32) / np.float32(255.0)
    return TriangleMesh(vertices.astype(np.float64), triangles.astype(np.int32), colors=corners)


def _decoded(text: str, kind: str, columns: int) -> Any:
    return np.frombuffer(base64.b64decode(text, validate=True), kind).reshape(-1, columns)


def _part(part: Mapping[str, Any], shapes: Mapping[str, Geometry]) -> Part:
    return Part(
        part['name'],
        part['parent'],
        _pose(part),
        None if part['joint'] is None else _joint(part['joint']),
        tuple(_shape(each, shapes) for each in part['shapes'] if each['shape'] in shapes),
    )


def _joint(joint: Mapping[str, Any]) -> Joint:
    lower, upper = joint['lower'], joint['upper']
    return Joint(
        joint['name'],
        JointKind(joint['kind']),
        tuple(joint['axis']),
        tuple(joint['anchor']),
        -math.inf if lower is None else lower,
        math.inf if upper is None else upper,
    )


def _shape(shape: Mapping[str, Any], shapes: Mapping[str, Geometry]) -> Shape:
    red, green, blue, opacity = shape['color']
    factors = shape['texture_color'] or (1.0, 1.0, 1.0)
    color = (red * factors[0], green * factors[1], blue * factors[2], opacity)
    use, material = ShapeUse(shape['use']), Material(color)
    return Shape(shapes[shape['shape']], _pose(shape), use, material, shape['state'])


def _geometry(geometry: Mapping[str, Any], meshes: Mapping[str, TriangleMesh]) -> Geometry:
    read: dict[str, Callable[[], Geometry]] = {
        'Box': lambda: Box(tuple(geometry['size'])),
        'Sphere': lambda: Sphere(geometry['radius']),
        'Cylinder': lambda: Cylinder(geometry['radius'], geometry['length']),
        'Capsule': lambda: Capsule(geometry['radius'], geometry['length']),
        'Plane': Plane,
        'TriangleMesh': lambda: meshes.get(geometry['look'], NO_TRIANGLES),
        'LineSet': lambda: _lines(geometry),
    }
    return read[geometry['kind']]()


def _lines(geometry: Mapping[str, Any]) -> LineSet:
    vertices = np.array(geometry['vertices'], dtype=np.float64).reshape(-1, 3)
    segments = np.array(geometry['segments'], dtype=np.int32).reshape(-1, 2)
    return LineSet(vertices, segments[(segments < len(vertices)).all(axis=1)])


def _pose(value: Mapping[str, Any]) -> Pose:
    return Pose(tuple(value['position']), tuple(value['orientation']))
