# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Closed-form motion of a ball while one equation of motion holds.

Every segment obeys dv/dt = a - c v with constant a and c: a = g in flight (c is the air
resistance), a opposite to the velocity on the carpet (c = 0), or a = 0 and c > 0 in the
exponential rolling model. One formula covers all of them. Frame: field; z is the height of the
ball's lowest point, so that a ball on the carpet has z = 0, as in the league's trackers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

__all__ = [
    'BallMotion',
    'BallMotionState',
    'Segment',
    'apex_height',
    'apex_time',
    'landing_time',
    'response',
    'responses',
    'rising_time',
]

Vector = tuple[float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)
ALL: Vector = (1.0, 1.0, 1.0)
# Newton's method doubles the digits with each step: 5 to 8 are enough.
NEWTON_STEPS = 20


class BallMotion(Enum):
    """Motion of a ball during a segment."""

    FLYING = 'flying'
    SLIDING = 'sliding'
    ROLLING = 'rolling'
    STOPPED = 'stopped'


@dataclass(frozen=True, slots=True, eq=False)
class BallMotionState:
    """
    Ball state at one time, as the start of a trajectory.

    Parameters
    ----------
    position, velocity : array_like, shape (3,)
        In the field frame [m, m/s]; z is 0 on the carpet.
    kick_speed : float or None
        Speed right after the kick [m/s], which determines the switch to rolling. None if the ball
        already rolls, which is also assumed after a chip.
    bounces : int or None
        Bounces since the chip kick, for a ball known to fly. None: the ball flies if it will rise
        above `smallest_bounce`, and has not bounced yet.

    """

    position: ArrayLike
    velocity: ArrayLike
    kick_speed: float | None = None
    bounces: int | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """
    One part of a trajectory with a single equation of motion, dv/dt = acceleration - drag * v.

    Parameters
    ----------
    motion : BallMotion
    start, duration : float
        Seconds after the start of the trajectory, and length [s]; infinite for a resting ball.
    position, velocity : Vector
        At the start of the segment, in the field frame [m, m/s].
    acceleration : Vector
        Constant part of the acceleration [m/s^2].
    drag : float
        Relative loss of velocity per unit of time [1/s].
    kept : Vector
        Factors from the velocity at the end of the previous segment to that at this start.
    wall : tuple of float or None
        Unit normal (x, y) of the wall that the ball hit at the start of the segment.

    """

    motion: BallMotion
    start: float
    duration: float
    position: Vector
    velocity: Vector
    acceleration: Vector = ZERO
    drag: float = 0.0
    kept: Vector = ALL
    wall: tuple[float, float] | None = None

    @property
    def end(self) -> float:
        """Seconds after the start of the trajectory."""
        return self.start + self.duration

    def time_to_cover(self, distance: float) -> float:
        """Return the time [s] to cover a distance [m] that the ball reaches."""
        speed = math.hypot(*self.velocity[:2])
        if self.drag:
            # With strong drag, rounding may stop the ball before the segment ends.
            spent = self.drag * distance / speed
            return -math.log1p(-spent) / self.drag if spent < 1.0 else self.duration
        deceleration = math.hypot(*self.acceleration[:2])
        root = math.sqrt(max(speed * speed - 2.0 * deceleration * distance, 0.0))
        return 2.0 * distance / (speed + root)

    def cut(self, start: float, end: float) -> Segment:
        """Return the part between two times [s, of the trajectory], both within the segment."""
        position, velocity = self.state_after(start - self.start)
        kept = self.kept if start == self.start else ALL
        return replace(
            self,
            start=start,
            duration=end - start,
            position=position,
            velocity=velocity,
            kept=kept,
            wall=self.wall if start == self.start else None,
        )

    def times_above(self, height: float) -> tuple[float, float] | None:
        """Return the interval [s, of the trajectory] in which a flight is above a height [m]."""
        if self.motion is not BallMotion.FLYING:
            return None
        z, vz, gravity = self.position[2] - height, self.velocity[2], self.acceleration[2]
        dt = apex_time(vz, gravity, self.drag)
        if self.state_after(dt)[0][2] <= height:
            return None
        rise = min(rising_time(z, vz, gravity, self.drag), dt)
        return self.start + rise, self.start + landing_time(z, vz, gravity, self.drag)

    def state_after(self, dt: float) -> tuple[Vector, Vector]:
        """Return position [m] and velocity [m/s] at `dt` seconds after the segment's start."""
        span, ramp, decay = response(dt, self.drag)
        (px, py, pz), (vx, vy, vz) = self.position, self.velocity
        ax, ay, az = self.acceleration
        return (
            (px + vx * span + ax * ramp, py + vy * span + ay * ramp, pz + vz * span + az * ramp),
            (vx * decay + ax * span, vy * decay + ay * span, vz * decay + az * span),
        )


def response(dt: float, drag: float) -> tuple[float, float, float]:
    """
    Solve dv/dt = a - c v: x = x0 + v0 span + a ramp, v = v0 decay + a span.

    Without drag the three are t, t^2 / 2 and 1.
    """
    if drag == 0.0:
        return dt, 0.5 * dt * dt, 1.0
    span = -math.expm1(-drag * dt) / drag
    return span, (dt - span) / drag, 1.0 - drag * span


def responses(dt: Array, drag: Array) -> tuple[Array, Array, Array]:
    """Solve as `response` does, for arrays of one shape."""
    if not drag.any():
        return dt, 0.5 * dt * dt, np.ones_like(dt)
    loss = np.where(drag > 0.0, drag, 1.0)
    span = np.where(drag > 0.0, -np.expm1(-loss * dt) / loss, dt)
    ramp = np.where(drag > 0.0, (dt - span) / loss, 0.5 * dt * dt)
    return span, ramp, 1.0 - drag * span


def apex_height(z: float, vz: float, gravity: float) -> float:
    """Return the highest point [m] of an arc without drag, from height and vertical speed."""
    return z - 0.5 * vz * vz / gravity


def apex_time(vz: float, gravity: float, drag: float = 0.0) -> float:
    """Return when a flight with vertical speed `vz` [m/s] is highest [s]; 0 if it falls."""
    if vz <= 0.0:
        return 0.0
    return math.log1p(drag * vz / -gravity) / drag if drag else vz / -gravity


def rising_time(z: float, vz: float, gravity: float, drag: float = 0.0) -> float:
    """
    Return when a ball `-z` [m] below height 0 rises above it [s].

    0 if it is above already. With drag, Newton's method starts at the drag-free time: on the way
    up the height is concave in time and drag only delays it, so the iteration converges
    monotonically.
    """
    if z >= 0.0:
        return 0.0
    dt = -2.0 * z / (vz + math.sqrt(max(vz * vz - 2.0 * gravity * z, 0.0)))
    return _find_root(z, vz, gravity, drag, dt)


def landing_time(z: float, vz: float, gravity: float, drag: float = 0.0) -> float:
    """
    Return when a ball at height `z` [m] with vertical speed `vz` [m/s] lands [s].

    With drag, Newton's method starts at the drag-free landing: past the apex the height is a
    decreasing concave function of time, so the method converges.
    """
    dt = max((vz + math.sqrt(max(vz * vz - 2.0 * gravity * z, 0.0))) / -gravity, 0.0)
    return _find_root(z, vz, gravity, drag, dt)


def _find_root(z: float, vz: float, gravity: float, drag: float, dt: float) -> float:
    """Find the root of the height near its drag-free time `dt` [s] by Newton's method."""
    # Drag has no effect within a nanosecond, and the slope may be 0.
    if drag == 0.0 or dt < 1e-9:
        return dt
    for _ in range(NEWTON_STEPS):
        span, ramp, decay = response(dt, drag)
        step = (z + vz * span + gravity * ramp) / (vz * decay + gravity * span)
        dt -= step
        if abs(step) <= 1e-15 * dt:
            break
    return dt
