# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Schemas of single values in YAML and JSON files.

A schema converts a value to a type of Python, or reports an error and returns None.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from world_model_core.files.parsed_document import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.files.parsed_document import ValueLocation
    from world_model_core.gaussian import Array

__all__ = [
    'FARTHEST',
    'METERS',
    'AnyValue',
    'Integer',
    'ListOf',
    'Number',
    'OneOf',
    'Quaternion',
    'Text',
    'ValueSchema',
    'Vector',
    'is_unit',
    'read_number',
    'shown_numbers',
]

# Maximum coordinate and velocity [m, m/s]: twice around the Earth, and squares are exact.
FARTHEST = 1e8
# No file system supports longer paths [characters].
LONGEST_TEXT = 4096
# Control characters other than tabs and line breaks: ROS cuts texts off at NUL.
CONTROL = re.compile(r'[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]')
# Numbers as every JSON reader accepts them.
NUMBER = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?')
# Numbers that are unambiguous in YAML, which reads 010 as 8, 1:30 as 90 and 1_0 as 10.
USUAL_NUMBER = re.compile(r'[-+]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][-+]?\d+)?|[-+]?\.\w+')
# Deviations of the length from 1: up to 1e-4 is due to four decimals, above 1e-2 is an error.
ROUNDED, NOT_UNIT, ZERO = 1e-4, 1e-2, 1e-6


class ValueSchema(Protocol):
    """Schema of a value."""

    def read(self, value: Any, location: ValueLocation) -> Any:
        """Return the value, or None after reporting an error."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """
    Schema of a text that is not empty.

    Attributes
    ----------
    pattern : str
        Regular expression that the whole text must match; none if empty.
    code : str
        Code of the finding if it does not match.

    """

    pattern: str = ''
    code: str = ''

    def read(self, value: Any, location: ValueLocation) -> str | None:
        """Return the text."""
        mark = location.mark
        if not location.is_usable(value):
            return None
        if not isinstance(value, str) or (mark is not None and mark.kind == 'timestamp'):
            location.report('File.NotText', found=shown(value, mark))
        elif not value.strip():
            location.report('File.EmptyText')
        elif (control := CONTROL.search(value)) is not None:
            location.report('File.ControlCharacter', found=ascii(control[0])[1:-1])
        elif len(value) > LONGEST_TEXT:
            location.report('File.TextTooLong', found=len(value), limit=LONGEST_TEXT)
        elif self.pattern and re.fullmatch(self.pattern, value) is None:
            return None if location.report(self.code, found=value) else value
        else:
            return value
        return None


@dataclass(frozen=True, slots=True)
class Number:
    """
    Schema of a finite number from `low` to `high`, inclusive.

    Attributes
    ----------
    low, high : float
    open_low : bool
        Exclude `low`.
    code : str
        Code of the finding outside of the limits.

    """

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    code: str = 'File.OutOfRange'

    def read(self, value: Any, location: ValueLocation) -> float | None:
        """Return the number."""
        number = read_number(value, location)
        if number is None:
            return None
        above = number > self.low if self.open_low else number >= self.low
        if above and number <= self.high:
            return float(number)
        found = shown(value, location.mark)
        refused = location.report(
            self.code, found=found, low=f'{self.low:g}', high=f'{self.high:g}'
        )
        return None if refused else float(number)


# A coordinate, or a velocity [m, m/s].
METERS = Number(-FARTHEST, FARTHEST)


@dataclass(frozen=True, slots=True)
class Integer:
    """Schema of an integer from `low` to `high`, inclusive."""

    low: int
    high: int
    code: str = 'File.OutOfRange'

    def read(self, value: Any, location: ValueLocation) -> int | None:
        """Return the number."""
        number = read_number(value, location)
        if number is None:
            return None
        if not isinstance(number, int):
            location.report('File.NotWhole', found=shown(value, location.mark))
        elif not self.low <= number <= self.high:
            refused = location.report(self.code, found=number, low=self.low, high=self.high)
            return None if refused else number
        else:
            return number
        return None


@dataclass(frozen=True, slots=True)
class OneOf:
    """Schema of a word out of several, each with its value."""

    options: Mapping[str, Any]

    def read(self, value: Any, location: ValueLocation) -> Any:
        """Return the value of the word."""
        word = Text().read(value, location)
        if word is None:
            return None
        if word not in self.options:
            location.report('File.UnknownChoice', found=word, options=', '.join(self.options))
        return self.options.get(word)


@dataclass(frozen=True, slots=True)
class ListOf:
    """Schema of a list, with `length` items if given."""

    schema: ValueSchema
    length: int | None = None

    def read(self, value: Any, location: ValueLocation) -> tuple[Any, ...] | None:
        """Return the items."""
        if not location.is_usable(value):
            return None
        if not isinstance(value, list):
            location.report('File.NotList', found=shown(value, location.mark))
            return None
        if self.length is not None and len(value) != self.length:
            location.report('File.WrongLength', found=len(value), length=self.length)
            return None
        items = [self.schema.read(item, location.member(key)) for key, item in enumerate(value)]
        return None if any(item is None for item in items) else tuple(items)


@dataclass(frozen=True, slots=True)
class Vector:
    """Schema of a list of three coordinates or velocities."""

    def read(self, value: Any, location: ValueLocation) -> Array | None:
        """Return an array, shape (3,)."""
        numbers = ListOf(METERS, 3).read(value, location)
        return None if numbers is None else np.array(numbers)


@dataclass(frozen=True, slots=True)
class Quaternion:
    """Schema of a unit quaternion [x, y, z, w]; its codes begin with `area`."""

    area: str

    def read(self, value: Any, location: ValueLocation) -> Array | None:
        """Return an array, shape (4,), not normalized."""
        numbers = ListOf(Number(), 4).read(value, location)
        if numbers is None:
            return None
        quaternion = np.array(numbers)
        return quaternion if is_unit(quaternion, self.area, location) else None


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Schema of a value without requirements."""

    def read(self, value: Any, location: ValueLocation) -> Any:
        """Return the value unchanged."""
        del location
        return value


def is_unit(quaternion: Array, area: str, location: ValueLocation) -> bool:
    """Return whether a quaternion, shape (4,), has norm 1 except for rounding; report others."""
    # Divided by the largest first: the squares of very large numbers are infinite.
    largest = float(np.abs(quaternion).max())
    length = largest * float(np.linalg.norm(quaternion / largest)) if largest > 0.0 else 0.0
    found = shown_numbers(quaternion)
    if length < ZERO:
        location.report(f'{area}.QuaternionZero', found=found)
    elif abs(length - 1.0) > NOT_UNIT:
        location.report(f'{area}.QuaternionNotUnit', found=found, length=f'{length:.6g}')
    else:
        if abs(length - 1.0) > ROUNDED:
            location.report(f'{area}.QuaternionRounded', found=found, length=f'{length:.6g}')
        return True
    return False


def read_number(value: Any, location: ValueLocation) -> int | float | None:
    """Return a finite number, as an int if it is written as one; None after an error."""
    if not location.is_usable(value):
        return None
    mark = location.mark
    found = shown(value, mark)
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        location.report('File.NumberAsText', found=found)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        location.report('File.NotNumber', found=found)
    elif not math.isfinite(value):
        location.report('File.NotFinite', found=found)
    else:
        if mark is not None and USUAL_NUMBER.fullmatch(mark.written) is None:
            location.report('File.UnusualNumber', found=mark.written, value=f'{value:g}')
        return value
    return None


def shown_numbers(numbers: Array) -> str:
    """Convert a few numbers to a line."""
    return f'[{", ".join(f"{each:.6g}" for each in numbers)}]'
