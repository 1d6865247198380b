# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""State of the Kalman filter: a Gaussian for free robots, one for stuck robots, and the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.uncertainty.input_checks import InputError, check_rows

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array
    from world_model_core.localization.landmark_offsets import LandmarkOffsets

__all__ = ['BIAS', 'DRIFT', 'FACTORS', 'POSE', 'SIZE', 'KalmanState', 'join_gaussians']

# State: pose, factors of nu and omega, bias (fraction of ranges, angle), drift (length, angle).
POSE, FACTORS, BIAS, DRIFT = slice(0, 3), slice(3, 5), slice(5, 7), slice(7, 9)
SIZE = 9
# Log of the odds at which a robot is lost: readings explained by any place against the estimate.
LOST = 9.2


@dataclass(frozen=True, slots=True, eq=False)
class KalmanState:
    """
    Estimates of n robots.

    Attributes
    ----------
    weights : array, shape (n, k)
        Probabilities of the modes: free, and stuck if the motion model has it.
    mode_means : array, shape (n, k, 9)
        x, y [m], theta [rad, not wrapped] in the map frame; factors of nu and omega; bias of the
        sensor, fraction of ranges and angle [rad]; its drift, length [m] and angle [rad].
    mode_covariances : array, shape (n, k, 9, 9)
    pebble_excess : array, shape (n, k, 3, 3)
        Additional covariance of the pose if there was a pebble in the last step. Few steps have
        one; in the others the covariance is too large.
    misfit : array, shape (n,)
        Log odds of the last readings: a robot that is anywhere against the estimate.
    offsets : LandmarkOffsets
        Estimated offsets of landmarks from their places in the map.

    """

    weights: Array
    mode_means: Array
    mode_covariances: Array
    pebble_excess: Array
    misfit: Array
    offsets: LandmarkOffsets

    def joined(self) -> tuple[Array, Array]:
        """Return mean (n, 9) and covariance (n, 9, 9) over modes and wrong landmarks."""
        mean, covariance = join_gaussians(self.weights, self.mode_means, self.mode_covariances)
        weights, moved, added = self.offsets.alternatives()
        means = np.concatenate((mean[:, None], mean[:, None] + moved), axis=1)
        right = covariance[:, None]
        covariances = np.concatenate((right, right + added), axis=1)
        # The map counts as right until a landmark is reported, but what may be wrong is uncertain.
        chosen = (self.offsets.wrong() + 1)[:, None, None]
        center = np.take_along_axis(means, chosen, axis=1)
        off = means - center
        spread = covariances + off[..., None] * off[..., None, :]
        return center[:, 0], np.einsum('nk,nkij->nij', weights, spread)

    @property
    def means(self) -> Array:
        """Mean states, shape (n, 9)."""
        return self.joined()[0]

    @property
    def covariances(self) -> Array:
        """Covariances of the states, shape (n, 9, 9)."""
        return self.joined()[1]

    @property
    def poses(self) -> Array:
        """Mean poses, shape (n, 3)."""
        return self.means[:, POSE]

    @property
    def pose_covariances(self) -> Array:
        """Covariances of the poses, shape (n, 3, 3)."""
        return self.covariances[:, POSE, POSE]

    @property
    def lost(self) -> NDArray[np.bool_]:
        """Whether robots are lost, shape (n,): their readings would fit any other place better."""
        return self.misfit > LOST

    @property
    def wrong_landmarks(self) -> NDArray[np.intp]:
        """Number of the landmark that is elsewhere than in the map, -1 if none is, shape (n,)."""
        return self.offsets.wrong()

    def nees(self, poses: ArrayLike) -> Array:
        """
        Return the normalized estimation errors squared (NEES), shape (n,), for true poses (n, 3).

        For a consistent filter they are chi-square distributed with 3 degrees of freedom
        (Bar-Shalom, Li, Kirubarajan, Estimation with Applications to Tracking and Navigation,
        2001, 5.4.2).

        Raises
        ------
        InputError
            The shape of the poses is wrong, a value is not finite, or a covariance is singular.

        """
        means, covariances = self.joined()
        off = check_rows('poses', poses, 3, len(means)) - means[:, POSE]
        off[:, 2] = wrap_angles(off[:, 2])
        try:
            return mahalanobis_squared(off, covariances[:, POSE, POSE])
        except np.linalg.LinAlgError as error:
            raise InputError(
                'a covariance of poses is singular; all its eigenvalues must be above 0'
            ) from error


def join_gaussians(weights: Array, means: Array, covariances: Array) -> tuple[Array, Array]:
    """
    Return mean (..., 9) and covariance (..., 9, 9) of mixtures of k states.

    Parameters
    ----------
    weights : array, shape (..., k)
        With the sum 1.
    means : array, shape (..., k, 9)
        Headings are compared within half a turn.
    covariances : array, shape (..., k, 9, 9)

    """
    likeliest = np.argmax(weights, axis=-1)[..., None, None]
    center = np.take_along_axis(means, likeliest, axis=-2)
    off = means - center
    off[..., 2] = wrap_angles(off[..., 2])
    shift = np.einsum('...k,...ki->...i', weights, off)
    apart = off - shift[..., None, :]
    covariance = np.einsum('...k,...kij->...ij', weights, covariances)
    covariance += np.einsum('...k,...ki,...kj->...ij', weights, apart, apart)
    return center[..., 0, :] + shift, covariance
