# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
JSON, read strictly: RFC 8259 to the letter, where Python's reader lets much pass.

Python reads NaN and Infinity, which are no JSON, keeps the last of two equal keys, and turns 1e999
into infinity. Each of these is a finding here, with the pointer to it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

from world_model_core.bundle.files.syntax import UNUSABLE, Document, Notes, escape, shown
from world_model_core.bundle.files.text_file import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from world_model_core.bundle.findings import Findings

# The contract expects less than 1 MB of every small file [bytes].
LARGEST = 8 * 2**20
# Deeper documents are attacks or accidents: the contract's nest seven times.
DEEPEST = 64
# Longer integers are more than any float holds; Python refuses to read those of 4300 digits.
MOST_DIGITS = 309

_Trail: TypeAlias = 'tuple[_Trail, str | int] | None'


class _Repeating(dict[str, Any]):
    """An object with keys that stand in it more than once."""

    repeated: tuple[str, ...]


class _Constant(str):
    """A word like NaN, of which JavaScript makes numbers."""

    __slots__ = ()


def read_json(
    path: Path, file: str, findings: Findings, largest: int = LARGEST
) -> Document | None:
    """
    Read a JSON file.

    Parameters
    ----------
    path : Path
    file : str
        How the findings name it.
    findings : Findings
        Are added to: whatever is not JSON, repeated keys, numbers that no float holds, texts that
        UTF-8 has no bytes for, and what is deeper than `DEEPEST` or larger than `largest` bytes.

    Returns
    -------
    Document or None
        None if it cannot be parsed at all.

    """
    notes = Notes(file, findings)
    text = read_text(path, notes, largest)
    return None if text is None else parse_json(text, notes)


def parse_json(text: str, notes: Notes) -> Document | None:
    """Parse JSON, as `read_json` says."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_members,
            parse_constant=_Constant,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        _note_syntax(text, error, notes)
        return None
    except RecursionError:
        notes.add('File.TooDeep', limit=DEEPEST)
        return None
    holder = [value]
    return Document(holder[0], notes) if _clean(holder, notes) else None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    repeating = _Repeating(members)
    counts = Counter(key for key, _ in pairs)
    repeating.repeated = tuple(key for key, count in counts.items() if count > 1)
    return repeating


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MOST_DIGITS else math.inf


def _note_syntax(text: str, error: json.JSONDecodeError, notes: Notes) -> None:
    """Tell a file that ends too early, as that of a writer that was killed, from other faults."""
    ended = error.pos >= len(text.rstrip()) or error.msg.startswith('Unterminated')
    code = 'File.CutOff' if ended else 'File.NotJson'
    notes.add(code, f'line {error.lineno}', found=error.msg, column=error.colno)


def _clean(holder: list[Any], notes: Notes) -> bool:
    """Look at every value once, without recursion, and put UNUSABLE in place of what is none."""
    waiting: list[tuple[Any, _Trail, int]] = [(holder, None, 0)]
    while waiting:
        container, trail, depth = waiting.pop()
        if depth > DEEPEST:
            notes.add('File.TooDeep', _pointer(trail), limit=DEEPEST)
            return False
        keyed: Iterable[tuple[Any, Any]]
        keyed = enumerate(container)
        if isinstance(container, dict):
            _check_keys(container, trail, notes)
            keyed = list(container.items())
        for key, item in keyed:
            kind = type(item)
            if kind is float and math.isfinite(item):
                continue
            # The holder itself is not a part of the document.
            spot: _Trail = None if container is holder else (trail, key)
            if isinstance(item, dict | list):
                waiting.append((item, spot, depth + 1))
            elif not _is_usable(item, spot, notes):
                container[key] = UNUSABLE
    return True


def _check_keys(members: dict[str, Any], trail: _Trail, notes: Notes) -> None:
    if isinstance(members, _Repeating):
        for key in members.repeated:
            notes.add('File.DuplicateKey', _pointer((trail, key)), found=key, line='')
    for key in members:
        if not _is_encodable(key):
            notes.add('File.LoneSurrogate', _pointer(trail), found=ascii(key))


def _is_usable(item: Any, trail: _Trail, notes: Notes) -> bool:
    if isinstance(item, _Constant):
        notes.add('File.JsonConstant', _pointer(trail), found=str(item))
    elif isinstance(item, str):
        if _is_encodable(item):
            return True
        notes.add('File.LoneSurrogate', _pointer(trail), found=ascii(item))
    elif isinstance(item, float):
        notes.add('File.NumberTooLarge', _pointer(trail), found=shown(item))
    else:
        return True
    return False


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _pointer(trail: _Trail) -> str:
    parts: list[str] = []
    while trail is not None:
        trail, key = trail
        parts.append(escape(key).encode(errors='backslashreplace').decode())
    return ''.join(f'/{part}' for part in reversed(parts))
