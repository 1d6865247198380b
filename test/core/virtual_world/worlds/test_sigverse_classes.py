# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Classes of SIGVerse: inheritance, attributes and their values."""

from __future__ import annotations

import pytest

from world_model_core.virtual_world.values import Attribute

FRUIT = """<define-class name="Fruit" inherit="Entity.xml">
  <attr name="ripe" type="bool" group="food" value="true"/>
  <attr name="sugar" type="double" group="food" value="0.1" hidden="true"/>
  <attr name="color" type="string" group="food"/>
  <set-attr-value name="mass" value="0.2"/>
</define-class>"""


def fruit(folder, inside='', inherit='Fruit.xml', settings=None):
    """Read an entity of a class that inherits Fruit."""
    folder.write('Fruit.xml', FRUIT)
    folder.write(
        'Cup.xml', f'<define-class name="Apple" inherit="{inherit}">{inside}</define-class>'
    )
    return folder.cup(settings)


def test_attributes_are_inherited(folder):
    """The nearest default is used; types and groups are those of the declaration."""
    apple, found = fruit(
        folder, '<set-attr-value name="color" value="red"/>', settings={'sugar': 0.3}
    )
    assert apple.category == 'Apple'
    assert apple.mass == 0.2
    assert apple.attributes['ripe'] == Attribute(value=True, group='food')
    assert apple.attributes['sugar'] == Attribute(0.3, 'food', hidden=True)
    assert apple.attributes['color'] == Attribute('red', 'food')
    assert apple.attributes['superclass'].value == 'Fruit'
    assert found == []


def test_a_declaration_replaces_an_inherited_one(folder):
    """The default goes with the declaration."""
    apple, _ = fruit(folder, '<attr name="sugar" type="string" group="taste"/>')
    assert apple.attributes['sugar'] == Attribute('', 'taste')


def test_fields_of_entities_are_no_attributes(folder):
    """What an entity has as a field is not kept a second time."""
    apple, _ = fruit(folder)
    assert apple.attributes.keys().isdisjoint({'name', 'x', 'qw', 'vx', 'mass', 'class'})
    assert {'agent', 'superclass', 'visStateAttrName', 'fx', 'scalex'} <= apple.attributes.keys()


def test_the_file_of_a_base_class_is_preferred_to_the_built_in_one(folder):
    """Entity.xml in the folder decides."""
    folder.write(
        'Entity.xml',
        '<define-class name="Entity"><attr name="mass" type="double" group="a" value="7"/>'
        '</define-class>',
    )
    apple, _ = fruit(folder, inherit='Entity.xml')
    assert apple.mass == 7.0


def test_agents_have_the_attributes_of_agents(folder):
    """Agent.xml adds those of controllers, views and voices."""
    agent, _ = fruit(folder, inherit='Agent.xml')
    assert agent.attributes['agent'].value is True
    assert agent.attributes['voiceReachRadius'].value == 5.0
    assert agent.attributes['superclass'].value == 'Agent'


@pytest.mark.parametrize('base', ['Cup.xml', 'Other.xml'])
def test_classes_that_inherit_themselves_are_left_out(folder, base):
    """A loop of any length leaves the entities out."""
    folder.write('Other.xml', '<define-class name="Other" inherit="Cup.xml"/>')
    folder.write('Cup.xml', f'<define-class name="Cup" inherit="{base}"/>')
    world, findings = folder.read('<instanciate class="Cup.xml"/>')
    assert world.entities == ()
    assert folder.codes(findings) == ['Sigverse.InheritanceLoop']


def test_a_class_without_its_base_is_left_out(folder):
    """The finding is in the file that names the base class."""
    folder.write('Cup.xml', '<define-class name="Cup" inherit="Vessel.xml"/>')
    world, findings = folder.read('<instanciate class="Cup.xml"/>')
    assert world.entities == ()
    (finding,) = findings.all
    assert (finding.rule.code, finding.file, finding.where) == (
        'Sigverse.ClassMissing', 'Cup.xml', 'line 1',
    )  # fmt: skip


def test_an_unclosed_class_is_repaired(folder):
    """As SIGVerse's own Agent.xml, which lacks its last tag."""
    folder.write('Cup.xml', '<define-class name="Cup">\n<attr name="a" type="bool" group="b"/>\n')
    cup, found = folder.cup()
    assert cup.attributes['a'] == Attribute(value=False, group='b')
    assert set(found) == {'Xml.Repaired'}


def test_a_comment_in_a_comment_is_repaired(folder):
    """As in SIGVerse's own dummy-body.xml."""
    folder.write('Cup.xml', '<define-class name="Cup"><!-- a <!-- b --> --> </define-class>')
    cup, found = folder.cup()
    assert cup.category == 'Cup'
    assert set(found) == {'Xml.Repaired'}


@pytest.mark.parametrize('encoding', ['utf8', 'UTF-8', 'euc-jp', 'shift_jis'])
def test_encodings_are_read(folder, encoding):
    """SIGVerse's files call UTF-8 "utf8"."""
    codec = 'utf-8' if encoding == 'utf8' else encoding
    text = f'<?xml version="1.0" encoding="{encoding}"?><define-class name="茶碗"/>'
    folder.write('Cup.xml', text.encode(codec))
    cup, found = folder.cup()
    assert (cup.category, found) == ('茶碗', [])


def test_bytes_that_are_not_utf_8_are_replaced(folder):
    """In names of elements too, which the libxml2 of Ubuntu 24.04 keeps as they are."""
    folder.write('Cup.xml', b'<define-class name="C\xffp">\n<\xffx/></define-class>')
    cup, found = folder.cup()
    assert cup.category == 'C\ufffdp'
    assert found[0] == 'Xml.Repaired'


def test_files_with_entities_of_xml_are_refused(folder, tmp_path):
    """Neither files nor a billion laughs get into values."""
    secret = tmp_path / 'secret'
    secret.write_text('42')
    folder.write(
        'Cup.xml',
        f'<!DOCTYPE x [<!ENTITY f SYSTEM "{secret.as_uri()}"><!ENTITY a "ha">'
        '<!ENTITY b "&a;&a;">]>'
        '<define-class name="Cup"><x3d><filename>&f;&b;</filename></x3d></define-class>',
    )
    world, findings = folder.read('<instanciate class="Cup.xml"/>')
    assert world.entities == ()
    assert 'Xml.Entities' in folder.codes(findings)


@pytest.mark.parametrize(
    ('text', 'value', 'code'),
    [
        ('1e-3', 0.001, None),
        (' 2 ', 2.0, None),
        ('.5', 0.5, None),
        ('36.36.118', 36.36, 'NotNumber'),
        ('12cm', 12.0, 'NotNumber'),
        ('', 0.1, 'NotNumber'),
        ('nan', 0.1, 'NotNumber'),
        ('-inf', 0.1, 'NotNumber'),
        ('1e308', 0.1, 'NotNumber'),
        ('1e999', 0.1, 'NotNumber'),
        ('1_0', 1.0, 'NotNumber'),
        ('٣', 0.1, 'NotNumber'),
        ('[1,nan]', 0.1, 'NotNumber'),
        ('[3,3]', 3.0, None),
    ],
)
def test_numbers(folder, text, value, code):
    """A number at the start is read, as SIGVerse does; else the default is used."""
    apple, found = fruit(folder, settings={'sugar': text})
    assert apple.attributes['sugar'].value == value
    assert found == ([] if code is None else [f'Sigverse.{code}'])


@pytest.mark.parametrize(
    ('text', 'value', 'found'),
    [
        ('true', True, []),
        ('FALSE', False, []),
        ('0', False, []),
        ('1', True, []),
        ('yes', True, ['Sigverse.NotFlag']),
        ('', True, ['Sigverse.NotFlag']),
    ],
)
def test_flags(folder, text, value, found):
    """All but 0 and false is true in SIGVerse."""
    apple, codes = fruit(folder, settings={'ripe': text})
    assert (apple.attributes['ripe'].value, codes) == (value, found)


def test_ranges_are_drawn(folder):
    """SIGVerse forgets the lower end; here the number lies in the range."""
    drawn = [fruit(folder, settings={'sugar': '[2, 4]'})[0] for _ in range(2)]
    values = [each.attributes['sugar'].value for each in drawn]
    assert values[0] == values[1]
    assert 2.0 < values[0] < 4.0


def test_a_reversed_range_is_exchanged(folder):
    """Both ends bound the number."""
    apple, found = fruit(folder, settings={'sugar': '[4,2]'})
    assert 2.0 < apple.attributes['sugar'].value < 4.0
    assert found == ['Sigverse.RangeReversed']


def test_draws_depend_on_names_and_the_seed_alone(folder):
    """Another entity before it changes nothing; another name or seed does."""
    instance = (
        '<instanciate class="Cup.xml"><set-attr-value name="name" value="{}"/>'
        '<set-attr-value name="x" value="[0,100]"/></instanciate>'
    )
    alone, _ = folder.read(instance.format('b'))
    both, _ = folder.read(instance.format('a') + instance.format('b'))
    other, _ = folder.read(instance.format('b'), seed=1)
    positions = {each.name: each.pose.position for each in both.entities}
    assert positions['b'] == alone.entities[0].pose.position
    assert positions['a'] != positions['b']
    assert other.entities[0].pose != alone.entities[0].pose


def test_draws_are_uniform(folder):
    """Of 200 entities, the mean of their numbers is that of the range within 3 deviations."""
    instances = ''.join(
        f'<instanciate class="Cup.xml"><set-attr-value name="name" value="cup{number}"/>'
        '<set-attr-value name="x" value="[-100,300]"/></instanciate>'
        for number in range(200)
    )
    world, _ = folder.read(instances)
    numbers = [each.pose.position[1] for each in world.entities]
    assert -1.0 < min(numbers) < -0.9
    assert 2.9 < max(numbers) < 3.0
    assert abs(sum(numbers) / 200 - 1.0) < 3.0 * 4.0 / (12 * 200) ** 0.5


@pytest.mark.parametrize(
    ('settings', 'code'),
    [
        ({'x': '1e8'}, 'Sigverse.OutOfRange'),
        ({'vx': '1e99'}, 'Sigverse.OutOfRange'),
        ({'mass': '0'}, 'Sigverse.OutOfRange'),
        ({'mass': '-1'}, 'Sigverse.OutOfRange'),
        ({'scalex': '0'}, 'Sigverse.OutOfRange'),
        ({'scaley': '-2'}, 'Sigverse.OutOfRange'),
        ({'graspRadius': '-1'}, 'Sigverse.OutOfRange'),
        ({'qw': '0'}, 'Sigverse.ZeroQuaternion'),
    ],
)
def test_values_that_no_world_can_have_are_replaced(folder, settings, code):
    """The others stay."""
    cup, found = folder.cup({'y': '10', **settings})
    assert found == [code]
    assert cup.pose.position == (0.0, 0.0, 0.1)
    assert cup.pose.orientation == (0.0, 0.0, 0.0, 1.0)
    assert (cup.linear_velocity, cup.mass) == ((0.0, 0.0, 0.0), 1.0)


def test_undeclared_attributes_are_kept_as_text(folder):
    """A finding names each."""
    cup, found = folder.cup({'flavor': '12'})
    assert cup.attributes['flavor'] == Attribute('12')
    assert found == ['Sigverse.UndeclaredAttribute']


def test_faults_of_a_class_are_found_once(folder):
    """Several entities of it give no more findings."""
    folder.write(
        'Cup.xml',
        '<define-class><attr name="a" type="int" group="b"/><thing/>'
        '<set-attr-value name="c" value="1"/></define-class>',
    )
    _, findings = folder.read('<instanciate class="Cup.xml"/>' * 2)
    faults = {'MissingAttribute', 'UndeclaredAttribute', 'UnknownElement', 'UnknownType'}
    for fault in faults:
        assert folder.codes(findings).count(f'Sigverse.{fault}') == 1


def test_an_attribute_that_has_become_a_text_is_not_used(folder):
    """A class may declare x anew; the position is then 0."""
    cup, found = fruit(folder, '<attr name="x" type="string" group="pos" value="left"/>')
    assert cup.pose.position == (0.0, 0.0, 0.0)
    assert found == ['Sigverse.OutOfRange']


def test_settings_belong_to_the_entity_around_them(folder):
    """An element that is not closed swallows no other; outside of entities, a finding says so."""
    world, findings = folder.read(
        '<instanciate class="Cup.xml"><set-attr-value name="name" value="a"/>'
        '<instanciate class="Cup.xml"><set-attr-value name="name" value="b"/></instanciate>'
        '</instanciate><set-attr-value name="name" value="c"/><camera id="1"/>'
    )
    assert [each.name for each in world.entities] == ['a', 'b']
    assert folder.codes(findings).count('Sigverse.OutsideEntity') == 2


def test_robots_are_marked(folder):
    """Wheels are set by the controllers of robots, not by the file."""
    world, _ = folder.read('<instanciate class="Cup.xml" type="Robot"/>')
    assert world.entities[0].attributes['robot'].value is True
