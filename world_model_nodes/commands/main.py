# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The `world_model` command."""

# Only what a subcommand needs is imported, when it runs: the help comes at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from world_model_core.errors import WorldModelError
from world_model_nodes.commands.bundle import add_bundle
from world_model_nodes.commands.objects import add_ask, add_objects
from world_model_nodes.commands.parser import CommandParser, check_plot, horizons, seconds
from world_model_nodes.commands.uncertainty import add_uncertainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_nodes.commands.parser import Commands

# Exit codes beside 0; the last is the shell's word for an end by SIGINT.
BAD_INPUT, UNREAD, WRONG_USE, INTERRUPTED = 1, 1, 2, 130


def main() -> NoReturn:
    """Run the command with the program's arguments, and exit."""
    sys.exit(run_command(sys.argv[1:]))


def run_command(words: Sequence[str]) -> int:
    """
    Run the command.

    Parameters
    ----------
    words : sequence of str
        The arguments; wrong ones, and --help, exit.

    Returns
    -------
    int
        The exit code: 0, 1 when the input is bad or nobody reads the output, 2 for wrong use; of
        `run`, that of a node that failed.

    """
    asked = _parser().parse_args(words)
    try:
        return int(asked.function(asked))
    except WorldModelError as error:
        return _complain(error, BAD_INPUT)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Nobody reads any more (`| head`): as rich does, end quietly, what is left goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD


def _complain(error: WorldModelError, code: int) -> int:
    sys.stderr.write(f'world_model: error: {error}\n')
    return code


def _parser() -> CommandParser:
    parser = CommandParser(
        prog='world_model',
        description="A robot's model of the world.",
        examples=['world_model run ssl_sim', 'world_model watch'],
    )
    commands = parser.add_subparsers(title='commands', metavar='COMMAND', required=True)
    _add_run(commands)
    _add_watch(commands)
    add_ask(commands)
    text = "the league's recordings"
    ssl = commands.add_parser(
        'ssl', help=text, description=text, examples=['world_model ssl info match.log.gz']
    )
    recordings = ssl.add_subparsers(title='commands', metavar='COMMAND', required=True)
    _add_info(recordings)
    _add_evaluate(recordings)
    text = "the ball's constants"
    ball = commands.add_parser(
        'ball', help=text, description=text, examples=['world_model ball calibrate match.log.gz']
    )
    _add_calibrate(ball.add_subparsers(title='commands', metavar='COMMAND', required=True))
    add_objects(commands)
    add_bundle(commands)
    add_uncertainty(commands)
    return parser


def _add_run(commands: Commands) -> None:
    parser = commands.add_parser(
        'run',
        help='run the nodes of a scenario',
        description='Run the nodes of a scenario, until Ctrl-C or the end of one of them.',
        examples=['world_model run ssl_sim seed:=3', 'world_model run --show-args ssl_sim'],
        listed=_scenarios,
    )
    parser.add_argument('scenario', nargs='?', help='its name, or the path of an XML launch file')
    parser.add_argument('arguments', nargs='*', metavar='name:=value', help='for the scenario')
    parser.add_argument('--show-args', action='store_true', help='list the arguments it takes')
    parser.add_argument('--json', action='store_true', help='write what is listed as JSON')
    parser.set_defaults(function=_run)


def _add_watch(commands: Commands) -> None:
    parser = commands.add_parser(
        'watch',
        help='watch the world model',
        description='Watch the world model live in a terminal, or as a line a second elsewhere.',
        examples=[
            'world_model watch',
            'world_model watch --seconds 15 --plot match.png',
            'world_model watch --ros-args -r __ns:=/robot',
        ],
    )
    parser.add_argument(
        '--seconds', type=seconds, metavar='N', help='how long; without it, until Ctrl-C'
    )
    parser.add_argument(
        '--plot', type=Path, metavar='FILE.png', help='draw the match into this file at the end'
    )
    parser.add_argument(
        '--ros-args', nargs=argparse.REMAINDER, default=[], help='what follows goes to ROS'
    )
    parser.set_defaults(function=_watch)


def _add_info(commands: Commands) -> None:
    parser = commands.add_parser(
        'info',
        help='tell what a recording holds',
        description='Tell what a recording holds, .log or .log.gz.',
        examples=['world_model ssl info match.log.gz', 'world_model ssl info --json match.log'],
    )
    parser.add_argument('log', type=Path, metavar='LOG', help='the recording')
    parser.add_argument('--json', action='store_true', help='write JSON')
    parser.set_defaults(function=_info)


def _add_evaluate(commands: Commands) -> None:
    parser = commands.add_parser(
        'evaluate',
        help='tell how well the ball of a recording is followed and predicted',
        description="Play a recording's vision to the tracker, and hold what it says of the ball "
        'against what vision saw later, beside simple laws and the recorded tracker.',
        examples=[
            'world_model ssl evaluate match.log.gz',
            'world_model ssl evaluate --horizons 0.25,0.5 --json match.log.gz',
            'world_model ssl evaluate --truth sim.kicks.json --plot sim.png sim.log.gz',
        ],
    )
    parser.add_argument('log', type=Path, metavar='LOG', help='the recording')
    parser.add_argument(
        '--horizons',
        type=horizons,
        default=(0.25, 0.5, 1.0),
        metavar='S,...',
        help='how far ahead predictions are compared [s]; 0.25,0.5,1.0 if not given',
    )
    parser.add_argument(
        '--truth',
        type=Path,
        metavar='KICKS.json',
        help='the kicks that the simulator was told to make: the truth is known then',
    )
    parser.add_argument(
        '--plot', type=Path, metavar='FILE.png', help='draw errors, way and kicks into this file'
    )
    parser.add_argument('--json', action='store_true', help='write JSON')
    parser.set_defaults(function=_evaluate)


def _add_calibrate(commands: Commands) -> None:
    parser = commands.add_parser(
        'calibrate',
        help='estimate how the ball slides, rolls and bounces',
        description='Estimate from the raw vision of recordings how the ball slides, rolls and '
        'bounces; SSL_GeometryModels in them are set aside.',
        examples=[
            'world_model ball calibrate match.log.gz',
            'world_model ball calibrate --out ball.yaml --plot kicks.png kicks.log chips.log',
        ],
    )
    parser.add_argument('logs', type=Path, nargs='+', metavar='LOG', help='a recording')
    parser.add_argument(
        '--out', type=Path, metavar='FILE.yaml', help='write ROS parameters into this file'
    )
    parser.add_argument(
        '--plot', type=Path, metavar='FILE.png', help='draw the kicks and their fits into this'
    )
    parser.add_argument('--json', action='store_true', help='write JSON')
    parser.set_defaults(function=_calibrate)


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
        return _complain(error, WRONG_USE)
    return 0


def _scenarios() -> str:
    """List what there is to run, where the package can be found."""
    from world_model_nodes.scenarios.launch_xml import LaunchFileError
    from world_model_nodes.scenarios.listing import list_scenarios

    try:
        return f'\n{list_scenarios()}'
    except LaunchFileError as error:
        return f'\nscenarios: {error}\n'


def _watch(asked: argparse.Namespace) -> int:
    check_plot(asked.plot)
    from world_model_nodes.watch.watch import watch

    return watch(asked.seconds, asked.plot, asked.ros_args)


def _info(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.ssl_info import print_info

    print_info(asked.log, as_json=asked.json)
    return 0


def _evaluate(asked: argparse.Namespace) -> int:
    check_plot(asked.plot)
    from world_model_nodes.commands.ssl_evaluate import print_evaluation

    print_evaluation(asked.log, asked.truth, asked.horizons, asked.plot, as_json=asked.json)
    return 0


def _calibrate(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.ball_calibrate import calibrate_ball

    told = calibrate_ball(asked.logs, asked.out, asked.plot, as_json=asked.json)
    return 0 if told else BAD_INPUT
