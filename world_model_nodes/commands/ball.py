# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The command on the constants of the ball: `world_model ball calibrate`."""

# Modules that a command needs are imported when it runs, so that the help appears at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import add_command, add_group, add_plot

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_to(commands: Commands) -> None:
    """Add `ball` and its command."""
    ball = add_group(
        commands,
        'ball',
        summary='constants of the ball',
        examples=['world_model ball calibrate match.log.gz'],
    )
    parser = add_command(
        ball,
        'calibrate',
        _calibrate,
        summary='estimate how the ball slides, rolls and bounces',
        description='Estimate from the raw vision of recordings how the ball slides, rolls and '
        'bounces. SSL_GeometryModels in the recordings are ignored.',
        examples=[
            'world_model ball calibrate match.log.gz',
            'world_model ball calibrate --out ball.yaml --plot kicks.png kicks.log chips.log',
        ],
        json='write JSON',
    )
    parser.add_argument('logs', type=Path, nargs='+', metavar='LOG', help='a recording')
    parser.add_argument(
        '--out', type=Path, metavar='FILE.yaml', help='write ROS parameters to this file'
    )
    add_plot(parser, 'plot the kicks and their fits to this file')


def _calibrate(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.ball_calibrate import calibrate_ball

    found = calibrate_ball(asked.logs, asked.out, asked.plot, as_json=asked.json)
    return 0 if found else 1
