# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimation of the kicks of the primary ball track, their numbers and their kickers."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.kick_detector import (
    DetectedKick,
    KickDetector,
    KickEvent,
    flattened,
)
from world_model_core.match.ball.kick_fit import KickOrigin
from world_model_core.match.ball.primary_track import can_reach
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.estimate import Kick
    from world_model_core.match.ball.kick_detector import BiasStd
    from world_model_core.match.ball.measurement import BallMeasurement
    from world_model_core.match.ball.obstacles import Obstacles
    from world_model_core.match.ball.track import BallTrack
    from world_model_core.match.ssl.robot_id import RobotId

# A robot near the ball within this time may have kicked it [ns].
TOUCH_NS = NANOSECONDS_PER_SECOND // 5
# A ball that appears from nowhere was kicked at most this long before its first measurement [ns].
APPEARANCE_NS = NANOSECONDS_PER_SECOND // 50
# A ball unseen for longer than this was not kicked at its last measured position [ns].
UNSEEN_NS = NANOSECONDS_PER_SECOND // 10
# A flight is abandoned for another track within this distance [m] with this many hits.
LANDING_OFFSET, HITS_TO_LAND = 0.5, 8
# After the end of a flight the ball may bounce on for this long [ns].
BOUNCING_NS = NANOSECONDS_PER_SECOND // 2
# Largest distance between the projections of one chip by two cameras [m].
PARALLAX = 2.0
# Kicks nearer in time than this are the same kick [ns].
SAME_KICK_NS = NANOSECONDS_PER_SECOND // 10
# Estimates of a kick that differ by less are equal [m/s], [m], probability.
SAME_VELOCITY, SAME_PLACE, SAME_PROBABILITY = 0.05, 0.01, 0.1
# A robot whose center was within this distance of the kick position kicked the ball [m]: radius of
# a robot and of the ball, and the motion of the ball between two frames.
KICKER_REACH = 0.2


class KickEstimator:
    """
    Detect and fit the kicks of the primary ball, one after another.

    Parameters
    ----------
    parameters : BallParameters

    Attributes
    ----------
    parameters : BallParameters
        Parameters of the next kicks.
    event : KickEvent or None
        Latest kick; None after a change of the ball.
    new_kick : Kick or None
        New estimate of the kick from the last measurement.

    """

    def __init__(self, parameters: BallParameters) -> None:
        self.parameters = parameters
        self._detector = KickDetector()
        self._detected: DetectedKick | None = None
        self._flown_ns = 0
        self.event: KickEvent | None = None
        self.new_kick: Kick | None = None

    def may_bounce(self, stamp_ns: int) -> bool:
        """Return whether a ball that flew a moment ago may still bounce at a time [ns]."""
        return not self.flies and 0 <= stamp_ns - self._flown_ns < BOUNCING_NS

    @property
    def flies(self) -> bool:
        """Whether the ball is in the air."""
        return self.event is not None and self.event.flies

    def end(self) -> None:
        """Drop the current kick, because its ball is lost."""
        self._detector = KickDetector()
        self.event = None

    def restart(
        self,
        before: BallTrack | None,
        successor: BallTrack,
        around: Obstacles,
        bias_std: BiasStd,
    ) -> None:
        """
        Continue with another track, after the ball of the previous one was kicked or carried.

        Parameters
        ----------
        before : BallTrack or None
            Previous primary track; None for the first one, whose motion has no known start.
        successor : BallTrack
            New primary track.
        around : Obstacles
        bias_std : callable
            Returns the standard deviation of the bias between cameras [m].

        """
        flight_speed = self.event.speed if self.event and self.event.flies else 0.0
        unsolved = self.event is not None and self.event.fit is None
        self._detector.continue_with_another_track()
        self.event = None
        if before is None or successor.born_ns <= before.seen_ns:
            self.end()  # the start of its motion is unknown
            return
        if unsolved and self._detected is not None and can_reach(before, successor):
            # Still the same kick: the replaced track was short.
            self._start(self._detected, (*before.measurements, *successor.measurements), bias_std)
            return
        detected, measurements = _kick_between(before, successor, flight_speed)
        last = before.measurements[-1]
        dt = (successor.stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND
        # The old track has been extrapolated since, maybe through the wall.
        path = before.ground._replace(x=last.x, y=last.y)
        ground, now_ns = successor.ground, successor.stamp_ns
        detected = flattened(detected, around.walls, path, ground, dt)
        detected = self._detector.flatten_bounce(detected, around.walls, ground, now_ns, now_ns)
        self._start(detected, measurements, bias_std)

    def follow(
        self,
        track: BallTrack,
        others: Sequence[BallTrack],
        around: Obstacles,
        bias_std: BiasStd,
    ) -> None:
        """
        Fit the current kick to the latest measurement and detect the next kick.

        Parameters
        ----------
        track : BallTrack
            Primary track, just updated by a measurement.
        others : sequence of BallTrack
            Other tracks; one may be the same ball in the air, projected by another camera.
        around : Obstacles
        bias_std : callable
            Returns the standard deviation of the bias between cameras [m].

        """
        event, ground = self.event, track.ground
        self.new_kick = None
        if event is not None and not event.over:
            flew, before = event.flies, None if event.held else event.fit
            if flew:
                self._flown_ns = track.stamp_ns
            if event.meets(around.walls, track.stamp_ns):
                event.abandon()
            else:
                event.add(track.measurements[-1])
            if flew and any(_has_landed(other, track, self._detected) for other in others):
                event.abandon()
            if flew and event.failed:
                track.restart()
            event.held = event.held and around.hold(ground.x, ground.y, ground.vx, ground.vy)
            if not event.flies:
                self._join_shadow(track, others, bias_std)
            if self.event is not None and self.event.fit is not before:
                self.new_kick = self.event.kick
        if self.flies:
            return
        near = track.near_robot_ns > track.stamp_ns - TOUCH_NS
        detected = self._detector.update(track.stamp_ns, ground, touched=near, walls=around.walls)
        if detected is not None and not (event and detected.earliest_ns < event.settled_ns):
            self._start(detected, track.measurements, bias_std)

    def _start(
        self, detected: DetectedKick, measurements: Iterable[BallMeasurement], bias_std: BiasStd
    ) -> None:
        self._detected, measurements = detected, tuple(measurements)
        self.event = KickEvent(detected, self.parameters, measurements, bias_std)

    def _join_shadow(
        self, track: BallTrack, others: Sequence[BallTrack], bias_std: BiasStd
    ) -> None:
        """Try to explain the track of another camera as the same ball in the air."""
        assert self._detected is not None  # noqa: S101 (there is an event)
        for other in others:
            if not _may_be_shadow(other, track, self._detected):
                continue
            measurements = sorted(
                chain(track.measurements, other.measurements),
                key=lambda measurement: measurement.stamp_ns,
            )
            joint = KickEvent(self._detected, self.parameters, measurements, bias_std)
            joint.held = False
            if joint.flies:
                self.event = joint
                return


def _kick_between(
    before: BallTrack, successor: BallTrack, flight_speed: float
) -> tuple[DetectedKick, tuple[BallMeasurement, ...]]:
    """
    Estimate the kick between the old and the new primary track.

    Parameters
    ----------
    before, successor : BallTrack
        Previous primary track and the track that replaced it.
    flight_speed : float
        Speed of the previous flight [m/s]; 0 without one.

    Returns
    -------
    DetectedKick, tuple of BallMeasurement
        The kick and the measurements since then.

    """
    measurements, last = tuple(successor.measurements), before.measurements[-1]
    earlier = _last_before_kick(before, successor)
    if earlier is not None:
        measurements, last = (last, *measurements), earlier
    first = measurements[0]
    if not can_reach(before, successor) or first.stamp_ns - last.stamp_ns >= UNSEEN_NS:
        # It was carried, or stopped by a robot that hid it.
        detected = DetectedKick(
            first.stamp_ns - APPEARANCE_NS, first.stamp_ns, None, 0.0, may_fly=True
        )
        return detected, measurements
    moved = before.speed * (first.stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND
    origin = KickOrigin(last.x, last.y, before.ground.pp + moved * moved)
    times = max(before.near_robot_ns, successor.near_robot_ns)
    near = times > last.stamp_ns - TOUCH_NS
    speed = max(before.speed, flight_speed)
    return DetectedKick(last.stamp_ns, first.stamp_ns, origin, speed, may_fly=near), measurements


def _last_before_kick(before: BallTrack, successor: BallTrack) -> BallMeasurement | None:
    """
    Return the last measurement before a kick if the latest one already belongs to the new path.

    The ball had moved so little that the old track accepted the measurement, although it fits
    better to the straight line of the new track.
    """
    camera_id = successor.measurements[0].camera_id
    own = [
        measurement for measurement in before.measurements if measurement.camera_id == camera_id
    ][-3:]
    after = [
        measurement for measurement in successor.measurements if measurement.camera_id == camera_id
    ]
    if len(own) < 3 or len(after) < 2 or own[-1] is not before.measurements[-1]:
        return None
    expected, seen = _extended(own[0], own[1], own[2].stamp_ns), own[2]
    traced = _extended(after[-1], after[0], seen.stamp_ns)
    misfit = math.hypot(seen.x - expected[0], seen.y - expected[1])
    return own[1] if math.hypot(seen.x - traced[0], seen.y - traced[1]) < misfit else None


def _has_landed(other: BallTrack, track: BallTrack, detected: DetectedKick | None) -> bool:
    """Return whether the ball landed away from the predicted place and has a track there."""
    near = (
        math.hypot(other.ground.x - track.ground.x, other.ground.y - track.ground.y)
        < LANDING_OFFSET
    )
    fresh = detected is not None and other.born_ns > detected.latest_ns
    return near and fresh and other.misses == 0 and other.hits >= HITS_TO_LAND


def _extended(one: BallMeasurement, other: BallMeasurement, stamp_ns: int) -> tuple[float, float]:
    """Extrapolate the line through two measurements to a time [ns]."""
    share = (stamp_ns - one.stamp_ns) / ((other.stamp_ns - one.stamp_ns) or NANOSECONDS_PER_SECOND)
    return one.x + share * (other.x - one.x), one.y + share * (other.y - one.y)


def _may_be_shadow(other: BallTrack, track: BallTrack, detected: DetectedKick) -> bool:
    """Return whether a track may be the projection of the kicked ball by another camera."""
    dx, dy = other.ground.x - track.ground.x, other.ground.y - track.ground.y
    return (
        other.camera_id != track.camera_id
        and other.born_ns >= detected.earliest_ns
        and other.hits > 1
        and other.misses < 2
        and dx * dx + dy * dy < PARALLAX**2
    )


class KickNumbering:
    """Number the kicks, so that a new estimate of a kick is distinguished from a new kick."""

    def __init__(self) -> None:
        self._count = 0
        self.reset()

    def reset(self) -> None:
        """Forget the last kick, as after a jump in time, but keep the count."""
        self._last: Kick | None = None

    def numbered(self, kick: Kick) -> Kick | None:
        """
        Assign a number: that of the last kick if both are within a tenth of a second.

        Returns
        -------
        Kick or None
            None for an estimate that does not differ from the last one.

        """
        last = self._last
        known = last is not None and abs(kick.stamp_ns - last.stamp_ns) <= SAME_KICK_NS
        if last is not None and known:
            # The first estimate has the best kicker: robots drive on.
            kick = replace(kick, kicker=last.kicker or kick.kicker)
            if _alike(kick, last):
                return None
        self._count += not known
        self._last = replace(kick, number=self._count)
        return self._last


def _alike(kick: Kick, other: Kick) -> bool:
    """Return whether two estimates of a kick differ too little to publish both."""
    return (
        bool(np.linalg.norm(kick.velocity - other.velocity) < SAME_VELOCITY)
        and bool(np.linalg.norm(kick.position - other.position) < SAME_PLACE)
        and abs(kick.chip_probability - other.chip_probability) < SAME_PROBABILITY
        and kick.kicker == other.kicker
    )


def attribute_kicker(kick: Kick, names: Sequence[RobotId], distances: Array) -> Kick:
    """
    Attribute a kick to the nearest robot, if one is within reach.

    Parameters
    ----------
    kick : Kick
    names : sequence of RobotId
        The n robots.
    distances : array, shape (n,)
        Distance of each robot's center to the position of the kick [m].

    """
    if not len(names):
        return kick
    nearest = int(distances.argmin())
    kicker = names[nearest] if distances[nearest] < KICKER_REACH else None
    return replace(kick, kicker=kicker)
