# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Relations compared with the scene graphs of VLA-3D, if available."""

from __future__ import annotations

import gzip
import json

import pytest

from benchmarks.objects import relations_quality
from world_model_core.evaluation.objects.scene_graphs import (
    CLOSEST,
    FARTHEST,
    Agreement,
    SceneGraphError,
    compare,
    parse_scene_graph,
    relate,
)

JUDGED = ('on', 'above', 'below', 'in', 'between', *CLOSEST, *FARTHEST)
LEAST = 0.98
# Half extents of a box of 1 m x 0.6 m x 0.5 m as the graphs list its corners.
CORNERS = [
    (x, y, z)
    for z in (0.25, -0.25)
    for x, y in ((-0.5, 0.3), (0.5, 0.3), (0.5, -0.3), (-0.5, -0.3))
]


def thing(name, label, center, scale=1.0):
    """Write an object of a scene graph."""
    bbox = [[scale * h + c for h, c in zip(half, center, strict=True)] for half in CORNERS]
    size = [scale * length for length in (1.0, 0.6, 0.5)]
    return {
        'object_id': name,
        'nyu_label': label,
        'center': center,
        'size': size,
        'bbox': bbox,
    }


def graph(*things, **related):
    """Write a scene graph of one room."""
    lists = {name: {} for name in (*JUDGED, 'near', 'beside', 'hanging_on')} | related
    return json.dumps({'regions': {'0': {'objects': things, 'relationships': lists}}})


@pytest.fixture(scope='module')
def rooms(shared_data):
    """All rooms of all scene graphs."""
    graphs = sorted(shared_data('vla/vla3d').glob('*/*_scene_graph.json.gz'))
    return [
        room for path in graphs for room in parse_scene_graph(gzip.decompress(path.read_bytes()))
    ]


def test_relations_are_those_of_the_scene_graphs(rooms):
    """Precision and recall must be at least 98 % for every relation with a rule of its own."""
    found = compare(rooms)
    for name in JUDGED:
        assert found[name].both > 0, name
        assert found[name].precision >= LEAST, (name, found[name])
        assert found[name].recall >= LEAST, (name, found[name])


def test_near_is_compared_as_well(rooms):
    """Most pairs that the graphs list as near must be near here as well."""
    assert compare(rooms)['near'].recall > 0.5


def test_a_written_graph_is_read_and_agreed_with():
    """Both must list a lamp on a table, and neither a floating lamp."""
    table, lamp = thing('1', 'table', (0, 0, 0.25)), thing('2', 'lamp', (0, 0, 0.6), 0.4)
    (room,) = parse_scene_graph(graph(table, lamp, on={'1': ['2']}))
    assert relate(room)['on'] == room.related['on'] == {('2', '1')}
    assert compare((room,))['on'] == Agreement(both=1, computed=0, listed=0)


def test_agreement_counts_relations_of_one_side():
    """Additional relations must reduce precision, and missing ones recall."""
    assert Agreement(both=3, computed=1, listed=0).precision == 0.75
    assert Agreement(both=3, computed=0, listed=3).recall == 0.5
    assert Agreement(both=0, computed=0, listed=0).precision == 1.0


@pytest.mark.parametrize(
    'text', ['', '[]', '{"regions": 3}', '{"regions": {"0": {"objects": [{}]}}}', '{"regions"']
)
def test_other_documents_are_rejected(text):
    """A truncated or different document must raise the error of scene graphs only."""
    with pytest.raises(SceneGraphError, match='scene graph'):
        parse_scene_graph(text)


def test_relations_are_measured_without_scenes(tmp_path):
    """Without scenes the probabilities in generated houses must still match the truth."""
    measured = relations_quality.measure(seeds=(1,), folder=tmp_path)
    assert measured['scenes'] == 0
    errors = measured['expected calibration error']
    assert errors['0.05 m']['on'] < 0.2
