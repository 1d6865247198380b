# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reading of SIGVerse's world files as documents."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from world_model_core.virtual_world.worlds.sigverse_documents import (
    CameraDocument,
    EntityDocument,
    Setting,
    WorldDocument,
    WrittenAt,
)
from world_model_core.virtual_world.worlds.sigverse_tags import TagReader, read_root
from world_model_core.virtual_world.xml_files import place, tag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from lxml import etree

    from world_model_core.files.file_findings import FileFindings

__all__ = ['POSITION', 'QUATERNION', 'SCALE', 'read_world_document']

POSITION = ('x', 'y', 'z')
QUATERNION = ('qw', 'qx', 'qy', 'qz')
SCALE = ('scalex', 'scaley', 'scalez')


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
    root = read_root(path, notes, 'world')
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
class _WorldReader(TagReader):
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
