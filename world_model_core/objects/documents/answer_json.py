# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Answers as JSON values that follow answer.schema.json, for topics and for `--json`."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from world_model_core.objects.answer import (
    InstructionAnswer,
    NoAnswer,
    NumericalAnswer,
    ReferenceAnswer,
)
from world_model_core.objects.documents.object_json import object_document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.objects.answer import Answer
    from world_model_core.objects.values import MapObject


def answer_document(answer: Answer) -> dict[str, Any]:
    """Convert an answer to JSON values; `type` is one of four."""
    if isinstance(answer, NoAnswer):
        return {
            'type': 'none',
            'query': None if answer.query is None else _reading(answer.query),
            'understood': list(answer.understood),
            'missing': list(answer.missing),
        }
    return {
        **_told(answer),
        'probability': float(answer.probability),
        'notes': list(answer.notes),
        'anchors': [
            {'phrase': anchor.phrase, 'objects': _weighed(anchor.objects)}
            for anchor in answer.anchors
        ],
        'query': _reading(answer.query),
    }


def _told(answer: NumericalAnswer | ReferenceAnswer | InstructionAnswer) -> dict[str, Any]:
    if isinstance(answer, NumericalAnswer):
        return {
            'type': 'numerical',
            'count': int(answer.count),
            'distribution': {str(n): float(part) for n, part in answer.distribution.items()},
            'objects': [_named(thing) for thing in answer.objects],
        }
    if isinstance(answer, ReferenceAnswer):
        return {
            'type': 'reference',
            'object': _named(answer.object),
            'alternatives': _weighed(answer.alternatives),
        }
    return {
        'type': 'instruction',
        'way_points': [
            {
                'x': float(point.x),
                'y': float(point.y),
                'theta': float(point.theta),
                'reason': point.reason,
                'is_goal': point.is_goal,
            }
            for point in answer.way_points
        ],
        'objects': [_named(thing) for thing in answer.objects],
    }


def _weighed(objects: Iterable[tuple[MapObject, float]]) -> list[dict[str, Any]]:
    return [
        {'object': _named(thing), 'probability': float(probability)}
        for thing, probability in objects
    ]


def _named(thing: MapObject) -> dict[str, Any]:
    return {'id': thing.id, **object_document(thing)}


def _reading(value: Any) -> Any:
    """Convert a query to JSON values; fields with their default value are omitted."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_reading(item) for item in value]
    if not is_dataclass(value):
        return value
    given = {each.name: (getattr(value, each.name), each.default) for each in fields(value)}
    return {
        name: _reading(item)
        for name, (item, default) in given.items()
        if default is MISSING or item != default
    }
