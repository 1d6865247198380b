# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Making nodes of what readers find in a file: names, prototypes, checked values.

Nodes are made from the innermost to the outermost, so that USE inside of the node that it names,
and a prototype inside of its own body, are unknown names, and no circle can arise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.shapes.node_types import (
    BODY_TYPES,
    FIELD_ALIASES,
    KNOWN,
    TYPE_ALIASES,
    FieldKind,
)
from world_model_core.virtual_world.shapes.nodes import MOST_LEVELS, Node, Reference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.virtual_world.shapes.node_types import FieldType
    from world_model_core.virtual_world.shapes.nodes import Value

__all__ = ['NodeBuilder', 'Prototype']

# Nodes that instances of prototypes add to a file; prototypes of prototypes grow exponentially.
MOST_COPIES = 50_000
# Nodes of a file; the largest of SIGVerse's has 5,141.
MOST_NODES = 100_000
# Names of axes, which older files of OpenHRP have as the axis of a joint.
_AXES = {
    'X': np.array((1.0, 0.0, 0.0)),
    'Y': np.array((0.0, 1.0, 0.0)),
    'Z': np.array((0.0, 0.0, 1.0)),
}


@dataclass(slots=True)
class Prototype:
    """
    A type of nodes that a file declares.

    Attributes
    ----------
    types : mapping of str to FieldType
        Fields of its instances.
    defaults : mapping of str to Value
    body : Node, optional
        Replaces the instances; None: they are left out.

    """

    types: dict[str, FieldType] = field(default_factory=dict)
    defaults: dict[str, Value | Reference] = field(default_factory=dict)
    body: Node | None = None


@dataclass(slots=True)
class _Scope:
    """Names in a file or in the body of a prototype."""

    nodes: dict[str, Node] = field(default_factory=dict)
    prototypes: dict[str, Prototype] = field(default_factory=dict)


class NodeBuilder:
    """
    Makes the nodes of one file.

    Parameters
    ----------
    findings : FileFindings

    Attributes
    ----------
    made : int
        Number of nodes that the file contains.

    """

    def __init__(self, findings: FileFindings) -> None:
        self.findings = findings
        self.made = 0
        self.scopes = [_Scope()]
        self.copies = 0
        self.skipped: set[str] = set()

    def node(
        self, type_: str, name: str, line: int, fields: Mapping[str, Value | Reference]
    ) -> Node:
        """
        Make a node with checked fields.

        Parameters
        ----------
        type_ : str
            As in the file: of a known type, or of a prototype.
        name : str
            After DEF; empty: none.
        line : int
        fields : mapping of str to Value

        Returns
        -------
        Node
            Without fields if the type is not known, which is a finding once a type.

        """
        self.made += 1
        type_ = TYPE_ALIASES.get(type_, type_)
        prototype = self.prototype(type_)
        given = {FIELD_ALIASES.get((type_, key), key): value for key, value in fields.items()}
        if prototype is not None:
            given = {**prototype.defaults, **given}
        made = Node(type_, name, line, {})
        if prototype is not None and type_ not in BODY_TYPES:
            values = self._checked(prototype.types, given, line)
            made = self._instance(prototype, values, line) or made
        elif type_ in KNOWN:
            made = self._node(type_, name, line, self._checked(KNOWN[type_], given, line))
        else:
            self._skip(type_, line)
        if name:
            self.scopes[-1].nodes[name] = made
        return made

    def is_full(self, line: int) -> bool:
        """Return whether the rest of the file is to be left out, which is a finding."""
        if self.made < MOST_NODES:
            return False
        self.findings.add('Shapes.TooManyNodes', f'line {line}', limit=MOST_NODES)
        return True

    def use(self, name: str, line: int) -> Node | None:
        """Return the node that was named before, or None."""
        if name not in self.scopes[-1].nodes:
            self.findings.add('Shapes.UnknownName', f'line {line}', name=name)
        return self.scopes[-1].nodes.get(name)

    def field_type(self, type_: str, name: str) -> FieldType | None:
        """Return the type of a field of nodes of a type, or None if it is not known."""
        type_ = TYPE_ALIASES.get(type_, type_)
        name = FIELD_ALIASES.get((type_, name), name)
        prototype = self.prototype(type_)
        found = KNOWN.get(type_, {}).get(name) if type_ in KNOWN else None
        if prototype is not None and (found is None or type_ not in BODY_TYPES):
            return prototype.types.get(name)
        return found

    def prototype(self, name: str) -> Prototype | None:
        """Return the innermost prototype of a name."""
        scopes = reversed(self.scopes)
        return next((each.prototypes[name] for each in scopes if name in each.prototypes), None)

    def open_prototype(self) -> None:
        """Begin the body of a prototype, whose names are its own."""
        self.scopes.append(_Scope())

    def close_prototype(self, name: str, prototype: Prototype, body: Sequence[Node]) -> None:
        """Finish a prototype, of which the first node of the body counts (VRML97, 4.8.3)."""
        self.scopes.pop()
        prototype.body = next(iter(body), None)
        self.scopes[-1].prototypes[TYPE_ALIASES.get(name, name)] = prototype

    def refuse_external(self, name: str, line: int) -> None:
        """Refuse a prototype of another file."""
        self.findings.add('Shapes.ExternalPrototype', f'line {line}', name=name)
        if TYPE_ALIASES.get(name, name) not in BODY_TYPES:
            self.scopes[-1].prototypes[name] = Prototype()

    def _skip(self, type_: str, line: int) -> None:
        if type_ not in self.skipped:
            self.skipped.add(type_)
            self.findings.add('Shapes.NodeSkipped', f'line {line}', type=type_)

    def _checked(
        self, types: Mapping[str, FieldType], fields: Mapping[str, Value | Reference], line: int
    ) -> dict[str, Value | Reference]:
        """Return the fields that are known and right."""
        checked: dict[str, Value | Reference] = {}
        for name, value in fields.items():
            if name in types:
                right = self._right(types[name], value)
                if right is not None:
                    checked[name] = right
                else:
                    self.findings.add(
                        'Shapes.FieldValue', f'line {line}', field=name, found=_start(value)
                    )
        return checked

    def _right(self, expected: FieldType, value: Value | Reference) -> Value | Reference | None:
        """Return a value in the form of its type, or None if it is wrong."""
        if isinstance(value, Reference):  # only in the body of a prototype
            return value if len(self.scopes) > 1 else None
        return _right(expected, value)

    def _node(
        self, type_: str, name: str, line: int, fields: Mapping[str, Value | Reference]
    ) -> Node:
        """Make a node of a known type, and leave out what is nested too deeply below it."""
        below = [each for value in fields.values() for each in _nodes_in(value)]
        height = max((each.height + 1 for each in below), default=0)
        if height >= MOST_LEVELS:
            self.findings.add('Shapes.TooDeep', f'line {line}', limit=MOST_LEVELS)
            fields = {key: value for key, value in fields.items() if not _nodes_in(value)}
            below, height = [], 0
        has_references = any(each.has_references for each in below) or any(
            isinstance(value, Reference) for value in fields.values()
        )
        return Node(type_, name, line, fields, height, has_references)

    def _instance(
        self, prototype: Prototype, values: Mapping[str, Value | Reference], line: int
    ) -> Node | None:
        """Return the body of a prototype with the values of an instance."""
        if prototype.body is None or not prototype.body.has_references:
            return prototype.body
        made: dict[int, Node] = {}
        for node in _inner_first(prototype.body):
            self.copies += 1
            if self.copies > MOST_COPIES:
                self.findings.add('Shapes.TooManyCopies', f'line {line}', limit=MOST_COPIES)
                return None
            fields = _replaced(node, values, made)
            checked = self._checked(KNOWN[node.type], fields, line)
            made[id(node)] = self._node(node.type, node.name, node.line, checked)
        return made[id(prototype.body)]


def _start(value: Value | Reference) -> str:
    """Return the start of a value, as text."""
    elements = value[:8] if isinstance(value, np.ndarray | tuple) else ()
    return ' '.join(each.type if isinstance(each, Node) else str(each) for each in elements)


def _nodes_in(value: Value | Reference) -> list[Node]:
    values = value if isinstance(value, tuple) else ()
    return [each for each in values if isinstance(each, Node)]


def _inner_first(root: Node) -> list[Node]:
    """Return the nodes that depend on the instance, each after those below it."""
    order: list[Node] = []
    seen: set[int] = set()
    waiting = [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            waiting.append((node, True))
            waiting += [(each, False) for each in node.children if each.has_references]
    return order


def _replaced(
    node: Node, values: Mapping[str, Value | Reference], made: Mapping[int, Node]
) -> dict[str, Value | Reference]:
    """Return the fields of a node, of which references and nodes are replaced."""
    fields: dict[str, Value | Reference] = {}
    for name, value in node.fields.items():
        if not isinstance(value, Reference):
            nodes = _nodes_in(value)
            fields[name] = tuple(made.get(id(each), each) for each in nodes) if nodes else value
        elif value.field in values:
            fields[name] = values[value.field]
    return fields


def _right(expected: FieldType, value: Value) -> Value | None:
    """Return a value in the form of its type, or None if it is wrong."""
    if len(value) == 0:  # empty brackets are of any kind
        value = ()
    if expected.kind is FieldKind.NUMBERS:
        return _right_numbers(expected, value)
    element = {FieldKind.FLAGS: bool, FieldKind.TEXTS: str, FieldKind.NODES: Node}[expected.kind]
    if not isinstance(value, tuple) or not all(isinstance(each, element) for each in value):
        return None
    few = len(value) == 1 or (not value and expected.kind is not FieldKind.FLAGS)
    return value if few or not expected.single else None


def _right_numbers(expected: FieldType, value: Value) -> Value | None:
    if not isinstance(value, np.ndarray):
        named = _AXES.get(str(value[0])) if value else np.empty(0)
        return None if named is None else _right_numbers(expected, named)
    odd = value.size - expected.width if expected.single else value.size % expected.width
    return value if odd == 0 and np.isfinite(value).all() else None
