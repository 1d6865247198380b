# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The object that a reference means, its probability, and explanations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.objects.answer import NoAnswer, NumericalAnswer, ReferenceAnswer, Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.values import MapObject, Swatch

DRAWS = 50_000


def thing(name, label, place, *, size=(0.4, 0.4, 0.4), sigma=0.0, color=None, **rest):
    """Build an object; a color is given by name."""
    colors = () if color is None else (Swatch(color, 1.0),)
    covariance = np.eye(3) * sigma**2
    position, extent = np.array(place, float), np.array(size, float)
    return MapObject(name, label, position, covariance, extent, 0.0, colors, **rest)


def ask(question, *things, robot=None):
    """Answer a question about some objects."""
    return Answerer().answer(question, Scene(things, robot=robot))


TABLES = (
    thing('a', 'table', (0, 0, 0.35), size=(1, 1, 0.7)),
    thing('b', 'table', (4, 0, 0.35), size=(1.4, 1.4, 0.7)),
    thing('c', 'table', (8, 0, 0.35), size=(2, 2, 0.7)),
)
BOWLS = (
    thing('x', 'bowl', (0, 0, 0.75), size=(0.2, 0.2, 0.1)),
    thing('y', 'bowl', (0.3, 0, 0.75), size=(0.2, 0.2, 0.1)),
    thing('z', 'bowl', (4, 0, 0.75), size=(0.2, 0.2, 0.1)),
)
DOOR = thing('d', 'door', (-3, 0, 1), size=(1, 0.1, 2))


@pytest.mark.parametrize(
    ('question', 'name'),
    [
        ('the table closest to the door', 'a'),
        ('the table that is second closest to the door', 'b'),
        ('the table farthest from the door', 'c'),
        ('the second farthest table from the door', 'b'),
        ('the biggest table', 'c'),
        ('the small table', 'a'),
        ('the second biggest table', 'b'),
        ('the table without a bowl on it', 'c'),
        ('the bowl on the biggest table with a bowl on it', 'z'),
    ],
)
def test_phrases_mean_one_object(question, name):
    """Ranks, sizes, superlatives, relations and negated relations each select one table."""
    answer = ask(f'Find {question}.', *TABLES, *BOWLS, DOOR)
    assert isinstance(answer, ReferenceAnswer), answer
    assert (answer.object.id, answer.probability) == (name, 1.0)


def test_color_selects_an_object():
    """The red object is selected without a note about the others."""
    chairs = [
        thing(color, 'chair', (i, 0, 0.4), color=color) for i, color in enumerate(('red', 'blue'))
    ]
    answer = ask('Find the blue chair.', *chairs)
    assert (answer.object.id, answer.probability) == ('blue', 1.0)


def test_objects_that_fit_equally_share_the_probability():
    """Each of three equal tables has probability 1/3, and a note says so."""
    answer = ask('Find the table.', *TABLES)
    assert answer.probability == pytest.approx(1.0 / 3.0)
    assert [likely for _, likely in answer.alternatives] == pytest.approx([1.0 / 3.0] * 2)
    assert 'fits 3 objects equally' in answer.notes[0]


def test_the_parse_that_fits_the_map_is_preferred():
    """
    The map decides between two parses; a note names the other one.

    By grammar, the table is closest to the door, but two bowls are on tables there; only one bowl
    is the closest to the door and on a table.
    """
    answer = ask('Find the bowl on the table closest to the door.', *TABLES, *BOWLS, DOOR)
    assert (answer.object.id, answer.probability) == ('x', 1.0)
    alone = ask(
        'Find the bowl on the table closest to the door.', *TABLES, BOWLS[2], BOWLS[1], DOOR
    )
    assert alone.object.id == 'y'


@pytest.mark.parametrize(
    ('question', 'reason'),
    [
        ('Find the piano.', 'no "piano" in the map'),
        ('Find the table with a vase on it.', 'no "vase" in the map'),
        ('How many bowls are on the sofa?', 'no "sofa" in the map'),
        ('Go to the table, then to the piano.', 'no "piano" in the map'),
        ('Find the door with a bowl on it.', '1 of "door", none with'),
    ],
)
def test_missing_objects_are_named(question, reason):
    """A question about objects that are not in the map gets a reason instead of an answer."""
    answer = ask(question, *TABLES, *BOWLS, DOOR)
    assert isinstance(answer, NoAnswer)
    assert any(reason in each for each in answer.missing)


def test_absent_class_is_counted_as_zero():
    """The count of an absent class is 0, with a note."""
    answer = ask('How many chairs are there?', *TABLES)
    assert isinstance(answer, NumericalAnswer)
    assert answer.count == 0
    assert 'no "chairs" in the map' in answer.notes


def test_sides_are_those_of_the_robot():
    """Left is the robot's left; a note names the viewpoint if the robot's pose is unknown."""
    chairs = (thing('n', 'chair', (4, 2, 0.4)), thing('s', 'chair', (4, -2, 0.4)))
    middle = thing('t', 'table', (4, 0, 0.4))
    question = 'Find the chair to the left of the table.'
    assert ask(question, *chairs, middle, robot=np.array((0.0, 0.0, 0.0))).object.id == 'n'
    assert ask(question, *chairs, middle, robot=np.array((9.0, 0.0, 0.0))).object.id == 's'
    assert any('origin' in note for note in ask(question, *chairs, middle).notes)


def test_spelling_correction_is_noted():
    """A note names the word that replaced a misspelled one."""
    answer = ask('Find the tabel.', TABLES[0])
    assert any('tabel' in note for note in answer.notes)


def test_probability_of_the_nearest_agrees_with_sampling():
    """Each of several plants is the nearest as often as in independent samples."""
    random = np.random.default_rng(5)
    things = [
        thing('r', 'refrigerator', (0, 0, 0.9), sigma=0.2),
        thing('1', 'plant', (1.0, 0, 0.5), sigma=0.1),
        thing('2', 'plant', (0, 1.1, 0.5), sigma=0.3, confidence=0.8),
        thing('3', 'plant', (-1.3, 0, 0.5), sigma=0.3),
    ]
    answer = ask('Find the plant closest to the refrigerator.', *things)
    drawn = np.array(
        [random.multivariate_normal(each.position, each.covariance, DRAWS) for each in things]
    )
    distances = np.linalg.norm(drawn[1:] - drawn[0], axis=2)
    distances[1, random.random(DRAWS) > 0.8] = np.inf
    nearest = np.bincount(distances.argmin(axis=0), minlength=3) / DRAWS
    found = {each.id: likely for each, likely in answer.alternatives}
    found[answer.object.id] = answer.probability
    assert [found[name] for name in '123'] == pytest.approx(nearest.tolist(), abs=0.04)


def test_distribution_of_a_count_agrees_with_sampling():
    """The number of chairs near a table has the same distribution as in independent samples."""
    confidences = (0.9, 0.6, 0.3)
    chairs = [
        thing(str(i), 'chair', (2 * i, 0, 0.4), confidence=each)
        for i, each in enumerate(confidences)
    ]
    answer = ask('How many chairs are there?', *chairs)
    expected = np.array([1.0])
    for each in confidences:
        expected = np.convolve(expected, (1.0 - each, each))
    found = [answer.distribution.get(number, 0.0) for number in range(4)]
    assert found == pytest.approx(expected.tolist(), abs=0.04)
    assert answer.probability == answer.distribution[answer.count] == max(found)


places = st.tuples(st.floats(-4, 4), st.floats(-4, 4))


@settings(max_examples=40)
@given(
    rows=st.lists(
        st.tuples(places, st.floats(0.0, 0.3), st.floats(0.1, 1.0)), min_size=1, max_size=6
    ),
    turn=st.floats(-3, 3),
    shift=st.tuples(st.floats(-50, 50), st.floats(-50, 50)),
)
def test_answers_do_not_depend_on_the_frame(rows, turn, shift):
    """
    A rotated and translated map gives the same answers.

    Exactly so for certain maps; otherwise up to the difference of draws along other axes.
    """
    scenes = []
    for angle, (dx, dy) in ((0.0, (0.0, 0.0)), (turn, shift)):
        c, s = math.cos(angle), math.sin(angle)
        things = [thing('door', 'door', (c * 1 + dx, s * 1 + dy, 1), size=(0.2, 1, 2))]
        for number, ((x, y), sigma, confidence) in enumerate(rows):
            place = (c * x - s * y + dx, s * x + c * y + dy, 0.4)
            things.append(thing(str(number), 'chair', place, sigma=sigma, confidence=confidence))
        scenes.append(Scene(tuple(things)))
    here, there = (Answerer().answer('How many chairs are there?', each) for each in scenes)
    assert here.distribution == there.distribution
    assert sum(here.distribution.values()) == pytest.approx(1.0)
    nearest = [Answerer().answer('the chair closest to the door', each) for each in scenes]
    told = []
    for answer in nearest:
        likely = {each.id: chance for each, chance in answer.alternatives}
        likely[answer.object.id] = answer.probability
        assert all(0.0 <= chance <= 1.0 for chance in likely.values())
        assert sum(likely.values()) <= 1.0 + 1e-9
        told.append(likely)
    for name in told[0].keys() | told[1].keys():
        assert told[0].get(name, 0.0) == pytest.approx(told[1].get(name, 0.0), abs=0.2)


@pytest.mark.parametrize(
    'question', ['How many tables are in the kitchen?', 'the table in the kitchen']
)
def test_a_map_without_rooms_cannot_answer_questions_about_rooms(question):
    """The answer is not zero, but a reason."""
    answer = ask(question, *TABLES)
    assert isinstance(answer, NoAnswer)
    assert answer.missing == ('objects in the kitchen: the map has no rooms',)


def test_a_map_with_rooms_counts_zero_in_an_empty_room():
    """The same holds for an absent class in a map without rooms."""
    lamp = thing('l', 'lamp', (0, 0, 1), region='bedroom')
    answer = ask('How many lamps are in the kitchen?', lamp)
    assert isinstance(answer, NumericalAnswer)
    assert answer.count == 0
    answer = ask('How many pianos are in the kitchen?', *TABLES)
    assert isinstance(answer, NumericalAnswer)
    assert answer.count == 0
