# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Notes on what the phrases of a question assume: names that are not exact, unknown attributes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.objects.answering.answer_wording import other_names, unknown_attribute
from world_model_core.objects.answering.parse_score import query_phrases
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.query import DISTANCE_RANKS, Superlative

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Description, Query
    from world_model_core.objects.values import MapObject

__all__ = ['phrase_notes']

# The other superlatives compare places.
OF_SIZES = frozenset(Superlative) - {Superlative.LEFTMOST, Superlative.RIGHTMOST}


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
    exact = frozenset(phrase.labels if phrase.probability == 1.0 else ())
    others = [each for each in fitting if exact.isdisjoint(_names_of(each))]
    if others:
        names = tuple(dict.fromkeys(each.label for each in others))
        yield other_names(phrase, names, only=len(others) == len(fitting))


def _names_of(each: MapObject) -> Iterator[str]:
    """Generate all names of an object, normalized."""
    yield from map(normalize_label, (each.label, *each.aliases, *each.classes))


def _unknown_notes(phrase: Description, resolver: PhraseResolver) -> Iterator[str]:
    """Count the candidates without an attribute that the phrase depends on."""
    for attribute, others in _attributes(phrase):
        unknown = resolver.samples.arrays.unknown[attribute]
        if unknown:
            found = resolver.resolve(others)
            candidates = resolver.samples.objects(found.columns[found.fits.any(axis=0)])
            count = sum(each.id in unknown for each in candidates)
            if count:
                yield unknown_attribute(others, attribute, count, len(candidates))


def _attributes(phrase: Description) -> Iterator[tuple[str, Description]]:
    """Generate the attributes that decide between candidates, and the phrase of these."""
    named = replace(
        phrase, colors=(), size=None, superlative=None, ordinal=None, relations=(), region=None
    )
    related = tuple(each for each in phrase.relations if each.kind not in DISTANCE_RANKS)
    placed = replace(named, relations=related, region=phrase.region)
    if phrase.colors:
        yield 'color', placed
    if phrase.size is not None or phrase.superlative in OF_SIZES:
        yield 'size', placed
    elif related:
        yield 'size', named
    if phrase.region is not None:
        yield 'room', named
