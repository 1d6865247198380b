# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Queries and phrases as English text, for explanations of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.objects.query import CountQuery, ReferenceQuery

if TYPE_CHECKING:
    from world_model_core.objects.query import Description, InstructionStep, Query, Relation
    from world_model_core.objects.values import MapObject

__all__ = ['noun_text', 'object_text', 'phrase_text', 'query_text', 'relation_text', 'step_text']

RANKS = {1: '', 2: 'second ', 3: 'third ', 4: 'fourth ', 5: 'fifth '}


def phrase_text(description: Description) -> str:
    """Write a noun phrase; brackets show which words belong together."""
    clauses = [relation_text(relation) for relation in description.relations]
    if description.region:
        clauses.insert(0, f'in the {description.region}')
    return ' '.join((noun_text(description), *(f'[{clause}]' for clause in clauses)))


def noun_text(description: Description) -> str:
    """Write a noun with everything before it."""
    superlative = description.superlative
    words = (
        'last' if description.ordinal == -1 else _ordinal_text(description.ordinal or 1),
        str(description.number) if description.number else '',
        f'{_ordinal_text(description.rank)} {superlative.value}' if superlative else '',
        description.size or '',
        *description.colors,
        description.noun,
    )
    return ' '.join(' '.join(words).split())


def relation_text(relation: Relation) -> str:
    """Write the relation of an object to its anchors."""
    anchors = ' and '.join(f'the {phrase_text(anchor)}' for anchor in relation.anchors)
    if relation.inverse:
        text = f'with {anchors} {relation.kind.value} it'
    else:
        text = f'{_ordinal_text(relation.rank)} {relation.kind.value} {anchors}'.strip()
    if relation.viewpoint is not None:
        text += f' as seen from the {phrase_text(relation.viewpoint)}'
    return f'not {text}' if relation.negated else text


def query_text(query: Query) -> str:
    """Write a query."""
    if isinstance(query, CountQuery):
        return f'how many: {phrase_text(query.target)}'
    if isinstance(query, ReferenceQuery):
        return f'which: {phrase_text(query.target)}'
    return '; '.join(step_text(step) for step in query.steps)


def step_text(step: InstructionStep) -> str:
    """Write one step of an instruction."""
    return (
        f'{step.action.value} {" and ".join(f"the {phrase_text(each)}" for each in step.targets)}'
    )


def object_text(each: MapObject) -> str:
    """Write label and id of an object."""
    return f'{each.label} {each.id}'


def _ordinal_text(rank: int) -> str:
    return RANKS.get(rank, f'{rank}th ').strip()
