# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A particle filter that localises robots among known landmarks, and finds them again.

Particles are spread by the Gaussian approximation of motion, and weighted by the law of what was
read; what is wrong with the sensor for long each particle estimates for itself (`sensor_errors`).
The exact laws of motion hardly spread places, so that copies of few particles would be all
that is left after some time; and what they spread is less than what a velocity bias does.

Kidnappings are a part of the law: of the particles that they put anywhere, those are drawn that
fit what was read (`relocation`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.localization.extended_kalman_filter import drop_nonpositive_ranges
from world_model_core.localization.global_relocalization import GlobalRelocalization
from world_model_core.localization.measurement_set_likelihood import MeasurementSetLikelihood
from world_model_core.localization.particles import FARTHEST, Particles
from world_model_core.uncertainty.input_checks import check_covariance, check_rows
from world_model_core.uncertainty.range_bearing import check_readings
from world_model_core.uncertainty.velocity_noise import VelocityNoise

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.kidnapping import KidnapParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.uncertainty.velocity_noise import VelocityNoiseParameters

__all__ = ['ParticleFilter', 'ParticleFilterState']

# Of particles, how many newcomers are drawn beside them from each list.
NEWCOMERS = 0.2
# Of fewer a cloud cannot be told from its noise.
FEWEST = 10


@dataclass(frozen=True, slots=True, eq=False)
class ParticleFilterState:
    """
    What r particle filters carry from step to step.

    Attributes
    ----------
    particles : Particles
    step : int
        Predictions and corrections so far; draws depend on it.
    unseen : array, shape (r,)
        How long no list was read that could have told of a kidnapping [s].

    """

    particles: Particles
    step: int
    unseen: Array


class ParticleFilter:
    """
    Localises any number of robots at once, each by particles of its own.

    Parameters
    ----------
    motion : VelocityNoiseParameters
    kidnap : KidnapParameters
        How often robots are believed to be kidnapped, and where to; also where they may begin.
    observation : ObservationParameters
    count : int, optional
        Particles of each robot.

    Attributes
    ----------
    law : MeasurementSetLikelihood
        What is believed of readings.

    Raises
    ------
    ConfigurationError
        Ranges or bearings are free of noise, or there are fewer than `FEWEST` particles.

    """

    def __init__(
        self,
        motion: VelocityNoiseParameters,
        kidnap: KidnapParameters,
        observation: ObservationParameters,
        count: int = 1000,
    ) -> None:
        if count < FEWEST:
            raise ConfigurationError(f'count is {count}; it must be at least {FEWEST}')
        self._count, self._mean = count, kidnap.mean_interval
        self._motion = VelocityNoise(motion)
        self.likelihood = MeasurementSetLikelihood(observation)
        self._relocalization = GlobalRelocalization(kidnap, observation)

    def begin(self, poses: ArrayLike, covariance: ArrayLike, draws: Draws) -> ParticleFilterState:
        """
        Believe that robots are at poses (r, 3), all with a covariance (3, 3) [m, rad].

        Raises
        ------
        InputError
            An array has another shape or is not finite, or the covariance is none.

        """
        rows = check_rows('poses', poses, 3)
        values, vectors = np.linalg.eigh(check_covariance(covariance, 3))
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        off = draws.normal('particles', 0, range(3), len(rows) * self._count) @ root.T
        return self._spread(rows[:, None] + off.reshape(len(rows), self._count, 3))

    def begin_anywhere(self, runs: int, draws: Draws) -> ParticleFilterState:
        """Know nothing of where robots are, but that a kidnapper put them there."""
        anywhere = self._spread(self._relocalization.draw_anywhere(runs, self._count, draws))
        # So that the first list may find places that fit better, which are as likely.
        return replace(anywhere, unseen=np.full(runs, self._mean))

    def predict(
        self, cloud: ParticleFilterState, commands: ArrayLike, dt: float, draws: Draws
    ) -> ParticleFilterState:
        """
        Let robots drive.

        Parameters
        ----------
        cloud : ParticleFilterState
        commands : array_like, shape (r, 2)
            nu [m/s] and omega [rad/s].
        dt : float
            For how long [s].
        draws : Draws
            Of the filter; another seed than that of robots that are simulated.

        Raises
        ------
        InputError
            Commands have another shape or are not finite, or dt is not above 0.

        """
        old, step = cloud.particles, cloud.step + 1
        rows = np.repeat(check_rows('commands', commands, 2, len(old.poses)), self._count, axis=0)
        moved = self._motion.sample(old.poses.reshape(-1, 3), rows, dt, step, draws)
        errors = self.likelihood.lasting.predict(old.errors, dt)
        particles = Particles(moved.reshape(old.poses.shape), old.log_weights, errors)
        return ParticleFilterState(particles, step, cloud.unseen + dt)

    def correct(
        self, cloud: ParticleFilterState, readings: ArrayLike, landmarks: ArrayLike, draws: Draws
    ) -> ParticleFilterState:
        """
        Weigh particles by what robots read, and resample them if need be.

        A list that is impossible wherever the robot may be says nothing.

        Parameters
        ----------
        cloud : ParticleFilterState
        readings : array_like, shape (r, m, 2)
            Range [m] and bearing [rad]; NaN without a reading, and none where a range is not
            above zero.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.
        draws : Draws

        Raises
        ------
        InputError
            Arrays do not fit each other, a reading is infinite or a landmark is not finite.

        """
        places = check_rows('landmarks', landmarks, 2)
        old, step = cloud.particles, cloud.step + 1
        read = drop_nonpositive_ranges(check_readings(readings, len(old.poses), len(places)))
        told = np.any(~np.isnan(read[..., 0] + read[..., 1]), axis=1)
        if not told.any():
            return ParticleFilterState(old, step, cloud.unseen)
        both = self._join_newcomers(cloud, read, places, np.where(told, cloud.unseen, 0.0), draws)
        log_law, errors = self.likelihood.weigh(read, both.poses, places, both.errors)
        weighed = replace(both, errors=errors).weighted(both.log_weights + log_law)
        fresh = np.exp(weighed.log_weights[:, self._count :]).sum(axis=1)
        worn = (weighed.effective < 0.5 * self._count) | (fresh * self._count > 1.0)
        reach = np.broadcast_to(FARTHEST, both.poses.shape).copy()
        reach[:, : self._count] = old.reach()[:, None]
        after = weighed.resampled(self._count, worn, reach, step, draws)
        return ParticleFilterState(after, step, np.where(told, 0.0, cloud.unseen))

    def _spread(self, poses: Array) -> ParticleFilterState:
        """Begin with particles at poses (r, k, 3)."""
        equal = np.full(poses.shape[:2], -math.log(self._count))
        errors = self.likelihood.lasting.begin(len(poses), self._count)
        return ParticleFilterState(Particles(poses, equal, errors), 0, np.zeros(len(poses)))

    def _join_newcomers(
        self,
        cloud: ParticleFilterState,
        read: Array,
        landmarks: Array,
        unseen: Array,
        draws: Draws,
    ) -> Particles:
        """Add particles that were kidnapped in the time `unseen` (r,) [s]."""
        count = math.ceil(NEWCOMERS * self._count)
        found = self._relocalization.draw(read, landmarks, count, cloud.step + 1, draws)
        waited = unseen[:, None] / self._mean
        with np.errstate(divide='ignore'):
            log_kidnapped = np.log(-np.expm1(-waited))
        # The sensor is the one that it was.
        old = cloud.particles
        errors = old.errors.pooled(np.exp(old.log_weights)).repeated(count)
        newcomers = Particles(found.poses, found.log_weights + log_kidnapped, errors)
        return replace(old, log_weights=old.log_weights - waited).joined(newcomers)
