# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reading of SIGVerse's world, class and simple-shape files as documents.

The original reads them as streams of tags: what is set belongs to the last object that was opened
and not yet closed. So it is here, and elements that are not closed do not swallow others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from lxml import etree

from world_model_core.virtual_world.shapes.body_xml import ROOT
from world_model_core.virtual_world.worlds.sigverse_documents import (
    AttributeDeclaration,
    CameraDocument,
    ClassDocument,
    EntityDocument,
    Setting,
    ShapeReference,
    SimpleShape,
    WorldDocument,
    WrittenAt,
)
from world_model_core.virtual_world.xml_files import place, read_xml, tag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from world_model_core.files.file_findings import FileFindings

__all__ = [
    'POSITION',
    'QUATERNION',
    'SCALE',
    'read_class_document',
    'read_simple_shapes',
    'read_world_document',
]

POSITION = ('x', 'y', 'z')
QUATERNION = ('qw', 'qx', 'qy', 'qz')
SCALE = ('scalex', 'scaley', 'scalez')
KINDS = ('double', 'string', 'bool')
SHAPES = ('box', 'cylinder', 'sphere')


def read_world_document(path: Path, notes: FileFindings) -> WorldDocument | None:
    """
    Read a world file.

    Parameters
    ----------
    path : Path
    notes : FileFindings
        Receives the findings.

    Returns
    -------
    WorldDocument or None
        None if it is not XML, or its root is no world.

    """
    root = _read_root(path, notes, 'world')
    if root is None:
        return None
    reader = _WorldReader(notes)
    reader.walk(root)
    return WorldDocument(
        reader.required(root, 'name'),
        root.get('namespace', ''),
        root.get('inherit', ''),
        reader.gravity,
        reader.parameters,
        reader.contact,
        tuple(reader.entities),
    )


def read_class_document(path: Path, notes: FileFindings) -> ClassDocument | None:
    """Read a class file; see `read_world_document`."""
    root = _read_root(path, notes, 'define-class')
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
    root = _read_root(path, notes, 'simpleshapedesc')
    if root is None:
        return {}
    reader = _SimpleShapeReader(notes)
    reader.walk(root)
    return reader.simple_shapes


def _read_root(path: Path, notes: FileFindings, tag: str) -> etree._Element | None:
    root = read_xml(path, notes)
    if root is not None and tag_of(root) != tag:
        notes.add('Sigverse.WrongRoot', place(root), found=tag_of(root), tag=tag)
        return None
    return root


@dataclass(slots=True)
class _Reader:
    """Takes the tags of a file one after another."""

    notes: FileFindings
    # Methods by the tags that they take, and tags that need none.
    starts: ClassVar[Mapping[str, Callable[..., None]]] = {}
    ends: ClassVar[Mapping[str, Callable[..., None]]] = {}

    def walk(self, root: etree._Element) -> None:
        """Take all elements below the root, at their starts and ends."""
        for event, element in etree.iterwalk(root, events=('start', 'end')):
            if element is root:
                continue
            tag = tag_of(element)
            if event == 'end':
                if tag in self.ends:
                    self.ends[tag](self, element)
            elif tag in self.starts:
                self.starts[tag](self, element)
            else:
                self.notes.add('Sigverse.UnknownElement', place(element), found=tag)

    def required(self, element: etree._Element, name: str) -> str:
        """Return an attribute of an element, or an empty text with a finding."""
        value = element.get(name)
        if value is None:
            self.notes.add(
                'Sigverse.MissingAttribute', place(element), found=name, tag=tag_of(element)
            )
            return ''
        return value

    def at(self, element: etree._Element) -> WrittenAt:
        """Return the place of an element."""
        return WrittenAt(self.notes.file, place(element))

    def setting(self, element: etree._Element, name: str) -> Setting:
        """Return an attribute of an element as a setting."""
        return Setting(self.required(element, name), self.at(element))

    def settings_of(self, element: etree._Element) -> dict[str, Setting]:
        """Return all attributes of an element as settings."""
        at = self.at(element)
        return {str(name): Setting(str(text), at) for name, text in element.items()}


@dataclass(slots=True)
class _OpenEntity:
    """An entity whose element is not yet closed."""

    class_file: str
    robot: bool
    is_kept: bool
    at: WrittenAt
    settings: dict[str, Setting] = field(default_factory=dict)
    cameras: list[CameraDocument] = field(default_factory=list)
    shape_file: str = ''

    def document(self) -> EntityDocument:
        """Return the document of the entity."""
        return EntityDocument(
            self.class_file,
            self.robot,
            self.settings,
            tuple(self.cameras),
            self.shape_file,
            self.at,
        )


@dataclass(slots=True)
class _WorldReader(_Reader):
    """Reads the elements of a world."""

    gravity: dict[str, Setting] = field(default_factory=dict)
    parameters: dict[str, Setting] = field(default_factory=dict)
    contact: dict[str, Setting] = field(default_factory=dict)
    entities: list[EntityDocument] = field(default_factory=list)
    open: _OpenEntity | None = None

    def take_gravity(self, element: etree._Element) -> None:
        self.gravity = {name: self.setting(element, name) for name in POSITION}

    def take_parameters(self, element: etree._Element) -> None:
        self.parameters |= self.settings_of(element)

    def take_contact(self, element: etree._Element) -> None:
        self.contact |= self.settings_of(element)

    def open_instance(self, element: etree._Element) -> None:
        """Open an entity of a class."""
        self.close(element)
        file = self.required(element, 'class')
        robot = element.get('type', '') == 'Robot'
        self.open = _OpenEntity(file, robot, bool(file), self.at(element))

    def open_entity(self, element: etree._Element) -> None:
        """Open an entity in the form of version 2.1."""
        self.close(element)
        self.open = _OpenEntity('', element.get('robot') == 'true', True, self.at(element))
        self.open.settings['name'] = self.setting(element, 'name')
        if 'agent' in element.attrib:
            self.open.settings['agent'] = self.setting(element, 'agent')

    def close(self, _element: etree._Element) -> None:
        """Keep the entity that is open, unless it lacks a class."""
        if self.open is not None and self.open.is_kept:
            self.entities.append(self.open.document())
        self.open = None

    def take_setting(self, element: etree._Element) -> None:
        entity = self._around(element)
        if entity is not None:
            entity.settings[self.required(element, 'name')] = self.setting(element, 'value')

    def take_camera(self, element: etree._Element) -> None:
        entity = self._around(element)
        if entity is not None:
            values = {str(name): str(text) for name, text in element.items()}
            entity.cameras.append(CameraDocument(values, self.at(element)))

    def take_shape(self, element: etree._Element) -> None:
        """Take shape file and scale of an entity in the form of version 2.1."""
        entity = self._around(element)
        if entity is not None:
            entity.shape_file = self.required(element, 'filename')
            entity.settings |= self._list(element, 'scale', SCALE)

    def take_attributes(self, element: etree._Element) -> None:
        """Take the attributes of an entity in the form of version 2.1."""
        entity = self._around(element)
        if entity is None:
            return
        entity.settings |= self._list(element, 'position', POSITION)
        if 'quaternion' in element.attrib:
            entity.settings |= self._list(element, 'quaternion', QUATERNION)
        elif 'direction' in element.attrib:
            entity.settings |= self._direction(element)
        for name in ('mass', 'collision'):
            if name in element.attrib:
                entity.settings[name] = self.setting(element, name)

    def _around(self, element: etree._Element) -> _OpenEntity | None:
        """Return the entity that an element belongs to."""
        if self.open is None:
            self.notes.add('Sigverse.OutsideEntity', place(element), found=tag_of(element))
        return self.open

    def _list(
        self, element: etree._Element, name: str, names: tuple[str, ...]
    ) -> dict[str, Setting]:
        """Return settings for the words of a list."""
        words = element.get(name, '').split()
        if len(words) == len(names):
            at = self.at(element)
            return {each: Setting(word, at) for each, word in zip(names, words, strict=True)}
        if name in element.attrib:
            found, count = element.get(name), len(names)
            self.notes.add(
                'Sigverse.WrongCount', place(element), found=found, name=name, count=count
            )
        return {}

    def _direction(self, element: etree._Element) -> dict[str, Setting]:
        """Return the quaternion that turns +Z to a direction, seen from above."""
        try:
            x, _, z = (float(word) for word in element.get('direction', '').split())
        except ValueError:
            x = z = math.nan
        if not 0.0 < math.hypot(x, z) < math.inf:
            found = element.get('direction')
            self.notes.add('Sigverse.BadDirection', place(element), found=found)
            return {}
        half = 0.5 * math.atan2(x, z)
        words = (repr(math.cos(half)), '0.0', repr(math.sin(half)), '0.0')
        at = self.at(element)
        return {name: Setting(word, at) for name, word in zip(QUATERNION, words, strict=True)}

    starts: ClassVar[Mapping[str, Callable[..., None]]] = {
        'gravity': take_gravity,
        'worldparam': take_parameters,
        'collisionparam': take_contact,
        'instanciate': open_instance,
        'instantiate': open_instance,
        'entity': open_entity,
        'set-attr-value': take_setting,
        'camera': take_camera,
        'x3d': take_shape,
        'attribute': take_attributes,
    }
    ends: ClassVar[Mapping[str, Callable[..., None]]] = {
        'instanciate': close,
        'instantiate': close,
        'entity': close,
    }


@dataclass(slots=True)
class _SimpleShapeReader(_Reader):
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
