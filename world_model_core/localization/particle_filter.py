# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Particle filter that localizes robots among known landmarks and recovers after kidnappings.

Particles move by the Gaussian approximation of motion and are weighted by the likelihood of the
readings; each particle estimates the lasting errors of the sensor (`sensor_error_filter`). The
exact motion model hardly spreads positions, so copies of few particles would remain after some
time, and it spreads less than a velocity bias does.

Kidnappings are part of the model: particles that fit the readings are drawn from the kidnapped
poses (`global_relocalization`).
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
from world_model_core.localization.particle_motion_noise import VelocityNoise
from world_model_core.localization.particle_resampling import needs_resampling
from world_model_core.localization.particles import MAX_ROUGHENING, Particles
from world_model_core.uncertainty.input_checks import check_covariance, check_rows
from world_model_core.uncertainty.range_bearing import check_readings

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array
    from world_model_core.localization.particle_motion_noise import VelocityNoiseParameters
    from world_model_core.uncertainty.kidnapping import KidnapParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['ParticleFilter', 'ParticleFilterState']

# Number of new particles drawn in each correction, as a fraction of all.
NEW_PARTICLES = 0.2
# Minimum number of particles.
MIN_PARTICLES = 10


@dataclass(frozen=True, slots=True, eq=False)
class ParticleFilterState:
    """
    State of r particle filters.

    Attributes
    ----------
    particles : Particles
    step : int
        Number of predictions and corrections so far; draws depend on it.
    unseen : array, shape (r,)
        Time without a reading that could show a kidnapping [s].

    """

    particles: Particles
    step: int
    unseen: Array


class ParticleFilter:
    """
    Localizes any number of robots at once, each by its own particles.

    Parameters
    ----------
    motion : VelocityNoiseParameters
    kidnap : KidnapParameters
        Rate and poses of kidnappings in the model; also the poses of global localization.
    observation : ObservationParameters
    count : int, optional
        Number of particles of each robot.

    Attributes
    ----------
    likelihood : MeasurementSetLikelihood
        Likelihood of readings.

    Raises
    ------
    ConfigurationError
        Ranges or bearings have no noise, or `count` is below `MIN_PARTICLES`.

    """

    def __init__(
        self,
        motion: VelocityNoiseParameters,
        kidnap: KidnapParameters,
        observation: ObservationParameters,
        count: int = 1000,
    ) -> None:
        if count < MIN_PARTICLES:
            raise ConfigurationError(f'count is {count}; it must be at least {MIN_PARTICLES}')
        self._count, self._mean = count, kidnap.mean_interval
        self._motion = VelocityNoise(motion)
        self.likelihood = MeasurementSetLikelihood(observation)
        self._relocalization = GlobalRelocalization(kidnap, observation)

    def begin(self, poses: ArrayLike, covariance: ArrayLike, draws: Draws) -> ParticleFilterState:
        """
        Return particles around poses (r, 3) with a covariance (3, 3) [m, rad].

        Raises
        ------
        InputError
            A shape is wrong, a value is not finite, or the covariance is invalid.

        """
        rows = check_rows('poses', poses, 3)
        values, vectors = np.linalg.eigh(check_covariance(covariance, 3))
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        off = draws.normal('particles', 0, range(3), len(rows) * self._count) @ root.T
        return self._spread(rows[:, None] + off.reshape(len(rows), self._count, 3))

    def begin_anywhere(self, runs: int, draws: Draws) -> ParticleFilterState:
        """Return particles at uniform poses, for global localization."""
        anywhere = self._spread(self._relocalization.draw_anywhere(runs, self._count, draws))
        # New particles drawn from the first readings have the same prior weight.
        return replace(anywhere, unseen=np.full(runs, self._mean))

    def predict(
        self, state: ParticleFilterState, commands: ArrayLike, dt: float, draws: Draws
    ) -> ParticleFilterState:
        """
        Predict the particles.

        Parameters
        ----------
        state : ParticleFilterState
        commands : array_like, shape (r, 2)
            nu [m/s] and omega [rad/s].
        dt : float
            Duration [s].
        draws : Draws
            Draws of the filter, with another seed than that of the simulator.

        Raises
        ------
        InputError
            The shape of the commands is wrong, a value is not finite, or dt is not above 0.

        """
        old, step = state.particles, state.step + 1
        rows = np.repeat(check_rows('commands', commands, 2, len(old.poses)), self._count, axis=0)
        moved = self._motion.sample(old.poses.reshape(-1, 3), rows, dt, step, draws)
        errors = self.likelihood.lasting.predict(old.errors, dt)
        particles = Particles(moved.reshape(old.poses.shape), old.log_weights, errors)
        return ParticleFilterState(particles, step, state.unseen + dt)

    def correct(
        self, state: ParticleFilterState, readings: ArrayLike, landmarks: ArrayLike, draws: Draws
    ) -> ParticleFilterState:
        """
        Weigh particles by readings, and resample them if necessary.

        Readings that are impossible for all particles are ignored.

        Parameters
        ----------
        state : ParticleFilterState
        readings : array_like, shape (r, m, 2)
            Range [m] and bearing [rad]; NaN without a reading. Ranges of 0 or less are dropped.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.
        draws : Draws

        Raises
        ------
        InputError
            Shapes do not match, a reading is infinite, or a landmark is not finite.

        """
        places = check_rows('landmarks', landmarks, 2)
        old, step = state.particles, state.step + 1
        read = drop_nonpositive_ranges(check_readings(readings, len(old.poses), len(places)))
        told = np.any(~np.isnan(read[..., 0] + read[..., 1]), axis=1)
        if not told.any():
            return ParticleFilterState(old, step, state.unseen)
        both = self._add_new_particles(
            state, read, places, np.where(told, state.unseen, 0.0), draws
        )
        log_law, errors = self.likelihood.weigh(read, both.poses, places, both.errors)
        weighed = replace(both, errors=errors).weighted(both.log_weights + log_law)
        worn = needs_resampling(weighed.log_weights, weighed.effective, self._count)
        reach = np.broadcast_to(MAX_ROUGHENING, both.poses.shape).copy()
        reach[:, : self._count] = old.roughening()[:, None]
        after = weighed.resampled(self._count, worn, reach, step, draws)
        return ParticleFilterState(after, step, np.where(told, 0.0, state.unseen))

    def _spread(self, poses: Array) -> ParticleFilterState:
        """Return the initial state of particles at poses (r, k, 3)."""
        equal = np.full(poses.shape[:2], -math.log(self._count))
        errors = self.likelihood.lasting.begin(len(poses), self._count)
        return ParticleFilterState(Particles(poses, equal, errors), 0, np.zeros(len(poses)))

    def _add_new_particles(
        self,
        state: ParticleFilterState,
        read: Array,
        landmarks: Array,
        unseen: Array,
        draws: Draws,
    ) -> Particles:
        """Add particles that were kidnapped in the time `unseen` (r,) [s], drawn from readings."""
        count = math.ceil(NEW_PARTICLES * self._count)
        found = self._relocalization.draw(read, landmarks, count, state.step + 1, draws)
        waited = unseen[:, None] / self._mean
        with np.errstate(divide='ignore'):
            log_kidnapped = np.log(-np.expm1(-waited))
        # The errors of the sensor do not change by a kidnapping.
        old = state.particles
        errors = old.errors.pooled(np.exp(old.log_weights)).repeated(count)
        new = Particles(found.poses, found.log_weights + log_kidnapped, errors)
        return replace(old, log_weights=old.log_weights - waited).joined(new)
