# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Query builder: all queries that a parsed sentence may mean, most probable first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from world_model_core.objects.language.description_builder import QuestionError
from world_model_core.objects.language.phrase_attachment import attach_phrases
from world_model_core.objects.language.sentence import CountSentence, FindSentence
from world_model_core.objects.query import (
    AVOIDING_ACTIONS,
    BETWEEN_ACTIONS,
    CountQuery,
    InstructionQuery,
    InstructionStep,
    ReferenceQuery,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.objects.language.sentence import InstructionPart, Sentence
    from world_model_core.objects.query import Description, Query

__all__ = ['build_queries']

_Part = TypeVar('_Part')

# Number of parses that are kept; each is evaluated before one is chosen.
_MOST_PARSES = 32


def build_queries(sentence: Sentence) -> tuple[Query, ...]:
    """
    Build the queries of a sentence.

    Returns
    -------
    tuple of Query
        At most 32, most probable by grammar first.

    Raises
    ------
    QuestionError
        If its phrases cannot be attached.

    """
    if isinstance(sentence, CountSentence):
        variants = [variant.described for variant in attach_phrases(sentence.chain)]
        return tuple(CountQuery(target) for target in _keep_readable(_count_together, variants))
    if isinstance(sentence, FindSentence):
        per_chain = [[(variant.cost, (variant.described,)) for variant in attach_phrases(chain)]
                    for chain in sentence.chains]  # fmt: skip
        targets = _keep_readable(_merge_sentences, _combine(per_chain))
        return tuple(ReferenceQuery(target) for target in targets)
    if all(part.action in AVOIDING_ACTIONS for part in sentence.parts):
        raise QuestionError('a destination: there are only things to avoid')
    return tuple(
        InstructionQuery(steps) for steps in _combine([_steps(part) for part in sentence.parts])
    )


def _combine(parts: Sequence[Sequence[tuple[int, tuple[_Part, ...]]]]) -> list[tuple[_Part, ...]]:
    """Combine one variant of each part, lowest total cost first."""
    combined: list[tuple[int, tuple[_Part, ...]]] = [(0, ())]
    for part in parts:
        every = [
            (cost + more, (*before, *what)) for cost, before in combined for more, what in part
        ]
        combined = sorted(every, key=lambda each: each[0])[:_MOST_PARSES]
    return [what for _, what in combined]


def _keep_readable(
    make: Callable[[tuple[_Part, ...]], Description], variants: Sequence[tuple[_Part, ...]]
) -> list[Description]:
    """Remove inconsistent variants; if all are inconsistent, raise the first error."""
    made: dict[Description, None] = {}
    first_error: QuestionError | None = None
    for variant in variants:
        try:
            made[make(variant)] = None
        except QuestionError as error:
            first_error = first_error or error
    if first_error is not None and not made:
        raise first_error
    return list(made)[:_MOST_PARSES]


def _count_together(described: tuple[Description, ...]) -> Description:
    """Count several classes together: "how many chairs and tables"."""
    first, *others = described
    for other in others:
        same = replace(
            other,
            labels=first.labels,
            noun=first.noun,
            senses=first.senses,
            probability=first.probability,
        )
        if same != first:
            raise QuestionError('one object class to count: ask separate questions for these')
    return replace(
        first,
        labels=tuple(dict.fromkeys(label for each in described for label in each.labels)),
        noun=' and '.join(each.noun for each in described),
        senses=tuple(sense for each in described for sense in each.senses),
        probability=min(each.probability for each in described),
    )


def _merge_sentences(sentences: tuple[tuple[Description, ...], ...]) -> Description:
    """Merge sentences that describe one object: "... choose the one ..."."""
    target: Description | None = None
    for described in sentences:
        if len(described) > 1:
            raise QuestionError('one object to find: ask separate questions for these')
        said = described[0]
        if target is None or (said.labels and not set(said.labels) & set(target.labels)):
            target = said
            continue
        target = replace(
            said,
            labels=said.labels or target.labels,
            noun=said.noun if said.labels else target.noun,
            senses=said.senses if said.labels else target.senses,
            probability=said.probability if said.labels else target.probability,
            colors=tuple(dict.fromkeys((*target.colors, *said.colors))),
            size=said.size or target.size,
            superlative=said.superlative or target.superlative,
            relations=(*target.relations, *said.relations),
            region=said.region or target.region,
        )
    if target is None:
        raise QuestionError('the object to find')
    return target


def _steps(part: InstructionPart) -> list[tuple[int, tuple[InstructionStep, ...]]]:
    """Return all variants of one part of an instruction."""
    if part.action in BETWEEN_ACTIONS:
        return [
            (variant.cost, (InstructionStep(part.action, variant.described),))
            for variant in attach_phrases(part.chain)
        ]
    return [
        (variant.cost, tuple(InstructionStep(part.action, (each,)) for each in variant.described))
        for variant in attach_phrases(part.chain)
    ]
