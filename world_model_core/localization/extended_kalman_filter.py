# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
An extended Kalman filter that localises robots among known landmarks.

Its state is the pose and everything that is wrong with the robot for long: the factors of its
velocities, the bias of its sensor, and the drift of that. To take these for white noise would make
it the surer the longer they deceive it; estimated beside the pose (Thrun, Burgard and Fox,
Probabilistic Robotics, 7.4, for the pose; Jazwinski, Stochastic Processes and Filtering Theory,
8.4, for constants joined to the state) they become known as far as landmarks tell them.

It knows nothing of standstills, kidnappings, clutter, missed detections and occlusion: what is too
far from what it expects is taken for one of these, and left out.
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

# Of the state: pose, factors of nu and omega, bias (part of ranges, angle), drift (length, angle).
POSE, FACTORS, BIAS, DRIFT = slice(0, 3), slice(3, 5), slice(5, 7), slice(7, 9)
SIZE = 9
# Nearer than this [m] a landmark's bearing says nothing of the pose.
NEAREST = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class KalmanState:
    """
    What is believed of n robots.

    Attributes
    ----------
    means : array, shape (n, 9)
        x, y [m], theta [rad, not wrapped] in the map frame; factors of nu and omega; bias of the
        sensor, part of ranges and angle [rad]; its drift, length [m] and angle [rad].
    covariances : array, shape (n, 9, 9)
    pebble_excess : array, shape (n, 3, 3)
        By how much more the pose varies if there was a pebble in the last step. Few steps have
        one, and of the others the covariance is most of the time too large.

    """

    means: Array
    covariances: Array
    pebble_excess: Array

    @property
    def poses(self) -> Array:
        """Where the robots are, shape (n, 3)."""
        return self.means[:, POSE]

    @property
    def pose_covariances(self) -> Array:
        """How uncertain that is, shape (n, 3, 3)."""
        return self.covariances[:, POSE, POSE]

    def nees(self, poses: ArrayLike) -> Array:
        """
        Give the normalised estimation errors squared of poses, shape (n,), the truth being known.

        If the state are right they are chi-square distributed with 3 degrees of freedom
        (Bar-Shalom, Li, Kirubarajan, Estimation with Applications to Tracking and Navigation,
        2001, 5.4.2).

        Raises
        ------
        InputError
            The poses have another shape than those believed, or are not finite, or a pose is
            believed to be known exactly.

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
    What readings made of state.

    `used` (n, m) tells which readings were; `nis` (n, m) how far each was from what was expected
    when its turn came, normalised innovations squared: chi-square distributed with 2 degrees of
    freedom if state are right, NaN where nothing was read or a landmark was at the robot itself.
    """

    state: KalmanState
    used: NDArray[np.bool_]
    nis: Array


class ExtendedKalmanFilter:
    """
    Localises any number of robots at once, each by itself.

    Parameters
    ----------
    motion : MotionParameters
        Of these, pebbles and the velocity bias are believed in.
    observation : ObservationParameters
        Of these, noise, bias and drift.
    gate : float, optional
        The part of true readings that is used, also right after a pebble; of others, what they
        deceive by.

    Raises
    ------
    ConfigurationError
        Ranges or bearings are free of noise, or the gate is not between 0 and 1.

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
        Believe that robots are at poses (n, 3), all with a covariance (3, 3) [m, rad].

        Raises
        ------
        InputError
            An array has another shape or is not finite, or the covariance is none.

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
        Let robots drive.

        The spread by pebbles is exact at the pose believed, and so is the mean; what was
        uncertain before is carried to first order.

        Parameters
        ----------
        state : KalmanState
        commands : array_like, shape (n, 2)
            nu [m/s] and omega [rad/s].
        dt : float
            For how long [s].

        Raises
        ------
        InputError
            Commands have another shape or are not finite, or dt is not above 0.

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
        Take in what robots read, landmark by landmark.

        Parameters
        ----------
        state : KalmanState
        readings : array_like, shape (n, m, 2)
            Range [m] and bearing [rad]; NaN without a reading, and none where a range is not
            above zero.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.

        Raises
        ------
        InputError
            Arrays do not fit each other, a reading is infinite or a landmark is not finite.

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
        """Give mean and covariance of the pose after a step from `poses`."""
        if self._pebbles is None:
            return move(poses, velocities, dt), np.zeros((len(poses), 3, 3))
        return pebble_moments(poses, velocities, dt, self._pebbles)

    def _pebble_excess(self, spread: Array, velocities: Array, dt: float) -> Array:
        """Tell how much more than `spread` the pose varies where there was a pebble."""
        if self._pebbles is None:
            return spread
        met = -np.expm1(-self._pebbles.frequency(velocities) * dt)
        excess: Array = np.divide(1.0 - met, met, out=np.zeros_like(met), where=met > 0.0)
        return excess[:, None, None] * spread

    def _correct_by_one(
        self, state: KalmanState, rows: NDArray[np.intp], readings: Array, landmark: Array
    ) -> KalmanCorrection:
        """Correct some of the state by readings (k, 2) of one landmark (1, 2)."""
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
        """Give what is to be read (k, 2), its Jacobian (k, 2, 9) and its noise (k, 2, 2)."""
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
        law = self._observation.noise
        is_biased = self._observation.order is ErrorOrder.LNPR
        noisy = expected[:, 0] if is_biased else exact[:, 0]
        noise = np.zeros((len(means), 2, 2))
        # The deviation grows with the true distance, of which the one believed is but the mean.
        along = np.einsum('ki,kij,kj->k', model[:, 0], covariances, model[:, 0])
        noise[:, 0, 0] = law.deviation(noisy) ** 2 + law.range_fraction**2 * along
        noise[:, 1, 1] = law.bearing_std**2
        return expected, model, noise


def drop_nonpositive_ranges(readings: Array) -> Array:
    """
    Take ranges not above zero, of readings (..., 2), for none: sensors tell such without an echo.

    A law whose noise grows with the range has them only of a landmark at the robot itself.
    """
    silent = readings[..., :1] <= 0.0
    return np.where(silent, np.nan, readings)
