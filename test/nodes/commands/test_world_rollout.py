# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world rollout`: runs of a world from its start."""

import json

import pytest

from world_model_nodes.commands.main import run_command

ROOM = """<mujoco model="room">
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="ball" pos="0 0 0.1"><freejoint/><geom size="0.1"/></body>
    <body name="post" pos="1 0 0.5"><geom type="box" size="0.1 0.1 0.5"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def room(tmp_path):
    """Write a world with a ball that lies on the floor, and a post."""
    pytest.importorskip('mujoco', reason='MuJoCo is an extra')
    path = tmp_path / 'room.xml'
    path.write_text(ROOM)
    return path


def run(room, capsys, *words):
    """Run the world once; return the document."""
    assert run_command(['world', 'rollout', '--runs', '1', '--json', *words, str(room)]) == 0
    return json.loads(capsys.readouterr().out)


def test_what_is_free_is_pushed(room, capsys):
    """The ball rolls at some 0.5 m/s for a second, and the post stays."""
    document = run(room, capsys, '--steps', '500', '--push', '0.5')
    assert document['entities']['ball']['mean'] > 0.05
    assert document['entities']['post']['largest'] == 0.0
    assert document['failed'] == {}


def test_without_a_push_nothing_moves(room, capsys):
    """The ball lies where it lay."""
    assert run(room, capsys, '--push', '0')['entities']['ball']['largest'] < 1e-3


def test_the_seed_decides(room, capsys):
    """The same seed gives the same run, another one another run."""
    first, again, other = (
        run(room, capsys, '--seed', seed)['entities'] for seed in ('1', '1', '2')
    )
    assert first == again != other


def test_the_table_has_each_entity(room, capsys):
    """Its title has the numbers of runs and steps."""
    assert run_command(['world', 'rollout', '--runs', '1', '--steps', '3', str(room)]) == 0
    output = capsys.readouterr().out
    assert output.startswith('1 runs of 3 steps')
    assert 'post' in output


@pytest.mark.parametrize('words', [('--runs', '0'), ('--push', '-1'), ('--push', 'nan')])
def test_invalid_numbers_are_wrong_use(room, words):
    """The exit code is 2."""
    with pytest.raises(SystemExit) as caught:
        run_command(['world', 'rollout', *words, str(room)])
    assert caught.value.code == 2
