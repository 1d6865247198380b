# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on uncertain robots: `world_model uncertainty plot`."""

# Only what a subcommand needs is imported, when it runs: the help comes at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import check_plot, seed

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_uncertainty(commands: Commands) -> None:
    """Add `uncertainty` and its commands."""
    text = 'how robots go astray and mis-see'
    uncertainty = commands.add_parser(
        'uncertainty', help=text, description=text, examples=['world_model uncertainty plot stuck']
    )
    _add_plot(uncertainty.add_subparsers(title='commands', metavar='COMMAND', required=True))


def _add_plot(commands: Commands) -> None:
    parser = commands.add_parser(
        'plot',
        help='draw what a source of uncertainty does',
        description='Draw what a source of uncertainty does to 100 robots in 30 s: without it, '
        'with it, and beside its law.',
        examples=[
            'world_model uncertainty plot kidnap',
            'world_model uncertainty plot clutter --seed 3 --out clutter.png',
        ],
        listed=_presets,
    )
    parser.add_argument('preset', metavar='PRESET', help='one of those below')
    parser.add_argument(
        '--out', type=Path, metavar='FILE.png', help='the picture; PRESET.png if not given'
    )
    parser.add_argument(
        '--seed', type=seed, default=0, metavar='N', help='another one, another run; 0'
    )
    parser.set_defaults(function=_plot)


def _presets() -> str:
    """List what there is to draw."""
    from world_model_core.uncertainty.lecture_simulations import SCENARIOS

    lines = [f'  {name:<13} {each.title}' for name, each in SCENARIOS.items()]
    lines.append(f'  {"exponential":<13} the law of ways to the next pebble')
    return '\n'.join(['\npresets:', *lines, ''])


def _plot(asked: argparse.Namespace) -> int:
    path = asked.out or Path(f'{asked.preset}.png')
    check_plot(path, '--out')
    from world_model_nodes.commands.uncertainty_plot import save_plot

    save_plot(asked.preset, asked.seed, path)
    sys.stdout.write(f'{path}\n')
    return 0
