# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Prediction of a Kalman filter of robots: modes free and stuck, pebbles, velocity factors, drift.

The modes interact (Blom and Bar-Shalom, The interacting multiple model algorithm, IEEE
Transactions on Automatic Control 33, 1988), but are mixed after the prediction, because robots
that change their mode in a step move for a part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.localization.kalman_state import (
    DRIFT,
    FACTORS,
    POSE,
    SIZE,
    KalmanState,
    join_gaussians,
)
from world_model_core.uncertainty.motion_moments import pebble_moments
from world_model_core.uncertainty.unicycle import move, move_jacobians

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.sensor_drift import SensorDrift

__all__ = ['KalmanMotion']

# Part of a step in which robots move that are free or stuck before (rows) and after it (columns).
SHARES = np.array(((1.0, 0.5), (0.5, 0.0)))
# Smallest probability of a mode.
TINY = 1e-300


class _Moved(NamedTuple):
    """Means (k, 9), transitions (k, 9, 9), process noise (k, 9, 9), excess by a pebble."""

    means: Array
    transition: Array
    added: Array
    excess: Array


class KalmanMotion:
    """
    Predicts the state of robots.

    Parameters
    ----------
    motion : MotionParameters
        Pebbles and stuck robots are used.
    drift : SensorDrift

    Attributes
    ----------
    modes : int
        2, free and stuck, if robots may get stuck, otherwise 1.

    """

    def __init__(self, motion: MotionParameters, drift: SensorDrift) -> None:
        self._pebbles, self._stuck, self._drift = motion.pebbles, motion.stuck, drift
        self.modes = 2 if motion.stuck else 1

    def predict(self, state: KalmanState, commands: Array, dt: float) -> KalmanState:
        """Predict a state with commands (n, 2) for dt [s]."""
        count, modes = len(commands), self.modes
        # Robot, mode before, mode after.
        shape = (count, modes, modes)
        moved = self._move_by_share(state, commands, dt)
        known = np.repeat(state.mode_covariances, modes, axis=1).reshape(-1, SIZE, SIZE)
        covariances = moved.transition @ known @ moved.transition.swapaxes(1, 2) + moved.added
        joint = state.weights[:, :, None] * self._changes(dt)
        weights = joint.sum(axis=1)
        part = (joint / np.maximum(weights, TINY)[:, None]).swapaxes(1, 2)
        mixed = join_gaussians(
            part,
            moved.means.reshape(*shape, SIZE).swapaxes(1, 2),
            covariances.reshape(*shape, SIZE, SIZE).swapaxes(1, 2),
        )
        transitions = moved.transition.reshape(*shape, SIZE, SIZE)
        same = np.arange(modes)
        return KalmanState(
            weights,
            *mixed,
            moved.excess.reshape(*shape, 3, 3)[:, same, same],
            state.misfit,
            state.offsets.predicted(np.einsum('nab,nabij->nij', joint, transitions)),
        )

    def _move_by_share(self, state: KalmanState, commands: Array, dt: float) -> _Moved:
        """Move each mode before for each mode after, for its share of the step."""
        shares = SHARES[: self.modes, : self.modes]
        driven = (commands[:, None, None] * shares[:, :, None]).reshape(-1, 2)
        before = np.repeat(state.mode_means, self.modes, axis=1).reshape(-1, SIZE)
        moved = self._move(before, driven, dt)
        partial = np.tile(((shares > 0.0) & (shares < 1.0)).ravel(), len(commands))
        # A robot that changes its mode moves for a uniform part of the step.
        way = 2.0 * (moved.means - before)[partial, POSE]
        moved.added[partial, POSE, POSE] += way[:, :, None] * way[:, None, :] / 12.0
        return moved

    def _changes(self, dt: float) -> Array:
        """Return the probabilities of the modes after a step (columns) from each mode (rows)."""
        return self._stuck.changes(dt) if self._stuck else np.ones((1, 1))

    def _move(self, means: Array, commands: Array, dt: float) -> _Moved:
        """Move states (k, 9) by commands (k, 2)."""
        drift = self._drift
        kept = np.exp(-dt / np.array((drift.range_time, drift.bearing_time)))
        stds = np.array((drift.range_std, drift.bearing_std))
        velocities = commands * means[:, FACTORS]
        by_pose, by_velocity = move_jacobians(means[:, POSE], velocities, dt)
        transition = np.tile(np.eye(SIZE), (len(means), 1, 1))
        transition[:, POSE, POSE] = by_pose
        transition[:, POSE, FACTORS] = by_velocity * commands[:, None, :]
        transition[:, DRIFT, DRIFT] = np.diag(kept)
        after, added = means.copy(), np.zeros((len(means), SIZE, SIZE))
        after[:, POSE], spread = self._drive(means[:, POSE], velocities, dt)
        after[:, DRIFT] *= kept
        added[:, POSE, POSE] = spread
        added[:, DRIFT, DRIFT] = np.diag(stds**2 * (1.0 - kept**2))
        return _Moved(after, transition, added, self._pebble_excess(spread, velocities, dt))

    def _drive(self, poses: Array, velocities: Array, dt: float) -> tuple[Array, Array]:
        """Return mean and covariance of the pose after a step from `poses`."""
        if self._pebbles is None:
            return move(poses, velocities, dt), np.zeros((len(poses), 3, 3))
        return pebble_moments(poses, velocities, dt, self._pebbles)

    def _pebble_excess(self, spread: Array, velocities: Array, dt: float) -> Array:
        """Return the covariance in addition to `spread` if there was a pebble."""
        if self._pebbles is None:
            return spread
        met = -np.expm1(-self._pebbles.frequency(velocities) * dt)
        excess: Array = np.divide(1.0 - met, met, out=np.zeros_like(met), where=met > 0.0)
        return excess[:, None, None] * spread
