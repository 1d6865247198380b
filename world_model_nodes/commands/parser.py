# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parsers of the `world_model` command, and the argument types that its commands share."""

from __future__ import annotations

import argparse
import math
import os
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from world_model_core.errors import ConfigurationError, WorldModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Commands: TypeAlias = 'argparse._SubParsersAction[CommandParser]'  # noqa: SLF001 - its only name


# Columns of descriptions.
WIDTH = 79


class WrongUseError(WorldModelError):
    """The arguments of a command do not fit: exit code 2."""


class CommandParser(argparse.ArgumentParser):
    """
    A parser whose help ends with examples and, optionally, a list that is made on demand.

    Parameters
    ----------
    description : str
        One paragraph.
    examples : sequence of str
        Command lines.
    listed : callable
        Returns the text after the examples.
    **options
        For ArgumentParser.

    """

    def __init__(
        self,
        *,
        description: str,
        examples: Sequence[str],
        listed: Callable[[], str] = str,
        **options: Any,
    ) -> None:
        super().__init__(
            description=textwrap.fill(description, WIDTH),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog='\n  '.join(['examples:' if examples[1:] else 'example:', *examples]),
            allow_abbrev=False,
            **options,
        )
        self._listed = listed
        # argparse accepts '-1' as a value, but reads '-1,2' as an option.
        self._negative_number_matcher = re.compile(r'-\.?\d')

    def format_help(self) -> str:
        """Format the help."""
        return f'{super().format_help()}{self._listed()}'


def subcommands_of(parser: CommandParser) -> Commands:
    """Give a parser subcommands, one of which is required."""
    return parser.add_subparsers(title='commands', metavar='COMMAND', required=True)


def add_group(commands: Commands, name: str, *, summary: str, examples: Sequence[str]) -> Commands:
    """
    Add a command that consists of subcommands.

    Parameters
    ----------
    commands : Commands
    name : str
    summary : str
        One line of help, without a full stop.
    examples : sequence of str
        Command lines.

    Returns
    -------
    Commands
        For the subcommands.

    """
    group = commands.add_parser(name, help=summary, description=summary, examples=examples)
    return subcommands_of(group)


def add_command(
    commands: Commands,
    name: str,
    function: Callable[[argparse.Namespace], int],
    *,
    summary: str,
    description: str,
    examples: Sequence[str],
    listed: Callable[[], str] = str,
    json: str = '',
) -> CommandParser:
    """
    Add a command.

    Parameters
    ----------
    commands : Commands
    name : str
    function : callable
        Runs the command with the parsed arguments and returns the exit code.
    summary : str
        One line of help, without a full stop.
    description : str
        One or more sentences.
    examples : sequence of str
        Command lines.
    listed : callable
        Returns the text after the examples.
    json : str
        Help of the option --json; without it the command has no such option.

    Returns
    -------
    CommandParser
        To add arguments to.

    """
    parser = commands.add_parser(
        name, help=summary, description=description, examples=examples, listed=listed
    )
    if json:
        parser.add_argument('--json', action='store_true', help=json)
    parser.set_defaults(function=function)
    return parser


def add_plot(parser: CommandParser, text: str) -> None:
    """Add the option --plot with its help."""
    parser.add_argument('--plot', type=Path, metavar='FILE.png', help=text)


def add_ros_arguments(parser: CommandParser) -> None:
    """Add the option --ros-args, which takes all words that follow."""
    parser.add_argument(
        '--ros-args', nargs=argparse.REMAINDER, default=[], help='arguments for ROS'
    )


def seconds(word: str) -> float:
    """Parse a time above 0 [s]."""
    return _positive(word, 'number of seconds')


def horizons(word: str) -> tuple[float, ...]:
    """Parse times above 0 [s], separated by commas."""
    return tuple(seconds(part) for part in word.split(','))


def distances(word: str) -> tuple[float, ...]:
    """Parse lengths above 0 [m], separated by commas."""
    return tuple(_positive(part, 'number of meters') for part in word.split(','))


def count(word: str) -> int:
    """Parse a whole number above 0."""
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 10 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f'{word!r} is not a whole number above 0')
    return number


def seed(word: str) -> int:
    """Parse a whole number from 0 to 2^64 - 1."""
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 21 else -1
    if not 0 <= number < 2**64:
        raise argparse.ArgumentTypeError(f'{word!r} is not a whole number from 0 to 2^64 - 1')
    return number


def deviation(word: str) -> float:
    """Parse a standard deviation, 0 or above."""
    number = _number(word)
    if not 0.0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f'{word!r} is not a number of 0 or above')
    return number


def pose(word: str) -> tuple[float, float, float]:
    """Parse x, y [m] and heading [rad], separated by commas."""
    numbers = [_number(part) for part in word.split(',')]
    if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
        raise argparse.ArgumentTypeError(f'{word!r} is not X,Y,HEADING')
    x, y, heading = numbers
    return x, y, heading


def _positive(word: str, kind: str) -> float:
    number = _number(word)
    if not 0.0 < number < math.inf:
        raise argparse.ArgumentTypeError(f'{word!r} is not a {kind} above 0')
    return number


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan


def check_plot(path: Path | None, option: str = '--plot') -> None:
    """
    Reject a picture file that cannot be written, before the work begins.

    Parameters
    ----------
    path : Path or None
        None for no picture.
    option : str
        The option that names the file.

    Raises
    ------
    ConfigurationError
        The folder is not writable, or the file name does not end in .png.

    """
    if path is None:
        return
    if path.suffix.lower() != '.png':
        raise ConfigurationError(f'{option} {path}: the file name must end in .png')
    check_folder(path, option)


def check_folder(path: Path, option: str) -> None:
    """
    Reject a file whose folder is not writable, before the work begins.

    Raises
    ------
    ConfigurationError
        The message names the option.

    """
    if not os.access(path.parent, os.W_OK):
        raise ConfigurationError(f'{option} {path}: its folder is not writable')
