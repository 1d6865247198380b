# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions become routes past the named objects and clear of all others."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from world_model_core.objects.answer import InstructionAnswer, Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.navigation.convex_outlines import convex_hull, distances, find_gap
from world_model_core.objects.values import MapObject

START = np.array((0.0, 0.0, 0.0))


def thing(name, label, place, size=(0.4, 0.4, 0.8), confidence=1.0):
    """Build an object with a known position."""
    position, extent = np.array((*place, size[2] / 2)), np.array(size, float)
    return MapObject(name, label, position, np.zeros((3, 3)), extent, 0.0, confidence=confidence)


def lead(instruction, *things, traversable=None, robot=START):
    """Answer an instruction; return the answer and the route [m], shape (m, 2), with its start."""
    answer = Answerer().answer(instruction, Scene(things, 'map', traversable, robot))
    assert isinstance(answer, InstructionAnswer), answer
    points = [(point.x, point.y) for point in answer.way_points]
    return answer, np.array([robot[:2].tolist(), *points])


def walk(route):
    """Return densely spaced points along a route, shape (k, 2)."""
    steps = np.linspace(0.0, 1.0, 200)[:, None]
    return np.concatenate([start + (end - start) * steps for start, end in pairwise(route)])


def square(x, y, half):
    """Return the outline of a square, shape (4, 2)."""
    corners = np.array(((1, 1), (-1, 1), (-1, -1), (1, -1)), float)
    return np.array((x, y)) + half * corners


def floor(low, high, spacing=0.2):
    """Cover a rectangle with traversable points."""
    x, y = (np.arange(a, b, spacing) for a, b in zip(low, high, strict=True))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def furnished():
    """Furnish a room of 6 m by 4 m along its walls; the map has no walls."""
    return (
        thing('w', 'wardrobe', (0.3, 2.0), (0.6, 1.8, 2.0)),
        thing('b', 'bed', (4.0, 3.0), (1.6, 2.0, 0.5)),
        thing('p', 'picture', (4.0, 3.98), (0.6, 0.04, 1.4)),
        thing('t', 'table', (5.6, 0.6), (0.8, 1.2, 0.7)),
        thing('l', 'lamp', (0.2, 0.2), (0.3, 0.3, 1.5)),
    )


@pytest.mark.parametrize(
    'instruction',
    [
        'Go to the wardrobe, then to the picture, and stop at the table.',
        'Take the path between the bed and the table, and stop at the lamp.',
        'Take the path between the bed and the picture, and stop at the lamp.',
        'Go to the picture avoiding the bed.',
    ],
)
def test_routes_stay_inside_the_known_area(instruction):
    """Without traversable points, a route stays inside the hull of all objects."""
    robot = np.array((2.0, 1.5, 0.0))
    _, route = lead(instruction, *furnished(), robot=robot)
    assert (route >= -0.05).all()
    assert (route <= (6.05, 4.05)).all()


def test_blocked_gap_is_noted():
    """A note reports a table between two chairs."""
    chairs = (thing('c', 'chair', (3, -2)), thing('d', 'chair', (3, 2)))
    table = thing('t', 'table', (3, 0), (1.0, 1.0, 0.8))
    order = 'Take the path between the two chairs.'
    note = 'an obstacle blocks the gap'
    assert not any(each.startswith(note) for each in lead(order, *chairs)[0].notes)
    assert any(each.startswith(note) for each in lead(order, *chairs, table)[0].notes)


def test_a_free_route_is_straight():
    """One way point leads to the goal: near the object, outside it, facing it."""
    answer, _ = lead('Go to the chair.', thing('c', 'chair', (5, 0)))
    (goal,) = answer.way_points
    apart = distances(np.array((goal.x, goal.y)), square(5, 0, 0.2))
    assert 0.3 <= apart <= 1.0
    assert goal.is_goal
    assert goal.theta == pytest.approx(np.arctan2(-goal.y, 5 - goal.x))
    assert 'chair c' in goal.reason


def test_obstacles_are_bypassed():
    """A route passes a long sofa at its end, over way points that are not goals."""
    sofa = thing('s', 'sofa', (3, 0), size=(0.8, 4.0, 0.8))
    answer, route = lead('Go to the chair.', thing('c', 'chair', (6, 0)), sofa)
    assert distances(walk(route), np.array(((2.6, -2), (3.4, -2), (3.4, 2), (2.6, 2)))).min() > 0.2
    assert not any(point.is_goal for point in answer.way_points[:-1])
    assert len(answer.way_points) > 1


def test_the_route_stays_on_traversable_floor():
    """A route follows an L-shaped floor around its corner."""
    costmap = np.concatenate([floor((-1, -1), (6, 1)), floor((4, -1), (6, 6))])
    answer, route = lead('Go to the chair.', thing('c', 'chair', (5, 7)), traversable=costmap)
    apart = np.linalg.norm(walk(route)[:, None] - costmap, axis=2).min(axis=1)
    assert apart.max() < 0.3
    assert np.linalg.norm(route[-1] - (5, 7)) < 2.0
    assert len(answer.way_points) >= 2


def test_unreachable_goals_are_noted():
    """The route ends at the edge of the floor, and a note reports the distance."""
    answer, route = lead(
        'Go to the chair.', thing('c', 'chair', (9, 0)), traversable=floor((-1, -1), (3, 1))
    )
    assert route[-1, 0] > 2.0
    assert any('closer than' in note for note in answer.notes)


def test_goals_are_in_the_order_of_the_steps():
    """Goals follow the order of the instruction."""
    things = [thing('c', 'chair', (5, 0)), thing('t', 'table', (0, 5)), thing('b', 'bed', (5, 5))]
    answer, _ = lead(
        'First, go to the table, then go near the bed, and stop at the chair.', *things
    )
    goals = [point.reason for point in answer.way_points if point.is_goal]
    assert ['table t' in goals[0], 'bed b' in goals[1], 'chair c' in goals[2]] == [True] * 3
    assert [each.id for each in answer.objects] == ['t', 'b', 'c']


def test_a_path_between_two_objects_passes_their_gap():
    """The route crosses the line between two columns although a direct route exists."""
    columns = (thing('1', 'column', (3, 2)), thing('2', 'column', (3, 4)))
    question = 'Take the path between the two columns and stop at the chair.'
    _, route = lead(question, *columns, thing('c', 'chair', (6, 0)))
    walked = walk(route)
    crossing = np.abs(walked[:, 0] - 3.0) < 0.05
    assert ((walked[crossing, 1] > 2.3) & (walked[crossing, 1] < 3.7)).any()


@settings(max_examples=25)
@given(x=st.floats(2.0, 6.0), y=st.floats(-1.5, 1.5), side=st.floats(0.2, 1.0))
def test_avoided_objects_are_kept_clear_of(x, y, side):
    """A table on the route is bypassed with a margin, wherever it is."""
    table = thing('t', 'table', (x, y), size=(side, side, 0.7))
    chair = thing('c', 'chair', (9, 0))
    answer, route = lead('Go to the chair, avoiding the table.', table, chair)
    assert distances(walk(route), square(x, y, side / 2)).min() > 0.1
    assert not any('keep clear' in note for note in answer.notes)


@settings(max_examples=25)
@given(y=st.floats(0.8, 3.0), x=st.floats(2.0, 5.0))
def test_avoided_paths_are_not_crossed(x, y):
    """If there is another route, none leads between the two objects."""
    pair = (thing('t', 'table', (x, y)), thing('s', 'sofa', (x, -y), size=(0.8, 0.8, 0.8)))
    question = 'Go to the chair, avoiding the path between the table and the sofa.'
    answer, route = lead(question, *pair, thing('c', 'chair', (8, 0)))
    between = convex_hull(np.concatenate([square(x, y, 0.2), square(x, -y, 0.4)]))
    assert distances(walk(route), between).min() > 0.0
    assert not any('keep clear' in note for note in answer.notes)


def test_constraints_that_cannot_be_met_are_noted():
    """A table that fills a corridor cannot be bypassed."""
    table = thing('t', 'table', (3, 0), size=(0.8, 2.4, 0.7))
    costmap = floor((-1, -1), (8, 1))
    answer, _ = lead(
        'Go to the chair, avoiding the table.',
        table,
        thing('c', 'chair', (7, 0)),
        traversable=costmap,
    )
    assert 'the route cannot keep clear of table t' in answer.notes


def test_absent_objects_to_avoid_are_noted():
    """The route is the same as without the constraint."""
    answer, _ = lead('Go to the chair, avoiding the tables.', thing('c', 'chair', (7, 0)))
    assert any('to avoid' in note for note in answer.notes)
    assert len(answer.way_points) == 1


def test_the_probability_is_that_of_all_goals():
    """Two objects that exist with 0.8 and 0.5 both exist with 0.4."""
    things = (
        thing('c', 'chair', (5, 0), confidence=0.8),
        thing('t', 'table', (0, 5), confidence=0.5),
    )
    answer, _ = lead('Go to a chair and stop at a table.', *things)
    assert answer.probability == pytest.approx(0.4, abs=0.03)


points = st.tuples(st.floats(-5, 5), st.floats(-5, 5))


@given(cloud=st.lists(points, min_size=1, max_size=12))
def test_a_hull_contains_its_points(cloud):
    """No point is outside the convex hull."""
    cloud = np.array(cloud)
    assert distances(cloud, convex_hull(cloud)).max() < 1e-6


@given(x=st.floats(1.0, 5.0), y=st.floats(-5.0, 5.0), half=st.floats(0.1, 0.5))
def test_width_of_a_gap_is_the_distance_of_the_outlines(x, y, half):
    """The ends of a gap are on the outlines, at their smallest distance."""
    assume(abs(x) > 0.6)
    first, second = square(0, 0, 0.5), square(x, y, half)
    gap = find_gap(first, second)
    apart = min(distances(first, second).min(), distances(second, first).min())
    if apart > 0.1:
        assert gap.width == pytest.approx(apart, abs=0.1)
