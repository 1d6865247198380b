# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node tree: fields, defaults, joints that are known by name, and the syntax of VRML97."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from world_model_core.virtual_world.finding_catalog import catalog
from world_model_core.virtual_world.shapes.node_types import KNOWN, TYPE_ALIASES
from world_model_core.virtual_world.shapes.vrml import read_vrml

PROJECT = Path(__file__).resolve().parents[4]
JOINT = """
PROTO Joint [ exposedField SFVec3f translation 0 0 0  exposedField MFNode children [ ]
  exposedField SFString name ""  exposedField SFVec3f jointAxis 0 1 0
  exposedField MFFloat ulimit [ ]  exposedField SFInt32 jointId -1 eventIn MFNode addChildren ]
{ Transform { translation IS translation children IS children } }
"""
ROBOT = """
DEF ROBOT Humanoid { humanoidBody DEF WAIST Joint { name "WAIST" jointId 3 ulimit 1.5
  children DEF BODY Segment { mass 2 momentsOfInertia [ 1 0 0 0 1 0 0 0 1 ] } } }
"""
ROBOT_X3D = """<X3D><Scene>
<ProtoDeclare name="Joint"><ProtoInterface>
  <field name="jointAxis" type="SFVec3f" accessType="inputOutput" value="0 1 0"/>
  <field name="jointId" type="SFFloat" accessType="inputOutput" value="-1"/>
</ProtoInterface><ProtoBody><Transform/></ProtoBody></ProtoDeclare>
<ProtoInstance name="Humanoid" DEF="ROBOT">
  <ProtoInstance name="Joint" DEF="WAIST" containerField="humanoidBody">
    <fieldValue name="name" value="WAIST"/><fieldValue name="jointId" value="3"/>
    <fieldValue name="ulimit" value="1.5"/>
    <ProtoInstance name="Segment" DEF="BODY"><fieldValue name="mass" value="2"/>
      <fieldValue name="momentsOfInertia" value="1 ,0 ,0 ,0 ,1 ,0 ,0 ,0 ,1"/></ProtoInstance>
  </ProtoInstance>
  <Joint USE="WAIST" containerField="joints"/>
</ProtoInstance></Scene></X3D>
"""
HANIM = """<X3D><Scene><HAnimHumanoid DEF="ROBOT">
  <HAnimJoint DEF="WAIST" containerField="skeleton" name="WAIST" ulimit="1.5">
    <HAnimSegment DEF="BODY" mass="2" momentsOfInertia="1 0 0 0 1 0 0 0 1"/>
</HAnimJoint></HAnimHumanoid></Scene></X3D>
"""
VRML = '#VRML V2.0 utf8\n'


@pytest.mark.parametrize(
    ('name', 'text', 'axis', 'number'),
    [
        ('it.wrl', VRML + JOINT + ROBOT, [0, 1, 0], 3),
        ('it.wrl', VRML + ROBOT, [0, 0, 1], 3),
        ('it.wrl', VRML + 'EXTERNPROTO Joint [ ] "openhrp.wrl"' + ROBOT, [0, 0, 1], 3),
        ('it.x3d', ROBOT_X3D, [0, 1, 0], 3),
        ('it.x3d', HANIM, [0, 0, 1], -1),
    ],
)
def test_joints_are_known_by_name_however_they_are_declared(files, name, text, axis, number):
    """Defaults are those of the declaration, or of OpenHRP."""
    (humanoid,) = files.nodes(text, name)
    (joint,) = humanoid.nodes('humanoidBody')
    (segment,) = joint.nodes('children')
    assert [node.type for node in (humanoid, joint, segment)] == ['Humanoid', 'Joint', 'Segment']
    assert [node.name for node in (humanoid, joint, segment)] == ['ROBOT', 'WAIST', 'BODY']
    assert joint.text('name') == 'WAIST'
    assert joint.vector('jointAxis').tolist() == axis
    assert joint.number('jointId') == number
    assert joint.numbers('ulimit').tolist() == [1.5]
    assert joint.numbers('llimit').tolist() == []
    assert segment.number('mass') == 2.0
    assert segment.numbers('momentsOfInertia').reshape(3, 3).tolist() == np.eye(3).tolist()
    assert humanoid.height == 2
    assert joint in humanoid.children


def test_axes_by_their_letters(files):
    """Older files of OpenHRP name the axis of a joint."""
    (joint,) = files.nodes(VRML + 'Joint { jointAxis "X" }')
    assert joint.vector('jointAxis').tolist() == [1, 0, 0]
    assert files.codes == []


def test_fields_have_defaults_and_names_are_checked(files):
    """A name that is not known is a fault of the program."""
    (shape,) = files.nodes(VRML + 'Shape { geometry Cone { height 3 } }')
    cone = shape.node('geometry')
    assert (cone.number('height'), cone.number('bottomRadius')) == (3.0, 1.0)
    assert cone.flag('bottom')
    assert shape.node('appearance') is None
    with pytest.raises(KeyError):
        cone.number('radius')


def test_syntax_that_exporters_write(files):
    """Commas, comments, numbers without brackets, names with points, hexadecimal numbers."""
    text = VRML + (
        'PROFILE Immersive COMPONENT H-Anim:1 META "a" "b"\n'
        'DEF\n#c\ncup.001 Group # a [ comment {\n { children , [, Transform #x\n { translation\n'
        '1,2 #y\n 3 rotation +1 -.5e0 0 1. } USE nobody ] }\r\n'
        'USE cup.001 ROUTE a.b TO c.d '
        'PixelTexture { image 1 1 3 0xFF00FF } NULL'
    )
    group, again, picture = files.nodes(text)
    assert group is again
    assert (group.name, group.line) == ('cup.001', 3)
    (inner,) = group.nodes('children')
    assert inner.vector('translation').tolist() == [1, 2, 3]
    assert inner.vector('rotation').tolist() == [1, -0.5, 0, 1]
    assert picture.type == 'PixelTexture'
    assert files.codes == ['Shapes.NodeSkipped', 'Shapes.UnknownName']


def test_lines_and_files_of_findings(files):
    """A finding says where it is."""
    read_vrml(b'#VRML V2.0 utf8\n\nGroup {\n children USE x\n}', 'a/b.wrl', files.findings)
    (found,) = files.findings.all
    assert (found.file, found.where) == ('a/b.wrl', 'line 4')


def test_the_header_is_checked(files):
    """The reader of VRML97 refuses other texts."""
    assert read_vrml(b'Group { }', 'b.wrl', files.findings) == ()
    assert files.codes == ['Vrml.Header']


@pytest.mark.parametrize(
    'code', [code for code in catalog() if code.startswith(('Shapes.', 'Vrml.', 'X3d.', 'Xml.'))]
)
def test_each_finding_is_used_and_tested(code):
    """A code that nothing reports must not be listed."""
    sources = (PROJECT / 'world_model_core/virtual_world').rglob('*.py')
    tests = (PROJECT / 'test/core/virtual_world/shapes').rglob('*.py')
    assert any(f"'{code}'" in path.read_text() for path in sources)
    assert any(f"'{code}'" in path.read_text() for path in tests)


def test_texts_without_quotes_and_with_escapes(files):
    """X3D's exporters leave out the quotes of MFString."""
    vrml, bare, quoted = (
        files.nodes(VRML + r'ImageTexture { url [ "a \"b\" \\" "c" ] }')[0],
        files.nodes("<X3D><Scene><ImageTexture url='a b.png'/></Scene></X3D>", 'x.x3d')[0],
        files.nodes(r"""<X3D><Scene><ImageTexture url='"a \"b\"" "c"'/></Scene></X3D>""", 'x.x3d')[
            0
        ],
    )
    assert vrml.texts('url') == ('a "b" \\', 'c')
    assert bare.texts('url') == ('a b.png',)
    assert quoted.texts('url') == ('a "b"', 'c')


def test_prototypes_of_prototypes_pass_values_on(files):
    """IS in an instance inside of a body refers to the outer prototype."""
    nodes = files.nodes(
        VRML + 'PROTO A [ field SFVec3f s 1 1 1 ] { Shape { geometry Box { size IS s } } }'
        'PROTO B [ field SFVec3f t 2 2 2 ]'
        '{ Group { children [ A { s IS t } DEF x A { } USE x ] } }'
        'B { t 5 6 7 } DEF x Group { }'
    )
    sizes = [
        child.node('geometry').vector('size').tolist() for child in nodes[0].nodes('children')
    ]
    assert sizes == [[5, 6, 7], [1, 1, 1], [1, 1, 1]]
    assert nodes[1].type == 'Group'
    assert not any(node.has_references for node in nodes)


def test_no_code_is_written_in_pieces():
    """The test above looks for whole codes."""
    for path in (PROJECT / 'world_model_core/virtual_world/shapes').rglob('*.py'):
        assert not re.search(r"f'(Shapes|Vrml|X3d|Xml)\.", path.read_text())


def test_the_reference_lists_all_nodes():
    """A finding about a node that is left out refers to it."""
    page = (PROJECT / 'docs/reference/shape-files.md').read_text(encoding='utf-8')
    assert [name for name in (*KNOWN, *TYPE_ALIASES) if f'`{name}`' not in page] == []


def test_files_in_shift_jis(files):
    """The second byte of the character is a backslash, which would escape the quote."""
    nodes = files.nodes('#VRML V2.0 utf8\nSegment { name "表" } DEF 箱 Group { }'.encode('cp932'))
    assert [node.type for node in nodes] == ['Segment', 'Group']
    assert (nodes[0].text('name'), nodes[1].name) == ('表', '箱')
    assert files.codes == ['Vrml.NotUtf8']


def test_fields_of_scripts_are_not_those_of_their_prototype(files):
    """X3D gives both the same element."""
    (group,) = files.nodes(
        '<Scene><ProtoDeclare name="A"><ProtoInterface><field name="at" type="SFVec3f"/>'
        '</ProtoInterface><ProtoBody><Transform><IS><connect nodeField="translation"'
        ' protoField="at"/></IS><Script><field name="at" type="SFString" value="x"/></Script>'
        '</Transform></ProtoBody></ProtoDeclare>'
        '<ProtoInstance name="A"><fieldValue name="at" value="1 2 3"/></ProtoInstance></Scene>',
        'it.x3d',
    )
    assert group.vector('translation').tolist() == [1, 2, 3]
