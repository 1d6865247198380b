# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on virtual worlds: `world_model world info`, `landmarks`, `pieces` and so on."""

# Modules that a command needs are imported when it runs, so that the help appears at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.findings import LANGUAGES
from world_model_nodes.commands.parser import (
    add_command,
    add_group,
    add_ros_arguments,
    count,
    deviation,
    seconds,
    seed,
)

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import CommandParser, Commands


def add_to(commands: Commands) -> None:
    """Add `world` and its commands."""
    world = add_group(
        commands,
        'world',
        summary='virtual worlds: people, robots and things under physics',
        examples=['world_model world info my_world.xml'],
    )
    _add_info(world)
    _add_landmarks(world)
    _add_pieces(world)
    _add_rollout(world)
    _add_say(world)


def _add_info(commands: Commands) -> None:
    parser = add_command(
        commands,
        'info',
        _info,
        summary='show the contents of a world',
        description='Show the entities of a world with their parts, joints, shapes and '
        'triangles, and what was found in its files. Of a recording of SIGVerse (.svd), show its '
        'objects and times. The exit code is 1 if the files have errors.',
        examples=[
            'world_model world info my_world.xml',
            'world_model world info --json --assets meshes robot.urdf',
            'world_model world info lesson.svd',
        ],
        json='write JSON',
    )
    _add_world(parser)
    parser.add_argument(
        '--lang', choices=LANGUAGES, default='en', help='language of the findings: en or ja'
    )


def _add_landmarks(commands: Commands) -> None:
    parser = add_command(
        commands,
        'landmarks',
        _landmarks,
        summary='write the map of a world for localizers',
        description='Write the landmarks of a world, which are what is fixed to it, and where its '
        'robots are at the start, as a parameter file for ekf_localizer and particle_localizer.',
        examples=[
            'world_model world landmarks my_world.xml > landmarks.yaml',
            'world_model world landmarks --seed 3 house > landmarks.yaml',
        ],
        json='write JSON, with the names of the landmarks',
    )
    _add_world(parser)
    parser.add_argument('--seed', type=seed, default=1, help='seed of a house; default: 1')


def _add_pieces(commands: Commands) -> None:
    parser = add_command(
        commands,
        'pieces',
        _pieces,
        summary='cut hollow shapes into convex pieces',
        description='Cut the hollow shapes of a world of SIGVerse into convex pieces, by which '
        'they collide from then on: things can lie in a bowl. This is done once; the pieces are '
        'kept in the folder `pieces` next to the world. It needs CoACD: pip install coacd',
        examples=['world_model world pieces my_world.xml'],
        json='write JSON',
    )
    _add_world(parser)


def _add_rollout(commands: Commands) -> None:
    parser = add_command(
        commands,
        'rollout',
        _rollout,
        summary='run a world many times, on all cores',
        description='Run a world many times from its start, on all cores. In each run random '
        'velocities are added to all that can move. Printed is how far each entity moved.',
        examples=[
            'world_model world rollout my_world.xml',
            'world_model world rollout --runs 1000 --steps 500 --json my_world.xml',
        ],
        json='write JSON',
    )
    _add_world(parser)
    parser.add_argument('--runs', type=count, default=100, metavar='N', help='default: 100')
    parser.add_argument(
        '--steps',
        type=count,
        default=100,
        metavar='M',
        help='physics steps of a run; default: 100',
    )
    parser.add_argument(
        '--seed', type=seed, default=1, help='seed of the first run, others follow; default: 1'
    )
    parser.add_argument(
        '--push',
        type=deviation,
        default=0.1,
        metavar='SPEED',
        help='standard deviation of the added velocities [m/s, rad/s], 0 for none; default: 0.1',
    )


def _add_say(commands: Commands) -> None:
    parser = add_command(
        commands,
        'say',
        _say,
        summary='say something to an agent of a running world',
        description='Say a text to an agent of a running world, from outside of it: its handler '
        'on_recv_text is called at the next step. The exit code is 1 if nobody listens.',
        examples=['world_model world say robot "bring me the cup"'],
    )
    parser.add_argument('name', metavar='NAME', help='name of the entity')
    parser.add_argument('text', metavar='TEXT', help='what it hears')
    parser.add_argument(
        '--wait',
        type=seconds,
        default=10.0,
        metavar='SECONDS',
        help='longest time to wait until somebody listens; default: 10',
    )
    add_ros_arguments(parser)


def _add_world(parser: CommandParser) -> None:
    parser.add_argument(
        'world',
        type=Path,
        metavar='WORLD',
        help='a world of SIGVerse, an MJCF or URDF file, house or kitchen',
    )
    parser.add_argument(
        '--assets',
        type=Path,
        action='append',
        default=[],
        metavar='DIR',
        help='folder of further files that the world may name; may be given several times',
    )


def _info(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.world_info import print_world
    from world_model_nodes.commands.world_recording_info import SUFFIX, print_recording

    if Path(asked.world).suffix == SUFFIX:
        return 0 if print_recording(Path(asked.world), as_json=asked.json) else 1
    return 0 if print_world(asked.world, asked.assets, asked.lang, as_json=asked.json) else 1


def _landmarks(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.world_landmarks import print_landmarks

    print_landmarks(asked.world, asked.assets, asked.seed, as_json=asked.json)
    return 0


def _pieces(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.world_pieces import make_pieces

    make_pieces(asked.world, asked.assets, as_json=asked.json)
    return 0


def _rollout(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.world_rollout import RolloutSettings, print_rollout

    settings = RolloutSettings(
        asked.world, asked.assets, asked.runs, asked.steps, asked.seed, asked.push
    )
    print_rollout(settings, as_json=asked.json)
    return 0


def _say(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.world_say import say

    say(asked.name, asked.text, asked.wait, asked.ros_args)
    return 0
