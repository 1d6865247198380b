# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of the first, second or last candidates by a measure, in each posterior sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.posterior_samples import Mask

__all__ = ['EQUAL', 'select_ordinal', 'select_ranked']

# Measures closer than this are equal except for rounding [m or m^2].
EQUAL = 1e-9


def select_ranked(fits: Mask, measures: Array, rank: int = 1, number: int = 1) -> Mask:
    """
    Select the candidates with the least measure; equal measures are selected together.

    Parameters
    ----------
    fits : array of bool, shape (S, c)
        Candidates of each sample.
    measures : array, shape (S, c) or (c,)
        Candidates with an infinite or NaN measure are never selected.
    rank : int
        From 1; 2 selects the second least.
    number : int
        Number of candidates to select, from that rank on.

    Returns
    -------
    array of bool, shape (S, c)
        All False in samples with fewer candidates than `rank`.

    """
    if fits.shape[1] < rank:
        return np.zeros_like(fits)
    ordered = np.where(fits, measures, np.inf)
    ordered[np.isnan(ordered)] = np.inf
    last = min(rank + number - 1, fits.shape[1])
    places = np.partition(ordered, (rank - 1, last - 1), axis=1)
    lowest, highest = places[:, rank - 1, None] - EQUAL, places[:, last - 1, None] + EQUAL
    picked: Mask = (lowest <= ordered) & (ordered <= highest) & np.isfinite(ordered)
    return picked


def select_ordinal(fits: Mask, ordinal: int) -> Mask:
    """
    Select the candidate at a position in the order of the columns, shape (S, c).

    `ordinal` counts from 1, or from the end: -1 is the last.
    """
    forwards = fits if ordinal > 0 else fits[:, ::-1]
    chosen: Mask = forwards & (forwards.cumsum(axis=1) == abs(ordinal))
    return chosen if ordinal > 0 else chosen[:, ::-1]
