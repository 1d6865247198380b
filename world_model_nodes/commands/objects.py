# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on object maps: `world_model ask` and `world_model objects evaluate`."""

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
    count,
    distances,
    pose,
    seconds,
)

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


# Number of simulated rooms, and standard deviations of detected positions [m].
LAYOUTS, SIGMAS = 60, (0.05, 0.30)


def add_to(commands: Commands) -> None:
    """Add `ask`, and `objects` with its command."""
    _add_ask(commands)
    objects = add_group(
        commands,
        'objects',
        summary='object maps',
        examples=['world_model objects evaluate'],
    )
    _add_evaluate(objects)


def _add_ask(commands: Commands) -> None:
    parser = add_command(
        commands,
        'ask',
        _ask,
        summary='answer a question about an object map',
        description='Answer a question, in English or Japanese, about an object map: how many, '
        'which one, or which way. The exit code is 0 if the question was answered.',
        examples=[
            'world_model ask map.json "How many blue chairs are near the table?"',
            'world_model ask map.json 冷蔵庫に最も近い鉢植え',
            'world_model ask --json --from 0,-1.5,0 object_list.txt "Go to the sofa."',
        ],
        json='write JSON',
    )
    parser.add_argument(
        'map',
        type=Path,
        metavar='MAP',
        help='an object map in JSON, an object list of the CMU VLA challenge, or a scene folder '
        'of the challenge or of VLA-3D',
    )
    parser.add_argument('question', nargs='+', metavar='QUESTION', help='the question')
    parser.add_argument(
        '--from',
        dest='robot',
        type=pose,
        metavar='X,Y,HEADING',
        help='pose of the robot [m, m, rad]: the start of routes, and the viewpoint for left and '
        'right',
    )


def _add_evaluate(commands: Commands) -> None:
    parser = add_command(
        commands,
        'evaluate',
        _evaluate,
        summary='score object mapping in simulation',
        description='Map simulated rooms and houses from detections with errors, and compare the '
        'maps with the ground truth, with simpler methods and with an oracle. With --live, '
        'compare the published map of a running simulator with its truth instead.',
        examples=[
            'world_model objects evaluate',
            'world_model objects evaluate --layouts 10 --sigma 0.05,0.3 --json',
            'world_model objects evaluate --scenes vla3d --plot map.png',
            'world_model objects evaluate --live 120',
        ],
        json='write JSON',
    )
    parser.add_argument(
        '--live',
        type=seconds,
        metavar='SECONDS',
        help='score the map of a running simulator after this time',
    )
    parser.add_argument('--layouts', type=count, metavar='N', help='number of rooms; default: 60')
    parser.add_argument(
        '--sigma',
        type=distances,
        metavar='S,...',
        help='standard deviations of detected positions [m]; default: 0.05,0.3',
    )
    parser.add_argument(
        '--scenes',
        type=Path,
        metavar='DIR',
        help='a VLA-3D scene folder, or a folder that contains such folders: map these rooms too',
    )
    add_plot(parser, 'plot duplicates against the gate to this file')
    add_ros_arguments(parser)


def _ask(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.ask import ask

    answered = ask(asked.map, ' '.join(asked.question), asked.robot, as_json=asked.json)
    return 0 if answered else 1


def _evaluate(asked: argparse.Namespace) -> int:
    if asked.live is not None:
        return _evaluate_live(asked)
    check_plot(asked.plot)
    from world_model_nodes.commands.objects_evaluate import print_objects_evaluation

    print_objects_evaluation(
        asked.layouts or LAYOUTS,
        asked.sigma or SIGMAS,
        asked.scenes,
        asked.plot,
        as_json=asked.json,
    )
    return 0


def _evaluate_live(asked: argparse.Namespace) -> int:
    for name in ('layouts', 'sigma', 'scenes', 'plot'):
        if getattr(asked, name) is not None:
            raise WrongUseError(f'--{name} is for simulated rooms, not for --live')
    from world_model_nodes.commands.objects_evaluate_live import print_live_evaluation

    print_live_evaluation(asked.live, asked.ros_args, as_json=asked.json)
    return 0
