# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
How a ball moves, in closed form: one after another it flies, slides, rolls and rests.

Every piece obeys dv/dt = a - c v with constant a and c: a = g in flight (c the air's resistance),
a against the velocity on the carpet (c = 0), or a = 0 and c > 0 under the exponential law. So one
formula serves them all. Frame: the field's; z is the height of the ball's lowest point, so that a
ball on the carpet has z = 0, as the league's trackers have it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.ball.parameters import BallParameters, RollingLaw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

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
            return -math.log1p(-min(self.drag * distance / speed, 1.0)) / self.drag
        deceleration = math.hypot(*self.acceleration[:2])
        root = math.sqrt(max(speed * speed - 2.0 * deceleration * distance, 0.0))
        return 2.0 * distance / (speed + root)

    def state_after(self, dt: float) -> tuple[Vector, Vector]:
        """Give position [m] and velocity [m/s] at `dt` seconds after the segment's start."""
        span, ramp, decay = response(dt, self.drag)
        (px, py, pz), (vx, vy, vz) = self.position, self.velocity
        ax, ay, az = self.acceleration
        return (
            (px + vx * span + ax * ramp, py + vy * span + ay * ramp, pz + vz * span + az * ramp),
            (vx * decay + ax * span, vy * decay + ay * span, vz * decay + az * span),
        )


class Braking(NamedTuple):
    """How a ball on the carpet slows down [m/s^2, 1/s], and the speed [m/s] that ends it."""

    motion: Motion
    deceleration: float
    drag: float
    end_speed: float

    def duration(self, speed: float) -> float:
        """Find how long [s] it takes to slow down from a speed [m/s]."""
        if self.drag:
            return math.log(speed / self.end_speed) / self.drag
        return (speed - self.end_speed) / self.deceleration


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


def segments_from(state: MotionState, parameters: BallParameters) -> tuple[Segment, ...]:
    """Follow a ball from a state to its rest; the last segment is STOPPED."""
    return tuple(_follow(state, parameters))


def hop_height(z: float, vz: float, gravity: float) -> float:
    """Find how high [m] the hop reaches, without drag, that a ball at `z` with `vz` is on."""
    return z - 0.5 * vz * vz / gravity


def _follow(state: MotionState, parameters: BallParameters) -> Iterator[Segment]:
    """Fly while the hops are high enough, then go on along the carpet, then rest."""
    x, y, z = np.asarray(state.position, dtype=float).tolist()
    vx, vy, vz = np.asarray(state.velocity, dtype=float).tolist()
    start, z, kept, kick_speed = 0.0, max(z, 0.0), ALL, state.kick_speed
    hops = state.hops or 0
    known = state.hops is not None and (z > 0.0 or vz > 0.0)
    flying = known or _rises(z, vz, parameters)
    while flying:
        segment = _flight(start, (x, y, z), (vx, vy, vz), kept, parameters)
        yield segment
        (x, y, _), (vx, vy, vz) = segment.state_after(segment.duration)
        kept = _kept_at_bounce(hops, parameters)
        start, kick_speed, hops = segment.end, None, hops + 1
        z, vx, vy, vz = 0.0, kept[0] * vx, kept[1] * vy, kept[2] * vz
        flying = _rises(z, vz, parameters)
    kept = (kept[0], kept[1], 0.0)
    yield from _ground(start, (x, y, 0.0), (vx, vy), kept, _brakings(kick_speed, parameters))


def _rises(z: float, vz: float, parameters: BallParameters) -> bool:
    """Tell whether a hop is high enough to fly; a height that is not finite is none."""
    return parameters.smallest_hop <= hop_height(z, vz, parameters.gravity) < math.inf


def _kept_at_bounce(hops: int, parameters: BallParameters) -> Vector:
    """Look up the fixed loss (SSL_BallModelChipFixedLoss) of the bounce after `hops` others."""
    first, other = parameters.damping_xy_first_hop, parameters.damping_xy_other_hops
    horizontal = first if hops == 0 else other
    return horizontal, horizontal, -parameters.damping_z


def _flight(
    start: float, position: Vector, velocity: Vector, kept: Vector, parameters: BallParameters
) -> Segment:
    """Fly from here to the carpet."""
    gravity, drag = parameters.gravity, parameters.air_resistance
    duration = landing_time(position[2], velocity[2], gravity, drag)
    acceleration = (0.0, 0.0, gravity)
    return Segment(Motion.FLYING, start, duration, position, velocity, acceleration, drag, kept)


def landing_time(z: float, vz: float, gravity: float, drag: float = 0.0) -> float:
    """
    Find when a ball at height `z` [m] with `vz` [m/s] reaches the carpet [s].

    With drag by Newton's method from the drag-free landing: past the apex the height is a
    falling function of time that bends one way only, so the method converges from anywhere.
    """
    dt = max((vz + math.sqrt(max(vz * vz - 2.0 * gravity * z, 0.0))) / -gravity, 0.0)
    # Within a nanosecond no drag changes the fall, and the slope may be 0.
    if drag == 0.0 or dt < 1e-9:
        return dt
    for _ in range(NEWTON_STEPS):
        span, ramp, decay = response(dt, drag)
        step = (z + vz * span + gravity * ramp) / (vz * decay + gravity * span)
        dt -= step
        if abs(step) <= 1e-15 * dt:
            break
    return dt


def _brakings(kick_speed: float | None, parameters: BallParameters) -> tuple[Braking, ...]:
    """List what slows the ball down on the carpet, in order."""
    if parameters.law is RollingLaw.EXPONENTIAL:
        # It never ends by itself: the ball rests once it is slower than the stop threshold.
        drag, end_speed = parameters.air_resistance, parameters.stop_threshold
        return (Braking(Motion.ROLLING, 0.0, drag, end_speed),)
    if parameters.law is RollingLaw.CONSTANT:
        return (Braking(Motion.ROLLING, parameters.deceleration, 0.0, 0.0),)
    rolling = Braking(Motion.ROLLING, -parameters.roll_acceleration, 0.0, 0.0)
    if kick_speed is None:
        return (rolling,)
    switch_speed = parameters.switch_ratio * kick_speed
    return Braking(Motion.SLIDING, -parameters.slide_acceleration, 0.0, switch_speed), rolling


def _ground(
    start: float,
    place: Vector,
    velocity: tuple[float, float],
    kept: Vector,
    brakings: tuple[Braking, ...],
) -> Iterator[Segment]:
    """Slow down along a straight line to rest."""
    speed = math.hypot(*velocity)
    ux, uy = (velocity[0] / speed, velocity[1] / speed) if speed > 0.0 else (0.0, 0.0)
    for braking in brakings:
        if speed <= braking.end_speed:
            continue
        duration, brake = braking.duration(speed), -braking.deceleration
        along, against = (speed * ux, speed * uy, 0.0), (brake * ux, brake * uy, 0.0)
        segment = Segment(
            braking.motion, start, duration, place, along, against, braking.drag, kept
        )
        yield segment
        place, _ = segment.state_after(duration)
        start, speed, kept = segment.end, braking.end_speed, ALL
    yield Segment(Motion.STOPPED, start, math.inf, place, ZERO, kept=ZERO)
