# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which kicks were found, how soon, and what they were called."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.motion_segment import Motion
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.ground_truth import TrueBall
    from world_model_core.evaluation.match.replay import History, ToldKick
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.contact_segmentation import Stretch
    from world_model_core.match.ball.estimate import Kick

# A told kick is one that was when no further from it than this [ns].
SAME_KICK_NS = 150_000_000
# By then a kick is to be called straight or a chip [ns].
CALLED_NS = 150_000_000
# Landing places are judged so long after the kick [s], of flights that last longer than LONG [s].
LANDING_TIMES, LONG = (0.25, 0.4), 0.3


class _Event(NamedTuple):
    """A kick that was: the last instant without it and its own [ns], and its truth, if known."""

    stamp_ns: int
    truth: TrueBall | None


@dataclass(frozen=True, slots=True)
class LandingError:
    """
    How far off the first landing was foreseen [m], `after` so long from the kick [s].

    `by_kick` from the kick as told until then, `by_ball` from the ball's prediction; None where
    either knew of no flight.
    """

    after: float
    by_kick: float | None
    by_ball: float | None


@dataclass(frozen=True, slots=True)
class KickQuality:
    """
    What became of one kick.

    Parameters
    ----------
    time : float
        When it was [s from the first frame].
    delay : float or None
        How much later it was first told [s]; None if it was missed.
    frames : int or None
        How many frames of one camera had shown the ball by then.
    number : int or None
        Its number as told.
    chip : bool or None
        Whether it was one; None without truth.
    called_chip : bool or None
        Whether it was called one, by what was told within 0.15 s; None if nothing was.
    ever_called_chip : bool
        Whether any estimate of it called it one.
    instant_error, velocity_error : float or None
        Of the last estimate [s, m/s].
    landing : tuple of LandingError
        Of long flights.

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
    """All kicks that were, how many of them were found, and how many were told that were not."""

    kicks: tuple[KickQuality, ...]
    found: int
    missed: int
    false: int


def judge_kicks(
    history: History, stretches: Sequence[Stretch], truth: Sequence[TrueBall] | None
) -> KicksQuality:
    """
    Compare the kicks that were told with those that were.

    Without truth those that were are the stretches that begin faster than the last one ended.
    """
    events = _events(stretches, truth)
    told: dict[int, list[ToldKick]] = {}
    for each in history.kicks:
        told.setdefault(each.kick.number, []).append(each)
    judged: list[KickQuality] = []
    used: set[int | None] = set()
    for event in events:
        number = _nearest(event, told, used)
        used.add(number)
        judged.append(_judge(history, stretches, event, told.get(number or -1, [])))
    found = sum(kick.number is not None for kick in judged)
    return KicksQuality(tuple(judged), found, len(judged) - found, len(told) - found)


def _events(stretches: Sequence[Stretch], truth: Sequence[TrueBall] | None) -> list[_Event]:
    if truth is not None:
        return [_Event(ball.launch_ns, ball) for ball in truth]
    return [
        _Event((before.end_ns + after.start_ns) // 2, None)
        for before, after in pairwise(stretches)
        if after.kicked
    ]


def _nearest(event: _Event, told: dict[int, list[ToldKick]], used: set[int | None]) -> int | None:
    """Find the number under which a kick was told."""
    off = {
        number: abs(kicks[-1].kick.stamp_ns - event.stamp_ns)
        for number, kicks in told.items()
        if number not in used
    }
    number = min(off, key=lambda key: off[key], default=None)
    return None if number is None or off[number] > SAME_KICK_NS else number


def _judge(
    history: History, stretches: Sequence[Stretch], event: _Event, told: Sequence[ToldKick]
) -> KickQuality:
    first_ns = told[0].told_ns if told else None
    soon = [each.kick for each in told if each.told_ns <= event.stamp_ns + CALLED_NS]
    last, truth = (told[-1].kick if told else None), event.truth
    return KickQuality(
        time=float(event.stamp_ns - history.frames_ns[0]) / NANOSECONDS_PER_SECOND,
        delay=None if first_ns is None else (first_ns - event.stamp_ns) / NANOSECONDS_PER_SECOND,
        frames=None if first_ns is None else _frames(history, stretches, event, first_ns),
        number=None if last is None else last.number,
        chip=None if truth is None else truth.kick.chipped,
        called_chip=soon[-1].chip_probability > 0.5 if soon else None,
        ever_called_chip=any(each.kick.chip_probability > 0.5 for each in told),
        instant_error=None
        if last is None
        else (last.stamp_ns - event.stamp_ns) / NANOSECONDS_PER_SECOND,
        velocity_error=None if last is None or truth is None else _velocity_error(last, truth),
        landing=_landing_errors(history, truth, told),
    )


def _frames(history: History, stretches: Sequence[Stretch], event: _Event, told_ns: int) -> int:
    """Count one camera's frames that showed the ball since a kick, up to the one that told it."""
    own = np.concatenate([stretch.indices for stretch in stretches])
    stamps = history.sights.stamps_ns[own]
    since = own[(stamps > event.stamp_ns) & (stamps <= told_ns)]
    return int(np.bincount(history.sights.cameras[since], minlength=1).max())


def _velocity_error(kick: Kick, truth: TrueBall) -> float:
    return float(np.linalg.norm(kick.velocity - np.array(truth.kick.velocity)))


def _landing_errors(
    history: History, truth: TrueBall | None, told: Sequence[ToldKick]
) -> tuple[LandingError, ...]:
    """Judge the landing places of a long flight."""
    place = None if truth is None else truth.landing
    if truth is None or place is None or truth.flight <= LONG:
        return ()
    found = []
    for after in LANDING_TIMES:
        now_ns = truth.launch_ns + to_nanoseconds(after)
        kicks = [each.kick for each in told if each.told_ns <= now_ns]
        by_kick = _kick_landing(kicks[-1], truth.parameters.gravity) if kicks else None
        by_ball = _ball_landing(history, now_ns) if after < truth.flight else None
        found.append(LandingError(after, _off(by_kick, place), _off(by_ball, place)))
    return tuple(found)


def _off(place: Array | None, truth: Array) -> float | None:
    return None if place is None else float(np.hypot(*(place - truth)))


def _kick_landing(kick: Kick, gravity: float) -> Array | None:
    """Find where a told chip first lands, (2,) [m]."""
    if kick.chip_probability <= 0.5 or kick.velocity[2] <= 0.0:
        return None
    landing: Array = kick.position + -2.0 * kick.velocity[2] / gravity * kick.velocity[:2]
    return landing


def _ball_landing(history: History, now_ns: int) -> Array | None:
    """Find where the ball as told until an instant next lands, (2,) [m]."""
    told = [each for each in history.estimates if each.told_ns <= now_ns]
    if not told or told[-1].prediction.trajectory.segments[0].motion is not Motion.FLYING:
        return None
    return np.array(told[-1].prediction.trajectory.segments[1].position[:2])
