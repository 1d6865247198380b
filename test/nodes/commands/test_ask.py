# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ask`: questions to maps of every format, with tables and JSON."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import world_model_nodes
from world_model_core.documents import parse
from world_model_core.objects.answer import (
    InstructionAnswer,
    NoAnswer,
    NumericalAnswer,
    ReferenceAnswer,
    WayPoint,
)
from world_model_core.objects.query import (
    Action,
    CountQuery,
    Description,
    InstructionQuery,
    InstructionStep,
    ReferenceQuery,
)
from world_model_core.objects.values import MapObject, Swatch
from world_model_nodes.commands.ask_tables import answer_table
from world_model_nodes.commands.main import run_command

SOURCE = Path(world_model_nodes.__file__).resolve().parents[1]


def thing(label, position, **attributes):
    """Return an object as written in the first specification."""
    return {
        'class': label,
        'position': position,
        'position_uncertainty': [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]],
        'attributes': attributes,
    }


# The three maps of the first specification in one.
SEED = {
    'objects': {
        '0': thing('chair', [1.5, 2.3, 0.4], color='blue'),
        '1': thing('chair', [3.2, 1.1, 0.4], color='blue'),
        '2': thing('refrigerator', [4.0, -2.0, 0.9]),
        '3': thing('potted_plant', [3.5, -1.5, 0.3]),
        '4': thing('potted_plant', [6.0, -4.0, 0.3]),
        '5': thing('window', [2.0, 0.0, 1.5]),
    }
}


@pytest.fixture
def seed(tmp_path):
    """Write the map of the first specification."""
    path = tmp_path / 'map.json'
    path.write_text(json.dumps(SEED))
    return str(path)


def answered(capsys, *words, code=0):
    """Ask a question, and return the JSON, validated by its schema."""
    assert run_command(['ask', '--json', *words]) == code
    return parse(capsys.readouterr().out, 'answer')


@pytest.mark.parametrize(
    'question',
    ['How many blue chairs are there?', '青い椅子は何個？'],  # noqa: RUF001 (a user's spelling)
)
def test_the_first_specifications_numerical_question(seed, question, capsys):
    """There are two blue chairs, in either language."""
    document = answered(capsys, seed, question)
    assert (document['type'], document['count']) == ('numerical', 2)
    assert {found['id'] for found in document['objects']} == {'0', '1'}


@pytest.mark.parametrize(
    'question', ['Find the potted plant closest to the refrigerator.', '冷蔵庫に最も近い鉢植え']
)
def test_the_first_specifications_reference(seed, question, capsys):
    """The nearest plant is found, although the map spells it potted_plant, with near certainty."""
    document = answered(capsys, seed, question)
    assert (document['type'], document['object']['id']) == ('reference', '3')
    assert document['probability'] > 0.99


@pytest.mark.parametrize(
    'question', ['Go near the window, then go to the refrigerator.', '窓の近くを通って冷蔵庫へ']
)
def test_the_first_specifications_instruction(seed, question, capsys):
    """The route passes the window and ends at the refrigerator, with a reason at each place."""
    document = answered(capsys, seed, question)
    assert document['type'] == 'instruction'
    goals = [point for point in document['way_points'] if point['is_goal']]
    assert np.hypot(goals[0]['x'] - 2.0, goals[0]['y']) < 1.5
    assert np.hypot(goals[-1]['x'] - 4.0, goals[-1]['y'] + 2.0) < 1.5
    assert all(point['reason'] for point in document['way_points'])
    assert [found['id'] for found in document['objects']] == ['5', '2']


def test_an_answer_is_a_table(seed, capsys):
    """The table has answer, probability and objects with their positions."""
    assert run_command(['ask', seed, 'How', 'many', 'blue', 'chairs', 'are', 'there?']) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split() == ['answer', '2']
    assert shown[1].split()[0] == 'probability'
    assert any('0: blue chair at (1.50, 2.30, 0.40) m' in line for line in shown)


@pytest.mark.parametrize('form', [[], ['--json']])
def test_an_unanswerable_question_exits_with_1(seed, form, capsys):
    """An object that is not in the map is named in the reason, and nothing is guessed."""
    assert run_command(['ask', *form, seed, 'Find the unicorn on the chair.']) == 1
    output = capsys.readouterr()
    assert 'unicorn' in output.out
    assert 'missing' in output.out
    assert output.err == ''


def test_the_position_of_the_robot_is_used(seed, capsys):
    """Coordinates may be negative, after a space or an equals sign."""
    for words in (['--from', '-1.5,-2,0'], ['--from=-1.5,-2,0']):
        document = answered(capsys, *words, seed, 'Go to the refrigerator.')
        assert document['type'] == 'instruction'


@pytest.mark.parametrize('place', ['', '1,2', '1,2,3,4', '1,2,north', '1,2,nan', 'inf,0,0'])
def test_an_invalid_position_exits_with_2(seed, place, capsys):
    """The parser rejects it."""
    with pytest.raises(SystemExit) as end:
        run_command(['ask', f'--from={place}', seed, 'Go to the refrigerator.'])
    assert end.value.code == 2
    assert f'{place!r} is not X,Y,HEADING' in capsys.readouterr().err


@pytest.mark.parametrize('words', [[], ['map.json']])
def test_a_missing_question_exits_with_2(words, capsys):
    """Both map and question are required."""
    with pytest.raises(SystemExit) as end:
        run_command(['ask', *words])
    assert end.value.code == 2
    assert 'required' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        (None, 'No such file'),
        ('', 'the file is empty'),
        ('{"objects": {"3": {"class": "chair"}}}', 'objects.3.position is missing'),
        (json.dumps(SEED)[:99], 'File.CutOff'),
        ('7 1 2 3 "sofa"', 'line 1 is'),
    ],
)
def test_an_invalid_map_exits_with_1(tmp_path, text, reason, capsys):
    """The error is one line with the file and the cause."""
    path = tmp_path / 'bad.map'
    if text is not None:
        path.write_text(text)
    assert run_command(['ask', str(path), 'How many sofas are there?']) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert 'bad.map' in line
    assert reason in line


def test_object_lists_and_scene_folders_are_maps_too(shared_data, capsys):
    """Both formats of the same loft give the same answers, with labels of either kind."""
    listed = str(shared_data('vla/loft_object_list.txt'))
    scene = str(shared_data('vla/vla3d/Unity_loft'))
    question = 'How many potted plants are there?'
    assert answered(capsys, listed, question)['count'] == 3
    assert answered(capsys, scene, question)['count'] == 3
    assert answered(capsys, scene, 'Find the tv remote.')['object']['class'] == 'remote control'


def test_a_question_with_invalid_utf_8_is_answered(seed):
    """A shell may pass bytes that are not UTF-8; the output is always UTF-8."""
    code = 'from world_model_nodes.commands.main import main; main()'
    words = (sys.executable, '-c', code, 'ask', '--json', seed, b'How many \xff\xfe chairs?')
    done = subprocess.run(words, cwd=SOURCE, capture_output=True, check=False)  # noqa: S603
    answered = parse(done.stdout.decode(), 'answer')['type'] != 'none'
    assert (done.returncode, done.stderr) == (0 if answered else 1, b'')


CHAIR = MapObject(
    '0', 'chair', np.array((1.0, 2.0, 0.5)), np.eye(3), colors=(Swatch('red', 1.0),), region='hall'
)
BOMB = MapObject('\x1b[2J', '[red]x\r\n', np.zeros(3), np.eye(3))
TARGET = Description(('chair',), 'chair')


def lines(answer):
    """Print an answer on a terminal of 100 columns."""
    console = Console(width=100, markup=False, file=io.StringIO())
    console.print(answer_table(answer))
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_each_kind_of_answer_has_its_table():
    """The answer is in the first line, and no name is repeated."""
    count = NumericalAnswer(
        CountQuery(TARGET), 1, 0.9, {0: 0.001, 1: 0.9, 2: 0.099}, (CHAIR,), ('n',)
    )
    assert lines(count) == [
        'answer       1',
        'probability  90.0 %',
        'otherwise    2, 9.9 %',
        'counted      0: red chair at (1.00, 2.00, 0.50) m in hall',
        'note         n',
    ]
    others = ((CHAIR, 0.25), (CHAIR, 0.001))
    assert lines(ReferenceAnswer(ReferenceQuery(TARGET), CHAIR, 0.75, others)) == [
        'answer       0: red chair at (1.00, 2.00, 0.50) m in hall',
        'probability  75.0 %',
        'otherwise    0: red chair at (1.00, 2.00, 0.50) m in hall, 25.0 %',
    ]
    points = (WayPoint(0.0, 1.0, 0.5, 'round it', is_goal=False), WayPoint(1.0, 1.5, 0.0, 'there'))
    query = InstructionQuery((InstructionStep(Action.GO_TO, (TARGET,)),))
    assert lines(InstructionAnswer(query, points, 1.0, (CHAIR,))) == [
        'answer         (0.00, 1.00) m, 0.50 rad: round it',
        '             (1.00, 1.50) m, 0.00 rad: there',
        'probability  100.0 %',
        'rests on     0: red chair at (1.00, 2.00, 0.50) m in hall',
    ]
    assert lines(NoAnswer(None, ('how many',), ('unicorn', 'griffin'))) == [
        'answer      none',
        'understood  how many',
        'missing     unicorn',
        '            griffin',
    ]


def test_labels_cannot_control_the_terminal():
    """Escape sequences in labels are replaced, and markup is printed unchanged."""
    (shown, _) = lines(ReferenceAnswer(ReferenceQuery(TARGET), BOMB, 1.0))
    assert shown == 'answer       �[2J: [red]x�� at (0.00, 0.00, 0.00) m'
