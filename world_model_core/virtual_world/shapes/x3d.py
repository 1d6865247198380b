# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
X3D's XML encoding -> the same nodes as of VRML97.

The syntax is that of ISO/IEC 19776-1. Damaged XML is read as far as possible; entities are not
expanded and nothing else is opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.shapes.node_builder import NodeBuilder, Prototype
from world_model_core.virtual_world.shapes.node_types import (
    KNOWN,
    TYPE_ALIASES,
    FieldKind,
    field_type,
)
from world_model_core.virtual_world.shapes.nodes import Node, Reference
from world_model_core.virtual_world.xml_files import parse_xml

if TYPE_CHECKING:
    from world_model_core.findings import Findings
    from world_model_core.virtual_world.shapes.node_types import FieldType
    from world_model_core.virtual_world.shapes.nodes import Value

__all__ = ['read_x3d']

# Fields in which nodes are by default (containerField); of all others: children.
CONTAINERS = {
    'Appearance': 'appearance', 'Material': 'material', 'ImageTexture': 'texture',
    'TextureTransform': 'textureTransform', 'Color': 'color', 'ColorRGBA': 'color',
    'Coordinate': 'coord', 'Normal': 'normal', 'TextureCoordinate': 'texCoord',
    **dict.fromkeys(
        ('Box', 'Cone', 'Cylinder', 'ElevationGrid', 'Extrusion', 'IndexedFaceSet',
         'IndexedLineSet', 'PointSet', 'Sphere'),
        'geometry',
    ),
}  # fmt: skip
# Elements that are neither nodes nor contain any.
OTHERS = {'EXPORT', 'IMPORT', 'ROUTE', 'component', 'head', 'meta', 'unit'}
TEXT = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"?', re.DOTALL)


def read_x3d(data: bytes, file: str, findings: Findings) -> tuple[Node, ...]:
    """
    Read an X3D file in XML.

    Parameters
    ----------
    data : bytes
    file : str
        Path relative to the folder of the world, for findings.
    findings : Findings
        Receives what is wrong; with an error, the nodes must not be used.

    Returns
    -------
    tuple of Node
        The nodes of the scene, in the units and axes of the file; empty after an error.

    """
    report = FileFindings(file, findings)
    root = parse_xml(data, report)
    if root is None:
        return ()
    scene = root if _tag(root) == 'Scene' else root.find('{*}Scene')
    if scene is None:
        report.add('X3d.NoScene', f'line {root.sourceline}', found=_tag(root))
        return ()
    return _ElementReader(report).read(scene)


@dataclass(slots=True)
class _OpenElement:
    """
    An element that is open: its values by the names of their fields, and the nodes in it.

    Attributes
    ----------
    element : lxml.etree._Element
    values : dict of str to Value
    nodes : list of tuple of str and Node
        Field and node.
    prototype : Prototype
        Of ProtoDeclare.

    """

    element: etree._Element
    values: dict[str, Value | Reference] = field(default_factory=dict)
    nodes: list[tuple[str, Node]] = field(default_factory=list)
    prototype: Prototype = field(default_factory=Prototype)


class _ElementReader:
    """Reads the elements of a scene into nodes; nesting is a list of frames, not recursion."""

    def __init__(self, findings: FileFindings) -> None:
        self.findings = findings
        self.builder = NodeBuilder(findings)
        self.frames: list[_OpenElement] = []

    def read(self, scene: etree._Element) -> tuple[Node, ...]:
        """Read all elements and return the nodes at the top."""
        closing = {
            'ExternProtoDeclare': self._close_external,
            'ProtoBody': self._close_body,
            'ProtoDeclare': self._close_prototype,
            'ProtoInterface': self._leave,
            'IS': self._leave,
            'connect': self._close_connect,
            'field': self._close_field,
            'fieldValue': self._close_field_value,
        }
        top = _OpenElement(scene)
        self.frames = [top]
        for event, element in etree.iterwalk(scene, events=('start', 'end')):
            if element is scene or not isinstance(element.tag, str):
                continue
            if event == 'start':
                self._open(element)
            else:
                closing.get(_tag(element), self._close_node)(self.frames.pop())
                if self.builder.is_full(_line(element)):
                    break
        return tuple(node for _, node in top.nodes)

    def _open(self, element: etree._Element) -> None:
        self.frames.append(_OpenElement(element))
        if _tag(element) == 'ProtoBody':
            self.builder.open_prototype()

    def _leave(self, frame: _OpenElement) -> None:
        """Close an element whose content has been handed to the outer ones."""

    def _declared(self, *tags: str) -> _OpenElement | None:
        """Return the declaration that is open if the innermost elements have these tags."""
        inner = self.frames[-len(tags) :]
        return inner[0] if tuple(_tag(each.element) for each in inner) == tags else None

    def _close_node(self, frame: _OpenElement) -> None:
        """Close a node or an instance of a prototype."""
        element = frame.element
        if _tag(element) in OTHERS:
            return
        is_instance = _tag(element) == 'ProtoInstance'
        type_ = element.get('name', '') if is_instance else _tag(element)
        line = _line(element)
        node = (
            self.builder.use(element.get('USE', ''), line)
            if 'USE' in element.attrib
            else self.builder.node(
                type_, element.get('DEF', ''), line, self._fields(frame, type_, is_instance)
            )
        )
        if node is not None:
            container = element.get('containerField') or CONTAINERS.get(node.type, 'children')
            self.frames[-1].nodes.append((container, node))

    def _fields(
        self, frame: _OpenElement, type_: str, is_instance: bool
    ) -> dict[str, Value | Reference]:
        """Return the fields of a node: attributes, nodes in it, and references."""
        fields: dict[str, Value | Reference] = {}
        for name, expected in KNOWN.get(TYPE_ALIASES.get(type_, type_), {}).items():
            text = None if is_instance else frame.element.get(name)
            if text is not None:
                fields[name] = _value(expected, text)
        inner: dict[str, list[Node]] = {}
        for container, node in frame.nodes:
            inner.setdefault(container, []).append(node)
        return {**fields, **{key: tuple(nodes) for key, nodes in inner.items()}, **frame.values}

    def _close_connect(self, frame: _OpenElement) -> None:
        """Connect a field of the node around IS to one of the prototype."""
        names = frame.element.get('nodeField'), frame.element.get('protoField')
        if len(self.frames) > 1 and names[0] and names[1]:
            self.frames[-2].values[names[0]] = Reference(names[1])

    def _close_field(self, frame: _OpenElement) -> None:
        """Declare a field of a prototype."""
        declaration = self._declared('ProtoDeclare', 'ProtoInterface')
        name, known = frame.element.get('name', ''), field_type(frame.element.get('type', ''))
        if declaration is None or known is None:
            return
        declaration.prototype.types[name] = known
        if frame.nodes:
            declaration.prototype.defaults[name] = tuple(node for _, node in frame.nodes)
        elif text := frame.element.get('value'):
            declaration.prototype.defaults[name] = _value(known, text)

    def _close_field_value(self, frame: _OpenElement) -> None:
        """Set a field of an instance."""
        instance, name = self.frames[-1], frame.element.get('name', '')
        expected = self.builder.field_type(instance.element.get('name', ''), name)
        if frame.nodes:
            instance.values[name] = tuple(node for _, node in frame.nodes)
        elif expected is not None:
            instance.values[name] = _value(expected, frame.element.get('value', ''))

    def _close_body(self, frame: _OpenElement) -> None:
        declaration = self._declared('ProtoDeclare')
        prototype = Prototype() if declaration is None else declaration.prototype
        name = '' if declaration is None else declaration.element.get('name', '')
        self.builder.close_prototype(name, prototype, [node for _, node in frame.nodes])

    def _close_prototype(self, frame: _OpenElement) -> None:
        """Close a declaration; one without a body has no nodes."""
        name = frame.element.get('name', '')
        if frame.element.find('{*}ProtoBody') is None:
            self.builder.open_prototype()
            self.builder.close_prototype(name, frame.prototype, ())

    def _close_external(self, frame: _OpenElement) -> None:
        self.builder.refuse_external(frame.element.get('name', ''), _line(frame.element))


def _tag(element: etree._Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition('}')[2]


def _line(element: etree._Element) -> int:
    line = element.sourceline
    return line if isinstance(line, int) else 0


def _value(expected: FieldType, text: str) -> Value:
    """Convert the text of an attribute; what cannot be converted stays a text."""
    if expected.kind is FieldKind.NUMBERS:
        try:
            return np.array(list(map(float, text.replace(',', ' ').split())), dtype=np.float64)
        except ValueError:
            return (text,)
    if expected.kind is FieldKind.FLAGS:
        flags = {'true': True, 'false': False}
        flag = flags.get(text.strip().lower())
        return (text,) if flag is None else (flag,)
    if expected.single:
        return (text,)
    texts = tuple(re.sub(r'\\(.)', r'\1', each) for each in TEXT.findall(text))
    return texts or ((text,) if text.strip() else ())
