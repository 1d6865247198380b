# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Tables and statements of VLA-3D, a data set of annotated scenes (Zhang et al., VLA-3D, 2024).

A scene is a folder: NAME_object_result.csv, a row per object; NAME_region_result.csv, a row per
room; NAME_scene_graph.json and NAME_referential_statements.json, or .json.gz. `_`, `-1`, `N/A`,
`nan` and empty cells of a table mean unknown.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from world_model_core.objects.documents.annotated_objects import (
    annotated_object,
    bounded,
    label_text,
)
from world_model_core.objects.documents.json_fields import (
    Members,
    ObjectMapError,
    parse_json,
    shown,
    text,
)
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.values import Swatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from world_model_core.objects.values import MapObject

    Row = Mapping[str, str]

# Words of NYUv2 for objects without a class: the raw label is more specific.
NAMELESS = frozenset(('unknown', 'void', 'object'))
CENTER = ('object_bbox_cx', 'object_bbox_cy', 'object_bbox_cz')
SIZE = ('object_bbox_xlength', 'object_bbox_ylength', 'object_bbox_zlength')
HEADING, FRONT = 'object_bbox_heading', 'object_front_heading'
REQUIRED = ('object_id', 'raw_label', *CENTER, *SIZE, HEADING)
COLORS = 3
_NOTHING = frozenset(('', '_', 'N/A', 'nan', 'NaN'))
# For ids, names and shares, -1 also means unknown, but not for coordinates.
_ABSENT = _NOTHING | {'-1', '-1.0'}


class Statement(NamedTuple):
    """
    Statement that refers to one object, and that object.

    Attributes
    ----------
    region : str
        Id of the room to which the statement applies.
    text : str
    target : str
        Id of the object it refers to.
    anchors : tuple of str
        Ids of the objects that it mentions to identify the target.

    """

    region: str
    text: str
    target: str
    anchors: tuple[str, ...]


def parse_regions(table: str) -> dict[str, str]:
    """
    Read a table of regions: from id to name.

    Raises
    ------
    ObjectMapError
        If the table is invalid; the message has the line.

    """
    regions: dict[str, str] = {}
    for where, row in _rows(table, ('region_id', 'region_label')):
        name = _known(row, 'region_label')
        if name is not None:
            regions[row['region_id'].strip()] = label_text(name, f'{where}: region_label')
    return regions


def parse_objects(table: str, regions: Mapping[str, str]) -> tuple[MapObject, ...]:
    """
    Read a table of objects.

    The label is the NYUv2 class, which statements of the data set use; the raw label, which
    questions
    of the challenge use, becomes an alias and is usually more specific: a `door frame` is
    a `door`, a `potted plant` a `plant`. Without an NYUv2 class the raw label is the
    label. Objects without a box are omitted.

    Parameters
    ----------
    table : str
        CSV.
    regions : mapping
        From a region's id to its name.

    Returns
    -------
    tuple of MapObject
        `extra` has the `region_id`, since names of regions are not unique, and a `front_heading`
        [rad] if it is known.

    Raises
    ------
    ObjectMapError
        If the table is invalid; the message has line and column.

    """
    objects: dict[str, MapObject] = {}
    for where, row in _rows(table, REQUIRED):
        name = label_text(row['object_id'], f'{where}: object_id')
        if name in objects:
            raise ObjectMapError(f'{where}: object_id {shown(name)} is repeated')
        center = _numbers(row, CENTER, where)
        if center is not None:
            objects[name] = _object(name, center, row, where, regions)
    return tuple(objects.values())


def _object(
    name: str, center: Sequence[float], row: Row, where: str, regions: Mapping[str, str]
) -> MapObject:
    raw = label_text(row['raw_label'], f'{where}: raw_label')
    label = _known(row, 'nyu_label')
    if label is None or normalize_label(label) in NAMELESS:
        label = raw
    heading, front = (_number(row, column, where) for column in (HEADING, FRONT))
    region = _known(row, 'region_id')
    label = label_text(label, f'{where}: nyu_label')
    boxed = annotated_object(name, label, center, _numbers(row, SIZE, where), heading, where=where)
    extra = {'region_id': region, 'front_heading': front}
    return replace(
        boxed,
        aliases=(raw,) if normalize_label(raw) != normalize_label(label) else (),
        colors=tuple(_colors(row, where)),
        region=regions.get(region or ''),
        extra={key: value for key, value in extra.items() if value is not None},
    )


def _known(row: Row, column: str) -> str | None:
    """Return an id or a name, or None if it is unknown."""
    word = row.get(column, '').strip()
    return None if word in _ABSENT else word


def _number(row: Row, column: str, where: str) -> float | None:
    """Return a number, or None if it is unknown; -1 is a valid coordinate or angle."""
    word = row.get(column, '').strip()
    return None if word in _NOTHING else bounded(word, f'{where}: {column}')


def _numbers(row: Row, columns: Sequence[str], where: str) -> tuple[float, ...] | None:
    """Return several numbers, or None if one is unknown."""
    numbers = tuple(_number(row, column, where) for column in columns)
    return None if None in numbers else cast('tuple[float, ...]', numbers)


def _colors(row: Row, where: str) -> Iterator[Swatch]:
    for rank in range(1, COLORS + 1):
        name, share, *rgb = (
            _known(row, f'object_color_{part}{rank}')
            for part in ('scheme', 'scheme_percentage', 'r', 'g', 'b')
        )
        if name is not None and share is not None:
            red, green, blue = (
                bounded(value or '0', f'{where}: color {rank}', 0.0, 255.0) for value in rgb
            )
            color = None if None in rgb else (red, green, blue)
            name = label_text(name, f'{where}: color {rank}')
            yield Swatch(name, bounded(share, f'{where}: share {rank}', 0.0, 1.0), color)


def _rows(table: str, required: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Read the rows of a table, each with the line where it ends."""
    reader = csv.DictReader(table.split('\n'), restval='')
    try:
        header = reader.fieldnames or ()
        for column in required:
            if column not in header:
                raise ObjectMapError(f'the column {column} is missing in line 1')
        for row in reader:
            if None in row:
                raise ObjectMapError(
                    f'line {reader.line_num} has more than the {len(header)} columns of line 1'
                )
            yield f'line {reader.line_num}', row
    except csv.Error as error:
        raise ObjectMapError(f'after line {reader.line_num}: {error}') from error


def parse_statements(json_text: str) -> tuple[Statement, ...]:
    """
    Read referential statements; other keys, as a region's name, are ignored.

    Raises
    ------
    ObjectMapError
        If it is not JSON, or a statement has no target; the message has its path.

    """
    regions = Members(parse_json(json_text, 'statements'), '').need('regions', Members)
    statements: list[Statement] = []
    for region, value in regions.rest.items():
        members = Members(value, regions.path(region))
        for words, meanings in members.rest.items():
            if isinstance(meanings, list):
                path = members.path(words)
                statements += (
                    _statement(region, words, meaning, f'{path}[{index}]')
                    for index, meaning in enumerate(meanings)
                )
    return tuple(statements)


def _statement(region: str, words: str, value: Any, path: str) -> Statement:
    members = Members(value, path)
    anchors = members.take('anchors', Members)
    return Statement(
        region=region,
        text=words,
        target=members.need('target_index', text),
        anchors=() if anchors is None else tuple(_anchors(anchors)),
    )


def _anchors(anchors: Members) -> Iterator[str]:
    for key, value in anchors.rest.items():
        yield Members(value, anchors.path(key)).need('index', text)
