# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Predicted trajectories of a ball, with covariances."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from world_model_core.match.ball.motion_segment import (
    ZERO,
    BallMotion,
    BallMotionState,
    Segment,
    Vector,
    responses,
)
from world_model_core.match.ball.trajectory_covariance import covariances, landing_covariances
from world_model_core.match.ball.trajectory_segments import segments_from

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.field_boundary import FieldBoundary

__all__ = ['Approach', 'BallTrajectory', 'Interval', 'Samples', 'Touchdown', 'predict_ball']

Array = NDArray[np.float64]

# Acceleration that the two-phase model does not explain [m^2/s^3]. Predicted from a good tracker
# on the RoboCup 2022 field, the median error is 13 mm after 0.25 s and 22 mm after 0.5 s; without
# the tracker's own 3 mm and 30 mm/s, about 10 mm remain after 0.5 s.
ACCELERATION_DENSITY = 0.0025
# Robots reach a ball lower than this [m]: value of TIGERs, and the allowed height of robots.
INTERCEPTABLE_HEIGHT = 0.15


class Samples(NamedTuple):
    """Sampled states: `times` (n,) [s], `positions` and `velocities` (n, 3) [m, m/s]."""

    times: Array
    positions: Array
    velocities: Array


class Approach(NamedTuple):
    """Closest approach to a point: `time` [s], `position` (3,), `distance` [m]."""

    time: float
    position: Array
    distance: float


class Touchdown(NamedTuple):
    """Landing of a flight: `time` [s], `position` (3,) [m]."""

    time: float
    position: Array


class Interval(NamedTuple):
    """Seconds after the start of a trajectory, from `start` to `end`."""

    start: float
    end: float


def predict_ball(
    state: BallMotionState, parameters: BallParameters, boundary: FieldBoundary | None = None
) -> BallTrajectory:
    """
    Predict the trajectory of a ball until rest.

    Parameters
    ----------
    state : BallMotionState
        At time 0 of the trajectory.
    parameters : BallParameters
    boundary : FieldBoundary, optional
        Boards and goals, at which the ball stops; without it the trajectory has no limit.

    Returns
    -------
    BallTrajectory

    """
    segments = segments_from(state, parameters)
    free = BallTrajectory(segments, parameters, boundary, state.kick_speed, state.bounces or 0)
    return free if boundary is None else _stopped(free, boundary)


def _stopped(free: BallTrajectory, boundary: FieldBoundary) -> BallTrajectory:
    """Return a trajectory that ends at the first wall that the ball does not fly over."""
    (x, y, _), (x1, y1, _) = free.segments[0].position, free.segments[-1].position
    if (x, y) == (x1, y1):
        return free
    for distance, height, normal in boundary.obstructions((x, y), (x1, y1)):
        time = min(free.time_for_distance(distance), free.rest_time)
        (px, py, pz), _ = free.motion_at(time)
        if pz <= height:
            return _ended(free, time, boundary.nearest_inside((px, py)), normal)
    return free


def _ended(
    free: BallTrajectory, time: float, place: tuple[float, float], normal: tuple[float, float]
) -> BallTrajectory:
    """Return a trajectory that ends at a time [s] at a wall, where the ball drops."""
    rest = Segment(BallMotion.STOPPED, time, math.inf, (*place, 0.0), ZERO, kept=ZERO, wall=normal)
    return replace(free, segments=(*free.between(0.0, time), rest))


@dataclass(frozen=True, eq=False)
class BallTrajectory:
    """
    Trajectory of a ball until rest, in closed form.

    Seen from above it is a straight line without reversal, so that distance and time determine
    each other. Times are seconds after the start; before it the first segment is extrapolated.

    Parameters
    ----------
    segments : tuple of Segment
        Flights first, then sliding and rolling, and finally a rest of infinite duration.
    parameters : BallParameters
    boundary : FieldBoundary or None
        Boards and goals at which it ends, if known.
    kick_speed : float or None
        Speed right after the kick [m/s], if the ball may still slide.
    bounces : int
        Bounces before the start.

    """

    segments: tuple[Segment, ...]
    parameters: BallParameters
    boundary: FieldBoundary | None = None
    kick_speed: float | None = None
    bounces: int = 0

    @property
    def rest_time(self) -> float:
        """Time at which the ball comes to rest [s]."""
        return self.segments[-1].start

    @property
    def rest_position(self) -> Array:
        """Position at which the ball comes to rest, shape (3,) [m]."""
        return np.array(self.segments[-1].position)

    @property
    def touchdowns(self) -> tuple[Touchdown, ...]:
        """Touchdowns in order, or the wall in its way; empty if the ball does not fly."""
        return tuple(
            Touchdown(after.start, np.array(after.position))
            for before, after in pairwise(self.segments)
            if before.motion is BallMotion.FLYING
        )

    def at(self, times: ArrayLike) -> tuple[Array, Array]:
        """
        Return positions and velocities.

        Parameters
        ----------
        times : array_like, shape (n,)
            Seconds after the start.

        Returns
        -------
        positions, velocities : array, shape (n, 3)
            In the field frame [m, m/s]; at a bounce, the velocity after it.

        """
        index, dt = self._locate(np.asarray(times, dtype=float))
        segments_, drags = self._coefficients
        chosen, dt = segments_.take(index, axis=0), dt[:, None]
        position, velocity, acceleration = chosen[:, 0], chosen[:, 1], chosen[:, 2]
        if not self._dragged:
            change = dt * acceleration
            return position + dt * (velocity + 0.5 * change), velocity + change
        span, ramp, decay = responses(dt, drags[index])
        positions = position + span * velocity + ramp * acceleration
        return positions, decay * velocity + span * acceleration

    def motion_at(self, time: float) -> tuple[Vector, Vector]:
        """Return position and velocity (x, y, z) [m, m/s] at one time [s]."""
        segment = self.segments[bisect_right(self._starts, time, lo=1) - 1]
        return segment.state_after(time - segment.start)

    def state_at(self, time: float) -> BallMotionState:
        """Return the state at a time [s] from which the prediction continues identically."""
        index = bisect_right(self._starts, time, lo=1) - 1
        position, velocity = self.motion_at(time)
        if self.segments[index].motion is BallMotion.FLYING:
            return BallMotionState(position, velocity, bounces=self.bounces + index)
        slid = self.segments[0].motion is not BallMotion.FLYING
        return BallMotionState(position, velocity, self.kick_speed if slid else None)

    def sample(self, horizon: float, step: float) -> Samples:
        """
        Sample the trajectory in equal steps, up to the horizon or rest.

        Parameters
        ----------
        horizon, step : float
            Length and time step [s]; the last sample is exactly at the end.

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
        Propagate the covariance of the initial state.

        The transition matrix is linearized along the trajectory and through its bounces; unknown
        white acceleration adds noise while the ball moves.

        Parameters
        ----------
        times : array_like, shape (n,)
            Seconds after the start.
        covariance : array_like, shape (6, 6)
            Covariance of (x, y, z, vx, vy, vz) at the start [m^2, m^2/s, m^2/s^2].
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

    def touchdown_covariances(
        self, covariance: ArrayLike, density: float = ACCELERATION_DENSITY
    ) -> Array:
        """Return the covariance of each touchdown position, (m, 2, 2) [m^2]."""
        return landing_covariances(self.segments, np.asarray(covariance, dtype=float), density)

    def distance_at(self, times: ArrayLike) -> Array:
        """
        Return the distance traveled along the carpet.

        Parameters
        ----------
        times : array_like, shape (n,)
            Seconds after the start.

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
        """Return when the ball has traveled a distance [m] seen from above; inf if never."""
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
        Return the closest approach to a point of the field.

        Parameters
        ----------
        point : array_like, shape (2,)
            In the field frame [m]; the height is ignored.

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
        Return the segments between two times [s].

        Their times stay those of the trajectory; there are none before its start.
        """
        spans = [
            (max(start, segment.start), min(end, segment.end), segment)
            for segment in self.segments
        ]
        return tuple(segment.cut(first, last) for first, last, segment in spans if first < last)

    def between_distances(self, near: float, far: float) -> tuple[Segment, ...]:
        """Return the segments between two distances [m] seen from above."""
        start, end = (min(self.time_for_distance(d), self.rest_time) for d in (near, far))
        return self.between(start, end)

    def interceptable(self, height: float = INTERCEPTABLE_HEIGHT) -> tuple[Interval, ...]:
        """
        Return when robots can reach the ball: on the carpet, and in flight while it is low.

        In order; `height` [m] is the reach of robots, and the last interval has no end.
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
        """Whether drag acts in any segment."""
        return any(segment.drag for segment in self.segments)

    @cached_property
    def _coefficients(self) -> tuple[Array, Array]:
        """Position, velocity and acceleration of each segment, shape (k, 3, 3); drags (k, 1)."""
        segments_ = [(item.position, item.velocity, item.acceleration) for item in self.segments]
        return np.array(segments_), np.array([[item.drag] for item in self.segments])

    def _locate(self, times: Array) -> tuple[NDArray[np.intp], Array]:
        """Return the segment of each time, and the time since its start [s]."""
        starts = np.array(self._starts)
        index = np.searchsorted(starts[1:], times, side='right')
        return index, times - starts[index]
