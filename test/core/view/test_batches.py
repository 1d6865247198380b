# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Batches hold what can be shown, whatever they are given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.view.batches import (
    LONGEST_TEXT,
    MOST_LABELS,
    UPRIGHT,
    Boxes,
    Cylinders,
    Labels,
    Lines,
    Points,
    Splats,
)

RED = (255, 0, 0, 255)


def boxes(positions, **changed):
    """Make boxes of 1 m at positions, named by their numbers."""
    arrays = {'orientations': UPRIGHT, 'sizes': (1.0, 1.0, 1.0), 'colors': RED, **changed}
    return Boxes(tuple(str(number) for number in range(len(positions))), positions, **arrays)


def test_the_values_of_one_instance_stand_for_all():
    """Each array has a row for each instance."""
    made = boxes([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    assert made.sizes.tolist() == [[1.0, 1.0, 1.0]] * 2
    assert made.colors.tolist() == [list(RED)] * 2
    assert made.colors.dtype == np.uint8
    assert len(made) == 2


def test_arrays_that_need_no_change_are_kept_as_they_are():
    """What is the same object in the next marks is found to be unchanged at no cost."""
    positions, colors = np.zeros((2, 3)), np.full((2, 4), 9, dtype=np.uint8)
    made = boxes(positions, colors=colors)
    assert made.positions is positions
    assert made.colors is colors


@pytest.mark.parametrize('bad', [np.nan, np.inf, -np.inf, 1e7])
def test_positions_that_cannot_be_shown_are_left_out(bad):
    """The other instances keep their ids, and the number of those left out is known."""
    made = boxes([[0.0, 0.0, 0.0], [0.0, bad, 0.0], [2.0, 0.0, 0.0]])
    assert made.ids == ('0', '2')
    assert made.positions[:, 0].tolist() == [0.0, 2.0]
    assert made.left_out == 1


def test_orientations_without_a_direction_are_left_out():
    """A quaternion of zeros is no orientation."""
    made = boxes([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], orientations=[UPRIGHT, [0.0] * 4])
    assert made.ids == ('0',)


def test_orientations_get_the_length_1():
    """Other quaternions would scale what is shown."""
    made = boxes([[0.0, 0.0, 0.0]], orientations=[[0.0, 0.0, 3.0, 4.0]])
    assert made.orientations.tolist() == [[0.0, 0.0, 0.6, 0.8]]


def test_covariances_that_are_none_are_left_out():
    """A covariance with a negative eigenvalue is the shape of nothing."""
    covariances = [np.eye(3), -np.eye(3), np.full((3, 3), np.nan)]
    made = Splats(np.zeros((3, 3)), covariances, (0, 0, 0), 1.0)
    assert len(made) == 1
    assert made.left_out == 2


def test_more_instances_than_the_limit_are_left_out():
    """The first valid ones are shown."""
    positions = np.zeros((MOST_LABELS + 2, 3))
    positions[0] = np.nan
    names = tuple(str(number) for number in range(len(positions)))
    made = Labels(names, positions, names)
    assert made.ids == made.texts == names[1:-1]
    assert made.left_out == 2


def test_long_texts_are_cut():
    """A label of ten thousand characters would cover the picture."""
    made = Labels(('a',), [[0.0, 0.0, 0.0]], ('x' * 10_000,))
    assert made.texts == ('x' * (LONGEST_TEXT - 1) + '…',)


def test_labels_cannot_control_what_shows_them():
    """Marks of direction would reverse the text that follows; markup stays as it is written."""
    texts = ('exe.\u202egpj', 'two\nlines', '<script>')
    made = Labels(('a', 'b', 'c'), np.zeros((3, 3)), texts)
    assert made.texts == ('exe.\ufffdgpj', 'two lines', '<script>')


@pytest.mark.parametrize(
    'empty',
    [
        boxes(np.empty((0, 3))),
        Cylinders((), np.empty((0, 3)), UPRIGHT, 1.0, 1.0, RED),
        Lines(np.empty((0, 2, 3)), RED),
        Points(np.empty((0, 3)), RED, 0.1),
        Labels((), np.empty((0, 3)), ()),
        Splats(np.empty((0, 3)), np.eye(3), (0, 0, 0), 1.0),
    ],
    ids=lambda batch: type(batch).__name__,
)
def test_a_batch_may_be_empty(empty):
    """An empty map is a map."""
    assert len(empty) == empty.left_out == 0


@given(st.lists(st.lists(st.floats(), min_size=6, max_size=6), max_size=5))
def test_every_segment_is_shown_or_counted(points):
    """Any numbers give finite lines."""
    made = Lines(np.array(points).reshape(-1, 2, 3), RED)
    assert len(made) + made.left_out == len(points)
    assert np.isfinite(made.points).all()
