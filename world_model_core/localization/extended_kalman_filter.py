# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Extended Kalman filter that localizes robots among known landmarks.

The state contains the pose and all lasting errors: the factors of the velocities, the bias of the
sensor, and its drift. As white noise they would make the filter overconfident; as parts of the
state they are estimated (Thrun, Burgard and Fox, Probabilistic Robotics, 7.4, for the pose;
Jazwinski, Stochastic Processes and Filtering Theory, 8.4, for constants in the state).

The model includes no standstill, kidnapping, clutter, missed detection or occlusion: readings too
far from the prediction are rejected.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.errors import ConfigurationError
from world_model_core.gaussian import chi_square_gate, joseph, mahalanobis_squared
from world_model_core.uncertainty.input_checks import (
    InputError,
    check_covariance,
    check_rows,
    check_step,
)
from world_model_core.uncertainty.motion_moments import pebble_moments
from world_model_core.uncertainty.observation_parameters import ErrorOrder
from world_model_core.uncertainty.range_bearing import (
    check_readings,
    observation_jacobian,
    observe_exactly,
)
from world_model_core.uncertainty.unicycle import move, move_jacobians
from world_model_core.uncertainty.velocity_bias import UNBIASED

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['ExtendedKalmanFilter', 'KalmanCorrection', 'KalmanState', 'drop_nonpositive_ranges']

# State: pose, factors of nu and omega, bias (fraction of ranges, angle), drift (length, angle).
POSE, FACTORS, BIAS, DRIFT = slice(0, 3), slice(3, 5), slice(5, 7), slice(7, 9)
SIZE = 9
# Minimum distance of a landmark [m]: nearer, its bearing has no information.
NEAREST = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class KalmanState:
    """
    Estimates of n robots.

    Attributes
    ----------
    means : array, shape (n, 9)
        x, y [m], theta [rad, not wrapped] in the map frame; factors of nu and omega; bias of the
        sensor, fraction of ranges and angle [rad]; its drift, length [m] and angle [rad].
    covariances : array, shape (n, 9, 9)
    pebble_excess : array, shape (n, 3, 3)
        Additional covariance of the pose if there was a pebble in the last step. Few steps have
        one; in the others the covariance is too large.

    """

    means: Array
    covariances: Array
    pebble_excess: Array

    @property
    def poses(self) -> Array:
        """Mean poses, shape (n, 3)."""
        return self.means[:, POSE]

    @property
    def pose_covariances(self) -> Array:
        """Covariances of the poses, shape (n, 3, 3)."""
        return self.covariances[:, POSE, POSE]

    def nees(self, poses: ArrayLike) -> Array:
        """
        Return the normalized estimation errors squared (NEES), shape (n,), for true poses (n, 3).

        For a consistent filter they are chi-square distributed with 3 degrees of freedom
        (Bar-Shalom, Li, Kirubarajan, Estimation with Applications to Tracking and Navigation,
        2001, 5.4.2).

        Raises
        ------
        InputError
            The shape of the poses is wrong, a value is not finite, or a covariance is singular.

        """
        off = check_rows('poses', poses, 3, len(self.means)) - self.poses
        off[:, 2] = wrap_angles(off[:, 2])
        try:
            return mahalanobis_squared(off, self.pose_covariances)
        except np.linalg.LinAlgError as error:
            raise InputError(
                'a covariance of poses is singular; all its eigenvalues must be above 0'
            ) from error


class KalmanCorrection(NamedTuple):
    """
    Result of a correction by readings.

    `used` (n, m): which readings were used. `nis` (n, m): normalized innovations squared of the
    sequential corrections, chi-square distributed with 2 degrees of freedom for a consistent
    filter; NaN without a reading, or if a landmark is at the estimated position.
    """

    state: KalmanState
    used: NDArray[np.bool_]
    nis: Array


class ExtendedKalmanFilter:
    """
    Localizes any number of robots at once, independently.

    Parameters
    ----------
    motion : MotionParameters
        Motion model; pebbles and velocity bias are used.
    observation : ObservationParameters
        Observation model; noise, bias and drift are used.
    gate : float, optional
        Probability that a valid reading is used, also after a pebble.

    Raises
    ------
    ConfigurationError
        Ranges or bearings have no noise, or the gate is not between 0 and 1.

    """

    def __init__(
        self, motion: MotionParameters, observation: ObservationParameters, gate: float = 0.999
    ) -> None:
        if not 0.0 < gate < 1.0:
            raise ConfigurationError(f'gate is {gate}; it must be above 0 and below 1')
        observation.noise.check_density()
        self._pebbles = motion.pebbles
        self._factors = motion.velocity_bias or UNBIASED
        self._observation = observation
        self._gate = chi_square_gate(2, gate)

    def begin(self, poses: ArrayLike, covariance: ArrayLike) -> KalmanState:
        """
        Return the state of robots at poses (n, 3) with a covariance (3, 3) [m, rad].

        Raises
        ------
        InputError
            A shape is wrong, a value is not finite, or the covariance is invalid.

        """
        rows = check_rows('poses', poses, 3)
        factors, bias, drift = self._factors, self._observation.bias, self._observation.drift
        means = np.zeros((len(rows), SIZE))
        means[:, POSE], means[:, FACTORS] = rows, (factors.nu_mean, factors.omega_mean)
        stds = (factors.nu_std, factors.omega_std, bias.range_fraction, bias.bearing_std)
        deviations = np.array((0.0, 0.0, 0.0, *stds, drift.range_std, drift.bearing_std))
        covariances = np.tile(np.diag(deviations**2), (len(rows), 1, 1))
        covariances[:, POSE, POSE] = check_covariance(covariance, 3)
        return KalmanState(means, covariances, np.zeros((len(rows), 3, 3)))

    def predict(self, state: KalmanState, commands: ArrayLike, dt: float) -> KalmanState:
        """
        Predict the state.

        Mean and covariance by pebbles are exact at the estimated pose; the previous covariance is
        propagated to first order.

        Parameters
        ----------
        state : KalmanState
        commands : array_like, shape (n, 2)
            nu [m/s] and omega [rad/s].
        dt : float
            Duration [s].

        Raises
        ------
        InputError
            The shape of the commands is wrong, a value is not finite, or dt is not above 0.

        """
        rows = check_rows('commands', commands, 2, len(state.means))
        check_step(dt)
        drift = self._observation.drift
        kept = np.exp(-dt / np.array((drift.range_time, drift.bearing_time)))
        stds = np.array((drift.range_std, drift.bearing_std))
        velocities = rows * state.means[:, FACTORS]
        by_pose, by_velocity = move_jacobians(state.poses, velocities, dt)
        transition = np.tile(np.eye(SIZE), (len(rows), 1, 1))
        transition[:, POSE, POSE] = by_pose
        transition[:, POSE, FACTORS] = by_velocity * rows[:, None, :]
        transition[:, DRIFT, DRIFT] = np.diag(kept)
        means, covariances = state.means.copy(), transition @ state.covariances
        covariances = covariances @ transition.swapaxes(1, 2)
        means[:, POSE], spread = self._drive(state.poses, velocities, dt)
        means[:, DRIFT] *= kept
        covariances[:, POSE, POSE] += spread
        covariances[:, DRIFT, DRIFT] += np.diag(stds**2 * (1.0 - kept**2))
        return KalmanState(means, covariances, self._pebble_excess(spread, velocities, dt))

    def correct(
        self, state: KalmanState, readings: ArrayLike, landmarks: ArrayLike
    ) -> KalmanCorrection:
        """
        Correct the state by readings, landmark by landmark.

        Parameters
        ----------
        state : KalmanState
        readings : array_like, shape (n, m, 2)
            Range [m] and bearing [rad]; NaN without a reading. Ranges of 0 or less are dropped.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.

        Raises
        ------
        InputError
            Shapes do not match, a reading is infinite, or a landmark is not finite.

        """
        places = check_rows('landmarks', landmarks, 2)
        read = drop_nonpositive_ranges(check_readings(readings, len(state.means), len(places)))
        used = np.zeros(read.shape[:2], dtype=np.bool_)
        nis = np.full(read.shape[:2], np.nan)
        for number in range(len(places)):
            there = np.flatnonzero(~np.isnan(read[:, number]).any(axis=1))
            distance = np.hypot(*(places[number] - state.poses[there, :2]).T)
            rows = there[distance > NEAREST]
            if len(rows):
                place = places[number : number + 1]
                each = self._correct_by_one(state, rows, read[rows, number], place)
                state, used[rows, number], nis[rows, number] = each
        return KalmanCorrection(state, used, nis)

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

    def _correct_by_one(
        self, state: KalmanState, rows: NDArray[np.intp], readings: Array, landmark: Array
    ) -> KalmanCorrection:
        """Correct some robots by readings (k, 2) of one landmark (1, 2)."""
        means, covariances = state.means[rows], state.covariances[rows]
        expected, model, noise = self._expect(means, covariances, landmark)
        off = readings - expected
        off[:, 1] = wrap_angles(off[:, 1])
        cross = covariances @ model.swapaxes(1, 2)
        spread = model @ cross + noise
        nis = mahalanobis_squared(off, spread)
        by_pose = model[:, :, POSE]
        wide = spread + by_pose @ state.pebble_excess[rows] @ by_pose.swapaxes(1, 2)
        passed = mahalanobis_squared(off, wide) <= self._gate
        solved = np.linalg.solve(spread, cross.swapaxes(1, 2))
        gain: Array = np.asarray(solved, dtype=np.float64).swapaxes(1, 2)
        corrected = means + (gain @ off[:, :, None])[:, :, 0]
        known = joseph(covariances, gain, model, noise)
        taken = rows[passed]
        after = replace(state, means=state.means.copy(), covariances=state.covariances.copy())
        after.means[taken], after.covariances[taken] = corrected[passed], known[passed]
        return KalmanCorrection(after, passed, nis)

    def _expect(
        self, means: Array, covariances: Array, landmark: Array
    ) -> tuple[Array, Array, Array]:
        """Return predicted readings (k, 2), their Jacobian (k, 2, 9) and noise (k, 2, 2)."""
        exact = observe_exactly(means[:, POSE], landmark)[:, 0]
        jacobian = observation_jacobian(means[:, POSE], landmark)[:, 0]
        scale = 1.0 + means[:, 5]
        expected = exact + means[:, BIAS] + means[:, DRIFT]
        expected[:, 0] = scale * exact[:, 0] + means[:, 7]
        model = np.zeros((len(means), 2, SIZE))
        model[:, :, POSE] = jacobian
        model[:, 0, POSE] *= scale[:, None]
        model[:, 0, 5], model[:, 1, 6] = exact[:, 0], 1.0
        model[:, :, DRIFT] = np.eye(2)
        noise_model = self._observation.noise
        is_biased = self._observation.order is ErrorOrder.LNPR
        noisy = expected[:, 0] if is_biased else exact[:, 0]
        noise = np.zeros((len(means), 2, 2))
        # The noise depends on the true distance; this is its mean over the uncertain distance.
        along = np.einsum('ki,kij,kj->k', model[:, 0], covariances, model[:, 0])
        noise[:, 0, 0] = noise_model.deviation(noisy) ** 2 + noise_model.range_fraction**2 * along
        noise[:, 1, 1] = noise_model.bearing_std**2
        return expected, model, noise


def drop_nonpositive_ranges(readings: Array) -> Array:
    """
    Replace readings (..., 2) with a range of 0 or less, i.e. without an echo, by NaN.

    Noise that grows with the range allows them only for a landmark at the robot itself.
    """
    silent = readings[..., :1] <= 0.0
    return np.where(silent, np.nan, readings)
