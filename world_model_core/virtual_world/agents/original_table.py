# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The form of the tables of SIGVerse's names: what each is here, or why there is none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from world_model_core.virtual_world.agents.world_access import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ['OriginalName', 'OriginalTable', 'bound', 'original', 'unavailable']


class OriginalName(NamedTuple):
    """
    A name of SIGVerse's library of controllers.

    Attributes
    ----------
    signature : str
        How it is called.
    ours : str
        The same by the names of this package; of a name that is not available, the reason.
    call : callable, optional
        Gets what it is a name of, and the arguments; None: not available.

    """

    signature: str
    ours: str
    call: Callable[..., Any] | None


# By their names.
OriginalTable: TypeAlias = dict[str, OriginalName]
_Call = TypeVar('_Call', bound='Callable[..., Any]')


def original(table: OriginalTable, signature: str, ours: str) -> Callable[[_Call], _Call]:
    """Return a decorator that enters a function into a table under the name of a signature."""

    def enter(call: _Call) -> _Call:
        table[signature.partition('(')[0]] = OriginalName(signature, ours, call)
        return call

    return enter


def unavailable(table: OriginalTable, reason: str, *signatures: str) -> None:
    """Enter names into a table that are not available, with the reason."""
    for signature in signatures:
        table[signature.partition('(')[0]] = OriginalName(signature, reason, None)


def bound(
    owner: object, table: OriginalTable, name: str, others: Iterable[str] = ()
) -> Callable[..., Any]:
    """
    Return the function of a name, bound to what it is a name of.

    Parameters
    ----------
    owner : object
    table : OriginalTable
    name : str
    others : iterable of str
        Further names that the owner has, for the error.

    Raises
    ------
    AttributeError
        There is no such name, or it is not available.

    """
    found = table.get(name)
    kind = type(owner).__name__
    if found is None:
        available = [each for each, row in table.items() if row.call is not None]
        there = nearest(name, (*available, *others), most=200)
        raise AttributeError(f'{kind} has no {name!r}; there are {there}')
    if found.call is None:
        raise AttributeError(f'{name} is not available: {found.ours}')
    return partial(found.call, owner)
