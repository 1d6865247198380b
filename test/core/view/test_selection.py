# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Things are picked, hidden and found by their ids; a thousand of them cost no more."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.view.batches import UPRIGHT, Boxes, Labels, Lines
from world_model_core.view.scene import Row
from world_model_core.view.selection import (
    PICKED,
    Selection,
    describe,
    find_names,
    names_in,
    position_of,
)

PLACES = {'cup': (1.0, 2.0, 3.0), 'chair': (0.0, 0.0, 0.5), 'nowhere': (np.nan, 0.0, 0.0)}


class Table:
    """A scene with some things."""

    def describe(self, item):
        """Return a row for each thing."""
        return (Row('name', item),) if item in PLACES else ()

    def position_of(self, item):
        """Return the place of a thing."""
        return np.array(PLACES[item]) if item in PLACES else None


SCENES = (Table(),)


def marks():
    """Make marks of two things, one of which has a label too."""
    boxes = Boxes(('cup', 'chair'), np.zeros((2, 3)), UPRIGHT, np.ones(3), (1, 2, 3, 255))
    lines = Lines(np.ones((1, 2, 3)), (0, 0, 0, 255), 2.0)
    labels = Labels(('cup', ''), np.zeros((2, 3)), ('red cup', 'north'))
    return {'house/boxes': boxes, 'house/lines': lines, 'house/labels': labels}


def test_what_is_hidden_is_in_no_batch():
    """All that belongs to the thing goes, and the other batches are the same objects."""
    before = marks()
    after = Selection('cup').toggle_hidden().marks(before, SCENES)
    assert after['house/boxes'].ids == ('chair',)
    assert after['house/boxes'].sizes.shape == (1, 3)
    assert after['house/labels'].texts == ('north',)
    assert after['house/lines'] is before['house/lines']
    assert PICKED not in after


def test_what_was_hidden_is_shown_again():
    """By the same key, or with all others."""
    hidden = Selection('cup').toggle_hidden()
    assert hidden.hidden == {'cup'}
    assert hidden.toggle_hidden().hidden == frozenset()
    assert hidden.pick('chair').toggle_hidden().hidden == {'cup', 'chair'}
    assert hidden.show_all() == Selection('cup')


def test_only_what_is_possible_is_offered():
    """Nothing is to be followed before something is picked, nor shown before it is hidden."""
    nothing, picked = Selection(), Selection('cup')
    assert nothing.actions == ('find',)
    assert picked.actions == ('find', 'follow', 'hide')
    assert picked.toggle_hidden().actions == ('find', 'follow', 'show', 'show_all')
    assert picked.toggle_hidden().pick('chair').actions == ('find', 'follow', 'hide', 'show_all')
    assert picked.toggle_hidden().pick('').actions == ('find', 'show_all')


def test_without_a_thing_nothing_is_hidden():
    """The key may be pressed at any time."""
    before = marks()
    assert Selection().toggle_hidden().marks(before, SCENES) is before


def test_what_is_picked_has_its_name():
    """It is where the thing is."""
    shown = Selection('cup').marks({}, SCENES)[PICKED]
    assert shown.texts == ('cup',)
    assert shown.positions.tolist() == [[1.0, 2.0, 3.0]]
    assert shown.ids == ('',)
    assert Selection('gone').marks({}, SCENES) == {}
    assert Selection('nowhere').marks({}, SCENES) == {}


def test_a_thing_is_described_by_the_scene_that_has_it():
    """A thing that has gone is not described."""
    assert describe('cup', SCENES) == (Row('name', 'cup'),)
    assert describe('gone', SCENES) == ()
    assert position_of('gone', SCENES) is None
    assert position_of('cup', ()) is None


def test_each_name_is_listed_once():
    """Instances without an id have no name."""
    assert names_in(marks()) == ('cup', 'chair')


@pytest.mark.parametrize(
    ('text', 'found'),
    [
        ('yellow 1', ('Yellow 1', 'Yellow 10', 'my yellow 1')),
        ('1 YEL', ('my yellow 1', 'Yellow 10', 'Yellow 1')),
        ('ball', ('ball',)),
        ('', ()),
        ('  ', ()),
        ('nothing', ()),
        ('.*', ()),
    ],
)
def test_the_best_name_is_found_first(text, found):
    """All words are in it; the text is no pattern."""
    assert find_names(text, ['my yellow 1', 'Yellow 10', 'Yellow 1', 'ball']).names == found


def test_ten_thousand_names_give_a_short_list():
    """The number of all says that there are more."""
    found = find_names('thing', [f'thing {number}' for number in range(10_000)])
    assert (len(found.names), found.total) == (8, 10_000)
