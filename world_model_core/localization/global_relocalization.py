# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Where a robot may be of which nothing is known but what it reads now.

A robot that was kidnapped may be anywhere. Of places drawn anywhere next to none fits what it
reads; so places are drawn where one of the readings puts it (sensor resetting: Lenser and Veloso,
ICRA 2000), and weighted by how much likelier they are to be drawn so than by a kidnapper
(importance sampling). What a filter makes of them is what it would make of many more places drawn
anywhere: nothing need be tuned to tell when to use them.
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
# The logarithm of no density, finite so that it can be added and taken away.
NONE = -1e300
# Of a deviation that grows with the range, at none [m].
LEAST = 1e-6


class PoseProposals(NamedTuple):
    """
    Poses that readings suggest.

    `poses` (r, k, 3); `log_weights` (r, k), logarithms of the density with which a kidnapper
    chooses such a pose over that with which it was drawn, over k; -inf where it was not.
    """

    poses: Array
    log_weights: Array


class GlobalRelocalization:
    """
    Draws poses at which robots may have been put down.

    Parameters
    ----------
    kidnap : KidnapParameters
        Where that may be.
    observation : ObservationParameters
        Of these, how far readings are off.

    """

    def __init__(self, kidnap: KidnapParameters, observation: ObservationParameters) -> None:
        self._low, self._size = kidnap.pose_range()
        self._size[2] = min(self._size[2], FULL_TURN)
        self._noise = with_bias_as_noise(observation).noise

    def draw_anywhere(self, runs: int, count: int, draws: Draws) -> Array:
        """Draw poses as a kidnapper does, shape (runs, count, 3)."""
        luck = draws.uniform(SOURCE, 0, range(3), runs * count)
        poses: Array = self._low + self._size * luck
        return poses.reshape(runs, count, 3)

    def draw(
        self, readings: Array, landmarks: Array, count: int, step: int, draws: Draws
    ) -> PoseProposals:
        """
        Draw `count` poses for each list.

        Each is on the circle around one of the landmarks read, chosen at random, that the range
        tells, and heads as the bearing tells; both are blurred by the deviations of the sensor.

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
        """Give the deviations of readings with their shared errors, shape (r, m, 2)."""
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
        """Give the log density with which `draw` draws poses, by any of the readings, (r, k)."""
        runs, count, _ = poses.shape
        seen = observe_exactly(poses.reshape(-1, 3), landmarks).reshape(runs, count, -1, 2)
        off = seen - readings[:, None]
        off[..., 1] = wrap_angles(off[..., 1])
        each = log_normal(off, stds[:, None])
        # A range that was drawn below 0 is taken without its sign.
        folded = log_normal(seen[..., 0] + readings[:, None, :, 0], stds[:, None, :, 0])
        each[..., 0] = np.logaddexp(each[..., 0], folded)
        each = each.sum(axis=-1)
        # Of x and y, by the distance and a direction.
        each -= np.log(FULL_TURN * np.maximum(seen[..., 0], 1e-9))
        each = np.where(there[:, None], each, NONE)
        number = np.maximum(there.sum(axis=1), 1)[:, None]
        drawn: Array = logsumexp(each, axis=-1) - np.log(number)
        return drawn

    def _log_kidnapped(self, poses: Array) -> Array:
        """Give the log density with which a kidnapper chooses poses, (r, k)."""
        off = poses - self._low
        off[..., 2] = np.remainder(off[..., 2], FULL_TURN)
        inside = ((off >= 0.0) & (off <= self._size)).all(axis=-1)
        return np.where(inside, -np.log(self._size.prod()), -np.inf)


def with_bias_as_noise(parameters: ObservationParameters) -> ObservationParameters:
    """
    Take bias and drift of a sensor for noise, of the same variance as far as noise may be large.

    Of LNPR's sensor that makes 0.14 for ranges and 0.05 rad: what its filters have.
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
