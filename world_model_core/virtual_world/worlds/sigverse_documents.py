# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Contents of SIGVerse's world and class files, as they are written.

Values stay texts ("[1,2]" is drawn when a world is made), so that writing a document and reading
it again gives an equal document. Lengths have the unit of the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    'AttributeDeclaration',
    'CameraDocument',
    'ClassDocument',
    'EntityDocument',
    'Setting',
    'ShapeReference',
    'SimpleShape',
    'WorldDocument',
    'WrittenAt',
]


@dataclass(frozen=True, slots=True)
class WrittenAt:
    """Place in a file: its name, as in findings, and "line 12"."""

    file: str = ''
    where: str = ''


@dataclass(frozen=True, slots=True)
class Setting:
    """The value of an attribute, as text."""

    text: str
    at: WrittenAt = field(default=WrittenAt(), compare=False)


@dataclass(frozen=True, slots=True)
class CameraDocument:
    """A camera: the attributes of its element, such as "id", "link" and "fov"."""

    values: Mapping[str, str]
    at: WrittenAt = field(default=WrittenAt(), compare=False)


@dataclass(frozen=True, slots=True)
class EntityDocument:
    """
    An entity in a world file.

    Attributes
    ----------
    class_file : str
        Name of the file of its class; empty: an entity in the form of version 2.1.
    robot : bool
        Whether it has the type "Robot", or robot="true".
    settings : mapping of str to Setting
        Values of attributes, by their names.
    cameras : tuple of CameraDocument
    shape_file : str
        Only in the form of version 2.1.
    at : WrittenAt

    """

    class_file: str
    robot: bool = False
    settings: Mapping[str, Setting] = field(default_factory=dict)
    cameras: tuple[CameraDocument, ...] = ()
    shape_file: str = ''
    at: WrittenAt = field(default=WrittenAt(), compare=False)


@dataclass(frozen=True, slots=True)
class WorldDocument:
    """
    A world file.

    Attributes
    ----------
    name : str
    namespace : str
        Name of the server that simulates this world among others.
    inherit : str
        Name of the world file whose content comes first, or empty.
    gravity, parameters, contact : mapping of str to Setting
        The attributes of `gravity` (x, y, z), `worldparam` and `collisionparam`.
    entities : tuple of EntityDocument

    """

    name: str
    namespace: str = ''
    inherit: str = ''
    gravity: Mapping[str, Setting] = field(default_factory=dict)
    parameters: Mapping[str, Setting] = field(default_factory=dict)
    contact: Mapping[str, Setting] = field(default_factory=dict)
    entities: tuple[EntityDocument, ...] = ()


@dataclass(frozen=True, slots=True)
class AttributeDeclaration:
    """
    An attribute of all entities of a class.

    Attributes
    ----------
    kind : str
        "double", "string" or "bool".
    group : str
    hidden : bool
    value : Setting, optional
        The default; None: 0, an empty text or false.

    """

    kind: str
    group: str
    hidden: bool = False
    value: Setting | None = None


@dataclass(frozen=True, slots=True)
class ShapeReference:
    """
    A shape file of a class.

    Attributes
    ----------
    file : str
    part : str
        Name of the part that it shows; empty: all parts.
    state, value : str
        Name and value of the state in which it is shown; empty: if no other shape is.

    """

    file: str
    part: str = ''
    state: str = ''
    value: str = ''
    at: WrittenAt = field(default=WrittenAt(), compare=False)


@dataclass(frozen=True, slots=True)
class SimpleShape:
    """
    Shape of a part in contacts.

    Attributes
    ----------
    kind : str
        "box", "cylinder" or "sphere".
    position, size : mapping of str to str
        x, y, z of its center in the frame of the part; sx, sy, sz or r, h.

    """

    kind: str
    position: Mapping[str, str] = field(default_factory=dict)
    size: Mapping[str, str] = field(default_factory=dict)
    at: WrittenAt = field(default=WrittenAt(), compare=False)


@dataclass(frozen=True, slots=True)
class ClassDocument:
    """
    A class file.

    Attributes
    ----------
    name : str
    inherit : str
        Name of the file of its base class, or empty.
    declarations : mapping of str to AttributeDeclaration
    settings : mapping of str to Setting
        Other defaults of attributes, also of those of base classes.
    body : str
        Name of the body file, or empty.
    shapes : tuple of ShapeReference
    simple_shapes : mapping of str to SimpleShape
        By the name of the part.
    simple_shape_file : str
        File with further simple shapes, or empty.
    at : WrittenAt

    """

    name: str
    inherit: str = ''
    declarations: Mapping[str, AttributeDeclaration] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    body: str = ''
    shapes: tuple[ShapeReference, ...] = ()
    simple_shapes: Mapping[str, SimpleShape] = field(default_factory=dict)
    simple_shape_file: str = ''
    at: WrittenAt = field(default=WrittenAt(), compare=False)
