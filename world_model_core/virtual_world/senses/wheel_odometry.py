# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Odometry of robots that move by physics, with the errors of `uncertainty`'s motion model.

The model p(x' | x, u) says how a robot moves whose odometry is u. Here the motion is given: wheels
slip, people push. So the odometry is drawn for the motion, rather than the motion for commands:
what moves robots, a topic or a controller, stays free of errors, and the model holds for the
odometry whatever happens to the robot. Filters that use the model are as sure as they may be.

- Velocity bias: true velocities are factors times those of odometry, so that odometry has the true
  ones divided by the factors.
- Pebbles turn the odometry against the robot, as often as they turn a robot against its odometry.
- Robots get stuck where physics stops them, with odometry that has stopped, too; they are
  kidnapped by those who set their poses, which wheels do not measure. Neither is drawn.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.simulation.robots.odometry_spread import OdometrySpread
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.unicycle import commands_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['BaseMotions', 'WheelOdometry']

# Wheels that turn less far than this [m, rad] are not read: robots at rest cost nothing.
AT_REST = 1e-6
# Poses that differ by more from where the velocities lead [m, rad] were set.
SET_POSE = np.array((0.05, 0.2))
# No wheels are faster [m/s, rad/s]: so many pebbles would take too long.
FASTEST = 20.0
# Least factor of a velocity; with smaller ones odometry would fly away.
LEAST_FACTOR = 0.1
# Time between two updates of the covariance [s], each of which takes as long as ten readings.
SPREAD_PERIOD = 0.5


class BaseMotions(NamedTuple):
    """True `poses` (n, 3), x, y [m], theta [rad], and `velocities` (n, 2) ahead and about z."""

    poses: Array
    velocities: Array


class WheelOdometry:
    """
    Odometry of n robots; they start at its origin.

    Parameters
    ----------
    parameters : MotionParameters
        `pebbles` and `velocity_bias` are used.
    draws : Draws
    start : BaseMotions
        True motions at the start.

    Attributes
    ----------
    poses : array, shape (n, 3)
        Odometry x, y [m], theta [rad], relative to the start.
    velocities : array, shape (n, 2)
        Measured nu [m/s], omega [rad/s].

    """

    def __init__(self, parameters: MotionParameters, draws: Draws, start: BaseMotions) -> None:
        used = replace(parameters, stuck=None, kidnap=None)
        self._motion, self._draws, self._last = Motion(used), draws, start
        count = len(start.poses)
        begun = self._motion.begin(np.zeros((count, 3)), draws)
        far = np.maximum(np.abs(begun.factors), LEAST_FACTOR)
        self._state = replace(begun, factors=1.0 / np.copysign(far, begun.factors))
        self._spread = OdometrySpread(used, count)
        self._path, self._passed = np.zeros((count, 2)), 0.0
        self.velocities = start.velocities * self._state.factors

    @property
    def poses(self) -> Array:
        """Odometry poses."""
        return self._state.poses

    def take(self, other: WheelOdometry, own: Sequence[int], theirs: Sequence[int]) -> None:
        """Continue the odometry of some robots of another fleet, with the same draws."""
        other.settle()
        self._state.poses[own] = other.poses[theirs]
        for mine, given in zip(
            (*self._last, self.velocities), (*other._last, other.velocities), strict=True
        ):
            mine[own] = given[theirs]
        self._spread.take(other._spread, own, theirs)

    def read(self, motions: BaseMotions, dt: float, step: int) -> None:
        """
        Measure the motion since the last call.

        Parameters
        ----------
        motions : BaseMotions
            True motions now.
        dt : float
            Time since the last call [s]: at most some 0.1 s, in which velocities change evenly.
        step : int
            Number of the call since the start, of which the errors are drawn.

        """
        driven = np.clip(self._driven(motions, dt), -FASTEST, FASTEST)
        self._last, self.velocities = motions, motions.velocities * self._state.factors
        if (np.abs(driven) * dt < AT_REST).all():
            return
        at = replace(self._state, step=step)
        self._state, _ = self._motion.step(at, driven, dt, self._draws)
        self._path = self._path + driven * self._state.factors * dt
        self._passed += dt
        if self._passed >= SPREAD_PERIOD:
            self.settle()

    def covariances(self) -> tuple[Array, Array]:
        """
        Return the covariances of true poses and velocities about the odometry.

        Returns
        -------
        poses : array, shape (n, 3, 3)
            [m, rad]
        velocities : array, shape (n, 2, 2)
            [m/s, rad/s]

        """
        # A copy: every update loses a little of the nonlinearity of errors.
        spread = self._settled(copy(self._spread))
        return spread.poses(), spread.velocities(self.velocities)

    def _driven(self, motions: BaseMotions, dt: float) -> Array:
        """
        Return the mean velocities (n, 2) since the last call.

        They lead from pose to pose, unless a pose was set: then they are those of the wheels.
        """
        before, after = self._last.velocities, motions.velocities
        driven = commands_between(self._last.poses, motions.poses, dt)
        middle = 0.5 * (before + after)
        # Velocities that change evenly lead to the middle, others at most half their change off.
        allowed = SET_POSE / dt + 0.5 * np.abs(after - before)
        was_set = (np.abs(driven - middle) > allowed).any(axis=1) | self._jumped(motions, dt)
        return np.where(was_set[:, None], middle, driven)

    def _jumped(self, motions: BaseMotions, dt: float) -> NDArray[np.bool_]:
        """Return which robots are farther aside than any motion of their wheels has led."""
        apart = np.linalg.norm((motions.poses - self._last.poses)[:, :2], axis=1)
        speeds = np.maximum(np.abs(self._last.velocities), np.abs(motions.velocities))[:, 0]
        jumped: NDArray[np.bool_] = apart > speeds * dt + SET_POSE[0]
        return jumped

    def settle(self) -> None:
        """Update the covariance by the mean velocities since the last update."""
        self._settled(self._spread)
        self._path, self._passed = np.zeros_like(self._path), 0.0

    def _settled(self, spread: OdometrySpread) -> OdometrySpread:
        if self._passed:
            spread.wait(self._passed)
            spread.settle(self._path / self._passed)
        return spread
