# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Answers for people: a table of names and what is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from rich.table import Table
from rich.text import Text

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

# Rivals that are hardly ever meant are not told.
LEAST = 0.005


def answer_table(answer: Answer) -> Table:
    """Lay an answer out: what is asked for first, then how sure it is and on what it rests."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow='fold')
    last = ''
    for name, told in _rows(answer):
        # Labels and questions come from elsewhere: no terminal is to obey them.
        shown = ''.join(letter if letter.isprintable() else '\ufffd' for letter in told)
        table.add_row('' if name == last else name, Text(shown))
        last = name
    return table


def _rows(answer: Answer) -> Rows:
    if isinstance(answer, NoAnswer):
        yield 'answer', 'none'
        yield from (('understood', phrase) for phrase in answer.understood)
        yield from (('missing', reason) for reason in answer.missing)
        return
    yield from _told(answer)
    yield from (('note', note) for note in answer.notes)


def _told(answer: NumericalAnswer | ReferenceAnswer | InstructionAnswer) -> Rows:
    if isinstance(answer, NumericalAnswer):
        yield 'answer', f'{answer.count}'
        yield 'probability', _percent(answer.probability)
        for number, probability in sorted(answer.distribution.items()):
            if number != answer.count and probability >= LEAST:
                yield 'otherwise', f'{number}, {_percent(probability)}'
        yield from (('counted', _described(thing)) for thing in answer.objects)
    elif isinstance(answer, ReferenceAnswer):
        yield 'answer', _described(answer.object)
        yield 'probability', _percent(answer.probability)
        for thing, probability in answer.alternatives:
            if probability >= LEAST:
                yield 'otherwise', f'{_described(thing)}, {_percent(probability)}'
    else:
        yield from (('answer', _directed(point)) for point in answer.way_points)
        yield 'probability', _percent(answer.probability)
        yield from (('rests on', _described(thing)) for thing in answer.objects)


def _percent(probability: float) -> str:
    return f'{100.0 * probability:.1f} %'


def _described(thing: MapObject) -> str:
    """Write id, color, class and place [m]."""
    place = ', '.join(f'{value:.2f}' for value in thing.position)
    color = f'{thing.color} ' if thing.colors else ''
    region = f' in {thing.region}' if thing.region else ''
    return f'{thing.id}: {color}{thing.label} at ({place}) m{region}'


def _directed(point: WayPoint) -> str:
    """Write a way point with its reason; those on the way only are set off."""
    mark = '' if point.is_goal else '  '
    return f'{mark}({point.x:.2f}, {point.y:.2f}) m, {point.theta:.2f} rad: {point.reason}'
