# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The question that is asked about a house, and its answer: what is lit, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.view.scene import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from world_model_core.gaussian import Array

__all__ = ['AnswerObject', 'HouseAnswer', 'ShownAnchor', 'read_answer']

# Names of objects that a line lists.
MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class AnswerObject:
    """An object of an answer: its id in the map, its name, and the probability that it fits."""

    id: str
    name: str
    probability: float


@dataclass(frozen=True, slots=True)
class ShownAnchor:
    """A phrase of the question with the objects that fit it, most probable first."""

    phrase: str
    objects: tuple[AnswerObject, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HouseAnswer:
    """
    A question and its answer so far.

    Attributes
    ----------
    question : str
    text : str
        The answer in words; empty before the first answer, and without one.
    probability : float or None
        Probability that the answer is right.
    decision : str
        Whether the answer is given now, and why.
    elapsed : float
        Time from the question to the answer [s].
    objects : tuple of AnswerObject
        Objects that are the answer, or that were counted or selected.
    anchors : tuple of ShownAnchor
        Why these: the objects that the phrases inside of the question mean.
    way : array, shape (n, 2)
        Way points [m].
    is_goal : tuple of bool, length n
        Whether the instruction names the way point.
    notes : tuple of str
        Assumptions, other meanings, or what is missing.

    """

    question: str
    text: str
    probability: float | None
    decision: str
    elapsed: float
    objects: tuple[AnswerObject, ...]
    anchors: tuple[ShownAnchor, ...]
    way: Array
    is_goal: tuple[bool, ...]
    notes: tuple[str, ...]

    def rows(self) -> Iterator[Row]:
        """Generate the question, its answer, and why."""
        yield Row('question', self.question)
        if self.text:
            yield Row('answer', self.text)
        if self.probability is not None:
            yield Row('probability', f'{self.probability:.0%}')
        yield Row('decision', self.decision)
        yield Row('elapsed', f'{self.elapsed:.0f} s')
        for anchor in self.anchors:
            yield Row('why', _anchor_text(anchor))
        yield from (Row('note', note) for note in self.notes)


def read_answer(reply: Mapping[str, Any]) -> HouseAnswer:
    """
    Read the valid document of the topic `answer`.

    Parameters
    ----------
    reply : mapping
        See reply.schema.json; the answer in it follows answer.schema.json.

    """
    answer = reply['answer'] or {'type': 'none', 'missing': ()}
    points = answer.get('way_points', ())
    objects = tuple(_object(thing) for thing in _objects(answer))
    return HouseAnswer(
        question=reply['question'],
        text=_text(answer, objects),
        probability=answer.get('probability'),
        decision=reply['decision'],
        elapsed=float(reply['elapsed']),
        objects=objects,
        anchors=tuple(_anchor(each) for each in answer.get('anchors', ())),
        way=np.array([(each['x'], each['y']) for each in points], dtype=np.float64).reshape(-1, 2),
        is_goal=tuple(each['is_goal'] for each in points),
        notes=(*answer.get('missing', ()), *answer.get('notes', ())),
    )


def _objects(answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    if answer['type'] == 'reference':
        return (answer['object'],)
    things: Sequence[Mapping[str, Any]] = answer.get('objects', ())
    return things


def _object(thing: Mapping[str, Any], probability: float = 1.0) -> AnswerObject:
    return AnswerObject(thing['id'], f'{thing["class"]} {thing["id"]}', probability)


def _anchor(anchor: Mapping[str, Any]) -> ShownAnchor:
    objects = (_object(each['object'], each['probability']) for each in anchor['objects'])
    return ShownAnchor(anchor['phrase'], tuple(objects))


def _text(answer: Mapping[str, Any], objects: Sequence[AnswerObject]) -> str:
    named = _listed([each.name for each in objects])
    if answer['type'] == 'numerical':
        return f'{answer["count"]}: {named}' if objects else str(answer['count'])
    if answer['type'] == 'instruction':
        goals = [each['reason'] for each in answer['way_points'] if each['is_goal']]
        return _listed(goals)
    return named


def _anchor_text(anchor: ShownAnchor) -> str:
    fitting = _listed([f'{each.name} {each.probability:.0%}' for each in anchor.objects])
    return f'"{anchor.phrase}": {fitting}'


def _listed(names: Sequence[str]) -> str:
    more = f', +{len(names) - MOST_NAMED}' if len(names) > MOST_NAMED else ''
    return ', '.join(names[:MOST_NAMED]) + more
