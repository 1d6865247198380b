# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Object maps of household_explore against the truth, next to those of vla_sim."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.virtual_world.explored_household import explore
from world_model_core.evaluation.objects.explored_houses import compare_explored
from world_model_core.evaluation.objects.object_map_mapper import OBJECT_MAP, ObjectMapMapper
from world_model_core.evaluation.objects.scores import summarize, tally
from world_model_core.virtual_world.worlds.loading import WorldSources
from world_model_nodes.virtual_world.our_worlds import KITCHEN, load_ours

if TYPE_CHECKING:
    from benchmarks.virtual_world.explored_household import Exploration
    from world_model_core.evaluation.objects.scores import Scores, Tally

SEEDS, SECONDS = 20, 120.0
# Explored houses of vla_sim for comparison.
HOUSES = 3


def measure(
    seeds: int = SEEDS, seconds: float = SECONDS, name: str = KITCHEN, houses: int = HOUSES
) -> dict[str, Any]:
    """Explore a world with each seed; report all objects, and those that nobody moved."""
    whole: list[Tally] = []
    still: list[Tally] = []
    moved, errors = 0, []
    for seed in range(1, seeds + 1):
        exploration = explore(load_ours(name, seed, WorldSources()), seed, seconds)
        whole.append(tally(exploration.run))
        still.append(tally(_still(exploration)))
        moved += sum(exploration.moved)
        path = exploration.path
        errors.append(np.linalg.norm(path[:, :2] - path[:, 2:], axis=1))
        print(f'seed {seed}: {_line(summarize(whole[-1:]))}, {sum(exploration.moved)} moved')
    own, resting = summarize(whole), summarize(still)
    (compared,) = compare_explored(houses, {OBJECT_MAP: lambda *_: ObjectMapMapper()})
    print(f'{seeds} runs: {_line(own)}; without moved objects: {_line(resting)}')
    print(f'vla_sim, {houses} houses: {_line(compared.scores)}')
    return {
        'world': name,
        'seconds': seconds,
        'moved': moved,
        'error of the robot [m]': float(np.sqrt(np.mean(np.concatenate(errors) ** 2))),
        'all objects': asdict(own),
        'still objects': asdict(resting),
        'vla_sim': asdict(compared.scores),
    }


def _still(exploration: Exploration) -> Any:
    """Return a run without the objects that were moved: their detections show nothing."""
    run, moved = exploration.run, np.array(exploration.moved)
    sources = np.where((run.sources >= 0) & ~moved[run.sources], run.sources, -1)
    return replace(run, sources=sources)


def _line(scores: Scores) -> str:
    """Return duplicates, counts and consistency as a text."""
    low, high = scores.anees_bounds or (0.0, 0.0)
    return (
        f'{scores.objects} objects, {scores.found} mapped, duplicates {scores.duplicates:.1%}, '
        f'counts {scores.class_counts:.1%}, recall {scores.recall:.1%}, '
        f'ANEES/3 {scores.anees:.2f} ({low:.2f} to {high:.2f} if consistent), '
        f'error {scores.position_error:.3f} m'
    )
