# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Nodes of shape files.

The readers `vrml.read_vrml` and `x3d.read_x3d` return the nodes at the top of a file. Prototypes
are expanded, USE is resolved, and values are checked: a field that is missing or wrong has its
default. The nodes stay in the units and the axes of the file (y up); `scene.shapes_of` converts
them. A tree of joints is read by its nodes:

    for node in scene.read_shape_file(path, folders, findings):
        if node.type == 'Humanoid':
            for joint in node.nodes('humanoidBody'):
                joint.text('jointType'), joint.vector('jointAxis'), joint.numbers('ulimit')
                segments = [child for child in joint.nodes('children') if child.type == 'Segment']

Humanoid, Joint, Segment, Site and the sensors of OpenHRP have these types however the file
declares them (PROTO, ProtoDeclare, HAnimJoint, or not at all), with the defaults of the file's
declaration. All other prototypes are replaced by the first node of their body. No node is below
another one more than `MOST_LEVELS` times, so that recursion over nodes is safe. A node may be the
child of several nodes (USE), so that a recursion without a limit may visit very many of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.virtual_world.shapes.node_types import KNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array

__all__ = ['MOST_LEVELS', 'Node', 'Reference', 'Value']

# Levels of nodes: humanoids have up to 60, and Python's recursion ends after 1000 calls.
MOST_LEVELS = 200


@dataclass(frozen=True, slots=True)
class Reference:
    """Value of a field in the body of a prototype: that of a field of its instance (IS)."""

    field: str


# Numbers, shape (n,); flags; texts; nodes.
Value: TypeAlias = 'Array | tuple[bool, ...] | tuple[str, ...] | tuple[Node, ...]'


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """
    A node of a shape file.

    The methods return the value of a field or its default. They raise KeyError for a name that
    `node_types.KNOWN` does not list for the type of the node.

    Attributes
    ----------
    type : str
        Such as "Transform" or "Joint", as VRML97 and OpenHRP name it, for X3D as well.
    name : str
        The name after DEF; empty: none.
    line : int
        In the file, from 1.
    fields : mapping of str to Value
        Those that the file gives, by the names of VRML97.
    height : int
        Levels of nodes below it.
    has_references : bool
        Whether it, or a node below it, depends on the instance of a prototype; never true for the
        nodes that the readers return.

    """

    type: str
    name: str
    line: int
    fields: Mapping[str, Value | Reference]
    height: int = 0
    has_references: bool = False

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes in all fields, in the order of the file."""
        values = self.fields.values()
        return tuple(
            each
            for value in values
            if isinstance(value, tuple)
            for each in value
            if isinstance(each, Node)
        )

    def number(self, field: str) -> float:
        """Return the number of a field such as SFFloat or SFInt32."""
        return float(self.numbers(field)[0])

    def vector(self, field: str) -> Array:
        """Return the numbers of a field such as SFVec3f or SFRotation, shape (n,)."""
        return self.numbers(field)

    def rows(self, field: str) -> Array:
        """Return the numbers of a field such as MFVec3f, shape (n, 3)."""
        return self.numbers(field).reshape(-1, KNOWN[self.type][field].width)

    def numbers(self, field: str) -> Array:
        """Return all numbers of a field, shape (n,)."""
        value = self.fields.get(field, KNOWN[self.type][field].default)
        return np.asarray(value, dtype=np.float64)

    def flag(self, field: str) -> bool:
        """Return the flag of a field SFBool."""
        return bool(self._values(field)[0])

    def text(self, field: str) -> str:
        """Return the text of a field SFString; empty if there is none."""
        return next(iter(self.texts(field)), '')

    def texts(self, field: str) -> tuple[str, ...]:
        """Return the texts of a field MFString."""
        return tuple(map(str, self._values(field)))

    def node(self, field: str) -> Node | None:
        """Return the node of a field SFNode, or None."""
        return next(iter(self.nodes(field)), None)

    def nodes(self, field: str) -> tuple[Node, ...]:
        """Return the nodes of a field MFNode."""
        return tuple(each for each in self._values(field) if isinstance(each, Node))

    def _values(self, field: str) -> tuple[object, ...]:
        value = self.fields.get(field, KNOWN[self.type][field].default)
        return value if isinstance(value, tuple) else ()
