# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Object list of a scene of the CMU VLA challenge: lines `id x y z l w h heading "label"`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.objects.documents.annotated_objects import (
    annotated_object,
    bounded,
    label_text,
)
from world_model_core.objects.documents.json_fields import ObjectMapError, shown

if TYPE_CHECKING:
    from world_model_core.objects.values import MapObject

COLUMNS = ('x', 'y', 'z', 'l', 'w', 'h', 'heading')
LAYOUT = f'id {" ".join(COLUMNS)} "label"'


def parse_object_list(text: str) -> tuple[MapObject, ...]:
    """
    Read an object list; empty lines are skipped.

    Raises
    ------
    ObjectMapError
        If a line is invalid or its id is repeated; the message has the line number.

    """
    objects: dict[str, MapObject] = {}
    # Not splitlines: a label may contain characters that Unicode considers line ends.
    for number, line in enumerate(text.split('\n'), start=1):
        if line.strip():
            thing = _object(line, f'line {number}')
            if thing.id in objects:
                raise ObjectMapError(f'line {number}: the id {shown(thing.id)} is repeated')
            objects[thing.id] = thing
    return tuple(objects.values())


def _object(line: str, where: str) -> MapObject:
    words = line.split(maxsplit=8)
    if len(words) < 9:
        raise ObjectMapError(f'{where} is {shown(line.strip())}; it must be {LAYOUT}')
    name, *numbers, label = words
    named = zip(numbers, COLUMNS, strict=True)
    box = [bounded(word, f'{where}: {column}') for word, column in named]
    label = label_text(_unquoted(label.strip(), where), f'{where}: label')
    name = label_text(name, f'{where}: id')
    return annotated_object(name, label, box[:3], box[3:6], box[6], where=where)


def _unquoted(label: str, where: str) -> str:
    """Remove the quotes; lists without quotes are also accepted."""
    if label.startswith('"') != (label.endswith('"') and len(label) > 1):
        raise ObjectMapError(f'{where}: label is {shown(label)}; its quotes must match')
    return label[1:-1] if label.startswith('"') else label
