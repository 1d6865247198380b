# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model controller`: act for an agent in a virtual world."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from world_model_nodes.commands.parser import WrongUseError, add_command, add_ros_arguments

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands

WORLD = 'virtual_world'


class Named(NamedTuple):
    """A file, the name of a class in it (empty: its only one) and an agent."""

    file: Path
    class_name: str
    agent: str


def add_to(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        'controller',
        _run,
        summary='act for an agent in a virtual world',
        description='Run a controller, a class of Python in a file, for an agent in a virtual '
        'world: connect to the world, or wait for it, and again after it has restarted. Ctrl-C '
        'ends it. It runs as your own program, with all that you may do.',
        examples=[
            'world_model controller waiter.py --agent waiter',
            'world_model controller staff.py:Waiter --agent waiter --reload',
            'world_model controller waiter.py --agent waiter --connect HOST:7700 --token-file t',
        ],
    )
    parser.add_argument(
        'file', metavar='FILE.py[:CLASS]', help='file with the class, a subclass of Controller'
    )
    parser.add_argument(
        '--agent',
        required=True,
        metavar='NAME[:CLASS]',
        help='name of the entity that it controls',
    )
    parser.add_argument(
        '--world',
        default=WORLD,
        metavar='NODE',
        help=f'name of the node that runs the world, with its namespace; default: {WORLD}',
    )
    parser.add_argument(
        '--reload', action='store_true', help='start the controller anew when its file changes'
    )
    parser.add_argument(
        '--once', action='store_true', help='end with the world instead of waiting for the next'
    )
    parser.add_argument(
        '--connect', metavar='HOST:PORT', help='world on another host, with its controller_port'
    )
    parser.add_argument(
        '--token-file', type=Path, metavar='FILE', help='file with the token of that world'
    )
    # Launch files start it as a node; it is none and needs nothing of ROS.
    add_ros_arguments(parser)


def parse_names(file: str, agent: str) -> Named:
    """
    Split "FILE.py:CLASS" and "NAME:CLASS"; only one of them has a class.

    Names of entities may have colons: with a class after the file, all of the name is the name.
    """
    stem, _, class_name = file.partition('.py:')
    if class_name:
        return Named(Path(f'{stem}.py'), class_name, agent)
    name, _, class_name = agent.rpartition(':')
    if name and class_name.isidentifier():
        return Named(Path(file), class_name, name)
    return Named(Path(file), '', agent)


def parse_address(text: str | None) -> tuple[str, int] | None:
    """
    Parse "HOST:PORT".

    Raises
    ------
    WrongUseError

    """
    if text is None:
        return None
    host, _, port = text.rpartition(':')
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port) < 2**16):
        raise WrongUseError(f'--connect {text}: it must be HOST:PORT')
    return host, int(port)


def _run(asked: argparse.Namespace) -> int:
    from world_model_nodes.virtual_world.controller import (  # noqa: PLC0415 (it is large)
        ControllerSettings,
        run_controller,
    )

    address = parse_address(asked.connect)
    if (address is None) != (asked.token_file is None):
        raise WrongUseError('--connect and --token-file belong together')
    named = parse_names(asked.file, asked.agent)
    return run_controller(
        ControllerSettings(
            file=named.file,
            class_name=named.class_name,
            agent=named.agent,
            world=asked.world,
            address=address,
            token_file=asked.token_file,
            reloads=asked.reload,
            once=asked.once,
        )
    )
