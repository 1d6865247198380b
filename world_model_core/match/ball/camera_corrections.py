# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How the cameras see balls: from where, how far off, how noisily, and how differently."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from world_model_core.match.ball.measurement import Sight
from world_model_core.match.ball.measurement_noise import SHARED_STD, SightNoise, View
from world_model_core.match.cameras.bias import GROSS
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.match.ball.track import BallTrack
    from world_model_core.match.cameras.bias import CameraBiases
    from world_model_core.match.ssl.values import DetectionFrame

# Sights of one ball by two cameras this far apart in time are compared [ns], and so often at most:
# what differs stays the same for longer.
COMPARABLE_NS, COMPARING_NS = NANOSECONDS_PER_SECOND // 40, NANOSECONDS_PER_SECOND // 20
# Nothing is learnt of a camera from a ball that was seen less often.
SIGHTS_TO_LEARN = 5
# The share of each comparison in what two cameras were found to disagree by.
DISAGREEMENT_GAIN = 0.3
# A camera is taken to have been found to be off by more than this [m].
RECALIBRATION = 1e-4
Place = tuple[float, float, float]


class Viewpoints:
    """
    All cameras.

    Parameters
    ----------
    biases : CameraBiases
        Learnt here too, from balls that two cameras see.
    gradient_std : float
        Of the change of a camera's error from place to place [m/m].

    Attributes
    ----------
    places : mapping
        Where the cameras are, (x, y, z) [m] by id; to be set.

    """

    def __init__(self, biases: CameraBiases, gradient_std: float) -> None:
        self._biases = biases
        self._gradient = gradient_std**2
        self._noise = SightNoise()
        self.places: Mapping[int, Place] = {}
        self.reset()

    def reset(self) -> None:
        """Forget when which were compared, as after a jump in time."""
        self._offsets: dict[int, tuple[float, float]] = {}
        self._revision = self._biases.revision
        self._compared_ns: dict[frozenset[int], int] = {}
        self._differences: dict[frozenset[int], float] = {}  # mean squares [m^2]

    def sights(self, frame: DetectionFrame) -> list[Sight]:
        """Take from what a camera saw what it is known to be off by."""
        camera_id, stamp_ns = frame.camera_id, frame.capture_ns
        if frame.balls and camera_id not in self._offsets:
            self._offsets[camera_id] = self._biases.offset(camera_id)
        place = self.places.get(camera_id)
        variance = self._noise.variance(View(camera_id, shared=False), 0.0)
        dx, dy = self._offsets.get(camera_id, (0.0, 0.0))
        return [
            Sight(stamp_ns, camera_id, ball.x - dx, ball.y - dy, ball.z, variance, place)
            for ball in frame.balls
        ]

    def view(self, track: BallTrack, frame: DetectionFrame) -> View:
        """Tell how a camera sees a track: for itself, or in turns with another one."""
        shared = frame.camera_id != track.camera_id and track.has_seen(
            frame.camera_id, frame.capture_ns
        )
        return View(frame.camera_id, shared)

    def variance(self, track: BallTrack, view: View) -> float:
        """Tell the variance of a coordinate of a sight of a track [m^2]."""
        variance = self._noise.variance(view, track.speed)
        if not view.shared:
            return variance
        # What two disagree by would shake the ball, as long as it is not known whose fault it is.
        pair = frozenset((view.camera_id, track.camera_id))
        unknown = self.doubt(track, view.camera_id) - 4.0 * SHARED_STD**2
        found = self._differences.get(pair, 0.0) - SHARED_STD**2
        return variance + max(0.5 * unknown, 0.25 * found, 0.0)

    def doubt(self, track: BallTrack, camera_id: int) -> float:
        """Tell the variance of the difference between a camera and a track's [m^2]."""
        return self._biases.difference_variance(camera_id, track.camera_id)

    def learn(self, track: BallTrack, sight: Sight, view: View) -> None:
        """Learn how noisy a camera is from how one of its sights was foreseen."""
        if track.hits >= SIGHTS_TO_LEARN and track.settled:
            ground = track.ground
            dx, dy = sight.x - ground.x, sight.y - ground.y
            foreseen = ground.pp
            if track.touched:  # what a robot may do to the ball widens this, but seldom happens
                foreseen = min(foreseen, 0.8 * self._noise.variance(view, track.speed))
            self._noise.learn(view, track.speed, 0.5 * (dx * dx + dy * dy), foreseen)

    def compare(self, track: BallTrack, sight: Sight, tracks: Iterable[BallTrack]) -> Sight:
        """
        Compare a sight with another camera's of the same ball.

        Parameters
        ----------
        track : BallTrack
            The ball's.
        sight : Sight
        tracks : iterable of BallTrack
            All that are to be moved when a camera is found to be off.

        Returns
        -------
        Sight
            As it is seen now.

        """
        other = track.last_by_another(sight.camera_id)
        elapsed_ns = sight.stamp_ns - other.stamp_ns if other else COMPARABLE_NS
        if other is None or not 0 <= elapsed_ns < COMPARABLE_NS or track.hits < SIGHTS_TO_LEARN:
            return sight
        pair = frozenset((sight.camera_id, other.camera_id))
        motion = _motion(track, sight)
        recent = abs(sight.stamp_ns - self._compared_ns.get(pair, 0)) < COMPARING_NS
        if recent or motion is None:
            return sight
        self._compared_ns[pair] = sight.stamp_ns
        vx, vy, vv = motion
        dt = elapsed_ns / NANOSECONDS_PER_SECOND
        dx, dy = sight.x - other.x - dt * vx, sight.y - other.y - dt * vy
        variance = sight.variance + other.variance + dt * dt * vv
        now, before = self._correct(sight, other, (dx, dy), variance, tracks)
        dx, dy = now.x - before.x - dt * vx, now.y - before.y - dt * vy
        self._note(pair, dx * dx + dy * dy)
        return now

    def _note(self, pair: frozenset[int], squared: float) -> None:
        """Remember by how much two cameras disagree with their offsets subtracted."""
        known = self._differences.get(pair, squared)
        step = DISAGREEMENT_GAIN * (min(squared, GROSS**2) - known)
        self._differences[pair] = known + step

    def _correct(
        self,
        sight: Sight,
        other: Sight,
        difference: tuple[float, float],
        variance: float,
        tracks: Iterable[BallTrack],
    ) -> tuple[Sight, Sight]:
        """Teach the biases a difference [m]; give the sights as they are seen then."""
        offsets = [self._offsets[each.camera_id] for each in (sight, other)]
        (x, y), (other_x, other_y) = offsets
        dx, dy = difference[0] + x - other_x, difference[1] + y - other_y
        self._biases.compare(sight.stamp_ns, sight.camera_id, other.camera_id, dx, dy, variance)
        self.recalibrate(tracks)
        return self._seen_anew(sight, offsets[0]), self._seen_anew(other, offsets[1])

    def _seen_anew(self, sight: Sight, offset: tuple[float, float]) -> Sight:
        """Take from a sight what its offset has changed since it was this [m]."""
        x, y = self._offsets[sight.camera_id]
        return sight._replace(x=sight.x + offset[0] - x, y=sight.y + offset[1] - y)

    def recalibrate(self, tracks: Iterable[BallTrack]) -> None:
        """Move what was seen so far by what the cameras' offsets have changed."""
        if self._biases.revision == self._revision:
            return
        self._revision = self._biases.revision
        tracks = list(tracks)
        for camera_id, (x, y) in self._offsets.items():
            new_x, new_y = self._biases.offset(camera_id)
            dx, dy = x - new_x, y - new_y
            if abs(dx) + abs(dy) > RECALIBRATION:
                self._offsets[camera_id] = new_x, new_y
                for track in tracks:
                    track.recalibrate(camera_id, dx, dy)

    def disagreement(self, cameras: Iterable[int]) -> float:
        """Tell by how much some cameras disagree at most, standard deviation [m]."""
        pairs = (self._biases.difference_variance(*pair) for pair in combinations(cameras, 2))
        return math.sqrt(max(0.5 * max(pairs, default=0.0), SHARED_STD**2))

    def offset_variance(self, track: BallTrack) -> float:
        """Tell how far off, per axis [m^2], the track's camera may show it where it is."""
        x, y, _ = self.places.get(track.camera_id) or (track.ground.x, track.ground.y, 0.0)
        aside = (track.ground.x - x) ** 2 + (track.ground.y - y) ** 2
        return self._biases.variance(track.camera_id) + self._gradient * aside


def _motion(track: BallTrack, sight: Sight) -> tuple[float, float, float] | None:
    """
    Tell the velocity of a ball [m/s] and its variance [m^2/s^2], to compare two cameras by.

    Two cameras that disagree shake a ball as if it were pushed: then only what one of them sees
    tells its velocity. None where that has not seen it just before.
    """
    ground = track.ground
    if track.settled:
        return ground.vx, ground.vy, ground.vv
    own = track.last_by(sight.camera_id)
    dt = (
        0.0
        if own is None or track.touched
        else (sight.stamp_ns - own.stamp_ns) / NANOSECONDS_PER_SECOND
    )
    if own is None or not 0.0 < dt < 2.0 * COMPARABLE_NS / NANOSECONDS_PER_SECOND:
        return None
    return (sight.x - own.x) / dt, (sight.y - own.y) / dt, (sight.variance + own.variance) / dt**2
