# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The command on motion and sensor errors: `world_model uncertainty plot`."""

# Modules that a command needs are imported when it runs, so that the help appears at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import add_command, add_group, check_plot, seed
from world_model_nodes.commands.plot_file import save_plot

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_to(commands: Commands) -> None:
    """Add `uncertainty` and its command."""
    uncertainty = add_group(
        commands,
        'uncertainty',
        summary='errors of robot motion and sensing',
        examples=['world_model uncertainty plot stuck'],
    )
    parser = add_command(
        uncertainty,
        'plot',
        _plot,
        summary='plot the effect of an error source',
        description='Plot the effect of an error source on 100 robots in 30 s: without it, with '
        'it, and next to its distribution.',
        examples=[
            'world_model uncertainty plot kidnap',
            'world_model uncertainty plot phantom --seed 3 --out phantom.png',
        ],
        listed=_presets,
    )
    parser.add_argument('preset', metavar='PRESET', help='a preset from the list below')
    parser.add_argument(
        '--out', type=Path, metavar='FILE.png', help='picture file; default: PRESET.png'
    )
    parser.add_argument(
        '--seed', type=seed, default=0, metavar='N', help='seed of the run; default: 0'
    )


def _presets() -> str:
    """List the presets."""
    from world_model_core.uncertainty.lecture_simulations import LECTURE_SIMULATIONS

    lines = [f'  {name:<13} {each.title}' for name, each in LECTURE_SIMULATIONS.items()]
    lines.append(
        f'  {"exponential":<13} exponential distribution of the distance to the next pebble'
    )
    return '\n'.join(['\npresets:', *lines, ''])


def _plot(asked: argparse.Namespace) -> int:
    path = asked.out or Path(f'{asked.preset}.png')
    check_plot(path, '--out')
    from world_model_nodes.commands.uncertainty_plot import draw

    save_plot(draw(asked.preset, asked.seed), path)
    sys.stdout.write(f'{path}\n')
    return 0
