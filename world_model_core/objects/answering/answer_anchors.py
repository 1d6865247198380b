# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Anchors of an answer: the objects to which the question relates those that it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import Anchor
from world_model_core.objects.answering.parse_score import (
    nested_phrases,
    query_targets,
    sample_weights,
)
from world_model_core.objects.answering.query_text import phrase_text

if TYPE_CHECKING:
    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Description, Query

__all__ = ['find_anchors']

# Objects that fit a phrase with a lower probability are omitted, and further objects.
LEAST, MOST_OBJECTS = 0.1, 100


def find_anchors(query: Query, resolver: PhraseResolver) -> tuple[Anchor, ...]:
    """Find the objects of all phrases inside of the phrases that a query asks for."""
    nested = (each for target in query_targets(query) for each in nested_phrases(target))
    return tuple(_anchor(each, query, resolver) for each in dict.fromkeys(nested))


def _anchor(phrase: Description, query: Query, resolver: PhraseResolver) -> Anchor:
    found = resolver.resolve(phrase)
    probabilities = np.minimum(sample_weights(query, resolver) @ found.fits, 1.0)
    likely = np.argsort(-probabilities, kind='stable')[:MOST_OBJECTS]
    likely = likely[probabilities[likely] >= LEAST]
    objects = resolver.samples.objects(found.columns[likely])
    pairs = zip(objects, probabilities[likely].tolist(), strict=True)
    return Anchor(phrase_text(phrase), tuple(pairs))
