# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shared fixtures of the tests of questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from world_model_core.objects.query import CountQuery, Determiner, InstructionQuery, ReferenceQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.objects.query import Description, Query, Relation

_DETERMINERS = {Determiner.THE: 'the', Determiner.ANY: 'a', Determiner.ALL: 'all'}


@pytest.fixture(scope='session')
def notate() -> Callable[[Query], str]:
    """Return a function that writes a query on one line; brackets show attachment."""
    return _notate


def _notate(query: Query) -> str:
    if isinstance(query, CountQuery):
        return f'count {_description(query.target)}'
    if isinstance(query, ReferenceQuery):
        return f'find {_description(query.target)}'
    assert isinstance(query, InstructionQuery)
    return '; '.join(
        f'{step.action.name} {" & ".join(map(_description, step.targets))}' for step in query.steps
    )


def _description(said: Description) -> str:
    superlative = f'{said.superlative.name}{said.rank}' if said.superlative else ''
    head = (
        _DETERMINERS[said.determiner],
        f'#{said.number}' if said.number else '',
        f'no.{said.ordinal}' if said.ordinal else '',
        superlative,
        said.size or '',
        *said.colors,
        ('|'.join(said.labels) or '*') + ('+' if said.plural else ''),
        f'@{said.region}' if said.region else '',
        *(f'[{_relation(relation)}]' for relation in said.relations),
    )
    return ' '.join(word for word in head if word)


def _relation(said: Relation) -> str:
    words = (
        'not' if said.negated else '',
        'bears' if said.inverse else '',
        said.kind.name + (str(said.rank) if said.rank > 1 else ''),
        ' & '.join(map(_description, said.anchors)),
        f'from {_description(said.viewpoint)}' if said.viewpoint else '',
    )
    return ' '.join(word for word in words if word)
