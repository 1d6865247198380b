# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kinds of values that controllers send, and their checks: a controller is anybody's program."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.frames import SHORTEST_QUATERNION
from world_model_core.virtual_world.engine.errors import InvalidStateError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ['ValueKind', 'ValueTypes', 'check_values']

# Longer names and texts are refused.
LONGEST_TEXT = 10_000
# MuJoCo ends a simulation with numbers from 1e10 on [SI units].
LARGEST_NUMBER = 1e9


class ValueKind(Enum):
    """What a value is."""

    TEXT = 'a text'
    FLAG = 'true or false'
    NUMBER = 'a number from -1e9 to 1e9'
    WHOLE = 'a whole number'
    VECTOR = 'three numbers from -1e9 to 1e9'
    QUATERNION = 'four numbers x, y, z, w, finite and not all zero'
    POINT = 'three numbers from -1e9 to 1e9, or none'
    ATTRIBUTE = 'a text, a number from -1e9 to 1e9, true or false'


# Name and kind of each value.
ValueTypes: TypeAlias = tuple[tuple[str, ValueKind], ...]


def check_values(what: str, expected: ValueTypes, values: Sequence[object]) -> tuple[object, ...]:
    """
    Check and convert values.

    Parameters
    ----------
    what : str
        What they are of.
    expected : tuple of tuple
    values : sequence

    Returns
    -------
    tuple
        Texts, floats, whole numbers, flags, tuples of floats, None.

    Raises
    ------
    InvalidStateError
        Their number or one of them is wrong.

    """
    if len(values) != len(expected):
        raise InvalidStateError(f'{what} has {len(values)} values; it must have {len(expected)}')
    return tuple(
        _checked(f'{name} in {what}', kind, value)
        for (name, kind), value in zip(expected, values, strict=True)
    )


def _checked(what: str, kind: ValueKind, value: object) -> object:
    converted = _CONVERTERS[kind](value)
    if converted is None and not (kind is ValueKind.POINT and value is None):
        raise InvalidStateError(f'{what} is {_short(value)}; it must be {kind.value}')
    return converted


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f'{text[:100]}...'


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and len(value) <= LONGEST_TEXT else None


def _flag(value: object) -> bool | None:
    """Return a flag of Python or numpy."""
    return bool(value) if isinstance(value, (bool, np.bool_)) else None


def _number(value: object) -> float | None:
    """Return a number of any type that is one, also of numpy."""
    if isinstance(value, (bool, np.bool_, str, bytes)):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) <= LARGEST_NUMBER else None


def _whole(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number.is_integer() else None


def _numbers(value: object, count: int) -> tuple[float, ...] | None:
    if isinstance(value, (str, bytes)):
        return None
    try:
        numbers = [_number(each) for each in value]  # type: ignore[attr-defined]
    except TypeError:
        return None
    known = tuple(each for each in numbers if each is not None)
    return known if len(known) == len(numbers) == count else None


def _vector(value: object) -> tuple[float, ...] | None:
    return _numbers(value, 3)


def _quaternion(value: object) -> tuple[float, ...] | None:
    """Return a quaternion of length 1."""
    found = _numbers(value, 4)
    length = 0.0 if found is None else math.hypot(*found)
    if found is None or not SHORTEST_QUATERNION < length < math.inf:
        return None
    return tuple(each / length for each in found)


def _attribute(value: object) -> str | float | bool | None:
    for convert in (_flag, _text, _number):
        if (converted := convert(value)) is not None:
            return converted
    return None


_CONVERTERS = {
    ValueKind.TEXT: _text,
    ValueKind.FLAG: _flag,
    ValueKind.NUMBER: _number,
    ValueKind.WHOLE: _whole,
    ValueKind.VECTOR: _vector,
    ValueKind.QUATERNION: _quaternion,
    ValueKind.POINT: _vector,
    ValueKind.ATTRIBUTE: _attribute,
}
