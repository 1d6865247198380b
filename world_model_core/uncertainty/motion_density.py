# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Densities of the state-transition model p(x' | x, u) from which `motion_model` draws.

With known velocities, a step with pebbles has no density on (x, y, theta). With probability
exp(-m), where m is the expected number of pebbles, the robot meets none and ends at f(x, u): an
atom. With one pebble it ends on a surface, whose coordinates are the place of the pebble and the
turn that it causes. Only with two or more pebbles it may end anywhere nearby. There is no closed
form of the whole distribution, but each of these is exact:

* `HeadingDistribution`: the mixed distribution of the heading, an atom plus a Poisson mixture of
  normal distributions. The heading does not depend on the places of the pebbles, so that it is
  exact for steps of any length. A velocity bias is integrated out.
* `ArcDistribution`: the position of robots that met no pebble, with the velocity bias integrated
  out: a density on (x, y), which determines the heading.
* `motion_moments`: mean and covariance of the pose. `log_gaussian` evaluates the Gaussian
  distribution with these moments, the approximation of Kalman filters.

All are distributions of robots that stay free and are not kidnapped. `log_undisturbed` returns
the probability of that, which is their weight in the distribution of a robot that may be stuck or
kidnapped.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

from world_model_core.angles import wrap_angles
from world_model_core.uncertainty.input_checks import InputError, check_rows, check_step
from world_model_core.uncertainty.pebble_counts import PebbleCounts
from world_model_core.uncertainty.unicycle import chord_ratio
from world_model_core.uncertainty.velocity_bias import UNBIASED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.pebble_noise import PebbleParameters
    from world_model_core.uncertainty.velocity_bias import VelocityBiasParameters

__all__ = ['ArcDistribution', 'HeadingDistribution', 'log_gaussian', 'log_undisturbed']

# Standard deviations beyond which a Gaussian bias is neglected.
FAR = 10.0
LOG_ROOT = 0.5 * math.log(2.0 * math.pi)


class HeadingDistribution:
    """
    The exact mixed distribution of the turn in a step.

    Given k pebbles the turn is normal with mean mu omega dt and variance
    (s omega dt)^2 + k sigma^2, where mu and s are mean and standard deviation of the factor of
    omega; k is Poisson with a mean that depends on the factors. Where that variance is 0, as for
    k = 0 without a bias, there is an atom.

    Parameters
    ----------
    pebbles : PebbleParameters
    bias : VelocityBiasParameters, optional
        Integrated out; without it the velocities equal the commands.

    """

    def __init__(self, pebbles: PebbleParameters, bias: VelocityBiasParameters = UNBIASED) -> None:
        self._pebbles, self._bias = pebbles, bias
        self._counts = PebbleCounts(pebbles, bias)

    def log_atom(self, commands: ArrayLike, dt: float) -> Array:
        """
        Return the log probability of the atom, a turn by exactly mu omega dt; -inf without atom.

        Parameters
        ----------
        commands : array_like, shape (n, 2)
        dt : float

        Returns
        -------
        array, shape (n,)

        Raises
        ------
        InputError
            As in `log_density`.

        """
        rows = _check(commands, dt)
        turns = self._bias.omega_mean * rows[:, 1] * dt
        total = np.full(len(rows), -np.inf)
        # Only robots without a pebble turn exactly so, unless pebbles have no effect.
        counts = 1 if self._pebbles.heading_std else None
        for log, _, variance in islice(self._terms(turns, rows, dt), counts):
            total = np.logaddexp(total, np.where(variance > 0.0, -np.inf, log))
        return total

    def log_density(self, turns: ArrayLike, commands: ArrayLike, dt: float) -> Array:
        """
        Return the log density of turns, apart from the atom.

        Parameters
        ----------
        turns : array_like, shape (n,)
            theta' - theta [rad], not wrapped.
        commands : array_like, shape (n, 2)
        dt : float

        Returns
        -------
        array, shape (n,)
            Logarithm of a density [1/rad], whose integral is 1 minus the atom's probability.

        Raises
        ------
        InputError
            A command is not finite, dt not above 0, or too many pebbles are expected.

        """
        rows = _check(commands, dt)
        turned = check_rows('turns', np.reshape(turns, (-1, 1)), 1, len(rows))[:, 0]
        total = np.full(len(rows), -np.inf)
        for log, off, variance in self._terms(turned, rows, dt):
            safe = np.where(variance > 0.0, variance, 1.0)
            normal = -0.5 * (off**2 / safe + np.log(safe)) - LOG_ROOT
            term = np.where(variance > 0.0, log + normal, -np.inf)
            total = np.logaddexp(total, term)
        return total

    def _terms(
        self, turns: Array, commands: Array, dt: float
    ) -> Iterator[tuple[Array, Array, Array]]:
        """Yield for each number of pebbles its log probability, offset to the mean, variance."""
        bias, sweep = self._bias, commands[:, 1] * dt
        off = turns - bias.omega_mean * sweep
        prior, jump = (bias.omega_std * sweep) ** 2, self._pebbles.heading_std**2
        for count in range(self._counts.most(commands, dt) + 1):
            variance = prior + count * jump
            gain = np.divide(prior, variance, out=np.zeros_like(prior), where=variance > 0.0)
            # The turn narrows the factor of omega, on which the number of pebbles depends.
            known = np.divide(gain * off, sweep, out=np.zeros_like(off), where=sweep != 0.0)
            spread = bias.omega_std * np.sqrt(1.0 - gain)
            log = self._counts.log_probability(
                count, commands, dt, bias.omega_mean + known, spread
            )
            yield log, off, variance


class ArcDistribution:
    """
    The exact distribution of the position of robots without pebbles, with integrated bias.

    A position determines the arc that leads to it: half the turn is the direction of the chord,
    up to half-turns, over which the density is summed. The factors are normal, and no pebble is
    met with probability exp(-m). An arc with the chord's direction h ends with the heading
    theta + 2 h.

    Parameters
    ----------
    pebbles : PebbleParameters
    bias : VelocityBiasParameters
        Both standard deviations must be above 0, or positions have no density.

    Raises
    ------
    InputError
        A standard deviation is 0.

    """

    def __init__(self, pebbles: PebbleParameters, bias: VelocityBiasParameters) -> None:
        if not (bias.nu_std and bias.omega_std):
            raise InputError(
                f'nu_std and omega_std are {bias.nu_std} and {bias.omega_std}; '
                'both must be above 0 for positions to have a density'
            )
        self._pebbles, self._bias = pebbles, bias

    def log_density(
        self, places: ArrayLike, poses: ArrayLike, commands: ArrayLike, dt: float
    ) -> Array:
        """
        Return the log density of ending at places without meeting a pebble.

        Parameters
        ----------
        places : array_like, shape (n, 2)
            x', y' [m].
        poses : array_like, shape (n, 3)
            Poses before the step.
        commands : array_like, shape (n, 2)
            nu [m/s] and omega [rad/s], both not 0.
        dt : float

        Returns
        -------
        array, shape (n,)
            Logarithm of a density [1/m^2], whose integral is the probability of no pebble.

        Raises
        ------
        InputError
            An array has a wrong shape or is not finite, a command is 0, or dt is not above 0.

        """
        rows = _check(commands, dt)
        if not rows.all():
            first = int(np.argmin(rows.all(axis=1)))
            raise InputError(
                f'commands[{first}] are {rows[first].tolist()}; '
                'neither may be 0 for positions to have a density'
            )
        before = check_rows('poses', poses, 3, len(rows))
        moved = check_rows('places', places, 2, len(rows)) - before[:, :2]
        direction = np.arctan2(moved[:, 1], moved[:, 0]) - before[:, 2]
        length = np.hypot(moved[:, 0], moved[:, 1])
        terms = [
            self._log_branch(half, length * sign, rows, dt)
            for half, sign in self._branches(direction, rows[:, 1] * dt)
        ]
        total: Array = logsumexp(terms, axis=0)
        return total

    def _branches(self, direction: Array, sweep: Array) -> Iterator[tuple[Array, Array]]:
        """Yield half-turns with a direction of the chord, and signs: 1 forward, -1 backward."""
        likely = 0.5 * self._bias.omega_mean * sweep
        nearest = np.round((likely - direction) / math.pi)
        spread = 0.5 * FAR * self._bias.omega_std * float(np.abs(sweep).max(initial=0.0))
        reach = math.ceil(spread / math.pi)
        for offset in range(-reach, reach + 1):
            turns = nearest + offset
            yield direction + math.pi * turns, 1.0 - 2.0 * np.remainder(turns, 2.0)

    def _log_branch(self, half: Array, chord: Array, commands: Array, dt: float) -> Array:
        """Return the log density of an arc of a half-turn and a chord [m], negative backward."""
        bias, ratio = self._bias, chord_ratio(half)
        velocities = np.stack((chord / (dt * ratio), 2.0 * half / dt), axis=-1)
        factors = velocities / commands
        mean = np.array((bias.nu_mean, bias.omega_mean))
        std = np.array((bias.nu_std, bias.omega_std))
        normal = -0.5 * (((factors - mean) / std) ** 2).sum(axis=1)
        met = self._pebbles.frequency(velocities) * dt
        # Determinant of the derivative of (x', y') with respect to the two factors.
        scale = np.abs(chord * ratio * dt * commands[:, 0] * 0.5 * dt * commands[:, 1])
        log: Array = normal - 2.0 * LOG_ROOT - np.log(std.prod()) - np.log(scale) - met
        return log


def log_undisturbed(motion: MotionParameters, dt: float) -> float:
    """
    Return the log probability that a free robot stays free for a step and is not kidnapped.

    Both events are Poisson and independent: -dt / mean_free - dt / mean_interval. They are also
    independent of pebbles and biases, so that this value can be added to the log densities of this
    module.

    Raises
    ------
    InputError
        dt is not above 0, or is too long.

    """
    check_step(dt)
    means = [motion.stuck.mean_free] if motion.stuck else []
    means += [motion.kidnap.mean_interval] if motion.kidnap else []
    return -sum(dt / mean for mean in means)


def log_gaussian(after: Array, mean: Array, covariance: Array) -> Array:
    """
    Return log densities of the Gaussian approximation.

    Parameters
    ----------
    after : array, shape (n, 3)
        Poses after the step; headings are compared up to full turns.
    mean : array, shape (n, 3)
    covariance : array, shape (n, 3, 3)

    Returns
    -------
    array, shape (n,)
        Logarithms of densities [1/(m^2 rad)].

    Raises
    ------
    InputError
        A covariance is singular, for example that of a step without uncertainty.

    """
    off = after - mean
    off[:, 2] = wrap_angles(off[:, 2])
    try:
        root = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError as error:
        raise InputError(
            'a covariance of poses is singular; all its eigenvalues must be above 0'
        ) from error
    white = np.linalg.solve(root, off[:, :, None])[:, :, 0]
    log_volume = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
    log: Array = -0.5 * (white**2).sum(axis=1) - log_volume - 3.0 * LOG_ROOT
    return log


def _check(commands: ArrayLike, dt: float) -> Array:
    """Validate the step."""
    check_step(dt)
    return check_rows('commands', commands, 2)
