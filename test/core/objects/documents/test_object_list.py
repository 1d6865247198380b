# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Object lists of the challenge, and recognition of the formats of maps."""

from __future__ import annotations

import contextlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.documents.json_fields import ObjectMapError
from world_model_core.objects.documents.object_list import parse_object_list
from world_model_core.objects.documents.object_map_document import (
    ObjectMapDocument,
    map_document,
    parse_map,
)
from world_model_core.objects.documents.scene_files import load_scene
from world_model_core.objects.values import ObjectState

LINE = '7 1.5 -2.25 0.4 0.6 0.5 1.1 -1.57 "potted plant"'


def test_a_line_is_an_object():
    """Position, size, heading and label are those of the line, without uncertainty."""
    (plant,) = parse_object_list(LINE)
    assert (plant.id, plant.label, plant.heading) == ('7', 'potted plant', -1.57)
    assert plant.position.tolist() == [1.5, -2.25, 0.4]
    assert plant.size.tolist() == [0.6, 0.5, 1.1]
    assert not plant.covariance.any()
    assert (plant.state, plant.color, plant.region) == (ObjectState.CONFIRMED, 'unknown', None)


def test_lists_as_editors_leave_them_are_read():
    """Empty lines, other line ends, additional spaces and missing quotes are accepted."""
    lines = [LINE, '', '  8\t1e0 +2 .3 1 1 1 0   sofa chair ', '9 0 0 0 1 1 1 0 "鉢 "植え""', '  ']
    for ending in ('\n', '\r\n'):
        things = parse_object_list(ending.join(lines))
        assert [thing.id for thing in things] == ['7', '8', '9']
        assert [thing.label for thing in things] == ['potted plant', 'sofa chair', '鉢 "植え"']


def test_flat_boxes_are_given_a_thickness():
    """A picture without depth must have a volume for comparisons."""
    (picture,) = parse_object_list('0 0 0 0 0.8 0 0.6 0 "picture"')
    assert picture.size.tolist() == [0.8, 0.001, 0.6]


@pytest.mark.parametrize(
    ('line', 'complaint'),
    [
        ('sofa', r'line 2 is .sofa.; it must be id x y z l w h heading "label"'),
        ('8 1 2 3 4 5 6 7', 'line 2 is .8 1 2 3 4 5 6 7.; it must be id x y z'),
        ('8 1 2 three 4 5 6 7 "a"', "line 2: z is 'three'; it must be a number"),
        ('8 nan 2 3 4 5 6 7 "a"', "line 2: x is 'nan'; it must be a number from -1e"),
        ('8 1 inf 3 4 5 6 7 "a"', "line 2: y is 'inf'"),
        ('8 1 2 1e9 4 5 6 7 "a"', "line 2: z is '1e9'"),
        ('8 1 2 3 -4 5 6 7 "a"', r'line 2: size is \[-4.0, 5.0, 6.0\]; no length may be negative'),
        ('8 1 2 3 4 5 6 7 "a', "line 2: label is '\"a'; its quotes must match"),
        ('8 1 2 3 4 5 6 7 "', 'its quotes must match'),
        ('8 1 2 3 4 5 6 7 ""', "line 2: label is ''; it must have 1 to 256 characters"),
        (f'8 1 2 3 4 5 6 7 "{"x" * 10_000}"', 'line 2: label is .* of 10000 characters; it must'),
        ('7 1 2 3 4 5 6 7 "a"', "line 2: the id '7' is repeated"),
    ],
)
def test_bad_lines_are_named(line, complaint):
    """The error has the number of the line, the value and the rule."""
    with pytest.raises(ObjectMapError, match=complaint) as found:
        parse_object_list(f'{LINE}\n{line}\n{LINE}')
    assert len(str(found.value)) < 300


WORDS = st.text(st.characters(exclude_categories=('Z', 'C')), min_size=1, max_size=9)
NUMBERS = st.floats(-1e7, 1e7)


@given(
    st.dictionaries(
        WORDS,
        st.tuples(
            st.tuples(*[NUMBERS] * 3), st.tuples(*[st.floats(1e-3, 1e7)] * 3), NUMBERS, WORDS
        ),
        max_size=4,
    )
)
def test_any_list_is_read_as_it_was_written(things):
    """Every number to its last digit, and every label."""
    lines = [
        f'{name} {" ".join(map(repr, (*place, *size, heading)))} "{label}"'
        for name, (place, size, heading, label) in things.items()
    ]
    found = parse_object_list('\n'.join(lines))
    assert [thing.id for thing in found] == list(things)
    for thing, (place, size, heading, label) in zip(found, things.values(), strict=True):
        assert tuple(thing.position) == place
        assert tuple(thing.size) == size
        assert (thing.heading, thing.label) == (heading, label)


@given(
    st.text()
    | st.lists(st.sampled_from([*LINE.split(), '"', '\n', '-', 'nan', '7'])).map(' '.join)
)
def test_any_text_is_a_list_or_an_error(text):
    """Any text gives an ObjectMapError or a list that can be saved as a map."""
    with contextlib.suppress(ObjectMapError):
        things = parse_object_list(text)
        written = json.dumps(map_document(ObjectMapDocument(things)))
        assert len(parse_map(written).objects) == len(things)


def test_the_challenges_list_is_read(shared_data):
    """All 115 objects of the loft are there."""
    things = load_scene(shared_data('vla/loft_object_list.txt')).objects
    assert len(things) == 115
    assert {'potted plant', 'tv remote', 'bowl of apples'} <= {thing.label for thing in things}
    assert all((thing.size > 0.0).all() for thing in things)


def test_formats_are_told_apart_by_content(tmp_path):
    """The name of a file does not matter: JSON begins with a brace."""
    for text, count in ((' \n{"frame_id": "house", "objects": {}}', 0), (LINE, 1)):
        path = tmp_path / 'map.txt'
        path.write_text(text, encoding='utf-8-sig')
        scene = load_scene(str(path))
        assert len(scene.objects) == count
        assert scene.frame_id == ('house' if count == 0 else 'map')


def test_a_world_model_is_a_map_too(tmp_path):
    """Its ball and robots are ignored."""
    path = tmp_path / 'world.json'
    path.write_text('{"objects": {}, "ball": {"source": "NONE"}, "robots": {}}')
    assert load_scene(path).objects == ()


@pytest.mark.parametrize(
    ('data', 'complaint'),
    [
        (b'[1]', r'map: the document is a JSON array of 1'),
        (b'\x89PNG\r\n', r'map: byte 0 is 0x89; it must be UTF-8'),
        (b' \n', r'map: the file is empty'),
        (b'hello', r'map: line 1 is .hello.; it must be'),
    ],
)
def test_files_that_are_no_maps_are_refused(tmp_path, data, complaint):
    """The error has the file's name."""
    path = tmp_path / 'map'
    path.write_bytes(data)
    with pytest.raises(ObjectMapError, match=complaint):
        load_scene(path)


def test_what_is_not_there_is_refused(tmp_path):
    """Neither a missing file nor an empty folder is an empty map."""
    with pytest.raises(ObjectMapError, match=r'none\.json'):
        load_scene(tmp_path / 'none.json')
    with pytest.raises(
        ObjectMapError, match=r'one \*_object_result\.csv or object_list\.txt; found none'
    ):
        load_scene(tmp_path)


def test_covariances_of_lists_are_exact():
    """Objects of annotated maps have no uncertainty."""
    things = parse_object_list(LINE)
    assert np.array_equal(things[0].covariance, np.zeros((3, 3)))
