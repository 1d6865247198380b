# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A map suffices if its answer is probable and stable, and most of the floor has been seen."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.objects.answer import NoAnswer, Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.answering.map_sufficiency import (
    AnswerStability,
    SufficiencyDecision,
    SufficiencyParameters,
    answer_key,
    decide,
)
from world_model_core.objects.answering.object_interest import names_in_parse
from world_model_core.objects.values import MapObject
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

PARAMETERS = SufficiencyParameters(stable=10.0, unknown_stable=60.0, budget=500.0)


def answer_of(question='How many chairs are there?', confidence=1.0):
    """Answer a question about one chair."""
    chair = MapObject('0', 'chair', np.zeros(3), np.zeros((3, 3)), confidence=confidence)
    return Answerer().answer(question, Scene((chair,)))


def decide_at(seconds, answer, *, coverage=1.0, since=0):
    """Decide about an answer at a time after the question."""
    stability = AnswerStability(answer_key(answer), since * SECOND)
    now = seconds * SECOND
    return decide(answer, stability, 0, now, coverage=coverage, parameters=PARAMETERS)


def test_a_probable_and_stable_answer_suffices():
    """Stability and coverage are required until the time budget ends."""
    answer = answer_of()
    assert decide_at(9, answer) is SufficiencyDecision.WAIT
    assert decide_at(10, answer) is SufficiencyDecision.SUFFICES
    assert decide_at(10, answer, since=5) is SufficiencyDecision.WAIT
    assert decide_at(10, answer, coverage=0.5) is SufficiencyDecision.WAIT
    assert decide_at(500, answer, coverage=0.5) is SufficiencyDecision.TIME_IS_UP


def test_unknown_coverage_requires_longer_stability():
    """The answer must be stable for `unknown_stable`."""
    assert decide_at(59, answer_of(), coverage=None) is SufficiencyDecision.WAIT
    assert decide_at(60, answer_of(), coverage=None) is SufficiencyDecision.SUFFICES


def test_improbable_and_missing_answers_do_not_suffice():
    """They are given only when the time budget ends."""
    for answer in (answer_of(confidence=0.6), answer_of('Find the piano.')):
        assert decide_at(499, answer) is SufficiencyDecision.WAIT
        assert decide_at(500, answer) is SufficiencyDecision.TIME_IS_UP


@pytest.mark.parametrize(
    ('question', 'decision'),
    [
        ('Find a chair.', SufficiencyDecision.SUFFICES),
        ('Find the chairs.', SufficiencyDecision.SUFFICES),
        ('Find the chair.', SufficiencyDecision.WAIT),
    ],
)
def test_any_of_several_objects_suffices_unless_one_is_meant(question, decision):
    """Each of two chairs has probability 1/2; for "a chair" either is right."""
    chairs = tuple(
        MapObject(name, 'chair', np.array((place, 0.0, 0.0)), np.zeros((3, 3)))
        for name, place in (('0', 0.0), ('1', 3.0))
    )
    answer = Answerer().answer(question, Scene(chairs))
    assert answer.probability == pytest.approx(0.5)
    assert decide_at(10, answer) is decision


def test_stability_restarts_with_another_answer():
    """A change of the probability does not restart it."""
    stability = AnswerStability(answer_key(answer_of()), 0)
    assert stability.follow(answer_of(confidence=0.9), SECOND).since_ns == 0
    assert stability.follow(NoAnswer(None, (), ('no chair',)), SECOND).since_ns == SECOND


def test_a_question_needs_the_classes_of_all_its_phrases():
    """The target and all anchors are of interest; all classes, if any object may be meant."""
    chair = MapObject('0', 'chair', np.zeros(3), np.zeros((3, 3)))
    scene, answerer = Scene((chair,)), Answerer()
    parse = answerer.parse('How many chairs are near the table with a vase on it?', scene)
    assert names_in_parse(parse) == {'chair', 'chairs', 'table', 'vase'}
    assert names_in_parse(answerer.parse('How many objects are near the table?', scene)) == set()


@pytest.mark.parametrize('name', ['probability', 'coverage', 'stable'])
def test_parameters_outside_their_limits_are_rejected(name):
    """The message names the parameter."""
    with pytest.raises(ConfigurationError, match=name):
        SufficiencyParameters(**{name: -1.0})
