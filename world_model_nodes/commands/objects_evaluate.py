# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model objects evaluate`: accuracy of object maps of simulated and annotated rooms."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import Console

from world_model_core.documents import write
from world_model_core.evaluation.objects.comparison import (
    FRAMES,
    SWEPT_GATES,
    compare,
    sweep_gates,
)
from world_model_core.evaluation.objects.explored_houses import compare_explored
from world_model_core.evaluation.objects.layouts import (
    SIMULATED,
    cut_scene,
    simulate_layouts,
)
from world_model_core.evaluation.objects.moved_objects import measure_moves
from world_model_core.evaluation.objects.object_map_mapper import MAPPERS, ObjectMapMapper
from world_model_core.objects.documents.json_fields import ObjectMapError
from world_model_core.objects.documents.scene_files import load_scene
from world_model_core.simulation.house.room_detector import RoomDetector
from world_model_nodes.commands.objects_evaluate_tables import tables
from world_model_nodes.commands.plot_file import save_plot
from world_model_nodes.commands.progress import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from world_model_core.evaluation.objects.comparison import Comparison
    from world_model_core.evaluation.objects.layouts import Layout
    from world_model_core.evaluation.objects.moved_objects import Moves

# Narrower tables would omit numbers [characters].
TABLE_WIDTH = 160
SCENE_MARK = '*_object_result.csv'
# One house is explored for this number of rooms.
ROOMS_PER_HOUSE = 20


def print_objects_evaluation(
    layouts: int,
    sigmas: tuple[float, ...],
    scenes: Path | None,
    plot: Path | None,
    *,
    as_json: bool,
) -> None:
    """
    Evaluate object maps and print the results as tables or JSON.

    Parameters
    ----------
    layouts : int
        Number of simulated rooms.
    sigmas : tuple of float
        Standard deviations of detected positions [m].
    scenes : Path or None
        A scene folder of VLA-3D, or a folder of scene folders.
    plot : Path or None
        File for the plot of duplicates and counts over the gate.
    as_json : bool

    Raises
    ------
    ObjectMapError
        If a scene cannot be read, or there is none.
    ConfigurationError
        If the plot cannot be written.

    """
    sets = {SIMULATED: simulate_layouts(layouts)}
    if scenes is not None:
        sets['rooms of scenes'] = load_layouts(scenes)
    document = evaluate(sets, sigmas, with_gates=plot is not None)
    if plot is not None:
        from world_model_nodes.commands.objects_evaluate_plot import draw  # noqa: PLC0415 (slow)

        save_plot(draw(document), plot)
    if as_json:
        sys.stdout.write(write(document) + '\n')
        return
    console = Console(soft_wrap=True, markup=False)
    console.width = max(console.width, TABLE_WIDTH)
    for table in tables(document):
        console.print(table)


def load_layouts(folder: Path) -> tuple[Layout, ...]:
    """
    Load the rooms of all scenes in a folder, or of the scene in it.

    Raises
    ------
    ObjectMapError
        If a scene cannot be read, or there is none.

    """
    candidates = [folder, *sorted(folder.glob('*'))]
    found = [path for path in candidates if path.is_dir() and any(path.glob(SCENE_MARK))]
    if not found:
        raise ObjectMapError(f'{folder}: no {SCENE_MARK} in it or its subfolders')
    return tuple(room for path in found for room in cut_scene(path.name, load_scene(path)))


def evaluate(
    sets: Mapping[str, Sequence[Layout]], sigmas: Sequence[float], *, with_gates: bool
) -> dict[str, Any]:
    """Run all evaluations; returns a document that follows the schema `objects_evaluation`."""
    simulated = sets[SIMULATED]
    houses = max(len(simulated) // ROOMS_PER_HOUSE, 1)
    total = (len(sets) * len(sigmas) + 1) * len(MAPPERS)
    comparisons = counted(_compare(sets, sigmas, houses), total)
    gates = counted(_sweep(simulated, sigmas), len(sigmas) * len(SWEPT_GATES))
    detector = RoomDetector()
    return {
        'frames': FRAMES,
        'detected': 1.0 - detector.missed_detection.probability,
        'false': detector.clutter.share,
        'flicker': detector.label_confusion.label_probability,
        'comparisons': [asdict(each) for each in comparisons],
        'moves': [{'sigma': sigma, **asdict(_move(simulated, sigma))} for sigma in sigmas],
        'gates': list(gates) if with_gates else [],
    }


def _move(layouts: Sequence[Layout], sigma: float) -> Moves:
    """Evaluate moved objects, one in each room."""
    return measure_moves(
        counted(layouts, len(layouts)), RoomDetector(sigma=sigma), ObjectMapMapper
    )


def _compare(
    sets: Mapping[str, Sequence[Layout]], sigmas: Sequence[float], houses: int
) -> Iterator[Comparison]:
    """Compare all mappers on all rooms, then on whole houses."""
    for name, rooms in sets.items():
        for sigma in sigmas:
            yield from compare(name, rooms, sigma, MAPPERS)
    yield from compare_explored(houses, MAPPERS)


def _sweep(layouts: Sequence[Layout], sigmas: Sequence[float]) -> Iterator[dict[str, Any]]:
    """Evaluate global nearest neighbor with many gates."""
    for sigma in sigmas:
        for gate, scores in sweep_gates(layouts, sigma):
            yield {
                'sigma': sigma,
                'gate': gate,
                'duplicates': scores.duplicates,
                'class_counts': scores.class_counts,
            }
