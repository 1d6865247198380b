# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""JSON documents of a virtual world: the world, the attributes of its entities, contacts."""

from __future__ import annotations

import hashlib
import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.topic_names import escape_name
from world_model_core.virtual_world.values import LineSet, TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from world_model_core.virtual_world.values import (
        Entity,
        Geometry,
        Joint,
        NamedPose,
        Part,
        PartContact,
        Pose,
        Shape,
        World,
    )

__all__ = ['attributes_document', 'contacts_document', 'contacts_of', 'world_document']

# Digits of a hash, in hexadecimal: 64 bits.
HASH_DIGITS = 16


def world_document(world: World) -> dict[str, Any]:
    """
    Return the document of a world: what is in it, but not where it is now.

    Equal shapes occur once, by their hashes. Triangles are not in the document: a mesh is named by
    the digest of its vertices and triangles.
    """
    shapes: dict[str, dict[str, Any]] = {}
    entities = {each.name: _entity(each, shapes) for each in world.entities}
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
        'state': shape.state,
    }


def _geometry(geometry: Geometry) -> dict[str, Any]:
    """Return kind and measures of a geometry."""
    kind = type(geometry).__name__
    if isinstance(geometry, TriangleMesh):
        counts = {'vertices': len(geometry.vertices), 'triangles': len(geometry.triangles)}
        return {'kind': kind, 'digest': geometry.digest, **counts}
    if isinstance(geometry, LineSet):
        vertices, segments = geometry.vertices.tolist(), geometry.segments.tolist()
        return {'kind': kind, 'vertices': vertices, 'segments': segments}
    measures = {item.name: getattr(geometry, item.name) for item in fields(geometry)}
    return {
        'kind': kind,
        **{name: list(v) if isinstance(v, tuple) else v for name, v in measures.items()},
    }


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
