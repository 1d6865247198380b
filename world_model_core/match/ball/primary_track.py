# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which of the balls that the cameras show is the one that is played with."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from world_model_core.match.ball.track import TOP_SPEED, BallTrack
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.match.ball.ground_filter import GroundParameters
    from world_model_core.match.ball.measurement import Sight

# As many balls are followed; TIGERs' tracker has as many filters a camera.
MOST_TRACKS = 10
# A ball seen elsewhere in this many pictures, while the old one is not seen, has been moved; one
# that a robot may hide is waited for longer, one that can have rolled there less.
SIGHTS_IF_MOVED, SIGHTS_IF_HIDDEN, SIGHTS_IF_HIT = 3, 12, 2
# A ball seen so often is no false one; and a robot that was near it so long before its last
# sight may hide it [ns].
SIGHTS_TO_SETTLE, HIDING_NS = 30, NANOSECONDS_PER_SECOND // 20
# Cameras disagree about a ball by this at most [m], and two balls nearer than it are one.
SAME_BALL = 0.06
# A ball not seen for longer than this [ns] may be anywhere that it can have rolled to.
GONE_NS = NANOSECONDS_PER_SECOND // 2
# Pictures in a row without it that end a track which is no ball yet.
MISSES_TO_DOUBT = 2


class Ranking:
    """
    The tracks, the ball that is played with first, then by how well they are seen.

    Parameters
    ----------
    life : float
        A track not seen for this long has ended [s].

    Attributes
    ----------
    tracks : list of BallTrack
    led : bool
        Whether the first is a ball that is believed in.
    counters : Counter of str
        What was left out, by cause.

    """

    def __init__(self, life: float) -> None:
        self._life_ns = int(life * NANOSECONDS_PER_SECOND)
        self.counters: Counter[str] = Counter()
        self.tracks: list[BallTrack] = []
        self.led = False

    @property
    def primary(self) -> BallTrack | None:
        """The ball that is played with."""
        return self.tracks[0] if self.led else None

    def end_old(self, now_ns: int) -> None:
        """Forget what was not seen for its life, or hardly ever."""
        primary = self.primary
        self.tracks = [track for track in self.tracks if self._lives(track, now_ns)]
        self.led = self.led and bool(self.tracks) and self.tracks[0] is primary

    def _lives(self, track: BallTrack, now_ns: int) -> bool:
        if track.hits < SIGHTS_IF_MOVED and track.misses >= MISSES_TO_DOUBT:
            # What took over was where the ball can have gone: a picture or two may miss it there.
            return self.led and track is self.tracks[0]
        return now_ns - track.seen_ns <= self._life_ns

    def bear(self, sight: Sight, parameters: GroundParameters) -> BallTrack | None:
        """Begin a track with a sight that is nobody's, unless it is another's double: whose."""
        doubled = next((track for track in self.tracks if _near(track, sight)), None)
        if doubled is not None:
            self.counters['double'] += 1
        elif len(self.tracks) == MOST_TRACKS:
            self.counters['too many'] += 1
        else:
            self.tracks.append(BallTrack(sight, parameters))
        return doubled

    def succeed(self) -> bool:
        """Let another track take over when the first is gone; tell whether one did."""
        old = self.primary
        heirs = [track for track in self.tracks if track is not old and _may_inherit(track, old)]
        if heirs:
            heir = max(heirs, key=lambda track: (track.visibility, track.hits))
            self.tracks.remove(heir)
            if old is not None and can_reach(old, heir):
                self.tracks.remove(old)  # the same ball, hit
            self.tracks.insert(0, heir)
            self.led = True
        self.tracks[1:] = sorted(self.tracks[1:], key=lambda track: -track.visibility)
        return bool(heirs)


def _near(track: BallTrack, sight: Sight) -> bool:
    """Whether a sight is too near to a track, seen just now, to be another ball."""
    dx, dy = sight.x - track.ground.x, sight.y - track.ground.y
    return track.misses == 0 and dx * dx + dy * dy < SAME_BALL**2 and track.settled


def _may_inherit(track: BallTrack, old: BallTrack | None) -> bool:
    """Whether a track is the ball that is played with from now on."""
    if old is None:
        return track.hits >= SIGHTS_IF_MOVED
    if track.born_ns <= old.seen_ns:
        return _is_back(track, old)
    hidden = old.touched_ns >= old.seen_ns - HIDING_NS
    if can_reach(old, track):
        return track.hits >= (SIGHTS_IF_HIT if hidden else SIGHTS_IF_MOVED)
    return track.hits >= (SIGHTS_IF_HIDDEN if hidden else SIGHTS_IF_MOVED)


def _is_back(track: BallTrack, old: BallTrack) -> bool:
    """Whether a ball known for long is seen again, while one known for a moment is not."""
    upstart = old.hits < SIGHTS_TO_SETTLE <= track.hits
    return upstart and old.misses >= SIGHTS_IF_MOVED and track.misses == 0


def can_reach(old: BallTrack, new: BallTrack) -> bool:
    """Tell whether a ball can have come from where it was seen last to where another began."""
    last, first = old.sights[-1], new.sights[0]
    if not 0 <= first.stamp_ns - last.stamp_ns <= GONE_NS:
        return False
    dx, dy = first.x - last.x, first.y - last.y
    reach = TOP_SPEED * (first.stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND + SAME_BALL
    return bool(dx * dx + dy * dy <= reach * reach)
