# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds of SIGVerse: gravity, parameters, inheritance, entities."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.frames import rotation_of
from world_model_core.virtual_world.finding_catalog import WorldFileError
from world_model_core.virtual_world.values import Box, ShapeUse
from world_model_core.virtual_world.worlds.sigverse import (
    read_sigverse_entity,
    read_sigverse_world,
)

INSTANCE = '<instanciate class="Cup.xml"><set-attr-value name="name" value="{}"/></instanciate>'


def test_axes_and_units_are_converted(folder):
    """The file's x is to the left, y up, z forward, in centimeters."""
    cup, found = folder.cup({'x': 100, 'y': 200, 'z': 300, 'vx': 10, 'avy': 1.0})
    assert cup.pose.position == (3.0, 1.0, 2.0)
    assert cup.linear_velocity == (0.0, 0.1, 0.0)
    assert cup.angular_velocity == (0.0, 0.0, 1.0)
    assert cup.category == 'Cup'
    assert found == []


def test_what_moves_without_collisions_falls_through_the_floor(folder):
    """It does so in SIGVerse; a finding says it."""
    cup, found = folder.cup({'dynamics': 'true'})
    assert (cup.dynamics, cup.collides) == (True, False)
    assert found == ['Sigverse.FallsThrough']
    cup, found = folder.cup({'dynamics': 'true', 'collision': 'true'})
    assert (cup.collides, found) == (True, [])


def test_a_turn_about_the_vertical_is_a_turn_about_z(folder):
    """A quarter turn about the file's y turns forward to the left."""
    cup, _ = folder.cup({'qw': math.sqrt(0.5), 'qy': math.sqrt(0.5)})
    forward = rotation_of(cup.pose.orientation) @ (1.0, 0.0, 0.0)
    assert np.allclose(forward, (0.0, 1.0, 0.0))


def test_another_unit_scales_all_lengths(folder):
    """With meters, numbers stay as they are."""
    cup, _ = folder.cup({'x': 1.5}, length_unit=1.0)
    assert cup.pose.position == (0.0, 1.5, 0.0)
    assert cup.grasp_radius == 40.0
    assert cup.parts[0].shapes[0].geometry == Box((6.0, 2.0, 4.0))


def test_shapes_that_are_simple_collide_as_they_are(folder):
    """A box of the shape file is looked at, and collides."""
    cup, _ = folder.cup()
    assert [part.name for part in cup.parts] == ['body']
    (shape,) = cup.parts[0].shapes
    assert shape.use is ShapeUse.BOTH
    assert np.allclose(shape.geometry.size, (0.06, 0.02, 0.04))


@pytest.mark.parametrize(
    ('gravity', 'option', 'expected', 'found'),
    [
        ('', 'file', -9.8, []),
        ('<gravity x="0" y="-980" z="0"/>', 'file', -9.8, []),
        ('<gravity x="0" y="-9.8" z="0"/>', 'file', -0.098, ['Sigverse.UnusualGravity']),
        ('<gravity x="0" y="-9.8" z="0"/>', 'earth', -9.80665, []),
        ('<gravity x="0" y="980" z="0"/>', 'file', 9.8, ['Sigverse.UnusualGravity']),
        ('<Gravity y="-980"/>', 'file', -9.8, ['Sigverse.MissingAttribute'] * 2
         + ['Sigverse.OutOfRange'] * 2),
    ],
)  # fmt: skip
def test_gravity_is_kept_unless_the_earths_is_wanted(folder, gravity, option, expected, found):
    """The value of the file is used, also if it is far from that of the Earth."""
    world, findings = folder.read(gravity, gravity=option)
    assert world.gravity == pytest.approx((0.0, 0.0, expected))
    assert folder.codes(findings) == found


def test_parameters_of_contacts_are_read(folder):
    """Those of `collisionparam` replace those of `worldparam`; speeds are converted."""
    world, findings = folder.read(
        '<worldparam erp="0.3" cfm="0.01" stepsize="0.02"/>'
        '<collisionparam mu="0.5" slip1="0.1" soft_cfm="0.02" bounce="0.4" bounce_vel="10"/>'
    )
    assert world.step == 0.02
    contact = world.contact
    assert (contact.erp, contact.cfm, contact.mu, contact.mu2) == (0.3, 0.02, 0.5, math.inf)
    assert (contact.slip1, contact.slip2) == (0.1, 0.01)
    assert (contact.bounce, contact.bounce_velocity) == (0.4, 0.1)
    assert folder.codes(findings) == []


def test_solvers_of_ode_are_not_used(folder):
    """What has no counterpart is named."""
    world, findings = folder.read(
        '<worldparam autostep="false" quickstep="often" stepsize="-1" damping="1"/>'
    )
    assert world.step == 0.01
    assert sorted(folder.codes(findings)) == [
        'Sigverse.NotFlag', 'Sigverse.NotUsed', 'Sigverse.OutOfRange', 'Sigverse.UnknownParameter',
    ]  # fmt: skip


def test_name_and_namespace_are_kept(folder):
    """The namespace chooses the server of the world."""
    world, _ = folder.read('', 'name="Room" namespace="lab"')
    assert (world.name, world.namespace, world.ground) == ('Room', 'lab', True)


def test_worlds_inherit(folder):
    """Entities of the inherited world come first; what a world says itself wins."""
    folder.write(
        'base.xml',
        '<world name="base"><gravity x="0" y="-500" z="0"/><collisionparam mu="1" mu2="2"/>'
        f'{INSTANCE.format("a")}</world>',
    )
    world, _ = folder.read(
        f'<collisionparam mu="3"/>{INSTANCE.format("b")}', 'name="own" inherit="base.xml"'
    )
    assert world.name == 'own'
    assert [entity.name for entity in world.entities] == ['a', 'b']
    assert world.gravity == (0.0, 0.0, -5.0)
    assert (world.contact.mu, world.contact.mu2) == (3.0, 2.0)


@pytest.mark.parametrize('chain', [['world.xml'], ['a.xml', 'b.xml', 'a.xml']])
def test_worlds_that_inherit_themselves_are_refused(folder, chain):
    """A loop of any length has a name in the error."""
    for file, base in pairwise(chain):
        folder.write(file, f'<world name="x" inherit="{base}"/>')
    with pytest.raises(WorldFileError, match=r'Sigverse\.InheritanceLoop'):
        folder.read('', f'name="x" inherit="{chain[0]}"')


def test_a_long_chain_of_worlds_is_refused(folder):
    """The number of inherited worlds is limited."""
    for number in range(120):
        folder.write(f'{number}.xml', f'<world name="x" inherit="{number + 1}.xml"/>')
    with pytest.raises(WorldFileError, match=r'Sigverse\.InheritanceLoop'):
        folder.read('', 'name="x" inherit="0.xml"')


@pytest.mark.parametrize(
    ('content', 'code'),
    [
        (b'', 'Xml.NotXml'),
        (b'hello', 'Xml.NotXml'),
        (b'\x00\xff', 'Xml.NotXml'),
        (b'<define-class name="x"/>', 'Sigverse.WrongRoot'),
    ],
)
def test_what_is_no_world_is_refused(folder, content, code):
    """The error has the findings."""
    path = folder.write('world.xml', content)
    with pytest.raises(WorldFileError) as raised:
        read_sigverse_world(path)
    assert [each.rule.code for each in raised.value.findings] == [code]


def test_a_missing_world_is_refused(tmp_path):
    """The error names the reason."""
    with pytest.raises(WorldFileError, match=r'File\.'):
        read_sigverse_world(tmp_path / 'none.xml')


@pytest.mark.parametrize('options', [{'length_unit': math.nan}, {'gravity': 'moon'}])
def test_wrong_options_are_refused(folder, options):
    """Unit and gravity are checked."""
    with pytest.raises(ConfigurationError):
        folder.read('', **options)


def test_an_entity_without_its_class_is_left_out(folder):
    """The others are used."""
    world, findings = folder.read(
        f'<instanciate class="Cop.xml"/>{INSTANCE.format("cup")}<instanciate/>'
    )
    assert [entity.name for entity in world.entities] == ['cup']
    missing, *others = [each for each in findings.all if 'Builtin' not in each.rule.code]
    assert missing.rule.code == 'Sigverse.MissingAttribute'
    assert others[0].rule.code == 'Sigverse.ClassMissing'
    assert others[0].values['similar'] == 'Cup.xml'


@pytest.mark.parametrize(
    ('written', 'name'),
    [('a/b', 'a_b'), ('', 'Cup'), ('  ', 'Cup'), ('a\x7fb', 'a_b'), ('n' * 300, 'n' * 200)],
)
def test_names_that_are_not_allowed_are_replaced(folder, written, name):
    """A name has no slash, no control characters, and is not empty."""
    cup, found = folder.cup({'name': written})
    assert cup.name == name
    assert 'Sigverse.NameChanged' in found


def test_names_are_unique(folder):
    """The second and third entity of a name get numbers."""
    world, findings = folder.read(''.join(map(INSTANCE.format, ('cup', 'cup', 'cup_2', 'cup'))))
    assert [each.name for each in world.entities] == ['cup', 'cup_2', 'cup_2_2', 'cup_3']
    assert folder.codes(findings).count('Sigverse.NameChanged') == 3


def test_the_number_of_entities_is_limited(folder):
    """The first ones are read."""
    names = ''.join(f'<entity name="{number}"/>' for number in range(10_002))
    world, findings = folder.read(names)
    assert len(world.entities) == 10_000
    assert folder.codes(findings).count('Sigverse.TooManyEntities') == 1


def test_what_cannot_move_does_not_fall(folder):
    """Fixtures need no collisions."""
    folder.write(
        'Cup.xml',
        '<define-class name="Cup"><attr name="movable" type="bool" group="a" value="false"/>'
        '</define-class>',
    )
    cup, found = folder.cup({'dynamics': 'true'})
    assert (cup.movable, found) == (False, [])


def test_an_entity_alone_is_read(folder):
    """A class file is enough, as for a spawned entity."""
    cup, _ = read_sigverse_entity(folder.path / 'Cup.xml', 'mine', length_unit=1.0)
    assert (cup.name, cup.category) == ('mine', 'Cup')
    folder.write('Bad.xml', '<define-class name="Bad" inherit="Bad.xml"/>')
    with pytest.raises(WorldFileError, match=r'Sigverse\.InheritanceLoop'):
        read_sigverse_entity(folder.path / 'Bad.xml', 'mine')
