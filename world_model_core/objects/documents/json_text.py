# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""JSON read strictly: what other readers let pass, and what could not be written, is told."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

from world_model_core.objects.documents.json_fields import ObjectMapError, shown

# Deeper documents are attacks or accidents: no tool that writes maps nests ten times.
DEEPEST = 64

_Trail = tuple[Any, ...]


class _Repeating(dict[str, Any]):
    """An object with a key that stands twice: `key`, found when its path is known."""

    key: str


def read_json(text: str, name: str) -> Any:
    """
    Read JSON strictly.

    Parameters
    ----------
    text : str
    name : str
        What it is, for the errors.

    Returns
    -------
    value
        As `json.loads` returns it; all its numbers are finite and its texts can be encoded.

    Raises
    ------
    ObjectMapError
        It is no JSON, it ends in the middle, a key stands twice in an object, a number is not
        finite or too large for a float, it is nested deeper than `DEEPEST`, or a text has half
        of a surrogate pair, which UTF-8 has no bytes for.

    """
    try:
        value = json.loads(text, object_pairs_hook=_members, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ObjectMapError(f'{name}: not JSON: {error}{_ending(text, error)}') from error
    except RecursionError as error:
        raise ObjectMapError(f'{name}: nested deeper than {DEEPEST} levels') from error
    except ValueError as error:
        raise ObjectMapError(f'{name}: not JSON: {error}') from error
    _check(value, name)
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    repeating = _Repeating(members)
    counts = Counter(key for key, _ in pairs)
    repeating.key = next(key for key, count in counts.items() if count > 1)
    return repeating


def _refuse_constant(word: str) -> float:
    raise ValueError(f'{word} is no JSON number')


def _ending(text: str, error: json.JSONDecodeError) -> str:
    """Say so where the text ends before it should, as that of a writer that was killed."""
    ended = error.pos >= len(text.rstrip()) or error.msg.startswith('Unterminated')
    return ': it ends there, cut off in the middle' if ended and text.strip() else ''


def _check(value: Any, name: str) -> None:
    """Look at every value once, without recursion; trails are made words for errors alone."""
    waiting: list[tuple[Any, _Trail, int]] = [(value, (name,), 1)]
    while waiting:
        item, trail, depth = waiting.pop()
        if isinstance(item, (dict, list)):
            if depth > DEEPEST:
                raise ObjectMapError(f'{_path(trail)}: nested deeper than {DEEPEST} levels')
            keyed = _checked_keys(item, trail) if isinstance(item, dict) else enumerate(item)
            waiting.extend((part, (trail, key), depth + 1) for key, part in keyed)
        elif isinstance(item, float):
            if not math.isfinite(item):
                raise ObjectMapError(f'{_path(trail)}: its number is too large for any float')
        elif isinstance(item, str):
            _check_text(item, trail)


def _checked_keys(item: dict[str, Any], trail: _Trail) -> Any:
    if isinstance(item, _Repeating):
        raise ObjectMapError(f'{_path(trail)}: the key {shown(item.key)} stands twice in it')
    for key in item:
        _check_text(key, trail)
    return item.items()


def _check_text(text: str, trail: _Trail) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ObjectMapError(
            f'{_path(trail)}: its text has half of a surrogate pair at {error.start}'
        ) from error


def _path(trail: _Trail) -> str:
    """Write a trail of keys and indices as the other errors do: objects.3.size[0]."""
    keys: list[Any] = []
    while len(trail) == 2:
        trail, key = trail
        keys.append(key)
    parts = [f'[{key}]' if isinstance(key, int) else f'.{key:.40}' for key in reversed(keys)]
    path = ''.join(parts).removeprefix('.')
    path = path if len(path) <= 200 else f'{path[:100]} ... {path[-60:]}'
    return path or str(trail[0])
