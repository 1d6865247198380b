# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world pieces`: hollow shapes are cut once, and collide by their pieces."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from world_model_core.virtual_world.worlds.loading import WorldSources, load_world
from world_model_nodes.commands.main import run_command

KITCHEN = Path(__file__).resolve().parents[3] / 'worlds/kitchen'


@pytest.fixture
def world(tmp_path):
    """Copy the kitchen without the pieces of its bowl."""
    folder = shutil.copytree(KITCHEN, tmp_path / 'kitchen')
    shutil.rmtree(folder / 'pieces')
    return folder / 'kitchen.xml'


def test_pieces_that_are_there_are_kept(capsys):
    """Those of the kitchen's bowl are in its folder, and nothing is cut."""
    assert run_command(['world', 'pieces', '--json', str(KITCHEN / 'kitchen.xml')]) == 0
    document = json.loads(capsys.readouterr().out)
    (bowl,) = document['shapes']
    assert bowl['cut'] is False
    assert bowl['pieces'] > 10
    assert Path(document['folder']) == KITCHEN / 'pieces'


def test_missing_pieces_are_found_and_cut(world, capsys, monkeypatch):
    """Before, loading reports the bowl; afterwards it collides by its pieces."""
    pytest.importorskip('coacd', reason='CoACD is an extra')
    _, findings = load_world(world, WorldSources())
    assert [each.rule.code for each in findings.all] == ['Body.PiecesMissing']
    # A coarser cut than the usual one, which takes many seconds.
    monkeypatch.setattr('world_model_core.virtual_world.shapes.pieces.CUT', 0.5)
    assert run_command(['world', 'pieces', str(world)]) == 0
    assert '384 triangles' in capsys.readouterr().out
    assert load_world(world, WorldSources())[1].all == []


def test_without_coacd_the_command_to_install_it_is_named(world, capsys, monkeypatch):
    """The exit code is 1."""
    monkeypatch.setitem(sys.modules, 'coacd', None)
    assert run_command(['world', 'pieces', str(world)]) == 1
    assert 'pip install coacd' in capsys.readouterr().err
