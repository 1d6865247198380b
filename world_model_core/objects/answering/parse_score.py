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
    Action,
    Count,
    Description,
    Determiner,
    Reference,
    RelationKind,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.resolution import Resolver
    from world_model_core.objects.query import Query

AVOIDING = (Action.AVOID, Action.AVOID_BETWEEN, Action.AVOID_NEAR)
# How often a phrase is used where it fits nobody, or several when one is meant, to each time that
# it fits: people speak of what they see, and say enough to tell it from others.
ABSENT, AMBIGUOUS = 0.1, 0.3
# The same of the tables of which one is meant by "on the table": the rest of the phrase tells.
UNCLEAR = 0.7
# Nobody counts what is closest, which is one: "closest" belongs to another word then.
ODD = 0.3
PICKING = (RelationKind.CLOSEST, RelationKind.FARTHEST)
# Part of the best score from which on grammar decides between readings.
COMPARABLE = 0.5


def targets_of(query: Query) -> tuple[Description, ...]:
    """Return the phrases that a query asks for itself."""
    if isinstance(query, (Count, Reference)):
        return (query.target,)
    return tuple(target for step in query.steps for target in step.targets)


def needed_of(query: Query) -> tuple[Description, ...]:
    """Return the phrases that must mean something: there may be nothing that is to be avoided."""
    if isinstance(query, (Count, Reference)):
        return () if isinstance(query, Count) else (query.target,)
    steps = (step for step in query.steps if step.action not in AVOIDING)
    return tuple(target for step in steps for target in step.targets)


def anchors_of(description: Description) -> Iterator[Description]:
    """Go through all phrases inside a phrase, inner ones after outer ones."""
    for relation in description.relations:
        viewpoint = () if relation.viewpoint is None else (relation.viewpoint,)
        for anchor in (*relation.anchors, *viewpoint):
            yield anchor
            yield from anchors_of(anchor)


def phrases_of(query: Query) -> Iterator[Description]:
    """Go through all phrases of a query."""
    for target in targets_of(query):
        yield target
        yield from anchors_of(target)


def score(query: Query, resolver: Resolver) -> float:
    """
    Say how well a reading fits, within [0, 1].

    That is the share of the worlds in which all exists that it takes for granted, less where one
    is meant and several fit, or where words have to be taken loosely.
    """
    fitting, needed = np.ones(resolver.worlds.count), needed_of(query)
    for target in targets_of(query):
        if target in needed:
            fitting *= _fit(target, resolver, absent=0.0, ambiguous=AMBIGUOUS)
        else:
            fitting *= np.where(resolver.resolve(target).numbers > 0, 1.0, AMBIGUOUS)
        for anchor in anchors_of(target):
            fitting *= _fit(anchor, resolver, absent=0.0, ambiguous=UNCLEAR)
    if isinstance(query, Count) and any(each.kind in PICKING for each in query.target.relations):
        fitting *= ODD
    for phrase in phrases_of(query):
        fitting *= resolver.resolve(phrase).strain
    return float(fitting.mean())


def weigh(query: Query, resolver: Resolver) -> Array:
    """Weigh the worlds by how likely the question is in them, shape (S,), summing to 1."""
    weights = np.ones(resolver.worlds.count)
    for target in targets_of(query):
        if target in needed_of(query):
            weights *= _fit(target, resolver, absent=ABSENT, ambiguous=AMBIGUOUS)
        for anchor in anchors_of(target):
            weights *= _fit(anchor, resolver, absent=ABSENT, ambiguous=1.0)
    weighed: Array = weights / weights.sum()
    return weighed


def _fit(
    description: Description, resolver: Resolver, *, absent: float, ambiguous: float
) -> Array:
    """Say how well a phrase fits each world, shape (S,): 1 where it does."""
    if description.determiner is not Determiner.THE:
        return np.ones(resolver.worlds.count)
    numbers = resolver.resolve(description).numbers
    several = 1.0 if description.plural else ambiguous
    return np.where(numbers == 0, absent, np.where(numbers == 1, 1.0, several))


def choose(scores: list[float]) -> int:
    """Choose the first reading, by grammar, that fits nearly as well as the best."""
    best = max(scores)
    return next(index for index, each in enumerate(scores) if each >= COMPARABLE * best)
