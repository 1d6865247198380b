# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ranking of the candidates of a phrase by the probability that they are meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.answering.answer_wording import named_equal_objects, plural_phrase
from world_model_core.objects.query import Determiner

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.candidates import Candidates
    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Description
    from world_model_core.objects.values import MapObject

__all__ = [
    'RankedCandidates',
    'ambiguity_notes',
    'even_out',
    'meant_probabilities',
    'rank_candidates',
]

# Probabilities closer than this are equal: the objects cannot be told apart.
EQUAL = 1e-6
# Range of probabilities, in standard errors, that sampling explains: 1 of 100 ranges of ten
# normal variables is larger (David and Nagaraja, Order Statistics, 2003).
WITHIN = 5.2


class RankedCandidates(NamedTuple):
    """Candidates of a phrase, most probable first, and their probabilities (c,)."""

    objects: tuple[MapObject, ...]
    probabilities: Array


def rank_candidates(
    description: Description, resolver: PhraseResolver, weights: Array
) -> RankedCandidates:
    """
    Rank the candidates of a phrase, given weights of the samples (S,).

    One object is the answer, also to a plural: if several fit, all of them are equally probable.
    """
    found = resolver.resolve(description)
    shares = found.fits / np.maximum(found.counts, 1)[:, None]
    probabilities = even_out(weights @ shares, found)
    order = np.argsort(-probabilities, kind='stable')
    objects = resolver.samples.objects(found.columns[order])
    return RankedCandidates(objects, probabilities[order])


def even_out(probabilities: Array, found: Candidates) -> Array:
    """
    Remove sampling errors between candidates that nothing distinguishes.

    The draws are stratified: objects that fit with the same probability fit in the same number of
    samples, and differ only in which others fit there. If their probabilities (c,) of being meant
    differ by less than the sampling error, they get the mean.
    """
    samples, fitting = len(found.fits), np.count_nonzero(found.fits, axis=0)
    alike = np.maximum(np.bincount(fitting, minlength=samples + 1), 1)
    means = np.bincount(fitting, probabilities, samples + 1) / alike
    lowest, highest = np.ones(samples + 1), np.zeros(samples + 1)
    np.minimum.at(lowest, fitting, probabilities)
    np.maximum.at(highest, fitting, probabilities)
    errors = np.sqrt(means * np.maximum(0.0, 1.0 - means) / samples)
    evened: Array = np.where(
        (highest - lowest <= WITHIN * errors)[fitting], means[fitting], probabilities
    )
    return evened


def meant_probabilities(description: Description, found: Candidates) -> Array:
    """Return the probability that each candidate is meant in each sample, shape (S, c)."""
    fits = found.fits.astype(np.float64)
    if description.plural or description.determiner is not Determiner.THE:
        return fits
    shares: Array = fits / np.maximum(found.counts, 1)[:, None]
    return shares


def ambiguity_notes(description: Description, choice: RankedCandidates) -> tuple[str, ...]:
    """Describe the ambiguity of the selected object, if there is any."""
    equal = np.flatnonzero(choice.probabilities >= choice.probabilities[0] - EQUAL).tolist()
    if description.plural and len(choice.objects) > 1:
        return (plural_phrase(description),)
    if len(equal) < 2:
        return ()
    return (named_equal_objects(description, [choice.objects[index] for index in equal]),)
