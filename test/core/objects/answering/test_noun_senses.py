# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Nouns that are not exactly a label of the map: the other number, compounds and synonyms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from world_model_core.documents import parse, write
from world_model_core.objects.answer import NoAnswer, Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.answering.object_interest import Interest
from world_model_core.objects.documents.answer_json import answer_document
from world_model_core.objects.values import MapObject


def thing(name, label, place, size=(0.5, 0.5, 0.5)):
    """Build an object that is known exactly."""
    return MapObject(name, label, np.array(place, float), np.zeros((3, 3)), np.array(size), 0.0)


def ask(question, *things):
    """Answer a question about some objects."""
    return Answerer().answer(question, Scene(things))


def shares(answer):
    """Return the probability of each object of a reference."""
    pairs = ((answer.object, answer.probability), *answer.alternatives)
    return {each.id: probability for each, probability in pairs}


DOORS = (
    thing('a', 'door', (0, 0, 1)),
    thing('b', 'door', (4, 0, 1)),
    thing('pair', 'Doors', (8, 0, 1)),
)
CABINETS = (
    thing('kitchen', 'cabinet', (0, 0, 1), (1, 0.5, 2)),
    thing('hall', 'cabinet', (3, 0, 1), (1, 0.5, 2)),
    thing('living', 'TV cabinet', (6, 0, 0.3), (1.5, 0.5, 0.6)),
)
TV = thing('tv', 'TV', (6, 0, 0.9), (1.0, 0.1, 0.6))
CUPS = (
    thing('cup', 'cup', (8, 3, 0.8), (0.1, 0.1, 0.1)),
    thing('coffee', 'coffee cup', (6, 3, 0.8), (0.1, 0.1, 0.1)),
)


@pytest.mark.parametrize(
    ('question', 'best', 'others'),
    [
        ('Find the doors.', {'pair'}, {'a', 'b'}),
        ('Find the door.', {'a', 'b'}, {'pair'}),
        ('\u30c9\u30a2', {'a', 'b'}, {'pair'}),
    ],
)
def test_the_exact_number_comes_first(question, best, others):
    """Of two labels, "door" and "doors", the other one is named and less probable."""
    answer = ask(question, *DOORS)
    found = shares(answer)
    assert answer.object.id in best
    assert min(found[name] for name in best) > max(found[name] for name in others) > 0.0
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-6)
    assert any('may also mean' in note for note in answer.notes)


def test_both_numbers_are_possible_counts():
    """The exact label alone is the most probable count, all doors are the other one."""
    answer = ask('How many doors are there?', *DOORS)
    assert (answer.count, set(answer.distribution)) == (1, {1, 3})
    assert answer.distribution[1] > answer.distribution[3] > 0.1
    assert '"doors" may also mean "door"' in answer.notes


@pytest.mark.parametrize('question', ['Find the chairs.', 'How many chairs are there?'])
def test_a_plural_of_the_only_label_is_exact(question):
    """Nothing is uncertain if the map has one form of the noun only."""
    answer = ask(question, thing('a', 'chair', (0, 0, 0)))
    assert answer.probability == 1.0
    assert not any('mean' in note or 'interpreted' in note for note in answer.notes)


@pytest.mark.parametrize(
    'question',
    [
        'Find the cabinet with a TV on it.',
        'Find the cabinet below the TV.',
        'Find the cabinet closest to the TV that is below the TV.',
        'How many cabinets with a TV on them are there?',
        '\u30c6\u30ec\u30d3\u306e\u3042\u308b\u30ad\u30e3\u30d3\u30cd\u30c3\u30c8',
    ],
)
def test_a_compound_is_meant_if_no_exact_label_fits(question):
    """A cabinet with a TV on it is the TV cabinet, although other objects are called cabinet."""
    answer = ask(question, *CABINETS, TV)
    (found,) = answer.objects if hasattr(answer, 'objects') else (answer.object,)
    assert found.id == 'living'
    assert 0.5 < answer.probability < 1.0
    assert any('"TV cabinet"' in note for note in answer.notes)


def test_an_object_of_the_exact_name_comes_before_a_compound():
    """The cabinet near the door is the one that is called so, at nearly full probability."""
    door = thing('door', 'door', (6.0, 1.2, 1.0))
    answer = ask('Find the cabinet closest to the door.', *CABINETS, door)
    assert answer.object.id == 'hall'
    assert 0.9 < answer.probability < 1.0
    assert shares(answer)['living'] == pytest.approx(1.0 - answer.probability, abs=0.01)


def test_an_alias_is_an_exact_name():
    """An object with two names is not noted under the other one."""
    named = replace(CABINETS[2], aliases=('cabinet',))
    answer = ask('How many cabinets are there?', *CABINETS[:2], named)
    assert (answer.count, answer.probability, answer.notes) == (3, 1.0, ())


def test_a_count_includes_compounds_improbably():
    """Two cabinets; three if the TV cabinet counts."""
    answer = ask('How many cabinets are there?', *CABINETS)
    assert answer.count == 2
    assert answer.distribution == pytest.approx({2: 0.985, 3: 0.015}, abs=0.01)


@pytest.mark.parametrize(
    ('question', 'label'),
    [
        ('Find the cup of coffee.', 'coffee cup'),
        ('Find the coffee mug.', 'coffee cup'),
        ('Find the bowl of fruits.', 'fruit bowl'),
        ('Find the apple bowl.', 'bowl of apples'),
        ('Find the couch.', 'sofa'),
        ('Find the screen.', 'folding screen'),
        ('\u30b3\u30fc\u30d2\u30fc\u306e\u30ab\u30c3\u30d7', 'coffee cup'),
        ('\u30ab\u30c3\u30d7', '\u30b3\u30fc\u30d2\u30fc\u30ab\u30c3\u30d7'),
    ],
)
def test_a_noun_without_a_label_means_a_compound_or_synonym(question, label):
    """The label is named, and the probability is below that of an exact one."""
    answer = ask(question, thing('x', label, (0, 0, 0)), thing('y', 'lamp', (1, 0, 0)))
    assert answer.object.id == 'x'
    assert 0.9 < answer.probability < 1.0
    assert any('is interpreted as' in note and f'"{label}"' in note for note in answer.notes)


def test_words_in_another_order_are_less_probable_than_the_exact_label():
    """Of a cup of coffee and a coffee cup, each phrase means the one that is called so."""
    both = (thing('of', 'cup of coffee', (0, 0, 0)), thing('compound', 'coffee cup', (2, 0, 0)))
    assert ask('Find the cup of coffee.', *both).object.id == 'of'
    assert ask('Find the coffee cup.', *both).object.id == 'compound'


def test_a_name_tells_what_the_map_lacks():
    """Without a TV in the map, the TV cabinet is the cabinet with a TV on it."""
    answer = ask('Find the cabinet with a TV on it.', *CABINETS)
    assert answer.object.id == 'living'
    assert answer.probability < 1.0
    assert any('follows from the name "tv cabinet"' in note for note in answer.notes)


def test_a_name_in_another_order_tells_as_well():
    """Without apples in the map, the bowl of apples is the bowl with apples in it."""
    bowls = (thing('empty', 'bowl', (0, 0, 0)), thing('full', 'bowl of apples', (1, 0, 0)))
    assert ask('Find the bowl with apples in it.', *bowls).object.id == 'full'


@pytest.mark.parametrize('question', ['Find the table lamp.', 'Find the cup of tea.'])
def test_a_compound_does_not_mean_its_head(question):
    """A table lamp is not any lamp, and a cup of tea is no coffee cup."""
    assert isinstance(ask(question, thing('x', 'lamp', (0, 0, 0)), *CUPS), NoAnswer)


def test_the_attachment_that_exists_is_preferred_to_a_wider_sense():
    """The reading in which an exact label fits is chosen."""
    things = (
        thing('low', 'table', (0, 0, 0.35), (1, 1, 0.7)),
        thing('side', 'side table', (4, 0, 0.35), (1, 1, 0.7)),
        thing('near', 'bowl', (0, 0, 0.75), (0.2, 0.2, 0.1)),
        thing('far', 'bowl', (4, 0, 0.75), (0.2, 0.2, 0.1)),
        thing('screen', 'screen', (5, 0, 1), (1, 0.1, 1)),
    )
    answer = ask('Find the bowl on the table closest to the screen.', *things)
    assert answer.object.id == 'near'


def test_answers_with_senses_follow_the_schema():
    """The document names the senses that were considered."""
    document = answer_document(ask('Find the cabinet with a TV on it.', *CABINETS, TV))
    (sense,) = parse(write(document), 'answer')['query']['target']['senses']
    assert sense['labels'] == ['tv cabinet']


def test_a_question_makes_compounds_interesting():
    """The map keeps the objects that a noun may mean."""
    covered = Interest(('cabinet', 'cup of coffee')).covered_labels(('TV cabinet', 'coffee cup'))
    assert {'tv cabinet', 'coffee cup'} <= covered
