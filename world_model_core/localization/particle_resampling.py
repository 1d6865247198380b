# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Low-variance resampling of particles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['draw_indices']


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
