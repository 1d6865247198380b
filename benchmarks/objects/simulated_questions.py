# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Questions about simulated houses, with true answers from plain rules on the true boxes.

Only questions with a single answer are generated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from inflection import pluralize

from world_model_core.objects.query import RelationKind
from world_model_core.objects.relations import pairwise_relations as relations
from world_model_core.objects.relations.boxes import boxes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.objects.values import MapObject

COUNT, REFERENCE, INSTRUCTION = 'numerical', 'reference', 'instruction'
# Largest number of anchors of "closest" and "farthest".
MOST_ANCHORS = 3
RELATIONS = {'on': RelationKind.ON, 'near': RelationKind.NEAR}


class Question(NamedTuple):
    """
    A question with its type and true answer: a number, or ids of objects in order.

    `labels` are the classes that it compares, phrase by phrase: of the objects and of their
    anchors.
    """

    type: str
    text: str
    truth: int | tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]


class Questioner:
    """
    Generates questions about objects whose true boxes are known.

    Parameters
    ----------
    objects : sequence of MapObject
        The truth.
    random : numpy.random.Generator

    """

    def __init__(self, objects: Sequence[MapObject], random: np.random.Generator) -> None:
        self._objects, self._random = objects, random
        self._boxes = boxes_of(objects)
        self._labels = np.array([each.label for each in objects])
        self._colors = np.array([each.color for each in objects])
        self._classes = sorted(set(self._labels.tolist()))
        self._held = {
            word: relations.holds(kind, self._boxes, self._boxes)
            & ~np.eye(len(objects), dtype=np.bool_)
            for word, kind in RELATIONS.items()
        }

    def ask(self, number: int) -> list[Question]:
        """Generate questions, a third of each type."""
        makers = (self._count, self._refer, self._instruct)
        questions: list[Question] = []
        while len(questions) < number:
            question = makers[len(questions) % len(makers)]()
            if question is not None:
                questions.append(question)
        return questions

    def _count(self) -> Question:
        label, anchor = self._random.choice(self._classes, 2).tolist()
        who, noun = self._labels == label, pluralize(label)
        form = self._random.integers(3)
        if form == 0:
            text = f'How many {noun} are there?'
            return Question(COUNT, text, int(who.sum()), ((label,),))
        if form == 1:
            color = str(self._random.choice(self._colors))
            fits = who & (self._colors == color)
            text = f'How many {color} {noun} are there?'
            return Question(COUNT, text, int(fits.sum()), ((label,),))
        word = str(self._random.choice(list(RELATIONS)))
        fits = who & self._held[word][:, self._labels == anchor].any(axis=1)
        text = f'How many {noun} are {word} a {anchor}?'
        return Question(COUNT, text, int(fits.sum()), ((label, anchor),))

    def _refer(self) -> Question | None:
        described = self._describe()
        if described is None:
            return None
        phrase, row, labels = described
        return Question(REFERENCE, f'Find the {phrase}.', (self._objects[row].id,), (labels,))

    def _instruct(self) -> Question | None:
        first, second = self._describe(), self._describe()
        if first is None or second is None or first[1] == second[1]:
            return None
        ids = (self._objects[first[1]].id, self._objects[second[1]].id)
        text = f'First, go near the {first[0]}, then stop at the {second[0]}.'
        return Question(INSTRUCTION, text, ids, (first[2], second[2]))

    def _describe(self) -> tuple[str, int, tuple[str, str]] | None:
        """Describe an object unambiguously: the phrase, its row, its labels."""
        labels = self._random.choice(self._classes, 2, replace=False).tolist()
        who, at = (np.flatnonzero(self._labels == each) for each in labels)
        label, anchor = labels
        form = str(self._random.choice(('closest to', 'farthest from', *RELATIONS)))
        if form in RELATIONS:
            fits = who[self._held[form][np.ix_(who, at)].any(axis=1)]
            one = len(fits) == 1
            return (f'{label} {form} a {anchor}', int(fits[0]), (label, anchor)) if one else None
        if len(who) < 2 or len(at) > MOST_ANCHORS:
            return None
        apart = relations.distance(self._boxes.take(who), self._boxes.take(at)).min(axis=1)
        best = apart.argmin() if form == 'closest to' else apart.argmax()
        article = 'the' if len(at) == 1 else 'a'
        return f'{label} {form} {article} {anchor}', int(who[best]), (label, anchor)
