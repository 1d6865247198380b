# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What single values of small files may be: each shape reads a value and notes what is wrong.

A shape returns the value in Python's own types, or None when it noted an error.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from world_model_core.bundle.files.syntax import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.bundle.files.syntax import Spot
    from world_model_core.gaussian import Array

# Names and paths are short; no file system takes more [characters].
LONGEST_TEXT = 4096
# Numbers as people write them, and as every JSON reader takes them.
NUMBER = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?')
# What YAML takes for a number without further thought; 010 is 8, 1:30 is 90 and 1_0 is 10 to it.
USUAL_NUMBER = re.compile(r'[-+]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][-+]?\d+)?|[-+]?\.\w+')
# Rounded to four decimals a unit quaternion is off by 1e-4 at most; by 1e-2 it is none.
ROUNDED, NOT_UNIT, ZERO = 1e-4, 1e-2, 1e-6


class Shape(Protocol):
    """What a value may be."""

    def read(self, value: Any, spot: Spot) -> Any:
        """Return the value, or None after noting what is wrong with it."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """
    A text that is not empty.

    Attributes
    ----------
    pattern : str
        A regular expression that all of it has to match, if there is one.
    code : str
        Of the rule that it breaks if it does not.

    """

    pattern: str = ''
    code: str = ''

    def read(self, value: Any, spot: Spot) -> str | None:
        """Return the text."""
        mark = spot.mark
        if not spot.is_usable(value):
            return None
        if not isinstance(value, str) or (mark is not None and mark.kind == 'timestamp'):
            spot.note('File.NotText', found=shown(value, mark))
        elif not value.strip():
            spot.note('File.EmptyText')
        elif len(value) > LONGEST_TEXT:
            spot.note('File.TextTooLong', found=len(value), limit=LONGEST_TEXT)
        elif self.pattern and re.fullmatch(self.pattern, value) is None:
            return None if spot.note(self.code, found=value) else value
        else:
            return value
        return None


@dataclass(frozen=True, slots=True)
class Number:
    """
    A finite number within limits, both of which are allowed unless `open_low`.

    Attributes
    ----------
    low, high : float
    open_low : bool
        The lowest value is not allowed itself.
    code : str
        Of the rule that it breaks outside.

    """

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    code: str = 'File.OutOfRange'

    def read(self, value: Any, spot: Spot) -> float | None:
        """Return the number."""
        number = read_number(value, spot)
        if number is None:
            return None
        above = number > self.low if self.open_low else number >= self.low
        if above and number <= self.high:
            return float(number)
        found = shown(value, spot.mark)
        refused = spot.note(self.code, found=found, low=f'{self.low:g}', high=f'{self.high:g}')
        return None if refused else float(number)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within limits, both of which are allowed."""

    low: int
    high: int
    code: str = 'File.OutOfRange'

    def read(self, value: Any, spot: Spot) -> int | None:
        """Return the number."""
        number = read_number(value, spot)
        if number is None:
            return None
        if not isinstance(number, int):
            spot.note('File.NotWhole', found=shown(value, spot.mark))
        elif not self.low <= number <= self.high:
            refused = spot.note(self.code, found=number, low=self.low, high=self.high)
            return None if refused else number
        else:
            return number
        return None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words, each with what it stands for."""

    options: Mapping[str, Any]

    def read(self, value: Any, spot: Spot) -> Any:
        """Return what the word stands for."""
        word = Text().read(value, spot)
        if word is None:
            return None
        if word not in self.options:
            spot.note('File.UnknownChoice', found=word, options=', '.join(self.options))
        return self.options.get(word)


@dataclass(frozen=True, slots=True)
class Items:
    """A list, of `length` items if given."""

    shape: Shape
    length: int | None = None

    def read(self, value: Any, spot: Spot) -> tuple[Any, ...] | None:
        """Return the items."""
        if not spot.is_usable(value):
            return None
        if not isinstance(value, list):
            spot.note('File.NotList', found=shown(value, spot.mark))
            return None
        if self.length is not None and len(value) != self.length:
            spot.note('File.WrongLength', found=len(value), length=self.length)
            return None
        items = [self.shape.read(item, spot.member(key)) for key, item in enumerate(value)]
        return None if any(item is None for item in items) else tuple(items)


@dataclass(frozen=True, slots=True)
class Vector:
    """A list of three numbers."""

    def read(self, value: Any, spot: Spot) -> Array | None:
        """Return an array, shape (3,)."""
        numbers = Items(Number(), 3).read(value, spot)
        return None if numbers is None else np.array(numbers)


@dataclass(frozen=True, slots=True)
class Quaternion:
    """A list of x, y, z and w of a unit quaternion; `area` begins the codes of its rules."""

    area: str

    def read(self, value: Any, spot: Spot) -> Array | None:
        """Return an array, shape (4,), as long as it is written."""
        numbers = Items(Number(), 4).read(value, spot)
        if numbers is None:
            return None
        quaternion = np.array(numbers)
        return quaternion if is_unit(quaternion, self.area, spot) else None


@dataclass(frozen=True, slots=True)
class Anything:
    """A value that the contract does not speak of."""

    def read(self, value: Any, spot: Spot) -> Any:
        """Return the value as it is."""
        del spot
        return value


def is_unit(quaternion: Array, area: str, spot: Spot) -> bool:
    """Tell if a quaternion, shape (4,), is unit but for rounding, and note how far off it is."""
    # Divided by the largest first: the squares of very large numbers are infinite.
    largest = float(np.abs(quaternion).max())
    length = largest * float(np.linalg.norm(quaternion / largest)) if largest > 0.0 else 0.0
    found = shown_numbers(quaternion)
    if length < ZERO:
        spot.note(f'{area}.QuaternionZero', found=found)
    elif abs(length - 1.0) > NOT_UNIT:
        spot.note(f'{area}.QuaternionNotUnit', found=found, length=f'{length:.6g}')
    else:
        if abs(length - 1.0) > ROUNDED:
            spot.note(f'{area}.QuaternionRounded', found=found, length=f'{length:.6g}')
        return True
    return False


def read_number(value: Any, spot: Spot) -> int | float | None:
    """Return a number that is finite, whole if it is written so."""
    if not spot.is_usable(value):
        return None
    mark = spot.mark
    found = shown(value, mark)
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        spot.note('File.NumberAsText', found=found)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        spot.note('File.NotNumber', found=found)
    elif not math.isfinite(value):
        spot.note('File.NotFinite', found=found)
    else:
        if mark is not None and USUAL_NUMBER.fullmatch(mark.written) is None:
            spot.note('File.UnusualNumber', found=mark.written, value=f'{value:g}')
        return value
    return None


def shown_numbers(numbers: Array) -> str:
    """Show a few numbers in a line."""
    return f'[{", ".join(f"{each:.6g}" for each in numbers)}]'
