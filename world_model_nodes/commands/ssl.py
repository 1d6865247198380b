# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on recordings of the league: `world_model ssl info` and `evaluate`."""

# Modules that a command needs are imported when it runs, so that the help appears at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import (
    WrongUseError,
    add_command,
    add_group,
    add_plot,
    add_ros_arguments,
    check_plot,
    horizons,
    seconds,
)

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_to(commands: Commands) -> None:
    """Add `ssl` and its commands."""
    recordings = add_group(
        commands,
        'ssl',
        summary='recordings of RoboCup SSL matches',
        examples=['world_model ssl info match.log.gz'],
    )
    _add_info(recordings)
    _add_evaluate(recordings)


def _add_info(commands: Commands) -> None:
    parser = add_command(
        commands,
        'info',
        _info,
        summary='summarize a recording',
        description='Summarize a recording (.log or .log.gz): teams, cameras, messages, clocks.',
        examples=['world_model ssl info match.log.gz', 'world_model ssl info --json match.log'],
        json='write JSON',
    )
    parser.add_argument('log', type=Path, metavar='LOG', help='the recording')


def _add_evaluate(commands: Commands) -> None:
    parser = add_command(
        commands,
        'evaluate',
        _evaluate,
        summary='score the ball tracker on a recording',
        description='Replay the vision of a recording through the tracker and compare its ball '
        'predictions with later vision, with baselines and with other trackers: those in the '
        'recording, and those of other files. With --live, compare the published ball and robots '
        'of a running simulator with its truth instead.',
        examples=[
            'world_model ssl evaluate match.log.gz',
            'world_model ssl evaluate --horizons 0.25,0.5 --json match.log.gz',
            'world_model ssl evaluate --compare other_tracker.log.gz match.log.gz',
            'world_model ssl evaluate --truth sim.kicks.json --plot sim.png sim.log.gz',
            'world_model ssl evaluate --live 20',
        ],
        json='write JSON',
    )
    match = parser.add_mutually_exclusive_group(required=True)
    match.add_argument('log', type=Path, nargs='?', metavar='LOG', help='the recording')
    match.add_argument(
        '--live', type=seconds, metavar='SECONDS', help='score a running simulator for this time'
    )
    parser.add_argument(
        '--horizons',
        type=horizons,
        metavar='S,...',
        help='prediction horizons [s]; default: 0.25,0.5,1.0',
    )
    parser.add_argument(
        '--truth',
        type=Path,
        metavar='KICKS.json',
        help='kicks that the simulator was commanded to make, as ground truth',
    )
    parser.add_argument(
        '--compare',
        type=Path,
        action='append',
        metavar='FILE',
        help='a recording of the packets of other trackers on the same match; may be repeated',
    )
    add_plot(parser, 'plot errors, the path of the ball and kicks to this file')
    add_ros_arguments(parser)


def _info(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.ssl_info import print_info

    print_info(asked.log, as_json=asked.json)
    return 0


def _evaluate(asked: argparse.Namespace) -> int:
    if asked.live is not None:
        return _evaluate_live(asked)
    check_plot(asked.plot)
    from world_model_core.evaluation.match.evaluation import HORIZONS
    from world_model_nodes.commands.ssl_evaluate import print_evaluation

    print_evaluation(
        asked.log,
        asked.truth,
        asked.compare or (),
        asked.horizons or HORIZONS,
        asked.plot,
        as_json=asked.json,
    )
    return 0


def _evaluate_live(asked: argparse.Namespace) -> int:
    for name in ('horizons', 'truth', 'compare', 'plot'):
        if getattr(asked, name) is not None:
            raise WrongUseError(f'--{name} is for recordings, not for --live')
    from world_model_nodes.commands.ssl_evaluate_live import print_live_evaluation

    print_live_evaluation(asked.live, asked.ros_args, as_json=asked.json)
    return 0
