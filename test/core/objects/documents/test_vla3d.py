# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes of VLA-3D: tables and statements of the data set, and invalid ones."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.documents.json_fields import ObjectMapError
from world_model_core.objects.documents.object_map_document import (
    ObjectMapDocument,
    map_document,
    parse_map,
)
from world_model_core.objects.documents.scene_files import load_scene, load_statements
from world_model_core.objects.documents.vla3d import (
    Statement,
    parse_objects,
    parse_regions,
    parse_statements,
)
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.values import Swatch

SCENES = {
    '3RScan_02b33e01-be2b-2d54-93fb-4145a709cec5': (27, {'Room'}, 750),
    'ARKitScenes_47204840': (7, {'47204840'}, 100),
    'Matterport_5q7pvUzZiYa': (411, None, None),
    'Unity_loft': (115, {'bedroom', 'corridor', 'livingroom'}, None),
}
ROW = {
    'object_id': '4',
    'region_id': '2',
    'raw_label': 'potted plant',
    'nyu_id': '82',
    'nyu40_id': '40',
    'nyu_label': 'plant',
    'nyu40_label': 'otherprop',
    'object_bbox_cx': '1.5',
    'object_bbox_cy': '-1',
    'object_bbox_cz': '0.25',
    'object_bbox_xlength': '0.5',
    'object_bbox_ylength': '0.4',
    'object_bbox_zlength': '1.0',
    'object_bbox_heading': '-1',
    'object_front_heading': '_',
    **{
        f'object_color_{part}{rank}': value
        for rank, values in enumerate(
            (('47', '79', '79', 'gray', '0.75', '12.5'), ('_',) * 6, ('-1',) * 6), start=1
        )
        for part, value in zip(
            ('r', 'g', 'b', 'scheme', 'scheme_percentage', 'scheme_average_dist'), values,
            strict=True,
        )
    },
}  # fmt: skip
REGIONS = {'2': 'living room'}


def table(*changes):
    """Write a table of objects; each row changes the given cells."""
    text = io.StringIO()
    writer = csv.DictWriter(text, ROW, lineterminator='\r\n')
    writer.writeheader()
    for change in changes:
        writer.writerow({**ROW, **change})
    return text.getvalue()


def of(**change):
    """Read the one object of a table."""
    (thing,) = parse_objects(table(change), REGIONS)
    return thing


def test_a_row_is_an_object():
    """Class, raw label, box, color and room are read, without uncertainty."""
    plant = of()
    assert (plant.id, plant.label, plant.aliases) == ('4', 'plant', ('potted plant',))
    assert plant.position.tolist() == [1.5, -1.0, 0.25]
    assert plant.size.tolist() == [0.5, 0.4, 1.0]
    assert plant.heading == -1.0
    assert plant.colors == (Swatch('gray', 0.75, (47.0, 79.0, 79.0)),)
    assert plant.region == 'living room'
    assert plant.extra == {'region_id': '2'}
    assert not plant.covariance.any()


@pytest.mark.parametrize(
    ('raw', 'nyu', 'label', 'aliases'),
    [
        ('door frame', 'door', 'door', ('door frame',)),
        ('tv_monitor', 'TV Monitor', 'TV Monitor', ()),
        ('clutter', 'unknown', 'clutter', ()),
        ('object', 'unknown', 'object', ()),
        ('remove', 'void', 'remove', ()),
        ('shelf', '_', 'shelf', ()),
        ('shelf', '', 'shelf', ()),
        ('refrigerator', 'refridgerator', 'refridgerator', ('refrigerator',)),
    ],
)
def test_objects_go_by_both_their_names(raw, nyu, label, aliases):
    """The class used by statements is the label, the raw label used by questions an alias."""
    thing = of(raw_label=raw, nyu_label=nyu)
    assert (thing.label, thing.aliases) == (label, aliases)


def test_what_is_absent_is_not_known():
    """`_`, `-1`, `N/A` and empty cells mean unknown, but -1 is a valid coordinate."""
    assert of(region_id='-1').region is None
    assert of(region_id='-1').extra == {}
    assert of(region_id='77').region is None
    assert of(region_id='77').extra == {'region_id': '77'}
    assert of(object_bbox_heading='_').heading is None
    assert of(object_bbox_xlength='_').size is None
    assert of(object_front_heading='-1').extra['front_heading'] == -1.0
    assert of(object_color_scheme1='N/A').colors == ()
    assert of(object_color_scheme_percentage1='').colors == ()
    assert of(object_color_g1='_').colors == (Swatch('gray', 0.75),)
    for absent in ('_', 'nan', ''):
        text = table({}, {'object_id': '5', 'object_bbox_cz': absent})
        assert [thing.id for thing in parse_objects(text, {})] == ['4']


def test_rows_may_end_early():
    """Tables of some scenes omit the last columns if there is no third color."""
    header, row = table({}).split('\r\n')[:2]
    short = ','.join(row.split(',')[:21])
    (thing,) = parse_objects(f'{header}\n{short}\n', REGIONS)
    assert thing.color == 'gray'


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('', 'the column object_id is missing in line 1'),
        (table({}).replace('raw_label', 'label'), 'the column raw_label is missing in line 1'),
        (table({}, {}), "line 3: object_id '4' is repeated"),
        (table({'object_bbox_cx': 'far'}), "line 2: object_bbox_cx is 'far'; it must be a number"),
        (table({'object_bbox_cx': 'inf'}), "line 2: object_bbox_cx is 'inf'"),
        (table({'object_bbox_zlength': '-1'}), r'line 2: size is \[0.5, 0.4, -1.0\]; no length'),
        (table({'raw_label': ''}), "line 2: raw_label is ''; it must have 1 to 256 characters"),
        (table({'object_id': 'x' * 999}), 'line 2: object_id is .* of 999 characters'),
        (table({'object_color_r1': 'red'}), "line 2: color 1 is 'red'"),
        (table({})[:-2] + ',1,2', 'line 2 has more than the 33 columns of line 1'),
        (table({'raw_label': 'x' * 200_000}), 'after line 1: field larger than field limit'),
    ],
)
def test_bad_tables_are_named(text, complaint):
    """The error has line, column, value and rule."""
    with pytest.raises(ObjectMapError, match=complaint) as found:
        parse_objects(text, REGIONS)
    assert len(str(found.value)) < 300


def test_regions_are_named_by_their_ids():
    """Names may repeat, ids do not."""
    text = 'region_id,region_label,more\r\n0,bathroom,1\r\n7, bathroom ,2\r\n8,_,3\r\n9,,4\r\n'
    assert parse_regions(text) == {'0': 'bathroom', '7': 'bathroom'}
    with pytest.raises(ObjectMapError, match='the column region_label is missing'):
        parse_regions('region_id\n0')


def statements(**meaning):
    """Write one statement."""
    told = {'target_index': '5', 'anchors': {'anchor_1': {'index': '4'}}, **meaning}
    region = {'the bowl on the table': [told], 'region': 'Room', 'note': None}
    return json.dumps({'scene_name': 'x', 'regions': {'0': region}})


def test_statements_are_taken_from_what_stands_among_them():
    """The name of the region is not a statement; a statement without anchors is."""
    assert parse_statements(statements()) == (
        Statement('0', 'the bowl on the table', '5', ('4',)),
    )
    assert parse_statements(statements(anchors={}))[0].anchors == ()


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('{', 'statements at line 1: File.CutOff'),
        ('{}', 'regions is missing'),
        ('{"regions": {"0": []}}', r'regions\.0 is a JSON array of 0; it must be a JSON object'),
        (statements(target_index=5), r'regions\.0\.the bowl on the table\[0\]\.target_index is 5'),
        (statements(anchors=[4]), r'\[0\]\.anchors is a JSON array of 1; it must be'),
        (statements(anchors={'anchor_1': {}}), r'\[0\]\.anchors\.anchor_1\.index is missing'),
        ('{"regions": {}, "regions": {}}', 'File.DuplicateKey: the key regions'),
    ],
)
def test_bad_statements_are_named(text, complaint):
    """The error has the path."""
    with pytest.raises(ObjectMapError, match=complaint):
        parse_statements(text)


def test_statements_may_be_compressed_or_not(tmp_path):
    """Both forms are read; a truncated file is reported by its name."""
    path = tmp_path / 'x_referential_statements.json'
    path.write_text(statements())
    assert len(load_statements(tmp_path)) == 1
    packed = gzip.compress(path.read_bytes())
    path.unlink()
    path = tmp_path / 'x_referential_statements.json.gz'
    path.write_bytes(packed)
    assert len(load_statements(str(tmp_path))) == 1
    path.write_bytes(packed[:-12])
    with pytest.raises(ObjectMapError, match=r'statements\.json\.gz: Compressed file ended'):
        load_statements(tmp_path)


def test_a_folder_is_one_scene(tmp_path):
    """Two tables are ambiguous; rooms are optional; an invalid table is reported."""
    (tmp_path / 'a_object_result.csv').write_text(table({}))
    assert load_scene(tmp_path).objects[0].region is None
    (tmp_path / 'a_region_result.csv').write_text('region_id,region_label\n2,hall\n')
    assert load_scene(tmp_path).objects[0].region == 'hall'
    (tmp_path / 'a_region_result.csv').write_text('name\n')
    with pytest.raises(ObjectMapError, match=r'a_region_result\.csv: the column region_id'):
        load_scene(tmp_path)
    (tmp_path / 'b_object_result.csv').write_text(table({}))
    with pytest.raises(ObjectMapError, match=r'found a_object_result\.csv, b_object_result\.csv'):
        load_scene(tmp_path)


@given(st.text() | st.lists(st.sampled_from([*ROW.values(), '\n', '"', 'nan'])).map(','.join))
def test_any_table_gives_objects_or_an_error(text):
    """Any text gives an ObjectMapError or objects."""
    header = ','.join(ROW)
    for given_text in (text, f'{header}\n{text}'):
        with contextlib.suppress(ObjectMapError):
            parse_objects(given_text, REGIONS)
        with contextlib.suppress(ObjectMapError):
            parse_regions(given_text)
        with contextlib.suppress(ObjectMapError):
            parse_statements(given_text)


@pytest.mark.parametrize('name', SCENES)
def test_scenes_of_the_data_set_are_read(shared_data, name):
    """All objects with their rooms are read; a scene saved as a map is the same scene."""
    count, rooms, _ = SCENES[name]
    things = load_scene(shared_data(f'vla/vla3d/{name}')).objects
    assert len(things) == count
    assert rooms is None or {thing.region for thing in things} - {None} == rooms
    assert all(thing.colors[0].rgb for thing in things)
    written = map_document(ObjectMapDocument(things, next_id=count))
    assert map_document(parse_map(json.dumps(written))) == written


@pytest.mark.parametrize('name', [name for name, (*_, count) in SCENES.items() if count])
def test_statements_name_objects_by_their_labels(shared_data, name):
    """Each target is in the scene and in the statement's room, under the class that it uses."""
    folder = shared_data(f'vla/vla3d/{name}')
    things = {thing.id: thing for thing in load_scene(folder).objects}
    told = load_statements(folder)
    assert len(told) == SCENES[name][2]
    for statement in told:
        for number in (statement.target, *statement.anchors):
            assert things[number].extra['region_id'] == statement.region
        assert normalize_label(things[statement.target].label) in statement.text


def test_the_loft_is_the_same_as_a_list_and_as_a_scene(shared_data):
    """Boxes agree, and each label of the list is a label or an alias of the scene."""
    scene = load_scene(shared_data('vla/vla3d/Unity_loft')).objects
    listed = load_scene(shared_data('vla/loft_object_list.txt')).objects
    names = Counter(name for thing in scene for name in {thing.label, *thing.aliases})
    for thing, same in zip(scene, listed, strict=True):
        assert thing.id == same.id
        assert thing.position.tolist() == same.position.tolist()
        assert thing.size.tolist() == same.size.tolist()
        assert same.label in {thing.label, *thing.aliases}
    assert names['plant'] > names['potted plant'] > 0
