# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Scores of parses, and weights of posterior samples given that the question was asked.

A question about "the vase on the table" presupposes that there is one. By Bayes' rule, samples in
which presuppositions hold are more probable once the question has been asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.query import (
    AVOIDING_ACTIONS,
    DISTANCE_RANKS,
    CountQuery,
    Description,
    Determiner,
    ReferenceQuery,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Query

__all__ = [
    'best_parse',
    'nested_phrases',
    'parse_score',
    'query_phrases',
    'query_targets',
    'required_phrases',
    'sample_weights',
]

# Likelihood of a phrase that fits no object, or several where one is meant, relative to a phrase
# that fits: people usually mention visible objects and distinguish them.
ABSENT, AMBIGUOUS = 0.1, 0.3
# The same for an ambiguous anchor, as "the table" in "on the table": the rest of the phrase may
# resolve it.
UNCLEAR = 0.7
# The same for a phrase that only objects with a similar name fit, when parses are compared.
STRAINED = 0.4
# Penalty for counting "the closest" object, which is always one.
ODD = 0.3
# Among parses with at least this share of the best score, grammar decides.
COMPARABLE = 0.5


def query_targets(query: Query) -> tuple[Description, ...]:
    """Return the phrases of the objects that a query asks for."""
    if isinstance(query, (CountQuery, ReferenceQuery)):
        return (query.target,)
    return tuple(target for step in query.steps for target in step.targets)


def required_phrases(query: Query) -> tuple[Description, ...]:
    """Return the target phrases that must fit an object; objects to avoid may be absent."""
    if isinstance(query, (CountQuery, ReferenceQuery)):
        return () if isinstance(query, CountQuery) else (query.target,)
    steps = (step for step in query.steps if step.action not in AVOIDING_ACTIONS)
    return tuple(target for step in steps for target in step.targets)


def nested_phrases(description: Description) -> Iterator[Description]:
    """Generate all phrases inside a phrase, outer ones first."""
    for relation in description.relations:
        viewpoint = () if relation.viewpoint is None else (relation.viewpoint,)
        for anchor in (*relation.anchors, *viewpoint):
            yield anchor
            yield from nested_phrases(anchor)


def query_phrases(query: Query) -> Iterator[Description]:
    """Generate all phrases of a query."""
    for target in query_targets(query):
        yield target
        yield from nested_phrases(target)


def parse_score(query: Query, resolver: PhraseResolver) -> float:
    """
    Return how well a parse fits the map, within [0, 1].

    The score is the share of the samples in which all presuppositions hold, reduced if several
    objects fit where one is meant, or if words have to be interpreted loosely.
    """
    fitting, needed = np.ones(resolver.samples.count), required_phrases(query)
    for target in query_targets(query):
        if target in needed:
            fitting *= _fit(target, resolver, absent=0.0, ambiguous=AMBIGUOUS, strained=STRAINED)
        else:
            fitting *= np.where(resolver.resolve(target).counts > 0, 1.0, AMBIGUOUS)
        for anchor in nested_phrases(target):
            fitting *= _fit(anchor, resolver, absent=0.0, ambiguous=UNCLEAR, strained=STRAINED)
    if isinstance(query, CountQuery) and any(
        each.kind in DISTANCE_RANKS for each in query.target.relations
    ):
        fitting *= ODD
    for phrase in query_phrases(query):
        fitting *= resolver.resolve(phrase).score_factor
    return float(fitting.mean())


def sample_weights(query: Query, resolver: PhraseResolver) -> Array:
    """Return the probability of each sample given the question, shape (S,), with sum 1."""
    weights = np.ones(resolver.samples.count)
    for target in query_targets(query):
        if target in required_phrases(query):
            weights *= _fit(target, resolver, absent=ABSENT, ambiguous=AMBIGUOUS, strained=ABSENT)
        for anchor in nested_phrases(target):
            weights *= _fit(anchor, resolver, absent=ABSENT, ambiguous=1.0, strained=ABSENT)
    weighed: Array = weights / weights.sum()
    return weighed


def _fit(
    description: Description,
    resolver: PhraseResolver,
    *,
    absent: float,
    ambiguous: float,
    strained: float,
) -> Array:
    """
    Return how well a phrase fits each sample, shape (S,); 1 is best.

    `absent`, `ambiguous` and `strained` are the fits of no object, of several where one is meant,
    and of objects that have only a similar name.
    """
    found = resolver.resolve(description)
    names = np.ones(len(found.fits))
    if found.strained is not None:
        names[found.strained] = strained
    if description.determiner is not Determiner.THE:
        return names
    several = 1.0 if description.plural else ambiguous
    fit = np.where(found.counts == 0, absent, np.where(found.counts == 1, 1.0, several))
    joint: Array = np.minimum(fit, names)
    return joint


def best_parse(scores: list[float]) -> int:
    """Return the index of the first parse, in the order of grammar, with a score near the best."""
    best = max(scores)
    return next(index for index, each in enumerate(scores) if each >= COMPARABLE * best)
