# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of ball and robots in simulated matches, and consistency of their covariances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.match.spread import spread
from world_model_core.angles import wrap_angles
from world_model_core.gaussian import chi_square_gate
from world_model_core.match.ball.estimate import BallSource
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.match.tracked_match import Moment, TrackedMatch
    from world_model_core.match.ball.estimate import BallState

# A published ball this far from the true one is another one, or lost [m].
WRONG = 0.3
# A robot this far from its true position is confused with another one [m].
CONFUSED = 0.2
STATES = ('lying', 'rolling', 'just hit', 'held', 'in the air', 'hidden')
# For this long after a contact the estimate cannot reflect it [ns].
JUST_NS = NANOSECONDS_PER_SECOND // 10
ELLIPSE = chi_square_gate(2, 0.95)
# Indices of x, y, vx, vy in the covariance of the ball.
ON_CARPET = np.array((0, 1, 3, 4))


def state_of(moment: Moment) -> str:
    """Return the true motion of the ball."""
    if moment.hidden:
        return 'hidden'
    if moment.truth.holder is not None:
        return 'held'
    if moment.truth.position[2] > 0.0:
        return 'in the air'
    if not any(moment.truth.velocity):
        return 'lying'
    just = moment.truth.stamp_ns - moment.truth.touched_ns < JUST_NS
    return 'just hit' if just else 'rolling'


def summarize_balls(matches: Sequence[TrackedMatch]) -> dict[str, Any]:
    """Return the errors by the motion of the ball and by the source of the estimate."""
    moments = [moment for match in matches for moment in match.moments]
    published = [moment for moment in moments if moment.published.ball is not None]
    by_state: dict[str, list[Moment]] = {state: [] for state in STATES}
    by_source: dict[BallSource, list[Moment]] = {source: [] for source in BallSource}
    for moment in published:
        by_state[state_of(moment)].append(moment)
        by_source[moment.published.source].append(moment)
    return {
        'by state': {state: _compare(own) for state, own in by_state.items() if own},
        'by source': {source.value: _errors(own) for source, own in by_source.items() if own},
        'not_published': round(1.0 - len(published) / max(len(moments), 1), 4),
        'wrong ball': _wrong(matches),
        'consistency': {
            state: _consistency(
                [m for m in by_state[state] if m.published.source is BallSource.VISION]
            )
            for state in ('lying', 'rolling')
        },
    }


def _errors(moments: Sequence[Moment]) -> dict[str, Any]:
    """Return the errors of position and velocity."""
    places = [_off(_ball(each).position, each.truth.position) for each in moments]
    speeds = [_off(_ball(each).velocity, each.truth.velocity) for each in moments]
    return {'place [mm]': spread(1e3 * np.array(places)), 'velocity [m/s]': spread(speeds)}


def _compare(moments: Sequence[Moment]) -> dict[str, Any]:
    """Return the errors, those of the baseline, and the ratio of the medians."""
    places = [_off(each.published.plain[:2], each.truth.position[:2]) for each in moments]
    speeds = [_off(each.published.plain[2:], each.truth.velocity[:2]) for each in moments]
    ours = _errors(moments)
    plain = {'place [mm]': spread(1e3 * np.array(places)), 'velocity [m/s]': spread(speeds)}
    return {
        **ours,
        'baseline': plain,
        'baseline / ours': {
            name: round(plain[name]['median'] / max(ours[name]['median'], 1e-3), 2)
            for name in ours
        },
    }


def _ball(moment: Moment) -> BallState:
    assert moment.published.ball is not None  # noqa: S101 (those without are left out)
    return moment.published.ball


def _off(published: np.ndarray, truth: Iterable[float]) -> float:
    return float(np.linalg.norm(published - np.array(truth)))


def is_wrong(moment: Moment) -> bool:
    """Return whether the published ball is not at the true position."""
    ball = moment.published.ball
    return ball is not None and _off(ball.position[:2], moment.truth.position[:2]) > WRONG


def find_wrong(match: TrackedMatch) -> list[tuple[float, float]]:
    """Return when a wrong ball was published first and for how long [s]."""
    found, since_ns = [], None
    for moment in match.moments:
        wrong, now_ns = is_wrong(moment), moment.published.stamp_ns
        if wrong and since_ns is None:
            since_ns = now_ns
        elif since_ns is not None and not wrong and moment.published.ball is not None:
            found.append(
                (since_ns / NANOSECONDS_PER_SECOND, (now_ns - since_ns) / NANOSECONDS_PER_SECOND)
            )
            since_ns = None
    if since_ns is not None:
        found.append(
            (since_ns / NANOSECONDS_PER_SECOND, (match.end_ns - since_ns) / NANOSECONDS_PER_SECOND)
        )
    return found


def _wrong(matches: Sequence[TrackedMatch]) -> dict[str, Any]:
    """Return how often and for how long a wrong ball was published."""
    wrong = [is_wrong(moment) for match in matches for moment in match.moments]
    lasted = [duration for match in matches for _, duration in find_wrong(match)]
    return {
        'share': round(float(np.mean(wrong)), 5),
        'until right again [s]': spread(lasted),
    }


def list_wrong(match: TrackedMatch) -> list[str]:
    """Return when a wrong ball was published first and for how long, as text."""
    return [f'{since:.3f} wrong ball for {lasted:.3f} s' for since, lasted in find_wrong(match)]


def _consistency(moments: Sequence[Moment]) -> dict[str, Any]:
    """Return the NEES for each degree of freedom; 1 if consistent."""
    nees, inside = [], []
    for moment in moments:
        ball, truth = _ball(moment), moment.truth
        off = np.concatenate((ball.position - truth.position, ball.velocity - truth.velocity))
        off, covariance = off[ON_CARPET], ball.covariance[np.ix_(ON_CARPET, ON_CARPET)]
        nees.append(0.25 * float(off @ np.linalg.solve(covariance, off)))
        place = float(off[:2] @ np.linalg.solve(covariance[:2, :2], off[:2]))
        inside.append(place < ELLIPSE)
    share = round(float(np.mean(inside)), 3) if inside else None
    return {
        'NEES per degree of freedom': spread(nees),
        'mean NEES per degree of freedom': round(float(np.mean(nees)), 3) if nees else None,
        'inside the 95 % ellipse': share,
    }


def summarize_robots(matches: Sequence[TrackedMatch]) -> dict[str, Any]:
    """Return the errors, and the missing, confused and false robots."""
    places: list[float] = []
    headings: list[float] = []
    nees: list[float] = []
    true_count = missing = strangers = 0
    for moment in (moment for match in matches for moment in match.moments):
        robots = moment.published.robots
        if robots is None:
            continue
        truths = {each.id: each for each in moment.truth.robots}
        true_count += len(truths)
        missing += len(truths.keys() - set(robots.ids))
        strangers += len(set(robots.ids) - truths.keys())
        rows = [row for row, name in enumerate(robots.ids) if name in truths]
        own = [truths[robots.ids[row]] for row in rows]
        pose = np.array([(*each.position, each.heading) for each in own]).reshape(-1, 3)
        off = robots.poses[rows] - pose
        off[:, 2] = wrap_angles(off[:, 2])
        places += np.hypot(off[:, 0], off[:, 1]).tolist()
        headings += np.abs(off[:, 2]).tolist()
        variances = robots.covariances[rows][:, :, 0, 0]
        nees += (off**2 / variances).mean(axis=1).tolist()
    return {
        'place [mm]': spread(1e3 * np.array(places)),
        'heading [rad]': spread(headings),
        'NEES per degree of freedom': spread(nees),
        'missing': round(missing / max(true_count, 1), 5),
        'taken for another': round(
            float(np.mean(np.array(places) > CONFUSED)) if places else 0.0, 5
        ),
        'false robots': strangers,
    }
