# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The law of a list of readings as a particle filter can use it.

The exact law falls to nothing at the edges of the view: a landmark that comes into view tells the
heading to a fraction of a degree, and of a thousand particles none is left. So edges, and what is
not read, tell nothing here; errors that last are taken for noise, and phantoms, whose exact law
costs a thousand times as much, are taken to be read without an error.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.drift import Drift
from world_model_core.uncertainty.noise import RangeBearingNoise
from world_model_core.uncertainty.observation_density import ObservationDensity
from world_model_core.uncertainty.oversight import Oversight
from world_model_core.uncertainty.phantom import Phantom
from world_model_core.uncertainty.quadrature import log_probability
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.view import View

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

# Times the farthest in view: what noise may make of it is far from any edge.
EDGE = 2.0


class ListLaw:
    """
    log p(z | x) of lists, of the landmarks that were read.

    A phantom's place is uniform in its rectangle, of area A, so that its range and bearing have
    the density range / A, wherever the pose is.

    Parameters
    ----------
    parameters : ObservationParameters
        Bias and drift are taken for noise, anew in each reading: `as_noise`.

    Raises
    ------
    ConfigurationError
        Without noise of ranges, or of bearings, there is no density.

    """

    def __init__(self, parameters: ObservationParameters) -> None:
        self._phantom = parameters.phantom
        view = View(near=0.0, far=EDGE * parameters.view.far, half_angle=math.pi)
        real = replace(
            as_noise(parameters),
            view=view,
            phantom=Phantom(),
            oversight=Oversight(probability=0.0),
        )
        self._law = ObservationDensity(real)

    def log_density(self, readings: Array, poses: Array, landmarks: ArrayLike) -> Array:
        """
        Evaluate the law of lists.

        Parameters
        ----------
        readings : array, shape (n, m, 2)
            Range [m] and bearing [rad]; NaN where there is none.
        poses : array, shape (n, 3)
        landmarks : array_like, shape (m, 2)

        Returns
        -------
        array, shape (n,)

        Raises
        ------
        InputError
            Arrays do not fit each other, or a value is not finite.

        """
        each = self._law.given_bias(readings, poses, landmarks)
        if self._phantom.is_on():
            each = self._mix(each, readings)
        told: Array = np.where(np.isnan(readings).any(axis=-1), 0.0, each).sum(axis=1)
        return told

    def _mix(self, real: Array, readings: Array) -> Array:
        """Take into account that what was read may be a phantom."""
        share = self._phantom.probability
        ranges = np.nan_to_num(np.abs(readings[..., 0]))
        false = math.log(share) + log_probability(ranges / self._phantom.area())
        return np.logaddexp(log_probability(1.0 - share) + real, false)


def as_noise(parameters: ObservationParameters) -> ObservationParameters:
    """
    Take bias and drift of a sensor for noise, of the same variance as far as noise may be large.

    Of LNPR's sensor that makes 0.14 for ranges and 0.05 rad: what its filters have.
    """
    noise, bias, drift = parameters.noise, parameters.bias, parameters.drift
    deviations = {
        'range_rate': math.hypot(noise.range_rate, bias.range_rate),
        'range_std': math.hypot(noise.range_std, drift.range_std),
        'bearing_std': math.hypot(noise.bearing_std, bias.bearing_std, drift.bearing_std),
    }
    most = {item.name: item.metadata['maximum'] for item in fields(RangeBearingNoise)}
    wide = RangeBearingNoise(**{key: min(std, most[key]) for key, std in deviations.items()})
    none = SensorBias(range_rate=0.0, bearing_std=0.0)
    return replace(parameters, noise=wide, bias=none, drift=Drift())
