# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Global relocalization: poses of a robot that is known by its current readings only.

A kidnapped robot may be anywhere, and hardly any uniform pose fits its readings. Poses are
therefore drawn from one of the readings (sensor resetting: Lenser and Veloso, ICRA 2000), and
weighted by the density of a kidnapping over that of the draw (importance sampling). The result is
that of many more uniform poses, without a parameter that decides when to use them.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import logsumexp, ndtri

from world_model_core.angles import FULL_TURN, wrap_angles
from world_model_core.uncertainty.quadrature import log_normal
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.kidnapping import KidnapParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['GlobalRelocalization', 'PoseProposals', 'with_bias_as_noise']

SOURCE = 'relocation'
# Logarithm of a density of 0, finite for additions and subtractions.
LOG_ZERO = -1e300
# Minimum standard deviation of ranges [m].
LEAST = 1e-6


class PoseProposals(NamedTuple):
    """
    Poses drawn from readings.

    `poses` (r, k, 3); `log_weights` (r, k): log of the density of a kidnapping to that pose, over
    the density of the draw, over k; -inf without readings.
    """

    poses: Array
    log_weights: Array


class GlobalRelocalization:
    """
    Draws poses of kidnapped robots.

    Parameters
    ----------
    kidnap : KidnapParameters
        Range of the poses.
    observation : ObservationParameters
        Errors of the readings.

    """

    def __init__(self, kidnap: KidnapParameters, observation: ObservationParameters) -> None:
        self._low, self._size = kidnap.pose_range()
        self._size[2] = min(self._size[2], FULL_TURN)
        self._noise = with_bias_as_noise(observation).noise

    def draw_anywhere(self, runs: int, count: int, draws: Draws) -> Array:
        """Draw uniform poses of kidnappings, shape (runs, count, 3)."""
        luck = draws.uniform(SOURCE, 0, range(3), runs * count)
        poses: Array = self._low + self._size * luck
        return poses.reshape(runs, count, 3)

    def draw(
        self, readings: Array, landmarks: Array, count: int, step: int, draws: Draws
    ) -> PoseProposals:
        """
        Draw `count` poses for each set of readings.

        Each pose is on the circle around a random detected landmark with the measured range, and
        heads by the measured bearing; both with the noise of the sensor.

        Parameters
        ----------
        readings : array, shape (r, m, 2)
            NaN without a reading.
        landmarks : array, shape (m, 2)
        count : int
        step : int
            Number of the step, for the draws.
        draws : Draws

        """
        runs = len(readings)
        there = ~np.isnan(readings[..., 0] + readings[..., 1])
        known = np.where(there[..., None], readings, 1.0)
        stds = self._deviations(known)
        luck = draws.uniform(SOURCE, step + 1, range(4), runs * count).reshape(runs, count, 4)
        found = there.sum(axis=1, keepdims=True)
        pick = np.minimum((luck[..., 0] * found).astype(np.intp), np.maximum(found - 1, 0))
        chosen = np.take_along_axis(np.argsort(~there, axis=1, kind='stable'), pick, axis=1)
        rows = np.arange(runs)[:, None]
        read = known[rows, chosen] + stds[rows, chosen] * ndtri(luck[..., 1:3])
        around = FULL_TURN * luck[..., 3]
        away = np.stack((np.cos(around), np.sin(around)), axis=-1)
        places = landmarks[chosen] + np.abs(read[..., :1]) * away
        heading = wrap_angles(around + math.pi - read[..., 1])
        poses = np.concatenate((places, heading[..., None]), axis=-1)
        log_drawn = self._log_drawn(poses, known, stds, there, landmarks)
        log_weights = self._log_kidnapped(poses) - math.log(count)
        return PoseProposals(poses, np.where(found > 0, log_weights - log_drawn, -np.inf))

    def _deviations(self, readings: Array) -> Array:
        """Return the standard deviations of readings with shared errors, shape (r, m, 2)."""
        ranges = readings[..., 0]
        turn = np.full_like(ranges, self._noise.bearing_std)
        return np.stack((np.maximum(self._noise.deviation(ranges), LEAST), turn), axis=-1)

    def _log_drawn(
        self,
        poses: Array,
        readings: Array,
        stds: Array,
        there: NDArray[np.bool_],
        landmarks: Array,
    ) -> Array:
        """Return the log density of poses in `draw`, by any of the readings, shape (r, k)."""
        runs, count, _ = poses.shape
        seen = observe_exactly(poses.reshape(-1, 3), landmarks).reshape(runs, count, -1, 2)
        off = seen - readings[:, None]
        off[..., 1] = wrap_angles(off[..., 1])
        each = log_normal(off, stds[:, None])
        # A negative range is drawn as its absolute value.
        folded = log_normal(seen[..., 0] + readings[:, None, :, 0], stds[:, None, :, 0])
        each[..., 0] = np.logaddexp(each[..., 0], folded)
        each = each.sum(axis=-1)
        # Density on x and y, from that on distance and direction.
        each -= np.log(FULL_TURN * np.maximum(seen[..., 0], 1e-9))
        each = np.where(there[:, None], each, LOG_ZERO)
        number = np.maximum(there.sum(axis=1), 1)[:, None]
        drawn: Array = logsumexp(each, axis=-1) - np.log(number)
        return drawn

    def _log_kidnapped(self, poses: Array) -> Array:
        """Return the log density of kidnapped poses, shape (r, k)."""
        off = poses - self._low
        off[..., 2] = np.remainder(off[..., 2], FULL_TURN)
        inside = ((off >= 0.0) & (off <= self._size)).all(axis=-1)
        return np.where(inside, -np.log(self._size.prod()), -np.inf)


def with_bias_as_noise(parameters: ObservationParameters) -> ObservationParameters:
    """
    Replace bias and drift of a sensor by noise of the same variance, within the limits of noise.

    For LNPR's sensor the result is 0.14 for ranges and 0.05 rad, as in its filters.
    """
    noise, bias, drift = parameters.noise, parameters.bias, parameters.drift
    deviations = {
        'range_fraction': math.hypot(noise.range_fraction, bias.range_fraction),
        'range_std': math.hypot(noise.range_std, drift.range_std),
        'bearing_std': math.hypot(noise.bearing_std, bias.bearing_std, drift.bearing_std),
    }
    most = {item.name: item.metadata['maximum'] for item in fields(RangeBearingNoise)}
    wide = RangeBearingNoise(**{key: min(std, most[key]) for key, std in deviations.items()})
    none = SensorBias(range_fraction=0.0, bearing_std=0.0)
    return replace(parameters, noise=wide, bias=none, drift=SensorDrift())
