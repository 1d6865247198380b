# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Object map as a JSON document: {"objects": {id: object}} and data about the map itself.

The schema is object_map.schema.json. Fields are checked by hand and not by the schema, so that an
error has path, value and rule in one line, covariances can be checked, and a map of
thousands of objects is read in a fraction of the time. Tests compare both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.objects.documents.json_fields import (
    Members,
    ObjectMapError,
    check_definite,
    integer,
    parse_json,
    text,
)
from world_model_core.objects.documents.object_json import (
    object_document,
    read_object,
    with_unknown,
)
from world_model_core.objects.values import MapObject, Tombstone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Ids that a map assigns; `next_id` is above them all.
_NUMBERED = re.compile('0|[1-9][0-9]{0,17}')


@dataclass(frozen=True, slots=True)
class ObjectMapDocument:
    """
    Object map with everything that is saved.

    Attributes
    ----------
    objects : tuple of MapObject
    tombstones : tuple of Tombstone
        Deleted objects, whose ids are not reused.
    next_id : int
        Number of the next id; raised to the least number above all ids if it is smaller.
    map_id : str, optional
        Id of the map; positions are meaningless in another map.
    frame_id : str, optional
        Frame of all positions.
    stamp_ns : int, optional
        Time of the map [ns].
    extra : mapping
        Unknown keys of its JSON.

    """

    objects: tuple[MapObject, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    next_id: int = 0
    map_id: str | None = None
    frame_id: str | None = None
    stamp_ns: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


def parse_map(json_text: str) -> ObjectMapDocument:
    """
    Read an object map.

    Parameters
    ----------
    json_text : str
        JSON as `map_document` writes it. Only `objects` is required, and for each object `class`,
        `position` and `position_uncertainty`, which may also be called `uncertainty`.

    Raises
    ------
    ObjectMapError
        If it is not JSON, or not an object map; the message has path, value and rule.

    """
    members = Members(parse_json(json_text, 'object map'), '')
    objects = members.need('objects', _objects)
    tombstones = members.take('tombstones', read_tombstones) or ()
    _check_ids(objects, tombstones)
    return ObjectMapDocument(
        objects=objects,
        tombstones=tombstones,
        next_id=_next_id(members.take('next_id', integer), _least_id(objects, tombstones)),
        map_id=members.take('map_id', text),
        frame_id=members.take('frame_id', text),
        stamp_ns=members.take('stamp_ns', integer),
        extra=members.rest,
    )


def _objects(value: Any, path: str) -> tuple[MapObject, ...]:
    named = Members(value, path).rest
    objects = tuple(read_object(key, item, f'{path}.{key:.40}') for key, item in named.items())
    if objects:
        covariances = np.array([each.covariance for each in objects])
        check_definite(
            covariances, [f'{path}.{each.id:.40}.position_uncertainty' for each in objects]
        )
    return objects


def read_tombstones(value: Any, path: str) -> tuple[Tombstone, ...]:
    """
    Read the tombstones of a map.

    Raises
    ------
    ObjectMapError
        The message has the path below `path`, the value and the rule.

    """
    named = Members(value, path).rest
    return tuple(_tombstone(key, item, f'{path}.{key:.40}') for key, item in named.items())


def _tombstone(key: str, value: Any, path: str) -> Tombstone:
    members = Members(value, path)
    return Tombstone(
        id=text(key, f'{path} as an id'),
        label=members.need('class', text),
        stamp_ns=members.need('stamp_ns', integer),
        reason=members.need('reason', text),
        merged_into=members.take('merged_into', text),
        extra=members.rest,
    )


def _check_ids(objects: Iterable[MapObject], tombstones: Iterable[Tombstone]) -> None:
    living = {each.id for each in objects}
    for each in tombstones:
        if each.id in living:
            raise ObjectMapError(f'tombstones.{each.id} is also an object; ids must not be reused')


def _least_id(objects: Iterable[MapObject], tombstones: Iterable[Tombstone]) -> int:
    """Return the least number above all ids."""
    ids = (each.id for group in (objects, tombstones) for each in group)
    return max((int(name) + 1 for name in ids if _NUMBERED.fullmatch(name)), default=0)


def _next_id(given: int | None, least: int) -> int:
    if given is not None and given < least:
        raise ObjectMapError(
            f'next_id is {given}; it must be at least {least}, above all ids and tombstones'
        )
    return least if given is None else given


def map_document(document: ObjectMapDocument) -> dict[str, Any]:
    """Convert an object map to JSON values; `parse_map` restores it without loss."""
    origin = {
        'map_id': document.map_id,
        'frame_id': document.frame_id,
        'stamp_ns': document.stamp_ns,
    }
    known: dict[str, Any] = {key: value for key, value in origin.items() if value is not None}
    least = _least_id(document.objects, document.tombstones)
    known['next_id'] = max(document.next_id, least)
    known['objects'] = {each.id: object_document(each) for each in document.objects}
    if document.tombstones:
        known['tombstones'] = {each.id: tombstone_document(each) for each in document.tombstones}
    return with_unknown(known, document.extra)


def tombstone_document(tombstone: Tombstone) -> dict[str, Any]:
    """Convert a tombstone to JSON values, without its id."""
    known: dict[str, Any] = {
        'class': tombstone.label,
        'stamp_ns': tombstone.stamp_ns,
        'reason': tombstone.reason,
    }
    if tombstone.merged_into is not None:
        known['merged_into'] = tombstone.merged_into
    return with_unknown(known, tombstone.extra)
