# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All that `world_model ssl evaluate` finds out about a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.ball.segmentation import segment
from world_model_core.evaluation.history import play
from world_model_core.evaluation.observed import ObservedBall
from world_model_core.evaluation.predictors import predictors
from world_model_core.evaluation.windows import PredictionErrors, prediction_errors, windows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.ball.segmentation import Stretch
    from world_model_core.evaluation.history import History
    from world_model_core.ssl.recording import Message

HORIZONS = (0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What `evaluate` found."""

    duration: float
    tracker: str
    predictions: tuple[PredictionErrors, ...]


def evaluate(messages: Iterable[Message], horizons: Sequence[float] = HORIZONS) -> Evaluation:
    """
    Play a recording and judge what was said of the ball.

    Parameters
    ----------
    messages : iterable of Message
        A RecordingReader, say.
    horizons : sequence of float
        How far ahead predictions are compared [s].

    """
    history = play(messages)
    stretches = segment(history.sights)
    frames = history.frames_ns
    return Evaluation(
        duration=float(np.ptp(frames)) / 1e9 if len(frames) else 0.0,
        tracker=history.tracker_name,
        predictions=_predictions(history, stretches, horizons),
    )


def _predictions(
    history: History, stretches: Sequence[Stretch], horizons: Sequence[float]
) -> tuple[PredictionErrors, ...]:
    """Compare all predictors at all horizons, on the same windows."""
    ratio = history.parameters.switch_ratio
    observed = [ObservedBall(history.sights, stretch, ratio) for stretch in stretches]
    instants = _instants(history, stretches)
    found = []
    for horizon in horizons:
        chosen = windows(observed, instants, horizon)
        found += [prediction_errors(each, chosen, horizon) for each in predictors(history)]
    return tuple(found)


def _instants(history: History, stretches: Sequence[Stretch]) -> list[int]:
    """Begin windows where the recording's tracker has a state, or else wherever vision has."""
    if history.tracked:
        return [frame.stamp_ns for frame in history.tracked]
    stamps = [history.sights.stamps_ns[stretch.indices] for stretch in stretches]
    return sorted({stamp_ns for some in stamps for stamp_ns in some.tolist()})
