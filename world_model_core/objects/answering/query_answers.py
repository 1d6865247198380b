# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Answers to counting and reference queries, and notes about ambiguous questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import NumericalAnswer, ReferenceAnswer
from world_model_core.objects.answering.answer_wording import (
    no_rooms,
    other_meaning,
    several_anchors,
)
from world_model_core.objects.answering.candidate_ranking import ambiguity_notes, rank_candidates
from world_model_core.objects.answering.no_match_explanation import explain_no_match
from world_model_core.objects.answering.parse_score import (
    nested_phrases,
    parse_score,
    query_phrases,
    query_targets,
    required_phrases,
    sample_weights,
)
from world_model_core.objects.answering.query_text import object_text
from world_model_core.objects.query import CountQuery, Determiner, ReferenceQuery

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.answer import InstructionAnswer
    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Query

    QueryAnswer = NumericalAnswer | ReferenceAnswer | InstructionAnswer

__all__ = [
    'ambiguous_anchor_notes',
    'answer_count',
    'answer_reference',
    'missing_objects',
    'other_parse_notes',
]

# Alternatives with a lower probability are omitted.
NEGLIGIBLE = 0.001


def missing_objects(query: Query, resolver: PhraseResolver) -> tuple[str, ...]:
    """
    List the presuppositions of a query that hold in no sample; empty if it can be answered.

    Counts and objects to avoid may be zero. A count in a room fails if the map has no rooms.
    """
    named = query_phrases(query) if isinstance(query, CountQuery) else required_phrases(query)
    in_rooms = [each for each in named if each.region is not None]
    if in_rooms and all(each.region is None for each in resolver.samples.arrays.objects):
        there = (each for each in in_rooms if resolver.resolve(each).stages[0].share)
        unknown = tuple(no_rooms(each) for each in there)
        if unknown:
            return tuple(dict.fromkeys(unknown))
    needed = [
        target for target in required_phrases(query) if not resolver.resolve(target).fits.any()
    ]
    if isinstance(query, CountQuery):
        anchors = [
            each for each in nested_phrases(query.target) if each.determiner is Determiner.THE
        ]
        needed = [each for each in anchors if not resolver.resolve(each).fits.any()]
    reasons = (explain_no_match(each, resolver) for each in needed)
    return tuple(dict.fromkeys(reason for reason in reasons if reason is not None))


def answer_count(query: CountQuery, resolver: PhraseResolver, weights: Array) -> NumericalAnswer:
    """Answer a counting query with the most probable number."""
    found = resolver.resolve(query.target)
    distribution = np.bincount(found.counts, weights=weights)
    number = int(distribution.argmax())
    most_probable = np.argsort(-(weights @ found.fits), kind='stable')[:number]
    counts = np.flatnonzero(distribution).tolist()
    reason = explain_no_match(query.target, resolver)
    return NumericalAnswer(
        query,
        number,
        min(1.0, float(distribution[number])),
        {each: min(1.0, float(distribution[each])) for each in counts},
        resolver.samples.objects(found.columns[most_probable]),
        () if reason is None else (reason,),
    )


def answer_reference(
    query: ReferenceQuery, resolver: PhraseResolver, weights: Array
) -> ReferenceAnswer:
    """Answer a reference query with the most probable object."""
    choice = rank_candidates(query.target, resolver, weights)
    probabilities = np.minimum(choice.probabilities, 1.0).tolist()
    others = zip(choice.objects[1:], probabilities[1:], strict=True)
    return ReferenceAnswer(
        query,
        choice.objects[0],
        probabilities[0],
        tuple((each, likely) for each, likely in others if likely >= NEGLIGIBLE),
        ambiguity_notes(query.target, choice),
    )


def ambiguous_anchor_notes(query: Query, resolver: PhraseResolver) -> Iterator[str]:
    """Describe anchors that fit several objects where one is meant."""
    for target in query_targets(query):
        for anchor in nested_phrases(target):
            several = float(np.median(resolver.resolve(anchor).counts))
            if anchor.determiner is Determiner.THE and not anchor.plural and several > 1.0:
                yield several_anchors(anchor, several)


def other_parse_notes(
    answer: QueryAnswer, others: Iterable[Query], resolver: PhraseResolver
) -> Iterator[str]:
    """Describe other meanings of the question that give other answers."""
    outcomes = {_outcome(answer.query, resolver)}
    for query in others:
        if parse_score(query, resolver) > 0.0:
            outcome = _outcome(query, resolver)
            if outcome not in outcomes:
                outcomes.add(outcome)
                yield other_meaning(query, outcome)


def _outcome(query: Query, resolver: PhraseResolver) -> tuple[str, ...]:
    """Summarize the answer to a query."""
    weights = sample_weights(query, resolver)
    if isinstance(query, CountQuery):
        return (str(answer_count(query, resolver, weights).count),)
    choices = (rank_candidates(target, resolver, weights) for target in required_phrases(query))
    return tuple(object_text(choice.objects[0]) for choice in choices if choice.objects)
