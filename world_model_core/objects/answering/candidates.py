# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Who fits a phrase so far, in every possible world."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from world_model_core.objects.answering.object_arrays import Rows
    from world_model_core.objects.answering.posterior_samples import Mask


class NarrowingStage(NamedTuple):
    """
    What one part of a phrase left.

    `words` say the part; `share` is that of the worlds in which anyone still fits, and `most` how
    many fit in any of them.
    """

    words: str
    share: float
    most: int


@dataclass(frozen=True, eq=False)
class Candidates:
    """
    Who a phrase may mean.

    Attributes
    ----------
    columns : array of int, shape (c,)
        Of the worlds' objects.
    fits : array of bool, shape (S, c)
        In which worlds each of them fits.
    trail : tuple of Stage
        How they became fewer, the class first.
    strain : float
        Below 1 where words had to be taken more loosely than they are usually meant.

    """

    columns: Rows
    fits: Mask
    stages: tuple[NarrowingStage, ...] = ()
    score_factor: float = 1.0

    @cached_property
    def counts(self) -> Rows:
        """How many fit in each world, shape (S,)."""
        counts: Rows = np.count_nonzero(self.fits, axis=1)
        return counts

    def keep(self, fits: Mask, words: str, score_factor: float = 1.0) -> Candidates:
        """Keep who still fits, shape (S, c), after what some words ask for, so taken."""
        kept = fits.any(axis=0)
        most = int(np.count_nonzero(fits, axis=1).max(initial=0))
        stages = (*self.stages, NarrowingStage(words, share_any(fits), most))
        score_factor *= self.score_factor
        if kept.all():
            return Candidates(self.columns, fits, stages, score_factor)
        return Candidates(self.columns[kept], fits[:, kept], stages, score_factor)


def share_any(fits: Mask) -> float:
    """Return the share of the worlds, the rows of `fits`, in which anyone fits."""
    return float(np.count_nonzero(fits.any(axis=1)) / len(fits))
