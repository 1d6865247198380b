# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Runs of a virtual world from one snapshot, spread over the cores by processes."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

from world_model_core.virtual_world.engine.rollout import Runner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.virtual_world.engine.rollout import Run, RunResult

__all__ = ['rollout']

# Of a worker process: the world that it runs.
_runners: list[Runner] = []


def rollout(
    snapshot: bytes,
    runs: Sequence[Run],
    steps: int,
    *,
    every: int = 1,
    processes: int | None = None,
) -> Iterator[RunResult]:
    """
    Run a world from a snapshot many times, each in the same way to the bit as an Engine.

    Parameters
    ----------
    snapshot : bytes
    runs : sequence of Run
    steps : int
        Number of physics steps of each run.
    every : int
        Steps between two states in the results.
    processes : int, optional
        None: as many as there are processors for this process.

    Yields
    ------
    RunResult
        In the order of `runs`, each as soon as it is there.

    Raises
    ------
    SnapshotError

    """
    runner = Runner(snapshot)
    count = min(len(runs), processes or len(os.sched_getaffinity(0)))
    if count < 2:
        yield from (runner.run(each, steps, every) for each in runs)
        return
    # Forked from a server that has imported the engine, and none of the threads of this process.
    context = get_context('forkserver')
    context.set_forkserver_preload([Runner.__module__])
    with ProcessPoolExecutor(count, context, initializer=_begin, initargs=(snapshot,)) as pool:
        yield from pool.map(partial(_run, steps=steps, every=every), runs)


def _begin(snapshot: bytes) -> None:
    """Compile the world in a worker process."""
    _runners.append(Runner(snapshot))


def _run(run: Run, *, steps: int, every: int) -> RunResult:
    """Run the world of this worker process."""
    return _runners[0].run(run, steps, every)
