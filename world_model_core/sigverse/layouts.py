# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How a content lies in the data of one packet, or of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from world_model_core.sigverse.primitives import (
    U16,
    U32,
    Fields,
    Record,
    SigversePacketError,
    Source,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.sigverse.primitives import Kind

__all__ = ['Batches', 'PacketLayout', 'Parts', 'Single']

# Most bytes of raw data in a packet.
UNIT_DATA_SIZE = 10_000


class PacketLayout(Protocol):
    """
    The layout of a type of packets.

    Attributes
    ----------
    made : type
        The class of the content.

    """

    made: type

    def split(self, content: Any) -> list[bytes]:
        """
        Return the data of the packets of a content.

        Raises
        ------
        SigversePacketError
            A value does not fit.

        """
        ...

    def join(self, parts: Sequence[bytes]) -> Any:
        """
        Return the content of packets.

        Raises
        ------
        SigversePacketError
            The data are not valid.

        """
        ...


class Single:
    """
    A content in one packet.

    Parameters
    ----------
    made : type
        The class of the content.
    kinds : Kind
        Of its fields, in their order.

    """

    def __init__(self, made: type, *kinds: Kind[Any]) -> None:
        self.made, self.kinds = made, kinds
        self._record: Record[Any] = Record(made, *kinds)

    def split(self, content: Any) -> list[bytes]:
        """Return the data of the packet."""
        return [_written(self._record, content, self.made.__name__)]

    def join(self, parts: Sequence[bytes]) -> Any:
        """Return the content."""
        if len(parts) != 1:
            raise SigversePacketError(
                f'{self.made.__name__} has {len(parts)} packets; it must have 1'
            )
        return _read(self._record, parts[0], self.made.__name__)


class Parts:
    """
    A content whose last field, raw bytes, follows in packets of its own.

    The first packet has the other fields and the number of bytes as u32, each other one the number
    of its bytes as u16 and at most 10,000 bytes.

    Parameters
    ----------
    made : type
        The class of the content.
    kinds : Kind
        Of the other fields, in their order.

    """

    def __init__(self, made: type, *kinds: Kind[Any]) -> None:
        self.made, self.kinds = made, kinds
        self._fields = Fields(made, *kinds)
        *_, self._raw = made.__dataclass_fields__  # type: ignore[attr-defined]

    def split(self, content: Any) -> list[bytes]:
        """Return the data of the packets."""
        raw: bytes = getattr(content, self._raw)
        first = bytearray(_written(self._fields, content, self.made.__name__))
        U32.write(len(raw), first, f'the number of {self._raw}')
        begins = range(0, len(raw), UNIT_DATA_SIZE)
        rest = (raw[begin : begin + UNIT_DATA_SIZE] for begin in begins)
        return [bytes(first), *(len(each).to_bytes(2, 'big') + each for each in rest)]

    def join(self, parts: Sequence[bytes]) -> Any:
        """Return the content."""
        name = self.made.__name__
        source = Source(parts[0])
        values = self._fields.read(source, name)
        size = U32.read(source, f'the number of {self._raw}')
        source.finish()
        raw = b''.join(_sized(each, f'{name}.{self._raw}') for each in parts[1:])
        if len(raw) != size:
            raise SigversePacketError(
                f'{name}.{self._raw} has {len(raw)} bytes; it must have {size}'
            )
        return self.made(*values, raw)


class Batches:
    """
    A content whose only field is a sequence that is spread over packets.

    Parameters
    ----------
    made : type
        The class of the content.
    kind : Kind
        Of the items of a packet, as a sequence.
    most : int
        Most items of a packet.
    spare : bool
        Whether a packet without items follows if the last one is full, as SIGVerse does with
        names.

    """

    def __init__(self, made: type, kind: Kind[Any], most: int, *, spare: bool = False) -> None:
        self.made, self.kind = made, kind
        self._most = most
        self._spare = spare

    def split(self, content: Any) -> list[bytes]:
        """Return the data of the packets; none for a sequence without items, unless spare."""
        (name,) = self.made.__dataclass_fields__  # type: ignore[attr-defined]
        items = getattr(content, name)
        begins = range(0, len(items) + self._spare, self._most)
        return [
            _written(self.kind, items[begin : begin + self._most], self.made.__name__)
            for begin in begins
        ]

    def join(self, parts: Iterable[bytes]) -> Any:
        """Return the content."""
        found = (_read(self.kind, each, self.made.__name__) for each in parts)
        return self.made(tuple(item for items in found for item in items))


def _sized(part: bytes, what: str) -> bytes:
    """Return the bytes of a part of raw data."""
    source = Source(part)
    size = U16.read(source, f'the size of {what}')
    if size != source.left or size > UNIT_DATA_SIZE:
        raise SigversePacketError(
            f'a packet of {what} has {source.left} bytes and says {size}; '
            f'there must be as many, and at most {UNIT_DATA_SIZE}'
        )
    return part[2:]


def _written(kind: Any, value: Any, what: str) -> bytes:
    target = bytearray()
    kind.write(value, target, what)
    return bytes(target)


def _read(kind: Kind[Any], data: bytes, what: str) -> Any:
    source = Source(data)
    value = kind.read(source, what)
    source.finish()
    return value
