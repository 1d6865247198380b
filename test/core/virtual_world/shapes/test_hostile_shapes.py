# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files that would exhaust time, memory or the stack give findings."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.virtual_world.shapes import node_builder
from world_model_core.virtual_world.shapes.nodes import MOST_LEVELS

LAUGHS = ''.join(
    f'DEF a{n} Group {{ children [ USE a{n - 1} USE a{n - 1} ] }}\n' for n in range(1, 60)
)
PROTOTYPES = 'PROTO P0 [ field SFVec3f s 1 1 1 ] { Box { size IS s } }' + ''.join(
    f'PROTO P{n} [ field SFVec3f s 1 1 1 ] {{ Group {{ children ['
    f' P{n - 1} {{ s IS s }} P{n - 1} {{ s IS s }} ] }} }}\n'
    for n in range(1, 60)
)
UNKNOWN = ['Shapes.UnknownName']
NO_FACES = ['Shapes.BrokenFaces', 'Shapes.Empty']
HIDDEN = '<!DOCTYPE X3D [<!ENTITY a "b">]><X3D><Scene/></X3D>'
TRIANGLE = 'IndexedFaceSet {{ coord Coordinate {{ point [ {} ] }} coordIndex [ {} ] }}'


def triangle(points='0 0 0, 1 0 0, 0 1 0', indices='0 1 2'):
    """Return a Shape with faces."""
    return f'Shape {{ geometry {TRIANGLE.format(points, indices)} }}'


@pytest.mark.parametrize(
    ('text', 'codes'),
    [
        # Nesting, without recursion
        ('Group { children [ ' * 20_000 + '] }' * 20_000, ['Shapes.TooDeep']),
        ('Group { children ' * 10_000, ['Shapes.TooDeep', 'Vrml.Unclosed']),
        ('PROTO A [ field SFNode x ' * 20_000, ['Vrml.Unclosed']),
        ('PROTO A [ ] { ' * 20_000, ['Vrml.Unclosed']),
        ('[' * 100_000, ['Vrml.TooManyUnexpected', 'Vrml.Unexpected']),
        ('}' * 100_000, ['Vrml.Unexpected']),
        (
            'DEF a0 Group { }'
            + ''.join(f'DEF a{n} Group {{ children USE a{n - 1} }}\n' for n in range(1, 20_000)),
            ['Shapes.TooDeep'],
        ),
        # Brackets and texts that never end
        ('Group { children [ ' + '1 2 3 -1 ' * 100_000, ['Shapes.FieldValue', 'Vrml.Unclosed']),
        ('WorldInfo { title "' + 'a' * 1_000_000, ['Shapes.NodeSkipped', 'Vrml.Unclosed']),
        ('"\\' * 100_000, ['Vrml.Unclosed']),
        ('a #b\n' * 20_000, ['Vrml.Unexpected']),
        # Exponential growth
        (f'DEF a0 Shape {{ geometry Box {{ }} }} {LAUGHS}', ['Shapes.TooManyNodes']),
        (f'DEF a0 Group {{ }} {LAUGHS}', ['Shapes.TooManyNodes']),
        (
            f'{PROTOTYPES} P59 {{ }}',
            ['Shapes.TooManyCopies'],
        ),
        # Names
        ('Group { children USE a }', ['Shapes.UnknownName']),
        ('DEF a Group { children USE a }', ['Shapes.UnknownName']),
        ('PROTO A [ ] { Group { children A { } } } A { }', ['Shapes.NodeSkipped']),
        ('PROTO A [ ] { } A { }', []),
        ('EXTERNPROTO A [ field SFFloat x ] "a.wrl#A" A { }', ['Shapes.ExternalPrototype']),
        ('Group { children IS x }', ['Shapes.FieldValue']),
        # Values
        (triangle(indices='0 1 2 -1 0 1 3 -1 0 1 -1 0 -5 1'), ['Shapes.BrokenFaces']),
        (triangle(indices='0 1 1e300'), NO_FACES),
        (triangle(points='0 0 0, 1 0 0, 0 1'), [*NO_FACES, 'Shapes.FieldValue']),
        (triangle(points='0 0 0, 1 0 0, 0 1e308 0'), ['Shapes.Coordinates']),
        (triangle(points='0 0 0, 1 0 0, 0 1e999 0'), [*NO_FACES, 'Shapes.FieldValue']),
        (triangle(points='0 0 0, 1 NaN 0, 0 1 0'), [*NO_FACES, 'Shapes.FieldValue']),
        (triangle(points='0 0 0, 1 0- 0, 0 1 0'), [*NO_FACES, 'Vrml.Number']),
        (triangle(points='', indices=''), ['Shapes.Empty']),
        ('Shape { geometry IndexedFaceSet { coord Box { } coordIndex [ 0 1 2 ] } }', NO_FACES),
        ('Shape { geometry Sphere { radius 1e308 } }', ['Shapes.Coordinates']),
        ('Shape { geometry Sphere { radius "1" } }', ['Shapes.FieldValue']),
        (f'Transform {{ scale 0 0 0 children {triangle()} }}', ['Shapes.Transform']),
        (f'Transform {{ scale 1 1 0 children {triangle()} }}', ['Shapes.Transform']),
        (f'Transform {{ translation 1e308 0 0 children {triangle()} }}', ['Shapes.Transform']),
        ('Transform { scale 1e200 1 1 children ' * 3 + triangle() + '}' * 3, ['Shapes.Transform']),
        ('Switch { whichChoice 1e300 choice [ Group { } ] }', []),
        ('Shape { geometry Extrusion { crossSection [ ] } }', ['Shapes.Empty']),
        ('Shape { geometry Extrusion { spine [ 0 0 0 0 0 0 ] scale [ ] orientation [ ] } }', []),
        ('Shape { geometry PointSet { } }', ['Shapes.Empty']),
        # Size
        (triangle('0 0 0, ' * 1_000_000, '0 1 2 -1 ' * 200_001), ['Shapes.ShapeTooLarge']),
        (
            'Shape { geometry Extrusion { crossSection [ ' + '0 1 ' * 3000 + ']'
            ' spine [ ' + '0 0 0 ' * 3000 + '] } }',
            ['Shapes.ShapeTooLarge'],
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else '',
)  # fmt: skip
def test_vrml(files, text, codes):
    """What is left out has a finding, and no exception arises."""
    files.vrml(text)
    assert set(codes) <= set(files.codes), files.codes
    assert not files.findings.errors
    assert all(each.message('ja') for each in files.findings.all)


@pytest.mark.parametrize(
    ('name', 'text'),
    [
        ('it.wrl', f'#VRML V2.0 utf8\n{"Group { } " * 20}'),
        ('it.x3d', f'<X3D><Scene>{"<Group/>" * 20}</Scene></X3D>'),
    ],
)
def test_nodes_beyond_the_limit_are_left_out(files, monkeypatch, name, text):
    """A file of 50 MB would be read for minutes."""
    monkeypatch.setattr(node_builder, 'MOST_NODES', 10)
    assert len(files.nodes(text, name)) == 10
    assert files.codes == ['Shapes.TooManyNodes']


@pytest.mark.parametrize(
    ('text', 'codes'),
    [
        ('<X3D><Scene>' + '<Group>' * 100_000 + '</Group>' * 100_000, ['Xml.Repaired']),
        ('<X3D><Scene><Group DEF="a"><Group USE="a"/></Group></Scene></X3D>', UNKNOWN),
        ('<X3D><Scene><Group a=1 b><Shape></Scene>', ['Xml.Repaired']),
        (b'<X3D><Scene><A\xd5/></Scene></X3D>', ['Shapes.NodeSkipped', 'Xml.Repaired']),
        (HIDDEN, ['Xml.Entities']),
        ('<X3D><Scene><a/></Scene></X3D>'.encode('utf-16'), ['Shapes.NodeSkipped']),
        (HIDDEN.encode('utf-16'), ['Xml.Entities']),
        ('<a/>', ['X3d.NoScene']),
        ('<X3D/>', ['X3d.NoScene']),
        ('no XML', ['Xml.NotXml']),
        (
            ('<X3D><Scene><ProtoDeclare name="A"><ProtoBody><ProtoInstance name="A"/></ProtoBody>'
             '</ProtoDeclare><ProtoInstance name="A"/></Scene></X3D>'),
            ['Shapes.NodeSkipped'],
        ),
        (
            ('<X3D><Scene><ExternProtoDeclare name="A" url="a.x3d"/><ProtoInstance name="A"/>'
             '</Scene></X3D>'),
            ['Shapes.ExternalPrototype'],
        ),
        ('<X3D><Scene><Transform scale="1 1"/></Scene></X3D>', ['Shapes.FieldValue']),
        ('<X3D><Scene><Cone bottom="maybe"/></Scene></X3D>', ['Shapes.FieldValue']),
        ('<X3D><Scene><IS><connect nodeField="a" protoField="b"/></IS></Scene></X3D>', []),
        ("<X3D><Scene><ImageTexture url='\"" + '\\"' * 50_000 + "'/></Scene></X3D>", []),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_x3d(files, text, codes):
    """The same for X3D."""
    files.shapes(text, 'it.x3d')
    assert files.codes == codes or 'Xml.Repaired' in codes
    assert set(codes) <= set(files.codes), files.codes


def test_entities_are_not_expanded_and_nothing_is_opened(files):
    """An external entity would read any file of the machine."""
    secret = files.write('secret.txt', 'secret')
    text = (
        f'<!DOCTYPE X3D [<!ENTITY s SYSTEM "{secret}">]>'
        '<X3D><Scene><Group DEF="&s;">&s;</Group></Scene></X3D>'
    )
    assert files.nodes(text, 'it.x3d') == ()
    assert files.codes == ['Xml.Entities']


def test_other_files_are_refused(files):
    """VRML 1.0 and compressed files are neither VRML97 nor XML."""
    for text in ('#VRML V1.0 ascii\nCube { }', b'\x1f\x8b\x08\x00'):
        assert files.nodes(text) == ()
    assert files.codes == ['Xml.NotXml']


def test_nodes_are_at_most_so_deep_that_recursion_is_safe(files):
    """Whoever walks the nodes need not be afraid."""

    def depth(node):
        return 1 + max((depth(child) for child in node.children), default=0)

    nodes = files.nodes('#VRML V2.0 utf8\n' + 'Group { children [ ' * 1000 + '] }' * 1000)
    assert max(map(depth, nodes)) <= MOST_LEVELS
    deep = files.nodes(
        '#VRML V2.0 utf8\n' + 'Group { children [ ' * (MOST_LEVELS - 1) + '] }' * MOST_LEVELS
    )
    assert max(map(depth, deep)) == MOST_LEVELS - 1


def test_a_million_vertices_of_which_three_are_used(files):
    """Only those in use are kept."""
    (shape,) = files.vrml(triangle('0 0 0, 1 0 0, 0 1 0, ' + '9 9 9, ' * 1_000_000))
    assert len(shape.geometry.vertices) == 3


@pytest.mark.parametrize('corners', [400, 900])
def test_faces_of_many_corners_are_cut(files, corners):
    """Long concave faces are cut as if they were convex, with a finding."""
    angles = 2.0 * np.pi * np.arange(corners) / corners
    radii = np.where(np.arange(corners) % 2, 1.0, 0.5)
    points = ', '.join(
        f'{r * np.cos(a):.6f} {r * np.sin(a):.6f} 0' for r, a in zip(radii, angles, strict=True)
    )
    (shape,) = files.vrml(triangle(points, ' '.join(map(str, range(corners)))))
    assert len(shape.geometry.triangles) == corners - 2
    assert files.codes == (['Shapes.LongFaces'] if corners > 500 else [])
