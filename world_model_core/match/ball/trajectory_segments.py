# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Segments of a ball trajectory until rest: arcs of flight, sliding, rolling, rest.

A kicked ball slides until its speed is `switch_ratio` times the kick speed and then rolls
(SSL_BallModelStraightTwoPhase). A chipped ball loses a fixed part of its velocity at each bounce
(SSL_BallModelChipFixedLoss), and when a bounce would be too low, it rolls.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.ball_constants import RollingModel
from world_model_core.match.ball.motion_segment import (
    ALL,
    ZERO,
    BallMotion,
    BallMotionState,
    Segment,
    Vector,
    apex_height,
    landing_time,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.match.ball.ball_constants import BallParameters

# A ball slower than this [m/s] rests, because the closed forms divide by the speed.
SMALLEST_SPEED = 1e-9


class Braking(NamedTuple):
    """Deceleration of a ball on the carpet [m/s^2, 1/s] and the speed [m/s] that ends it."""

    motion: BallMotion
    deceleration: float
    drag: float
    end_speed: float

    def duration(self, speed: float) -> float:
        """Return the time [s] to decelerate from a speed [m/s]."""
        if self.drag:
            return math.log(speed / self.end_speed) / self.drag
        return (speed - self.end_speed) / self.deceleration


def segments_from(state: BallMotionState, parameters: BallParameters) -> tuple[Segment, ...]:
    """Return the segments from a state until rest; the last segment is STOPPED."""
    return tuple(_follow(state, parameters))


def _follow(state: BallMotionState, parameters: BallParameters) -> Iterator[Segment]:
    """Yield arcs of flight while they are high enough, then motion on the carpet, then rest."""
    x, y, z = np.asarray(state.position, dtype=float).tolist()
    vx, vy, vz = np.asarray(state.velocity, dtype=float).tolist()
    start, z, kept, kick_speed = 0.0, max(z, 0.0), ALL, state.kick_speed
    bounces = state.bounces or 0
    known = state.bounces is not None and (z > 0.0 or vz > 0.0)
    flying = known or _rises(z, vz, parameters)
    while flying:
        segment = _flight(start, (x, y, z), (vx, vy, vz), kept, parameters)
        yield segment
        (x, y, _), (vx, vy, vz) = segment.state_after(segment.duration)
        kept = _kept_at_bounce(bounces, parameters)
        start, kick_speed, bounces = segment.end, None, bounces + 1
        z, vx, vy, vz = 0.0, kept[0] * vx, kept[1] * vy, kept[2] * vz
        flying = _rises(z, vz, parameters)
    kept = (kept[0], kept[1], 0.0)
    yield from _ground(start, (x, y, 0.0), (vx, vy), kept, _brakings(kick_speed, parameters))


def _rises(z: float, vz: float, parameters: BallParameters) -> bool:
    """Return whether a bounce is high enough to fly; not if its height is infinite."""
    return parameters.smallest_bounce <= apex_height(z, vz, parameters.gravity) < math.inf


def _kept_at_bounce(bounces: int, parameters: BallParameters) -> Vector:
    """Return the velocity factors of the bounce after `bounces` others."""
    first, other = parameters.damping_xy_first_hop, parameters.damping_xy_other_hops
    horizontal = first if bounces == 0 else other
    return horizontal, horizontal, -parameters.damping_z


def _flight(
    start: float, position: Vector, velocity: Vector, kept: Vector, parameters: BallParameters
) -> Segment:
    """Return the segment of flight until the ball lands."""
    gravity, drag = parameters.gravity, parameters.air_resistance
    duration = landing_time(position[2], velocity[2], gravity, drag)
    acceleration = (0.0, 0.0, gravity)
    return Segment(
        BallMotion.FLYING, start, duration, position, velocity, acceleration, drag, kept
    )


def _brakings(kick_speed: float | None, parameters: BallParameters) -> tuple[Braking, ...]:
    """Return the phases of deceleration on the carpet, in order."""
    if parameters.rolling_model is RollingModel.EXPONENTIAL:
        # The exponential model never ends: the ball rests below the stop threshold.
        drag, end_speed = parameters.air_resistance, parameters.stop_threshold
        return (Braking(BallMotion.ROLLING, 0.0, drag, end_speed),)
    if parameters.rolling_model is RollingModel.CONSTANT:
        return (Braking(BallMotion.ROLLING, parameters.deceleration, 0.0, 0.0),)
    rolling = Braking(BallMotion.ROLLING, -parameters.roll_acceleration, 0.0, 0.0)
    if kick_speed is None:
        return (rolling,)
    switch_speed = parameters.switch_ratio * kick_speed
    return Braking(BallMotion.SLIDING, -parameters.slide_acceleration, 0.0, switch_speed), rolling


def _ground(
    start: float,
    place: Vector,
    velocity: tuple[float, float],
    kept: Vector,
    brakings: tuple[Braking, ...],
) -> Iterator[Segment]:
    """Yield the segments along a straight line until the ball rests."""
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
    yield Segment(BallMotion.STOPPED, start, math.inf, place, ZERO, kept=ZERO)
