# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
How well a reading fits the worlds, and how likely worlds are in which it was asked.

Who asks for "the vase on the table" takes it that there is one. Worlds in which that is so are
therefore more likely once the question is asked: by Bayes' rule, as much as such a question is
likelier in them.
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

# How often a phrase is used where it fits nobody, or several when one is meant, to each time that
# it fits: people speak of what they see, and say enough to tell it from others.
ABSENT, AMBIGUOUS = 0.1, 0.3
# The same of the tables of which one is meant by "on the table": the rest of the phrase tells.
UNCLEAR = 0.7
# Nobody counts what is closest, which is one: "closest" belongs to another word then.
ODD = 0.3
# Part of the best score from which on grammar decides between readings.
COMPARABLE = 0.5


def query_targets(query: Query) -> tuple[Description, ...]:
    """Return the phrases that a query asks for itself."""
    if isinstance(query, (CountQuery, ReferenceQuery)):
        return (query.target,)
    return tuple(target for step in query.steps for target in step.targets)


def required_phrases(query: Query) -> tuple[Description, ...]:
    """Return the phrases that must mean something: there may be nothing that is to be avoided."""
    if isinstance(query, (CountQuery, ReferenceQuery)):
        return () if isinstance(query, CountQuery) else (query.target,)
    steps = (step for step in query.steps if step.action not in AVOIDING_ACTIONS)
    return tuple(target for step in steps for target in step.targets)


def nested_phrases(description: Description) -> Iterator[Description]:
    """Go through all phrases inside a phrase, inner ones after outer ones."""
    for relation in description.relations:
        viewpoint = () if relation.viewpoint is None else (relation.viewpoint,)
        for anchor in (*relation.anchors, *viewpoint):
            yield anchor
            yield from nested_phrases(anchor)


def query_phrases(query: Query) -> Iterator[Description]:
    """Go through all phrases of a query."""
    for target in query_targets(query):
        yield target
        yield from nested_phrases(target)


def parse_score(query: Query, resolver: PhraseResolver) -> float:
    """
    Say how well a reading fits, within [0, 1].

    That is the share of the worlds in which all exists that it takes for granted, less where one
    is meant and several fit, or where words have to be taken loosely.
    """
    fitting, needed = np.ones(resolver.samples.count), required_phrases(query)
    for target in query_targets(query):
        if target in needed:
            fitting *= _fit(target, resolver, absent=0.0, ambiguous=AMBIGUOUS)
        else:
            fitting *= np.where(resolver.resolve(target).counts > 0, 1.0, AMBIGUOUS)
        for anchor in nested_phrases(target):
            fitting *= _fit(anchor, resolver, absent=0.0, ambiguous=UNCLEAR)
    if isinstance(query, CountQuery) and any(
        each.kind in DISTANCE_RANKS for each in query.target.relations
    ):
        fitting *= ODD
    for phrase in query_phrases(query):
        fitting *= resolver.resolve(phrase).score_factor
    return float(fitting.mean())


def sample_weights(query: Query, resolver: PhraseResolver) -> Array:
    """Weigh the worlds by how likely the question is in them, shape (S,), summing to 1."""
    weights = np.ones(resolver.samples.count)
    for target in query_targets(query):
        if target in required_phrases(query):
            weights *= _fit(target, resolver, absent=ABSENT, ambiguous=AMBIGUOUS)
        for anchor in nested_phrases(target):
            weights *= _fit(anchor, resolver, absent=ABSENT, ambiguous=1.0)
    weighed: Array = weights / weights.sum()
    return weighed


def _fit(
    description: Description, resolver: PhraseResolver, *, absent: float, ambiguous: float
) -> Array:
    """Say how well a phrase fits each world, shape (S,): 1 where it does."""
    if description.determiner is not Determiner.THE:
        return np.ones(resolver.samples.count)
    counts = resolver.resolve(description).counts
    several = 1.0 if description.plural else ambiguous
    return np.where(counts == 0, absent, np.where(counts == 1, 1.0, several))


def best_parse(scores: list[float]) -> int:
    """Choose the first reading, by grammar, that fits nearly as well as the best."""
    best = max(scores)
    return next(index for index, each in enumerate(scores) if each >= COMPARABLE * best)
