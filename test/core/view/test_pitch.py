# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The field is shown as vision sends it."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from match_states import make_pitch

from world_model_core.match.documents import field_document, read_field_size
from world_model_core.match.ssl.geometry_values import FieldArc
from world_model_core.simulation.match.field import make_geometry
from world_model_core.view.pitch import MOST_CHORDS, Pitch, chords


def ends(batch):
    """Return the ends of lines on the carpet as sorted pairs."""
    return {
        tuple(sorted(map(tuple, pair))) for pair in np.round(batch.points[:, :, :2], 6).tolist()
    }


def test_all_lines_and_the_center_circle_are_shown():
    """Those of the penalty areas are among the lines."""
    pitch = make_pitch()
    lines = ends(pitch.marks['match/field/lines'])
    for line in pitch.size.lines:
        assert tuple(sorted((line.start, line.end))) in lines
    (circle,) = pitch.size.arcs
    points = pitch.marks['match/field/lines'].points[len(pitch.size.lines) :, :, :2]
    assert len(points) == 60
    assert np.hypot(*points.reshape(-1, 2).T) == pytest.approx(circle.radius)


def test_lines_lie_on_the_carpet_which_reaches_to_the_boards():
    """The carpet must not hide the lines."""
    marks = make_pitch().marks
    (carpet,) = marks['match/field/carpet'].positions + 0.5 * marks['match/field/carpet'].sizes
    assert carpet.tolist() == pytest.approx([5.0, 3.5, 0.0], abs=1.0)
    assert (marks['match/field/lines'].points[:, :, 2] > 0.0).all()
    boards = marks['match/field/boards']
    assert np.abs(boards.positions[:, 0]).max() == pytest.approx(carpet[0])
    assert np.abs(boards.positions[:, 1]).max() == pytest.approx(carpet[1])


def test_goals_have_three_walls_each():
    """They stand on the ground, behind the goal lines, around the width of the goal."""
    pitch = make_pitch()
    goals, size = pitch.marks['match/field/goals'], pitch.size
    assert len(goals) == 6
    assert goals.positions[:, 2] == pytest.approx(0.5 * goals.sizes[:, 2])
    assert goals.sizes[:, 2] == pytest.approx(size.goal_height)
    assert (np.abs(goals.positions[:, 0]) > 0.5 * size.length).all()
    backs = goals.positions[goals.positions[:, 1] == 0.0]
    assert np.abs(backs[:, 0]) == pytest.approx(0.5 * size.length + size.goal_depth, abs=0.02)


def test_marks_are_made_once():
    """What does not change costs nothing."""
    pitch = make_pitch()
    assert pitch.marks['match/field/lines'] is pitch.marks['match/field/lines']


@given(st.floats(-7.0, 7.0), st.floats(-7.0, 7.0), st.floats(0.1, 5.0), st.floats(-9.0, 9.0))
def test_chords_follow_an_arc_from_its_start_to_its_end(start, end, radius, x):
    """Each begins where the last ended, and all are on the circle."""
    pieces = chords(FieldArc('arc', (x, 1.0), radius, start, end, 0.01))
    assert np.array_equal(pieces[1:, 0], pieces[:-1, 1])
    assert np.hypot(*(pieces.reshape(-1, 2) - (x, 1.0)).T) == pytest.approx(radius)
    first = (x + radius * math.cos(start), 1.0 + radius * math.sin(start))
    last = (x + radius * math.cos(end), 1.0 + radius * math.sin(end))
    assert pieces[0, 0] == pytest.approx(first)
    assert pieces[-1, 1] == pytest.approx(last)


def test_a_field_without_sense_is_shown_as_far_as_possible():
    """Lines beyond all bounds are left out and counted; an arc has a limit of chords."""
    size = make_pitch().size
    far = replace(size.lines[0], end=(1e300, 0.0))
    endless = replace(size.arcs[0], end=1e12)
    lines = Pitch(replace(size, lines=(far, *size.lines), arcs=(endless,))).marks[
        'match/field/lines'
    ]
    assert lines.left_out == 1
    assert len(lines) == len(size.lines) + MOST_CHORDS


def test_a_field_without_lines_is_a_carpet():
    """Vision may send the dimensions alone."""
    marks = Pitch(replace(make_pitch().size, lines=(), arcs=())).marks
    assert len(marks['match/field/lines']) == 0
    assert len(marks['match/field/carpet']) == 1


def test_a_field_document_is_read_with_its_lines():
    """What is published is what was sent."""
    geometry = make_geometry(None)
    document = json.loads(json.dumps(field_document(geometry)))
    assert read_field_size(document) == geometry.field
