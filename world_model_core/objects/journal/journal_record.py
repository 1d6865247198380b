# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Content of one record of a journal: a change of an object map, and whose map it is.

A header in JSON, preceded by its length, is followed by the rows of the changed objects.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.objects.documents.json_fields import (
    Members,
    ObjectMapError,
    check_definite,
    integer,
    items,
)
from world_model_core.objects.documents.object_json import object_document, read_object
from world_model_core.objects.documents.object_map_document import (
    read_tombstones,
    tombstone_document,
)
from world_model_core.objects.mapping.map_changes import ROW, MapChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.objects.values import MapObject

# Increased when ROW or the header changes its meaning.
VERSION = 1
_LENGTH = struct.Struct('<I')


class JournalError(WorldModelError):
    """The content of a record is not that of an object map's journal of this version."""


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """
    One record.

    Attributes
    ----------
    change : MapChange
    map_id, frame_id : str, optional
        Id of the map, and frame of its positions.
    stamp_ns : int, optional
        Time of the map [ns].
    extra : mapping
        Unknown keys of the JSON from which the map was loaded; only in a full change.
    launcher : str
        Process that started the node for a fresh map; empty otherwise.
    ended_by : str
        Process that ended regularly after this record; empty if the node goes on.

    """

    change: MapChange
    map_id: str | None = None
    frame_id: str | None = None
    stamp_ns: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    launcher: str = ''
    ended_by: str = ''


def encode(record: JournalRecord) -> bytes:
    """Return the content of a record."""
    change = record.change
    header = {
        'version': VERSION,
        'full': change.full,
        'next_id': change.next_id,
        'map_id': record.map_id,
        'frame_id': record.frame_id,
        'stamp_ns': record.stamp_ns,
        'launcher': record.launcher or None,
        'ended_by': record.ended_by or None,
        'labels': change.labels,
        'colors': change.colors,
        'ids': change.ids,
        'removed': change.removed,
        'tombstones': {each.id: tombstone_document(each) for each in change.tombstones},
        'origins': {name: object_document(each) for name, each in change.origins.items()},
        'extra': record.extra,
    }
    data = json.dumps(header, ensure_ascii=False, separators=(',', ':')).encode()
    return _LENGTH.pack(len(data)) + data + change.rows.tobytes()


def decode(content: bytes | memoryview) -> JournalRecord:
    """
    Read the content of a record.

    Parameters
    ----------
    content : bytes or memoryview
        The rows of the record are a view of it.

    Raises
    ------
    JournalError
        If it is invalid, or of another version.

    """
    if len(content) < _LENGTH.size:
        raise JournalError(f'the record has {len(content)} bytes; its header is missing')
    (length,) = _LENGTH.unpack_from(content)
    start = _LENGTH.size + length
    try:
        header = json.loads(bytes(content[_LENGTH.size : start]))
        return _read(Members(header, ''), content[start:])
    except (ObjectMapError, ValueError, RecursionError) as error:
        raise JournalError(f'the header of the record is invalid: {error}') from error


def _read(members: Members, rows: bytes | memoryview) -> JournalRecord:
    version = members.need('version', integer)
    if version != VERSION:
        raise JournalError(f'version is {version}; it must be {VERSION}')
    ids = members.need('ids', _words)
    if len(rows) != len(ids) * ROW.itemsize:
        raise JournalError(
            f'{len(ids)} objects have {len(rows)} bytes; they must have {ROW.itemsize} each'
        )
    change = MapChange(
        full=members.need('full', _flag),
        next_id=members.need('next_id', integer),
        labels=members.need('labels', _words),
        colors=members.need('colors', _words),
        ids=ids,
        rows=np.frombuffer(rows, ROW),
        origins=members.need('origins', _origins),
        removed=members.need('removed', _words),
        tombstones=members.need('tombstones', read_tombstones),
    )
    return JournalRecord(
        change,
        map_id=members.take('map_id', _word),
        frame_id=members.take('frame_id', _word),
        stamp_ns=members.take('stamp_ns', _whole),
        extra=members.need('extra', lambda value, path: Members(value, path).rest),
        launcher=members.take('launcher', _word) or '',
        ended_by=members.take('ended_by', _word) or '',
    )


def _word(value: Any, path: str) -> str:
    """Read a text of any length: what came from a detector is kept as it is."""
    if not isinstance(value, str):
        raise ObjectMapError(f'{path} must be a string')
    return value


def _words(value: Any, path: str) -> tuple[str, ...]:
    words = tuple(items(value, path))
    if not all(isinstance(each, str) for each in words):
        raise ObjectMapError(f'{path} must be strings')
    return words


def _whole(value: Any, path: str) -> int:
    """Read an integer, also a negative one: stamps of a simulator may be anything."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ObjectMapError(f'{path} must be a whole number')
    return value


def _flag(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise ObjectMapError(f'{path} must be true or false')
    return value


def _origins(value: Any, path: str) -> dict[str, MapObject]:
    named = Members(value, path).rest
    origins = {key: read_object(key, item, f'{path}.{key:.40}') for key, item in named.items()}
    if origins:
        covariances = np.array([each.covariance for each in origins.values()])
        check_definite(covariances, [f'{path}.{key:.40}' for key in origins])
    return origins


def fold(records: Iterable[JournalRecord], tombstone_limit: int) -> JournalRecord | None:
    """
    Add up changes.

    Parameters
    ----------
    records : iterable of JournalRecord
        In their order; those before the last full change have no effect.
    tombstone_limit : int
        Number of tombstones to keep, the newest.

    Returns
    -------
    JournalRecord or None
        One full change; None without records.

    """
    found = tuple(records)
    if not found:
        return None
    last = found[-1]
    begin = max((i for i, each in enumerate(found) if each.change.full), default=0)
    changes = [each.change for each in found[begin:]]
    places: dict[str, int] = {}
    count = 0
    for change in changes:
        for name in change.removed:
            places.pop(name, None)
        places.update(zip(change.ids, range(count, count + len(change.ids)), strict=True))
        count += len(change.ids)
    rows = np.concatenate([change.rows for change in changes])
    tombstones = [stone for change in changes for stone in change.tombstones]
    folded = MapChange(
        full=True,
        next_id=last.change.next_id,
        labels=tuple(word for change in changes for word in change.labels),
        colors=tuple(word for change in changes for word in change.colors),
        ids=tuple(places),
        rows=rows[list(places.values())],
        origins={name: each for name, each in changes[0].origins.items() if name in places},
        tombstones=tuple(tombstones[max(len(tombstones) - tombstone_limit, 0) :]),
    )
    return JournalRecord(
        folded,
        last.map_id,
        last.frame_id,
        last.stamp_ns,
        found[begin].extra,
        last.launcher,
        ended_by=last.ended_by,
    )
