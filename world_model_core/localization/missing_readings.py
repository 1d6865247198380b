# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Likelihood of landmarks without a reading, by uncertain poses of robots.

A robot that turns past a landmark must see it. If it does not, it is probably stuck: while no
landmark is in view this is the only evidence.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['MissingReadings']

# Least probability that a landmark in view is missed, by causes that are not in the model.
MISSED = 0.05
# Standard deviations by which a landmark must be inside of the view. An error of the pose lasts
# for many readings, which would count as independent evidence if it hid a landmark at the edge.
SURE = 3.0
# Least distance of a landmark [m].
NEAREST = 1e-3


class MissingReadings:
    """
    Evaluates the probability of no reading of a landmark.

    Parameters
    ----------
    observation : ObservationParameters
        Field of view, missed detections and clutter are used. Clutter is taken as out of view, so
        it makes the absence of a reading less informative than it is.

    """

    def __init__(self, observation: ObservationParameters) -> None:
        missed = max(observation.missed_detection.probability, MISSED)
        self._detected = (1.0 - missed) * (1.0 - observation.clutter.probability)
        self._view = observation.field_of_view

    def log_probability(self, poses: Array, covariances: Array, places: Array) -> Array:
        """
        Return the log probability (..., m) that landmarks give no reading.

        Parameters
        ----------
        poses : array, shape (..., 3)
        covariances : array, shape (..., 3, 3)
        places : array, shape (m, 2)

        """
        way = places - poses[..., None, :2]
        distance = np.maximum(np.hypot(way[..., 0], way[..., 1]), NEAREST)
        bearing = wrap_angles(np.arctan2(way[..., 1], way[..., 0]) - poses[..., None, 2])
        along = way / distance[..., None]
        across = np.stack((along[..., 1], -along[..., 0]), axis=-1) / distance[..., None]
        by_pose = np.concatenate((across, np.full_like(across[..., :1], -1.0)), axis=-1)
        lengths = _deviation(along, covariances[..., :2, :2])
        angles = _deviation(by_pose, covariances)
        view = self._view
        far = np.minimum(distance - view.near, view.far - distance) > SURE * lengths
        ahead = view.half_angle - np.abs(bearing) > SURE * angles
        in_view = far & (ahead | (view.half_angle >= math.pi))
        return np.where(in_view, math.log1p(-self._detected), 0.0)


def _deviation(directions: Array, covariances: Array) -> Array:
    """Return the standard deviations (..., m) along directions (..., m, s)."""
    variances = np.einsum('...mi,...ij,...mj->...m', directions, covariances, directions)
    deviations: Array = np.sqrt(np.maximum(variances, 0.0))
    return deviations
