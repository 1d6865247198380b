# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Candidates: the objects that fit a phrase, in each posterior sample."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    strained : array of bool, shape (S,), optional
        Samples with a wider sense of the noun because no object with its exact name fits.

    """

    columns: Rows
    fits: Mask
    stages: tuple[NarrowingStage, ...] = ()
    score_factor: float = 1.0
    strained: Mask | None = None

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

    def mix(self, other: Candidates, chosen: Mask) -> Candidates:
        """Use another resolution of the phrase in the chosen samples, shape (S,)."""
        columns = np.union1d(self.columns, other.columns)
        fits = np.zeros((len(chosen), len(columns)), dtype=np.bool_)
        for each, rows in ((self, ~chosen), (other, chosen)):
            fits[np.ix_(rows, np.searchsorted(columns, each.columns))] = each.fits[rows]
        strained = chosen & (self.counts == 0)
        if self.strained is not None:
            strained |= self.strained
        base = self if self.fits.any() else other
        mixed = Candidates(columns, fits, self.stages).keep(fits, 'in any sense')
        return replace(mixed, score_factor=base.score_factor, strained=strained)


def share_any(fits: Mask) -> float:
    """Return the share of the samples, the rows of `fits`, in which any object fits."""
    return float(np.count_nonzero(fits.any(axis=1)) / len(fits))
