# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Notes on what the phrases of a question assume: names that are not exact, unknown attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.objects.answering.answer_notes import other_names, unknown_attribute
from world_model_core.objects.answering.parse_score import query_phrases
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.query import DISTANCE_RANKS, Superlative
from world_model_core.objects.relations.color_fit import has_color

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Description, Query
    from world_model_core.objects.values import MapObject

__all__ = ['phrase_notes']

# Superlatives of positions; the others compare sizes.
OF_PLACES = frozenset({Superlative.LEFTMOST, Superlative.RIGHTMOST})


def phrase_notes(query: Query, resolver: PhraseResolver) -> tuple[str, ...]:
    """Describe what the phrases of a query assume about names and unknown attributes."""
    notes: dict[str, None] = {}
    for phrase in query_phrases(query):
        notes.update(dict.fromkeys(_sense_notes(phrase, resolver)))
        notes.update(dict.fromkeys(_unknown_notes(phrase, resolver)))
    return tuple(notes)


def _sense_notes(phrase: Description, resolver: PhraseResolver) -> Iterator[str]:
    """Name the labels of fitting objects that are not exactly the noun."""
    if not phrase.senses and phrase.probability == 1.0:
        return
    found = resolver.resolve(phrase)
    fitting = resolver.samples.objects(found.columns[found.fits.any(axis=0)])
    names = dict.fromkeys(each.label for each in fitting)
    exact = phrase.labels if phrase.probability == 1.0 else ()
    others = [name for name in names if normalize_label(name) not in exact]
    if others:
        yield other_names(phrase, others, only=len(others) == len(names))


def _unknown_notes(phrase: Description, resolver: PhraseResolver) -> Iterator[str]:
    """Count the candidates without an attribute that the phrase depends on."""
    attributes = tuple(_attributes(phrase))
    if not attributes:
        return
    found = resolver.of_class(phrase)
    candidates = resolver.samples.objects(found.columns)
    for attribute in attributes:
        unknown = sum(not _is_known(each, attribute) for each in candidates)
        if unknown:
            yield unknown_attribute(phrase, attribute, unknown, len(candidates))


def _attributes(phrase: Description) -> Iterator[str]:
    """Generate the attributes of the candidates that a phrase depends on."""
    if phrase.colors:
        yield 'color'
    by_size = phrase.superlative is not None and phrase.superlative not in OF_PLACES
    touching = any(relation.kind not in DISTANCE_RANKS for relation in phrase.relations)
    if phrase.size is not None or by_size or touching:
        yield 'size'
    if phrase.region is not None:
        yield 'room'


def _is_known(each: MapObject, attribute: str) -> bool:
    if attribute == 'color':
        return has_color(each)
    return (each.size if attribute == 'size' else each.region) is not None
