# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All that `world_model ssl evaluate` finds out about a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import RecordingError
from world_model_core.evaluation.match.ground_truth_fit import fit_truth
from world_model_core.evaluation.match.kick_quality import judge_kicks
from world_model_core.evaluation.match.observed_ball import ObservedBall
from world_model_core.evaluation.match.prediction_errors import prediction_errors, windows
from world_model_core.evaluation.match.predictors import predictors
from world_model_core.evaluation.match.replay import play
from world_model_core.evaluation.match.state_errors import state_errors
from world_model_core.evaluation.match.track_quality import judge_track, latency
from world_model_core.match.ball.contact_segmentation import segment
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.evaluation.match.ground_truth import CommandedKick, TrueBall
    from world_model_core.evaluation.match.kick_quality import KicksQuality
    from world_model_core.evaluation.match.prediction_errors import PredictionErrors, Reference
    from world_model_core.evaluation.match.replay import History
    from world_model_core.evaluation.match.state_errors import StateErrors
    from world_model_core.evaluation.match.track_quality import Latency, TrackQuality
    from world_model_core.match.ball.contact_segmentation import Stretch
    from world_model_core.match.ssl.recording import Message

HORIZONS = (0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the ball's way [s from the first frame]: no kick or contact lies in it."""

    start: float
    end: float
    sights: int
    kicked: bool


@dataclass(frozen=True, slots=True)
class TruthFit:
    """
    How a commanded kick was carried out.

    `delay` from the command to the kick, `duration` from there to the end of what is known [s],
    `rms` of vision from it [m].
    """

    delay: float
    duration: float
    rms: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """
    What `evaluate` found; `dataclasses.asdict` makes it fit for evaluation.schema.json.

    `tracker` is the recording's own, empty where it has none; `truth` and `state` are None
    without commanded kicks.
    """

    duration: float
    tracker: str
    stretches: tuple[Part, ...]
    truth: tuple[TruthFit, ...] | None
    predictions: tuple[PredictionErrors, ...]
    state: StateErrors | None
    track: TrackQuality
    kicks: KicksQuality
    latency: Latency


def evaluate(
    messages: Iterable[Message],
    horizons: Sequence[float] = HORIZONS,
    kicks: Sequence[CommandedKick] | None = None,
) -> tuple[Evaluation, History]:
    """
    Play a recording and judge what was said of the ball.

    Parameters
    ----------
    messages : iterable of Message
        A RecordingReader, say.
    horizons : sequence of float
        How far ahead predictions are compared [s].
    kicks : sequence of CommandedKick, optional
        What a simulator was told: the truth is known then.

    Returns
    -------
    evaluation : Evaluation
    history : History
        What it rests on.

    Raises
    ------
    RecordingError
        Vision shows nothing in it.

    """
    history = play(messages)
    frames = history.frames_ns
    if not len(frames):
        raise RecordingError('the recording has no frame of vision')
    stretches = segment(history.sights)
    truth = None if kicks is None else fit_truth(history, stretches, kicks)
    evaluation = Evaluation(
        duration=float(np.ptp(frames)) / NANOSECONDS_PER_SECOND,
        tracker=history.tracker_name,
        stretches=_parts(history, stretches),
        truth=None if truth is None else tuple(map(_truth_fit, truth)),
        predictions=_predictions(history, stretches, horizons, truth),
        state=None if truth is None else state_errors(history, stretches, truth),
        track=judge_track(history, stretches),
        kicks=judge_kicks(history, stretches, truth),
        latency=latency(history.delays),
    )
    return evaluation, history


def _parts(history: History, stretches: Sequence[Stretch]) -> tuple[Part, ...]:
    first_ns = int(history.frames_ns[0])
    return tuple(
        Part(
            (s.start_ns - first_ns) / NANOSECONDS_PER_SECOND,
            (s.end_ns - first_ns) / NANOSECONDS_PER_SECOND,
            len(s.indices),
            s.kicked,
        )
        for s in stretches
    )


def _truth_fit(ball: TrueBall) -> TruthFit:
    delay = (ball.launch_ns - ball.kick.sent_ns) / NANOSECONDS_PER_SECOND
    return TruthFit(delay, (ball.end_ns - ball.launch_ns) / NANOSECONDS_PER_SECOND, ball.rms)


def _predictions(
    history: History,
    stretches: Sequence[Stretch],
    horizons: Sequence[float],
    truth: Sequence[TrueBall] | None,
) -> tuple[PredictionErrors, ...]:
    """Compare all predictors at all horizons, on the same windows."""
    ratio = history.parameters.switch_ratio
    references: Sequence[Reference] = (
        [ObservedBall(history.sights, stretch, ratio) for stretch in stretches]
        if truth is None
        else truth
    )
    compared = predictors(history)
    instants = _instants(history, stretches)
    found = []
    for horizon in horizons:
        chosen = windows(references, instants, horizon)
        found += [prediction_errors(each, chosen, horizon) for each in compared]
    return tuple(found)


def _instants(history: History, stretches: Sequence[Stretch]) -> list[int]:
    """Begin windows where the recording's tracker has a state, or else wherever vision has."""
    if history.tracked:
        return [frame.stamp_ns for frame in history.tracked]
    stamps = [history.sights.stamps_ns[stretch.indices] for stretch in stretches]
    return sorted({stamp_ns for some in stamps for stamp_ns in some.tolist()})
