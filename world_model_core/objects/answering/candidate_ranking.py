# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which of the candidates is meant, and how likely."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.answering.query_text import object_text, phrase_text
from world_model_core.objects.query import Determiner

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.candidates import Candidates
    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Description
    from world_model_core.objects.values import MapObject

# Probabilities closer than this are one: the map does not tell between the objects.
EQUAL = 1e-6
# So many are named of those that are equal.
NAMED = 5


class RankedCandidates(NamedTuple):
    """Who may be meant by a phrase, likeliest first, and with which probability (c,)."""

    objects: tuple[MapObject, ...]
    probabilities: Array


def rank_candidates(
    description: Description, resolver: PhraseResolver, weights: Array
) -> RankedCandidates:
    """
    Rank who may be meant, given weights of the worlds (S,).

    Where one is meant and several fit, each of them is as likely as the others.
    """
    found = resolver.resolve(description)
    shares = meant_probabilities(description, found)
    probabilities = weights @ shares
    order = np.argsort(-probabilities, kind='stable')
    objects = resolver.samples.objects(found.columns[order])
    return RankedCandidates(objects, probabilities[order])


def meant_probabilities(description: Description, found: Candidates) -> Array:
    """Say how likely each candidate is meant in each world, shape (S, c)."""
    fits = found.fits.astype(np.float64)
    if description.plural or description.determiner is not Determiner.THE:
        return fits
    shares: Array = fits / np.maximum(found.counts, 1)[:, None]
    return shares


def ambiguity_notes(description: Description, choice: RankedCandidates) -> tuple[str, ...]:
    """Say what the one chosen is not told from, and whether several are meant."""
    words = phrase_text(description)
    equal = np.flatnonzero(choice.probabilities >= choice.probabilities[0] - EQUAL).tolist()
    if description.plural and len(choice.objects) > 1:
        return (f'"{words}" means several: the likeliest is told, then the others',)
    if len(equal) < 2 or description.determiner is not Determiner.THE:
        return ()
    named = ', '.join(object_text(choice.objects[index]) for index in equal[:NAMED])
    more = f' and {len(equal) - NAMED} more' if len(equal) > NAMED else ''
    return (f'"{words}" fits {len(equal)} objects alike: {named}{more}',)
