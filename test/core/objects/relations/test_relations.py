# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Spatial relations: on, above, below, in, near, between and sides."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.query import RelationKind
from world_model_core.objects.relations import pairwise_relations as relations
from world_model_core.objects.relations.between import is_between
from world_model_core.objects.relations.boxes import Boxes
from world_model_core.objects.relations.class_roles import ClassRole, role_of, roles_of
from world_model_core.objects.relations.viewpoint_relations import bearings, is_on_side

PAIRWISE = (
    RelationKind.ON,
    RelationKind.ABOVE,
    RelationKind.BELOW,
    RelationKind.IN,
    RelationKind.NEAR,
)
SIDES = (
    RelationKind.LEFT_OF,
    RelationKind.RIGHT_OF,
    RelationKind.IN_FRONT_OF,
    RelationKind.BEHIND,
)
TABLE = ('table', (0.0, 0.0, 0.375), (1.2, 0.8, 0.75))


def room(*things, deviation=0.0):
    """Build boxes of (label, center, size) or (label, center, size, heading)."""
    return Boxes(
        np.array([thing[1] for thing in things], float),
        np.array([thing[2] for thing in things], float),
        np.array([thing[3] if len(thing) > 3 else 0.0 for thing in things], float),
        np.full((len(things), 3), deviation),
        roles_of(thing[0] for thing in things),
    )


def holds(kind, subject, anchor, *, loose=False):
    """Return whether one object is in a relation to another."""
    return bool(relations.holds(kind, room(subject), room(anchor), loose=loose)[0, 0])


@st.composite
def rooms(draw):
    """Draw a few boxes at random positions, without roles, some resting on others."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(2, 8))
    sizes = random.uniform(0.05, 1.5, (count, 3))
    centers = random.uniform(-1.0, 1.0, (count, 3))
    low = random.integers(0, count)
    centers[0, 2] = centers[low, 2] + (sizes[low, 2] + sizes[0, 2]) / 2.0
    return Boxes(centers, sizes, random.uniform(-4.0, 4.0, count))


@given(rooms())
def test_below_is_the_inverse_of_above(things):
    """Except for boxes in contact."""
    above = relations.holds(RelationKind.ABOVE, things, things)
    below = relations.holds(RelationKind.BELOW, things, things)
    gaps = things.bottoms[:, None] - things.tops
    clear = gaps >= relations.CONTACT
    assert (above == (below.T & clear)).all()


@given(rooms())
def test_what_rests_on_something_is_not_above_it(things):
    """One threshold separates contact from height, for measured and true boxes."""
    for deviation in (0.0, 0.05, 0.5):
        deviations = np.full_like(things.centers, deviation)
        measured = Boxes(things.centers, things.sizes, things.headings, deviations)
        on, above = (
            relations.holds(kind, measured, measured)
            for kind in (RelationKind.ON, RelationKind.ABOVE)
        )
        assert not (on & above).any()


@given(rooms())
def test_nothing_is_on_above_below_or_in_itself(things):
    """These relations are irreflexive."""
    for kind in PAIRWISE[:-1]:
        assert not np.diagonal(relations.holds(kind, things, things)).any()


@given(rooms())
def test_near_is_symmetric(things):
    """If one object is near another, the other is near the first."""
    near = relations.holds(RelationKind.NEAR, things, things)
    assert (near == near.T).all()


@given(rooms(), st.floats(-7.0, 7.0))
def test_relations_are_invariant_under_rigid_motions(things, turn):
    """Except for pairs exactly at a threshold."""
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
    there = Boxes(
        things.centers @ rotation.T + (5.0, -3.0, 0.0), things.sizes, things.headings + turn
    )
    for kind in PAIRWISE:
        here = relations.holds(kind, things, things)
        assert (here == relations.holds(kind, there, there)).all()
    assert (is_between(things, things, things) == is_between(there, there, there)).all()


@given(rooms())
def test_between_does_not_depend_on_the_order_of_anchors(things):
    """In the strict sense."""
    for loose in (False, True):
        held = is_between(things, things, things, loose=loose)
        assert (held == held.transpose(0, 2, 1)).all()


@given(rooms())
def test_pruning_removes_no_related_pair(things):
    """The result equals that of comparing all pairs."""
    for kind in PAIRWISE:
        for loose in (False, True):
            every = relations.holds_elementwise(kind, things.column(), things.row(), loose=loose)
            assert (relations.holds(kind, things, things, loose=loose) == every).all()


def test_samples_are_compared_one_by_one():
    """Boxes of several samples give the relations of each sample."""
    random = np.random.default_rng(4)
    sizes, headings = random.uniform(0.1, 1.0, (6, 3)), np.zeros(6)
    worlds = Boxes(random.uniform(-1.0, 1.0, (20, 6, 3)), sizes, headings)
    for kind in PAIRWISE:
        held = relations.holds(kind, worlds, worlds)
        assert held.shape == (20, 6, 6)
        alone = [relations.holds(kind, *2 * (Boxes(c, sizes, headings),)) for c in worlds.centers]
        assert (held == np.array(alone)).all()


def test_empty_sets_have_no_pairs():
    """Without subjects or anchors the result is empty, without error."""
    none = room(TABLE).take(np.array([], int))
    for kind in PAIRWISE:
        assert relations.holds(kind, none, room(TABLE)).shape == (0, 1)
    assert is_between(room(TABLE), none, none).shape == (1, 0, 0)


def test_a_cup_is_on_its_table_and_a_lamp_is_above_it():
    """Contact is "on", a gap is "above"; the table is below the lamp only."""
    cup = ('cup', (0.3, 0.1, 0.8), (0.1, 0.1, 0.1))
    lamp = ('lamp', (0.0, 0.0, 2.0), (0.3, 0.3, 0.3))
    assert holds(RelationKind.ON, cup, TABLE)
    assert not holds(RelationKind.ABOVE, cup, TABLE)
    assert holds(RelationKind.ABOVE, lamp, TABLE)
    assert not holds(RelationKind.ON, lamp, TABLE)
    assert not holds(RelationKind.BELOW, TABLE, lamp)
    assert holds(RelationKind.BELOW, TABLE, lamp, loose=True)


def test_a_chair_at_a_table_is_under_it_and_not_on_it():
    """An object at the same height, within that of the table, is under it."""
    stool = ('stool', (0.2, 0.0, 0.25), (0.4, 0.4, 0.5))
    assert holds(RelationKind.BELOW, stool, TABLE)
    assert not holds(RelationKind.ON, stool, TABLE)


def test_a_cushion_is_on_a_sofa_whose_back_is_higher():
    """The seat is lower than the top of the box, but the cushion is on the sofa."""
    sofa = ('sofa', (0.0, 0.0, 0.4), (2.0, 0.9, 0.8))
    assert holds(RelationKind.ON, ('pillow', (0.5, 0.1, 0.6), (0.4, 0.3, 0.3)), sofa)


def test_a_container_holds_what_is_inside_and_carries_what_is_on_top():
    """Inside a fridge is "in", on its top is "on"; nothing is strictly in a sofa."""
    fridge = ('refrigerator', (0.0, 0.0, 0.9), (0.7, 0.7, 1.8))
    milk, box = ('milk', (0, 0, 1), (0.1, 0.1, 0.2)), ('box', (0, 0, 1.9), (0.3, 0.3, 0.2))
    assert holds(RelationKind.IN, milk, fridge)
    assert not holds(RelationKind.ON, milk, fridge)
    assert holds(RelationKind.ON, box, fridge)
    assert not holds(RelationKind.IN, box, fridge)
    sofa = ('sofa', (0.0, 0.0, 0.5), (2.0, 0.9, 1.0))
    pillow = ('pillow', (0.5, 0.1, 0.6), (0.4, 0.3, 0.3))
    assert not holds(RelationKind.IN, pillow, sofa)
    assert holds(RelationKind.IN, pillow, sofa, loose=True)


def test_the_floor_is_on_nothing_and_nothing_stands_on_a_wall():
    """Pictures are on walls in the loose sense only."""
    wall = ('wall', (0.0, 0.5, 1.3), (4.0, 0.2, 2.6))
    picture = ('picture', (0.0, 0.38, 1.5), (0.6, 0.03, 0.5))
    assert not holds(RelationKind.ON, picture, wall)
    assert holds(RelationKind.ON, picture, wall, loose=True)
    assert not holds(RelationKind.ON, ('floor', (0, 0, 0.8), (0.5, 0.5, 0.1)), TABLE)


def test_a_sofa_before_a_wall_is_loosely_below_the_window_in_it():
    """In the loose sense close footprints are sufficient."""
    window = ('window', (0.0, 1.0, 1.6), (1.5, 0.1, 1.2))
    sofa = ('sofa', (0.0, 0.4, 0.4), (2.0, 0.9, 0.8))
    assert not holds(RelationKind.BELOW, sofa, window)
    assert holds(RelationKind.BELOW, sofa, window, loose=True)
    assert holds(RelationKind.ABOVE, window, sofa, loose=True)


def test_near_depends_on_size():
    """Half a meter is near for a chair and a table, but not for two cups."""
    chair = ('chair', (1.35, 0.0, 0.5), (0.5, 0.5, 1.0))
    assert holds(RelationKind.NEAR, chair, TABLE)
    first, second = (('cup', (x, 0.0, 0.0), (0.1, 0.1, 0.1)) for x in (0.0, 0.6))
    assert not holds(RelationKind.NEAR, first, second)
    assert holds(RelationKind.NEAR, first, second, loose=True)


@pytest.mark.parametrize('gap', [-0.06, 0.0, 0.03, 0.06])
def test_a_measured_cup_is_most_probably_on_its_table(gap):
    """With deviations of 5 cm, contact is far more probable at a gap of centimeters."""
    things = room(('cup', (0.3, 0.1, 0.8 + gap), (0.1, 0.1, 0.1)), TABLE, deviation=0.05)
    noise = np.random.default_rng(5).normal(0.0, 0.05, (2000, 2, 3))
    worlds = Boxes(
        things.centers + noise, things.sizes, things.headings, things.deviations, things.roles
    )
    cup, table = worlds.take(np.array([0])), worlds.take(np.array([1]))
    assert relations.holds(RelationKind.ON, cup, table).mean() > 0.85
    assert relations.holds(RelationKind.ABOVE, cup, table).mean() < 0.15


def test_a_measured_chair_is_not_on_the_table_where_it_stands():
    """A possible error of the measured height is not sufficient for "on"."""
    stool = ('stool', (0.2, 0.0, 0.25), (0.4, 0.4, 0.5))
    things = room(stool, TABLE, deviation=0.05)
    noise = np.random.default_rng(6).normal(0.0, 0.05, (2000, 2, 3))
    worlds = Boxes(
        things.centers + noise, things.sizes, things.headings, things.deviations, things.roles
    )
    stool, table = worlds.take(np.array([0])), worlds.take(np.array([1]))
    assert relations.holds(RelationKind.ON, stool, table).mean() < 0.1
    assert relations.holds(RelationKind.BELOW, stool, table).mean() > 0.9


def test_between_is_close_to_both_and_loosely_in_the_corridor():
    """An object far from both anchors is between them in the loose sense only."""
    left, right = (('sofa', (x, 0.0, 0.4), (1.0, 1.0, 0.8)) for x in (-2.0, 2.0))
    filling = ('table', (0.1, 0.0, 0.35), (1.4, 0.8, 0.7))
    small = ('stool', (-0.5, 0.3, 0.2), (0.3, 0.3, 0.4))
    aside = ('stool', (0.0, 2.0, 0.2), (0.3, 0.3, 0.4))
    things, one, other = room(filling, small, aside), room(left), room(right)
    assert is_between(things, one, other)[:, 0, 0].tolist() == [True, False, False]
    assert is_between(things, one, other, loose=True)[:, 0, 0].tolist() == [True, True, False]


def test_between_includes_stacked_objects():
    """An object above one anchor and under the other is between them."""
    shelf = ('shelves', (0.0, 0.0, 2.0), (1.0, 0.8, 0.3))
    vase = ('vase', (0.2, 0.0, 1.0), (0.2, 0.2, 0.4))
    assert is_between(room(vase), room(TABLE), room(shelf))[0, 0, 0]


def test_closest_compares_centers():
    """Distances are those between centers, in each sample."""
    random = np.random.default_rng(7)
    worlds = Boxes(random.uniform(-9, 9, (4, 5, 3)), np.ones((5, 3)), np.zeros(5))
    apart = np.linalg.norm(worlds.centers[:, :, None] - worlds.centers[:, None], axis=-1)
    assert relations.distance(worlds, worlds) == pytest.approx(apart)


@given(st.floats(-7.0, 7.0))
def test_sides_depend_on_the_observer(turn):
    """Left, right, front and behind rotate with the observer."""
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
    places = np.array(((5, 1, 0), (5, -1, 0), (4, 0, 0), (6, 0, 0)), float) @ rotation.T
    things = Boxes(places, np.ones((4, 3)), np.zeros(4))
    anchor = Boxes(
        rotation @ np.array((5.0, 0.0, 0.0)) * np.ones((1, 3)), np.ones((1, 3)), np.zeros(1)
    )
    for row, kind in enumerate(SIDES):
        held = is_on_side(kind, things, anchor, np.zeros(2))[:, 0]
        assert held.tolist() == [index == row for index in range(4)]
    assert bearings(things, np.zeros(2)).argmax() == 0


def test_an_object_off_a_corner_is_on_both_sides():
    """At 45 degrees an object is left and behind."""
    thing, anchor = room(('cup', (3, 1, 0), (0, 0, 0))), room(('cup', (2, 0, 0), (0, 0, 0)))
    held = [is_on_side(kind, thing, anchor, np.zeros(2))[0, 0] for kind in SIDES]
    assert held == [True, False, False, True]


def test_an_observer_at_the_anchor_has_no_sides():
    """No object is on any side of the anchor."""
    thing, anchor = room(('cup', (3, 1, 0), (0, 0, 0))), room(('cup', (2, 0, 0), (0, 0, 0)))
    for kind in SIDES:
        assert not is_on_side(kind, thing, anchor, np.array((2.0, 0.0)))[0, 0]


def test_roles_depend_on_the_last_words():
    """A dining table is a table, a table lamp is not; spelling does not matter."""
    assert role_of('Round dining_table') == role_of('table')
    assert role_of('table lamp') is ClassRole.NONE
    assert role_of('TV cabinet') & ClassRole.SHELVED
