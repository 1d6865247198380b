# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Initiation and termination of ball tracks, and selection of the match ball among them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from world_model_core.match.ball.track import TOP_SPEED, BallTrack
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.match.ball.ground_filter import GroundParameters
    from world_model_core.match.ball.measurement import BallMeasurement

# Largest number of tracks; the TIGERs tracker has as many filters for each camera.
MOST_TRACKS = 10
# Hits after which a track replaces a primary track that is not measured any more: if the ball was
# moved, if a robot may hide the ball, and if a kick explains the new position.
HITS_IF_MOVED, HITS_IF_HIDDEN, HITS_IF_KICKED = 3, 12, 2
# Hits of a confirmed ball; and the time before the last measurement in which a near robot may hide
# it [ns].
HITS_TO_CONFIRM, HIDING_NS = 30, NANOSECONDS_PER_SECOND // 20
# Two balls within this distance are one; cameras differ by less [m].
SAME_BALL = 0.06
# A ball unobserved for longer than this [ns] may be anywhere within reach.
GONE_NS = NANOSECONDS_PER_SECOND // 2
# Consecutive misses that terminate an unconfirmed track.
MISSES_TO_REJECT = 2


class PrimaryTrackSelector:
    """
    Ball tracks, with the match ball (primary track) first, then by visibility.

    Parameters
    ----------
    life : float
        Time without measurements after which a track ends [s].

    Attributes
    ----------
    tracks : list of BallTrack
    has_primary : bool
        Whether the first track is the confirmed match ball.
    counters : Counter of str
        Rejected measurements by cause.

    """

    def __init__(self, life: float) -> None:
        self._life_ns = int(life * NANOSECONDS_PER_SECOND)
        self.counters: Counter[str] = Counter()
        self.tracks: list[BallTrack] = []
        self.has_primary = False

    @property
    def primary(self) -> BallTrack | None:
        """Track of the match ball."""
        return self.tracks[0] if self.has_primary else None

    def terminate_old(self, now_ns: int) -> None:
        """Terminate tracks without measurements for their life, and unconfirmed ones."""
        primary = self.primary
        self.tracks = [track for track in self.tracks if self._lives(track, now_ns)]
        self.has_primary = self.has_primary and bool(self.tracks) and self.tracks[0] is primary

    def _lives(self, track: BallTrack, now_ns: int) -> bool:
        if track.hits < HITS_IF_MOVED and track.misses >= MISSES_TO_REJECT:
            # A promoted track is at a reachable position: tolerate a few misses.
            return self.has_primary and track is self.tracks[0]
        return now_ns - track.seen_ns <= self._life_ns

    def initiate(
        self, measurement: BallMeasurement, parameters: GroundParameters
    ) -> BallTrack | None:
        """Start a track from an unassociated measurement, or return the track it duplicates."""
        duplicated = next((track for track in self.tracks if _near(track, measurement)), None)
        if duplicated is not None:
            self.counters['duplicate'] += 1
        elif len(self.tracks) == MOST_TRACKS:
            self.counters['too many'] += 1
        else:
            self.tracks.append(BallTrack(measurement, parameters))
        return duplicated

    def promote(self) -> bool:
        """Promote another track when the primary one is lost; return whether one was."""
        old = self.primary
        candidates = [
            track for track in self.tracks if track is not old and _may_take_over(track, old)
        ]
        if candidates:
            successor = max(candidates, key=lambda track: (track.visibility, track.hits))
            self.tracks.remove(successor)
            if old is not None and can_reach(old, successor):
                self.tracks.remove(old)  # the same ball, kicked
            self.tracks.insert(0, successor)
            self.has_primary = True
        self.tracks[1:] = sorted(self.tracks[1:], key=lambda track: -track.visibility)
        return bool(candidates)


def _near(track: BallTrack, measurement: BallMeasurement) -> bool:
    """Return whether a measurement is too close to a current track to be another ball."""
    dx, dy = measurement.x - track.ground.x, measurement.y - track.ground.y
    return track.misses == 0 and dx * dx + dy * dy < SAME_BALL**2 and track.settled


def _may_take_over(track: BallTrack, old: BallTrack | None) -> bool:
    """Return whether a track may become the primary one."""
    if old is None:
        return track.hits >= HITS_IF_MOVED
    if track.born_ns <= old.seen_ns:
        return _is_back(track, old)
    hidden = old.near_robot_ns >= old.seen_ns - HIDING_NS
    if can_reach(old, track):
        return track.hits >= (HITS_IF_KICKED if hidden else HITS_IF_MOVED)
    return track.hits >= (HITS_IF_HIDDEN if hidden else HITS_IF_MOVED)


def _is_back(track: BallTrack, old: BallTrack) -> bool:
    """Return whether a long-known ball reappeared while a short track is lost."""
    replaced = old.hits < HITS_TO_CONFIRM <= track.hits
    return replaced and old.misses >= HITS_IF_MOVED and track.misses == 0


def can_reach(old: BallTrack, new: BallTrack) -> bool:
    """Return whether a ball can move from its last measurement to the start of another track."""
    last, first = old.measurements[-1], new.measurements[0]
    if not 0 <= first.stamp_ns - last.stamp_ns <= GONE_NS:
        return False
    dx, dy = first.x - last.x, first.y - last.y
    reach = TOP_SPEED * (first.stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND + SAME_BALL
    return bool(dx * dx + dy * dy <= reach * reach)
