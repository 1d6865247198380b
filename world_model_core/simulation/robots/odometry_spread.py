# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How far robots may be from where odometry has them: what they would tell with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.motion_moments import pebble_moments
from world_model_core.uncertainty.unicycle import move
from world_model_core.uncertainty.velocity_bias import UNBIASED

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters

__all__ = ['OdometrySpread']

# Of the state: pose, factors of nu and omega.
POSE, FACTORS = slice(0, 3), slice(3, 5)
SIZE = 5
# Points stand so many deviations off, where they have the fourth moments of a normal law as well.
REACH = 3.0
WEIGHTS = np.array([1.0 - SIZE / REACH] + 2 * SIZE * [0.5 / REACH])


class OdometrySpread:
    """
    Adds up, along odometry, what pebbles and the velocity bias may do to robots.

    By an unscented transform (Julier and Uhlmann, Unscented filtering and nonlinear estimation,
    Proceedings of the IEEE 92, 2004), as a turn that is uncertain not only leads aside but also
    makes ways shorter; what the pebbles of a step add is exact at each of its points. Robots that
    are stuck or kidnapped are gross errors, and are not in it.

    Parameters
    ----------
    motion : MotionParameters
    count : int
        n, of robots, which begin at the origin.

    """

    def __init__(self, motion: MotionParameters, count: int) -> None:
        self._pebbles, self._bias = motion.pebbles, motion.velocity_bias or UNBIASED
        self._count = count
        self.begin()

    def begin(self) -> None:
        """Be sure of all poses."""
        bias, self._pending = self._bias, 0.0
        self._odometry = np.zeros((self._count, 3))
        self._means = np.zeros((self._count, SIZE))
        self._means[:, FACTORS] = bias.nu_mean, bias.omega_mean
        self._spread = np.zeros((self._count, SIZE, SIZE))
        self._spread[:, FACTORS, FACTORS] = np.diag((bias.nu_std**2, bias.omega_std**2))

    def wait(self, dt: float) -> None:
        """Let dt [s] pass, with commands that do not change until `settle` is told of them."""
        self._pending += dt

    def settle(self, commands: Array) -> None:
        """Add up the time that passed with these commands (n, 2)."""
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
        """Give covariances of poses about odometry, as settled: shape (n, 3, 3) [m, rad]."""
        off = self._means[:, POSE] - self._odometry
        about: Array = self._spread[:, POSE, POSE] + off[:, :, None] * off[:, None, :]
        return about

    def velocities(self, commands: Array) -> Array:
        """Give covariances of velocities about commands (n, 2): shape (n, 2, 2) [m/s, rad/s]."""
        bias, held = self._bias, commands[: self._count]
        off = np.array((bias.nu_mean - 1.0, bias.omega_mean - 1.0))
        factors = np.diag((bias.nu_std**2, bias.omega_std**2)) + np.outer(off, off)
        about: Array = held[:, :, None] * factors * held[:, None, :]
        return about

    def _offsets(self) -> Array:
        """Place points about means: shape (n, 11, 5)."""
        variances, axes = np.linalg.eigh(self._spread)
        # Rounding, and the weight below zero in the middle, make some less than nothing.
        lengths = np.sqrt(REACH * np.maximum(variances, 0.0))
        ahead = (axes * lengths[:, None, :]).swapaxes(1, 2)
        return np.concatenate((np.zeros((self._count, 1, SIZE)), ahead, -ahead), axis=1)

    def _drive(self, poses: Array, velocities: Array, dt: float) -> tuple[Array, Array]:
        """Give means, and covariances by pebbles, after a step of points (n, p)."""
        rows, shape = poses.reshape(-1, 3), poses.shape
        held = velocities.reshape(-1, 2)
        if self._pebbles is None:
            return move(rows, held, dt).reshape(shape), np.zeros((*shape, 3))
        means, spread = pebble_moments(rows, held, dt, self._pebbles)
        return means.reshape(shape), spread.reshape(*shape, 3)
