# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Every query gets a valid answer or a reason why there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.objects.answer import (
    InstructionAnswer,
    NoAnswer,
    NumericalAnswer,
    ReferenceAnswer,
    Scene,
)
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.query import (
    Action,
    CountQuery,
    Description,
    Determiner,
    InstructionQuery,
    InstructionStep,
    Parse,
    ReferenceQuery,
    Relation,
    RelationKind,
    Superlative,
)
from world_model_core.objects.values import MapObject, Swatch

LABELS = ('chair', 'table', 'lamp', 'piano')
ANSWERERS = (Answerer(), Answerer(samples=16))


def phrase_text(anchors):
    """Draw a noun phrase with other phrases as anchors."""
    return st.builds(
        Description,
        labels=st.sampled_from([(), *((label,) for label in LABELS)]),
        noun=st.just('thing'),
        determiner=st.sampled_from(Determiner),
        plural=st.booleans(),
        number=st.none() | st.integers(1, 3),
        colors=st.lists(st.sampled_from(('red', 'blue')), max_size=1).map(tuple),
        size=st.sampled_from((None, 'big', 'small')),
        superlative=st.none() | st.sampled_from(Superlative),
        rank=st.integers(1, 2),
        ordinal=st.sampled_from((None, 1, 2, -1)),
        relations=st.lists(relate(anchors), max_size=2).map(tuple),
        region=st.sampled_from((None, 'kitchen')),
    )


def relate(anchors):
    """Draw a relation to other phrases."""
    return st.builds(
        Relation,
        kind=st.sampled_from(RelationKind),
        anchors=st.lists(anchors, min_size=1, max_size=2).map(tuple),
        rank=st.integers(1, 3),
        inverse=st.booleans(),
        negated=st.booleans(),
        viewpoint=st.none() | anchors,
    )


nouns = st.builds(Description, st.sampled_from(LABELS).map(lambda each: (each,)), st.just('thing'))
phrases = phrase_text(phrase_text(nouns))
steps = st.builds(
    InstructionStep, st.sampled_from(Action), st.lists(phrases, min_size=1, max_size=2).map(tuple)
)
queries = (
    phrases.map(CountQuery)
    | phrases.map(ReferenceQuery)
    | st.lists(steps, min_size=1, max_size=3).map(lambda each: InstructionQuery(tuple(each)))
)


@st.composite
def objects(draw):
    """Draw an object with certain and uncertain properties."""
    number = st.floats(-4.0, 4.0)
    return MapObject(
        id=str(draw(st.integers(0, 10**9))),
        label=draw(st.sampled_from(LABELS[:3])),
        position=np.array([draw(number), draw(number), draw(st.floats(0.0, 2.0))]),
        covariance=np.eye(3) * draw(st.sampled_from((0.0, 0.01, 0.09))),
        size=draw(st.none() | st.just(np.array((0.5, 0.3, 0.4)))),
        colors=draw(
            st.sampled_from(((), (Swatch('red', 1.0),), (Swatch('blue', 0.6, (0, 0, 255)),)))
        ),
        classes=draw(st.sampled_from(({}, {'chair': 0.7, 'lamp': 0.3}))),
        region=draw(st.sampled_from((None, 'kitchen'))),
        confidence=draw(st.sampled_from((1.0, 0.5))),
    )


@settings(max_examples=150)
@given(
    query=queries,
    things=st.lists(objects(), max_size=8, unique_by=lambda each: each.id),
    robot=st.none() | st.just(np.array((1.0, 1.0, 0.0))),
    answerer=st.sampled_from(ANSWERERS),
)
def test_every_query_has_a_valid_answer(query, things, robot, answerer):
    """Probabilities are within [0, 1] and sum to 1, objects are in the map, routes are finite."""
    parse = Parse('', 'en', (query,))
    answer = answerer.answer_parse(parse, Scene(tuple(things), robot=robot))
    if isinstance(answer, NoAnswer):
        assert answer.missing
        return
    assert 0.0 <= answer.probability <= 1.0
    known = {each.id for each in things}
    if isinstance(answer, NumericalAnswer):
        assert sum(answer.distribution.values()) == pytest.approx(1.0)
        assert len(answer.objects) == answer.count
    elif isinstance(answer, ReferenceAnswer):
        assert {answer.object.id, *(each.id for each, _ in answer.alternatives)} <= known
    else:
        assert isinstance(answer, InstructionAnswer)
        values = [
            value for point in answer.way_points for value in (point.x, point.y, point.theta)
        ]
        assert all(map(math.isfinite, values))
