# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""SIGVerse's own body files."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.shapes.body_xml import MOST_PARTS, read_body
from world_model_core.virtual_world.values import Box, Cylinder, JointKind, Sphere

SHAPE = '<transform>{}<shape><geometry type="{}">{}</geometry></shape></transform>'
BOX = SHAPE.format('<translation>0 1 0</translation>', 'box', '<size>1 2 3</size>')


@pytest.fixture
def body(tmp_path):
    """Return a function that reads a body, and returns its parts and the codes of the findings."""

    def read(text, unit=0.01):
        path = tmp_path / 'body.xml'
        path.write_text(f'<body>{text}</body>' if '<body' not in text else text)
        findings = world_findings()
        parts = read_body(path, FileFindings('body.xml', findings), unit)
        return parts, [each.rule.code for each in findings.all]

    return read


def segment(name, inside=BOX):
    """Return a segment."""
    return f'<segment name="{name}"><children>{inside}</children></segment>'


def joint(name, kind, children, more=''):
    """Return a joint."""
    head = f'<joint name="{name}"><type>{kind}</type>{more}'
    return f'{head}<children>{children}</children></joint>'


def test_joints_connect_segments(body):
    """A part is in the frame of its joint; shapes are in the frame of the part."""
    parts, found = body(
        joint(
            'BODY',
            'free',
            segment('body')
            + joint('NECK', 'fixed', segment('HEAD'), '<translation>0 50 0</translation>')
            + joint(
                'ARM',
                'hinge',
                segment('UPPER') + joint('HAND', 'ball', segment('FINGERS')),
                '<translation>10 0 0</translation><axis>0 0 2</axis>',
            ),
        )
    )
    assert [(part.name, part.parent) for part in parts] == [
        ('body', ''), ('HEAD', 'body'), ('UPPER', 'body'), ('FINGERS', 'UPPER'),
    ]  # fmt: skip
    root, head, upper, fingers = parts
    assert root.joint is head.joint is None
    assert head.pose.position == (0.0, 0.0, 0.5)
    assert upper.pose.position == (0.0, 0.1, 0.0)
    assert (upper.joint.name, upper.joint.kind) == ('ARM', JointKind.HINGE)
    assert upper.joint.axis == (1.0, 0.0, 0.0)
    assert fingers.joint.kind is JointKind.BALL
    (shape,) = root.shapes
    assert shape.geometry == Box((0.03, 0.01, 0.02))
    assert shape.pose.position == (0.0, 0.0, 0.01)
    assert found == []


def test_the_axis_of_a_hinge_is_up_by_default(body):
    """As in SIGVerse."""
    parts, _ = body(joint('B', 'free', segment('body') + joint('J', 'hinge', segment('S'))))
    assert parts[1].joint.axis == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ('geometry', 'expected'),
    [
        ('type="sphere"><radius>5</radius>', Sphere(0.05)),
        ('type="cylinder"><radius>5</radius><length>20</length>', Cylinder(0.05, 0.2)),
        ('type="Box"><size>1 1 1</size>', Box((0.01, 0.01, 0.01))),
    ],
)
def test_geometries(body, geometry, expected):
    """Cylinders stand upright."""
    shape = f'<transform><shape><geometry {geometry}</geometry></shape></transform>'
    parts, found = body(joint('B', 'free', segment('body', shape)))
    assert (parts[0].shapes[0].geometry, found) == (expected, [])


def test_transforms_in_transforms(body):
    """Each is in the frame of the one around it."""
    inner = SHAPE.format('<translation>0 10 0</translation>', 'sphere', '<radius>1</radius>')
    turn = f'<translation>20 0 0</translation><rotation>1 0 0 {math.pi / 2}</rotation>'
    outer = f'<transform>{turn}<shape>{inner}</shape></transform>'
    parts, _ = body(joint('B', 'free', segment('body', outer)))
    # The file's y turns to its z, which is forward.
    assert np.allclose(parts[0].shapes[0].pose.position, (0.1, 0.2, 0.0))


def test_parameters_are_computed_where_they_are_defined(body):
    """They may use those before them."""
    parts, found = body(
        '<define-param name="a" value="2"/><define-param name="b" value="a*(3+a)"/>'
        + joint('B', 'free', segment('body'), '<translation>a b -b/2</translation>')
    )
    assert parts[0].pose.position == pytest.approx((-0.05, 0.02, 0.1))
    assert found == []


def test_joints_without_segments_get_blind_ones(body):
    """They have no mass and no shapes."""
    chain = joint('J1', 'hinge', joint('J2', 'hinge', segment('S')))
    parts, _ = body(joint('B', 'free', chain))
    assert [(part.name, part.mass) for part in parts] == [
        ('body', 0.0), ('J1_dummy_seg', 0.0), ('S', None),
    ]  # fmt: skip
    assert parts[2].parent == 'J1_dummy_seg'


def test_a_body_without_segments_is_empty(body):
    """As SIGVerse's dummy-body.xml."""
    assert body('<joint name="BODY"><type>free</type></joint>') == ((), [])
    assert body('') == ((), [])


def test_further_segments_and_joints_at_the_top_are_fixed(body):
    """A joint has one segment in SIGVerse; what is more is kept."""
    parts, _ = body(
        joint('B', 'free', segment('body') + segment('more')) + joint('C', 'hinge', segment('c'))
    )
    assert [(part.name, part.parent, part.joint) for part in parts] == [
        ('body', '', None), ('more', 'body', None), ('c', 'body', None),
    ]  # fmt: skip


INSIDE = joint('B', 'free', segment('body') + '{}')


@pytest.mark.parametrize(
    ('text', 'code'),
    [
        (INSIDE.format(joint('J', 'free', segment('S'))), 'Body.FreeJointInside'),
        (INSIDE.format(joint('J', 'spring', segment('S'))), 'Body.UnknownJointType'),
        (INSIDE.format(joint('J', '', segment('S'))), 'Body.UnknownJointType'),
        (INSIDE.format(joint('J', 'hinge', segment('S'), '<axis>0 0 0</axis>')), 'Body.ZeroAxis'),
        (INSIDE.format(joint('J', 'fixed', segment('body'))), 'Body.NameNotUnique'),
        (INSIDE.format(joint('B', 'fixed', segment('S'))), 'Body.NameNotUnique'),
        (INSIDE.format(joint('', 'fixed', segment('S'))), 'Body.NameNotUnique'),
        (joint('B', 'free', segment('')), 'Body.NameNotUnique'),
        (joint('B', 'free', segment('body'), '<translation>1 2</translation>'), 'Body.WrongCount'),
        (joint('B', 'free', segment('body'), '<translation>1 x 2</translation>'),
         'Body.BadExpression'),
        (joint('B', 'free', segment('body'), '<translation>1e300 0 0</translation>'),
         'Body.TooLarge'),
        ('<define-param name="1" value="2"/>' + joint('B', 'free', segment('body')),
         'Body.BadParameterName'),
        ('<define-param name="a" value="1/0"/>' + joint('B', 'free', segment('body')),
         'Body.BadExpression'),
        (joint('B', 'free', segment('body', SHAPE.format('', 'cone', ''))),
         'Body.UnknownGeometry'),
        (joint('B', 'free', segment('body', SHAPE.format('', 'box', '<size>1 0 1</size>'))),
         'Body.BadSize'),
        (joint('B', 'free', segment('body', SHAPE.format('', 'sphere', ''))), 'Body.BadSize'),
        (joint('B', 'free', segment('body', SHAPE.format('', 'cylinder', '<radius>1</radius>'))),
         'Body.BadSize'),
    ],
)  # fmt: skip
def test_faults_are_found(body, text, code):
    """What can be used is used."""
    parts, found = body(text)
    assert found == [code]
    assert all(part.joint is None for part in parts[1:]) or code == 'Body.ZeroAxis'


def test_parameters_cannot_grow_without_bound(body):
    """Each is one number; a chain of squares ends with the first that is too large."""
    squares = ''.join(
        f'<define-param name="p{number}" value="p{number - 1}*p{number - 1}*p{number - 1}"/>'
        for number in range(1, 40)
    )
    _, found = body(f'<define-param name="p0" value="9"/>{squares}' + joint('B', 'free', ''))
    assert set(found) == {'Body.TooLarge'}


@pytest.mark.parametrize('depth', [1500, 100_000])
def test_deep_nesting_is_bounded(body, depth):
    """Neither the reader nor who uses the parts meets a chain of any length."""
    start = '<joint name="J"><type>hinge</type><children><segment name="S"/>'
    parts, found = body(f'<body>{start * depth}{"</children></joint>" * depth}</body>')
    assert len(parts) <= MOST_PARTS
    assert {'Body.TooManyParts', 'Xml.Repaired'} & set(found)


@pytest.mark.parametrize(
    ('text', 'code'),
    [('no <body', 'Xml.NotXml'), ('<world><body/></world>', 'Body.NotABody')],
)
def test_other_files_are_refused(body, text, code):
    """They give no parts."""
    assert body(text) == ((), [code])
