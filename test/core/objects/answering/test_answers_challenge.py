# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The three kinds of questions, each on the smallest map with an answer."""

from __future__ import annotations

import json
import math

import pytest

from world_model_core.objects.answer import (
    InstructionAnswer,
    NumericalAnswer,
    ReferenceAnswer,
    Scene,
)
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.documents.object_map_document import parse_map

VARIANCES = ((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01))


def scene_of(*things):
    """Build a scene from (class, position, attributes), as from a JSON map."""
    objects = {
        str(number): {
            'class': label,
            'position': position,
            'position_uncertainty': VARIANCES,
            'attributes': attributes,
        }
        for number, (label, position, attributes) in enumerate(things)
    }
    return Scene(parse_map(json.dumps({'objects': objects})).objects)


@pytest.mark.parametrize(
    'question', ['青い椅子は何個', '青い椅子はいくつ', 'How many blue chairs are there?']
)
def test_blue_chairs_are_counted(question):
    """Two of three chairs are blue: the answer is 2, with near certainty."""
    scene = scene_of(
        ('chair', (1.5, 2.3, 0.4), {'color': 'blue'}),
        ('chair', (3.2, 1.1, 0.4), {'color': 'blue'}),
        ('chair', (4.2, 1.1, 0.4), {'color': 'red'}),
        ('table', (4.2, 3.1, 0.4), {'color': 'blue'}),
    )
    answer = Answerer().answer(question, scene)
    assert isinstance(answer, NumericalAnswer)
    assert (answer.count, answer.probability) == (2, 1.0)
    assert {each.id for each in answer.objects} == {'0', '1'}


@pytest.mark.parametrize(
    'question',
    [
        '冷蔵庫に最も近い鉢植え',
        'Find the potted plant closest to the refrigerator.',
        'the potted plant nearest to the refridgerator',
    ],
)
def test_the_plant_closest_to_the_refrigerator_is_found(question):
    """The nearer of two plants is the answer, the other one an alternative."""
    scene = scene_of(
        ('refrigerator', (4.0, -2.0, 0.9), {}),
        ('potted_plant', (3.5, -1.5, 0.3), {}),
        ('potted_plant', (5.0, -3.0, 0.3), {}),
    )
    answer = Answerer().answer(question, scene)
    assert isinstance(answer, ReferenceAnswer)
    assert answer.object.id == '1'
    assert answer.probability > 0.98
    assert [each.id for each, _ in answer.alternatives] == ['2']


@pytest.mark.parametrize(
    'question',
    ['窓の近くを通って冷蔵庫へ', 'Pass by the window, then go to the refrigerator.'],
)
def test_route_passes_the_window_and_ends_at_the_refrigerator(question):
    """Goals are in order, each near its object and facing it."""
    window, refrigerator = (2.0, 0.0, 1.5), (4.0, -2.0, 0.9)
    scene = scene_of(('window', window, {}), ('refrigerator', refrigerator, {}))
    answer = Answerer().answer(question, scene)
    assert isinstance(answer, InstructionAnswer)
    goals = [point for point in answer.way_points if point.is_goal]
    assert len(goals) == 2
    for goal, (x, y, _) in zip(goals, (window, refrigerator), strict=True):
        assert math.hypot(goal.x - x, goal.y - y) < 2.0
        assert goal.theta == pytest.approx(math.atan2(y - goal.y, x - goal.x))
