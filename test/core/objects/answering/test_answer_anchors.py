# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Anchors of answers: the objects that the phrases inside of a question mean."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.objects.answer import Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.values import MapObject


def thing(name, label, place, size=(0.4, 0.4, 0.4), confidence=1.0):
    """Build an object with an exact position."""
    position, extent = np.array(place, float), np.array(size, float)
    covariance = np.zeros((3, 3))
    return MapObject(name, label, position, covariance, extent, 0.0, confidence=confidence)


HOUSE = (
    thing('a', 'table', (0, 0, 0.35), (1, 1, 0.7)),
    thing('b', 'table', (4, 0, 0.35), (1, 1, 0.7)),
    thing('x', 'bowl', (0, 0, 0.75), (0.2, 0.2, 0.1)),
    thing('y', 'bowl', (4, 0, 0.75), (0.2, 0.2, 0.1)),
    thing('d', 'door', (-3, 0, 1), (1, 0.1, 2)),
)


def anchors(question, *objects):
    """Ask a question; return the objects and their probabilities by phrase."""
    answer = Answerer().answer(question, Scene(objects))
    return {
        each.phrase: [(one.id, probability) for one, probability in each.objects]
        for each in answer.anchors
    }


@pytest.mark.parametrize(
    ('question', 'expected'),
    [
        ('how many bowls', {}),
        ('the table closest to the door', {'door': ['d']}),
        (
            'the bowl on the table closest to the door',
            {'table [closest to the door]': ['a'], 'door': ['d']},
        ),
        ('how many bowls are on a table', {'table': ['a', 'b']}),
        ('go to the table closest to the door', {'door': ['d']}),
    ],
)
def test_each_phrase_inside_of_a_question_has_its_objects(question, expected):
    """Nested phrases must be listed from the outer to the inner one, targets not at all."""
    found = anchors(question, *HOUSE)
    assert {phrase: [name for name, _ in objects] for phrase, objects in found.items()} == expected
    assert list(found) == list(expected)


def test_the_most_probable_anchor_is_first_and_improbable_ones_are_omitted():
    """An object that hardly exists must not be given as a reason."""
    tables = (
        thing('faint', 'table', (0, 0, 0.35), (1, 1, 0.7), confidence=0.02),
        thing('half', 'table', (4, 0, 0.35), (1, 1, 0.7), confidence=0.5),
        thing('sure', 'table', (8, 0, 0.35), (1, 1, 0.7), confidence=0.99),
    )
    (found,) = anchors('how many doors are near a table', HOUSE[-1], *tables).values()
    assert [name for name, _ in found] == ['sure', 'half']
    assert [probability for _, probability in found] == pytest.approx([0.99, 0.5], abs=0.02)
