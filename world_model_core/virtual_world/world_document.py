# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""JSON documents of a virtual world: the world, its meshes, what changes in it, contacts."""

from __future__ import annotations

import base64
import hashlib
import math
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.virtual_world.pictures import picture_pixels
from world_model_core.virtual_world.topic_names import escape_name
from world_model_core.virtual_world.values import LineSet, ShapeUse, TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from world_model_core.virtual_world.values import (
        Entity,
        Geometry,
        Joint,
        NamedPose,
        Part,
        PartContact,
        Pose,
        Shape,
        Texture,
        World,
    )

__all__ = [
    'attributes_document',
    'conditions_document',
    'contacts_document',
    'contacts_of',
    'meshes_document',
    'world_document',
]

# Digits of a hash, in hexadecimal: 64 bits.
HASH_DIGITS = 16
# Meshes beyond this are left out of their document [bytes].
MOST_MESH_BYTES = 32 * 2**20
# Longest side of a picture of which the mean color is taken [pixels].
SMALL_PICTURE = 64
# Textures whose mean colors are kept.
MOST_COLORS = 256


def world_document(world: World, topics_of: Callable[[str], str] = escape_name) -> dict[str, Any]:
    """
    Return the document of a world: what is in it, but not where it is now.

    Equal shapes occur once, by their hashes. Triangles are not in the document: see
    `meshes_document`.

    Parameters
    ----------
    world : World
    topics_of : callable
        Returns the start of the names of the topics of an entity, by its name.

    """
    shapes: dict[str, dict[str, Any]] = {}
    entities = {
        each.name: {'topics': topics_of(each.name), **_entity(each, shapes)}
        for each in world.entities
    }
    return {
        'name': world.name,
        'gravity': list(world.gravity),
        'step': world.step,
        'ground': world.ground,
        'bounds': None if world.bounds is None else [list(corner) for corner in world.bounds],
        'named_poses': [_named_pose(each) for each in world.named_poses],
        'entities': entities,
        'shapes': shapes,
        'assets': sorted(_assets(world)),
    }


def attributes_document(entities: Iterable[Entity]) -> dict[str, Any]:
    """
    Return the attributes of entities by their names; hidden ones are left out.

    JSON has no infinity: a number that is not finite becomes a text.
    """
    return {
        'entities': {
            entity.name: {
                name: {'value': _value(attribute.value), 'group': attribute.group}
                for name, attribute in entity.attributes.items()
                if not attribute.hidden
            }
            for entity in entities
        }
    }


def meshes_document(world: World) -> dict[str, Any]:
    """
    Return the triangles of all meshes of a world that are seen, by their `look`.

    Arrays are base64 of rows of little-endian numbers. Meshes that do not fit into
    `MOST_MESH_BYTES` together are left out and counted.
    """
    meshes: dict[str, dict[str, Any]] = {}
    left_out, free = set(), MOST_MESH_BYTES
    for mesh in _seen_meshes(world):
        size = 12 * (len(mesh.vertices) + len(mesh.triangles))
        if mesh.look_digest in meshes or mesh.look_digest in left_out:
            continue
        if size > free:
            left_out.add(mesh.look_digest)
            continue
        free -= size
        meshes[mesh.look_digest] = _mesh(mesh)
    return {'meshes': meshes, 'left_out': len(left_out)}


def conditions_document(
    entities: Iterable[Entity], grasps: Mapping[tuple[str, str], str]
) -> dict[str, Any]:
    """
    Return what changes of entities beside their motion: their states, and which hands hold them.

    Parameters
    ----------
    entities : iterable of Entity
    grasps : mapping of tuple of str to str
        Things by the hands that hold them: names of entity and part.

    """
    holders = {thing: {'entity': hand[0], 'part': hand[1]} for hand, thing in grasps.items()}
    return {
        'entities': {
            each.name: {'states': dict(each.states), 'held_by': holders.get(each.name)}
            for each in entities
            if each.states or each.name in holders
        }
    }


def contacts_document(stamp_ns: int, contacts: Iterable[PartContact]) -> dict[str, Any]:
    """
    Return the contacts between parts at a time [ns].

    While the physics diverges, a contact may have numbers that are not finite: it is left out.
    """
    return {
        'stamp_ns': stamp_ns,
        'contacts': [
            {
                'first': {'entity': each.first[0], 'part': each.first[1]},
                'second': {'entity': each.second[0], 'part': each.second[1]},
                'position': list(each.position),
                'normal': list(each.normal),
                'force': each.force,
                'depth': each.depth,
            }
            for each in contacts
            if all(map(math.isfinite, (*each.position, *each.normal, each.force, each.depth)))
        ],
    }


def contacts_of(contacts: Iterable[PartContact], name: str) -> Iterator[PartContact]:
    """Yield the contacts of an entity, with its own part first."""
    for each in contacts:
        if each.first[0] == name:
            yield each
        elif each.second[0] == name:
            x, y, z = each.normal
            yield replace(each, first=each.second, second=each.first, normal=(-x, -y, -z))


def _value(value: str | float | bool) -> str | float | bool:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _entity(entity: Entity, shapes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        'frame': escape_name(entity.name),
        'category': entity.category,
        'movable': entity.movable,
        'wheels': entity.wheels is not None,
        'cameras': [each.id for each in entity.cameras],
        'model': None if entity.model is None else entity.model.format.value,
        'parts': [_part(each, shapes) for each in entity.parts],
        'states': dict(entity.states),
    }


def _part(part: Part, shapes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        'name': part.name,
        'parent': part.parent,
        **_pose(part.pose),
        'joint': None if part.joint is None else _joint(part.joint),
        'shapes': [_shape(each, shapes) for each in part.shapes],
    }


def _joint(joint: Joint) -> dict[str, Any]:
    """Return a joint; a limit that is infinite is None."""
    limits = {'lower': joint.lower, 'upper': joint.upper}
    return {
        'name': joint.name,
        'kind': joint.kind.value,
        'axis': list(joint.axis),
        'anchor': list(joint.anchor),
        **{name: value if math.isfinite(value) else None for name, value in limits.items()},
    }


def _shape(shape: Shape, shapes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    geometry = _geometry(shape.geometry)
    content = hashlib.sha256(repr(sorted(geometry.items())).encode()).hexdigest()[:HASH_DIGITS]
    shapes[content] = geometry
    texture = shape.material.texture
    return {
        'shape': content,
        **_pose(shape.pose),
        'use': shape.use.value,
        'color': list(shape.material.color),
        'texture': None if texture is None else texture.file,
        'texture_color': None if texture is None else _mean_color(texture),
        'state': shape.state,
    }


def _geometry(geometry: Geometry) -> dict[str, Any]:
    """Return kind and measures of a geometry."""
    kind = type(geometry).__name__
    if isinstance(geometry, TriangleMesh):
        counts = {'vertices': len(geometry.vertices), 'triangles': len(geometry.triangles)}
        digests = {'digest': geometry.digest, 'look': geometry.look_digest}
        return {'kind': kind, **digests, **counts}
    if isinstance(geometry, LineSet):
        vertices, segments = geometry.vertices.tolist(), geometry.segments.tolist()
        return {'kind': kind, 'vertices': vertices, 'segments': segments}
    measures = {item.name: getattr(geometry, item.name) for item in fields(geometry)}
    return {
        'kind': kind,
        **{name: list(v) if isinstance(v, tuple) else v for name, v in measures.items()},
    }


def _seen_meshes(world: World) -> Iterator[TriangleMesh]:
    for entity in world.entities:
        for shape in (shape for part in entity.parts for shape in part.shapes):
            if shape.use is not ShapeUse.COLLISION and isinstance(shape.geometry, TriangleMesh):
                yield shape.geometry


def _mesh(mesh: TriangleMesh) -> dict[str, Any]:
    colors = None
    if mesh.colors is not None and mesh.texture_coordinates is None:
        colors = _coded(np.rint(255.0 * mesh.colors.mean(axis=1)).astype(np.uint8))
    return {
        'vertices': _coded(mesh.vertices.astype('<f4')),
        'triangles': _coded(mesh.triangles.astype('<u4')),
        'colors': colors,
    }


def _coded(array: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


@lru_cache(maxsize=MOST_COLORS)
def _mean_color(texture: Texture) -> list[float] | None:
    """Return the mean red, green and blue of a texture, 0 to 1; None if it cannot be read."""
    pixels = picture_pixels(texture.data, SMALL_PICTURE)
    if pixels is None:
        return None
    means: list[float] = (pixels.reshape(-1, 3).mean(axis=0) / 255.0).tolist()
    return means


def _named_pose(named: NamedPose) -> dict[str, Any]:
    return {
        'name': named.name,
        'description': named.description,
        'tags': list(named.tags),
        **_pose(named.pose),
    }


def _pose(pose: Pose) -> dict[str, Any]:
    return {'position': list(pose.position), 'orientation': list(pose.orientation)}


def _assets(world: World) -> set[str]:
    """Return the files of textures and models."""
    files = {name for each in world.entities if each.model for name in each.model.assets}
    shapes = (shape for each in world.entities for part in each.parts for shape in part.shapes)
    textures = (shape.material.texture for shape in shapes)
    return files | {texture.file for texture in textures if texture is not None}
