# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a question was understood as, said in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.objects.query import Count, Reference

if TYPE_CHECKING:
    from world_model_core.objects.query import Description, Query, Relation, Step
    from world_model_core.objects.values import MapObject

RANKS = {1: '', 2: 'second ', 3: 'third ', 4: 'fourth ', 5: 'fifth '}


def describe(description: Description) -> str:
    """Say a noun phrase; brackets show which words belong together."""
    clauses = [say_relation(relation) for relation in description.relations]
    if description.region:
        clauses.insert(0, f'in the {description.region}')
    return ' '.join((name(description), *(f'[{clause}]' for clause in clauses)))


def name(description: Description) -> str:
    """Say a noun with all that stands before it."""
    superlative = description.superlative
    words = (
        'last' if description.ordinal == -1 else _count_up(description.ordinal or 1),
        str(description.number) if description.number else '',
        f'{_count_up(description.rank)} {superlative.value}' if superlative else '',
        description.size or '',
        *description.colors,
        description.noun,
    )
    return ' '.join(' '.join(words).split())


def say_relation(relation: Relation) -> str:
    """Say how an object stands to its anchors."""
    anchors = ' and '.join(f'the {describe(anchor)}' for anchor in relation.anchors)
    if relation.inverse:
        said = f'with {anchors} {relation.kind.value} it'
    else:
        said = f'{_count_up(relation.rank)} {relation.kind.value} {anchors}'.strip()
    if relation.viewpoint is not None:
        said += f' as seen from the {describe(relation.viewpoint)}'
    return f'not {said}' if relation.negated else said


def say_query(query: Query) -> str:
    """Say what is asked for."""
    if isinstance(query, Count):
        return f'how many: {describe(query.target)}'
    if isinstance(query, Reference):
        return f'which: {describe(query.target)}'
    return '; '.join(say_step(step) for step in query.steps)


def say_step(step: Step) -> str:
    """Say one step of an instruction."""
    return f'{step.action.value} {" and ".join(f"the {describe(each)}" for each in step.targets)}'


def say_object(each: MapObject) -> str:
    """Name an object so that it can be found in the map."""
    return f'{each.label} {each.id}'


def _count_up(rank: int) -> str:
    return RANKS.get(rank, f'{rank}th ').strip()
