# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world info`: entities and findings of a world."""

import json

import pytest

from world_model_nodes.commands.main import run_command

ROOM = """<mujoco model="room">
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="ball"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <sensor/>
</mujoco>"""


@pytest.fixture
def room(tmp_path):
    """Write a world in which something has no use here."""
    path = tmp_path / 'room.xml'
    path.write_text(ROOM)
    return path


def test_entities_and_findings_are_listed(room, capsys):
    """Each entity has a line with its mode, and each finding one with its code."""
    assert run_command(['world', 'info', str(room)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith('room: ')
    (ball,) = (line.split() for line in lines if line.strip().startswith('ball'))
    assert 'dynamics' in ball
    assert any('Mjcf.SectionNotUsed' in line and 'sensor' in line for line in lines)


def test_json_is_one_document(room, capsys):
    """The document has all entities, and the findings with their remedies."""
    assert run_command(['world', 'info', '--json', '--lang', 'ja', str(room)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document['gravity'] == [0.0, 0.0, -9.81]
    formats = {each['name']: each['format'] for each in document['entities']}
    assert formats['ball'] == 'mjcf'
    assert all(each['code'] and each['remedy'] for each in document['findings'])


def test_a_file_that_is_no_world_is_bad_input(tmp_path, capsys):
    """The exit code is 1, and the finding is named."""
    path = tmp_path / 'scene.sdf'
    path.write_text('<sdf/>')
    assert run_command(['world', 'info', str(path)]) == 1
    assert 'error: scene.sdf' in capsys.readouterr().out
    assert run_command(['world', 'info', '--json', str(path)]) == 1
    (finding,) = json.loads(capsys.readouterr().out)['findings']
    assert finding['code'] == 'Model.FormatUnsupported'


def test_files_of_installed_packages_are_found(tmp_path, capsys):
    """`package://` names the share folder of a package."""
    path = tmp_path / 'cart.urdf'
    mesh = '<mesh filename="package://world_model/nothing.stl"/>'
    path.write_text(
        f'<robot name="cart"><link name="base"><visual><geometry>{mesh}</geometry></visual>'
        '<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>'
    )
    run_command(['world', 'info', str(path)])
    output = capsys.readouterr().out
    assert 'nothing.stl' in output
    assert 'PackageUnknown' not in output


def test_a_world_is_needed():
    """Without a file the command is used wrongly."""
    with pytest.raises(SystemExit) as caught:
        run_command(['world', 'info'])
    assert caught.value.code == 2
