# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Candidates: the objects that fit a phrase, in each posterior sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from world_model_core.objects.answering.object_arrays import Rows
    from world_model_core.objects.answering.posterior_samples import Mask

__all__ = ['Candidates', 'NarrowingStage', 'share_any']


class NarrowingStage(NamedTuple):
    """
    Effect of one part of a phrase on the candidates.

    `words` is the part, `share` the share of the samples with any candidate left, `most` the
    largest number of candidates in one sample.
    """

    words: str
    share: float
    most: int


@dataclass(frozen=True, eq=False)
class Candidates:
    """
    Objects that a phrase may mean.

    Attributes
    ----------
    columns : array of int, shape (c,)
        Columns of the samples.
    fits : array of bool, shape (S, c)
        In which samples each object fits.
    stages : tuple of NarrowingStage
        How the candidates were narrowed down, the class first.
    score_factor : float
        Below 1 if words were interpreted more loosely than usual.

    """

    columns: Rows
    fits: Mask
    stages: tuple[NarrowingStage, ...] = ()
    score_factor: float = 1.0

    @cached_property
    def counts(self) -> Rows:
        """Number of objects that fit in each sample, shape (S,)."""
        counts: Rows = np.count_nonzero(self.fits, axis=1)
        return counts

    def keep(self, fits: Mask, words: str, score_factor: float = 1.0) -> Candidates:
        """Keep the objects that still fit, shape (S, c), after another part of the phrase."""
        kept = fits.any(axis=0)
        most = int(np.count_nonzero(fits, axis=1).max(initial=0))
        stages = (*self.stages, NarrowingStage(words, share_any(fits), most))
        score_factor *= self.score_factor
        if kept.all():
            return Candidates(self.columns, fits, stages, score_factor)
        return Candidates(self.columns[kept], fits[:, kept], stages, score_factor)


def share_any(fits: Mask) -> float:
    """Return the share of the samples, the rows of `fits`, in which any object fits."""
    return float(np.count_nonzero(fits.any(axis=1)) / len(fits))
