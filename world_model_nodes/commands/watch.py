# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The command `world_model watch`."""

# Modules that a command needs are imported when it runs, so that the help appears at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import (
    add_command,
    add_plot,
    add_ros_arguments,
    check_plot,
    seconds,
)

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_to(commands: Commands) -> None:
    """Add `watch`."""
    parser = add_command(
        commands,
        'watch',
        _watch,
        summary='show the world model live',
        description='Show the world model live. In a terminal, in pages that fit: the space bar '
        'and the arrow keys turn them. Otherwise, one line per second.',
        examples=[
            'world_model watch',
            'world_model watch --seconds 15 --plot match.png',
            'world_model watch --ros-args -r __ns:=/robot',
        ],
    )
    parser.add_argument(
        '--seconds', type=seconds, metavar='N', help='duration [s]; default: until Ctrl-C'
    )
    add_plot(parser, 'plot the match to this file at the end')
    add_ros_arguments(parser)


def _watch(asked: argparse.Namespace) -> int:
    check_plot(asked.plot)
    from world_model_nodes.watch.watch import watch

    return watch(asked.seconds, asked.plot, asked.ros_args)
