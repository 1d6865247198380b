# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Phrases as they follow one another, before it is decided which belongs to which."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from world_model_core.objects.query import Determiner

if TYPE_CHECKING:
    from world_model_core.objects.language.lexicon import Noun
    from world_model_core.objects.query import RelationKind, Superlative


@dataclass(frozen=True, slots=True)
class Phrase:
    """
    A noun with what stands before it.

    Attributes
    ----------
    noun : Noun, optional
        None where only adjectives were said: "that is red".
    determiner : Determiner, optional
        None where none was said.
    number, ordinal : int, optional
    colors : tuple of str
    size : str, optional
    superlative : Superlative, optional
    closest : RelationKind, optional
        "the closest chair": CLOSEST or FARTHEST, the anchor still to come.
    rank : int, optional
        Of the superlative or of `closest`.
    region : str, optional
        "the kitchen table"; with `is_region` it is a room itself, "the kitchen".

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
        """Whether several may be meant."""
        if self.number is not None:
            return self.number != 1
        plural_verb = self.noun is not None and self.noun.plural
        return plural_verb or self.determiner is Determiner.ALL

    @property
    def number_ambiguous(self) -> bool:
        """Whether the noun says nothing about how many are meant."""
        return self.noun is None or self.noun.number_ambiguous


class LinkRole(Enum):
    """What a link does with its phrase."""

    RELATION = 'relation'
    BETWEEN = 'between'
    JOIN = 'join'
    PREDICATE = 'predicate'
    CARRYING = 'bearing'
    ANCHOR = 'anchor'
    PARTITIVE = 'partitive'
    VIEW = 'view'


class Marker(Enum):
    """What stands before a link, and tells how far it reaches back."""

    NONE = ''
    WHICH = 'that is'
    IS = 'is'
    ALSO = 'and'


@dataclass(frozen=True, slots=True)
class Link:
    """
    A phrase that belongs to one before it, and how.

    Attributes
    ----------
    role : Role
    phrase : Phrase
    kind : RelationKind, optional
    rank : int
    negated : bool
    closed : bool
        Nothing more can belong to its phrase: "with a pillow on it".
    marker : Marker
    several : bool, optional
        Whether "are" or "is" was said: of one or of many.

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

    `between` tells that the first phrase is itself one side of a BETWEEN ("the path between the
    sofa and the table"), and that nothing but the other side can belong to what lies there.
    """

    first: Phrase
    links: tuple[Link, ...] = field(default=())
    between: bool = False

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases, in order: that of link i has the number i + 1."""
        return (self.first, *(link.phrase for link in self.links))
