# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a question means, in whichever language it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class RelationKind(Enum):
    """How an object stands to its anchors; the words are those of the answers."""

    ON = 'on'
    ABOVE = 'above'
    BELOW = 'below'
    IN = 'in'
    NEAR = 'near'
    BETWEEN = 'between'
    CLOSEST = 'closest to'
    FARTHEST = 'farthest from'
    LEFT_OF = 'left of'
    RIGHT_OF = 'right of'
    IN_FRONT_OF = 'in front of'
    BEHIND = 'behind'


# Relations that depend on the position of the observer.
VIEWPOINT_RELATIONS = frozenset(
    {
        RelationKind.LEFT_OF,
        RelationKind.RIGHT_OF,
        RelationKind.IN_FRONT_OF,
        RelationKind.BEHIND,
    }
)
# Relations that select among the objects that fit the rest of a phrase.
DISTANCE_RANKS = frozenset({RelationKind.CLOSEST, RelationKind.FARTHEST})


class Determiner(Enum):
    """What an anchor ranges over: the one there is, any, all."""

    THE = 'the'
    ANY = 'a'
    ALL = 'all'


@dataclass(frozen=True, slots=True)
class Relation:
    """
    A constraint on an object by others.

    Attributes
    ----------
    kind : RelationKind
    anchors : tuple of Description
        One; two for BETWEEN, or one that is plural or counted ("the two columns").
    rank : int
        Of CLOSEST and FARTHEST: 1 the first, 2 the second.
    inverse : bool
        The anchor stands in the relation to the object: "with a pillow on it".
    negated : bool
        The relation must not hold: "that is not on the table".
    viewpoint : Description, optional
        Of LEFT_OF, RIGHT_OF, IN_FRONT_OF, BEHIND: the object from which it is looked at.

    """

    kind: RelationKind
    anchors: tuple[Description, ...]
    rank: int = 1
    inverse: bool = False
    negated: bool = False
    viewpoint: Description | None = None


class Superlative(Enum):
    """An object picked among its like by a measure of its own."""

    BIGGEST = 'biggest'
    SMALLEST = 'smallest'
    TALLEST = 'tallest'
    SHORTEST = 'shortest'
    LONGEST = 'longest'
    WIDEST = 'widest'
    HIGHEST = 'highest'
    LOWEST = 'lowest'
    LEFTMOST = 'leftmost'
    RIGHTMOST = 'rightmost'


@dataclass(frozen=True, slots=True)
class Description:
    """
    A noun phrase: which objects are meant.

    Attributes
    ----------
    labels : tuple of str
        Classes of the map that the noun may mean, normalised; empty for "object", any class.
    noun : str
        The words as they were read, for the answer.
    determiner : Determiner
    plural : bool
        More than one may be meant.
    number : int, optional
        How many: "the two columns".
    colors : tuple of str
        Names, all of which must fit.
    size : str, optional
        'big' or 'small', compared with its like.
    superlative : Superlative, optional
    rank : int
        Of the superlative: 2 is "the second biggest".
    ordinal : int, optional
        "the first chair", -1 "the last": without a stated order, which the answer then says.
    relations : tuple of Relation
        All must hold; CLOSEST and FARTHEST pick among what the others leave.
    region : str, optional
        The room that it must be in.

    """

    labels: tuple[str, ...]
    noun: str
    determiner: Determiner = Determiner.THE
    plural: bool = False
    number: int | None = None
    colors: tuple[str, ...] = ()
    size: str | None = None
    superlative: Superlative | None = None
    rank: int = 1
    ordinal: int | None = None
    relations: tuple[Relation, ...] = ()
    region: str | None = None


@dataclass(frozen=True, slots=True)
class CountQuery:
    """How many there are."""

    target: Description


@dataclass(frozen=True, slots=True)
class ReferenceQuery:
    """Which one is meant."""

    target: Description


class Action(Enum):
    """What one step of an instruction asks of the robot."""

    GO_TO = 'go to'
    GO_NEAR = 'go near'
    VIA_BETWEEN = 'via between'
    VIA_NEAR = 'via near'
    STOP_AT = 'stop at'
    AVOID = 'avoid'
    AVOID_BETWEEN = 'avoid the path between'
    AVOID_NEAR = 'avoid the path near'


BETWEEN_ACTIONS = frozenset({Action.VIA_BETWEEN, Action.AVOID_BETWEEN})
AVOIDING_ACTIONS = frozenset({Action.AVOID, Action.AVOID_BETWEEN, Action.AVOID_NEAR})


@dataclass(frozen=True, slots=True)
class InstructionStep:
    """
    One sub-goal, or a constraint on the way.

    `targets` are one Description, or two for the BETWEEN actions (one when plural or counted).
    AVOID actions hold on the whole way; the others are done in the order of the instruction.
    """

    action: Action
    targets: tuple[Description, ...]


@dataclass(frozen=True, slots=True)
class InstructionQuery:
    """Where to go, in order, and what to keep clear of."""

    steps: tuple[InstructionStep, ...]


Query: TypeAlias = CountQuery | ReferenceQuery | InstructionQuery


@dataclass(frozen=True, slots=True)
class Parse:
    """
    What a question was read as.

    Attributes
    ----------
    text : str
        The question.
    language : str
        'en' or 'ja'.
    queries : tuple of Query
        Every way to attach its phrases, the likeliest by grammar first; empty when it could not be
        read.
    understood : tuple of str
        What was read of it, phrase by phrase.
    missing : tuple of str
        What was not, or is not in the vocabulary; with any of it there are no queries.
    corrections : tuple of (str, str)
        Misspelt words and what they were taken for.

    """

    text: str
    language: str
    queries: tuple[Query, ...]
    understood: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    corrections: tuple[tuple[str, str], ...] = ()
