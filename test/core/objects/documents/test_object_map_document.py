# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""JSON of the object map: valid documents are read without loss, invalid ones are rejected."""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from world_model_core.documents import DocumentError, parse, schema, write
from world_model_core.objects.documents.json_fields import ObjectMapError
from world_model_core.objects.documents.object_map_document import (
    ObjectMapDocument,
    map_document,
    parse_map,
)
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.values import MapObject, ObjectState, Swatch, Tombstone

COVARIANCE = [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]]
CHAIR = {
    'class': 'chair',
    'position': [1.5, 2.3, 0.4],
    'position_uncertainty': COVARIANCE,
    'attributes': {'color': 'blue'},
}
# All properties of an object, and an unknown key at each level.
FULL = {
    'class': 'potted_plant',
    'position': [3.5, -1.5, 0.3],
    'position_uncertainty': COVARIANCE,
    'attributes': {
        'color': 'green',
        'colors': [
            {'name': 'green', 'share': 0.7, 'rgb': [20.0, 120.0, 30.0], 'method': 'lab'},
            {'name': 'brown', 'share': 0.3},
        ],
        'material': {'pot': 'clay'},
    },
    'state': 'missing',
    'confidence': 0.75,
    'hits': 12,
    'misses': 3,
    'size': [0.4, 0.5, 1.1],
    'heading': -0.5,
    'classes': {'potted_plant': 0.8, 'plant': 0.2},
    'aliases': ['fern', '鉢植え'],
    'region': 'kitchen',
    'first_seen_ns': 1_700_000_000_000_000_001,
    'last_seen_ns': 1_700_000_000_000_000_009,
    'owner': ['Ada', {'since': None}],
}
WHOLE = {
    'map_id': 'house 7',
    'frame_id': 'map',
    'stamp_ns': 1_700_000_000_000_000_010,
    'next_id': 9,
    'objects': {'3': FULL, 'mug_1': {**CHAIR, 'state': 'tentative', 'confidence': 0.5, 'hits': 1}},
    'tombstones': {
        '8': {'class': 'chair', 'stamp_ns': 5, 'reason': 'merged', 'merged_into': '3', 'by': 'map'}
    },
    'made_with': 'a tool of tomorrow',
}


def of(thing, name='3'):
    """Write a map of one object."""
    return json.dumps({'objects': {name: thing}}, ensure_ascii=False)


def changed(**members):
    """Write a map of a modified chair."""
    return of({**CHAIR, **members})


@pytest.mark.parametrize(
    'objects',
    [{}, {'0': CHAIR}, {'0': {**CHAIR, 'attributes': {}}, '1': CHAIR}],
    ids=['empty', 'one', 'no color'],
)
def test_documents_of_the_first_design_are_read(objects):
    """A class, a position, its uncertainty and optionally a color are enough."""
    document = parse_map(json.dumps({'objects': objects}))
    assert [thing.id for thing in document.objects] == list(objects)
    assert document.next_id == len(objects)
    for thing, written in zip(document.objects, objects.values(), strict=True):
        assert thing.label == 'chair'
        assert thing.position.tolist() == written['position']
        assert thing.covariance.tolist() == COVARIANCE
        assert thing.color == written['attributes'].get('color', 'unknown')
        assert (thing.state, thing.confidence) == (ObjectState.CONFIRMED, 1.0)
        assert thing.size is thing.heading is thing.region is None


def test_all_that_can_be_told_goes_through_and_nothing_is_lost():
    """Reading and writing gives the same document, unknown keys of every level included."""
    document = parse_map(json.dumps(WHOLE))
    expected = json.loads(json.dumps(WHOLE))
    expected['objects']['mug_1']['misses'] = 0
    assert map_document(document) == expected
    assert document.objects[0].extra == {
        'owner': ['Ada', {'since': None}],
        'attributes': {'material': {'pot': 'clay'}},
    }
    assert document.extra == {'made_with': 'a tool of tomorrow'}


def test_the_values_are_those_written():
    """Each field has the value that the rest of the software works with."""
    plant = parse_map(json.dumps(WHOLE)).objects[0]
    green = Swatch('green', 0.7, (20.0, 120.0, 30.0), {'method': 'lab'})
    assert plant.colors == (green, Swatch('brown', 0.3))
    assert plant.classes == {'potted_plant': 0.8, 'plant': 0.2}
    assert plant.aliases == ('fern', '鉢植え')
    assert plant.size.tolist() == [0.4, 0.5, 1.1]
    assert (plant.hits, plant.misses, plant.state) == (12, 3, ObjectState.MISSING)
    (stone,) = parse_map(json.dumps(WHOLE)).tombstones
    assert stone == Tombstone('8', 'chair', 5, 'merged', '3', {'by': 'map'})


def test_parts_that_rounding_made_more_than_one_are_one():
    """Rounding in a map must not produce a document that cannot be read."""
    hair = np.nextafter(1.0, 2.0)
    thing = MapObject(
        '0', 'a', np.zeros(3), np.eye(3), confidence=hair, classes={'a': hair},
        colors=(Swatch('red', hair, (1.0, 2.0, 3.0)),),
    )  # fmt: skip
    (again,) = parse_map(write(map_document(ObjectMapDocument((thing,))))).objects
    assert again.confidence == again.classes['a'] == again.colors[0].share == 1.0


def test_class_names_are_kept_as_they_are_spelt():
    """Labels keep their spelling."""
    names = ('potted_plant', 'Potted Plant', ' potted  plant')
    for name in names:
        (thing,) = parse_map(changed(**{'class': name})).objects
        assert thing.label == name
        assert normalize_label(thing.label) == 'potted plant'


def test_the_shorter_name_of_the_uncertainty_is_read():
    """Detectors write `uncertainty`; it is written back under its standard name."""
    thing = {key: value for key, value in CHAIR.items() if key != 'position_uncertainty'}
    document = parse_map(of({**thing, 'uncertainty': COVARIANCE}))
    written = map_document(document)['objects']['3']
    assert written['position_uncertainty'] == COVARIANCE
    assert 'uncertainty' not in written


def test_null_says_that_something_is_not_known():
    """Other tools write null for missing keys."""
    unknown = dict.fromkeys(
        ('size', 'heading', 'classes', 'region', 'state', 'attributes', 'first_seen_ns', 'hits')
    )
    assert map_document(parse_map(changed(**unknown))) == map_document(
        parse_map(changed(attributes={}))
    )


def test_exact_places_have_a_covariance_of_zero():
    """Annotated objects have no uncertainty."""
    (thing,) = parse_map(changed(position_uncertainty=[[0] * 3] * 3)).objects
    assert not thing.covariance.any()


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        (changed(position=[1, 2]), r'objects\.3\.position has 2 items; it must have 3'),
        (changed(position=[1, '2', 3]), r"position\[1\] is '2'; it must be a number"),
        (changed(position=[1, True, 3]), r'position\[1\] is true; it must be a number'),
        (changed(position=[1, 10**400, 3]), 'at /objects/3/position/1: File.NumberTooLarge'),
        (changed(position=[1, 2e7, 3]), r'is 20000000\.0; it must be from -1e\+07 to 1e\+07'),
        (changed(position=None), r'objects\.3\.position is null; it must be a JSON array'),
        (changed(size=[1, 0, 1]), r'objects\.3\.size\[1\] is 0; it must be positive'),
        (changed(heading='north'), r"objects\.3\.heading is 'north'; it must be a number"),
        (changed(confidence=1.5), r'objects\.3\.confidence is 1\.5; it must be from 0 to 1'),
        (changed(hits=-1), r'objects\.3\.hits is -1; it must be a whole number from 0'),
        (changed(hits=1.5), r'objects\.3\.hits is 1\.5; it must be a whole number'),
        (changed(last_seen_ns=2**63), r'last_seen_ns is 9223372036854775808; it must be a whole'),
        (changed(first_seen_ns=2, last_seen_ns=1), r'last_seen_ns is 1; it was first seen at 2'),
        (changed(state='deleted'), "state is 'deleted'; it must be one of tentative, confirmed"),
        (changed(state={}), 'state is a JSON object of 0; it must be one of'),
        (changed(classes={'a': 0.7, 'b': 0.6}), r'classes: the sum of its probabilities is 1\.3'),
        (changed(classes={'a': -0.1}), r'objects\.3\.classes\.a is -0\.1; it must be from 0 to 1'),
        (changed(classes={'': 0.1}), r"classes: a key is ''; it must have 1 to 256 characters"),
        (changed(aliases='fern'), r"objects\.3\.aliases is 'fern'; it must be a JSON array"),
        (changed(aliases=['a', 7]), r'objects\.3\.aliases\[1\] is 7; it must be a string'),
        (changed(attributes=[]), r'attributes is a JSON array of 0; it must be a JSON object'),
        (changed(attributes={'color': 3}), r'attributes\.color is 3; it must be a string'),
        (
            changed(attributes={'color': 'red', 'colors': [{'name': 'blue', 'share': 1}]}),
            r"color is 'red'; it must be the first of colors, 'blue'",
        ),
        (changed(attributes={'colors': [{'name': 'a'}]}), r'colors\[0\]\.share is missing'),
        (
            changed(attributes={'colors': [{'name': 'a', 'share': 1, 'rgb': [0, 0, 256]}]}),
            r'colors\[0\]\.rgb\[2\] is 256; it must be from 0 to 255',
        ),
        (changed(**{'class': 'x' * 10_000}), r"class is 'x{60}'\.\.\. of 10000 characters; it"),
        (changed(**{'class': ''}), r"class is ''; it must have 1 to 256 characters"),
        (of({'class': 'chair'}), r'objects\.3\.position is missing; it is required'),
        (of(CHAIR, 'x' * 300), r'objects\.x{40} as an id is .* of 300 characters'),
        (of(7), r'objects\.3 is 7; it must be a JSON object'),
        (changed(uncertainty=COVARIANCE), r'uncertainty and position_uncertainty are both given'),
        ('{}', 'objects is missing; it is required'),
        ('[]', 'the document is a JSON array of 0; it must be a JSON object'),
        ('{"objects": []}', 'objects is a JSON array of 0; it must be a JSON object'),
        ('{"objects": {}, "map_id": 4}', 'map_id is 4; it must be a string'),
        ('{"objects": {}, "tombstones": {"1": {}}}', r'tombstones\.1\.class is missing'),
        (json.dumps({**WHOLE, 'next_id': 8}), 'next_id is 8; it must be at least 9, above all'),
        (
            json.dumps({**WHOLE, 'objects': {'8': CHAIR}}),
            r'tombstones\.8 is also an object; ids must not be reused',
        ),
    ],
)
def test_what_is_wrong_is_named(text, complaint):
    """The error must have the path, the value and the rule, in one short line."""
    with pytest.raises(ObjectMapError, match=complaint) as found:
        parse_map(text)
    assert len(str(found.value)) < 400
    assert '\n' not in str(found.value)


def entry(row, column, value):
    """Write a covariance with one other element."""
    matrix = [list(numbers) for numbers in COVARIANCE]
    matrix[row][column] = value
    return matrix


@pytest.mark.parametrize(
    ('matrix', 'complaint'),
    [
        (entry(0, 1, 0.1), r'\[0\]\[1\] is 0\.1 and \[1\]\[0\] is 0; a covariance must be symm'),
        (entry(2, 2, -0.1), r'position_uncertainty has the eigenvalue -0\.1; .* semi-definite'),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], r'has the eigenvalue -1; a covariance must be'),
        (entry(1, 1, 'x'), r"\[1\]\[1\] is 'x'; it must be a number"),
        (entry(1, 1, 1e15), r'\[1\]\[1\] is 1000000000000000\.0; it must be from'),
        ([[1, 0], [0, 1]], r'position_uncertainty has 2 items; it must have 3'),
        ([1, 2, 3], r'position_uncertainty\[0\] is 1; it must be a JSON array'),
        (None, r'position_uncertainty is null; it must be a JSON array'),
    ],
)
def test_matrices_that_are_no_covariances_are_refused(matrix, complaint):
    """They must be symmetric, positive semi-definite and bounded."""
    with pytest.raises(ObjectMapError, match=r'objects\.3\.position_uncertainty') as found:
        parse_map(changed(position_uncertainty=matrix))
    assert found.match(complaint)


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('', 'object map at line 1: File.CutOff: .*Expecting value'),
        (json.dumps(WHOLE)[:-40], 'object map at line 1: File.CutOff: '),
        (json.dumps(WHOLE)[:61], 'object map at line 1: File.CutOff: '),
        ('{"objects": {"a": NaN}}', 'object map at /objects/a: File.JsonConstant: NaN'),
        ('{"objects": {}, "x": [1, {"y": 1e999}]}', r'object map at /x/1/y: File.NumberTooLarge'),
        ('{"objects": {}, "next_id": ' + '9' * 5000 + '}', '/next_id: File.NumberTooLarge'),
        ('[' * 100_000, 'File.TooDeep: .* 64 levels'),
        (
            '{"objects": {}, "a": ' + '[' * 70 + ']' * 70 + '}',
            r'/a/0.*: File.TooDeep: .* 64 levels',
        ),
        (
            '{"objects": {"3": {"class": "a", "class": "b"}}}',
            '/objects/3/class: File.DuplicateKey: the key class',
        ),
        (
            '{"objects": {}, "objects": {}}',
            'object map at /objects: File.DuplicateKey: the key objects',
        ),
        (
            r'{"objects": {}, "a": ["\ud800"]}',
            'at /a/0: File.LoneSurrogate: .*half of a surrogate',
        ),
        (r'{"objects": {"\ud800": {}}}', 'File.LoneSurrogate: .*half of a surrogate'),
    ],
)
def test_text_that_is_no_sound_json_is_refused(text, complaint):
    """Deviations from the standard that other readers accept are errors."""
    with pytest.raises(ObjectMapError, match=complaint):
        parse_map(text)


def test_any_cut_of_a_document_is_refused():
    """No truncated map may be accepted as a map."""
    text = json.dumps(WHOLE, ensure_ascii=False)
    for length in range(len(text)):
        with pytest.raises(ObjectMapError):
            parse_map(text[:length])


def test_ids_are_never_given_again():
    """The next id is above all numeric ids of objects and tombstones."""
    stone = {'class': 'chair', 'stamp_ns': 1, 'reason': 'merged'}
    document = parse_map(
        json.dumps(
            {
                'objects': {'4': CHAIR, 'mug_9': CHAIR, '007': CHAIR, '9' * 60: CHAIR},
                'tombstones': {'6': stone, 'x': stone},
            }
        )
    )
    assert document.next_id == 7
    assert map_document(replace(document, next_id=0))['next_id'] == 7
    assert map_document(replace(document, next_id=30))['next_id'] == 30


TEXTS = st.text(st.characters(exclude_categories=('Cs',)), min_size=1, max_size=9)
SHARES = st.floats(0.0, 1.0)
STAMPS = st.integers(0, 2**63 - 1)
LENGTHS = st.floats(-1e7, 1e7)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
# None of these is a known key.
EXTRAS = st.dictionaries(TEXTS.map('x-{}'.format), JSON, max_size=2)
VECTORS = st.tuples(LENGTHS, LENGTHS, LENGTHS).map(np.array)


@st.composite
def covariances(draw):
    """Draw a square root of a covariance, and square it."""
    root = np.array(draw(st.lists(st.floats(-1e3, 1e3), min_size=9, max_size=9))).reshape(3, 3)
    return root @ root.T


SWATCHES = st.builds(
    Swatch,
    TEXTS,
    st.floats(0.0, 0.3),
    st.none() | st.tuples(*[st.floats(0.0, 255.0)] * 3),
    EXTRAS,
)


@st.composite
def map_objects(draw, name):
    """Draw an object with any properties."""
    stamps = sorted(draw(st.tuples(STAMPS, STAMPS)))
    return MapObject(
        id=name,
        label=draw(TEXTS),
        position=draw(VECTORS),
        covariance=draw(covariances()),
        size=draw(st.none() | st.tuples(*[st.floats(1e-6, 1e7)] * 3).map(np.array)),
        heading=draw(st.none() | LENGTHS),
        colors=tuple(draw(st.lists(SWATCHES, max_size=3))),
        classes=draw(st.dictionaries(TEXTS, st.floats(0.0, 0.25), max_size=4)),
        aliases=tuple(draw(st.lists(TEXTS, max_size=2))),
        region=draw(st.none() | TEXTS),
        confidence=draw(SHARES),
        hits=draw(STAMPS),
        misses=draw(STAMPS),
        first_seen_ns=draw(st.sampled_from((None, stamps[0]))),
        last_seen_ns=draw(st.sampled_from((None, stamps[1]))),
        state=draw(
            st.sampled_from((ObjectState.TENTATIVE, ObjectState.CONFIRMED, ObjectState.MISSING))
        ),
        extra={**draw(EXTRAS), 'attributes': draw(EXTRAS)},
    )


@st.composite
def documents(draw):
    """Draw an object map."""
    names = draw(st.lists(TEXTS | STAMPS.map(str), unique=True, max_size=3))
    buried = draw(st.lists(TEXTS.map('buried {}'.format), unique=True, max_size=2))
    return ObjectMapDocument(
        objects=tuple(draw(map_objects(name)) for name in names),
        tombstones=tuple(
            Tombstone(name, draw(TEXTS), draw(STAMPS), draw(TEXTS), draw(st.none() | TEXTS))
            for name in buried
        ),
        next_id=2**63 - 1,
        map_id=draw(st.none() | TEXTS),
        frame_id=draw(st.none() | TEXTS),
        stamp_ns=draw(st.none() | STAMPS),
        extra=draw(EXTRAS),
    )


@given(documents())
def test_any_map_goes_through_json_and_back(document):
    """Writing and reading gives the same map, which follows the schema."""
    written = map_document(document)
    again = parse_map(write(written))
    assert map_document(again) == written
    assert again.tombstones == document.tombstones
    for thing, same in zip(document.objects, again.objects, strict=True):
        assert (thing.colors, thing.classes, thing.aliases) == (
            same.colors, same.classes, same.aliases,
        )  # fmt: skip
        assert (thing.position == same.position).all()
        assert (thing.covariance == same.covariance).all()
    assert parse(write(written), 'object_map') == written
    assert parse(write({'objects': written['objects']}), 'world_model')


@st.composite
def spoilt(draw):
    """Draw a document with one value replaced or removed."""
    document = json.loads(json.dumps(WHOLE))
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, (dict, list)) or not inner or draw(st.booleans()):
            break
        place = inner
    if draw(st.booleans()) and isinstance(place, dict):
        del place[key]
    else:
        place[key] = draw(JSON | st.floats(-1.0, 2.0))
    return document


# Rules that only the reader checks: JSON Schema cannot express them.
BEYOND_SCHEMA = (
    'eigenvalue', 'must be symmetric', 'the sum of', 'it was first seen', 'must be the first of',
    'next_id is', 'is also an object', 'File.TooDeep',
)  # fmt: skip


@given(spoilt())
@example({**WHOLE, 'objects': {'3': {**FULL, 'hits': 2.0}}})
def test_reading_and_the_schema_agree(document):
    """Reader and schema reject the same documents, except by rules that no schema can express."""
    complaints = []
    for read in (lambda text: parse(text, 'object_map'), parse_map):
        try:
            read(json.dumps(document))
            complaints.append('')
        except (DocumentError, ObjectMapError) as error:
            complaints.append(str(error))
    by_schema, by_reading = complaints
    beyond = any(rule in by_reading for rule in BEYOND_SCHEMA)
    assert beyond or bool(by_schema) == bool(by_reading), complaints


@given(st.text() | JSON.map(json.dumps))
def test_any_text_is_a_map_or_an_error(text):
    """Any value gives an ObjectMapError or a map."""
    with contextlib.suppress(ObjectMapError):
        assert isinstance(parse_map(text), ObjectMapDocument)


@given(st.lists(st.floats(), min_size=9, max_size=9))
@example([math.inf] * 9)
def test_any_matrix_is_a_covariance_or_an_error(numbers):
    """No number may break the check of a covariance."""
    matrix = np.array(numbers).reshape(3, 3).tolist()
    with contextlib.suppress(ObjectMapError):
        (thing,) = parse_map(changed(position_uncertainty=matrix)).objects
        assert np.isfinite(thing.covariance).all()
        assert np.linalg.eigvalsh(thing.covariance)[0] >= -1e-5 * np.abs(thing.covariance).max()


def test_objects_are_the_same_in_both_schemas():
    """The world model's objects are those of the object map."""
    for part in ('$defs', 'properties'):
        name = {'$defs': 'object', 'properties': 'objects'}[part]
        assert schema('world_model')[part][name] == schema('object_map')[part][name]
