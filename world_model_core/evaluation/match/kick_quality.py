# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluation of kicks: found, missed and false ones, delay, and straight or chip."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.motion_segment import BallMotion
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.ground_truth import TrueBall
    from world_model_core.evaluation.match.replay import PublishedKick, ReplayedMatch
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.contact_segmentation import Stretch
    from world_model_core.match.ball.estimate import Kick

# Largest time between a published and a real kick [ns].
SAME_KICK_NS = 150_000_000
# Time by which a kick must be classified as straight or chip [ns].
CALLED_NS = 150_000_000
# Times after the kick at which landing is evaluated [s], for flights longer than LONG [s].
LANDING_TIMES, LONG = (0.25, 0.4), 0.3


class _Event(NamedTuple):
    """A real kick: its time [ns] and its ground truth, if known."""

    stamp_ns: int
    truth: TrueBall | None


@dataclass(frozen=True, slots=True)
class LandingError:
    """
    Error of the predicted first landing [m], `after` seconds after the kick.

    `by_kick` from the latest published kick, `by_ball` from the predicted ball; None where no
    flight was predicted.
    """

    after: float
    by_kick: float | None
    by_ball: float | None


@dataclass(frozen=True, slots=True)
class KickQuality:
    """
    Evaluation of one kick.

    Parameters
    ----------
    time : float
        Time of the kick [s from the first frame].
    delay : float or None
        Delay of its first publication [s]; None if missed.
    frames : int or None
        Frames of one camera that had shown the ball by then.
    number : int or None
        Its published number.
    chip : bool or None
        Whether it was a chip; None without ground truth.
    called_chip : bool or None
        Whether it was published as a chip within 0.15 s; None if it was not published.
    ever_called_chip : bool
        Whether any estimate of it was a chip.
    instant_error, velocity_error : float or None
        Errors of the last estimate [s, m/s].
    landing : tuple of LandingError
        Only of long flights.

    """

    time: float
    delay: float | None
    frames: int | None
    number: int | None
    chip: bool | None
    called_chip: bool | None
    ever_called_chip: bool
    instant_error: float | None
    velocity_error: float | None
    landing: tuple[LandingError, ...]


@dataclass(frozen=True, slots=True)
class KicksQuality:
    """All real kicks, and the numbers of found, missed and false ones."""

    kicks: tuple[KickQuality, ...]
    found: int
    missed: int
    false: int


def score_kicks(
    replayed: ReplayedMatch, stretches: Sequence[Stretch], truth: Sequence[TrueBall] | None
) -> KicksQuality:
    """
    Compare the published kicks with the real ones.

    Without ground truth, a kick is real where a stretch starts faster than the previous one ended.
    """
    events = _events(stretches, truth)
    published: dict[int, list[PublishedKick]] = {}
    for each in replayed.kicks:
        published.setdefault(each.kick.number, []).append(each)
    scored: list[KickQuality] = []
    used: set[int | None] = set()
    for event in events:
        number = _nearest(event, published, used)
        used.add(number)
        scored.append(_score(replayed, stretches, event, published.get(number or -1, [])))
    found = sum(kick.number is not None for kick in scored)
    return KicksQuality(tuple(scored), found, len(scored) - found, len(published) - found)


def _events(stretches: Sequence[Stretch], truth: Sequence[TrueBall] | None) -> list[_Event]:
    if truth is not None:
        return [_Event(ball.kick_ns, ball) for ball in truth]
    return [
        _Event((before.end_ns + after.start_ns) // 2, None)
        for before, after in pairwise(stretches)
        if after.kicked
    ]


def _nearest(
    event: _Event, published: dict[int, list[PublishedKick]], used: set[int | None]
) -> int | None:
    """Return the number of the published kick nearest to a real one."""
    off = {
        number: abs(kicks[-1].kick.stamp_ns - event.stamp_ns)
        for number, kicks in published.items()
        if number not in used
    }
    number = min(off, key=lambda key: off[key], default=None)
    return None if number is None or off[number] > SAME_KICK_NS else number


def _score(
    replayed: ReplayedMatch,
    stretches: Sequence[Stretch],
    event: _Event,
    published: Sequence[PublishedKick],
) -> KickQuality:
    first_ns = published[0].frame_ns if published else None
    early = [each.kick for each in published if each.frame_ns <= event.stamp_ns + CALLED_NS]
    last, truth = (published[-1].kick if published else None), event.truth
    return KickQuality(
        time=float(event.stamp_ns - replayed.frames_ns[0]) / NANOSECONDS_PER_SECOND,
        delay=None if first_ns is None else (first_ns - event.stamp_ns) / NANOSECONDS_PER_SECOND,
        frames=None if first_ns is None else _frames(replayed, stretches, event, first_ns),
        number=None if last is None else last.number,
        chip=None if truth is None else truth.kick.chipped,
        called_chip=early[-1].chip_probability > 0.5 if early else None,
        ever_called_chip=any(each.kick.chip_probability > 0.5 for each in published),
        instant_error=None
        if last is None
        else (last.stamp_ns - event.stamp_ns) / NANOSECONDS_PER_SECOND,
        velocity_error=None if last is None or truth is None else _velocity_error(last, truth),
        landing=_landing_errors(replayed, truth, published),
    )


def _frames(
    replayed: ReplayedMatch, stretches: Sequence[Stretch], event: _Event, frame_ns: int
) -> int:
    """Return the frames of one camera from a kick to its publication."""
    own = np.concatenate([stretch.indices for stretch in stretches])
    stamps = replayed.detections.stamps_ns[own]
    since = own[(stamps > event.stamp_ns) & (stamps <= frame_ns)]
    return int(np.bincount(replayed.detections.cameras[since], minlength=1).max())


def _velocity_error(kick: Kick, truth: TrueBall) -> float:
    return float(np.linalg.norm(kick.velocity - np.array(truth.kick.velocity)))


def _landing_errors(
    replayed: ReplayedMatch, truth: TrueBall | None, published: Sequence[PublishedKick]
) -> tuple[LandingError, ...]:
    """Return the errors of the predicted landing of a long flight."""
    place = None if truth is None else truth.landing
    if truth is None or place is None or truth.flight <= LONG:
        return ()
    found = []
    for after in LANDING_TIMES:
        now_ns = truth.kick_ns + to_nanoseconds(after)
        kicks = [each.kick for each in published if each.frame_ns <= now_ns]
        by_kick = _kick_landing(kicks[-1], truth.parameters.gravity) if kicks else None
        by_ball = _ball_landing(replayed, now_ns) if after < truth.flight else None
        found.append(LandingError(after, _off(by_kick, place), _off(by_ball, place)))
    return tuple(found)


def _off(place: Array | None, truth: Array) -> float | None:
    return None if place is None else float(np.hypot(*(place - truth)))


def _kick_landing(kick: Kick, gravity: float) -> Array | None:
    """Return the first landing of a published chip, (2,) [m]."""
    if kick.chip_probability <= 0.5 or kick.velocity[2] <= 0.0:
        return None
    landing: Array = kick.position + -2.0 * kick.velocity[2] / gravity * kick.velocity[:2]
    return landing


def _ball_landing(replayed: ReplayedMatch, now_ns: int) -> Array | None:
    """Return the next landing of the ball published at a time, (2,) [m]."""
    published = [each for each in replayed.estimates if each.frame_ns <= now_ns]
    if (
        not published
        or published[-1].prediction.trajectory.segments[0].motion is not BallMotion.FLYING
    ):
        return None
    return np.array(published[-1].prediction.trajectory.segments[1].position[:2])
