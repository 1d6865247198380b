# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Covariance of the position at which a ball comes to rest.

It is far from linear in the state: boards and goals end the path, and a bounce may or may not be
the last one. Therefore a ball is predicted for each deviation of its state and of its constants
(sigma points, S. Julier and J. Uhlmann, Unscented Filtering and Nonlinear Estimation, 2004).
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.ball_constants import BallParameters, RollingModel
from world_model_core.match.ball.motion_segment import BallMotion, BallMotionState
from world_model_core.match.ball.trajectory import BallTrajectory, predict_ball

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array

# Sigma points at this many standard deviations have the kurtosis of a normal distribution.
SIGMAS = math.sqrt(3.0)
WEIGHT = 0.5 / SIGMAS**2
# Relative standard deviation of each constant.
CONSTANT_STD = 0.1
# Constants that matter while a ball flies, slides and rolls.
AT_BOUNCES = ('damping_xy_first_hop', 'damping_xy_other_hops', 'damping_z')
WHILE_SLIDING = ('slide_acceleration', 'switch_ratio')
WHILE_ROLLING = {
    RollingModel.TWO_PHASE: ('roll_acceleration',),
    RollingModel.CONSTANT: ('deceleration',),
    RollingModel.EXPONENTIAL: ('air_resistance',),
}
# Axes of (x, y, z, vx, vy, vz) of a ball on the carpet, and of a flying one.
CARPET_AXES, FLIGHT_AXES = [0, 1, 3, 4], [0, 1, 2, 3, 4, 5]
# Standard deviation of a rest that is certain otherwise, as that at a board [m].
REST_STD = 0.02


def rest_covariance(trajectory: BallTrajectory, covariance: Array) -> Array:
    """
    Return the covariance of the rest position about that of a trajectory.

    Parameters
    ----------
    trajectory : BallTrajectory
    covariance : array, shape (6, 6)
        Covariance of (x, y, z, vx, vy, vz) at its start [m^2, m^2/s, m^2/s^2].

    Returns
    -------
    array, shape (2, 2)
        Of x and y [m^2].

    """
    rests = [each.rest_position for each in _deviating(trajectory, covariance)]
    off = (np.array(rests) - trajectory.rest_position)[:, :2]
    spread: Array = WEIGHT * off.T @ off + REST_STD**2 * np.eye(2)
    return spread


def _deviating(trajectory: BallTrajectory, covariance: Array) -> Iterator[BallTrajectory]:
    """Yield trajectories that deviate in one direction of the state, or in one constant, each."""
    start, boundary = trajectory.state_at(0.0), trajectory.boundary
    motions = {segment.motion for segment in trajectory.segments}
    for offset in _offsets(covariance, flies=BallMotion.FLYING in motions):
        yield predict_ball(_moved(start, offset), trajectory.parameters, boundary)
    for parameters in _changed_constants(trajectory.parameters, frozenset(motions)):
        yield predict_ball(start, parameters, boundary)


def _offsets(covariance: Array, *, flies: bool) -> Array:
    """Return the offsets of the sigma points from the state, shape (n, 6)."""
    axes = FLIGHT_AXES if flies else CARPET_AXES
    variances, directions = np.linalg.eigh(covariance[np.ix_(axes, axes)])
    roots = np.zeros((len(axes), 6))
    roots[:, axes] = (directions * np.sqrt(np.maximum(variances, 0.0))).T
    return SIGMAS * np.concatenate((roots, -roots))


def _moved(start: BallMotionState, offset: Array) -> BallMotionState:
    """Return a state with an offset, shape (6,); the speed of its kick changes in proportion."""
    velocity, kick_speed = np.asarray(start.velocity), start.kick_speed
    moved = velocity + offset[3:]
    if kick_speed is not None:
        kick_speed *= math.hypot(*moved[:2]) / max(math.hypot(*velocity[:2]), 1e-9)
    position = np.asarray(start.position) + offset[:3]
    return replace(start, position=position, velocity=moved, kick_speed=kick_speed)


@lru_cache(maxsize=32)
def _changed_constants(
    parameters: BallParameters, motions: frozenset[BallMotion]
) -> tuple[BallParameters, ...]:
    """Return parameters with one constant higher or lower, of those that matter for motions."""
    names: tuple[str, ...] = AT_BOUNCES if BallMotion.FLYING in motions else ()
    names += WHILE_SLIDING if BallMotion.SLIDING in motions else ()
    names += WHILE_ROLLING[parameters.rolling_model]
    limits = {item.name: item.metadata for item in fields(parameters) if item.name in names}
    return tuple(
        replace(parameters, **{name: min(max(value, limit['minimum']), limit['maximum'])})
        for name, limit in limits.items()
        for value in (
            (1.0 + sign * SIGMAS * CONSTANT_STD) * getattr(parameters, name) for sign in (1, -1)
        )
    )
