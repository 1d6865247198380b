# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world rollout`: many runs of a virtual world, and where things end."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from world_model_core.findings import printable
from world_model_nodes.commands.progress import counted
from world_model_nodes.commands.world_source import load_named_world
from world_model_nodes.virtual_world.engine_import import import_engine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.rollout import RunResult
    from world_model_core.virtual_world.values import EntityState


class RolloutSettings(NamedTuple):
    """
    Settings of the command.

    Attributes
    ----------
    world : Path
    assets : sequence of Path
    runs, steps : int
    seed : int
        Of the first run; each other has the next number.
    push : float
        Standard deviation of the velocities that are added at the start [m/s, rad/s].

    """

    world: Path
    assets: Sequence[Path]
    runs: int
    steps: int
    seed: int
    push: float


def print_rollout(settings: RolloutSettings, *, as_json: bool) -> None:
    """
    Run a world many times, and print how far things moved, as a table or JSON.

    Raises
    ------
    ConfigurationError
        MuJoCo is not installed.
    EngineError
        The engine cannot simulate the world.
    WorldFileError
        The world cannot be used.

    """
    engine_type = import_engine()
    # It imports MuJoCo, too.
    from world_model_core.virtual_world.engine.rollout import Run  # noqa: PLC0415
    from world_model_nodes.virtual_world.rollouts import rollout  # noqa: PLC0415

    world, _ = load_named_world(settings.world, settings.assets)
    engine = engine_type(world, seed=settings.seed)
    runs = [Run(settings.seed + number, settings.push) for number in range(settings.runs)]
    start = time.monotonic()
    found = rollout(engine.snapshot(), runs, settings.steps, every=settings.steps)
    results = tuple(counted(found, len(runs)))
    document = _document(settings, engine.truth.entities, results, time.monotonic() - start)
    if as_json:
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + '\n')
        return
    # Names from files may look like markup.
    console = Console(soft_wrap=True, markup=False, highlight=False)
    console.print(_table(document))


def _document(
    settings: RolloutSettings,
    before: Mapping[str, EntityState],
    results: Sequence[RunResult],
    duration: float,
) -> dict[str, Any]:
    ends = [result.end.entities for result in results]
    return {
        'runs': settings.runs,
        'steps': settings.steps,
        'steps_per_second': settings.runs * settings.steps / duration,
        'failed': {result.run.seed: result.error for result in results if result.error},
        'entities': {
            name: _moves(state, np.array([each[name].pose.position for each in ends]))
            for name, state in before.items()
        },
    }


def _moves(before: EntityState, ends: Array) -> dict[str, float]:
    """Return how far an entity moved on average and at most, and how far apart it ended [m]."""
    distances = np.linalg.norm(ends - before.pose.position, axis=1)
    spread = np.linalg.norm(ends - ends.mean(axis=0), axis=1)
    return {
        'mean': float(distances.mean()),
        'largest': float(distances.max()),
        'spread': float(np.sqrt((spread**2).mean())),
    }


def _table(document: dict[str, Any]) -> Table:
    title = (
        f'{document["runs"]} runs of {document["steps"]} steps, '
        f'{document["steps_per_second"]:.0f} steps/s, {len(document["failed"])} failed'
    )
    table = Table(title=title, title_justify='left', box=None)
    table.add_column('entity')
    for name in ('moved [m]', 'at most [m]', 'spread [m]'):
        table.add_column(name, justify='right')
    for name, moves in document['entities'].items():
        table.add_row(printable(name), *(f'{value:.3f}' for value in moves.values()))
    return table
