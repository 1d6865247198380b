# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Distribution of the number of pebbles in a step, with an unknown velocity bias."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln, xlogy

from world_model_core.uncertainty.input_checks import check_events
from world_model_core.uncertainty.quadrature import REACH, kinked_nodes, log_sum

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.pebble_noise import PebbleParameters
    from world_model_core.uncertainty.velocity_bias import VelocityBiasParameters

__all__ = ['PebbleCounts']

# Robots times nodes of both factors in one array, which limits its size to some megabytes.
CELLS = 500_000
# Robots in one array, for the same reason.
ROWS = 2048


class PebbleCounts:
    """
    A Poisson distribution, integrated over the factors on which its mean depends.

    Parameters
    ----------
    pebbles : PebbleParameters
    bias : VelocityBiasParameters

    """

    def __init__(self, pebbles: PebbleParameters, bias: VelocityBiasParameters) -> None:
        self._pebbles, self._bias = pebbles, bias

    def log_probability(
        self, count: int, commands: Array, dt: float, mean: Array, std: Array
    ) -> Array:
        """
        Return the log probability of `count` pebbles.

        Parameters
        ----------
        count : int
        commands : array, shape (n, 2)
        dt : float
        mean, std : array, shape (n,)
            Of the factor of omega; an observed turn may narrow its distribution.

        Returns
        -------
        array, shape (n,)

        """
        rates = self._pebbles.rate * dt * np.abs(commands)
        rates *= (1.0, self._pebbles.turning_radius)
        log = np.empty(len(rates))
        for first in range(0, len(rates), ROWS):
            rows = slice(first, first + ROWS)
            log[rows] = self._log_rows(count, rates[rows], mean[rows], std[rows])
        return log

    def most(self, commands: Array, dt: float) -> int:
        """
        Return a number of pebbles that is exceeded with probability 1e-15 at most.

        Raises
        ------
        InputError
            The expected number of pebbles in the step exceeds the limit.

        """
        bias, pebbles = self._bias, self._pebbles
        means, stds = np.abs((bias.nu_mean, bias.omega_mean)), (bias.nu_std, bias.omega_std)
        expected = pebbles.frequency(commands * np.hypot(means, stds)) * dt
        check_events('pebbles', float(expected.max(initial=0.0)))
        met = pebbles.frequency(commands * (means + REACH * np.array(stds))) * dt
        most = float(met.max(initial=0.0))
        return math.ceil(most + REACH * math.sqrt(most) + 16.0)

    def _log_rows(self, count: int, rates: Array, mean: Array, std: Array) -> Array:
        """Return log probabilities, given the expected pebbles (n, 2) at factors of one."""
        bias = self._bias
        kept = (abs(bias.nu_mean) >= REACH * bias.nu_std) & (np.abs(mean) >= REACH * std)
        # Then the expected number is normal, or the absolute value of a normal number.
        single = kept | (rates == 0.0).any(axis=1)
        log, rest = np.empty(len(rates)), ~single
        middle = rates[:, 0] * abs(bias.nu_mean) + rates[:, 1] * np.abs(mean)
        width = np.hypot(rates[:, 0] * bias.nu_std, rates[:, 1] * std)
        nodes = kinked_nodes(middle[single], width[single], 1.0)
        log[single] = log_sum(_log_poisson(count, np.abs(nodes.places)) + nodes.log_weights)
        if rest.any():
            log[rest] = self._log_mixed(count, rates[rest], mean[rest], std[rest])
        return log

    def _log_mixed(self, count: int, rates: Array, mean: Array, std: Array) -> Array:
        """Return log probabilities where both factors are uncertain and may change their signs."""
        events, turns = rates.max(axis=0)
        nodes = kinked_nodes(np.array(self._bias.nu_mean), np.array(self._bias.nu_std), events)
        others = kinked_nodes(mean, std, turns)
        ahead, aside = rates[:, :1] * np.abs(nodes.places), rates[:, 1:] * np.abs(others.places)
        log = np.empty(len(rates))
        size = max(1, CELLS // (ahead.shape[1] * aside.shape[1]))
        for first in range(0, len(rates), size):
            rows = slice(first, first + size)
            met = ahead[rows, None] + aside[rows, :, None]
            inner = log_sum(_log_poisson(count, met) + nodes.log_weights)
            log[rows] = log_sum(inner + others.log_weights[rows])
        return log


def _log_poisson(count: int, mean: Array) -> Array:
    """Return log probabilities of `count` events."""
    log: Array = xlogy(count, mean) - mean - gammaln(count + 1.0)
    return log
