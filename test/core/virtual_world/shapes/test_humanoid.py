# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Humanoids: rules I to III of SIGVerse, joints, masses and moments of inertia."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.files.file_findings import FileFindings
from world_model_core.frames import compose, pose_transform, transform_points
from world_model_core.virtual_world.shapes.body_xml import MOST_PARTS
from world_model_core.virtual_world.shapes.humanoid import HumanoidFile, read_humanoid
from world_model_core.virtual_world.shapes.scene import read_shape_file, shapes_of
from world_model_core.virtual_world.values import Box, JointKind, Sphere, TriangleMesh

PROTOTYPES = """
PROTO Joint [ exposedField MFNode children [] exposedField SFString name ""
  exposedField SFVec3f translation 0 0 0 exposedField SFRotation rotation 0 0 1 0
  exposedField SFVec3f center 0 0 0 exposedField SFString jointType ""
  exposedField SFVec3f jointAxis 0 0 1 exposedField SFInt32 jointId -1
  exposedField MFFloat ulimit [] exposedField MFFloat llimit [] ]
{ Transform { center IS center translation IS translation rotation IS rotation
  children IS children } }
PROTO Segment [ exposedField MFNode children [] exposedField SFString name ""
  exposedField SFFloat mass 0 exposedField SFVec3f centerOfMass 0 0 0
  exposedField MFFloat momentsOfInertia [ 0 0 0 0 0 0 0 0 0 ] ] { Group { children IS children } }
PROTO Humanoid [ exposedField MFNode humanoidBody [] exposedField SFString name ""
  exposedField SFVec3f translation 0 0 0 exposedField SFRotation rotation 0 0 1 0 ]
{ Transform { translation IS translation rotation IS rotation children IS humanoidBody } }
"""
BALL = 'children Shape { geometry Sphere { radius 1 } }'
MESH = """children Shape { geometry IndexedFaceSet {
  coord Coordinate { point [ 0 0 0, 1 0 0, 0 2 0, 0 0 3 ] }
  coordIndex [ 0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 -1 ] } }"""


def joint(name, children, more='jointType "rotate"'):
    """Return a joint."""
    return f'Joint {{ name "{name}" {more} children [ {children} ] }}'


def segment(name, more=BALL):
    """Return a segment."""
    return f'Segment {{ name "{name}" {more} }}'


@pytest.fixture
def humanoid(files):
    """Return a function that reads a humanoid; return its parts and the codes of the findings."""

    def read(body, unit=1.0, more=''):
        text = f'#VRML V2.0 utf8\n{PROTOTYPES}Humanoid {{ {more} humanoidBody [ {body} ] }}'
        (node,) = files.nodes(text)
        files.findings.all.clear()
        notes = FileFindings('it.wrl', files.findings)
        file = HumanoidFile(files.folder / 'it.wrl', files.folders, notes, unit)
        parts = read_humanoid(node, file)
        return parts, [each.rule.code for each in files.findings.all]

    return read


def names_of(parts):
    """Return the names of parts, of their parents and of their joints."""
    return [(each.name, each.parent, each.joint.name if each.joint else '') for each in parts]


def test_the_tree_of_the_document(humanoid):
    """Figures 3 and 4 of SIGVerse's document of 2009."""
    waist = joint('WAIST_JOINT0', segment('WAIST_LINK0')
                  + joint('WAIST_JOINT1', segment('WAIST_LINK1')))  # fmt: skip
    left, right = (
        joint(
            f'{side}LEG_JOINT0',
            joint(
                f'{side}LEG_JOINT1',
                segment(f'{side}LEG_LINK1')
                + joint(f'{side}LEG_JOINT2', segment(f'{side}LEG_LINK2')),
            ),
        )
        for side in 'LR'
    )
    parts, found = humanoid(joint('WAIST', waist + left + right, 'jointType "free"'))
    assert names_of(parts) == [
        ('body', '', ''),
        ('WAIST_LINK0', 'body', 'WAIST_JOINT0'),
        ('WAIST_LINK1', 'WAIST_LINK0', 'WAIST_JOINT1'),
        ('LLEG_JOINT0_dummy_seg', 'body', 'LLEG_JOINT0'),
        ('LLEG_LINK1', 'LLEG_JOINT0_dummy_seg', 'LLEG_JOINT1'),
        ('LLEG_LINK2', 'LLEG_LINK1', 'LLEG_JOINT2'),
        ('RLEG_JOINT0_dummy_seg', 'body', 'RLEG_JOINT0'),
        ('RLEG_LINK1', 'RLEG_JOINT0_dummy_seg', 'RLEG_JOINT1'),
        ('RLEG_LINK2', 'RLEG_LINK1', 'RLEG_JOINT2'),
    ]
    assert [part.name for part in parts if part.mass == 0.0] == [
        'LLEG_JOINT0_dummy_seg', 'RLEG_JOINT0_dummy_seg',
    ]  # fmt: skip
    assert all(not part.shapes for part in parts if part.mass == 0.0)
    assert parts[0].shapes[0].geometry == Sphere(1.0)
    assert found == []


def test_segments_of_the_joint_at_the_top_are_fixed_to_the_root(humanoid):
    """The root is a segment of its own."""
    parts, _ = humanoid(joint('WAIST', segment('HIP') + joint('J', segment('S')), ''))
    assert names_of(parts) == [('body', '', ''), ('HIP', 'body', ''), ('S', 'body', 'J')]


@pytest.mark.parametrize(
    ('written', 'kind', 'found'),
    [
        ('rotate', JointKind.HINGE, []),
        ('slide', JointKind.SLIDE, []),
        ('sphere', JointKind.BALL, []),
        ('fixed', None, []),
        ('', JointKind.BALL, ['Humanoid.NoJointType']),
        ('free', None, ['Humanoid.UnknownJointType']),
        ('screw', None, ['Humanoid.UnknownJointType']),
    ],
)
def test_types_of_joints(humanoid, written, kind, found):
    """A type that is not known is fixed; one that is not given is H-Anim's."""
    more = f'jointType "{written}" jointAxis 0 3 0 jointId 7'
    parts, codes = humanoid(joint('W', joint('J', segment('S'), more), ''))
    own = parts[1].joint
    assert (own.kind if own else None, codes) == (kind, found)
    if own:
        assert (own.axis, own.id) == ((0.0, 0.0, 1.0), 7)
        assert own.damping == (0.0 if kind is JointKind.SLIDE else 0.2)


@pytest.mark.parametrize(
    ('limits', 'kind', 'expected', 'found'),
    [
        ('', 'rotate', (-math.inf, math.inf), []),
        ('llimit -1 ulimit 2', 'rotate', (-1.0, 2.0), []),
        ('ulimit 2', 'rotate', (-math.inf, 2.0), []),
        ('llimit -1 ulimit 2', 'slide', (-0.5, 1.0), []),
        ('llimit [-1 -2 -3] ulimit [1 1 1]', 'sphere', (-math.inf, 3.0), []),
        ('llimit 2 ulimit 1', 'rotate', (-math.inf, math.inf), ['Humanoid.EmptyRange']),
        ('llimit 1 ulimit 1', 'rotate', (-math.inf, math.inf), ['Humanoid.EmptyRange']),
    ],
)
def test_limits_of_joints(humanoid, limits, kind, expected, found):
    """Angles are in radians, lengths in the unit of the file."""
    more = f'jointType "{kind}" {limits}'
    parts, codes = humanoid(joint('W', joint('J', segment('S'), more), ''), unit=0.5)
    assert ((parts[1].joint.lower, parts[1].joint.upper), codes) == (expected, found)


def test_parts_stand_where_the_file_shows_them(humanoid, files):
    """With translations, rotations and centers at all levels."""
    inner = joint(
        'B',
        segment('SB', MESH),
        'jointType "rotate" translation 1 2 3 rotation 1 2 3 0.7 center 0.5 0 1',
    )
    top = joint(
        'A', segment('SA', MESH) + inner, 'translation 3 1 0 rotation 0 1 0 1 center 0 1 0'
    )
    second = joint('C', segment('SC', MESH) + inner.replace('"B"', '"D"'), 'translation 0 5 0')
    parts, _ = humanoid(
        joint('W', top + second, 'translation 0 8 0 rotation 0 0 1 0.3')
        + joint('W2', segment('SW', MESH) + joint('E', segment('SE', MESH)), 'translation 9 9 9'),
        unit=0.5,
        more='translation 1 1 1 rotation 1 0 0 0.2',
    )
    frames, shown = {}, []
    for part in parts:
        own = pose_transform(part.pose.position, part.pose.orientation)
        frames[part.name] = compose(own, frames[part.parent]) if part.parent else own
        shown += [
            transform_points(frames[part.name], shape.geometry.vertices)
            for shape in part.shapes
            if isinstance(shape.geometry, TriangleMesh)
        ]
    path = files.folder / 'it.wrl'
    nodes = read_shape_file(path, files.folders, files.findings)
    whole = shapes_of(nodes, path, files.folders, files.findings, length_unit=0.5)
    expected = [each.geometry.vertices for each in whole]
    ours, theirs = (
        sorted(np.round(np.concatenate(each), 6).tolist()) for each in (shown, expected)
    )
    assert np.allclose(ours, theirs, atol=1e-5)


def test_joints_turn_about_their_centers(humanoid):
    """The anchor of a joint is the center of its node."""
    more = 'jointType "rotate" center 1 2 3'
    parts, _ = humanoid(joint('W', joint('J', segment('S'), more), ''))
    assert parts[1].joint.anchor == (3.0, 1.0, 2.0)


def test_masses_and_moments_are_read(humanoid):
    """In kg and the file's unit; a mass that is not given is 1 kg, as in SIGVerse."""
    inertia = 'momentsOfInertia [ 0.1 0.01 0 0.01 0.2 0 0 0 0.25 ]'
    parts, found = humanoid(
        joint('W', joint('J', segment('S', f'mass 2 centerOfMass 0.1 0.2 0.3 {inertia} {BALL}'))
              + joint('K', segment('T')), ''),
        unit=0.5,
    )  # fmt: skip
    _, heavy, light = parts
    assert heavy.mass == 2.0
    assert heavy.center_of_mass == (0.15, 0.05, 0.1)
    assert heavy.inertia == pytest.approx((0.0625, 0.025, 0.05, 0.0, 0.0, 0.0025))
    assert (light.mass, light.center_of_mass, light.inertia) == (1.0, None, None)
    assert found == []


@pytest.mark.parametrize(
    ('more', 'code'),
    [
        ('mass -1', 'BadMass'),
        ('mass 1 momentsOfInertia [ 0.1 0 0 0 0.1 0 0 0 0.5 ]', 'ImpossibleInertia'),
        ('mass 1 momentsOfInertia [ -1 0 0 0 -1 0 0 0 -1 ]', 'ImpossibleInertia'),
        ('mass 1 momentsOfInertia [ 0.1 9 0 0 0.1 0 0 0 0.1 ]', 'ImpossibleInertia'),
        ('mass 1 momentsOfInertia [ 1e-9 0 0 0 1e-9 0 0 0 1e-9 ]', 'ImplausibleInertia'),
        ('mass 1 momentsOfInertia [ 1e9 0 0 0 1e9 0 0 0 1e9 ]', 'ImplausibleInertia'),
    ],
)
def test_wrong_masses_and_moments_are_repaired(humanoid, more, code):
    """What remains is possible for a body of that size."""
    parts, found = humanoid(joint('W', joint('J', segment('S', f'{more} {BALL}')), ''))
    assert f'Humanoid.{code}' in found
    part = parts[1]
    assert part.mass == 1.0
    if part.inertia is not None:
        xx, yy, zz, xy, xz, yz = part.inertia
        moments = np.linalg.eigvalsh(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        assert moments[0] > 0.0
        assert moments[2] <= (moments[0] + moments[1]) * (1.0 + 1e-9)


def test_a_list_of_moments_that_is_cut_off_is_not_used(humanoid):
    """Nine numbers are needed."""
    parts, _ = humanoid(
        joint('W', joint('J', segment('S', f'mass 1 momentsOfInertia [ 1 2 ] {BALL}')), '')
    )
    assert parts[1].inertia is None


def test_segments_without_shapes_are_blind(humanoid):
    """As in SIGVerse, whatever their mass."""
    parts, _ = humanoid(joint('W', joint('J', segment('S', 'mass 3')), ''))
    assert (parts[1].name, parts[1].mass, parts[1].shapes) == ('S', 0.0, ())


def test_meshes_of_segments_collide_as_boxes(humanoid):
    """Of humanoids always, as in SIGVerse."""
    parts, _ = humanoid(joint('W', joint('J', segment('S', MESH)), ''))
    mesh, box = parts[1].shapes
    assert isinstance(mesh.geometry, TriangleMesh)
    assert box.geometry == Box((3.0, 1.0, 2.0))


def test_shapes_outside_of_segments_are_kept(humanoid):
    """Exporters put them at the level of the segments, and sensors with shapes too."""
    ball = 'Shape { geometry Sphere { radius 2 } }'
    parts, _ = humanoid(joint('W', ball + joint('J', ball + segment('S')) + joint('K', ball), ''))
    assert [(each.name, len(each.shapes), each.mass) for each in parts] == [
        ('body', 1, None), ('W_dummy_seg', 1, 1.0), ('S', 2, 1.0), ('K_dummy_seg', 1, 1.0),
    ]  # fmt: skip


def test_names_are_unique(humanoid):
    """Joints and segments each."""
    parts, found = humanoid(
        joint(
            'W', joint('J', segment('S')) + joint('J', segment('S')) + joint('', segment('')), ''
        )
    )
    assert [name for name, *_ in names_of(parts)] == ['body', 'S', 'S_2', 'part']
    assert [each.joint.name for each in parts[1:]] == ['J', 'J_2', 'joint']
    assert found == ['Humanoid.NameNotUnique'] * 4


def test_an_axis_of_zero_is_replaced(humanoid):
    """A finding names the joint."""
    more = 'jointType "rotate" jointAxis 0 0 0'
    parts, found = humanoid(joint('W', joint('J', segment('S'), more), ''))
    assert (parts[1].joint.axis, found) == ((1.0, 0.0, 0.0), ['Humanoid.ZeroAxis'])


def test_a_humanoid_without_joints_has_no_parts(humanoid):
    """It is then shown as any other shape."""
    assert humanoid(segment('S')) == ((), ['Humanoid.NoJoint'])


def test_the_number_of_parts_is_limited(humanoid):
    """USE of USE doubles the joints at each level."""
    levels = ['DEF J0 Joint { name "a" jointType "rotate" }']
    for number in range(1, 16):
        levels.append(
            f'DEF J{number} Joint {{ name "b" jointType "rotate" children '
            f'[ {levels[-1]} USE J{number - 1} ] }}'
        )
        levels = levels[-1:]
    parts, found = humanoid(levels[0])
    assert len(parts) == MOST_PARTS
    assert 'Humanoid.TooManyParts' in found
