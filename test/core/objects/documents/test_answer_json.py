# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Answers as JSON: each kind follows the schema and is complete."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.documents import DocumentError, parse, write
from world_model_core.objects.answer import (
    InstructionAnswer,
    NoAnswer,
    NumericalAnswer,
    ReferenceAnswer,
    WayPoint,
)
from world_model_core.objects.documents.answer_json import answer_document
from world_model_core.objects.query import (
    Action,
    CountQuery,
    Description,
    Determiner,
    InstructionQuery,
    InstructionStep,
    ReferenceQuery,
    Relation,
    RelationKind,
    Superlative,
)
from world_model_core.objects.values import MapObject

PLANT = MapObject('2', 'potted_plant', np.array((5.0, -3.0, 0.3)), 0.01 * np.eye(3))
FRIDGE = MapObject('0', '冷蔵庫', np.array((4.0, -2.0, 0.9)), np.zeros((3, 3)), size=np.ones(3))
TABLE = Description(('table',), 'table')
NEAREST = Description(
    ('potted plant', 'plant'),
    'plants',
    colors=('green',),
    relations=(Relation(RelationKind.CLOSEST, (TABLE,), rank=2, viewpoint=TABLE),),
)


def told(answer):
    """Convert an answer, and check it by its schema."""
    return parse(write(answer_document(answer)), 'answer')


def test_a_number_is_told_with_its_rivals():
    """A number has its probability, the distribution and the objects counted."""
    distribution = {np.int64(2): np.float64(0.9), 3: 0.1}
    answer = NumericalAnswer(
        CountQuery(NEAREST), 2, 0.9, distribution, (PLANT,), ('one was missing',)
    )
    document = told(answer)
    assert (document['type'], document['count'], document['probability']) == ('numerical', 2, 0.9)
    assert document['distribution'] == {'2': 0.9, '3': 0.1}
    assert [thing['id'] for thing in document['objects']] == ['2']
    assert document['notes'] == ['one was missing']


def test_an_object_is_told_as_in_the_map():
    """A reference has the id and the object of the map, and alternatives with probabilities."""
    document = told(ReferenceAnswer(ReferenceQuery(NEAREST), FRIDGE, 0.75, ((PLANT, 0.25),)))
    assert document['type'] == 'reference'
    assert document['object']['id'] == '0'
    assert document['object']['class'] == '冷蔵庫'
    assert document['object']['size'] == [1.0, 1.0, 1.0]
    (other,) = document['alternatives']
    assert (other['object']['position'], other['probability']) == ([5.0, -3.0, 0.3], 0.25)


def test_a_way_is_told_in_order_with_reasons():
    """Each way point has pose, reason, and whether the instruction names it."""
    steps = (
        InstructionStep(Action.VIA_BETWEEN, (TABLE, TABLE)),
        InstructionStep(Action.GO_TO, (NEAREST,)),
    )
    points = (WayPoint(1.0, np.float64(2.0), 0.5, 'round a wall', is_goal=False),)
    document = told(InstructionAnswer(InstructionQuery(steps), points, 1.0, (PLANT,)))
    assert document['way_points'] == [
        {'x': 1.0, 'y': 2.0, 'theta': 0.5, 'reason': 'round a wall', 'is_goal': False}
    ]
    assert [step['action'] for step in document['query']['steps']] == ['via between', 'go to']


@pytest.mark.parametrize('query', [None, CountQuery(NEAREST)])
def test_no_answer_is_told_with_what_is_missing(query):
    """No answer has what was understood and what is missing, with the query if there is one."""
    document = told(NoAnswer(query, ('how many',), ('unicorn is not in the map',)))
    assert document['type'] == 'none'
    assert document['understood'] == ['how many']
    assert document['missing'] == ['unicorn is not in the map']
    assert (document['query'] is None) == (query is None)


def test_readings_leave_out_what_is_as_usual():
    """A query contains only what was said."""
    document = told(NumericalAnswer(CountQuery(NEAREST), 0, 1.0, {0: 1.0}, ()))
    assert document['query'] == {
        'target': {
            'labels': ['potted plant', 'plant'],
            'noun': 'plants',
            'colors': ['green'],
            'relations': [
                {
                    'kind': 'closest to',
                    'anchors': [{'labels': ['table'], 'noun': 'table'}],
                    'rank': 2,
                    'viewpoint': {'labels': ['table'], 'noun': 'table'},
                }
            ],
        }
    }


TEXTS = st.text(st.characters(exclude_categories=('Cs',)), max_size=5)
LISTS = st.lists(TEXTS, max_size=2).map(tuple)
DESCRIPTIONS = st.recursive(
    st.builds(
        Description,
        LISTS,
        TEXTS,
        determiner=st.sampled_from(Determiner),
        plural=st.booleans(),
        number=st.none() | st.integers(),
        colors=LISTS,
        size=st.none() | st.sampled_from(('big', 'small')),
        superlative=st.none() | st.sampled_from(Superlative),
        rank=st.integers(1, 3),
        ordinal=st.none() | st.integers(),
        region=st.none() | TEXTS,
    ),
    lambda inner: st.builds(
        Description,
        LISTS,
        TEXTS,
        relations=st.lists(
            st.builds(
                Relation,
                st.sampled_from(RelationKind),
                st.lists(inner, min_size=1, max_size=2).map(tuple),
                rank=st.integers(1, 3),
                inverse=st.booleans(),
                negated=st.booleans(),
                viewpoint=st.none() | inner,
            ),
            max_size=2,
        ).map(tuple),
    ),
    max_leaves=4,
)


@given(
    DESCRIPTIONS.map(CountQuery)
    | DESCRIPTIONS.map(ReferenceQuery)
    | st.builds(
        InstructionStep,
        st.sampled_from(Action),
        st.lists(DESCRIPTIONS, min_size=1, max_size=2).map(tuple),
    ).map(lambda step: InstructionQuery((step,)))
)
def test_any_reading_follows_the_schema(query):
    """Every query can be converted."""
    assert told(NoAnswer(query, (), ()))['type'] == 'none'


def test_what_is_no_answer_is_refused():
    """The schema distinguishes the kinds: a number alone is not a reference."""
    with pytest.raises(DocumentError):
        parse('{"type": "reference", "count": 3}', 'answer')
