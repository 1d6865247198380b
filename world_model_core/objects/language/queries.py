# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Sentences with their phrases attached: every query that they may be, the likeliest first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from world_model_core.objects.language.attachment import attach
from world_model_core.objects.language.descriptions import UnreadableError
from world_model_core.objects.language.sentences import Counted, Found
from world_model_core.objects.query import Action, Count, Instruction, Reference, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.objects.language.sentences import Leg, Sentence
    from world_model_core.objects.query import Description, Query

_Part = TypeVar('_Part')

_BETWEEN = frozenset({Action.VIA_BETWEEN, Action.AVOID_BETWEEN})
_AVOIDING = frozenset({Action.AVOID, Action.AVOID_BETWEEN, Action.AVOID_NEAR})
# More readings than anyone can mean; and each is answered before one is chosen.
_MOST_READINGS = 32


def build_queries(sentence: Sentence) -> tuple[Query, ...]:
    """
    Find what a sentence asks.

    Returns
    -------
    tuple of Query
        At most 32, the likeliest by grammar first.

    Raises
    ------
    UnreadableError
        If its phrases cannot be attached.

    """
    if isinstance(sentence, Counted):
        ways = [way.described for way in attach(sentence.chain)]
        return tuple(Count(target) for target in _keep_readable(_unite, ways))
    if isinstance(sentence, Found):
        each_way = [[(way.cost, (way.described,)) for way in attach(chain)]
                    for chain in sentence.chains]  # fmt: skip
        targets = _keep_readable(_refine, _combine(each_way))
        return tuple(Reference(target) for target in targets)
    if all(leg.action in _AVOIDING for leg in sentence.legs):
        raise UnreadableError('where to go: only what to avoid is said')
    return tuple(Instruction(steps) for steps in _combine([_steps(leg) for leg in sentence.legs]))


def _combine(parts: Sequence[Sequence[tuple[int, tuple[_Part, ...]]]]) -> list[tuple[_Part, ...]]:
    """Put together one way of each part, those of the least cost in all first."""
    combined: list[tuple[int, tuple[_Part, ...]]] = [(0, ())]
    for part in parts:
        every = [
            (cost + more, (*before, *what)) for cost, before in combined for more, what in part
        ]
        combined = sorted(every, key=lambda each: each[0])[:_MOST_READINGS]
    return [what for _, what in combined]


def _keep_readable(
    make: Callable[[tuple[_Part, ...]], Description], ways: Sequence[tuple[_Part, ...]]
) -> list[Description]:
    """Leave out the ways that make no sense; if none does, say why the likeliest does not."""
    made: dict[Description, None] = {}
    complaint: UnreadableError | None = None
    for way in ways:
        try:
            made[make(way)] = None
        except UnreadableError as error:
            complaint = complaint or error
    if complaint is not None and not made:
        raise complaint
    return list(made)[:_MOST_READINGS]


def _unite(described: tuple[Description, ...]) -> Description:
    """Count several classes as one: "how many chairs and tables"."""
    first, *others = described
    for other in others:
        if replace(other, labels=first.labels, noun=first.noun) != first:
            raise UnreadableError('one thing to count: ask for these one after the other')
    return replace(
        first,
        labels=tuple(dict.fromkeys(label for each in described for label in each.labels)),
        noun=' and '.join(each.noun for each in described),
    )


def _refine(sentences: tuple[tuple[Description, ...], ...]) -> Description:
    """Let later sentences say more of what the earlier named: "... choose the one ..."."""
    target: Description | None = None
    for described in sentences:
        if len(described) > 1:
            raise UnreadableError('one object to find: ask for these one after the other')
        said = described[0]
        if target is None or (said.labels and not set(said.labels) & set(target.labels)):
            target = said
            continue
        target = replace(
            said,
            labels=said.labels or target.labels,
            noun=said.noun if said.labels else target.noun,
            colors=tuple(dict.fromkeys((*target.colors, *said.colors))),
            size=said.size or target.size,
            superlative=said.superlative or target.superlative,
            relations=(*target.relations, *said.relations),
            region=said.region or target.region,
        )
    if target is None:
        raise UnreadableError('what to find')
    return target


def _steps(leg: Leg) -> list[tuple[int, tuple[Step, ...]]]:
    """Find every way to read one part of an instruction."""
    if leg.action in _BETWEEN:
        return [(way.cost, (Step(leg.action, way.described),)) for way in attach(leg.chain)]
    return [
        (way.cost, tuple(Step(leg.action, (each,)) for each in way.described))
        for way in attach(leg.chain)
    ]
