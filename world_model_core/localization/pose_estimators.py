# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The filters as one robot has them, whichever it is: begun, moved on and corrected by turns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from world_model_core.angles import FULL_TURN, wrap_angles
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.localization.extended_kalman_filter import drop_nonpositive_ranges
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
    'CorrectionResult',
    'KalmanEstimator',
    'ParticleEstimator',
    'PoseEstimate',
    'PoseEstimator',
    'mix_with_kidnapping',
    'normalized_innovations',
    'with_least_noise',
]


class PoseEstimate(NamedTuple):
    """Where a robot is: `pose` (3,), x, y [m], theta [rad], and its `covariance` (3, 3)."""

    pose: Array
    covariance: Array


class CorrectionResult(NamedTuple):
    """
    What a filter makes of a list of readings.

    `used` (m,) tells which of them it took in; `nis` (m,) how far they were from what it expected,
    normalised innovations squared: 2 in the mean if it is right, NaN where nothing was read.
    """

    used: NDArray[np.bool_]
    nis: Array


class PoseEstimator(Protocol):
    """A filter that follows one robot among landmarks that it knows."""

    @property
    def estimate(self) -> PoseEstimate:
        """Where the robot is."""

    def begin(self, beginning: PoseEstimate) -> None:
        """Forget all, and believe this."""

    def predict(self, command: Array, dt: float) -> None:
        """Let the robot drive by nu [m/s] and omega [rad/s] for dt [s]."""

    def correct(self, readings: Array) -> CorrectionResult:
        """Take in what it reads, shape (m, 2): range [m], bearing [rad]; NaN where nothing is."""


class KalmanEstimator:
    """
    An extended Kalman filter.

    Parameters
    ----------
    law : ExtendedKalmanFilter
    landmarks : array, shape (m, 2)
        x, y [m] in the map frame.

    """

    def __init__(self, law: ExtendedKalmanFilter, landmarks: Array) -> None:
        self._filter, self._landmarks = law, landmarks
        self.begin(PoseEstimate(np.zeros(3), np.zeros((3, 3))))

    @property
    def estimate(self) -> PoseEstimate:
        """Where the robot is."""
        return PoseEstimate(self._state.poses[0], self._state.pose_covariances[0])

    def begin(self, beginning: PoseEstimate) -> None:
        """Forget all, also what was learnt of biases."""
        self._state = self._filter.begin(beginning.pose[None], beginning.covariance)

    def predict(self, command: Array, dt: float) -> None:
        """Let the robot drive."""
        self._state = self._filter.predict(self._state, command[None], dt)

    def correct(self, readings: Array) -> CorrectionResult:
        """Take in what it reads."""
        self._state, used, nis = self._filter.correct(self._state, readings[None], self._landmarks)
        return CorrectionResult(used[0], nis[0])


class ParticleEstimator:
    """
    A particle filter.

    Parameters
    ----------
    law : ParticleFilter
    landmarks : array, shape (m, 2)
        x, y [m] in the map frame.
    draws : Draws
    kidnap : KidnapParameters or None
        What is to be reckoned with while nothing is read. None where the filter's own are but for
        robots that are found nowhere else: who reckons with these would hardly know where it is.

    """

    def __init__(
        self,
        law: ParticleFilter,
        landmarks: Array,
        draws: Draws,
        kidnap: KidnapParameters | None,
    ) -> None:
        self._filter, self._landmarks, self._draws, self._kidnap = law, landmarks, draws, kidnap
        self.begin(PoseEstimate(np.zeros(3), np.zeros((3, 3))))

    @property
    def particles(self) -> Particles:
        """All of them, of one filter."""
        return self._cloud.particles

    @property
    def estimate(self) -> PoseEstimate:
        """Where the robot is, in the mean: of particles, and of where it may have been put."""
        believed = PoseEstimate(self.particles.mean[0], self.particles.covariance[0])
        if self._kidnap is None:
            return believed
        return mix_with_kidnapping(believed, self._kidnap, float(self._cloud.unseen[0]))

    def begin(self, beginning: PoseEstimate) -> None:
        """Forget all; draws begin anew as well."""
        self._cloud = self._filter.begin(beginning.pose[None], beginning.covariance, self._draws)

    def begin_anywhere(self) -> None:
        """Forget all, and know nothing of where the robot is."""
        self._cloud = self._filter.begin_anywhere(1, self._draws)

    def predict(self, command: Array, dt: float) -> None:
        """Let the robot drive."""
        self._cloud = self._filter.predict(self._cloud, command[None], dt, self._draws)

    def correct(self, readings: Array) -> CorrectionResult:
        """Take in what it reads; a mixture leaves nothing out."""
        read, law = drop_nonpositive_ranges(readings), self._filter.likelihood
        nis = normalized_innovations(self.particles, read, self._landmarks, law.noise, law.lasting)
        self._cloud = self._filter.correct(self._cloud, read[None], self._landmarks, self._draws)
        used: NDArray[np.bool_] = ~np.isnan(read[:, 0])
        return CorrectionResult(used, nis)


def mix_with_kidnapping(
    believed: PoseEstimate, kidnap: KidnapParameters, unseen: float
) -> PoseEstimate:
    """
    Reckon with that a robot was kidnapped since it last read anything.

    Parameters
    ----------
    believed : PoseEstimate
        If it was not.
    kidnap : KidnapParameters
    unseen : float
        For how long it could not tell [s].

    Returns
    -------
    PoseEstimate
        Mean and covariance of the mixture of `believed`, of weight exp(-unseen / mean_interval),
        and of the uniform law of where kidnappers put robots.

    """
    taken = -np.expm1(-unseen / kidnap.mean_interval)
    low, size = kidnap.pose_range()
    off = low + 0.5 * size - believed.pose
    # Of headings all around there is no mean, and no farther one than by half a turn.
    off[2] = wrap_angles(off[2]) if size[2] < FULL_TURN else 0.0
    size[2] = min(size[2], FULL_TURN)
    covariance = (1.0 - taken) * believed.covariance + taken * np.diag(size**2 / 12.0)
    covariance += taken * (1.0 - taken) * np.outer(off, off)
    return PoseEstimate(believed.pose + taken * off, covariance)


def normalized_innovations(
    particles: Particles,
    readings: Array,
    landmarks: Array,
    noise: RangeBearingNoise,
    lasting: SensorErrorFilter,
) -> Array:
    """
    Square the normalised innovations, shape (m,), of readings (m, 2) as particles expect them.

    They are taken for normal, with the mean and covariance of what the particles of one filter
    expect to read. NaN where nothing was read.
    """
    weights, nis = np.exp(particles.log_weights[0]), np.full(len(readings), np.nan)
    exact = observe_exactly(particles.poses[0], landmarks)
    for number in np.flatnonzero(~np.isnan(readings).any(axis=1)):
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
    Believe in some noise at least.

    Of exact readings there is no density, and of a thousand particles none agrees with them.

    Parameters
    ----------
    observation : ObservationParameters
    range_std, bearing_std : float
        The least deviations [m, rad].

    """
    noise = observation.noise
    least = replace(
        noise,
        range_std=max(noise.range_std, range_std),
        bearing_std=max(noise.bearing_std, bearing_std),
    )
    return replace(observation, noise=least)
