# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on World Bundles: `world_model bundle validate`, `info` and `example`."""

# Only what a subcommand needs is imported, when it runs: the help comes at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.bundle.checking.validation_command import DESCRIPTION, add_arguments

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_bundle(commands: Commands) -> None:
    """Add `bundle` and its commands."""
    text = 'scenes in folders: World Bundles'
    bundle = commands.add_parser(
        'bundle', help=text, description=text, examples=['world_model bundle validate scene']
    )
    added = bundle.add_subparsers(title='commands', metavar='COMMAND', required=True)
    _add_validate(added)
    _add_info(added)
    _add_example(added)


def _add_validate(commands: Commands) -> None:
    parser = commands.add_parser(
        'validate',
        help='tell what is wrong with a bundle',
        description=DESCRIPTION,
        examples=[
            'world_model bundle validate scene',
            'world_model bundle validate --strict --lang ja scene',
            'world_model bundle validate --json --ignore Bundle.Unlisted scene',
        ],
    )
    add_arguments(parser)
    parser.set_defaults(function=_validate)


def _add_info(commands: Commands) -> None:
    parser = commands.add_parser(
        'info',
        help='tell what is in a bundle',
        description='Tell what is in a World Bundle, with its preview.',
        examples=['world_model bundle info scene', 'world_model bundle info --json scene'],
    )
    parser.add_argument('folder', type=Path, metavar='DIR', help='the bundle')
    parser.add_argument('--json', action='store_true', help='write JSON')
    parser.set_defaults(function=_info)


def _add_example(commands: Commands) -> None:
    parser = commands.add_parser(
        'example',
        help='make a small bundle',
        description='Make a small, complete and valid World Bundle: terrain, road, splats, '
        'cameras, mesh and preview.',
        examples=['world_model bundle example scene'],
    )
    parser.add_argument('folder', type=Path, metavar='DIR', help='where; it must not exist yet')
    parser.set_defaults(function=_example)


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
