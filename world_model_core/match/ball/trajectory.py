# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where a ball will be, when, and how surely."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from world_model_core.match.ball.motion_segment import Motion, MotionState, Segment, responses
from world_model_core.match.ball.trajectory_covariance import covariances, landing_covariances
from world_model_core.match.ball.trajectory_segments import segments_from

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.match.ball.parameters import BallParameters

__all__ = ['Approach', 'BallTrajectory', 'Interval', 'Samples', 'Touchdown', 'predict_ball']

Array = NDArray[np.float64]

# Of the acceleration that the two-phase law does not explain [m^2/s^3]. Predicted from a good
# tracker on the RoboCup 2022 field, the median error is 13 mm after 0.25 s and 22 mm after 0.5 s;
# without the share of the tracker's own 3 mm and 30 mm/s, about 10 mm remain after 0.5 s.
ACCELERATION_DENSITY = 0.0025
# A robot reaches a ball lower than this [m]: TIGERs' figure, and how high the rules let robots be.
INTERCEPTABLE_HEIGHT = 0.15


class Samples(NamedTuple):
    """States along a trajectory: `times` (n,) [s], `positions`, `velocities` (n, 3) [m, m/s]."""

    times: Array
    positions: Array
    velocities: Array


class Approach(NamedTuple):
    """Where a ball comes closest to a point: `time` [s], `position` (3,), `distance` [m]."""

    time: float
    position: Array
    distance: float


class Touchdown(NamedTuple):
    """Where and when a flight meets the carpet: `time` [s], `position` (3,) [m]."""

    time: float
    position: Array


class Interval(NamedTuple):
    """Seconds from the start of a trajectory, from `start` to `end`."""

    start: float
    end: float


def predict_ball(state: MotionState, parameters: BallParameters) -> BallTrajectory:
    """Follow a ball from a state, at time 0, to its rest."""
    return BallTrajectory(segments_from(state, parameters), state.kick_speed, state.hops or 0)


@dataclass(frozen=True, eq=False)
class BallTrajectory:
    """
    A ball's way from now to its rest, in closed form.

    Seen from above it is a straight line that the ball never runs back, so that distances along
    it and times are functions of each other. Times are seconds from the start; before it the law
    of the first segment holds backwards.

    Parameters
    ----------
    segments : tuple of Segment
        Flights first, then sliding and rolling, at last a rest without end.
    kick_speed : float or None
        Speed right after the kick [m/s], if the ball still may slide.
    hops : int
        Bounces before the start.

    """

    segments: tuple[Segment, ...]
    kick_speed: float | None = None
    hops: int = 0

    @property
    def rest_time(self) -> float:
        """When the ball comes to rest [s]."""
        return self.segments[-1].start

    @property
    def rest_position(self) -> Array:
        """Where the ball comes to rest, shape (3,) [m]."""
        return np.array(self.segments[-1].position)

    @property
    def touchdowns(self) -> tuple[Touchdown, ...]:
        """Where and when the ball lands, hop by hop; empty if it does not fly."""
        return tuple(
            Touchdown(after.start, np.array(after.position))
            for before, after in pairwise(self.segments)
            if before.motion is Motion.FLYING
        )

    def at(self, times: ArrayLike) -> tuple[Array, Array]:
        """
        Find the ball at any times.

        Parameters
        ----------
        times : array_like, shape (n,)
            Seconds from the start.

        Returns
        -------
        positions, velocities : array, shape (n, 3)
            In the field frame [m, m/s]; at a bounce the velocity is that after it.

        """
        index, dt = self._locate(np.asarray(times, dtype=float))
        laws, drags = self._coefficients
        law, dt = laws.take(index, axis=0), dt[:, None]
        position, velocity, acceleration = law[:, 0], law[:, 1], law[:, 2]
        if not self._dragged:
            change = dt * acceleration
            return position + dt * (velocity + 0.5 * change), velocity + change
        span, ramp, decay = responses(dt, drags[index])
        positions = position + span * velocity + ramp * acceleration
        return positions, decay * velocity + span * acceleration

    def state_at(self, time: float) -> MotionState:
        """Stop at a time [s]: a state from which prediction goes on as if never interrupted."""
        index = bisect_right(self._starts, time, lo=1) - 1
        segment = self.segments[index]
        position, velocity = segment.state_after(time - segment.start)
        if segment.motion is Motion.FLYING:
            return MotionState(position, velocity, hops=self.hops + index)
        slid = self.segments[0].motion is not Motion.FLYING
        return MotionState(position, velocity, self.kick_speed if slid else None)

    def sample(self, horizon: float, step: float) -> Samples:
        """
        Follow the ball in equal steps, up to the horizon or its rest.

        Parameters
        ----------
        horizon, step : float
            How far ahead and how densely [s]; the last sample is exactly at the end.

        """
        end = min(horizon, self.rest_time)
        count = math.ceil(end / step)
        times = step * np.arange(count + 1, dtype=np.float64)
        times[-1] = end
        return Samples(times, *self.at(times))

    def covariances_at(
        self, times: ArrayLike, covariance: ArrayLike, density: float = ACCELERATION_DENSITY
    ) -> Array:
        """
        Propagate what is not known at the start.

        The flow of the law of motion, linearised along the trajectory and through its bounces,
        carries the covariance; an unknown white acceleration adds to it while the ball moves.

        Parameters
        ----------
        times : array_like, shape (n,)
            Seconds from the start.
        covariance : array_like, shape (6, 6)
            Of (x, y, z, vx, vy, vz) at the start [m^2, m^2/s, m^2/s^2].
        density : float
            Power spectral density of the unknown acceleration [m^2/s^3].

        Returns
        -------
        array, shape (n, 6, 6)
            Symmetric and positive semi-definite.

        """
        index, dt = self._locate(np.asarray(times, dtype=float))
        start = np.asarray(covariance, dtype=float)
        return covariances(self.segments, index, dt, start, density)

    def rest_covariance(
        self, covariance: ArrayLike, density: float = ACCELERATION_DENSITY
    ) -> Array:
        """Tell how surely the place of the rest is known, (2, 2) [m^2], as `covariances_at`."""
        return self.covariances_at([self.rest_time], covariance, density)[0, :2, :2]

    def touchdown_covariances(
        self, covariance: ArrayLike, density: float = ACCELERATION_DENSITY
    ) -> Array:
        """Tell how surely the place of each touchdown is known, (m, 2, 2), as the rest's."""
        return landing_covariances(self.segments, np.asarray(covariance, dtype=float), density)

    def distance_at(self, times: ArrayLike) -> Array:
        """
        Measure the way along the carpet.

        Parameters
        ----------
        times : array_like, shape (n,)
            Seconds from the start.

        Returns
        -------
        array, shape (n,)
            Distance from the start, seen from above [m].

        """
        positions, _ = self.at(times)
        dx, dy = (positions[:, :2] - self.segments[0].position[:2]).T
        distances: Array = np.hypot(dx, dy)
        return distances

    def time_for_distance(self, distance: float) -> float:
        """Find when the ball has covered a distance [m] seen from above; inf if it never does."""
        if distance <= 0.0:
            return 0.0
        for segment, following in pairwise(self.segments):
            length = math.dist(segment.position[:2], following.position[:2])
            if distance <= length:
                return segment.start + segment.time_to_cover(distance)
            distance -= length
        return math.inf

    def closest_approach(self, point: ArrayLike) -> Approach:
        """
        Find where the ball comes closest to a point of the field.

        Parameters
        ----------
        point : array_like, shape (2,)
            In the field frame [m]; heights do not count.

        """
        x, y = np.asarray(point, dtype=float).tolist()
        (x0, y0, _), (x1, y1, _) = self.segments[0].position, self.segments[-1].position
        length = math.hypot(x1 - x0, y1 - y0)
        along = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length if length > 0.0 else 0.0
        time = self.rest_time if along >= length > 0.0 else self.time_for_distance(along)
        position = self.at([time])[0][0]
        return Approach(time, position, math.dist((x, y), position[:2]))

    def between(self, start: float, end: float) -> tuple[Segment, ...]:
        """
        Cut out the way between two times [s]: pieces in order, each with one law.

        Their times stay those of the trajectory; there is no way before its start.
        """
        spans = [
            (max(start, segment.start), min(end, segment.end), segment)
            for segment in self.segments
        ]
        return tuple(segment.cut(first, last) for first, last, segment in spans if first < last)

    def between_distances(self, near: float, far: float) -> tuple[Segment, ...]:
        """Cut out the way between two distances [m] seen from above, as `between` does."""
        start, end = (min(self.time_for_distance(d), self.rest_time) for d in (near, far))
        return self.between(start, end)

    def interceptable(self, height: float = INTERCEPTABLE_HEIGHT) -> tuple[Interval, ...]:
        """
        Find when robots can reach the ball: on the carpet always, in flight while it is low.

        In order; `height` [m] is how high robots reach, and the last interval has no end.
        """
        stretches, start = [], 0.0
        for segment in self.segments:
            above = segment.times_above(height)
            if above is not None:
                if above[0] > start:
                    stretches.append(Interval(start, above[0]))
                start = above[1]
        return (*stretches, Interval(start, math.inf))

    @cached_property
    def _starts(self) -> list[float]:
        """Start of each segment [s]."""
        return [segment.start for segment in self.segments]

    @cached_property
    def _dragged(self) -> bool:
        """Whether the air slows the ball down anywhere."""
        return any(segment.drag for segment in self.segments)

    @cached_property
    def _coefficients(self) -> tuple[Array, Array]:
        """Position, velocity and acceleration of each segment, shape (k, 3, 3); drags (k, 1)."""
        laws = [(item.position, item.velocity, item.acceleration) for item in self.segments]
        return np.array(laws), np.array([[item.drag] for item in self.segments])

    def _locate(self, times: Array) -> tuple[NDArray[np.intp], Array]:
        """Find the segment of each time, and the time since its start [s]."""
        starts = np.array(self._starts)
        index = np.searchsorted(starts[1:], times, side='right')
        return index, times - starts[index]
