# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Writing of SIGVerse's world and class files.

What is written reads back as an equal document.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.worlds.sigverse_world_files import POSITION, QUATERNION, SCALE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.virtual_world.worlds.sigverse_documents import (
        ClassDocument,
        EntityDocument,
        Setting,
        WorldDocument,
    )

__all__ = ['UnwritableTextError', 'write_class_document', 'write_world_document']

# Characters that XML 1.0 has no way to write (section 2.2).
_FORBIDDEN = re.compile('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')


class UnwritableTextError(WorldModelError):
    """A text has a character that XML cannot hold."""


def write_world_document(document: WorldDocument) -> bytes:
    """
    Write a world file.

    Returns
    -------
    bytes
        UTF-8.

    Raises
    ------
    UnwritableTextError
        A text has a control character.

    """
    root = etree.Element('world')
    _set(root, name=document.name)
    for name in ('namespace', 'inherit'):
        if getattr(document, name):
            _set(root, **{name: getattr(document, name)})
    for tag, settings in (
        ('gravity', document.gravity),
        ('worldparam', document.parameters),
        ('collisionparam', document.contact),
    ):
        if settings:
            _set(etree.SubElement(root, tag), **_texts(settings))
    for entity in document.entities:
        if entity.class_file:
            _add_instance(root, entity)
        else:
            _add_entity(root, entity)
    return _bytes(root)


def write_class_document(document: ClassDocument) -> bytes:
    """Write a class file; see `write_world_document`."""
    root = etree.Element('define-class')
    _set(root, name=document.name)
    if document.inherit:
        _set(root, inherit=document.inherit)
    _add_attributes(root, document)
    if document.body:
        _set(etree.SubElement(root, 'body'), filename=document.body)
    _add_simple_shapes(root, document)
    _add_shapes(root, document)
    return _bytes(root)


def _add_attributes(root: etree._Element, document: ClassDocument) -> None:
    for name, declared in document.declarations.items():
        element = etree.SubElement(root, 'attr')
        _set(element, name=name, type=declared.kind, group=declared.group)
        if declared.hidden:
            _set(element, hidden='true')
        if declared.value is not None:
            _set(element, value=declared.value.text)
    _add_settings(root, document.settings)


def _add_simple_shapes(root: etree._Element, document: ClassDocument) -> None:
    for shape in document.simple_shapes.values():
        element = etree.SubElement(root, 'simpleShape')
        _set(element, type=shape.kind)
        _set(etree.SubElement(element, 'position'), **shape.position)
        _set(etree.SubElement(element, 'size'), **shape.size)
    if document.simple_shape_file:
        _add_text(root, 'simpleShapeFile', document.simple_shape_file)


def _add_shapes(root: etree._Element, document: ClassDocument) -> None:
    for shape in document.shapes:
        element = etree.SubElement(root, 'x3d')
        if shape.part:
            _set(element, parts=shape.part)
        _add_text(element, 'filename', shape.file)
        if shape.state or shape.value:
            _set(etree.SubElement(element, 'state'), name=shape.state, value=shape.value)


def _add_instance(root: etree._Element, entity: EntityDocument) -> None:
    element = etree.SubElement(root, 'instanciate')
    _set(element, **{'class': entity.class_file})
    if entity.robot:
        _set(element, type='Robot')
    _add_settings(element, entity.settings)
    _add_cameras(element, entity)


def _add_entity(root: etree._Element, entity: EntityDocument) -> None:
    """Write an entity in the form of version 2.1."""
    settings = dict(_texts(entity.settings))
    element = etree.SubElement(root, 'entity')
    _set(element, **_taken(settings, ('name', 'agent')))
    if entity.robot:
        _set(element, robot='true')
    if entity.shape_file:
        _set(etree.SubElement(element, 'x3d'), filename=entity.shape_file)
        _set(element[-1], **_taken_list(settings, 'scale', SCALE))
    attributes = {
        **_taken_list(settings, 'position', POSITION),
        **_taken_list(settings, 'quaternion', QUATERNION),
        **_taken(settings, ('mass', 'collision')),
    }
    if attributes:
        _set(etree.SubElement(element, 'attribute'), **attributes)
    for name, text in settings.items():
        _set(etree.SubElement(element, 'set-attr-value'), name=name, value=text)
    _add_cameras(element, entity)


def _taken(settings: dict[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """Take settings out."""
    return {name: settings.pop(name) for name in names if name in settings}


def _taken_list(
    settings: dict[str, str], list_name: str, names: tuple[str, ...]
) -> dict[str, str]:
    """Take settings out as one list, if all are there and each is one word."""
    texts = [settings.get(name, '') for name in names]
    if any(len(text.split()) != 1 or text.split()[0] != text for text in texts):
        return {}
    return {list_name: ' '.join(_taken(settings, names).values())}


def _add_settings(parent: etree._Element, settings: Mapping[str, Setting]) -> None:
    for name, setting in settings.items():
        _set(etree.SubElement(parent, 'set-attr-value'), name=name, value=setting.text)


def _add_cameras(parent: etree._Element, entity: EntityDocument) -> None:
    for camera in entity.cameras:
        _set(etree.SubElement(parent, 'camera'), **camera.values)


def _add_text(parent: etree._Element, tag: str, text: str) -> None:
    etree.SubElement(parent, tag).text = _checked(text)


def _texts(settings: Mapping[str, Setting]) -> dict[str, str]:
    return {name: setting.text for name, setting in settings.items()}


def _set(element: etree._Element, **values: str) -> None:
    for name, text in values.items():
        element.set(name, _checked(text))


def _checked(text: str) -> str:
    found = _FORBIDDEN.search(text)
    if found is not None:
        raise UnwritableTextError(f'text {text!a} has {found.group()!a}, which XML cannot hold')
    return text


def _bytes(root: etree._Element) -> bytes:
    etree.indent(root)
    return etree.tostring(root, encoding='UTF-8', xml_declaration=True) + b'\n'
