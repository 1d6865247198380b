# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Complete evaluation of a recording, as shown by `world_model ssl evaluate`."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import RecordingError
from world_model_core.evaluation.match.ground_truth_fit import fit_truth
from world_model_core.evaluation.match.kick_quality import score_kicks
from world_model_core.evaluation.match.observed_ball import ObservedBall
from world_model_core.evaluation.match.prediction_errors import prediction_errors, windows
from world_model_core.evaluation.match.predictors import OWN_NAMES, predictors
from world_model_core.evaluation.match.recorded_trackers import read_trackers
from world_model_core.evaluation.match.replay import replay
from world_model_core.evaluation.match.state_errors import state_errors
from world_model_core.evaluation.match.track_quality import latency, score_track
from world_model_core.match.ball.contact_segmentation import segment
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from world_model_core.evaluation.match.ground_truth import CommandedKick, TrueBall
    from world_model_core.evaluation.match.kick_quality import KicksQuality
    from world_model_core.evaluation.match.prediction_errors import PredictorErrors, ReferenceBall
    from world_model_core.evaluation.match.predictors import Predictor
    from world_model_core.evaluation.match.recorded_trackers import RecordedTracker
    from world_model_core.evaluation.match.replay import ReplayedMatch
    from world_model_core.evaluation.match.state_errors import StateErrors
    from world_model_core.evaluation.match.track_quality import Latency, TrackQuality
    from world_model_core.match.ball.contact_segmentation import Stretch
    from world_model_core.match.ssl.recording import Message

HORIZONS = (0.25, 0.5, 1.0)
# TIGERs' tracker sends 80 states per second; without one for this long, a tracker pauses [ns].
PAUSE_NS = 50_000_000


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
class ComparedTracker:
    """
    Another tracker, whose predictions have the `name`.

    `file` is where its packets were recorded, empty for the recording itself; `frames` their
    number, one for each stamp.
    """

    name: str
    uuid: str
    file: str
    frames: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """
    Result of `evaluate`; `dataclasses.asdict` converts it to evaluation.schema.json.

    `trackers` begins with the recording's own; `truth` and `state` are None without commanded
    kicks.
    """

    duration: float
    trackers: tuple[ComparedTracker, ...]
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
    others: Mapping[str, Iterable[Message]] | None = None,
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
    others : mapping of str to iterable of Message, optional
        Recordings of other trackers on the same match, by file name.

    Returns
    -------
    evaluation : Evaluation
    replayed : ReplayedMatch
        Data of the evaluation.

    Raises
    ------
    RecordingError
        If the recording has no vision frame, or another one no tracker of the same match.

    """
    replayed = replay(messages)
    frames = replayed.frames_ns
    if not len(frames):
        raise RecordingError('the recording has no vision frame')
    trackers = _name_trackers(_find_trackers(replayed, others or {}))
    stretches = segment(replayed.detections)
    truth = None if kicks is None else fit_truth(replayed, stretches, kicks)
    evaluation = Evaluation(
        duration=float(np.ptp(frames)) / NANOSECONDS_PER_SECOND,
        trackers=tuple(
            ComparedTracker(name, tracker.uuid, file, len(tracker.frames))
            for name, (file, tracker) in trackers.items()
        ),
        stretches=_parts(replayed, stretches),
        truth=None if truth is None else tuple(map(_truth_fit, truth)),
        predictions=_predictions(
            predictors(replayed, {name: tracker for name, (_, tracker) in trackers.items()}),
            _references(replayed, stretches, truth),
            _instants(replayed, stretches),
            horizons,
        ),
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


def _find_trackers(
    replayed: ReplayedMatch, others: Mapping[str, Iterable[Message]]
) -> list[tuple[str, RecordedTracker]]:
    """Return the recording's own trackers, then those of other files that it does not have."""
    found = [('', tracker) for tracker in replayed.trackers]
    for file, messages in others.items():
        try:
            read = read_trackers(messages, replayed.frames)
        except RecordingError as error:
            raise RecordingError(f'{file}: {error}') from error
        known = [tracker for _, tracker in found]
        found += [(file, each) for each in read if not any(map(each.is_copy_of, known))]
    return found


def _name_trackers(
    trackers: Sequence[tuple[str, RecordedTracker]],
) -> dict[str, tuple[str, RecordedTracker]]:
    """Give each tracker a name of its own: further ones of a name are numbered from 2 on."""
    named: dict[str, tuple[str, RecordedTracker]] = {}
    for file, tracker in trackers:
        names = chain([tracker.name], (f'{tracker.name} {number}' for number in count(2)))
        free = next(name for name in names if name not in named and name not in OWN_NAMES)
        named[free] = file, tracker
    return named


def _references(
    replayed: ReplayedMatch, stretches: Sequence[Stretch], truth: Sequence[TrueBall] | None
) -> Sequence[ReferenceBall]:
    """Return the true balls, or without ground truth what vision saw of them later."""
    if truth is not None:
        return truth
    ratio = replayed.parameters.switch_ratio
    return [ObservedBall(replayed.detections, stretch, ratio) for stretch in stretches]


def _predictions(
    compared: Sequence[Predictor],
    references: Sequence[ReferenceBall],
    instants: Sequence[int],
    horizons: Sequence[float],
) -> tuple[PredictorErrors, ...]:
    """Compare all predictors at all horizons, on the same windows."""
    found = []
    for horizon in horizons:
        chosen = windows(references, instants, horizon)
        found += prediction_errors(compared, chosen, horizon)
    return tuple(found)


def _instants(replayed: ReplayedMatch, stretches: Sequence[Stretch]) -> list[int]:
    """
    Return the start times of windows.

    These are the states of the recording's own tracker and, while it sends none, the detections:
    a tracker that pauses must not lose its windows.
    """
    stamps = [replayed.detections.stamps_ns[stretch.indices] for stretch in stretches]
    detected = sorted({stamp_ns for some in stamps for stamp_ns in some.tolist()})
    tracked = [frame.stamp_ns for own in replayed.trackers[:1] for frame in own.frames]
    before = [bisect_right(tracked, stamp_ns) for stamp_ns in detected]
    return sorted(
        tracked
        + [
            stamp_ns
            for stamp_ns, index in zip(detected, before, strict=True)
            if not index or stamp_ns - tracked[index - 1] > PAUSE_NS
        ]
    )
