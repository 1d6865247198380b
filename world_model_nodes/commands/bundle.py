# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on World Bundles: `world_model bundle validate`, `info` and `example`."""

# Modules that a command needs are imported when it runs, so that the help appears at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.bundle.validate_command import DESCRIPTION, add_arguments
from world_model_nodes.commands.parser import add_command, add_group

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_to(commands: Commands) -> None:
    """Add `bundle` and its commands."""
    bundle = add_group(
        commands,
        'bundle',
        summary='World Bundles: scenes in folders',
        examples=['world_model bundle validate scene'],
    )
    _add_validate(bundle)
    _add_info(bundle)
    _add_example(bundle)


def _add_validate(commands: Commands) -> None:
    parser = add_command(
        commands,
        'validate',
        _validate,
        summary='check a bundle for errors',
        description=DESCRIPTION,
        examples=[
            'world_model bundle validate scene',
            'world_model bundle validate --strict --lang ja scene',
            'world_model bundle validate --json --ignore Bundle.Unlisted scene',
        ],
    )
    add_arguments(parser)


def _add_info(commands: Commands) -> None:
    parser = add_command(
        commands,
        'info',
        _info,
        summary='show the contents of a bundle',
        description='Show the contents of a World Bundle and its preview picture.',
        examples=['world_model bundle info scene', 'world_model bundle info --json scene'],
        json='write JSON',
    )
    parser.add_argument('folder', type=Path, metavar='DIR', help='folder of the bundle')


def _add_example(commands: Commands) -> None:
    parser = add_command(
        commands,
        'example',
        _example,
        summary='make a small example bundle',
        description='Write a small, complete and valid World Bundle: terrain, road, splats, '
        'cameras, mesh and preview.',
        examples=['world_model bundle example scene'],
    )
    parser.add_argument(
        'folder', type=Path, metavar='DIR', help='folder to create; it must not exist'
    )


def _validate(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.bundle_validate import validate_bundle

    return validate_bundle(asked)


def _info(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.bundle_info import print_bundle

    print_bundle(asked.folder, as_json=asked.json)
    return 0


def _example(asked: argparse.Namespace) -> int:
    from world_model_nodes.commands.bundle_example import make_example

    make_example(asked.folder)
    return 0
