# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The command `world_model run`."""

# Modules that a command needs are imported when it runs, so that the help appears at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import WrongUseError, add_command

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_to(commands: Commands) -> None:
    """Add `run`."""
    parser = add_command(
        commands,
        'run',
        _run,
        summary='run the nodes of a scenario',
        description='Run the nodes of a scenario until Ctrl-C, or until one of them ends that the '
        'launch file does not respawn.',
        examples=['world_model run ssl_sim seed:=3', 'world_model run --show-args ssl_sim'],
        listed=_scenarios,
        json='list scenarios or arguments as JSON',
    )
    parser.add_argument(
        'scenario', nargs='?', help='name of a scenario, or path of an XML launch file'
    )
    parser.add_argument(
        'arguments', nargs='*', metavar='name:=value', help='arguments of the scenario'
    )
    parser.add_argument(
        '--show-args', action='store_true', help='list the arguments of the scenario'
    )


def _run(asked: argparse.Namespace) -> int:
    from world_model_nodes.scenarios.launch_arguments import ArgumentError
    from world_model_nodes.scenarios.listing import list_arguments, list_scenarios
    from world_model_nodes.scenarios.processes import run_scenario

    try:
        if asked.scenario is None:
            sys.stdout.write(list_scenarios(as_json=asked.json))
        elif asked.show_args:
            sys.stdout.write(list_arguments(asked.scenario, as_json=asked.json))
        else:
            return run_scenario(asked.scenario, asked.arguments)
    except ArgumentError as error:
        raise WrongUseError(str(error)) from error
    return 0


def _scenarios() -> str:
    """List the scenarios of the installed package, or the reason why none was found."""
    from world_model_nodes.scenarios.launch_xml import LaunchFileError
    from world_model_nodes.scenarios.listing import list_scenarios

    try:
        return f'\n{list_scenarios()}'
    except LaunchFileError as error:
        return f'\nscenarios: {error}\n'
