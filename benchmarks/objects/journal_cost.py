# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""CPU time of the journal of a map of 5,000 objects, compared with saving the whole map."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from world_model_core.objects.persistent_map import PersistentObjectMap
from world_model_core.objects.values import Detections
from world_model_nodes.objects.map_journal import MapJournal
from world_model_nodes.objects.object_map import JOURNAL_PERIOD
from world_model_nodes.objects.object_map_config import ObjectMapConfig

OBJECTS = 5000
# Objects that change between two records: a room, a panorama, and all.
CHANGED = (50, 500, OBJECTS)
SECONDS = 20
TARGET = 20.0  # CPU time in a second [ms]
FIRST_FRAMES = 5


def measure(seconds: int = SECONDS) -> dict[str, Any]:
    """Measure the CPU time of all threads of the journal, compaction included."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        saved = _time_save(folder)
        by_changed = {str(count): _time_journal(folder, count, seconds) for count in CHANGED}
    return {
        'objects': OBJECTS,
        'a whole save [ms]': round(saved, 1),
        'target, a second [ms]': TARGET,
        'by number of changing objects': {
            count: {
                'a second [ms]': round(cost, 2),
                'a whole save [times as much]': round(saved / cost, 1),
            }
            for count, cost in by_changed.items()
        },
    }


def _time_save(folder: Path) -> float:
    """Return the CPU time of a save [ms]."""
    config, kept = _furnish(folder)
    begin = time.process_time()
    kept.save(folder / 'map.json', config.origin)
    return 1e3 * (time.process_time() - begin)


def _time_journal(folder: Path, changed: int, seconds: int) -> float:
    """Return the CPU time of the journal in a second in which objects change [ms]."""
    config, kept = _furnish(folder)
    journal = MapJournal(kept, config, print)
    spent = 0.0
    flushes = round(seconds / JOURNAL_PERIOD)
    for number in range(flushes):
        kept.observe(_frame(FIRST_FRAMES + number, changed), None)
        # The frame is not part of the cost, but a compaction in the other thread is.
        begin = time.process_time()
        journal.flush()
        if journal._work is not None:  # noqa: SLF001
            journal._work.result()  # noqa: SLF001
        spent += time.process_time() - begin
    if journal.error is not None:
        raise RuntimeError(journal.error)
    journal.close()
    return 1e3 * spent / seconds


def _furnish(folder: Path) -> tuple[ObjectMapConfig, PersistentObjectMap]:
    config = ObjectMapConfig(map_folder=str(folder), frame_limit=OBJECTS, fresh=True)
    kept = PersistentObjectMap(config.map_parameters())
    for number in range(FIRST_FRAMES):
        kept.observe(_frame(number, OBJECTS), None)
    return config, kept


def _frame(number: int, count: int) -> Detections:
    """Draw the detections of some objects."""
    places = np.random.default_rng(1).uniform(0.0, 60.0, (OBJECTS, 3))[:count]
    noise = np.random.default_rng(number).normal(0.0, 0.01, (count, 3))
    return Detections(
        stamp_ns=(number + 1) * 10**8,
        labels=tuple(f'class {index % 30}' for index in range(count)),
        positions=places + noise,
        covariances=np.tile(1e-4 * np.eye(3), (count, 1, 1)),
        scores=np.ones(count),
        colors=('red',) * count,
        sizes=np.full((count, 3), 0.3),
        headings=np.zeros(count),
    )
