# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Covariances of odometry: the distance between true poses and odometry poses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.motion_moments import pebble_moments
from world_model_core.uncertainty.unicycle import move
from world_model_core.uncertainty.velocity_bias import UNBIASED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters

__all__ = ['OdometrySpread']

# State: pose, factors of nu and omega.
POSE, FACTORS = slice(0, 3), slice(3, 5)
SIZE = 5
# Squared distance of sigma points in standard deviations: exact normal fourth moments.
REACH = 3.0
WEIGHTS = np.array([1.0 - SIZE / REACH] + 2 * SIZE * [0.5 / REACH])


class OdometrySpread:
    """
    Propagates the effect of pebbles and velocity bias along odometry.

    It uses an unscented transform (Julier and Uhlmann, Unscented filtering and nonlinear
    estimation, Proceedings of the IEEE 92, 2004), because an uncertain turn also shortens the
    path. The moments of pebbles are exact at each sigma point. Stuck and kidnapped robots are
    gross errors and are not included.

    Parameters
    ----------
    motion : MotionParameters
    count : int
        Number of robots n, which start at the origin.

    """

    def __init__(self, motion: MotionParameters, count: int) -> None:
        self._pebbles, self._bias = motion.pebbles, motion.velocity_bias or UNBIASED
        self._count = count
        self.begin()

    def begin(self) -> None:
        """Set all covariances of poses to zero."""
        bias, self._pending = self._bias, 0.0
        self._odometry = np.zeros((self._count, 3))
        self._means = np.zeros((self._count, SIZE))
        self._means[:, FACTORS] = bias.nu_mean, bias.omega_mean
        self._spread = np.zeros((self._count, SIZE, SIZE))
        self._spread[:, FACTORS, FACTORS] = np.diag((bias.nu_std**2, bias.omega_std**2))

    def take(self, other: OdometrySpread, own: Sequence[int], theirs: Sequence[int]) -> None:
        """Continue the covariances of some robots of another fleet, whose time is settled."""
        for name in ('_odometry', '_means', '_spread'):
            getattr(self, name)[own] = getattr(other, name)[theirs]

    def wait(self, dt: float) -> None:
        """Add dt [s] with constant commands, which are passed to `settle` later."""
        self._pending += dt

    def settle(self, commands: Array) -> None:
        """Process the time since the last call with these commands (n, 2)."""
        dt, self._pending = self._pending, 0.0
        if dt == 0.0:
            return
        held = commands[: self._count]
        self._odometry = move(self._odometry, held, dt)
        points = self._means[:, None, :] + self._offsets()
        velocities = held[:, None, :] * points[:, :, FACTORS]
        points[:, :, POSE], added = self._drive(points[:, :, POSE], velocities, dt)
        self._means = np.einsum('p,npi->ni', WEIGHTS, points)
        off = points - self._means[:, None, :]
        spread = np.einsum('p,npi,npj->nij', WEIGHTS, off, off)
        spread[:, POSE, POSE] += np.einsum('p,npij->nij', WEIGHTS, added)
        self._spread = 0.5 * (spread + spread.swapaxes(1, 2))

    def poses(self) -> Array:
        """Return the covariances of true poses about odometry, shape (n, 3, 3) [m, rad]."""
        off = self._means[:, POSE] - self._odometry
        about: Array = self._spread[:, POSE, POSE] + off[:, :, None] * off[:, None, :]
        return about

    def velocities(self, commands: Array) -> Array:
        """Return the covariances of true velocities about commands, (n, 2, 2) [m/s, rad/s]."""
        bias, held = self._bias, commands[: self._count]
        off = np.array((bias.nu_mean - 1.0, bias.omega_mean - 1.0))
        factors = np.diag((bias.nu_std**2, bias.omega_std**2)) + np.outer(off, off)
        about: Array = held[:, :, None] * factors * held[:, None, :]
        return about

    def _offsets(self) -> Array:
        """Return the offsets of sigma points, shape (n, 11, 5)."""
        variances, axes = np.linalg.eigh(self._spread)
        # Rounding and the negative weight of the mean make some variances negative.
        lengths = np.sqrt(REACH * np.maximum(variances, 0.0))
        ahead = (axes * lengths[:, None, :]).swapaxes(1, 2)
        return np.concatenate((np.zeros((self._count, 1, SIZE)), ahead, -ahead), axis=1)

    def _drive(self, poses: Array, velocities: Array, dt: float) -> tuple[Array, Array]:
        """Return means and covariances of pebbles after a step of points (n, p)."""
        rows, shape = poses.reshape(-1, 3), poses.shape
        held = velocities.reshape(-1, 2)
        if self._pebbles is None:
            return move(rows, held, dt).reshape(shape), np.zeros((*shape, 3))
        means, spread = pebble_moments(rows, held, dt, self._pebbles)
        return means.reshape(shape), spread.reshape(*shape, 3)
