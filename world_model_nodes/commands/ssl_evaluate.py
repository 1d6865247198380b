# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ssl evaluate`: evaluate tracking and prediction of the ball in a recording."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.console import Console

from world_model_core.documents import write
from world_model_core.evaluation.match.evaluation import evaluate
from world_model_core.evaluation.match.ground_truth import TruthError, read_kicks
from world_model_core.match.ssl.recording import RecordingReader
from world_model_nodes.commands.plot_file import save_plot
from world_model_nodes.commands.progress import shown
from world_model_nodes.commands.ssl_evaluate_tables import tables

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.evaluation.match.ground_truth import CommandedKick


# Smallest width that shows all numbers [characters].
TABLE_WIDTH = 150


def print_evaluation(
    log: Path,
    truth: Path | None,
    others: Sequence[Path],
    horizons: Sequence[float],
    plot: Path | None,
    *,
    as_json: bool,
) -> None:
    """
    Evaluate a recording and print the result as tables or JSON.

    Parameters
    ----------
    log : Path
        The recording.
    truth : Path or None
        Kicks commanded to a simulator.
    others : sequence of Path
        Recordings of other trackers on the same match.
    horizons : sequence of float
        Prediction horizons [s].
    plot : Path or None
        Picture to write.
    as_json : bool

    Raises
    ------
    RecordingError
        If a recording cannot be read, the first has no vision frame, or another one no tracker
        of the same match.
    TruthError
        If the kicks cannot be read.

    """
    kicks = None if truth is None else _read(truth)
    reader = RecordingReader(log)
    compared = {str(path): shown(RecordingReader(path)) for path in others}
    evaluation, replayed = evaluate(shown(reader), horizons, kicks, compared)
    if plot is not None:
        from world_model_nodes.commands.ssl_evaluate_plot import draw  # noqa: PLC0415 (slow)

        save_plot(draw(evaluation, replayed), plot)
    if as_json:
        document = {'path': str(log), 'truncated': reader.truncated, **asdict(evaluation)}
        sys.stdout.write(write(document) + '\n')
        return
    console = Console(soft_wrap=True, markup=False)
    console.width = max(console.width, TABLE_WIDTH)
    for table in tables(evaluation):
        console.print(table)


def _read(path: Path) -> tuple[CommandedKick, ...]:
    try:
        return read_kicks(path.read_text(encoding='utf-8'))
    except (OSError, UnicodeDecodeError) as error:
        raise TruthError(f'{path}: {error}') from error
