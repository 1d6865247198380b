# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Complete evaluation of a recording, as shown by `world_model ssl evaluate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import RecordingError
from world_model_core.evaluation.match.ground_truth_fit import fit_truth
from world_model_core.evaluation.match.kick_quality import score_kicks
from world_model_core.evaluation.match.observed_ball import ObservedBall
from world_model_core.evaluation.match.prediction_errors import prediction_errors, windows
from world_model_core.evaluation.match.predictors import predictors
from world_model_core.evaluation.match.replay import replay
from world_model_core.evaluation.match.state_errors import state_errors
from world_model_core.evaluation.match.track_quality import latency, score_track
from world_model_core.match.ball.contact_segmentation import segment
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.evaluation.match.ground_truth import CommandedKick, TrueBall
    from world_model_core.evaluation.match.kick_quality import KicksQuality
    from world_model_core.evaluation.match.prediction_errors import PredictorErrors, ReferenceBall
    from world_model_core.evaluation.match.replay import ReplayedMatch
    from world_model_core.evaluation.match.state_errors import StateErrors
    from world_model_core.evaluation.match.track_quality import Latency, TrackQuality
    from world_model_core.match.ball.contact_segmentation import Stretch
    from world_model_core.match.ssl.recording import Message

HORIZONS = (0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class StretchSummary:
    """Part of the ball's path [s from the first frame] without kick or contact."""

    start: float
    end: float
    detections: int
    kicked: bool


@dataclass(frozen=True, slots=True)
class TruthFit:
    """
    Execution of a commanded kick.

    `delay` from command to kick and `duration` from kick to the end of the known path [s]; `rms`
    of the residuals of vision [m].
    """

    delay: float
    duration: float
    rms: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """
    Result of `evaluate`; `dataclasses.asdict` converts it to evaluation.schema.json.

    `tracker` is the recording's own tracker, empty without one; `truth` and `state` are None
    without commanded kicks.
    """

    duration: float
    tracker: str
    stretches: tuple[StretchSummary, ...]
    truth: tuple[TruthFit, ...] | None
    predictions: tuple[PredictorErrors, ...]
    state: StateErrors | None
    track: TrackQuality
    kicks: KicksQuality
    latency: Latency


def evaluate(
    messages: Iterable[Message],
    horizons: Sequence[float] = HORIZONS,
    kicks: Sequence[CommandedKick] | None = None,
) -> tuple[Evaluation, ReplayedMatch]:
    """
    Replay a recording and evaluate the published ball.

    Parameters
    ----------
    messages : iterable of Message
        For example a RecordingReader.
    horizons : sequence of float
        Prediction horizons [s].
    kicks : sequence of CommandedKick, optional
        Commands to a simulator, as ground truth.

    Returns
    -------
    evaluation : Evaluation
    replayed : ReplayedMatch
        Data of the evaluation.

    Raises
    ------
    RecordingError
        If the recording has no vision frame.

    """
    replayed = replay(messages)
    frames = replayed.frames_ns
    if not len(frames):
        raise RecordingError('the recording has no vision frame')
    stretches = segment(replayed.detections)
    truth = None if kicks is None else fit_truth(replayed, stretches, kicks)
    evaluation = Evaluation(
        duration=float(np.ptp(frames)) / NANOSECONDS_PER_SECOND,
        tracker=replayed.tracker_name,
        stretches=_parts(replayed, stretches),
        truth=None if truth is None else tuple(map(_truth_fit, truth)),
        predictions=_predictions(replayed, stretches, horizons, truth),
        state=None if truth is None else state_errors(replayed, stretches, truth),
        track=score_track(replayed, stretches),
        kicks=score_kicks(replayed, stretches, truth),
        latency=latency(replayed.delays),
    )
    return evaluation, replayed


def _parts(replayed: ReplayedMatch, stretches: Sequence[Stretch]) -> tuple[StretchSummary, ...]:
    first_ns = int(replayed.frames_ns[0])
    return tuple(
        StretchSummary(
            (s.start_ns - first_ns) / NANOSECONDS_PER_SECOND,
            (s.end_ns - first_ns) / NANOSECONDS_PER_SECOND,
            len(s.indices),
            s.kicked,
        )
        for s in stretches
    )


def _truth_fit(ball: TrueBall) -> TruthFit:
    delay = (ball.kick_ns - ball.kick.sent_ns) / NANOSECONDS_PER_SECOND
    return TruthFit(delay, (ball.end_ns - ball.kick_ns) / NANOSECONDS_PER_SECOND, ball.rms)


def _predictions(
    replayed: ReplayedMatch,
    stretches: Sequence[Stretch],
    horizons: Sequence[float],
    truth: Sequence[TrueBall] | None,
) -> tuple[PredictorErrors, ...]:
    """Compare all predictors at all horizons, on the same windows."""
    ratio = replayed.parameters.switch_ratio
    references: Sequence[ReferenceBall] = (
        [ObservedBall(replayed.detections, stretch, ratio) for stretch in stretches]
        if truth is None
        else truth
    )
    compared = predictors(replayed)
    instants = _instants(replayed, stretches)
    found = []
    for horizon in horizons:
        chosen = windows(references, instants, horizon)
        found += [prediction_errors(each, chosen, horizon) for each in compared]
    return tuple(found)


def _instants(replayed: ReplayedMatch, stretches: Sequence[Stretch]) -> list[int]:
    """Return the start times of windows: states of the recording's tracker, or detections."""
    if replayed.tracked:
        return [frame.stamp_ns for frame in replayed.tracked]
    stamps = [replayed.detections.stamps_ns[stretch.indices] for stretch in stretches]
    return sorted({stamp_ns for some in stamps for stamp_ns in some.tolist()})
