# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reading of SIGVerse's class files and files of simple shapes as documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from world_model_core.virtual_world.shapes.body_xml import ROOT
from world_model_core.virtual_world.worlds.sigverse_documents import (
    AttributeDeclaration,
    ClassDocument,
    Setting,
    ShapeReference,
    SimpleShape,
)
from world_model_core.virtual_world.worlds.sigverse_tags import TagReader, read_root
from world_model_core.virtual_world.xml_files import place, tag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from lxml import etree

    from world_model_core.files.file_findings import FileFindings

__all__ = ['read_class_document', 'read_simple_shapes']

KINDS = ('double', 'string', 'bool')
SHAPES = ('box', 'cylinder', 'sphere')


def read_class_document(path: Path, notes: FileFindings) -> ClassDocument | None:
    """Read a class file; None, with a finding, if it is none."""
    root = read_root(path, notes, 'define-class')
    if root is None:
        return None
    reader = _ClassReader(notes)
    reader.walk(root)
    return ClassDocument(
        reader.required(root, 'name'),
        root.get('inherit', ''),
        reader.declarations,
        reader.settings,
        reader.body,
        tuple(reader.shapes),
        reader.simple_shapes,
        reader.simple_shape_file,
        reader.at(root),
    )


def read_simple_shapes(path: Path, notes: FileFindings) -> Mapping[str, SimpleShape]:
    """Read a file of simple shapes; return them by the names of their parts."""
    root = read_root(path, notes, 'simpleshapedesc')
    if root is None:
        return {}
    reader = _SimpleShapeReader(notes)
    reader.walk(root)
    return reader.simple_shapes


@dataclass(slots=True)
class _SimpleShapeReader(TagReader):
    """Reads simple shapes of parts."""

    simple_shapes: dict[str, SimpleShape] = field(default_factory=dict)
    _part: str = ROOT
    _kind: str = ''
    _position: dict[str, str] = field(default_factory=dict)
    _size: dict[str, str] = field(default_factory=dict)

    def open_part(self, element: etree._Element) -> None:
        """Open the shape of the part with a name."""
        self._open(element, self.required(element, 'name'))

    def open_shape(self, element: etree._Element) -> None:
        """Open the shape of the root."""
        self._open(element, ROOT)

    def _open(self, element: etree._Element, part: str) -> None:
        self._part, self._kind = part, self.required(element, 'type')
        self._position, self._size = {}, {}

    def take_position(self, element: etree._Element) -> None:
        self._position = {str(name): str(text) for name, text in element.items()}

    def take_size(self, element: etree._Element) -> None:
        self._size = {str(name): str(text) for name, text in element.items()}

    def close_shape(self, element: etree._Element) -> None:
        """Keep the shape that is open."""
        if self._kind not in SHAPES:
            self.notes.add(
                'Sigverse.UnknownShape',
                place(element),
                found=self._kind,
                options=', '.join(SHAPES),
            )
            return
        self.simple_shapes[self._part] = SimpleShape(
            self._kind, self._position, self._size, self.at(element)
        )

    starts: ClassVar[Mapping[str, Callable[..., None]]] = {
        'parts': open_part,
        'position': take_position,
        'size': take_size,
    }
    ends: ClassVar[Mapping[str, Callable[..., None]]] = {'parts': close_shape}


@dataclass(slots=True)
class _ClassReader(_SimpleShapeReader):
    """Reads the elements of a class."""

    declarations: dict[str, AttributeDeclaration] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    body: str = ''
    shapes: list[ShapeReference] = field(default_factory=list)
    simple_shape_file: str = ''

    def take_declaration(self, element: etree._Element) -> None:
        """Take the declaration of an attribute."""
        name, kind = self.required(element, 'name'), self.required(element, 'type')
        if kind not in KINDS:
            options = ', '.join(KINDS)
            self.notes.add('Sigverse.UnknownType', place(element), found=kind, options=options)
            kind = 'string'
        self.declarations[name] = AttributeDeclaration(
            kind,
            element.get('group', ''),
            element.get('hidden', '') == 'true',
            self.setting(element, 'value') if 'value' in element.attrib else None,
        )

    def take_setting(self, element: etree._Element) -> None:
        name = self.required(element, 'name')
        self.settings[name] = self.setting(element, 'value')

    def take_body(self, element: etree._Element) -> None:
        self.body = self.required(element, 'filename').strip()

    def take_shape_file(self, element: etree._Element) -> None:
        """Take the file of simple shapes."""
        self.simple_shape_file = (element.text or '').strip()

    def close_x3d(self, element: etree._Element) -> None:
        """Keep a shape file with its part and its state."""
        found = {tag_of(each): each for each in element}
        file = (found['filename'].text or '').strip() if 'filename' in found else ''
        if not file:
            self.notes.add(
                'Sigverse.MissingAttribute', place(element), found='filename', tag='x3d'
            )
            return
        state = found.get('state')
        name, value = ('', '')
        if state is not None:
            name, value = (self.required(state, each) for each in ('name', 'value'))
        self.shapes.append(
            ShapeReference(file, element.get('parts', ''), name, value, self.at(element))
        )

    def pass_by(self, _element: etree._Element) -> None:
        """Leave an element to the end of the one around it."""

    starts: ClassVar[Mapping[str, Callable[..., None]]] = {
        'attr': take_declaration,
        'set-attr-value': take_setting,
        'body': take_body,
        'x3d': pass_by,
        'filename': pass_by,
        'state': pass_by,
        'simpleshape': _SimpleShapeReader.open_shape,
        'position': _SimpleShapeReader.take_position,
        'size': _SimpleShapeReader.take_size,
        'simpleshapefile': take_shape_file,
    }
    ends: ClassVar[Mapping[str, Callable[..., None]]] = {
        'simpleshape': _SimpleShapeReader.close_shape,
        'x3d': close_x3d,
    }
