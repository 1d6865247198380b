# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the subcommands of `world_model` share: their parser, and arguments of several numbers."""

from __future__ import annotations

import argparse
import math
import os
import re
from typing import TYPE_CHECKING, Any, TypeAlias

from world_model_core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Commands: TypeAlias = 'argparse._SubParsersAction[CommandParser]'  # noqa: SLF001 - its only name


class CommandParser(argparse.ArgumentParser):
    """A parser whose help ends in examples and, where it has some, in a list made when asked."""

    def __init__(
        self, *, examples: Sequence[str], listed: Callable[[], str] = str, **options: Any
    ) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog='\n  '.join(['examples:' if examples[1:] else 'example:', *examples]),
            allow_abbrev=False,
            **options,
        )
        self._listed = listed
        # argparse takes '-1,2' for an option, though it lets '-1' pass.
        self._negative_number_matcher = re.compile(r'-\.?\d')

    def format_help(self) -> str:
        """Format the help."""
        return f'{super().format_help()}{self._listed()}'


def seconds(word: str) -> float:
    """Read a time above 0 [s]."""
    return _positive(word, 'number of seconds')


def horizons(word: str) -> tuple[float, ...]:
    """Read times above 0 [s], with commas between."""
    return tuple(seconds(part) for part in word.split(','))


def distances(word: str) -> tuple[float, ...]:
    """Read lengths above 0 [m], with commas between."""
    return tuple(_positive(part, 'number of metres') for part in word.split(','))


def count(word: str) -> int:
    """Read a whole number above 0."""
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 10 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f'{word!r} is no whole number above 0')
    return number


def seed(word: str) -> int:
    """Read a whole number of 64 bits, from 0 on."""
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 21 else -1
    if not 0 <= number < 2**64:
        raise argparse.ArgumentTypeError(f'{word!r} is no whole number from 0 to 2^64 - 1')
    return number


def pose(word: str) -> tuple[float, float, float]:
    """Read x, y [m] and heading [rad], with commas between."""
    numbers = [_number(part) for part in word.split(',')]
    if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
        raise argparse.ArgumentTypeError(f'{word!r} is no X,Y,HEADING')
    x, y, heading = numbers
    return x, y, heading


def _positive(word: str, kind: str) -> float:
    number = _number(word)
    if not 0.0 < number < math.inf:
        raise argparse.ArgumentTypeError(f'{word!r} is no {kind} above 0')
    return number


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan


def check_plot(path: Path | None, option: str = '--plot') -> None:
    """
    Tell now, not at the end, of a picture that cannot be written.

    Parameters
    ----------
    path : Path or None
        None for no picture.
    option : str
        By which it is asked for.

    Raises
    ------
    ConfigurationError
        Its folder cannot be written to, or its name is not that of a PNG.

    """
    if path is None:
        return
    if path.suffix.lower() != '.png':
        raise ConfigurationError(
            f'{option} {path}: the picture is a PNG; its name must end in .png'
        )
    if not os.access(path.parent, os.W_OK):
        raise ConfigurationError(f'{option} {path}: its folder cannot be written to')
