# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
SIGVerse's own body files: trees of joints and segments with simple shapes.

    <body>
      <define-param name="arm" value="0.3"/>
      <joint name="BODY">
        <type>free</type>
        <children>
          <segment name="body">...</segment>
          <joint name="ELBOW">
            <type>hinge</type> <translation>0 arm/2 0</translation> <axis>0 0 1</axis>
            <children> <segment name="ARM">...</segment> </children>
          </joint>
        </children>
      </joint>
    </body>

A joint connects the segment at its level and the segment below it; joints without a segment get
one without mass. The joint at the top places the whole body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import compose, pose_transform, quaternion_of
from world_model_core.virtual_world.shapes.body_expressions import ExpressionError, evaluate
from world_model_core.virtual_world.shapes.file_axes import (
    from_file_axes,
    orientation_from_axis_angle,
    point_from_file,
)
from world_model_core.virtual_world.shapes.part_names import UniqueNames
from world_model_core.virtual_world.values import (
    Box,
    Cylinder,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    Sphere,
)
from world_model_core.virtual_world.xml_files import place, read_xml, tag_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lxml import etree

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.virtual_world.values import Geometry, Vector

__all__ = ['BLIND_SUFFIX', 'MOST_PARTS', 'ROOT', 'read_body']

# Name of the root of every body (rule I of the seed, section 3.3).
ROOT = 'body'
# End of the names of segments that a joint gets if it has none (rule III).
BLIND_SUFFIX = '_dummy_seg'
# A hostile file could have a million; the largest original body has 58.
MOST_PARTS = 1000
# Larger lengths, in units of the file, are rejected.
LARGEST = 1e7
_PARAMETER_NAME = re.compile(r'[A-Za-z]\w*', re.ASCII)
_KINDS = {'fixed': None, 'hinge': JointKind.HINGE, 'ball': JointKind.BALL}


def read_body(path: Path, notes: FileFindings, unit: float) -> tuple[Part, ...]:
    """
    Read a body file.

    Parameters
    ----------
    path : Path
    notes : FileFindings
        Receives the findings, Body.* and those of XML files.
    unit : float
        Length of the file's unit [m].

    Returns
    -------
    tuple of Part
        The root first; empty if the file has no segments, as SIGVerse's dummy-body.xml.

    """
    root = read_xml(path, notes)
    if root is None:
        return ()
    if tag_of(root) != 'body':
        notes.add('Body.NotABody', place(root), found=tag_of(root))
        return ()
    return _BodyReader(notes, unit).read(root)


@dataclass(slots=True)
class _BodyReader:
    """Converts the elements of a body file to parts."""

    notes: FileFindings
    unit: float
    parameters: dict[str, float] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    part_names: UniqueNames = field(default_factory=lambda: UniqueNames('part'))
    joint_names: UniqueNames = field(default_factory=lambda: UniqueNames('joint'))

    def read(self, root: etree._Element) -> tuple[Part, ...]:
        """Read parameters and joints; the joints with a stack, as they may be nested deeply."""
        tops = []
        for element in root:
            if tag_of(element) == 'define-param':
                self._define(element)
            elif tag_of(element) == 'joint':
                tops.append(element)
        waiting = [(element, '') for element in reversed(tops)]
        while waiting:
            element, parent = waiting.pop()
            if len(self.parts) >= MOST_PARTS:
                self.notes.add('Body.TooManyParts', place(element), limit=MOST_PARTS)
                break
            part = self._add_joint(element, parent)
            waiting += [(each, part) for each in reversed(_children(element, 'joint'))]
        has_segments = any(part.mass is None for part in self.parts)
        return tuple(self.parts) if has_segments else ()

    def _define(self, element: etree._Element) -> None:
        name = element.get('name', '')
        if not _PARAMETER_NAME.fullmatch(name):
            self.notes.add('Body.BadParameterName', place(element), found=name)
            return
        self.parameters[name] = self._value(element, element.get('value', ''), 0.0)

    def _add_joint(self, element: etree._Element, parent: str) -> str:
        """Add the segments of a joint, and return the name of the part that moves with it."""
        segments = _children(element, 'segment')
        joint = self._joint(element, is_top=not parent)
        pose = self._pose(element)
        if not parent and self.parts:
            parent = self.parts[0].name
        if segments:
            first = self._segment(segments[0], parent, pose, joint)
        else:
            name = f'{element.get("name", "")}{BLIND_SUFFIX}' if parent else ROOT
            first = Part(self.part_names.take(name), parent, pose, joint, mass=0.0)
        self.parts.append(first)
        for each in segments[1:]:
            self.parts.append(self._segment(each, first.name, Pose(), None))
        return first.name

    def _joint(self, element: etree._Element, *, is_top: bool) -> Joint | None:
        """Read the joint; None: the part is fixed to its parent."""
        kind = _text_of(element, 'type').lower()
        name = self._unique(self.joint_names, element)
        if is_top or kind == 'fixed':
            return None
        if kind not in _KINDS:
            code = 'Body.FreeJointInside' if kind == 'free' else 'Body.UnknownJointType'
            self.notes.add(code, place(element), found=kind, name=name)
            return None
        return Joint(name, _KINDS[kind] or JointKind.HINGE, self._axis(element))

    def _axis(self, element: etree._Element) -> Vector:
        """Read the axis of a hinge; the original's default is up."""
        axis = from_file_axes(np.array(self._numbers(element, 'axis', (0.0, 1.0, 0.0))))
        length = float(np.linalg.norm(axis))
        if length == 0.0:
            self.notes.add('Body.ZeroAxis', place(element))
            return (0.0, 0.0, 1.0)
        x, y, z = (float(each) for each in axis / length)
        return (x, y, z)

    def _pose(self, element: etree._Element) -> Pose:
        """Read translation and rotation of a joint or transform."""
        position = self._numbers(element, 'translation', (0.0, 0.0, 0.0))
        rotation = self._numbers(element, 'rotation', (0.0, 0.0, 1.0, 0.0))
        return Pose(point_from_file(position, self.unit), orientation_from_axis_angle(rotation))

    def _segment(
        self, element: etree._Element, parent: str, pose: Pose, joint: Joint | None
    ) -> Part:
        name = self._unique(self.part_names, element)
        return Part(name, parent, pose, joint, shapes=tuple(self._shapes(element)))

    def _unique(self, names: UniqueNames, element: etree._Element) -> str:
        wanted = element.get('name', '')
        name = names.take(wanted)
        if name != wanted:
            self.notes.add('Body.NameNotUnique', place(element), found=wanted, name=name)
        return name

    def _shapes(self, segment: etree._Element) -> Iterator[Shape]:
        """Read the shapes of a segment, with a stack as transforms may be nested deeply."""
        waiting = [(element, Pose()) for element in _children(segment, 'transform')]
        while waiting:
            element, parent = waiting.pop()
            pose = _composed(self._pose(element), parent)
            for shape in _children(element, 'shape', within=element):
                for geometry in _children(shape, 'geometry', within=shape):
                    if (found := self._geometry(geometry)) is not None:
                        yield Shape(found, pose)
                waiting += [(each, pose) for each in _children(shape, 'transform', within=shape)]

    def _geometry(self, element: etree._Element) -> Geometry | None:
        """Read box, sphere or cylinder; its axis is the file's y, as that of VRML97."""
        kind = element.get('type', '').lower()
        radius, length = (self._length(element, name) for name in ('radius', 'length'))
        if kind == 'box':
            size = self._numbers(element, 'size', (0.0, 0.0, 0.0))
            if min(size) > 0.0:
                return Box(point_from_file(size, self.unit))
        elif kind == 'sphere' and radius > 0.0:
            return Sphere(radius * self.unit)
        elif kind == 'cylinder' and min(radius, length) > 0.0:
            return Cylinder(radius * self.unit, length * self.unit)
        code = 'Body.BadSize' if kind in {'box', 'sphere', 'cylinder'} else 'Body.UnknownGeometry'
        self.notes.add(code, place(element), found=kind)
        return None

    def _length(self, element: etree._Element, name: str) -> float:
        return self._numbers(element, name, (0.0,))[0]

    def _numbers(
        self, element: etree._Element, name: str, default: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Read the expressions in a child element, as many as there are in the default."""
        words = _text_of(element, name).split()
        if not words:
            return default
        if len(words) != len(default):
            self.notes.add(
                'Body.WrongCount', place(element), found=len(words), count=len(default), name=name
            )
            return default
        return tuple(
            self._value(element, word, other) for word, other in zip(words, default, strict=True)
        )

    def _value(self, element: etree._Element, text: str, default: float) -> float:
        try:
            value = evaluate(text, self.parameters)
        except ExpressionError as error:
            self.notes.add('Body.BadExpression', place(element), found=text, reason=error)
            return default
        if abs(value) > LARGEST:
            self.notes.add('Body.TooLarge', place(element), found=f'{value:g}', limit=LARGEST)
            return default
        return value


def _children(
    element: etree._Element, tag: str, within: etree._Element | None = None
) -> list[etree._Element]:
    """Return the elements with a tag in the children of a joint or segment, or in an element."""
    lists = (
        [each for each in element if tag_of(each) == 'children'] if within is None else [within]
    )
    return [each for children in lists for each in children if tag_of(each) == tag]


def _text_of(element: etree._Element, tag: str) -> str:
    """Return the text of the last child with a tag, or an empty one."""
    texts = [each.text for each in element if tag_of(each) == tag]
    return (texts[-1] or '').strip() if texts else ''


def _composed(pose: Pose, parent: Pose) -> Pose:
    """Return a pose in the parent's frame in that frame's parent."""
    if parent == Pose():
        return pose
    whole = compose(
        pose_transform(pose.position, pose.orientation),
        pose_transform(parent.position, parent.orientation),
    )
    x, y, z = (float(each) for each in whole.translation)
    i, j, k, w = (float(each) for each in quaternion_of(whole.rotation))
    return replace(pose, position=(x, y, z), orientation=(i, j, k, w))
