# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks the structure of MessagePack before it is decoded.

A decoder allocates what lengths claim: an array of 5 bytes may claim 4,294,967,295 items, and each
of its items may do the same. Here every length is compared with the bytes that follow, without
making a value. The formats are those of https://github.com/msgpack/msgpack/blob/master/spec.md.
"""

from __future__ import annotations

from typing import NamedTuple

from world_model_core.virtual_world.agents.events import AgentError

__all__ = ['DEEPEST', 'MOST_ITEMS', 'StructureError', 'check_structure']

# Deepest nesting of arrays and maps, and most values in a frame: the objects of a large world have
# 150 values each.
DEEPEST = 32
MOST_ITEMS = 1_000_000


class StructureError(AgentError):
    """Bytes are no single MessagePack value, or one that is too deep or has too many items."""


class _Format(NamedTuple):
    """
    Format that a first byte names.

    Attributes
    ----------
    size : int
        Bytes after the first one, without the content of a length.
    width : int
        Bytes of a length, which are part of `size`; 0: there is none.
    items : int
        Values that follow for each 1 of the length, or, without a length, in all; 0: the length
        counts bytes.

    """

    size: int
    width: int = 0
    items: int = 0


def _formats() -> tuple[_Format | None, ...]:
    """Return the format of each first byte; None: reserved, or an extension, which is refused."""
    table: list[_Format | None] = [_Format(0)] * 256
    for length in range(16):
        table[0x80 + length] = _Format(0, items=2 * length)
        table[0x90 + length] = _Format(0, items=length)
    for length in range(32):
        table[0xA0 + length] = _Format(length)
    for first in (0xC1, *range(0xC7, 0xCA), *range(0xD4, 0xD9)):
        table[first] = None
    for first, items in ((0xC4, 0), (0xD9, 0)):
        table[first] = _Format(1, 1, items)
    for first, items in ((0xC5, 0), (0xDA, 0), (0xDC, 1), (0xDE, 2)):
        table[first] = _Format(2, 2, items)
    for first, items in ((0xC6, 0), (0xDB, 0), (0xDD, 1), (0xDF, 2)):
        table[first] = _Format(4, 4, items)
    for first, size in ((0xCA, 4), (0xCB, 8)):
        table[first] = _Format(size)
    for power in range(4):
        table[0xCC + power] = table[0xD0 + power] = _Format(2**power)
    return tuple(table)


_FORMATS = _formats()


def check_structure(data: bytes) -> None:
    """
    Check that bytes are one MessagePack value whose lengths are true.

    Raises
    ------
    StructureError

    """
    at, end, claimed = 0, len(data), 1
    # Values still to come in the innermost array or map, and in those around it.
    left = 1
    around: list[int] = []
    while left or around:
        if not left:
            left = around.pop()
            continue
        left -= 1
        if at >= end:
            raise StructureError(f'frame of {end} bytes ends within a value')
        found = _FORMATS[data[at]]
        if found is None:
            raise StructureError(f'byte {at} is {data[at]:#x}; extensions are refused')
        size, width, items = found
        at += 1 + size
        if width:
            length = int.from_bytes(data[at - width : at], 'big')
            at += 0 if items else length
            items *= length
        if items:
            claimed += items
            around.append(left)
            left = items
            _check_items(items, claimed, end - at, len(around))
    if at != end:
        raise StructureError(f'frame has {end} bytes, and its value {at}')


def _check_items(items: int, claimed: int, remaining: int, depth: int) -> None:
    """Check the items of an array or map before they are read."""
    if items > remaining:
        raise StructureError(f'frame claims {items} values in {max(remaining, 0)} bytes')
    if claimed > MOST_ITEMS:
        raise StructureError(f'frame has more than {MOST_ITEMS} values')
    if depth > DEEPEST:
        raise StructureError(f'frame is nested more than {DEEPEST} deep')
