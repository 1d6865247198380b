# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Answers as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from rich.table import Table
from rich.text import Text

from world_model_core.findings import printable
from world_model_core.objects.answer import (
    InstructionAnswer,
    NoAnswer,
    NumericalAnswer,
    ReferenceAnswer,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.objects.answer import Answer, WayPoint
    from world_model_core.objects.values import MapObject

    Rows: TypeAlias = Iterator[tuple[str, str]]

# Alternatives with a lower probability are omitted.
LEAST = 0.005


def answer_table(answer: Answer) -> Table:
    """Lay out an answer: the result first, then its probability and the objects it depends on."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow='fold')
    last = ''
    for name, text in _rows(answer):
        # Labels and questions may contain escape sequences of terminals.
        table.add_row('' if name == last else name, Text(printable(text)))
        last = name
    return table


def _rows(answer: Answer) -> Rows:
    if isinstance(answer, NoAnswer):
        yield 'answer', 'none'
        yield from (('understood', phrase) for phrase in answer.understood)
        yield from (('missing', reason) for reason in answer.missing)
        return
    yield from _answer_rows(answer)
    for anchor in answer.anchors:
        for thing, probability in anchor.objects:
            text = f'"{anchor.phrase}": {_object_text(thing)}, {_percent(probability)}'
            yield 'anchor', text
    yield from (('note', note) for note in answer.notes)


def _answer_rows(answer: NumericalAnswer | ReferenceAnswer | InstructionAnswer) -> Rows:
    if isinstance(answer, NumericalAnswer):
        yield 'answer', f'{answer.count}'
        yield 'probability', _percent(answer.probability)
        for number, probability in sorted(answer.distribution.items()):
            if number != answer.count and probability >= LEAST:
                yield 'otherwise', f'{number}, {_percent(probability)}'
        yield from (('counted', _object_text(thing)) for thing in answer.objects)
    elif isinstance(answer, ReferenceAnswer):
        yield 'answer', _object_text(answer.object)
        yield 'probability', _percent(answer.probability)
        for thing, probability in answer.alternatives:
            if probability >= LEAST:
                yield 'otherwise', f'{_object_text(thing)}, {_percent(probability)}'
    else:
        yield from (('answer', _way_point_text(point)) for point in answer.way_points)
        yield 'probability', _percent(answer.probability)
        yield from (('rests on', _object_text(thing)) for thing in answer.objects)


def _percent(probability: float) -> str:
    return f'{100.0 * probability:.1f} %'


def _object_text(thing: MapObject) -> str:
    """Write id, color, class and position [m]."""
    place = ', '.join(f'{value:.2f}' for value in thing.position)
    color = f'{thing.color} ' if thing.colors else ''
    region = f' in {thing.region}' if thing.region else ''
    return f'{thing.id}: {color}{thing.label} at ({place}) m{region}'


def _way_point_text(point: WayPoint) -> str:
    """Write a way point with its reason; way points that are no goals are indented."""
    mark = '' if point.is_goal else '  '
    return f'{mark}({point.x:.2f}, {point.y:.2f}) m, {point.theta:.2f} rad: {point.reason}'
