# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Kinds of values in packets: how each is read from bytes and written to them.

Integers are big-endian, real numbers little-endian, as SIGVerse wrote them on x86
(commonlib/binary.h). Padding is ignored when it is read, as the original does not initialize it,
and written as zeros.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from world_model_core.errors import PacketError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    'FLAG',
    'I16',
    'I32',
    'REAL',
    'TEXT',
    'U16',
    'U32',
    'Fields',
    'IfMore',
    'Kind',
    'Listed',
    'NumberKind',
    'Record',
    'Repeated',
    'SigversePacketError',
    'Sized',
    'Source',
    'Unless',
]

Value = TypeVar('Value')


class SigversePacketError(PacketError):
    """Bytes that are no packet of SIGVerse, or a value that does not fit into one."""


class Source:
    """
    Bytes that are read from the front.

    Parameters
    ----------
    data : bytes
    start, stop : int
        Of the part that is read; `stop` None: the end.

    """

    def __init__(self, data: bytes, start: int = 0, stop: int | None = None) -> None:
        self.data = data
        self.position = start
        self.stop = len(data) if stop is None else stop

    @property
    def left(self) -> int:
        """Number of bytes that are not read yet."""
        return self.stop - self.position

    def take(self, count: int, what: str) -> int:
        """
        Go over some bytes.

        Returns
        -------
        int
            Where they begin.

        Raises
        ------
        SigversePacketError
            There are not so many left.

        """
        if count > self.left:
            raise SigversePacketError(f'{what} needs {count} bytes; {self.left} are left')
        begin = self.position
        self.position += count
        return begin

    def finish(self) -> None:
        """
        Check that all was read.

        Raises
        ------
        SigversePacketError

        """
        if self.left:
            raise SigversePacketError(f'{self.left} bytes follow after the last value')


class Kind(Protocol[Value]):
    """How a value is read and written."""

    def read(self, source: Source, what: str) -> Value:
        """Read a value that is called `what` in errors."""
        ...

    def write(self, value: Value, target: bytearray, what: str) -> None:
        """Append a value to `target`."""
        ...


class NumberKind:
    """
    A number of a fixed size.

    Parameters
    ----------
    layout : str
        As the module `struct` writes it.

    """

    def __init__(self, layout: str) -> None:
        self.layout = layout
        self._struct = struct.Struct(layout)

    def read(self, source: Source, what: str) -> Any:
        """Read a number."""
        begin = source.take(self._struct.size, what)
        return self._struct.unpack_from(source.data, begin)[0]

    def write(self, value: Any, target: bytearray, what: str) -> None:
        """Append a number."""
        try:
            target += self._struct.pack(value)
        except (struct.error, OverflowError) as error:
            raise SigversePacketError(f'{what} is {value!r}: {error}') from None


class _Flag(NumberKind):
    """A bool of one byte."""

    def __init__(self) -> None:
        super().__init__('B')

    def read(self, source: Source, what: str) -> bool:
        """Read a bool: any byte but 0 is true, as in C++."""
        return bool(super().read(source, what))


class _Text:
    """A text: its length as u32, and its bytes, which are padded to a multiple of 4 or more."""

    def read(self, source: Source, what: str) -> str:
        """Read a text; bytes that are no UTF-8 become lone surrogates, and bytes again."""
        length = U32.read(source, f'the length of {what}')
        if not length:
            return ''
        begin = source.take(_padded(length), what)
        return source.data[begin : begin + length].decode('utf-8', 'surrogateescape')

    def write(self, value: str, target: bytearray, what: str) -> None:
        """Append a text."""
        content = _as_bytes(value, what)
        U32.write(len(content), target, f'the length of {what}')
        if content:
            target += content.ljust(_padded(len(content)), b'\0')


def _as_bytes(value: str, what: str) -> bytes:
    try:
        return value.encode('utf-8', 'surrogateescape')
    except UnicodeEncodeError as error:
        raise SigversePacketError(f'{what} is {value!r}: {error.reason}') from None


def _padded(length: int) -> int:
    """Return the bytes of a text that is not empty, with at least one zero behind it."""
    return 4 * (1 + length // 4)


U16, I16 = NumberKind('>H'), NumberKind('>h')
U32, I32 = NumberKind('>I'), NumberKind('>i')
REAL = NumberKind('<d')
FLAG = _Flag()
TEXT = _Text()


@dataclass(frozen=True, slots=True)
class Repeated(Generic[Value]):
    """A fixed number of values."""

    kind: Kind[Value]
    count: int

    def read(self, source: Source, what: str) -> tuple[Value, ...]:
        """Read the values."""
        return tuple(self.kind.read(source, what) for _ in range(self.count))

    def write(self, value: Sequence[Value], target: bytearray, what: str) -> None:
        """Append the values."""
        if len(value) != self.count:
            raise SigversePacketError(f'{what} has {len(value)} values; it must have {self.count}')
        for each in value:
            self.kind.write(each, target, what)


@dataclass(frozen=True, slots=True)
class Listed(Generic[Value]):
    """A number of values, and before them their count."""

    count: Kind[int]
    kind: Kind[Value]

    def read(self, source: Source, what: str) -> tuple[Value, ...]:
        """Read the values; a count that cannot be right is refused before they are read."""
        count = self.count.read(source, f'the number of {what}')
        if not 0 <= count <= source.left:
            raise SigversePacketError(f'the number of {what} is {count}; {source.left} bytes left')
        return tuple(self.kind.read(source, what) for _ in range(count))

    def write(self, value: Sequence[Value], target: bytearray, what: str) -> None:
        """Append the values."""
        self.count.write(len(value), target, f'the number of {what}')
        for each in value:
            self.kind.write(each, target, what)


@dataclass(frozen=True, slots=True)
class Sized(Generic[Value]):
    """
    A value, and before it the number of its bytes as u16.

    Attributes
    ----------
    kind : Kind
    including : bool
        Whether the number counts its own two bytes too.

    """

    kind: Kind[Value]
    including: bool = False

    def read(self, source: Source, what: str) -> Value:
        """Read the value; it must have all the bytes."""
        size = U16.read(source, f'the size of {what}') - (2 if self.including else 0)
        if size < 0:
            raise SigversePacketError(f'the size of {what} is {size + 2}; it must be 2 or more')
        begin = source.take(size, what)
        part = Source(source.data, begin, begin + size)
        value = self.kind.read(part, what)
        part.finish()
        return value

    def write(self, value: Value, target: bytearray, what: str) -> None:
        """Append the value."""
        content = bytearray()
        self.kind.write(value, content, what)
        U16.write(len(content) + (2 if self.including else 0), target, f'the size of {what}')
        target += content


@dataclass(frozen=True, slots=True)
class Unless(Generic[Value]):
    """
    A value that is there only after a number that says so.

    Attributes
    ----------
    kind : Kind
    absent, present : int
        The number as u16: any but `present` means that there is none.

    """

    kind: Kind[Value]
    absent: int
    present: int

    def read(self, source: Source, what: str) -> Value | None:
        """Read the value; None: it is not there."""
        found = U16.read(source, f'whether there is {what}')
        return self.kind.read(source, what) if found == self.present else None

    def write(self, value: Value | None, target: bytearray, what: str) -> None:
        """Append the value."""
        U16.write(self.absent if value is None else self.present, target, what)
        if value is not None:
            self.kind.write(value, target, what)


@dataclass(frozen=True, slots=True)
class IfMore(Generic[Value]):
    """A last value that is there if there are more bytes."""

    kind: Kind[Value]

    def read(self, source: Source, what: str) -> Value | None:
        """Read the value; None: it is not there."""
        return self.kind.read(source, what) if source.left else None

    def write(self, value: Value | None, target: bytearray, what: str) -> None:
        """Append the value, unless it is None."""
        if value is not None:
            self.kind.write(value, target, what)


class Fields:
    """
    The first fields of a dataclass, one after the other.

    Parameters
    ----------
    made : type
        The dataclass.
    kinds : Kind
        Of its first fields, in their order.

    """

    def __init__(self, made: type, *kinds: Kind[Any]) -> None:
        self._kinds = dict(zip((each.name for each in fields(made)), kinds, strict=False))

    def read(self, source: Source, what: str) -> tuple[Any, ...]:
        """Read the values of the fields."""
        return tuple(kind.read(source, f'{what}.{name}') for name, kind in self._kinds.items())

    def write(self, value: Any, target: bytearray, what: str) -> None:
        """Append the fields of a value."""
        for name, kind in self._kinds.items():
            kind.write(getattr(value, name), target, f'{what}.{name}')


class Record(Generic[Value]):
    """
    A dataclass, field by field.

    Parameters
    ----------
    made : type
        The dataclass.
    kinds : Kind
        Of all its fields, in their order.

    """

    def __init__(self, made: type[Value], *kinds: Kind[Any]) -> None:
        self.made, self.kinds = made, kinds
        self._fields = Fields(made, *kinds)

    def read(self, source: Source, what: str) -> Value:
        """Read a value."""
        return self.made(*self._fields.read(source, what))

    def write(self, value: Value, target: bytearray, what: str) -> None:
        """Append a value."""
        self._fields.write(value, target, what)
