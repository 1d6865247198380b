# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Quadrature nodes over a sensor's bias and drift, for the distribution of its readings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.uncertainty.input_checks import check_values
from world_model_core.uncertainty.quadrature import Nodes, count_normal_nodes, normal_nodes
from world_model_core.uncertainty.range_density import Offset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['ErrorNodes', 'place_errors']

# Fraction of the view's end below which noise that grows with the distance is negligible.
NEAREST = 1e-3


class ErrorNodes(NamedTuple):
    """Nodes of the sensor errors: fraction of ranges, length [m] and angle [rad]."""

    part: Nodes
    length: Nodes
    angle: Nodes

    def blocks(self, size: int) -> Iterator[tuple[Offset, Array]]:
        """Yield `size` pairs of part and length at a time, with all angles, and their weights."""
        pairs = len(self.part.places) * len(self.length.places)
        for first in range(0, pairs, size):
            index = np.arange(first, min(first + size, pairs))
            rows, columns = np.divmod(index, len(self.length.places))
            errors = (self.part.places[rows], self.length.places[columns], self.angle.places)
            log_weights = self.part.log_weights[rows] + self.length.log_weights[columns]
            yield Offset(*(each[None, None] for each in errors)), log_weights


def place_errors(
    parameters: ObservationParameters, landmarks: int, cost: int, *, together: bool
) -> ErrorNodes:
    """
    Place nodes over the errors, as dense as the distribution of the readings needs.

    Parameters
    ----------
    parameters : ObservationParameters
    landmarks : int
    cost : int
        Number of values that the density of one range sums.
    together : bool
        Whether the readings share the errors of one sensor.

    Raises
    ------
    InputError
        Too many nodes would be needed.

    """
    spreads = _spreads(parameters, landmarks if together else 1)
    parts, lengths, angles = (count_normal_nodes(*each) for each in spreads)
    # Without clutter, angles are integrated separately.
    across = angles if parameters.clutter.is_on() else 0.0
    check_values(
        landmarks * (parts * lengths * (cost + across) + angles),
        f'{parts:.3g} values of bias by {lengths:.3g} of drift, and {angles:.3g} of angles, are '
        f'needed for {landmarks} landmarks; noise or field_of_view.near is too small compared '
        f'with bias and drift',
    )
    return ErrorNodes(*(normal_nodes(*each) for each in spreads))


def _spreads(parameters: ObservationParameters, readings: int) -> list[tuple[float, float]]:
    """Return for each error its standard deviation, and the resolution that readings need."""
    noise, bias, drift = parameters.noise, parameters.bias, parameters.drift
    near, far = parameters.field_of_view.near, parameters.field_of_view.far
    # Readings at the ends of the view may narrow the distribution of the bias by this factor.
    shrunk = 1.0 / math.sqrt(readings)
    finest = float(noise.deviation(np.array(max(near, NEAREST * far))))
    rate = math.hypot(noise.range_fraction, noise.range_std / far)
    turn = math.hypot(bias.bearing_std, drift.bearing_std)
    return [
        (bias.range_fraction, shrunk * rate),
        (drift.range_std, shrunk * finest),
        (turn, shrunk * noise.bearing_std),
    ]
