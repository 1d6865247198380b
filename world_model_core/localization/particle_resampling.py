# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""When particles are resampled, and low-variance resampling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['draw_indices', 'needs_resampling']

# Particles are resampled if their effective number is below this share of their number.
MIN_EFFECTIVE = 0.5


def needs_resampling(log_weights: Array, effective: Array, count: int) -> NDArray[np.bool_]:
    """
    Return which of r filters to resample, shape (r,): their weight is on few or on new particles.

    Parameters
    ----------
    log_weights : array, shape (r, k)
        Logarithms of the weights of `count` particles, then of the new ones.
    effective : array, shape (r,)
        Effective number of particles.
    count : int
        Number of particles to keep.

    """
    new = np.exp(log_weights[:, count:]).sum(axis=1)
    needed: NDArray[np.bool_] = (effective < MIN_EFFECTIVE * count) | (new * count > 1.0)
    return needed


def draw_indices(weights: Array, count: int, uniform: Array) -> NDArray[np.intp]:
    """
    Draw indices of particles by weight (Probabilistic Robotics, table 4.4).

    Parameters
    ----------
    weights : array, shape (r, k)
        Weights of k particles of r filters; they need not sum to 1.
    count : int
        Number of draws of each filter.
    uniform : array, shape (r,)
        One uniform draw from (0, 1) for each filter.

    Returns
    -------
    array of int, shape (r, count)

    """
    edges = np.cumsum(weights, axis=1)
    edges /= edges[:, -1:]
    teeth = (np.arange(count) + uniform[:, None]) / count
    # One search for all filters: each has its own unit interval.
    filters, number = np.arange(len(edges))[:, None], edges.shape[1]
    found = np.searchsorted((edges + filters).ravel(), (teeth + filters).ravel())
    rows = found.reshape(len(edges), count) - filters * number
    drawn: NDArray[np.intp] = np.minimum(rows, number - 1)
    return drawn
