# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Queries: the meaning of a question, whatever its language."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

__all__ = [
    'AVOIDING_ACTIONS',
    'BETWEEN_ACTIONS',
    'DISTANCE_RANKS',
    'VIEWPOINT_RELATIONS',
    'Action',
    'CountQuery',
    'Description',
    'Determiner',
    'InstructionQuery',
    'InstructionStep',
    'Parse',
    'Query',
    'ReferenceQuery',
    'Relation',
    'RelationKind',
    'Sense',
    'Superlative',
]


class RelationKind(Enum):
    """
    Spatial relation of an object to its anchors; the values appear in answers.

    To add a relation of two boxes, add its words to language/english_words.yaml and
    language/japanese_words.yaml, and its rule to relations/pairwise_relations.py.
    """

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
    """Whether any or all of the objects that fit an anchor phrase must be in the relation."""

    THE = 'the'
    ANY = 'a'
    ALL = 'all'


@dataclass(frozen=True, slots=True)
class Relation:
    """
    A constraint on an object relative to other objects.

    Attributes
    ----------
    kind : RelationKind
    anchors : tuple of Description
        One; two for BETWEEN, or one that is plural or counted ("the two columns").
    rank : int
        For CLOSEST and FARTHEST: 1 is the first, 2 the second.
    inverse : bool
        The anchor is in the relation to the object: "with a pillow on it".
    negated : bool
        The relation must not hold: "that is not on the table".
    viewpoint : Description, optional
        For LEFT_OF, RIGHT_OF, IN_FRONT_OF, BEHIND: the object at the position of the observer.

    """

    kind: RelationKind
    anchors: tuple[Description, ...]
    rank: int = 1
    inverse: bool = False
    negated: bool = False
    viewpoint: Description | None = None


class Superlative(Enum):
    """Selection among objects of the same class by a measure of their own."""

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
class Sense:
    """
    A wider sense of a noun: classes that it means less probably.

    Attributes
    ----------
    labels : tuple of str
        Classes that this sense adds, normalized: "tv cabinet" for "cabinet".
    probability : float
        Probability that they are included, though an object with the noun's own name fits.

    """

    labels: tuple[str, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class Description:
    """
    A noun phrase that describes one or more objects.

    Attributes
    ----------
    labels : tuple of str
        Classes of the map that the noun can mean, normalized; empty for "object", any class.
    noun : str
        The words of the question, for explanations.
    determiner : Determiner
    plural : bool
        More than one object may be meant.
    number : int, optional
        Number of objects: "the two columns".
    colors : tuple of str
        Names; all of them must fit.
    size : str, optional
        'big' or 'small', compared with objects of the same class.
    superlative : Superlative, optional
    rank : int
        Rank of the superlative: 2 is "the second biggest".
    ordinal : int, optional
        "the first chair", -1 is "the last". The order is not stated; a note in the answer says
        which order was used.
    relations : tuple of Relation
        All must hold; CLOSEST and FARTHEST select among the objects that fit everything else.
    region : str, optional
        Room of the object.
    senses : tuple of Sense
        Wider senses of the noun, most probable first; each includes those before.
    probability : float
        Probability that the noun means `labels`: below 1 if no class of the map has its name.

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
    senses: tuple[Sense, ...] = ()
    probability: float = 1.0

    @property
    def all_labels(self) -> tuple[str, ...]:
        """Classes that the noun can mean in its widest sense; empty for any."""
        return (*self.labels, *(label for sense in self.senses for label in sense.labels))


@dataclass(frozen=True, slots=True)
class CountQuery:
    """A question for the number of objects."""

    target: Description


@dataclass(frozen=True, slots=True)
class ReferenceQuery:
    """A question for the object that a description means."""

    target: Description


class Action(Enum):
    """Action of the robot in one step of an instruction."""

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
    One goal of an instruction, or a constraint on the route.

    `targets` is one Description, or two for the BETWEEN actions (one if it is plural or counted).
    AVOID actions apply to the whole route; the others are performed in the given order.
    """

    action: Action
    targets: tuple[Description, ...]


@dataclass(frozen=True, slots=True)
class InstructionQuery:
    """Goals of a route in order, and objects and paths to avoid."""

    steps: tuple[InstructionStep, ...]


Query: TypeAlias = CountQuery | ReferenceQuery | InstructionQuery


@dataclass(frozen=True, slots=True)
class Parse:
    """
    Result of parsing a question.

    Attributes
    ----------
    text : str
        The question.
    language : str
        'en' or 'ja'.
    queries : tuple of Query
        All possible meanings, most probable by grammar first; empty if the question cannot be
        parsed.
    understood : tuple of str
        The parsed phrases.
    missing : tuple of str
        Unknown words, or the reason why there are no queries.
    corrections : tuple of (str, str)
        Misspelled words and the words that replaced them.

    """

    text: str
    language: str
    queries: tuple[Query, ...]
    understood: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    corrections: tuple[tuple[str, str], ...] = ()
