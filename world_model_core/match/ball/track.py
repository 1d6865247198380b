# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Track of one ball from the measurements of all cameras, and a filter of its height."""

from __future__ import annotations

import math
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.ball_constants import FLAT_STD, LEVEL_STD
from world_model_core.match.ball.ground_filter import (
    ALONE,
    TOUCHED,
    GroundFilter,
    Mode,
    PlanarGaussian,
)
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.ball.ground_filter import GroundParameters
    from world_model_core.match.ball.measurement import BallMeasurement

# Largest ball speed of real kickers and simulators [m/s]; the rules allow 6.5 m/s (Rules of the
# SSL 2024, 8.4.1 "Ball Speed").
TOP_SPEED = 15.0
# A camera without the ball for this long [ns], three frames, has handed it over.
HANDOVER_NS = NANOSECONDS_PER_SECOND // 20
# Measurements stored by a track: a third of a second of two cameras.
MEMORY = 48
# A track with fewer hits has no velocity; an impossible displacement then counts as noise of this
# size [m].
HITS_TO_MOVE, BLUR = 3, 0.02
# Margin of the gate around the reachable area [m].
NEARBY = 0.3
# Mode probabilities (rest, roll, slide, pushed) of a new ball.
INITIAL_PROBABILITIES = (0.3, 0.3, 0.3, 0.1)
# Mode probabilities of a ball that lands.
LANDED_PROBABILITIES = (0.05, 0.7, 0.15, 0.1)
# Largest probability of being pushed for a ball that nothing touches.
UNTOUCHED = 0.05
# Weight of each frame in the visibility.
VISIBILITY_GAIN = 1.0 / 16.0
# Power spectral density of the vertical acceleration in flight, besides gravity [m^2/s^3].
CLIMB_DENSITY = 1.0
# A measured height above this [m] means flight; the noise of grSim is a few millimeters.
AIRBORNE = 0.02
# Standard deviation of the vertical speed at the first height or after a bounce [m/s].
UNKNOWN_SPEED = 3.0
# Standard deviation of a height [m]: simulators differ in the point of the ball they report.
HEIGHT_STD = 0.01
# Squared Mahalanobis distance above which a height does not belong to the flight (4 sigma).
HEIGHT_GATE = 16.0


class BallTrack:
    """
    Track of one ball: a filter on the carpet and a filter of measured heights.

    Parameters
    ----------
    measurement : BallMeasurement
        First measurement.
    parameters : GroundParameters

    Attributes
    ----------
    stamp_ns : int
        Time of `ground` [ns, vision's clock].
    ground : PlanarGaussian
        Position and velocity on the carpet; for a flying ball without measured height, those of
        its projection.
    height : HeightFilter
    hits, misses : int
        Number of measurements, and of frames of `camera_id` without one since the last.
    seen_ns : int
        Time of the last measurement [ns, vision's clock].
    touched : bool
        Whether a robot or a wall may touch the ball, or it flies.
    near_robot_ns : int
        Last time at which a robot may have touched the ball, or it flew [ns]. In contrast to a
        robot, a wall neither hides nor chips it.
    visibility : float
        Recent share of frames that showed the ball.
    measurements : deque of BallMeasurement
        Latest measurements.
    nis : float
        Squared Mahalanobis distance of the last measurement, 2 degrees of freedom.

    """

    def __init__(self, measurement: BallMeasurement, parameters: GroundParameters) -> None:
        self._parameters = parameters
        self.ground: PlanarGaussian
        self._filter: GroundFilter
        self._begin(measurement)
        self.height = HeightFilter()
        self.stamp_ns = self.born_ns = self.seen_ns = measurement.stamp_ns
        self.camera_id = measurement.camera_id
        self.measurements = deque((measurement,), maxlen=MEMORY)
        self.hits, self.misses, self.visibility = 1, 0, 0.5
        self.nis = 2.0
        self.touched, self.near_robot_ns = False, 0
        if measurement.z is not None:
            self.height.update(measurement.z, measurement.variance)

    @property
    def speed(self) -> float:
        """Speed along the carpet [m/s]."""
        return math.hypot(self.ground.vx, self.ground.vy)

    @property
    def probabilities(self) -> list[float]:
        """Probability of each Mode."""
        return self._filter.probabilities

    @property
    def settled(self) -> bool:
        """Whether the ball moves as one that nothing pushes."""
        return self._filter.probabilities[Mode.PUSHED] < UNTOUCHED

    def predict(self, stamp_ns: int, gravity: float, *, near_robot: bool, at_wall: bool) -> None:
        """Predict to a later time [ns]; a robot or a wall may touch the ball meanwhile."""
        self.touched = near_robot or at_wall
        if near_robot:
            self.near_robot_ns = stamp_ns
        dt = (stamp_ns - self.stamp_ns) / NANOSECONDS_PER_SECOND
        if dt <= 0.0:
            return
        self._filter.predict(dt, TOUCHED if self.touched else ALONE)
        self.height.predict(dt, gravity)
        self.stamp_ns = stamp_ns
        self.ground = self._filter.estimate()

    def may_be_among(self, measurements: Sequence[BallMeasurement]) -> bool:
        """Return whether one of a frame's measurements is within reach, as a cheap gate."""
        if not measurements:
            return False
        x, y = self.ground[:2]
        elapsed = abs(measurements[0].stamp_ns - self.stamp_ns) / NANOSECONDS_PER_SECOND
        reach = TOP_SPEED * elapsed + NEARBY
        return any(
            abs(measurement.x - x) < reach and abs(measurement.y - y) < reach
            for measurement in measurements
        )

    def squared_distance(self, measurement: BallMeasurement, bias_variance: float) -> float:
        """
        Return the squared Mahalanobis distance of a measurement, or inf out of reach.

        Parameters
        ----------
        measurement : BallMeasurement
        bias_variance : float
            Variance of the bias between its camera and that of the track [m^2].

        """
        if self.hits < HITS_TO_MOVE and not self._in_reach(measurement, bias_variance):
            return math.inf
        return self._squared(self._brought_forward(measurement), bias_variance)

    def _squared(self, measurement: BallMeasurement, bias_variance: float) -> float:
        dx, dy = measurement.x - self.ground.x, measurement.y - self.ground.y
        return (dx * dx + dy * dy) / (self.ground.pp + measurement.variance + bias_variance)

    def _in_reach(self, measurement: BallMeasurement, bias_variance: float) -> bool:
        """
        Return whether the ball can move from the last measurement to this one.

        Two cameras project a flying ball to two positions, which must not be taken for motion.
        """
        last = self.measurements[-1]
        reach = BLUR + 3.0 * math.sqrt(bias_variance)
        if measurement.camera_id == last.camera_id:
            reach += TOP_SPEED * abs(measurement.stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND
        return math.hypot(measurement.x - last.x, measurement.y - last.y) <= reach

    def correct(self, measurement: BallMeasurement, bias_variance: float) -> None:
        """
        Update with a measurement.

        Parameters
        ----------
        measurement : BallMeasurement
        bias_variance : float
            Variance of the bias between its camera and that of the track, added to the position if
            the camera takes over the ball [m^2].

        """
        current = self._brought_forward(measurement)
        self.nis = self._squared(current, bias_variance)
        if bias_variance:
            self._filter.shift(0.0, 0.0, bias_variance)
        self._filter.update(current.x, current.y, current.variance)
        if measurement.z is not None:
            self.height.update(measurement.z, measurement.variance)
        self.ground = self._filter.estimate()
        self._note(measurement)

    def restart_from(self, measurement: BallMeasurement, state: BallState) -> None:
        """Restart the filter from the state of a flying ball that a measurement confirms."""
        x, y, _ = state.position.tolist()
        vx, vy, _ = state.velocity.tolist()
        variances = state.covariance.diagonal().tolist()
        pp, vv = 0.5 * sum(variances[:2]), 0.5 * sum(variances[3:5])
        self.ground = PlanarGaussian(x, y, vx, vy, 0.0, 0.0, pp, 0.0, 0.0, vv, 0.0, 0.0)
        self._filter = GroundFilter(self._parameters, self.ground, LANDED_PROBABILITIES)
        self._note(measurement)

    def _note(self, measurement: BallMeasurement) -> None:
        self.measurements.append(measurement)
        self.seen_ns = max(self.seen_ns, measurement.stamp_ns)
        self.camera_id = measurement.camera_id
        self.hits, self.misses = self.hits + 1, 0
        self.visibility += VISIBILITY_GAIN * (1.0 - self.visibility)

    def state(self) -> tuple[Array, Array, Array]:
        """Return position and velocity, shape (3,), and covariance, (6, 6), of the filters."""
        ground, height = self.ground, self.height
        covariance = np.zeros((6, 6))
        covariance[0, 0] = covariance[1, 1] = ground.pp
        covariance[0, 3] = covariance[3, 0] = covariance[1, 4] = covariance[4, 1] = ground.pv
        covariance[3, 3] = covariance[4, 4] = ground.vv
        covariance[2, 2], covariance[5, 5] = height.pp, height.vv
        covariance[2, 5] = covariance[5, 2] = height.pv
        position = np.array((ground.x, ground.y, height.z))
        return position, np.array((ground.vx, ground.vy, height.speed)), covariance

    def restart(self) -> None:
        """Restart the filter from the last measurement."""
        self._begin(self.measurements[-1])

    def _begin(self, measurement: BallMeasurement) -> None:
        self.ground = PlanarGaussian(
            measurement.x, measurement.y, 0.0, 0.0, 0.0, 0.0,
            measurement.variance, 0.0, 0.0, 0.25 * TOP_SPEED**2, 0.0, 0.0,
        )  # fmt: skip
        self._filter = GroundFilter(self._parameters, self.ground, INITIAL_PROBABILITIES)

    def miss(self) -> None:
        """Count a frame of its camera that did not show the ball."""
        self.misses += 1
        self.visibility -= VISIBILITY_GAIN * self.visibility

    def recalibrate(self, camera_id: int, dx: float, dy: float) -> None:
        """Shift the measurements of a camera by (dx, dy) [m] after a change of its bias."""
        for index, measurement in enumerate(self.measurements):
            if measurement.camera_id == camera_id:
                self.measurements[index] = measurement._replace(
                    x=measurement.x + dx, y=measurement.y + dy
                )
        if camera_id == self.camera_id:
            self._filter.shift(dx, dy)
            self.ground = self._filter.estimate()

    def last_by_another(self, camera_id: int) -> BallMeasurement | None:
        """Return the last measurement of another camera, if it is among the last few."""
        recent = islice(reversed(self.measurements), 4)
        return next(
            (measurement for measurement in recent if measurement.camera_id != camera_id), None
        )

    def last_by(self, camera_id: int) -> BallMeasurement | None:
        """Return the last measurement of a camera, if it is among the last few."""
        recent = islice(reversed(self.measurements), 8)
        return next(
            (measurement for measurement in recent if measurement.camera_id == camera_id), None
        )

    def has_seen(self, camera_id: int, stamp_ns: int) -> bool:
        """Return whether a camera still sees the ball: its last measurement is recent."""
        last = self.last_by(camera_id)
        return last is not None and stamp_ns - last.stamp_ns <= HANDOVER_NS

    def _brought_forward(self, measurement: BallMeasurement) -> BallMeasurement:
        """Predict a late measurement to the track's time, with the variance of the velocity."""
        dt = (self.stamp_ns - measurement.stamp_ns) / NANOSECONDS_PER_SECOND
        if dt <= 0.0:
            return measurement
        ground = self.ground
        return measurement._replace(
            x=measurement.x + dt * ground.vx,
            y=measurement.y + dt * ground.vy,
            variance=measurement.variance + dt * dt * ground.vv,
        )


class HeightFilter:
    """
    Kalman filter of height and vertical speed of a ball.

    Attributes
    ----------
    z, speed : float
        Height of the ball's lowest point [m] and vertical speed [m/s], upwards.
    pp, pv, vv : float
        Covariance of both [m^2, m^2/s, m^2/s^2].

    """

    def __init__(self) -> None:
        self._land()

    @property
    def flies(self) -> bool:
        """Whether the ball is off the carpet."""
        return self.z > 0.0

    def predict(self, dt: float, gravity: float) -> None:
        """Predict over `dt` [s] under `gravity` [m/s^2], negative, if the ball flies."""
        if not self.flies:
            return
        self.z += dt * self.speed + 0.5 * gravity * dt * dt
        self.speed += gravity * dt
        self.pp += dt * (2.0 * self.pv + dt * self.vv) + CLIMB_DENSITY * dt**3 / 3.0
        self.pv += dt * self.vv + CLIMB_DENSITY * dt * dt / 2.0
        self.vv += CLIMB_DENSITY * dt
        if self.z <= 0.0:  # a bounce or the landing, which the next measurement decides
            self._land()

    def update(self, measured: float, variance: float) -> None:
        """Update with a measured height [m] of a variance [m^2]."""
        variance += HEIGHT_STD**2
        if not self.flies:
            if measured > AIRBORNE:
                self._take_off(measured, variance)
            return
        if measured <= 0.0:
            self._land()
            return
        spread = self.pp + variance
        innovation = measured - self.z
        if innovation * innovation > HEIGHT_GATE * spread:  # otherwise the speed would diverge
            self._take_off(measured, variance)
            return
        gain, speed_gain = self.pp / spread, self.pv / spread
        self.z += gain * innovation
        self.speed += speed_gain * innovation
        self.vv -= speed_gain * self.pv
        self.pv -= gain * self.pv
        self.pp -= gain * self.pp

    def _take_off(self, measured: float, variance: float) -> None:
        """Start a flight with unknown vertical speed."""
        self.z, self.speed = measured, 0.0
        self.pp, self.pv, self.vv = variance, 0.0, UNKNOWN_SPEED**2

    def _land(self) -> None:
        self.z = self.speed = self.pv = 0.0
        self.pp, self.vv = FLAT_STD**2, LEVEL_STD**2
