# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world info` of recordings of SIGVerse's viewer."""

import json

import pytest

from world_model_core.sigverse.connection_packets import ShapeFile
from world_model_core.sigverse.objects import ObjectAttribute, PacketObject
from world_model_core.sigverse.recording import RecordedWorld, write_recording
from world_model_nodes.commands.main import run_command

CUP = PacketObject(1, 'cup', 'Cup', 0, 0, (ObjectAttribute('x', 'pos', 12.5),), ())
MARKUP = PacketObject(2, '[red]\x1b[2J', 'Cup', 0, 0, (), ())


@pytest.fixture
def lesson(tmp_path):
    """Write a recording of three worlds."""
    path = tmp_path / 'lesson.svd'
    worlds = [RecordedWorld(0.5 * number, (CUP, MARKUP)[:number]) for number in range(3)]
    write_recording(path, [ShapeFile('Cup:::', 'cup.x3d')], worlds, compressed=False)
    return path


def test_objects_and_times_are_listed(lesson, capsys):
    """Each object must have a line; names must be shown as they are, without control."""
    assert run_command(['world', 'info', str(lesson)]) == 0
    title, _, *lines = capsys.readouterr().out.splitlines()
    assert title.strip() == 'lesson.svd: 3 worlds, 0 s to 1 s, 1 shape files'
    assert lines[0].split() == ['cup', 'Cup', '1', '0', '2']
    assert lines[1].split()[0] == '[red]\N{REPLACEMENT CHARACTER}[2J'


def test_a_recording_cut_short_is_listed_with_its_fault(lesson, capsys):
    """The exit code is 1, and the whole worlds are counted."""
    lesson.write_bytes(lesson.read_bytes()[:-1])
    assert run_command(['world', 'info', '--json', str(lesson)]) == 1
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert (document['worlds'], document['end [s]']) == (2, 0.5)
    assert document['fault'] == 'it is cut short: 1 of 3 worlds are missing'
    assert document['fault'] in printed.err


def test_other_files_are_refused(tmp_path, capsys):
    """The error must say why."""
    path = tmp_path / 'other.svd'
    assert run_command(['world', 'info', str(path)]) == 1
    assert 'cannot be read: No such file' in capsys.readouterr().err
    path.write_text('nonsense')
    assert run_command(['world', 'info', str(path)]) == 1
    assert 'damaged' in capsys.readouterr().err
