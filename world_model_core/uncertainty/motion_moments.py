# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Exact mean and covariance of the pose after a step with pebbles, for steps of any length.

With the turn psi_s until the time s, the pose is z = x + i y = nu e^(i theta) int e^(i psi_s) ds.
psi_s is omega s plus a compound Poisson process with the characteristic function
exp(-f s (1 - exp(-(k sigma)^2 / 2))), f pebbles per second. So E e^(i psi_s) = e^(a s) with
a = i omega - f (1 - exp(-sigma^2 / 2)), and E e^(2 i psi_s) = e^(b s) with
b = 2 i omega - f (1 - exp(-2 sigma^2)). As increments are independent, E z, E |z|^2, E z^2 and
E z psi are integrals of such exponentials: divided differences of exp at 0, aT and bT.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.input_checks import check_values
from world_model_core.uncertainty.quadrature import REACH, kinked_nodes, wave_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.pebble_noise import PebbleParameters
    from world_model_core.uncertainty.quadrature import Nodes
    from world_model_core.uncertainty.velocity_bias import VelocityBiasParameters

    Complex = NDArray[np.complex128]

__all__ = ['pebble_moments', 'step_moments']

# Arguments below this limit use a series: above it, quotients lose at most one digit.
SMALL = 0.7
# Terms of the series: 0.7^20 / 21! is far below rounding.
TERMS = 20
# Rounding error of differences of squares, relative to the squares.
ROUNDING = 16.0 * np.finfo(np.float64).eps
# Robots, and robots times pairs of factors, in one array, which limits it to a few megabytes.
ROWS, CELLS = 4096, 32_768


def pebble_moments(
    poses: Array, velocities: Array, dt: float, pebbles: PebbleParameters
) -> tuple[Array, Array]:
    """
    Return mean and covariance of the pose, given the true velocities.

    Parameters
    ----------
    poses : array, shape (n, 3)
    velocities : array, shape (n, 2)
        True velocities nu [m/s], omega [rad/s].
    dt : float
    pebbles : PebbleParameters

    Returns
    -------
    mean : array, shape (n, 3)
    covariance : array, shape (n, 3, 3)

    """
    mean, covariance = _own_moments(velocities, dt, pebbles)
    _lift(covariance, velocities[:, 0] * dt, 0.0, covariance[:, 2, 2] > 0.0)
    return _in_map(poses, mean, covariance)


def step_moments(
    poses: Array,
    commands: Array,
    dt: float,
    pebbles: PebbleParameters,
    bias: VelocityBiasParameters,
) -> tuple[Array, Array]:
    """
    Return mean and covariance of the pose, with an unknown velocity bias.

    They integrate the results of `pebble_moments` over the factors. The quadrature uses more nodes
    the less certain the turn is, and splits where a factor changes its sign. It is exact to about
    ten digits.

    Parameters
    ----------
    poses : array, shape (n, 3)
    commands : array, shape (n, 2)
    dt : float
    pebbles : PebbleParameters
    bias : VelocityBiasParameters

    Returns
    -------
    mean : array, shape (n, 3)
    covariance : array, shape (n, 3, 3)

    Raises
    ------
    InputError
        The step is so long that the quadrature would take minutes.

    """
    if bias.nu_std == bias.omega_std == 0.0:
        return pebble_moments(poses, commands * (bias.nu_mean, bias.omega_mean), dt, pebbles)
    mean, square = np.zeros((len(poses), 3)), np.zeros((len(poses), 3, 3))
    for first in range(0, len(poses), ROWS):
        rows = slice(first, first + ROWS)
        size = max(1, CELLS // len(commands[rows]))
        for factors, weights in _factors(commands[rows], dt, pebbles, bias, size):
            velocities = (factors[:, None] * commands[rows]).reshape(-1, 2)
            moved, spread = _own_moments(velocities, dt, pebbles)
            # Relative to the pose before, so that squares of large coordinates lose no digits.
            spread += moved[:, :, None] * moved[:, None, :]
            mean[rows] += np.tensordot(weights, moved.reshape(-1, *mean[rows].shape), 1)
            square[rows] += np.tensordot(weights, spread.reshape(-1, *square[rows].shape), 1)
    covariance = square - mean[:, :, None] * mean[:, None, :]
    if pebbles.heading_std:
        way = commands * (math.hypot(bias.nu_mean, bias.nu_std), bias.omega_mean) * dt
        _lift(covariance, way[:, 0], way[:, 1], pebbles.frequency(commands) > 0.0)
    return _in_map(poses, mean, covariance)


def _factors(
    commands: Array, dt: float, pebbles: PebbleParameters, bias: VelocityBiasParameters, size: int
) -> Iterator[tuple[Array, Array]]:
    """Yield pairs of factors (q, 2), at most `size` at a time, and their weights (q,)."""
    # The slowest and the fastest term of `_own_moments` are 1 and e^(bT).
    fall = -math.expm1(-2.0 * pebbles.heading_std**2) * pebbles.rate * dt
    speed, turn = np.abs(commands).max(axis=0, initial=0.0)
    falls = fall * speed, fall * pebbles.turning_radius * turn
    ahead = _nodes(bias.nu_mean, bias.nu_std, falls[0], 0.0)
    aside = _nodes(bias.omega_mean, bias.omega_std, falls[1], 2.0 * turn * dt)
    pairs = len(ahead.places) * len(aside.places)
    check_values(TERMS * pairs, f'dt is {dt:g} s, too long for the uncertainty of both velocities')
    for first in range(0, pairs, size):
        index = np.arange(first, min(first + size, pairs))
        rows, columns = np.divmod(index, len(aside.places))
        log_weights = ahead.log_weights[rows] + aside.log_weights[columns]
        yield np.stack((ahead.places[rows], aside.places[columns]), axis=-1), np.exp(log_weights)


def _nodes(mean: float, deviation: float, fall: float, turn: float) -> Nodes:
    """Place nodes of a factor, given the fall of a mean by pebbles and the turn per unit."""
    if fall == 0.0 or abs(mean) > REACH * deviation:
        return wave_nodes(mean, deviation, fall + turn)
    return kinked_nodes(np.array(mean), np.array(deviation), fall, turn)


def _own_moments(velocities: Array, dt: float, pebbles: PebbleParameters) -> tuple[Array, Array]:
    """Return mean (n, 3) and covariance (n, 3, 3) in the robot's frame before the step."""
    nu, omega = velocities.T
    variance, met = pebbles.heading_std**2, pebbles.frequency(velocities) * dt
    once = 1j * omega * dt + met * np.expm1(-0.5 * variance)
    twice = 2j * omega * dt + met * np.expm1(-2.0 * variance)
    path = nu * dt
    first, second = _phi(once)
    z = path * first
    size = 2.0 * path**2 * second.real - np.abs(z) ** 2
    skew = 2.0 * path**2 * _difference(once, twice) - z**2
    # E[X e^(iX)] of the compound Poisson process X, integrated over the step.
    turn = 1j * met * variance * np.exp(-0.5 * variance) * path * (first - second)
    mean = np.stack((z.real, z.imag, omega * dt), axis=-1)
    return mean, _covariance(size, skew, turn, met * variance)


def _covariance(size: Array, skew: Complex, turn: Complex, heading: Array) -> Array:
    """Build covariances in the robot's frame from the central moments |z|^2, z^2 and z psi."""
    filled = np.empty((len(size), 3, 3))
    filled[:, 0, 0] = 0.5 * (size + skew.real)
    filled[:, 1, 1] = 0.5 * (size - skew.real)
    filled[:, 0, 1] = filled[:, 1, 0] = 0.5 * skew.imag
    filled[:, 0, 2] = filled[:, 2, 0] = turn.real
    filled[:, 1, 2] = filled[:, 2, 1] = turn.imag
    filled[:, 2, 2] = heading
    return filled


def _lift(
    covariance: Array, path: Array, turned: Array | float, spread: NDArray[np.bool_]
) -> None:
    """
    Make variances positive that are lost in rounding because the squares are much larger.

    Parameters
    ----------
    covariance : array, shape (n, 3, 3)
        In the robot's frame. Changed in place.
    path, turned : array, shape (n,), or float
        Path [m] and turn [rad] whose squares were subtracted.
    spread : array of bool, shape (n,)
        Robots that may meet pebbles; others are unchanged.

    """
    least_heading = np.where(spread, ROUNDING * np.square(turned), 0.0)
    covariance[:, 2, 2] = np.maximum(covariance[:, 2, 2], least_heading)
    heading = np.where(covariance[:, 2, 2] > 0.0, covariance[:, 2, 2], 1.0)
    turn = covariance[:, :2, 2]
    rest = covariance[:, :2, :2] - turn[:, :, None] * turn[:, None, :] / heading[:, None, None]
    along, across, least = rest[:, 0, 0], rest[:, 1, 1], ROUNDING * path**2
    sound = (along > 0.0) & (along * across - rest[:, 0, 1] ** 2 > least * along)
    lifted = np.where(sound | ~spread, 0.0, least)
    covariance[:, 0, 0] += lifted
    covariance[:, 1, 1] += lifted


def _in_map(poses: Array, moved: Array, covariance: Array) -> tuple[Array, Array]:
    """Transform mean and covariance from the frames of robots at `poses` into the map frame."""
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    rotation = np.zeros((len(poses), 3, 3))
    rotation[:, 0, 0] = rotation[:, 1, 1] = cos
    rotation[:, 1, 0], rotation[:, 0, 1] = sin, -sin
    rotation[:, 2, 2] = 1.0
    mean = poses + np.einsum('nij,nj->ni', rotation, moved)
    return mean, rotation @ covariance @ rotation.swapaxes(1, 2)


def _phi(z: Complex) -> tuple[Complex, Complex]:
    """Return (e^z - 1) / z and (e^z - 1 - z) / z^2, also near 0."""
    second = _difference(np.zeros_like(z), z)
    return 1.0 + z * second, second


def _difference(a: Complex, b: Complex) -> Complex:
    """
    Return the divided difference of exp at 0, a and b, where |b| is not below |a|.

    It is the sum over n >= 2 of h_(n-2)(a, b) / n! with the complete homogeneous polynomials h.
    """
    small = np.abs(b) < SMALL
    near_a, near_b = np.where(small, a, 0.0), np.where(small, b, 0.0)
    power, term = np.ones_like(near_a), np.ones_like(near_a)
    total, factor = 0.5 * term, 0.5
    for n in range(3, TERMS):
        power = power * near_a
        term = near_b * term + power
        factor /= n
        total = total + factor * term
    far_a, far_b = np.where(small, 0.0, a), np.where(small, 1.0, b)
    far = (np.exp(far_a) * _quotient(far_b - far_a) - _quotient(far_a)) / far_b
    return np.where(small, total, far)


def _quotient(z: Complex) -> Complex:
    """Return (e^z - 1) / z, 1 at 0."""
    safe = np.where(z == 0.0, 1.0, z)
    return np.where(z == 0.0, 1.0, np.expm1(safe) / safe)
