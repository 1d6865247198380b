# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Chains of phrases, before it is decided which phrase belongs to which."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from world_model_core.objects.query import Determiner

if TYPE_CHECKING:
    from world_model_core.objects.language.lexicon import Noun
    from world_model_core.objects.query import RelationKind, Superlative

__all__ = ['Link', 'LinkRole', 'Marker', 'Phrase', 'PhraseChain']


@dataclass(frozen=True, slots=True)
class Phrase:
    """
    A noun with everything before it.

    Attributes
    ----------
    noun : Noun, optional
        None if there are only adjectives: "that is red".
    determiner : Determiner, optional
    number, ordinal : int, optional
    colors : tuple of str
    size : str, optional
    superlative : Superlative, optional
    closest : RelationKind, optional
        "the closest chair": CLOSEST or FARTHEST; the anchor follows later.
    rank : int, optional
        Rank of the superlative or of `closest`.
    region : str, optional
        "the kitchen table"; with `is_region` the phrase is a room, "the kitchen".

    """

    noun: Noun | None
    determiner: Determiner | None = None
    number: int | None = None
    ordinal: int | None = None
    colors: tuple[str, ...] = ()
    size: str | None = None
    superlative: Superlative | None = None
    closest: RelationKind | None = None
    rank: int | None = None
    region: str | None = None
    is_region: bool = False

    @property
    def plural(self) -> bool:
        """Whether several objects may be meant."""
        if self.number is not None:
            return self.number != 1
        plural_noun = self.noun is not None and self.noun.plural
        return plural_noun or self.determiner is Determiner.ALL

    @property
    def number_ambiguous(self) -> bool:
        """Whether the noun does not show how many objects are meant."""
        return self.noun is None or self.noun.number_ambiguous


class LinkRole(Enum):
    """Function of a phrase that is linked to an earlier one."""

    RELATION = 'relation'
    BETWEEN = 'between'
    JOIN = 'join'
    PREDICATE = 'predicate'
    CARRYING = 'carrying'
    ANCHOR = 'anchor'
    PARTITIVE = 'partitive'
    VIEW = 'view'


class Marker(Enum):
    """Words before a link that determine how far it reaches back."""

    NONE = ''
    WHICH = 'that is'
    IS = 'is'
    ALSO = 'and'


@dataclass(frozen=True, slots=True)
class Link:
    """
    A phrase that belongs to an earlier one.

    Attributes
    ----------
    role : LinkRole
    phrase : Phrase
    kind : RelationKind, optional
    rank : int
    negated : bool
    closed : bool
        Nothing can be attached to its phrase: "with a pillow on it".
    marker : Marker
    plural_verb : bool, optional
        True for "are", False for "is".

    """

    role: LinkRole
    phrase: Phrase
    kind: RelationKind | None = None
    rank: int = 1
    negated: bool = False
    closed: bool = False
    marker: Marker = Marker.NONE
    plural_verb: bool | None = None


@dataclass(frozen=True, slots=True)
class PhraseChain:
    """
    A first phrase and the links after it.

    With `between`, the first phrase is itself one side of a BETWEEN ("the path between the sofa
    and the table"), and only the other side can be attached to the path.
    """

    first: Phrase
    links: tuple[Link, ...] = field(default=())
    between: bool = False

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases in order: the phrase of link i has the index i + 1."""
        return (self.first, *(link.phrase for link in self.links))
