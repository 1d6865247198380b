# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world pieces`: hollow things are cut once, and then collide by their pieces."""

import sys

import pytest

from world_model_core.virtual_world.values import ShapeUse, TriangleMesh
from world_model_core.virtual_world.worlds.loading import WorldSources, load_entity, load_world
from world_model_nodes.commands.main import run_command

# An angle with legs of 20 by 10 by 10 cm.
ANGLE = """#VRML V2.0 utf8
Shape { geometry IndexedFaceSet { coord Coordinate { point [
  0 0 0, 20 0 0, 20 10 0, 10 10 0, 10 20 0, 0 20 0,
  0 0 10, 20 0 10, 20 10 10, 10 10 10, 10 20 10, 0 20 10 ] }
  coordIndex [ 5 4 3 2 1 0 -1 6 7 8 9 10 11 -1 0 1 7 6 -1 1 2 8 7 -1 2 3 9 8 -1 3 4 10 9 -1
    4 5 11 10 -1 5 0 6 11 -1 ] } }"""
CLASS = """<define-class name="Angle"><x3d><filename>angle.wrl</filename></x3d>
<set-attr-value name="collision" value="true"/></define-class>"""


@pytest.fixture
def angle(tmp_path):
    """Write a world with one hollow thing."""
    (tmp_path / 'angle.wrl').write_text(ANGLE)
    (tmp_path / 'Angle.xml').write_text(CLASS)
    path = tmp_path / 'world.xml'
    path.write_text('<world name="w"><instanciate class="Angle.xml"/></world>')
    return path


def colliding(entity):
    """Return what of an entity collides."""
    return [each.geometry for each in entity.parts[0].shapes if each.use is not ShapeUse.VISUAL]


def test_hollow_things_are_cut_once(angle, capsys):
    """A second call has nothing to do; the pieces are found by the world and by its class."""
    pytest.importorskip('coacd', reason='the package coacd is an extra')
    world, findings = load_world(angle, WorldSources())
    assert 'Body.PiecesMissing' in {each.rule.code for each in findings.all}
    assert len(colliding(world.entities[0])) == 1
    assert run_command(['world', 'pieces', str(angle)]) == 0
    assert run_command(['world', 'pieces', str(angle)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        '1 hollow shapes, 1 of them cut now', '1 hollow shapes, 0 of them cut now',
    ]  # fmt: skip
    world, findings = load_world(angle, WorldSources())
    assert 'Body.PiecesMissing' not in {each.rule.code for each in findings.all}
    entity, _ = load_entity(angle.with_name('Angle.xml'), 'it', WorldSources())
    for each in (world.entities[0], entity):
        assert [type(geometry) for geometry in colliding(each)] == [TriangleMesh] * 2


def test_pieces_that_cannot_be_kept_are_an_error(angle, capsys):
    """Here a file has the name of the folder."""
    pytest.importorskip('coacd', reason='the package coacd is an extra')
    angle.with_name('pieces').write_text('')
    assert run_command(['world', 'pieces', str(angle)]) == 1
    assert 'pieces cannot be kept' in capsys.readouterr().err


def test_without_coacd_the_command_to_install_it_is_named(angle, monkeypatch, capsys):
    """The exit code is 1."""
    monkeypatch.setitem(sys.modules, 'coacd', None)
    assert run_command(['world', 'pieces', str(angle)]) == 1
    assert 'pip install coacd' in capsys.readouterr().err
