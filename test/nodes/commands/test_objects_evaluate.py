# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model objects evaluate`: tables, JSON, and invalid arguments."""

from __future__ import annotations

import pytest

from world_model_core.documents import parse
from world_model_core.evaluation.objects.object_map_mapper import MAPPERS
from world_model_nodes.commands import objects_evaluate
from world_model_nodes.commands.main import run_command
from world_model_nodes.commands.objects_evaluate_plot import draw

PNG = b'\x89PNG'


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    """Explore a small house for a short time: only the output is tested here."""
    monkeypatch.setattr('world_model_core.evaluation.objects.explored_houses.ROOMS', 1)
    monkeypatch.setattr('world_model_core.evaluation.objects.explored_houses.FRAMES_PER_ROOM', 12)


def test_json_follows_its_schema_and_has_a_row_for_every_mapper(capsys):
    """Sets, noises and mappers are complete, and gates only with a plot."""
    words = ['objects', 'evaluate', '--layouts', '2', '--sigma', '0.1', '--json']
    assert run_command(words) == 0
    document = parse(capsys.readouterr().out, 'objects_evaluation')
    rows = document['comparisons']
    assert [row['mapper'] for row in rows] == [*MAPPERS, *MAPPERS]
    assert [row['sigma'] for row in rows] == [0.1] * len(MAPPERS) + [None] * len(MAPPERS)
    assert [row['layouts'] for row in rows] == [2] * len(MAPPERS) + [1] * len(MAPPERS)
    assert [row['sigma'] for row in document['moves']] == [0.1]
    assert document['gates'] == []


def test_tables_name_every_mapper_and_the_picture_is_drawn(capsys, tmp_path):
    """No table is truncated at any width of the terminal."""
    picture = tmp_path / 'gates.png'
    words = ['objects', 'evaluate', '--layouts', '1', '--sigma', '0.05', '--plot', str(picture)]
    assert run_command(words) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in MAPPERS)
    assert '…' not in shown
    assert picture.read_bytes().startswith(PNG)


def test_scenes_are_evaluated_room_by_room(shared_data):
    """A folder of scenes and a scene folder are both accepted."""
    folder = shared_data('vla/vla3d')
    one = objects_evaluate.load_layouts(folder / 'Unity_loft')
    every = objects_evaluate.load_layouts(folder)
    assert len(one) == 4
    assert {room.name for room in one} < {room.name for room in every}


@pytest.mark.parametrize('name', ['empty', 'nowhere'])
def test_a_folder_without_scenes_is_refused(name, capsys, tmp_path):
    """The message has the folder and the missing file; the exit code is 1."""
    (tmp_path / 'empty').mkdir()
    assert run_command(['objects', 'evaluate', '--scenes', str(tmp_path / name)]) == 1
    assert '_object_result.csv' in capsys.readouterr().err


def test_a_picture_shows_one_curve_per_noise():
    """Two noises give two curves and two lines, in both halves."""
    scores = {'duplicates': 0.0, 'class_counts': 1.0}
    document = {
        'comparisons': [
            {'rooms': 'simulated rooms', 'mapper': 'object map', 'sigma': s, 'scores': scores}
            for s in (0.05, 0.3)
        ],
        'gates': [
            {'sigma': s, 'gate': gate, 'duplicates': 0.1, 'class_counts': 0.9}
            for s in (0.05, 0.3)
            for gate in (7.815, 9.21)
        ],
    }
    for axes in draw(document).axes:
        dashed = [line for line in axes.lines if line.get_linestyle() == '--']
        curves = [line for line in axes.lines if line.get_marker() == 'o']
        assert (len(curves), len(dashed)) == (2, 2)
