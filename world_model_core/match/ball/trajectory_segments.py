# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The course of a ball from now to its rest: it flies hop by hop, slides, rolls and rests.

A kicked ball slides until its speed is `switch_ratio` times the kick speed and then rolls
(SSL_BallModelStraightTwoPhase). A chipped ball loses a fixed part of its velocity at each bounce
(SSL_BallModelChipFixedLoss), and when a hop would be too low, it rolls.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.motion_segment import (
    ALL,
    ZERO,
    Motion,
    MotionState,
    Segment,
    Vector,
    hop_height,
    landing_time,
)
from world_model_core.match.ball.parameters import RollingLaw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.match.ball.parameters import BallParameters

# A ball slower than this [m/s] is at rest: the closed forms divide by its speed.
SMALLEST_SPEED = 1e-9


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


def segments_from(state: MotionState, parameters: BallParameters) -> tuple[Segment, ...]:
    """Follow a ball from a state to its rest; the last segment is STOPPED."""
    return tuple(_follow(state, parameters))


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
    if speed > SMALLEST_SPEED:
        ux, uy = velocity[0] / speed, velocity[1] / speed
    else:
        speed = ux = uy = 0.0
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
