# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies of SIGVerse's classes: shape files with states, simple shapes, scales, body files."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.virtual_world.values import Box, Cylinder, ShapeUse, Sphere, TriangleMesh

# A tetrahedron with edges of 10 along the axes.
MESH = """#VRML V2.0 utf8
Shape { geometry IndexedFaceSet {
  coord Coordinate { point [ 0 0 0, 10 0 0, 0 10 0, 0 0 10 ] }
  coordIndex [ 0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 -1 ]
} }
"""
BALL = '#VRML V2.0 utf8\nShape { geometry Sphere { radius 3 } }\n'
HUMANOID = """#VRML V2.0 utf8
PROTO Joint [ exposedField MFNode children [] exposedField SFString name ""
  exposedField SFVec3f translation 0 0 0 exposedField SFString jointType ""
  exposedField SFVec3f jointAxis 0 0 1 ]
  { Transform { translation IS translation children IS children } }
PROTO Segment [ exposedField MFNode children [] exposedField SFString name ""
  exposedField SFFloat mass 0 ] { Group { children IS children } }
PROTO Humanoid [ exposedField MFNode humanoidBody [] ] { Group { children IS humanoidBody } }
Humanoid { humanoidBody [ Joint { name "WAIST" jointType "free" children [
  Joint { name "NECK" jointType "rotate" translation 0 50 0 children [
    Segment { name "HEAD" mass 2 children [ Shape { geometry Sphere { radius 10 } } ] }
  ] }
] } ] }
"""
TV = """
  <x3d><filename>cup.wrl</filename><state name="switch" value="on"/></x3d>
  <x3d><filename>ball.wrl</filename><state name="switch" value="off"/></x3d>
"""
SWITCH = '<attr name="switch" type="string" group="visState" value="{}"/>'


def cup_of(folder, inside, settings=None, **options):
    """Read an entity of a class with some elements."""
    folder.write('mesh.wrl', MESH)
    folder.write('ball.wrl', BALL)
    folder.write('man.wrl', HUMANOID)
    folder.write('Cup.xml', f'<define-class name="Cup">{inside}</define-class>')
    return folder.cup(settings, **options)


def uses(cup):
    """Return geometry type, use and state of the shapes of the root."""
    return [(type(each.geometry), each.use, each.state) for each in cup.parts[0].shapes]


def test_meshes_are_looked_at_and_a_simple_shape_collides(folder):
    """The bounding box of a tetrahedron is not the least distorted, but a shape is found."""
    cup, found = cup_of(folder, '<x3d><filename>mesh.wrl</filename></x3d>')
    mesh, simple = cup.parts[0].shapes
    assert isinstance(mesh.geometry, TriangleMesh)
    assert (mesh.use, simple.use) == (ShapeUse.VISUAL, ShapeUse.COLLISION)
    assert isinstance(simple.geometry, Box | Cylinder | Sphere)
    assert np.allclose(mesh.geometry.vertices.max(axis=0), 0.1)
    assert found == []


def test_states_show_one_shape_each(folder):
    """The first shape file collides in all states; the attribute selects what is seen."""
    cup, found = cup_of(folder, SWITCH.format('off') + TV)
    assert uses(cup) == [
        (Box, ShapeUse.VISUAL, 'switch:on'),
        (Box, ShapeUse.COLLISION, ''),
        (Sphere, ShapeUse.VISUAL, 'switch:off'),
    ]
    assert cup.states == {'switch': 'off'}
    assert 'switch' not in cup.attributes
    assert found == []


def test_a_shape_without_a_state_shows_all_other_values(folder):
    """Its state has no value."""
    inside = SWITCH.format('broken') + '<x3d><filename>mesh.wrl</filename></x3d>' + TV
    cup, found = cup_of(folder, inside)
    assert [each.state for each in cup.parts[0].shapes] == [
        'switch:', '', 'switch:on', 'switch:off',
    ]  # fmt: skip
    assert (cup.states, found) == ({'switch': 'broken'}, [])
    assert [cup.shows(shape) for shape in cup.parts[0].shapes] == [True, False, False, False]
    cup, _ = cup_of(folder, inside, {'switch': 'on'})
    assert cup.states == {'switch': 'on'}
    assert [cup.shows(shape) for shape in cup.parts[0].shapes] == [False, False, True, False]


@pytest.mark.parametrize('declared', [SWITCH.format('broken'), ''])
def test_an_unknown_state_shows_the_first_shape(folder, declared):
    """A finding says so."""
    cup, found = cup_of(folder, declared + TV)
    assert cup.states == {'switch': 'on'}
    assert found == ['Sigverse.StateUnknown']


def test_classes_inherit_shapes_and_bodies(folder):
    """The shapes of the last class that has any are used."""
    folder.write(
        'Base.xml',
        '<define-class name="Base"><simpleShape type="sphere"><position x="0" y="0" z="0"/>'
        '<size r="1"/></simpleShape><x3d><filename>cup.wrl</filename></x3d></define-class>',
    )
    folder.write('Cup.xml', '<define-class name="Cup" inherit="Base.xml"/>')
    cup, _ = folder.cup()
    assert uses(cup) == [(Box, ShapeUse.VISUAL, ''), (Sphere, ShapeUse.COLLISION, '')]


@pytest.mark.parametrize(
    ('kind', 'size', 'geometry'),
    [
        ('box', 'sx="1" sy="2" sz="3"', Box((0.03, 0.01, 0.02))),
        ('sphere', 'r="2"', Sphere(0.02)),
        ('cylinder', 'r="2" h="5"', Cylinder(0.02, 0.05)),
    ],
)
def test_simple_shapes_collide_instead(folder, kind, size, geometry):
    """They are not scaled, as in SIGVerse; cylinders stand upright."""
    inside = (
        f'<simpleShape type="{kind}"><position x="1" y="2" z="3"/><size {size}/></simpleShape>'
        '<x3d><filename>mesh.wrl</filename></x3d>'
    )
    scale = dict.fromkeys(('scalex', 'scaley', 'scalez'), '2')
    cup, found = cup_of(folder, inside, scale)
    mesh, simple = cup.parts[0].shapes
    assert mesh.use is ShapeUse.VISUAL
    assert np.allclose(mesh.geometry.vertices.max(axis=0), 0.2)
    assert (simple.geometry, simple.use) == (geometry, ShapeUse.COLLISION)
    assert simple.pose.position == (0.03, 0.01, 0.02)
    assert found == []


@pytest.mark.parametrize(
    ('shape', 'code'),
    [
        ('<simpleShape type="cone"/>', 'UnknownShape'),
        ('<simpleShape/>', 'UnknownShape'),
        ('<simpleShape type="sphere"><size r="0"/></simpleShape>', 'BadSize'),
        ('<simpleShape type="sphere"><size r="1e99"/></simpleShape>', 'BadSize'),
        ('<simpleShape type="box"><size sx="1" sy="1"/></simpleShape>', 'BadSize'),
        ('<simpleShape type="sphere"><position x="a"/><size r="1"/></simpleShape>', 'BadSize'),
        ('<simpleShapeFile>none.xml</simpleShapeFile>', 'ShapeMissing'),
        ('<simpleShapeFile>Cup.xml</simpleShapeFile>', 'WrongRoot'),
    ],
)
def test_wrong_simple_shapes_are_not_used(folder, shape, code):
    """What the shape file shows collides."""
    cup, found = cup_of(folder, f'{shape}<x3d><filename>cup.wrl</filename></x3d>')
    assert uses(cup) == [(Box, ShapeUse.BOTH, '')]
    assert f'Sigverse.{code}' in found


def test_a_file_has_simple_shapes_of_parts(folder):
    """Parts that it does not name collide as before; unknown ones are found."""
    folder.write(
        'simple.xml',
        '<simpleShapeDesc><parts name="HEAD" type="box"><position x="0" y="0" z="1"/>'
        '<size sx="1" sy="1" sz="1"/></parts><parts name="TAIL" type="sphere"><size r="1"/>'
        '</parts></simpleShapeDesc>',
    )
    inside = '<simpleShapeFile>simple.xml</simpleShapeFile><x3d><filename>man.wrl</filename></x3d>'
    cup, found = cup_of(folder, inside)
    body, head = cup.parts
    assert [type(each.geometry) for each in body.shapes] == [Sphere]
    assert [(type(each.geometry), each.use) for each in head.shapes] == [
        (Sphere, ShapeUse.VISUAL), (Box, ShapeUse.COLLISION),
    ]  # fmt: skip
    assert found == ['Sigverse.UnknownPart']


def test_a_humanoid_gives_the_parts(folder):
    """The unit and the scale are those of the entity; its states are not shown."""
    inside = (
        '<x3d><filename>man.wrl</filename></x3d>'
        '<x3d><filename>cup.wrl</filename><state name="a" value="b"/></x3d>'
    )
    scale = dict.fromkeys(('scalex', 'scaley', 'scalez'), '2')
    cup, found = cup_of(folder, inside, scale)
    body, head = cup.parts
    assert (body.name, head.name, head.parent, head.mass) == ('body', 'HEAD', 'body', 2.0)
    assert np.allclose(head.pose.position, (0.0, 0.0, 1.0))
    assert head.joint.name == 'NECK'
    assert head.shapes[0].geometry.radius == pytest.approx(0.2)
    assert (cup.states, found) == ({}, ['Sigverse.LookOfHumanoid'])


def test_a_humanoid_has_one_scale(folder):
    """Joints cannot be scaled along one axis; the geometric mean is used."""
    inside = '<x3d><filename>man.wrl</filename></x3d>'
    cup, found = cup_of(folder, inside, {'scalex': 8})
    assert np.allclose(cup.parts[1].pose.position, (0.0, 0.0, 1.0))
    assert found == ['Sigverse.ScaleNotUniform']


def test_parts_have_looks_of_their_own(folder):
    """Without a state it replaces what the part shows; with one it is added."""
    inside = (
        '<x3d><filename>man.wrl</filename></x3d>'
        '<x3d parts="HEAD"><filename>mesh.wrl</filename></x3d>'
        '<x3d parts="TAIL"><filename>mesh.wrl</filename></x3d>'
        '<attr name="mood" type="string" group="g" value="sad"/>'
        '<x3d parts="HEAD"><filename>ball.wrl</filename><state name="mood" value="sad"/></x3d>'
    )
    cup, found = cup_of(folder, inside)
    assert [(type(each.geometry), each.use, each.state) for each in cup.parts[1].shapes] == [
        (Sphere, ShapeUse.COLLISION, ''),
        (TriangleMesh, ShapeUse.VISUAL, ''),
        (Sphere, ShapeUse.VISUAL, 'mood:sad'),
    ]
    assert (cup.states, found) == ({'mood': 'sad'}, ['Sigverse.UnknownPart'])


def test_scales_along_the_axes_of_the_file(folder):
    """The file's x is y here."""
    cup, _ = cup_of(folder, '<x3d><filename>mesh.wrl</filename></x3d>', {'scalex': 2, 'scaley': 3})
    high = cup.parts[0].shapes[0].geometry.vertices.max(axis=0)
    assert np.allclose(high, (0.1, 0.2, 0.3))


def test_a_body_file_collides_and_the_shape_file_is_seen(folder):
    """Without a shape file the body is seen."""
    folder.write(
        'body.xml',
        '<body><joint name="top"><children><segment name="body"><children><transform><shape>'
        '<geometry type="sphere"><radius>5</radius></geometry></shape></transform></children>'
        '</segment></children></joint></body>',
    )
    cup, _ = cup_of(folder, '<body filename="body.xml"/><x3d><filename>cup.wrl</filename></x3d>')
    assert uses(cup) == [(Sphere, ShapeUse.COLLISION, ''), (Box, ShapeUse.VISUAL, '')]
    cup, found = cup_of(folder, '<body filename="body.xml"/>')
    assert uses(cup) == [(Sphere, ShapeUse.BOTH, '')]
    assert found == []


@pytest.mark.parametrize(
    ('inside', 'code'),
    [
        ('<body filename="none.xml"/>', 'Sigverse.BodyMissing'),
        ('<x3d><filename>none.wrl</filename></x3d>', 'Sigverse.ShapeMissing'),
        ('<x3d/>', 'Sigverse.MissingAttribute'),
        ('<body/>', 'Sigverse.MissingAttribute'),
        ('<x3d><filename>/etc/passwd</filename></x3d>', 'WorldFile.PathOutside'),
        ('<x3d><filename>../secret.wrl</filename></x3d>', 'WorldFile.PathOutside'),
        ('<x3d><filename>a/../../secret.wrl</filename></x3d>', 'WorldFile.PathOutside'),
        ('<x3d><filename>link.wrl</filename></x3d>', 'WorldFile.PathOutside'),
        ('<x3d><filename>\\\\server\\share\\cup.wrl</filename></x3d>', 'WorldFile.PathOutside'),
        ('<x3d><filename>http://example.org/cup.wrl</filename></x3d>', 'WorldFile.PathOutside'),
        ('<body filename="../body.xml"/>', 'WorldFile.PathOutside'),
        ('<simpleShapeFile>../s.xml</simpleShapeFile>', 'WorldFile.PathOutside'),
    ],
)  # fmt: skip
def test_files_that_are_missing_or_outside_are_not_opened(folder, inside, code):
    """The entity stays, without a shape."""
    secret = folder.path.parent / 'secret.wrl'
    secret.write_text('#VRML V2.0 utf8\nShape { geometry Sphere {} }')
    (folder.path / 'link.wrl').symlink_to('../secret.wrl')
    cup, found = cup_of(folder, inside)
    assert [part.name for part in cup.parts] == ['body']
    assert cup.parts[0].shapes == ()
    assert found == [code]


def test_a_class_outside_is_not_opened(folder):
    """Classes are looked up as all other files."""
    (folder.path.parent / 'Cup.xml').write_text('<define-class name="Cup"/>')
    world, findings = folder.read('<instanciate class="../Cup.xml"/>')
    assert (world.entities, folder.codes(findings)) == ((), ['WorldFile.PathOutside'])


def test_files_are_found_in_folders_of_assets(folder, tmp_path_factory):
    """Those of the world's folder come first."""
    assets = tmp_path_factory.mktemp('assets')
    (assets / 'Bowl.xml').write_text('<define-class name="Bowl"/>')
    world, _ = folder.read('<instanciate class="Bowl.xml"/>', assets=[assets])
    assert [each.category for each in world.entities] == ['Bowl']


def test_version_2_1_needs_no_classes(folder):
    """Entities name their shape files themselves."""
    world, findings = folder.read(
        '<Entity name="lamp" agent="true" robot="true"><X3D filename="cup.wrl" scale="1 2 3"/>'
        '<attribute position="100 200 300" mass="3" collision="true" direction="1 0 0"/>'
        '<camera id="4"/></Entity>',
        length_unit=1.0,
    )
    (lamp,) = world.entities
    assert (lamp.name, lamp.category, lamp.mass, lamp.collides) == ('lamp', 'Agent', 3.0, True)
    assert lamp.pose.position == (300.0, 100.0, 200.0)
    assert np.allclose(lamp.pose.orientation, (0, 0, np.sqrt(0.5), np.sqrt(0.5)))
    assert lamp.parts[0].shapes[0].geometry == Box((18.0, 2.0, 8.0))
    assert lamp.attributes['robot'].value is True
    assert 4 in {each.id for each in lamp.cameras}
    assert folder.codes(findings) == []


@pytest.mark.parametrize(
    ('attributes', 'found'),
    [
        ('position="1 2"', ['Sigverse.WrongCount']),
        ('quaternion="1 0"', ['Sigverse.WrongCount']),
        ('quaternion="0 0 0 0"', ['Sigverse.ZeroQuaternion']),
        ('direction="0 1 0"', ['Sigverse.BadDirection']),
        ('direction="a"', ['Sigverse.BadDirection']),
        ('position="a b c"', ['Sigverse.NotNumber'] * 3),
    ],
)
def test_wrong_attributes_of_version_2_1(folder, attributes, found):
    """The defaults are used."""
    world, findings = folder.read(
        f'<entity name="lamp"><attribute collision="true" {attributes}/></entity>'
    )
    assert folder.codes(findings) == found
    assert world.entities[0].pose.position == (0.0, 0.0, 0.0)
    assert world.entities[0].pose.orientation == (0.0, 0.0, 0.0, 1.0)
