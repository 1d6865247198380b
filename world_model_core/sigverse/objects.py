# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulation objects as bytes: attributes and parts, as SIGVerse's SimObjBase writes them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from world_model_core.sigverse.primitives import (
    I16,
    I32,
    REAL,
    TEXT,
    U16,
    U32,
    Record,
    Repeated,
    SigversePacketError,
    Sized,
    Source,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.sigverse.primitives import Kind

__all__ = ['OBJECT', 'ObjectAttribute', 'ObjectPart', 'PacketObject', 'PartShape']

AttributeValue: TypeAlias = 'str | float | bool'

# Types of values; the others of SIGVerse are never written by it.
_STRING, _DOUBLE, _BOOL = 0, 6, 7
# The only way in which SIGVerse writes a rotation: a quaternion.
_QUATERNION = 0


class PartShape(IntEnum):
    """Shape of a part."""

    BOX = 0
    CYLINDER = 1
    SPHERE = 2


# Lengths of each shape: size along x, y and z; radius and length; radius.
_LENGTHS = {PartShape.BOX: 3, PartShape.CYLINDER: 2, PartShape.SPHERE: 1}


@dataclass(frozen=True, slots=True)
class ObjectAttribute:
    """An attribute of an object: name, group such as "pos", and value, in units of the file."""

    name: str
    group: str
    value: AttributeValue


@dataclass(frozen=True, slots=True)
class ObjectPart:
    """
    A part of an object.

    Attributes
    ----------
    number : int
    shape : PartShape
    name : str
    position : tuple of float
        In the world, in units and axes of the file, mostly cm with y up.
    orientation : tuple of float
        Quaternion wxyz.
    lengths : tuple of float
        Of a box its size along x, y and z; of a cylinder radius and length; of a sphere its
        radius.

    """

    number: int
    shape: PartShape
    name: str
    position: tuple[float, ...]
    orientation: tuple[float, ...]
    lengths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PacketObject:
    """
    A simulation object.

    Attributes
    ----------
    number : int
    name, class_name : str
    attached : int
        Whether a controller is attached: 0 or 1.
    operations : int
        What was changed since the last step, by the flags of the original.
    attributes : tuple of ObjectAttribute
    parts : tuple of ObjectPart

    """

    number: int
    name: str
    class_name: str
    attached: int
    operations: int
    attributes: tuple[ObjectAttribute, ...]
    parts: tuple[ObjectPart, ...]


class _ValueKind:
    """The value of an attribute, behind its type."""

    def read(self, source: Source, what: str) -> AttributeValue:
        """Read a value."""
        number = I16.read(source, f'the type of {what}')
        if number == _STRING:
            return TEXT.read(source, what)
        if number == _DOUBLE:
            return float(REAL.read(source, what))
        if number == _BOOL:
            return bool(I16.read(source, what))
        raise SigversePacketError(f'the type of {what} is {number}; it must be 0, 6 or 7')

    def write(self, value: AttributeValue, target: bytearray, what: str) -> None:
        """Append a value."""
        if isinstance(value, bool):
            I16.write(_BOOL, target, what)
            I16.write(value, target, what)
        elif isinstance(value, str):
            I16.write(_STRING, target, what)
            TEXT.write(value, target, what)
        else:
            I16.write(_DOUBLE, target, what)
            REAL.write(value, target, what)


class _ShapeKind:
    """The shape of a part."""

    def read(self, source: Source, what: str) -> PartShape:
        """Read a shape."""
        number = I16.read(source, what)
        if number not in _LENGTHS:
            raise SigversePacketError(f'{what} is {number}; it must be 0 to 2')
        return PartShape(number)

    def write(self, value: PartShape, target: bytearray, what: str) -> None:
        """Append a shape."""
        I16.write(value, target, what)


class _OrientationKind:
    """A quaternion, behind the type of the rotation."""

    def read(self, source: Source, what: str) -> tuple[float, ...]:
        """Read a quaternion wxyz."""
        if (number := I16.read(source, what)) != _QUATERNION:
            raise SigversePacketError(f'the type of {what} is {number}; it must be 0')
        return _FOUR.read(source, what)

    def write(self, value: Sequence[float], target: bytearray, what: str) -> None:
        """Append a quaternion wxyz."""
        I16.write(_QUATERNION, target, what)
        _FOUR.write(value, target, what)


class _PartKind:
    """A part, which has as many lengths as its shape needs."""

    def read(self, source: Source, what: str) -> ObjectPart:
        """Read a part."""
        part = _PART.read(source, what)
        _check_lengths(part, what)
        return part

    def write(self, value: ObjectPart, target: bytearray, what: str) -> None:
        """Append a part."""
        _check_lengths(value, what)
        _PART.write(value, target, what)


def _check_lengths(part: ObjectPart, what: str) -> None:
    if len(part.lengths) != (expected := _LENGTHS[part.shape]):
        raise SigversePacketError(
            f'{what}: the {part.shape.name.lower()} {part.name!r} has {len(part.lengths)} '
            f'lengths; it must have {expected}'
        )


class _Rest:
    """As many values as fit into the bytes that are left."""

    def __init__(self, kind: Kind[Any]) -> None:
        self._kind = kind

    def read(self, source: Source, what: str) -> tuple[Any, ...]:
        """Read values until there is no byte left."""
        values = []
        while source.left:
            values.append(self._kind.read(source, what))
        return tuple(values)

    def write(self, value: Sequence[Any], target: bytearray, what: str) -> None:
        """Append the values."""
        for each in value:
            self._kind.write(each, target, what)


class _ObjectKind:
    """An object: its own size, what it is, where attributes and parts begin, and these."""

    def read(self, source: Source, what: str) -> PacketObject:
        """Read an object."""
        start = source.position
        size = U16.read(source, f'the size of {what}')
        if not 2 <= size <= source.left + 2:
            raise SigversePacketError(
                f'the size of {what} is {size}; {source.left + 2} bytes are left'
            )
        part = Source(source.data, source.position, start + size)
        head = [kind.read(part, f'{what}.{name}') for name, kind in _HEAD.items()]
        begins = [U16.read(part, f'{what}.{name}') + start for name in _OFFSETS]
        contents = []
        for (name, kind), begin in zip(_CONTENTS.items(), begins, strict=True):
            if part.position != begin:
                raise SigversePacketError(
                    f'{what}.{name} begin at byte {begin - start}; '
                    f'this must be {part.position - start}'
                )
            contents.append(kind.read(part, f'{what}.{name}'))
        part.finish()
        source.position = part.position
        return PacketObject(*head, *contents)

    def write(self, value: PacketObject, target: bytearray, what: str) -> None:
        """Append an object."""
        head, contents = bytearray(), []
        for name, kind in _HEAD.items():
            kind.write(getattr(value, name), head, f'{what}.{name}')
        for name, contained in _CONTENTS.items():
            contents.append(bytearray())
            contained.write(getattr(value, name), contents[-1], f'{what}.{name}')
        begin = 2 + len(head) + 2 * len(_OFFSETS)
        for name, content in zip(_OFFSETS, contents, strict=True):
            U16.write(begin, head, f'{what}.{name}')
            begin += len(content)
        U16.write(begin, target, f'the size of {what}')
        for each in (head, *contents):
            target += each


_FOUR = Repeated(REAL, 4)
_ATTRIBUTE = Record(ObjectAttribute, TEXT, TEXT, Sized(_ValueKind()))


_PART = Record(
    ObjectPart, I32, _ShapeKind(), TEXT, Repeated(REAL, 3), _OrientationKind(), Sized(_Rest(REAL))
)
_HEAD: dict[str, Kind[Any]] = {
    'number': I32,
    'name': TEXT,
    'class_name': TEXT,
    'attached': I16,
    'operations': U32,
}
_OFFSETS = ('offset of attributes', 'offset of parts')
_CONTENTS: dict[str, Kind[Any]] = {
    'attributes': Sized(_Rest(Sized(_ATTRIBUTE, including=True)), including=True),
    'parts': Sized(_Rest(Sized(_PartKind(), including=True)), including=True),
}

OBJECT = _ObjectKind()
