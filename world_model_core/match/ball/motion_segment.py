# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
How a ball moves while one law holds, in closed form.

Every piece obeys dv/dt = a - c v with constant a and c: a = g in flight (c the air's resistance),
a against the velocity on the carpet (c = 0), or a = 0 and c > 0 under the exponential law. So one
formula serves them all. Frame: the field's; z is the height of the ball's lowest point, so that a
ball on the carpet has z = 0, as the league's trackers have it.
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
    'Motion',
    'MotionState',
    'Segment',
    'apex_time',
    'hop_height',
    'landing_time',
    'response',
    'responses',
    'rising_time',
]

Vector = tuple[float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)
ALL: Vector = (1.0, 1.0, 1.0)
# Newton's method doubles the digits each step: 5 to 8 are enough, more only repeat the last.
NEWTON_STEPS = 20


class Motion(Enum):
    """What a ball does during a segment."""

    FLYING = 'flying'
    SLIDING = 'sliding'
    ROLLING = 'rolling'
    STOPPED = 'stopped'


@dataclass(frozen=True, slots=True, eq=False)
class MotionState:
    """
    A ball at one instant, with what its future needs beside position and velocity.

    Parameters
    ----------
    position, velocity : array_like, shape (3,)
        In the field frame [m, m/s]; z is 0 on the carpet.
    kick_speed : float or None
        Speed right after the kick [m/s], from which the switch to rolling is known. None: the
        ball already rolls, as it does for most of its way, and always after a chip.
    hops : int or None
        Bounces since the chip kick, of a ball known to fly. None: it flies if what is left of
        its hop rises above `smallest_hop`, and then has not bounced yet.

    """

    position: ArrayLike
    velocity: ArrayLike
    kick_speed: float | None = None
    hops: int | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """
    One piece of a ball's way with one law of motion, dv/dt = acceleration - drag * v.

    Parameters
    ----------
    motion : Motion
        What the ball does.
    start, duration : float
        Seconds since the start of the trajectory; the duration of a rest is infinite.
    position, velocity : Vector
        At its start, in the field frame [m, m/s].
    acceleration : Vector
        Constant part of the acceleration [m/s^2].
    drag : float
        Part of the velocity lost in a unit of time [1/s].
    kept : Vector
        Factors from the velocity at the end of the segment before to the one at this start.

    """

    motion: Motion
    start: float
    duration: float
    position: Vector
    velocity: Vector
    acceleration: Vector = ZERO
    drag: float = 0.0
    kept: Vector = ALL

    @property
    def end(self) -> float:
        """Seconds since the start of the trajectory."""
        return self.start + self.duration

    def time_to_cover(self, distance: float) -> float:
        """Find the time [s] in which the ball covers a distance [m] that it does reach."""
        speed = math.hypot(*self.velocity[:2])
        if self.drag:
            # Strong drag spends all the speed, to the last digit, before the segment ends.
            spent = self.drag * distance / speed
            return -math.log1p(-spent) / self.drag if spent < 1.0 else self.duration
        deceleration = math.hypot(*self.acceleration[:2])
        root = math.sqrt(max(speed * speed - 2.0 * deceleration * distance, 0.0))
        return 2.0 * distance / (speed + root)

    def cut(self, start: float, end: float) -> Segment:
        """Keep the piece between two times [s, of the trajectory], both within the segment."""
        position, velocity = self.state_after(start - self.start)
        kept = self.kept if start == self.start else ALL
        return replace(
            self,
            start=start,
            duration=end - start,
            position=position,
            velocity=velocity,
            kept=kept,
        )

    def times_above(self, height: float) -> tuple[float, float] | None:
        """Find from when to when [s, of the trajectory] a flight is above a height [m]."""
        if self.motion is not Motion.FLYING:
            return None
        z, vz, gravity = self.position[2] - height, self.velocity[2], self.acceleration[2]
        dt = apex_time(vz, gravity, self.drag)
        if self.state_after(dt)[0][2] <= height:
            return None
        rise = min(rising_time(z, vz, gravity, self.drag), dt)
        return self.start + rise, self.start + landing_time(z, vz, gravity, self.drag)

    def state_after(self, dt: float) -> tuple[Vector, Vector]:
        """Give position [m] and velocity [m/s] at `dt` seconds after the segment's start."""
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

    Without drag these are the seed's t, t^2 / 2 and 1.
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


def hop_height(z: float, vz: float, gravity: float) -> float:
    """Find how high [m] the hop reaches, without drag, that a ball at `z` with `vz` is on."""
    return z - 0.5 * vz * vz / gravity


def apex_time(vz: float, gravity: float, drag: float = 0.0) -> float:
    """Find when a flight that starts with `vz` [m/s] is highest [s]: at once if it falls."""
    if vz <= 0.0:
        return 0.0
    return math.log1p(drag * vz / -gravity) / drag if drag else vz / -gravity


def rising_time(z: float, vz: float, gravity: float, drag: float = 0.0) -> float:
    """
    Find when a ball below height 0 by `-z` [m] that will rise above it does so [s].

    0 if it is above it already. With drag by Newton's method from the drag-free instant: on the
    way up the height is concave in time and drag only delays it, so the method climbs to it.
    """
    if z >= 0.0:
        return 0.0
    dt = -2.0 * z / (vz + math.sqrt(max(vz * vz - 2.0 * gravity * z, 0.0)))
    return _settle(z, vz, gravity, drag, dt)


def landing_time(z: float, vz: float, gravity: float, drag: float = 0.0) -> float:
    """
    Find when a ball at height `z` [m] with `vz` [m/s] reaches the carpet [s].

    With drag by Newton's method from the drag-free landing: past the apex the height is a
    falling function of time that bends one way only, so the method converges from anywhere.
    """
    dt = max((vz + math.sqrt(max(vz * vz - 2.0 * gravity * z, 0.0))) / -gravity, 0.0)
    return _settle(z, vz, gravity, drag, dt)


def _settle(z: float, vz: float, gravity: float, drag: float, dt: float) -> float:
    """Find by Newton's method when the height is 0 [s], near its drag-free instant `dt`."""
    # Within a nanosecond no drag changes the flight, and the slope may be 0.
    if drag == 0.0 or dt < 1e-9:
        return dt
    for _ in range(NEWTON_STEPS):
        span, ramp, decay = response(dt, drag)
        step = (z + vz * span + gravity * ramp) / (vz * decay + gravity * span)
        dt -= step
        if abs(step) <= 1e-15 * dt:
            break
    return dt
