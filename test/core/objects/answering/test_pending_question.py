# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A question is settled once: by its map, or by its time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.objects.answer import NoAnswer, NumericalAnswer
from world_model_core.objects.answering.map_sufficiency import (
    SufficiencyDecision,
    SufficiencyParameters,
)
from world_model_core.objects.answering.pending_question import PendingQuestion
from world_model_core.objects.navigation.traversable_area import (
    CELL,
    MOST_CELLS,
    SEEN,
    TraversableArea,
)
from world_model_core.objects.query import CountQuery, Description
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

NONE = NoAnswer(None, (), ('chair',))
PARAMETERS = SufficiencyParameters(stable=10.0, unknown_stable=50.0, budget=100.0)


def chairs(count):
    """Count chairs, surely."""
    query = CountQuery(Description(('chair',), 'chairs'))
    return NumericalAnswer(query, count, 0.95, {count: 0.95}, ())


def asked(answers, coverage=1.0):
    """Take answers, (seconds, answer), of a question asked after 7 s."""
    pending = PendingQuestion('How many?', 7 * SECOND, PARAMETERS)
    for seconds, answer in answers:
        pending.take(answer, round((7 + seconds) * SECOND), coverage)
    return pending


def test_an_answer_that_holds_settles_it():
    """The map's word is the last one, and how long it took stays as it was then."""
    pending = asked([(1, chairs(1)), (5, chairs(2)), (14.9, chairs(2))])
    assert not pending.is_final
    pending = asked([(1, chairs(1)), (5, chairs(2)), (15, chairs(2)), (30, chairs(3))])
    assert (pending.decision, pending.answer.count) == (SufficiencyDecision.SUFFICES, 2)
    assert pending.elapsed == 15.0


def test_a_house_half_seen_does_not_suffice():
    """Where much was not seen the answer waits; longer where nobody knows how much."""
    answers = [(1, chairs(2)), (20, chairs(2))]
    assert not asked(answers, coverage=0.5).is_final
    assert not asked(answers, coverage=None).is_final
    assert asked([*answers, (51, chairs(2))], coverage=None).is_final


def test_time_settles_it_with_what_there_is():
    """When the budget ends, the last answer is the last word, and says so; also if it is none."""
    assert not asked([(99.9, NONE)]).is_final
    pending = asked([(1, chairs(2)), (100, NONE)])
    assert (pending.decision, pending.answer) == (SufficiencyDecision.TIME_IS_UP, NONE)


@given(arrays(np.float64, (20, 2), elements=st.floats(-1e4, 1e4)))
def test_what_was_told_is_kept_as_squares(points):
    """Each place told is within half a square of one that is kept, told twice or not."""
    area = TraversableArea()
    area.add(points[:10])
    area.add(points)
    area.add(np.column_stack((points, np.ones(20))))
    kept = area.points
    apart = np.abs(kept[None] - points[:, None]).max(axis=2).min(axis=1)
    assert apart.max() <= CELL / 2.0 + 1e-6
    assert len(kept) == len(area) <= 20


def test_nothing_told_is_not_nowhere():
    """Without any place nobody knows where a robot can drive."""
    area = TraversableArea()
    assert area.points is None
    area.add(np.empty((0, 3)))
    assert area.points is None


def test_an_endless_area_ends():
    """A sender of nonsense fills no memory, and places beyond the Earth are none."""
    area = TraversableArea()
    area.add(np.array(((1e300, 0.0), (0.05, 0.05))))
    assert area.points == pytest.approx(np.array(((0.05, 0.05),)))
    sides = np.arange(1100) * CELL
    area.add(np.stack(np.meshgrid(sides, sides), axis=-1).reshape(-1, 2))
    assert len(area) == 1
    assert len(sides) ** 2 > MOST_CELLS


def test_what_was_driven_past_was_seen():
    """A corridor is covered as far as the robot has come, and a bit farther."""
    area = TraversableArea()
    assert area.coverage is None
    sides = np.arange(0.05, 20.0, CELL)
    area.add(np.column_stack((sides, np.zeros_like(sides))))
    assert area.coverage is None
    for x in np.arange(0.0, 10.0, 0.1):
        area.visit(x, 0.0)
    assert area.coverage == pytest.approx((10.0 + SEEN) / 20.0, abs=0.02)
    for x in np.arange(10.0, 20.0, 0.1):
        area.visit(x, 0.0)
    assert area.coverage == 1.0
