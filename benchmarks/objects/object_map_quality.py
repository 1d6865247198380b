# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Accuracy of object maps on simulated rooms and on rooms of real scenes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from benchmarks.match.recording import RECORDINGS
from world_model_core.evaluation.objects.layouts import SIMULATED, simulate_layouts
from world_model_nodes.commands.objects_evaluate import evaluate, load_layouts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LAYOUTS = 60
SIGMAS = (0.05, 0.30)
SCENES = RECORDINGS / 'vla' / 'vla3d'


def measure(
    layouts: int = LAYOUTS, sigmas: Sequence[float] = SIGMAS, scenes: Path = SCENES
) -> dict[str, Any]:
    """Evaluate maps of simulated rooms and, if there are scenes, of their rooms."""
    sets = {SIMULATED: simulate_layouts(layouts)}
    if scenes.is_dir():
        sets['rooms of scenes'] = load_layouts(scenes)
    else:
        print(f'no scenes at {scenes}; set WORLD_MODEL_DATA to their folder', file=sys.stderr)
    return evaluate(sets, sigmas, with_gates=False)
