# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the worlds say to a query: how many there are, which is meant, which way to go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import NumericalAnswer, ReferenceAnswer
from world_model_core.objects.answering.choice import rank, say_doubts
from world_model_core.objects.answering.explanation import explain
from world_model_core.objects.answering.parse_score import (
    anchors_of,
    needed_of,
    phrases_of,
    score,
    targets_of,
    weigh,
)
from world_model_core.objects.answering.phrases import describe, say_object, say_query
from world_model_core.objects.query import Count, Determiner, Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.answer import InstructionAnswer
    from world_model_core.objects.answering.resolution import Resolver
    from world_model_core.objects.query import Query

    Reply = NumericalAnswer | ReferenceAnswer | InstructionAnswer

# Alternatives less likely than this are not told.
NEGLIGIBLE = 0.001


def missing_of(query: Query, resolver: Resolver) -> tuple[str, ...]:
    """
    List what a query takes for granted that is in no world; nothing when it can be answered.

    Of what is counted, and of what is avoided, there may be none; but a map without rooms cannot
    tell how many there are in one.
    """
    named = phrases_of(query) if isinstance(query, Count) else needed_of(query)
    spoken = [each for each in named if each.region is not None]
    if spoken and all(each.region is None for each in resolver.worlds.inventory.objects):
        there = (each.region for each in spoken if resolver.resolve(each).trail[0].share)
        unsaid = tuple(f'what is in the {room}: the map names no rooms' for room in there)
        if unsaid:
            return tuple(dict.fromkeys(unsaid))
    needed = [target for target in needed_of(query) if not resolver.resolve(target).fits.any()]
    if isinstance(query, Count):
        anchors = [each for each in anchors_of(query.target) if each.determiner is Determiner.THE]
        needed = [each for each in anchors if not resolver.resolve(each).fits.any()]
    reasons = (explain(each, resolver) for each in needed)
    return tuple(dict.fromkeys(reason for reason in reasons if reason is not None))


def count(query: Count, resolver: Resolver, weights: Array) -> NumericalAnswer:
    """Answer how many there are: the likeliest number."""
    found = resolver.resolve(query.target)
    distribution = np.bincount(found.numbers, weights=weights)
    number = int(distribution.argmax())
    likeliest = np.argsort(-(weights @ found.fits), kind='stable')[:number]
    counts = np.flatnonzero(distribution).tolist()
    reason = explain(query.target, resolver)
    return NumericalAnswer(
        query,
        number,
        min(1.0, float(distribution[number])),
        {each: min(1.0, float(distribution[each])) for each in counts},
        resolver.worlds.objects(found.columns[likeliest]),
        () if reason is None else (reason,),
    )


def refer(query: Reference, resolver: Resolver, weights: Array) -> ReferenceAnswer:
    """Answer which one is meant: the likeliest."""
    choice = rank(query.target, resolver, weights)
    probabilities = np.minimum(choice.probabilities, 1.0).tolist()
    others = zip(choice.objects[1:], probabilities[1:], strict=True)
    return ReferenceAnswer(
        query,
        choice.objects[0],
        probabilities[0],
        tuple((each, likely) for each, likely in others if likely >= NEGLIGIBLE),
        say_doubts(query.target, choice),
    )


def say_unclear(query: Query, resolver: Resolver) -> Iterator[str]:
    """Name the phrases inside that are to tell which one is meant and fit several."""
    for target in targets_of(query):
        for anchor in anchors_of(target):
            several = float(np.median(resolver.resolve(anchor).numbers))
            if anchor.determiner is Determiner.THE and not anchor.plural and several > 1.0:
                yield f'"{describe(anchor)}" fits {several:.0f} objects: any of them counts'


def say_others(answer: Reply, others: Iterable[Query], resolver: Resolver) -> Iterator[str]:
    """Name the other readings that make sense and give another answer."""
    told = {_outcome(answer.query, resolver)}
    for query in others:
        if score(query, resolver) > 0.0:
            outcome = _outcome(query, resolver)
            if outcome not in told:
                told.add(outcome)
                yield f'read as "{say_query(query)}", the answer would be {", ".join(outcome)}'


def _outcome(query: Query, resolver: Resolver) -> tuple[str, ...]:
    """Say in short what a query leads to."""
    weights = weigh(query, resolver)
    if isinstance(query, Count):
        return (str(count(query, resolver, weights).count),)
    choices = (rank(target, resolver, weights) for target in needed_of(query))
    return tuple(say_object(choice.objects[0]) for choice in choices if choice.objects)
