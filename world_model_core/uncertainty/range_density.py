# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Density of one range, given the distance and the sensor's errors: noise, view, occlusion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.uncertainty.observation_parameters import ErrorOrder
from world_model_core.uncertainty.quadrature import (
    REACH,
    log_normal,
    log_probability,
    log_sum,
    panels,
)

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['Offset', 'RangeDensity']


class Offset(NamedTuple):
    """
    Sum of a sensor's bias and drift, as arrays that broadcast against ranges.

    `part`: fraction of the distance; `length` [m]; `angle` [rad].
    """

    part: Array
    length: Array
    angle: Array

    def expand(self) -> Offset:
        """Append an axis to each array."""
        return Offset(*(values[..., None] for values in self))


@dataclass(frozen=True, slots=True)
class RangeDensity:
    """
    p(l | r): the density of the measured range l, given the distance r.

    It is not normalized: its integral is the probability that r is in view.
    """

    parameters: ObservationParameters

    @property
    def hidden(self) -> float:
        """The probability that a landmark is hidden, by either kind of occlusion."""
        shares = self.parameters.occlusion.probability, self.parameters.lasting_occlusion.share
        return 1.0 - (1.0 - shares[0]) * (1.0 - shares[1])

    @property
    def hides_truth(self) -> bool:
        """Whether occlusion precedes the field of view and increases the true distance."""
        return self.parameters.order is ErrorOrder.LNPR

    def visible(self, distances: Array) -> Array:
        """Return the probability that a distance [m] is in view."""
        near, far = self.parameters.field_of_view.near, self.parameters.field_of_view.far
        visible = ((distances >= near) & (distances <= far)).astype(np.float64)
        if not self.hides_truth:
            return visible
        short = distances < near
        # Occlusion may move a landmark that is too near into view.
        pushed = self.hidden * (far - near) / (far - np.where(short, distances, near))
        return np.where(short, pushed, visible)

    def log_density(self, ranges: Array, distances: Array, offset: Offset) -> Array:
        """Return log p(l | r) of ranges l [m], given distances r [m]; all broadcast."""
        near, far = self.parameters.field_of_view.near, self.parameters.field_of_view.far
        seen = log_probability(((distances >= near) & (distances <= far)).astype(np.float64))
        plain = seen + self.log_measured(ranges, distances, offset)
        if self.hidden == 0.0:
            return plain
        if self.hides_truth:
            pushed = self._log_pushed(ranges, distances, offset)
        else:
            pushed = seen + self._log_pushed_reading(ranges, distances, offset)
        clear = math.log1p(-self.hidden) if self.hidden < 1.0 else -math.inf
        return np.logaddexp(clear + plain, math.log(self.hidden) + pushed)

    def log_measured(self, ranges: Array, distances: Array, offset: Offset) -> Array:
        """Return the log density of ranges of landmarks that are in view and not hidden."""
        mean, deviation = self._moments(distances, offset)
        return log_normal(ranges - mean, deviation)

    def reach(self, ranges: Array, offset: Offset) -> tuple[Array, Array, Array]:
        """
        Return the first, bulk and last distance [m] that may cause a range.

        The bulk ends where most of the density ends. If noise grows with the distance, the
        distance may be far beyond the range, and any distance is possible if noise grows by more
        than an eighth. A bias of -1 or below, which only the widest distributions contain,
        excludes no distance.
        """
        noise, gain = self.parameters.noise, 1.0 + offset.part
        growth, slack = np.array(noise.range_fraction), np.array(noise.range_std)
        if self.hides_truth:
            growth, slack = growth * gain, slack + growth * np.abs(offset.length)
        start = ranges - offset.length
        with np.errstate(divide='ignore', invalid='ignore'):
            first = (start - REACH * slack) / (gain + REACH * growth)
            last = (start + REACH * slack) / np.maximum(gain - REACH * growth, 0.0)
            middle = start / gain
            bulk = middle + REACH * self._moments(np.abs(middle), offset)[1] / gain
        last = np.where(gain > REACH * growth, np.maximum(last, bulk), np.inf)
        sound = gain > 0.0
        return (
            np.where(sound, first, -np.inf),
            np.where(sound, bulk, np.inf),
            np.where(sound, last, np.inf),
        )

    def _moments(self, distances: Array, offset: Offset) -> tuple[Array, Array]:
        """Return mean and standard deviation of the measured ranges of distances."""
        mean = distances * (1.0 + offset.part) + offset.length
        noise = self.parameters.noise
        deviation = noise.deviation(mean if self.hides_truth else distances)
        return mean, np.maximum(deviation, np.finfo(np.float64).tiny)

    def _log_pushed(self, ranges: Array, distances: Array, offset: Offset) -> Array:
        """Return the log density if the true distance becomes U(r, far) before it is measured."""
        near, far = self.parameters.field_of_view.near, self.parameters.field_of_view.far
        low = np.clip(distances, near, far)
        ends = (np.clip(end, low, far) for end in self.reach(ranges, offset))
        places, log_weights = panels(np.stack(np.broadcast_arrays(*ends), axis=-1))
        measured = self.log_measured(ranges[..., None], places, offset.expand())
        with np.errstate(divide='ignore', invalid='ignore'):
            spread = np.where(distances < far, -np.log(far - distances), -np.inf)
        return log_sum(log_weights + measured) + spread

    def _log_pushed_reading(self, ranges: Array, distances: Array, offset: Offset) -> Array:
        """
        Return the log density if the measured range l0 becomes U(l0, far).

        It is the integral of p(l0) / (far - l0) up to l. Integrating over -log(far - l0) removes
        the pole. A range beyond far is unchanged.
        """
        far = self.parameters.field_of_view.far
        mean, deviation = self._moments(distances, offset)
        ranges, mean, deviation = np.broadcast_arrays(ranges, mean, deviation)
        top = np.minimum(ranges, far * (1.0 - 1e-15))
        low = np.minimum(top, mean) - REACH * deviation
        edges = np.stack((low, mean, mean + REACH * deviation), axis=-1)
        places, log_weights = panels(-np.log(far - np.minimum(edges, top[..., None])))
        measured = log_normal(far - np.exp(-places) - mean[..., None], deviation[..., None])
        beyond = log_normal(ranges - mean, deviation)
        return np.where(ranges < far, log_sum(log_weights + measured), beyond)
