# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Covariances along a predicted trajectory.

Within a segment the derivative of the closed form is closed too. Where segments meet, the time
itself depends on the state, which the saltation matrix includes (R. I. Leine and H. Nijmeijer,
Dynamics and Bifurcations of Non-Smooth Mechanical Systems, 2004, section 7.3).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from world_model_core.gaussian import white_acceleration
from world_model_core.match.ball.motion_segment import BallMotion, Segment, responses

if TYPE_CHECKING:
    from collections.abc import Sequence

Array = NDArray[np.float64]


def covariances(
    segments: Sequence[Segment],
    index: NDArray[np.intp],
    dt: Array,
    covariance: Array,
    density: float,
) -> Array:
    """
    Propagate a covariance from the start of a trajectory to given times.

    Parameters
    ----------
    segments : sequence of Segment
        A trajectory from its start.
    index : array, shape (n,)
        Segment of each time.
    dt : array, shape (n,)
        Time since the start of that segment [s].
    covariance : array, shape (6, 6)
        Covariance of (x, y, z, vx, vy, vz) at the start [m^2, m^2/s, m^2/s^2].
    density : float
        Power spectral density of an unknown white acceleration [m^2/s^3], along the axes in
        which the ball can move.

    Returns
    -------
    array, shape (n, 6, 6)
        Symmetric.

    """
    result = np.empty((len(dt), 6, 6))
    last = int(index.max(initial=-1))
    for number, segment in enumerate(segments[: last + 1]):
        if number > 0:
            crossing = _crossing(segments[number - 1], segment)
            covariance = crossing @ covariance @ crossing.T
        here = index == number
        end = segment.duration if number < last else 0.0
        moved = _moved(segment, np.append(dt[here], end), covariance, density)
        result[here], covariance = moved[:-1], moved[-1]
    symmetric: Array = 0.5 * (result + result.transpose(0, 2, 1))
    return symmetric


def landing_covariances(segments: Sequence[Segment], covariance: Array, density: float) -> Array:
    """
    Propagate a covariance, as `covariances` does, to the landing positions.

    Returns
    -------
    array, shape (m, 2, 2)
        Covariance of (x, y) at the end of each flight, at whatever time [m^2].

    """
    flights = [
        (before, after)
        for before, after in pairwise(segments)
        if before.motion is BallMotion.FLYING
    ]
    durations = np.array([flight.duration for flight, _ in flights])
    ends = covariances(segments, np.arange(len(flights)), durations, covariance, density)
    projections = np.array([_landing(*each) for each in flights]).reshape(-1, 2, 6)
    landed: Array = projections @ ends @ projections.transpose(0, 2, 1)
    return landed


def _landing(flight: Segment, after: Segment) -> Array:
    """
    Return the derivative of a landing position by the state at that time, shape (2, 6).

    A ball that is higher than estimated lands later and farther away; one that is stopped by a
    wall deviates only along the wall.
    """
    _, velocity = flight.state_after(flight.duration)
    limit = _limit(flight, after)[:3]
    projection = np.eye(2, 6)
    projection[:, :3] -= np.outer(velocity[:2], limit) / (limit @ velocity)
    return projection


def _moved(segment: Segment, dt: Array, covariance: Array, density: float) -> Array:
    """Propagate a covariance from the start of a segment to times within it, shape (n, 6, 6)."""
    flow = _flow(segment, dt)
    # There is no process noise before the start.
    noise = white_acceleration(np.maximum(dt, 0.0), density)
    moved: Array = flow @ covariance @ flow.transpose(0, 2, 1)
    spread = noise[:, :, None, :, None] * _free_axes(segment.motion)[:, None, :]
    return moved + spread.reshape(-1, 6, 6)


def _flow(segment: Segment, dt: Array) -> Array:
    """
    Return the derivatives of states in a segment by the state at its start, shape (n, 6, 6).

    A deceleration always points against the velocity and turns with it. Across the path the
    sensitivity is therefore that of an angle: distance over initial speed.
    """
    span, _, decay = responses(dt, np.full_like(dt, segment.drag))
    free = _free_axes(segment.motion)
    across, bend = _bend(segment)
    result = np.zeros((len(dt), 6, 6))
    result[:, :3, :3] = np.eye(3)
    result[:, :3, 3:] = _outer(span, free) - _outer(0.5 * dt * dt, bend * across)
    result[:, 3:, 3:] = _outer(decay, free) + np.eye(3) - free - _outer(dt, bend * across)
    return result


def _outer(factors: Array, matrix: Array) -> Array:
    """Multiply one matrix by each factor, shape (n, 3, 3)."""
    product: Array = factors[:, None, None] * matrix
    return product


def _free_axes(motion: BallMotion) -> Array:
    """Return a diagonal matrix of the axes along which the ball can move, shape (3, 3)."""
    on_carpet = 0.0 if motion is BallMotion.STOPPED else 1.0
    return np.diag((on_carpet, on_carpet, 1.0 if motion is BallMotion.FLYING else 0.0))


def _bend(segment: Segment) -> tuple[Array, float]:
    """Return the projection across the path, shape (3, 3), and deceleration over speed [1/s]."""
    velocity = np.array((*segment.velocity[:2], 0.0))
    speed, deceleration = np.hypot(*velocity[:2]), np.hypot(*segment.acceleration[:2])
    if speed == 0.0 or deceleration == 0.0:
        return np.zeros((3, 3)), 0.0
    along = velocity / speed
    return np.diag((1.0, 1.0, 0.0)) - np.outer(along, along), float(deceleration / speed)


def _crossing(before: Segment, after: Segment) -> Array:
    """Return the saltation matrix from the end of one segment to the start of the next, (6, 6)."""
    _, velocity = (np.array(part) for part in before.state_after(before.duration))
    acceleration = np.array(before.acceleration) - before.drag * velocity
    rate_before = np.concatenate((velocity, acceleration))
    rate_after = np.concatenate((after.velocity, after.acceleration))
    rate_after[3:] -= after.drag * rate_after[:3]
    reset = np.diag((1.0, 1.0, 1.0, *after.kept))
    limit = _limit(before, after)
    jump = rate_after - reset @ rate_before
    saltation: Array = reset + np.outer(jump, limit) / (limit @ rate_before)
    return saltation


def _limit(before: Segment, after: Segment) -> Array:
    """
    Return the derivative, shape (6,), of the quantity that ends a segment.

    A flight ends when its height is 0, a motion on the carpet when its speed is low enough, and
    both at a wall.
    """
    limit = np.zeros(6)
    if after.wall is not None:
        limit[:2] = after.wall
    elif before.motion is BallMotion.FLYING:
        limit[2] = 1.0
    else:
        limit[3:5] = before.velocity[:2]
    return limit
