# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The answer to a question becomes final once: by its map, or at the end of its time."""

from __future__ import annotations

from world_model_core.objects.answer import NoAnswer, NumericalAnswer
from world_model_core.objects.answering.map_sufficiency import (
    SufficiencyDecision,
    SufficiencyParameters,
)
from world_model_core.objects.answering.pending_question import PendingQuestion
from world_model_core.objects.query import CountQuery, Description
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

NONE = NoAnswer(None, (), ('chair',))
PARAMETERS = SufficiencyParameters(stable=10.0, unknown_stable=50.0, budget=100.0)


def chairs(count):
    """Build an answer that counts chairs."""
    query = CountQuery(Description(('chair',), 'chairs'))
    return NumericalAnswer(query, count, 0.95, {count: 0.95}, ())


def asked(answers, coverage=1.0):
    """Process answers, (seconds, answer), to a question received after 7 s."""
    pending = PendingQuestion('How many?', 7 * SECOND, PARAMETERS)
    for seconds, answer in answers:
        pending.take(answer, round((7 + seconds) * SECOND), coverage)
    return pending


def test_a_stable_answer_becomes_final():
    """Later answers change neither the final answer nor its time."""
    pending = asked([(1, chairs(1)), (5, chairs(2)), (14.9, chairs(2))])
    assert not pending.is_final
    pending = asked([(1, chairs(1)), (5, chairs(2)), (15, chairs(2)), (30, chairs(3))])
    assert (pending.decision, pending.answer.count) == (SufficiencyDecision.SUFFICES, 2)
    assert pending.elapsed == 15.0


def test_low_coverage_delays_the_answer():
    """With unknown coverage the answer must be stable for longer."""
    answers = [(1, chairs(2)), (20, chairs(2))]
    assert not asked(answers, coverage=0.5).is_final
    assert not asked(answers, coverage=None).is_final
    assert asked([*answers, (51, chairs(2))], coverage=None).is_final


def test_the_last_answer_is_final_when_the_time_ends():
    """Also if there is no answer."""
    assert not asked([(99.9, NONE)]).is_final
    pending = asked([(1, chairs(2)), (100, NONE)])
    assert (pending.decision, pending.answer) == (SufficiencyDecision.TIME_IS_UP, NONE)
