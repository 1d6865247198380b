# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Strict reader of JSON (RFC 8259).

Python's own reader accepts NaN and Infinity, keeps the last of two equal keys, and converts 1e999
to infinity. Here each of these is an error with its place. `strict_json` raises an exception;
`read_json` and `parse_json` collect findings.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

from world_model_core.files.file_findings import FileFindings, file_catalog
from world_model_core.files.parsed_document import (
    UNUSABLE,
    ParsedDocument,
    escape,
    read_text,
    shown,
)
from world_model_core.findings import Findings, FindingsError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ['DEEPEST', 'LARGEST_JSON', 'JsonError', 'parse_json', 'read_json', 'strict_json']

# Small files of bundles and object maps have less than 1 MB [bytes].
LARGEST_JSON = 8 * 2**20
# Levels of nesting. The documents of this package have up to ten; deeper ones are attacks.
DEEPEST = 64
# A float holds no more digits; Python refuses to read integers of 4300 digits.
MOST_DIGITS = 309

_Trail: TypeAlias = 'tuple[_Trail, str | int] | None'


class JsonError(FindingsError):
    """A text is not strict JSON; the message names the code, the place and the value."""


class _ObjectWithRepeatedKeys(dict[str, Any]):
    """A JSON object in which keys are repeated."""

    repeated: tuple[str, ...]


class _Constant(str):
    """NaN, Infinity or -Infinity."""

    __slots__ = ()


def strict_json(text: str, name: str, largest: int | None = None) -> Any:
    """
    Parse JSON and raise an exception at any deviation from the standard.

    Parameters
    ----------
    text : str
    name : str
        Name of the document in the error message.
    largest : int, optional
        Greatest number of characters; unlimited by default.

    Returns
    -------
    value
        As `json.loads` returns it. All numbers are finite, all texts can be encoded as UTF-8.

    Raises
    ------
    JsonError
        The text is not JSON or ends too early, a key is repeated, a number is not finite or
        exceeds the range of a float, nesting is deeper than `DEEPEST`, a text has half of a
        surrogate pair, or the text is longer than `largest`.

    """
    notes = FileFindings(name, Findings(file_catalog))
    if largest is not None and len(text) > largest:
        notes.add('File.TooLarge', found=len(text), limit=largest)
        raise JsonError(notes.findings.errors)
    document = parse_json(text, notes)
    if document is None or notes.errors:
        raise JsonError(notes.findings.errors[:1])
    return document.value


def read_json(
    path: Path, file: str, findings: Findings, largest: int = LARGEST_JSON
) -> ParsedDocument | None:
    """
    Read a JSON file.

    Parameters
    ----------
    path : Path
    file : str
        Name of the file in findings.
    findings : Findings
        Receives the findings: syntax errors, repeated keys, numbers that exceed the range of a
        float, texts that UTF-8 cannot encode, nesting deeper than `DEEPEST`, and files larger
        than `largest` bytes.

    Returns
    -------
    ParsedDocument or None
        None if the file cannot be parsed.

    """
    notes = FileFindings(file, findings)
    text = read_text(path, notes, largest)
    return None if text is None else parse_json(text, notes)


def parse_json(text: str, notes: FileFindings) -> ParsedDocument | None:
    """Parse JSON; see `read_json`."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_members,
            parse_constant=_Constant,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        _report_syntax(text, error, notes)
        return None
    except RecursionError:
        notes.add('File.TooDeep', limit=DEEPEST)
        return None
    holder = [value]
    return ParsedDocument(holder[0], notes) if _clean(holder, notes) else None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    repeating = _ObjectWithRepeatedKeys(members)
    counts = Counter(key for key, _ in pairs)
    repeating.repeated = tuple(key for key, count in counts.items() if count > 1)
    return repeating


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MOST_DIGITS else math.inf


def _report_syntax(text: str, error: json.JSONDecodeError, notes: FileFindings) -> None:
    """Report a syntax error; a file that ends too early, after a crash, has its own code."""
    ended = error.pos >= len(text.rstrip()) or error.msg.startswith('Unterminated')
    code = 'File.CutOff' if ended else 'File.NotJson'
    notes.add(code, f'line {error.lineno}', found=error.msg, column=error.colno)


def _clean(holder: list[Any], notes: FileFindings) -> bool:
    """Check every value once, without recursion, and replace invalid values by UNUSABLE."""
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
            location: _Trail = None if container is holder else (trail, key)
            if isinstance(item, dict | list):
                waiting.append((item, location, depth + 1))
            elif not _is_usable(item, location, notes):
                container[key] = UNUSABLE
    return True


def _check_keys(members: dict[str, Any], trail: _Trail, notes: FileFindings) -> None:
    if isinstance(members, _ObjectWithRepeatedKeys):
        for key in members.repeated:
            notes.add('File.DuplicateKey', _pointer((trail, key)), found=key, line='')
    for key in members:
        if not _is_encodable(key):
            notes.add('File.LoneSurrogate', _pointer(trail), found=ascii(key))


def _is_usable(item: Any, trail: _Trail, notes: FileFindings) -> bool:
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
