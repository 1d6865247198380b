# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lists of the scenarios and of their arguments, as text or JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from world_model_nodes.scenarios.launch_arguments import declared_arguments
from world_model_nodes.scenarios.plan import find_scenarios, locate_scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_nodes.scenarios.launch_arguments import Argument


def list_scenarios(*, as_json: bool = False) -> str:
    """
    List the installed scenarios by name.

    Raises
    ------
    LaunchFileError
        The package is not in the ament index.

    """
    scenarios = find_scenarios()
    if as_json:
        return json.dumps({name: str(path) for name, path in scenarios.items()}) + '\n'
    lines = [f'  {name}' for name in scenarios] or ['  none']
    return '\n'.join(['scenarios:', *lines, ''])


def list_arguments(name_or_path: str, *, as_json: bool = False) -> str:
    """
    List the arguments of a scenario, as ``ros2 launch --show-args`` does.

    Raises
    ------
    ArgumentError
        No scenario has this name.
    LaunchFileError
        Its launch file cannot be used.

    """
    arguments = declared_arguments(locate_scenario(name_or_path))
    if as_json:
        return json.dumps([asdict(argument) for argument in arguments]) + '\n'
    if not arguments:
        return 'No arguments.\n'
    title = "Arguments (pass arguments as '<name>:=<value>'):"
    return '\n'.join([title, *(line for item in arguments for line in _describe(item)), ''])


def _describe(argument: Argument) -> Iterator[str]:
    yield ''
    yield f"    '{argument.name}':"
    valid = f' Valid choices are: {list(argument.choices)}' if argument.choices else ''
    yield f'        {argument.description or "no description given"}{valid}'
    if argument.default is not None:
        yield f"        (default: '{argument.default}')"
