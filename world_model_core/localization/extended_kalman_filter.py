# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Extended Kalman filter that localizes robots among known landmarks.

The state contains the pose and all lasting errors: the factors of the velocities, the bias of the
sensor, and its drift. As white noise they would make the filter overconfident; as parts of the
state they are estimated (Thrun, Burgard and Fox, Probabilistic Robotics, 7.4, for the pose;
Jazwinski, Stochastic Processes and Filtering Theory, 8.4, for constants in the state).

If the motion model has stuck robots, there are two modes: free and stuck. A reading is explained
by a clear landmark, an occluded one or none, each with its probability, and a landmark may be
elsewhere than in the map. Kidnapping is not in the model: the robot is reported as lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import logsumexp, softmax

from world_model_core.angles import wrap_angles
from world_model_core.errors import ConfigurationError
from world_model_core.gaussian import joseph, mahalanobis_squared
from world_model_core.localization.kalman_motion import KalmanMotion
from world_model_core.localization.kalman_state import (
    BIAS,
    DRIFT,
    FACTORS,
    POSE,
    SIZE,
    KalmanState,
    join_gaussians,
)
from world_model_core.localization.landmark_offsets import LandmarkOffsets, LinearReading
from world_model_core.localization.missing_readings import MissingReadings
from world_model_core.localization.reading_hypotheses import ReadingHypotheses
from world_model_core.uncertainty.input_checks import check_covariance, check_rows, check_step
from world_model_core.uncertainty.observation_parameters import ErrorOrder
from world_model_core.uncertainty.range_bearing import (
    check_readings,
    observation_jacobian,
    observe_exactly,
)
from world_model_core.uncertainty.velocity_bias import UNBIASED

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array
    from world_model_core.localization.reading_hypotheses import ReadingWeights
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['ExtendedKalmanFilter', 'KalmanCorrection', 'drop_nonpositive_ranges']

# Minimum distance of a landmark [m]: nearer, its bearing has no information.
NEAREST = 1e-3
# Largest log odds of being lost: a robot that is found again is so after a few readings.
MOST_MISFIT = 20.0


class KalmanCorrection(NamedTuple):
    """
    Result of a correction by readings.

    `used` (n, m): which readings were probably those of a clear landmark. `nis` (n, m): normalized
    innovations squared of the sequential corrections in the likeliest mode, chi-square distributed
    with 2 degrees of freedom for a consistent filter; NaN without a reading, or if a landmark is
    at the estimated position.
    """

    state: KalmanState
    used: NDArray[np.bool_]
    nis: Array


class _Predicted(NamedTuple):
    """Innovations (k, 2), Jacobian (k, 2, 9), noise (k, 2, 2), covariance (k, 2, 2) and gate's."""

    off: Array
    model: Array
    noise: Array
    spread: Array
    excess: Array


class ExtendedKalmanFilter:
    """
    Localizes any number of robots at once, independently.

    Parameters
    ----------
    motion : MotionParameters
        Motion model; pebbles, velocity bias and stuck robots are used.
    observation : ObservationParameters
        Observation model; noise, bias, drift, clutter and occlusion are used, and for stuck robots
        the field of view and missed detections.
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
        self._motion = KalmanMotion(motion, observation.drift)
        self._factors = motion.velocity_bias or UNBIASED
        self._observation = observation
        self._readings = ReadingHypotheses(observation, gate)
        self._missing = MissingReadings(observation)

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
        modes = self._motion.modes
        return KalmanState(
            # Robots start free; a stuck one is recognized by its readings.
            np.tile(np.eye(modes)[0], (len(rows), 1)),
            np.repeat(means[:, None], modes, axis=1),
            np.repeat(covariances[:, None], modes, axis=1),
            np.zeros((len(rows), modes, 3, 3)),
            np.zeros(len(rows)),
            LandmarkOffsets.begin(len(rows), 0, SIZE),
        )

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
        rows = check_rows('commands', commands, 2, len(state.weights))
        check_step(dt)
        return self._motion.predict(state, rows, dt)

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
        read = drop_nonpositive_ranges(check_readings(readings, len(state.weights), len(places)))
        if state.offsets.log_odds.shape[1] != len(places):
            offsets = LandmarkOffsets.begin(len(read), len(places), SIZE)
            state = replace(state, offsets=offsets)
        state = self._weigh_missing(state, read, places)
        used = np.zeros(read.shape[:2], dtype=np.bool_)
        nis = np.full(read.shape[:2], np.nan)
        for number, place in enumerate(places):
            there = np.flatnonzero(~np.isnan(read[:, number]).any(axis=1))
            distances = np.hypot(*np.moveaxis(place - state.mode_means[there, :, :2], -1, 0))
            rows = there[(distances > NEAREST).all(axis=1)]
            if len(rows):
                each = self._correct_by_one(state, rows, read[rows, number], number, place)
                state, used[rows, number], nis[rows, number] = each
        return KalmanCorrection(state, used, nis)

    def _weigh_missing(self, state: KalmanState, read: Array, places: Array) -> KalmanState:
        """Weigh the modes by the landmarks that have no reading."""
        if self._motion.modes == 1:
            return state
        poses, known = state.mode_means[..., POSE], state.mode_covariances[..., POSE, POSE]
        log_each = self._missing.log_probability(poses, known, places)
        missing = np.isnan(read).any(axis=2)
        with np.errstate(divide='ignore'):
            log_weights = np.log(state.weights) + np.einsum('nkm,nm->nk', log_each, missing)
        return replace(state, weights=softmax(log_weights, axis=1))

    def _correct_by_one(
        self,
        state: KalmanState,
        rows: NDArray[np.intp],
        readings: Array,
        number: int,
        place: Array,
    ) -> KalmanCorrection:
        """Correct some robots by readings (k, 2) of the landmark of a number, at a place (2,)."""
        means, covariances = state.mode_means[rows], state.mode_covariances[rows]
        predicted = self._predict_readings(
            readings, means, covariances, state.pebble_excess[rows], place
        )
        seen = self._readings.weigh(
            readings[:, :1], predicted.off, predicted.spread, predicted.excess
        )
        corrected, known, gain = self._apply(means, covariances, predicted, seen)
        with np.errstate(divide='ignore'):
            log_weights = np.log(state.weights[rows]) + seen.log_density
        log_density = logsumexp(log_weights, axis=1)
        weights = np.exp(log_weights - log_density[:, None])
        likeliest = np.arange(len(rows)), np.argmax(weights, axis=1)
        linear = _linear_reading(readings, predicted, gain, seen, likeliest)
        explained = seen.clear[likeliest] + seen.occluded[likeliest] > 0.5
        # Readings in a row that do not fit may have one cause: only the first is evidence.
        counted = explained | (state.misfit[rows] == 0.0)
        evidence = LinearReading(*(part[counted] for part in linear))
        offsets = state.offsets.corrected(rows[counted], number, evidence, self._readings)
        misfit = state.misfit[rows] + self._readings.log_anywhere(readings[:, 0]) - log_density
        after = KalmanState(
            _replaced(state.weights, rows, weights),
            _replaced(state.mode_means, rows, corrected),
            _replaced(state.mode_covariances, rows, known),
            state.pebble_excess,
            _replaced(state.misfit, rows, np.clip(misfit, 0.0, MOST_MISFIT)),
            offsets,
        )
        nis = mahalanobis_squared(linear.off, linear.spread)
        return KalmanCorrection(after, seen.clear[likeliest] > 0.5, nis)

    def _predict_readings(
        self, readings: Array, means: Array, covariances: Array, pebbles: Array, place: Array
    ) -> _Predicted:
        """Predict readings (k, 2) of a landmark in each mode."""
        shape = means.shape[:2]
        flat = means.reshape(-1, SIZE), covariances.reshape(-1, SIZE, SIZE)
        found = self._expect(*flat, place[None])
        expected, model, noise = (part.reshape(*shape, *part.shape[1:]) for part in found)
        off = readings[:, None] - expected
        off[..., 1] = wrap_angles(off[..., 1])
        by_pose = model[..., POSE]
        spread = model @ covariances @ model.swapaxes(-1, -2) + noise
        return _Predicted(off, model, noise, spread, by_pose @ pebbles @ by_pose.swapaxes(-1, -2))

    def _apply(
        self, means: Array, covariances: Array, predicted: _Predicted, seen: ReadingWeights
    ) -> tuple[Array, Array, Array]:
        """Return means and covariances of modes after readings, and the effective gains."""
        off, model, noise, spread, _ = predicted
        cross = covariances @ model.swapaxes(-1, -2)
        solved = np.linalg.solve(spread, cross.swapaxes(-1, -2))
        gain: Array = np.asarray(solved, dtype=np.float64).swapaxes(-1, -2)
        gains, weights = [np.zeros_like(gain), gain], [seen.false, seen.clear]
        if self._readings.occludes:
            # Only the bearing of an occluded landmark is that of the landmark.
            by_bearing = np.zeros_like(gain)
            by_bearing[..., 1] = cross[..., 1] / spread[..., 1, 1, None]
            gains, weights = [*gains, by_bearing], [*weights, seen.occluded]
        shares = np.stack(weights, axis=-1)
        after = [means + (each @ off[..., None])[..., 0] for each in gains]
        known = [joseph(covariances, each, model, noise) for each in gains]
        mean, covariance = join_gaussians(
            shares, np.stack(after, axis=-2), np.stack(known, axis=-3)
        )
        return mean, covariance, np.einsum('...g,...gij->...ij', shares, np.stack(gains, axis=-3))

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


def _linear_reading(
    readings: Array,
    predicted: _Predicted,
    gain: Array,
    seen: ReadingWeights,
    likeliest: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> LinearReading:
    """Return the linear model of readings (k, 2) in the likeliest mode of each robot."""
    off, model, _, spread, excess = predicted
    parts = off, model, spread, excess, gain, seen.log_density
    return LinearReading(readings[:, 0], *(part[likeliest] for part in parts))


def _replaced(values: Array, rows: NDArray[np.intp], new: Array) -> Array:
    """Return a copy of values with some rows replaced."""
    copied = values.copy()
    copied[rows] = new
    return copied


def drop_nonpositive_ranges(readings: Array) -> Array:
    """
    Replace readings (..., 2) with a range of 0 or less, i.e. without an echo, by NaN.

    Noise that grows with the range allows them only for a landmark at the robot itself.
    """
    silent = readings[..., :1] <= 0.0
    return np.where(silent, np.nan, readings)
