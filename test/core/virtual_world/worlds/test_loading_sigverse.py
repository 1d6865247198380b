# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds and classes of SIGVerse are loaded as those of other formats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from world_model_core.virtual_world.finding_catalog import WorldFileError
from world_model_core.virtual_world.values import STANDARD_GRAVITY
from world_model_core.virtual_world.worlds.loading import WorldSources, load_entity, load_world
from world_model_core.virtual_world.worlds.model_limits import ModelLimits

WORLD = """<?xml version="1.0" encoding="utf8"?>
<world name="room">
  <gravity x="0.0" y="-9.8" z="0.0"/>
  <instanciate class="Ball.xml">
    <set-attr-value name="name" value="ball"/>
    <set-attr-value name="y" value="50"/>
  </instanciate>
</world>"""
BALL = """<?xml version="1.0" encoding="utf8"?>
<define-class name="Ball" inherit="Entity.xml">
  <simpleShape type="sphere"><size r="5.0"/></simpleShape>
</define-class>"""
MJCF = '<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'


@pytest.fixture
def folder(tmp_path):
    """Write a world with a class."""
    (tmp_path / 'room.xml').write_text(WORLD)
    (tmp_path / 'Ball.xml').write_text(BALL)
    return tmp_path


def test_worlds_have_the_unit_and_the_gravity_of_the_sources(folder):
    """Centimeters and the file's acceleration, unless the sources say otherwise."""
    world, _ = load_world(folder / 'room.xml', WorldSources())
    assert world.name == 'room'
    assert world.entities[0].pose.position[2] == pytest.approx(0.5)
    assert world.gravity[2] == pytest.approx(-0.098)
    meters = WorldSources(length_unit=1.0, gravity='earth')
    world, _ = load_world(folder / 'room.xml', meters)
    assert world.entities[0].pose.position[2] == pytest.approx(50.0)
    assert world.gravity[2] == pytest.approx(-STANDARD_GRAVITY)
    moon, _ = load_world(MJCF.replace('<worldbody>', '<option gravity="0 0 -1"/><worldbody>'),
                         WorldSources())  # fmt: skip
    assert moon.gravity[2] == -1.0
    earth, _ = load_world(MJCF, replace(meters, length_unit=0.01))
    assert earth.gravity[2] == pytest.approx(-STANDARD_GRAVITY)


def test_classes_become_entities(folder):
    """The name is that of the request, or of the file."""
    assert load_entity(folder / 'Ball.xml', 'marble', WorldSources())[0].name == 'marble'
    assert load_entity(folder / 'Ball.xml', '', WorldSources())[0].name == 'Ball'


def test_a_text_of_sigverse_has_no_folder():
    """Its classes could not be found."""
    with pytest.raises(WorldFileError, match=r'Model\.TextUnsupported'):
        load_world(WORLD, WorldSources())


SHEET = """#VRML V2.0 utf8
Shape { geometry IndexedFaceSet {
  coord Coordinate { point [0 0 0, 1 0 0, 1 1 0, 0 1 0] } coordIndex [0 1 2 3 -1] } }"""


def test_worlds_of_too_many_bodies_or_triangles_are_refused(folder):
    """The limits are those of other formats."""
    (folder / 'sheet.wrl').write_text(SHEET)
    shown = '<x3d><filename>sheet.wrl</filename></x3d></define-class>'
    (folder / 'Ball.xml').write_text(BALL.replace('</define-class>', shown))
    load_world(folder / 'room.xml', WorldSources(limits=ModelLimits(bodies=1, triangles=2)))
    with pytest.raises(WorldFileError, match=r'TooManyTriangles.*2 triangles'):
        load_world(folder / 'room.xml', WorldSources(limits=ModelLimits(triangles=1)))
    twice = WORLD.replace('</world>', '<instanciate class="Ball.xml"/></world>')
    (folder / 'room.xml').write_text(twice)
    with pytest.raises(WorldFileError, match='TooManyBodies'):
        load_world(folder / 'room.xml', WorldSources(limits=ModelLimits(bodies=1)))
