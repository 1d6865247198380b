# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of a launch file: those that it declares and those passed to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_nodes.scenarios.launch_xml import Element, LaunchFileError, read_launch_file
from world_model_nodes.scenarios.substitution import expand

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class ArgumentError(LaunchFileError):
    """An argument of a scenario is malformed, unknown, missing or not one of its choices."""


@dataclass(frozen=True)
class Argument:
    """An argument declared by a launch file; without a default it is required."""

    name: str
    default: str | None
    description: str
    choices: tuple[str, ...]


def parse_arguments(arguments: Sequence[str]) -> dict[str, str]:
    """
    Parse ``name:=value`` words; the last value of a name is used, as in ros2 launch.

    Raises
    ------
    ArgumentError
        A word has another form.

    """
    values = {}
    for argument in arguments:
        name, separator, value = argument.partition(':=')
        if not (name and separator):
            raise ArgumentError(f'argument {argument!r} is not of the form name:=value')
        values[name] = value
    return values


def declared_arguments(path: Path) -> tuple[Argument, ...]:
    """
    List the arguments of a launch file and of the files that it includes.

    Arguments to which an include passes a value are omitted. So are those of an included file
    whose path depends on the value of an argument.

    Raises
    ------
    LaunchFileError
        The file cannot be used.

    """
    found: dict[str, Argument] = {}
    for argument in _declarations(read_launch_file(path)):
        found.setdefault(argument.name, argument)
    return tuple(found.values())


def _declarations(element: Element) -> Iterator[Argument]:
    for child in element.children:
        if child.tag == 'arg':
            yield read_argument(child)
        elif child.tag == 'group':
            yield from _declarations(child)
        elif child.tag == 'include':
            passed = {argument.attributes['name'] for argument in child.named('arg')}
            yield from (found for found in _included(child) if found.name not in passed)


def _included(element: Element) -> tuple[Argument, ...]:
    try:
        return declared_arguments(Path(expand(element, element.attributes['file'], {})))
    except LaunchFileError:
        # The path may depend on an argument, or a condition may skip the include; `plan_scenario`
        # reports real errors.
        return ()


def read_argument(element: Element) -> Argument:
    """Return the argument that an <arg> element declares."""
    read = element.attributes
    choices = tuple(choice.attributes['value'] for choice in element.named('choice'))
    return Argument(read['name'], read.get('default'), read.get('description', ''), choices)
