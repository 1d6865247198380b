# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on object maps: `world_model ask` and `world_model objects evaluate`."""

# Only what a subcommand needs is imported, when it runs: the help comes at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import check_plot, count, distances, pose

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_ask(commands: Commands) -> None:
    """Add `ask`."""
    parser = commands.add_parser(
        'ask',
        help='put a question to an object map',
        description='Put a question, in English or Japanese, to an object map: how many, which '
        'one, or which way. The exit code is 0 when it was answered.',
        examples=[
            'world_model ask map.json "How many blue chairs are near the table?"',
            'world_model ask map.json 冷蔵庫に最も近い鉢植え',
            'world_model ask --json --from 0,-1.5,0 object_list.txt "Go to the sofa."',
        ],
    )
    parser.add_argument(
        'map',
        type=Path,
        metavar='MAP',
        help='an object map in JSON, an object list of the CMU VLA challenge, or a scene folder '
        'of the challenge or of VLA-3D',
    )
    parser.add_argument('question', nargs='+', metavar='QUESTION', help='what is asked')
    parser.add_argument(
        '--from',
        dest='robot',
        type=pose,
        metavar='X,Y,HEADING',
        help='where the robot is [m, m, rad]: where ways begin, and left and right are seen from',
    )
    parser.add_argument('--json', action='store_true', help='write JSON')
    parser.set_defaults(function=_ask)


def add_objects(commands: Commands) -> None:
    """Add `objects` and its commands."""
    text = 'the object map'
    objects = commands.add_parser(
        'objects', help=text, description=text, examples=['world_model objects evaluate']
    )
    _add_evaluate(objects.add_subparsers(title='commands', metavar='COMMAND', required=True))


def _add_evaluate(commands: Commands) -> None:
    parser = commands.add_parser(
        'evaluate',
        help='tell how well objects are mapped',
        description='Map simulated rooms and houses by what a detector reports that errs, and '
        'hold the maps against the truth, beside simpler ways to make them and an oracle.',
        examples=[
            'world_model objects evaluate',
            'world_model objects evaluate --layouts 10 --sigma 0.05,0.3 --json',
            'world_model objects evaluate --scenes vla3d --plot map.png',
        ],
    )
    parser.add_argument(
        '--layouts', type=count, default=60, metavar='N', help='how many rooms; 60 if not given'
    )
    parser.add_argument(
        '--sigma',
        type=distances,
        default=(0.05, 0.30),
        metavar='S,...',
        help='standard deviations of detected positions [m]; 0.05,0.3 if not given',
    )
    parser.add_argument(
        '--scenes',
        type=Path,
        metavar='DIR',
        help='a scene folder of VLA-3D, or a folder of such: their rooms are mapped as well',
    )
    parser.add_argument(
        '--plot', type=Path, metavar='FILE.png', help='draw duplicates against gate into this file'
    )
    parser.add_argument('--json', action='store_true', help='write JSON')
    parser.set_defaults(function=_evaluate)


def _ask(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.ask import ask

    answered = ask(asked.map, ' '.join(asked.question), asked.robot, as_json=asked.json)
    return 0 if answered else 1


def _evaluate(asked: argparse.Namespace) -> int:
    check_plot(asked.plot)
    from world_model_nodes.commands.objects_evaluate import print_objects_evaluation

    print_objects_evaluation(
        asked.layouts, asked.sigma, asked.scenes, asked.plot, as_json=asked.json
    )
    return 0
