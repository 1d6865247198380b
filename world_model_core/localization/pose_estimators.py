# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Pose estimators of one robot, with one interface to both filters."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from world_model_core.angles import FULL_TURN, wrap_angles
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.uncertainty.range_bearing import observe_exactly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
    from world_model_core.localization.particle_filter import ParticleFilter
    from world_model_core.localization.particles import Particles
    from world_model_core.localization.sensor_error_filter import SensorErrorFilter
    from world_model_core.uncertainty.kidnapping import KidnapParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

__all__ = [
    'UNCERTAIN',
    'CorrectionResult',
    'KalmanEstimator',
    'ParticleEstimator',
    'PoseEstimate',
    'PoseEstimator',
    'WrongLandmark',
    'mix_with_kidnapping',
    'normalized_innovations',
    'with_least_noise',
]

# Standard deviation of a position [m] above which it is uncertain.
UNCERTAIN = 0.2


class PoseEstimate(NamedTuple):
    """Estimate of a pose: `pose` (3,), x, y [m], theta [rad], and its `covariance` (3, 3)."""

    pose: Array
    covariance: Array

    @property
    def position_std(self) -> float:
        """Standard deviation of the position [m], the root of the sum of those of x and y."""
        return math.sqrt(self.covariance[0, 0] + self.covariance[1, 1])


class WrongLandmark(NamedTuple):
    """A landmark that is probably elsewhere than in the map: `number`, and `distance` [m]."""

    number: int
    distance: float


class CorrectionResult(NamedTuple):
    """
    Result of a correction by a set of readings.

    `used` (m,): which readings were used. `nis` (m,): normalized innovations squared, with a mean
    of 2 for a consistent filter, NaN without a reading. `is_lost`: the last readings would fit any
    other place better. `wrong_landmark`: see `WrongLandmark`. The particle filter has neither.
    """

    used: NDArray[np.bool_]
    nis: Array
    is_lost: bool = False
    wrong_landmark: WrongLandmark | None = None


class PoseEstimator(Protocol):
    """A filter that localizes one robot among known landmarks."""

    @property
    def estimate(self) -> PoseEstimate:
        """The current estimate."""

    def begin(self, beginning: PoseEstimate) -> None:
        """Reset the filter to an estimate."""

    def predict(self, command: Array, dt: float) -> None:
        """Predict with a command nu [m/s], omega [rad/s] for dt [s]."""

    def correct(self, readings: Array) -> CorrectionResult:
        """Correct by readings (m, 2): range [m], bearing [rad]; NaN without a reading."""


class KalmanEstimator:
    """
    Pose estimator by an extended Kalman filter.

    Parameters
    ----------
    kalman_filter : ExtendedKalmanFilter
    landmarks : array, shape (m, 2)
        x, y [m] in the map frame.

    """

    def __init__(self, kalman_filter: ExtendedKalmanFilter, landmarks: Array) -> None:
        self._filter, self._landmarks = kalman_filter, landmarks
        self.begin(PoseEstimate(np.zeros(3), np.zeros((3, 3))))

    @property
    def estimate(self) -> PoseEstimate:
        """The current estimate."""
        mean, covariance = self._state.joined()
        return PoseEstimate(mean[0, :3], covariance[0, :3, :3])

    def begin(self, beginning: PoseEstimate) -> None:
        """Reset the filter, including the estimated biases."""
        self._state = self._filter.begin(beginning.pose[None], beginning.covariance)

    def predict(self, command: Array, dt: float) -> None:
        """Predict with a command."""
        self._state = self._filter.predict(self._state, command[None], dt)

    def correct(self, readings: Array) -> CorrectionResult:
        """Correct by readings."""
        self._state, used, nis = self._filter.correct(self._state, readings[None], self._landmarks)
        return CorrectionResult(used[0], nis[0], bool(self._state.lost[0]), self._wrong_landmark())

    def _wrong_landmark(self) -> WrongLandmark | None:
        """Return the landmark that is probably wrong; a lost robot has none."""
        number = int(self._state.wrong_landmarks[0])
        if number < 0 or self._state.lost[0]:
            return None
        return WrongLandmark(number, float(np.hypot(*self._state.offsets.means[0, number])))


class ParticleEstimator:
    """
    Pose estimator by a particle filter.

    Parameters
    ----------
    particle_filter : ParticleFilter
    landmarks : array, shape (m, 2)
        x, y [m] in the map frame.
    draws : Draws
    kidnap : KidnapParameters or None
        Kidnappings that the estimate includes while there are no readings. None if the kidnappings
        of the filter only serve recovery: they would make the estimate too uncertain.

    """

    def __init__(
        self,
        particle_filter: ParticleFilter,
        landmarks: Array,
        draws: Draws,
        kidnap: KidnapParameters | None,
    ) -> None:
        self._filter, self._landmarks = particle_filter, landmarks
        self._draws, self._kidnap = draws, kidnap
        self.begin(PoseEstimate(np.zeros(3), np.zeros((3, 3))))

    @property
    def particles(self) -> Particles:
        """The particles of the filter."""
        return self._state.particles

    @property
    def estimate(self) -> PoseEstimate:
        """Mean and covariance of the particles, and of a possible kidnapping."""
        estimate = PoseEstimate(self.particles.mean[0], self.particles.covariance[0])
        if self._kidnap is None:
            return estimate
        return mix_with_kidnapping(estimate, self._kidnap, float(self._state.unseen[0]))

    def begin(self, beginning: PoseEstimate) -> None:
        """Reset the filter and its draws."""
        self._state = self._filter.begin(beginning.pose[None], beginning.covariance, self._draws)

    def begin_anywhere(self) -> None:
        """Reset the filter for global localization."""
        self._state = self._filter.begin_anywhere(1, self._draws)

    def predict(self, command: Array, dt: float) -> None:
        """Predict with a command."""
        self._state = self._filter.predict(self._state, command[None], dt, self._draws)

    def correct(self, readings: Array) -> CorrectionResult:
        """Correct by readings; a mixture has no gate."""
        likelihood = self._filter.likelihood
        nis = normalized_innovations(
            self.particles, readings, self._landmarks, likelihood.noise, likelihood.lasting
        )
        self._state = self._filter.correct(
            self._state, readings[None], self._landmarks, self._draws
        )
        used: NDArray[np.bool_] = readings[:, 0] > 0.0
        return CorrectionResult(used, nis)


def mix_with_kidnapping(
    estimate: PoseEstimate, kidnap: KidnapParameters, unseen: float
) -> PoseEstimate:
    """
    Mix an estimate with a possible kidnapping since the last reading.

    Parameters
    ----------
    estimate : PoseEstimate
        Estimate without a kidnapping.
    kidnap : KidnapParameters
    unseen : float
        Time without a reading that could show a kidnapping [s].

    Returns
    -------
    PoseEstimate
        Mean and covariance of the mixture of `estimate`, with weight exp(-unseen / mean_interval),
        and the uniform distribution of kidnapped poses.

    """
    taken = -np.expm1(-unseen / kidnap.mean_interval)
    low, size = kidnap.pose_range()
    off = low + 0.5 * size - estimate.pose
    # Headings uniform over a full turn have no mean.
    off[2] = wrap_angles(off[2]) if size[2] < FULL_TURN else 0.0
    size[2] = min(size[2], FULL_TURN)
    covariance = (1.0 - taken) * estimate.covariance + taken * np.diag(size**2 / 12.0)
    covariance += taken * (1.0 - taken) * np.outer(off, off)
    return PoseEstimate(estimate.pose + taken * off, covariance)


def normalized_innovations(
    particles: Particles,
    readings: Array,
    landmarks: Array,
    noise: RangeBearingNoise,
    lasting: SensorErrorFilter,
) -> Array:
    """
    Return the normalized innovations squared (m,) of readings (m, 2) of the first filter.

    The predicted readings are taken as normal, with the mean and covariance over all particles.
    NaN without a reading, or with a range of 0 or less.
    """
    weights, nis = np.exp(particles.log_weights[0]), np.full(len(readings), np.nan)
    exact = observe_exactly(particles.poses[0], landmarks)
    for number in np.flatnonzero((readings[:, 0] > 0.0) & ~np.isnan(readings[:, 1])):
        expected = lasting.expect(particles.errors, exact[None, :, number])
        off = readings[number] - expected.readings[0]
        off[:, 1] = wrap_angles(off[:, 1])
        mean = weights @ off
        apart = off - mean
        variances = weights @ expected.variances[0]
        variances += weights @ noise.deviation(exact[:, number, 0]) ** 2, noise.bearing_std**2
        spread = (weights[:, None] * apart).T @ apart + np.diag(variances)
        nis[number] = mahalanobis_squared(mean, spread)
    return nis


def with_least_noise(
    observation: ObservationParameters, range_std: float, bearing_std: float
) -> ObservationParameters:
    """
    Raise the noise of a sensor to a minimum.

    Exact readings have no density, and no particle would agree with them.

    Parameters
    ----------
    observation : ObservationParameters
    range_std, bearing_std : float
        Minimum standard deviations [m, rad].

    """
    noise = observation.noise
    least = replace(
        noise,
        range_std=max(noise.range_std, range_std),
        bearing_std=max(noise.bearing_std, bearing_std),
    )
    return replace(observation, noise=least)
