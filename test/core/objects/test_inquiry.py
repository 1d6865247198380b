# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A question is settled once: by its map, or by its time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.objects.answer import NoAnswer
from world_model_core.objects.inquiry import SECOND, Inquiry, SettledBy
from world_model_core.objects.traversable import CELL, MOST_CELLS, TraversableArea

FIRST, SECOND_ONE = (NoAnswer(None, (), (word,)) for word in ('chair', 'table'))


def test_an_answer_that_suffices_settles_it():
    """The map's word is the last one, and how long it took stays as it was then."""
    inquiry = Inquiry('How many?', 10 * SECOND, 60.0)
    assert not inquiry.take(FIRST, 15 * SECOND, suffices=False)
    assert (inquiry.answer, inquiry.settled_by) == (FIRST, None)
    assert inquiry.take(SECOND_ONE, 20 * SECOND, suffices=True)
    assert not inquiry.take(FIRST, 30 * SECOND, suffices=True)
    assert (inquiry.answer, inquiry.settled_by) == (SECOND_ONE, SettledBy.MAP)
    assert inquiry.elapsed(40 * SECOND) == 10.0


def test_time_settles_it_with_what_there_is():
    """When the budget ends, the last answer is the last word, and says so."""
    inquiry = Inquiry('How many?', 10 * SECOND, 60.0)
    assert not inquiry.take(FIRST, 70 * SECOND - 1, suffices=False)
    assert inquiry.take(SECOND_ONE, 70 * SECOND, suffices=False)
    assert (inquiry.answer, inquiry.settled_by) == (SECOND_ONE, SettledBy.TIME)


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
