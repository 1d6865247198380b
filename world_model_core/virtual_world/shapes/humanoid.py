# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Humanoids of H-Anim and OpenHRP: trees of Joint and Segment nodes -> parts.

SIGVerse's rules (its document of 2009, section 3.3): (I) the root is a segment "body"; (II) a
joint connects the segment at its level and the segment below it; (III) a joint without a segment
gets a blind one, which has no mass and does not collide. A part is in the frame of its joint.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import compose, inverse, pose_transform, quaternion_of
from world_model_core.virtual_world.shapes.body_xml import BLIND_SUFFIX, MOST_PARTS, ROOT
from world_model_core.virtual_world.shapes.file_axes import (
    AXES,
    from_file_axes,
    orientation_from_axis_angle,
    point_from_file,
)
from world_model_core.virtual_world.shapes.fitting import fit_box, with_simple_contacts
from world_model_core.virtual_world.shapes.inertia import (
    is_plausible,
    possible_inertia,
    reach_of,
)
from world_model_core.virtual_world.shapes.part_names import UniqueNames
from world_model_core.virtual_world.shapes.scene import shapes_of
from world_model_core.virtual_world.shapes.transforms import rotation_matrix
from world_model_core.virtual_world.values import (
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.frames import Transform
    from world_model_core.virtual_world.asset_folders import AssetFolders
    from world_model_core.virtual_world.shapes.nodes import Node
    from world_model_core.virtual_world.values import Vector

__all__ = ['HumanoidFile', 'read_humanoid']

# Radius of the root in units of the file, mass of segments without one: SIGVerse's SIM server.
ROOT_RADIUS = 1.0
DEFAULT_MASS = 1.0  # [kg]
# Of joints that turn: the files have none, and chains of light parts are unstable without any. The
# original people and robots fall and come to rest with 0.1 and more, in steps of 10 ms (0.05: not
# all of them). SIGVerse damps the bodies instead, by 0.8 in each step.
DAMPING = 0.2  # [N m s/rad]
KINDS = {
    'rotate': JointKind.HINGE,
    'slide': JointKind.SLIDE,
    'sphere': JointKind.BALL,
    'fixed': None,
    # Joints of H-Anim have no type; they turn about all axes.
    '': JointKind.BALL,
}


@dataclass(frozen=True, slots=True)
class HumanoidFile:
    """
    File of a humanoid.

    Attributes
    ----------
    path : Path
    folders : AssetFolders
        Nothing outside of them is opened.
    notes : FileFindings
        Receives the findings, Humanoid.* and those of shapes.
    unit : float
        Length of the file's unit, times the scale of the entity [m].

    """

    path: Path
    folders: AssetFolders
    notes: FileFindings
    unit: float


def read_humanoid(humanoid: Node, file: HumanoidFile) -> tuple[Part, ...]:
    """
    Convert a node Humanoid to parts.

    Parameters
    ----------
    humanoid : Node
    file : HumanoidFile

    Returns
    -------
    tuple of Part
        The root first; it is at the joint at the top.

    """
    return _Builder(file).read(humanoid)


@dataclass(slots=True)
class _Builder:
    """Converts joints one by one; nesting is a list, not recursion."""

    file: HumanoidFile
    parts: list[Part] = field(default_factory=list)
    part_names: UniqueNames = field(default_factory=lambda: UniqueNames('part'))
    joint_names: UniqueNames = field(default_factory=lambda: UniqueNames('joint'))

    def read(self, humanoid: Node) -> tuple[Part, ...]:
        """Add the root, and then all joints."""
        tops = _of_type(humanoid.nodes('humanoidBody'), 'Joint')
        if not tops:
            self._report('Humanoid.NoJoint', humanoid)
            return ()
        first = self._transform(tops[0])
        sphere = Shape(Sphere(ROOT_RADIUS * self.file.unit), use=ShapeUse.COLLISION)
        pose = _pose(compose(first, self._transform(humanoid)))
        self.parts.append(Part(self.part_names.take(ROOT), pose=pose, shapes=(sphere,)))
        waiting: list[tuple[Node, str, Transform | None]] = []
        for top in reversed(tops):
            base = compose(self._transform(top), inverse(first))
            self._add_segments(top, ROOT, _pose(base))
            waiting += [(child, ROOT, base) for child in _below(top)]
        self._add_joints(waiting)
        return tuple(self.parts)

    def _add_joints(self, waiting: list[tuple[Node, str, Transform | None]]) -> None:
        """Add joints with the names of their parents and their frames in these."""
        while waiting:
            joint, parent, base = waiting.pop()
            if len(self.parts) >= MOST_PARTS:
                self._report('Humanoid.TooManyParts', joint, limit=MOST_PARTS)
                return
            own = self._transform(joint)
            pose = _pose(own if base is None else compose(own, base))
            name = self._add_joint(joint, parent, pose)
            waiting += [(child, name, None) for child in _below(joint)]

    def _add_joint(self, node: Node, parent: str, pose: Pose) -> str:
        """Add the part that moves with a joint, and return its name."""
        written = node.text('name') or node.name
        joint = self._joint(node, self._unique(self.joint_names, written, node))
        segments, others = _segments(node)
        if segments:
            first = self._part(segments[0], (segments[0], *others), parent, pose, joint)
        else:
            name = self.part_names.take(f'{written}{BLIND_SUFFIX}')
            shapes = self._shapes(others)
            first = Part(name, parent, pose, joint, shapes, DEFAULT_MASS if shapes else 0.0)
        self.parts.append(first)
        self.parts += [
            self._part(each, (each,), first.name, Pose(), None) for each in segments[1:]
        ]
        return first.name

    def _add_segments(self, top: Node, parent: str, pose: Pose) -> None:
        """Add what is at the level of the top joints, fixed to the root."""
        self._unique(self.joint_names, top.text('name') or top.name, top)
        segments, others = _segments(top)
        self.parts += [self._part(each, (each,), parent, pose, None) for each in segments]
        shapes = self._shapes(others)
        if shapes:
            name = self.part_names.take(f'{top.text("name")}{BLIND_SUFFIX}')
            self.parts.append(Part(name, parent, pose, None, shapes, DEFAULT_MASS))

    def _joint(self, node: Node, name: str) -> Joint | None:
        """Read a joint; None: the part is fixed to its parent."""
        written = node.text('jointType').lower()
        if written not in KINDS:
            self._report('Humanoid.UnknownJointType', node, found=written, name=name)
        if not written:
            self._report('Humanoid.NoJointType', node, name=name)
        kind = KINDS.get(written)
        if kind is None:
            return None
        lower, upper = self._limits(node, kind, name)
        number = int(np.clip(node.number('jointId'), -1, 2**31))
        return Joint(
            name,
            kind,
            self._axis(node, name),
            point_from_file(node.vector('center'), self.file.unit),
            lower,
            upper,
            0.0 if kind is JointKind.SLIDE else DAMPING,
            number if number >= 0 else None,
        )

    def _axis(self, node: Node, name: str) -> Vector:
        axis = from_file_axes(node.vector('jointAxis'))
        length = float(np.linalg.norm(axis))
        if not 0.0 < length < math.inf:
            self._report('Humanoid.ZeroAxis', node, name=name)
            return (1.0, 0.0, 0.0)
        x, y, z = (float(each) for each in axis / length)
        return (x, y, z)

    def _limits(self, node: Node, kind: JointKind, name: str) -> tuple[float, float]:
        """Return the limits [rad or m]; those of a ball joint are one largest angle."""
        low, high = node.numbers('llimit'), node.numbers('ulimit')
        if kind is JointKind.BALL:
            both = np.abs(np.concatenate((low, high)))
            return -math.inf, float(both.max()) if both.size and both.max() > 0.0 else math.inf
        lower = float(low[0]) if low.size else -math.inf
        upper = float(high[0]) if high.size else math.inf
        if not lower < upper:
            if (low.size, high.size) != (0, 0):
                found = f'{lower:g} to {upper:g}'
                self._report('Humanoid.EmptyRange', node, found=found, name=name)
            return -math.inf, math.inf
        unit = self.file.unit if kind is JointKind.SLIDE else 1.0
        return lower * unit, upper * unit

    def _part(
        self, segment: Node, shown: Sequence[Node], parent: str, pose: Pose, joint: Joint | None
    ) -> Part:
        """Return the part of a segment; without shapes it is blind."""
        name = self._unique(self.part_names, segment.text('name') or segment.name, segment)
        shapes = self._shapes(shown)
        if not shapes:
            return Part(name, parent, pose, joint, mass=0.0)
        mass = segment.number('mass')
        if not 0.0 < mass < math.inf:
            if mass != 0.0:
                self._report('Humanoid.BadMass', segment, found=mass, name=name)
            mass = DEFAULT_MASS
        # 0 0 0 is the default of files that say nothing: the shapes know better.
        written = segment.vector('centerOfMass')
        center = point_from_file(written, self.file.unit) if written.any() else None
        inertia = self._inertia(segment, name, mass, shapes, center)
        return Part(name, parent, pose, joint, shapes, mass, center, inertia)

    def _inertia(
        self,
        segment: Node,
        name: str,
        mass: float,
        shapes: Sequence[Shape],
        center: Vector | None,
    ) -> tuple[float, float, float, float, float, float] | None:
        """Return the moments of inertia of the file, repaired; None: from the shapes."""
        numbers = segment.numbers('momentsOfInertia')
        if numbers.size != AXES.size or not numbers.any():
            return None
        matrix = AXES @ numbers.reshape(3, 3) @ AXES.T * self.file.unit**2
        possible = possible_inertia(matrix)
        if possible is None or not np.allclose(possible, matrix, rtol=1e-5, atol=0.0):
            self._report('Humanoid.ImpossibleInertia', segment, name=name)
        if possible is None:
            return None
        if not is_plausible(possible, mass, reach_of(shapes, center or (0.0, 0.0, 0.0))):
            self._report('Humanoid.ImplausibleInertia', segment, name=name)
            return None
        xx, xy, xz, _, yy, yz, _, _, zz = (float(each) for each in possible.ravel())
        return (xx, yy, zz, xy, xz, yz)

    def _shapes(self, nodes: Sequence[Node]) -> tuple[Shape, ...]:
        """Return the shapes below nodes; a box around their meshes collides."""
        if not nodes:
            return ()
        file = self.file
        found = shapes_of(
            nodes, file.path, file.folders, file.notes.findings, length_unit=file.unit
        )
        return with_simple_contacts(found, fit_box)

    def _transform(self, node: Node) -> Transform:
        """Return the frame of a node in the one around it, without scale."""
        rotation = rotation_matrix(node.vector('rotation'))
        center = node.vector('center')
        position = node.vector('translation') + center - rotation @ center
        return pose_transform(
            point_from_file(position, self.file.unit),
            orientation_from_axis_angle(node.vector('rotation')),
        )

    def _unique(self, names: UniqueNames, written: str, node: Node) -> str:
        name = names.take(written)
        if name != written:
            self._report('Humanoid.NameNotUnique', node, found=written, name=name)
        return name

    def _report(self, code: str, node: Node, **values: object) -> None:
        self.file.notes.add(code, f'line {node.line}', **values)


def _of_type(nodes: Sequence[Node], kind: str) -> list[Node]:
    return [each for each in nodes if each.type == kind]


def _below(joint: Node) -> list[Node]:
    """Return the joints below a joint, the last first, as a stack gives them back."""
    return _of_type(joint.nodes('children'), 'Joint')[::-1]


def _segments(joint: Node) -> tuple[list[Node], list[Node]]:
    """Return the segments of a joint, and the other nodes in it that are no joints."""
    children = joint.nodes('children')
    others = [each for each in children if each.type not in {'Joint', 'Segment'}]
    return _of_type(children, 'Segment'), others


def _pose(transform: Transform) -> Pose:
    x, y, z = (float(each) for each in transform.translation)
    i, j, k, w = (float(each) for each in quaternion_of(transform.rotation))
    return Pose((x, y, z), (i, j, k, w))
