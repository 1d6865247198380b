# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ssl evaluate`: how well a recording's ball is followed and predicted."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from world_model_core.documents import write
from world_model_core.evaluation.evaluation import evaluate
from world_model_core.ssl.recording import RecordingReader
from world_model_nodes.progress import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.evaluation.evaluation import Evaluation
    from world_model_core.evaluation.windows import PredictionErrors, Spread


def print_evaluation(path: Path, horizons: Sequence[float], *, as_json: bool) -> None:
    """
    Evaluate a recording and print what was found, for people or as JSON.

    Raises
    ------
    RecordingError
        It cannot be read.

    """
    reader = RecordingReader(path)
    evaluation = evaluate(shown(reader), horizons)
    if as_json:
        document = {'path': str(path), 'truncated': reader.truncated, **asdict(evaluation)}
        sys.stdout.write(write(document) + '\n')
        return
    console = Console(soft_wrap=True, markup=False)
    console.print(_predictions(evaluation))


def _predictions(evaluation: Evaluation) -> Table:
    title = 'error of the predicted ball [mm]: median / 95 % (n)'
    table = Table('ahead', 'predictor', title=title, title_justify='left')
    for column in ('all', 'sliding', 'rolling', 'flying'):
        table.add_column(column, justify='right')
    for errors in evaluation.predictions:
        table.add_row(f'{errors.horizon:g} s', errors.predictor, *_spreads(errors))
    return table


def _spreads(errors: PredictionErrors) -> tuple[str, ...]:
    return tuple(
        _millimetres(each) for each in (errors.all, errors.sliding, errors.rolling, errors.flying)
    )


def _millimetres(spread: Spread) -> str:
    if spread.median is None or spread.p95 is None:
        return '-'
    return f'{1e3 * spread.median:.1f} / {1e3 * spread.p95:.1f} ({spread.n})'
