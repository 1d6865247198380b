# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The shot under way: when one begins, from whose sights it is solved, and when it is over."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING

from world_model_core.match.ball.kick_detector import Onset, OnsetDetector
from world_model_core.match.ball.kick_event import Shot
from world_model_core.match.ball.kick_fit import Origin
from world_model_core.match.ball.primary_track import can_reach
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from world_model_core.match.ball.contact import Obstacles
    from world_model_core.match.ball.estimate import Kick
    from world_model_core.match.ball.measurement import Sight
    from world_model_core.match.ball.parameters import BallParameters
    from world_model_core.match.ball.track import BallTrack

    Deviation = Callable[[Iterable[int]], float]

# A robot that was near a ball this long ago may have kicked it [ns].
TOUCH_NS = NANOSECONDS_PER_SECOND // 5
# A ball that appears from nowhere was launched within this before its first sight [ns].
APPEARANCE_NS = NANOSECONDS_PER_SECOND // 50
# One that was not seen for longer than this was not kicked where it was seen last [ns].
UNSEEN_NS = NANOSECONDS_PER_SECOND // 10
# A flight that is this far astray [m] at most is given up for a ball seen so often.
ASTRAY, SIGHTS_TO_LAND = 0.5, 8
# Two cameras show one chip this far apart at most [m].
PARALLAX = 2.0


class Shots:
    """
    One shot after another of the ball that is played with.

    Parameters
    ----------
    parameters : BallParameters

    Attributes
    ----------
    parameters : BallParameters
        For shots that begin from now on.
    shot : Shot or None
        The last one; None since the ball was taken to be another one.
    news : Kick or None
        What the last sight told of its kick.

    """

    def __init__(self, parameters: BallParameters) -> None:
        self.parameters = parameters
        self._onsets = OnsetDetector()
        self._onset: Onset | None = None
        self.shot: Shot | None = None
        self.news: Kick | None = None

    @property
    def flies(self) -> bool:
        """Whether the ball is in the air."""
        return self.shot is not None and self.shot.flies

    def end(self) -> None:
        """Forget the shot: its ball is gone."""
        self._onsets.reset()
        self.shot = None

    def begin_anew(
        self, before: BallTrack | None, heir: BallTrack, disagreement: Deviation
    ) -> None:
        """
        Begin with another track, after something has hit or carried the ball of the one before.

        Parameters
        ----------
        before : BallTrack or None
            None at first: nobody knows how long that ball has been on its way.
        heir : BallTrack
        disagreement : callable
            Tells what some cameras disagree by, standard deviation [m].

        """
        flown = self.shot.speed if self.shot and self.shot.flies else 0.0
        unsolved = self.shot is not None and self.shot.launch is None
        self.end()
        if before is None or heir.born_ns <= before.seen_ns:
            return  # it has been on its way for nobody knows how long
        if unsolved and self._onset is not None and can_reach(before, heir):
            # The same hit: what has taken over was not followed for long.
            self._shoot(self._onset, (*before.sights, *heir.sights), disagreement)
            return
        self._shoot(*_set_in_motion(before, heir, flown), disagreement)

    def follow(
        self,
        track: BallTrack,
        others: Sequence[BallTrack],
        around: Obstacles,
        disagreement: Deviation,
    ) -> None:
        """
        Solve for the shot under way with the last sight, and see whether another one begins.

        Parameters
        ----------
        track : BallTrack
            The ball that is played with, which a sight has just shown.
        others : sequence of BallTrack
            Of which one may be the same ball in the air, as another camera shows it.
        around : Obstacles
        disagreement : callable
            Tells what some cameras disagree by, standard deviation [m].

        """
        shot, ground = self.shot, track.ground
        self.news = None
        if shot is not None and not shot.over:
            flew, before = shot.flies, None if shot.held else shot.launch
            shot.add(track.sights[-1])
            if flew and any(_has_landed(other, track, self._onset) for other in others):
                shot.give_up()
            if flew and shot.lost:
                track.begin_anew()
            shot.held = shot.held and around.hold(ground.x, ground.y, ground.vx, ground.vy)
            if not shot.flies:
                self._join(track, others, disagreement)
            if self.shot is not None and self.shot.launch is not before:
                self.news = self.shot.kick
        if self.flies:
            return
        near = track.touched_ns > track.stamp_ns - TOUCH_NS
        onset = self._onsets.update(track.stamp_ns, ground, touched=near)
        if onset is not None and not (shot and onset.earliest_ns < shot.settled_ns):
            self._shoot(onset, track.sights, disagreement)

    def _shoot(self, onset: Onset, sights: Iterable[Sight], disagreement: Deviation) -> None:
        self._onset, sights = onset, tuple(sights)
        self.shot = Shot(onset, self.parameters, sights, disagreement(_cameras(sights)))

    def _join(
        self, track: BallTrack, others: Sequence[BallTrack], disagreement: Deviation
    ) -> None:
        """Try whether what another camera shows elsewhere is the same ball, in the air."""
        assert self._onset is not None  # noqa: S101 (there is a shot)
        for other in others:
            if not _may_be_shadow(other, track, self._onset):
                continue
            sights = sorted(chain(track.sights, other.sights), key=lambda sight: sight.stamp_ns)
            doubt = disagreement(_cameras(sights))
            joint = Shot(self._onset, self.parameters, sights, doubt)
            joint.held = False
            if joint.flies:
                self.shot = joint
                return


def _set_in_motion(
    before: BallTrack, heir: BallTrack, flown: float
) -> tuple[Onset, tuple[Sight, ...]]:
    """
    Find when and where a ball was hit or put down that another track follows now.

    Parameters
    ----------
    before, heir : BallTrack
        That of before, and the one that has taken over.
    flown : float
        Speed of the flight that the ball was on [m/s]; 0 if it did not fly.

    Returns
    -------
    Onset, tuple of Sight
        And the sights since then.

    """
    sights, last = tuple(heir.sights), before.sights[-1]
    late = _last_of_both(before, heir)
    if late is not None:
        sights, last = (last, *sights), late
    first = sights[0]
    if not can_reach(before, heir) or first.stamp_ns - last.stamp_ns >= UNSEEN_NS:
        # It was carried, or who had it out of sight has stopped it.
        onset = Onset(first.stamp_ns - APPEARANCE_NS, first.stamp_ns, None, 0.0, may_fly=True)
        return onset, sights
    moved = before.speed * (first.stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND
    origin = Origin(last.x, last.y, before.ground.pp + moved * moved)
    near = before.touched_ns > last.stamp_ns - TOUCH_NS or heir.touched
    speed = max(before.speed, flown)
    return Onset(last.stamp_ns, first.stamp_ns, origin, speed, may_fly=near), sights


def _last_of_both(before: BallTrack, heir: BallTrack) -> Sight | None:
    """
    Find the last sight before a hit, if the very last one of a track is of the ball after it.

    That ball had gone so short a way that the track took it for its own; it fits better to the
    straight line that comes after.
    """
    camera_id = heir.sights[0].camera_id
    own = [sight for sight in before.sights if sight.camera_id == camera_id][-3:]
    after = [sight for sight in heir.sights if sight.camera_id == camera_id]
    if len(own) < 3 or len(after) < 2 or own[-1] is not before.sights[-1]:
        return None
    expected, seen = _extended(own[0], own[1], own[2].stamp_ns), own[2]
    traced = _extended(after[-1], after[0], seen.stamp_ns)
    misfit = math.hypot(seen.x - expected[0], seen.y - expected[1])
    return own[1] if math.hypot(seen.x - traced[0], seen.y - traced[1]) < misfit else None


def _has_landed(other: BallTrack, track: BallTrack, onset: Onset | None) -> bool:
    """Whether a flying ball has come down otherwise than foreseen, and is followed as another."""
    near = math.hypot(other.ground.x - track.ground.x, other.ground.y - track.ground.y) < ASTRAY
    fresh = onset is not None and other.born_ns > onset.latest_ns
    return near and fresh and other.misses == 0 and other.hits >= SIGHTS_TO_LAND


def _cameras(sights: Iterable[Sight]) -> set[int]:
    return {sight.camera_id for sight in sights}


def _extended(one: Sight, other: Sight, stamp_ns: int) -> tuple[float, float]:
    """Go on from one sight to another and beyond, in a straight line, to an instant [ns]."""
    share = (stamp_ns - one.stamp_ns) / ((other.stamp_ns - one.stamp_ns) or NANOSECONDS_PER_SECOND)
    return one.x + share * (other.x - one.x), one.y + share * (other.y - one.y)


def _may_be_shadow(other: BallTrack, track: BallTrack, onset: Onset) -> bool:
    """Whether a track may be the shadow, from another camera, of the ball of a fresh shot."""
    dx, dy = other.ground.x - track.ground.x, other.ground.y - track.ground.y
    return (
        other.camera_id != track.camera_id
        and other.born_ns >= onset.earliest_ns
        and other.hits > 1
        and other.misses < 2
        and dx * dx + dy * dy < PARALLAX**2
    )
