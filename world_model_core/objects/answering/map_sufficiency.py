# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""When a map suffices for an answer, and which classes it needs for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.objects.answer import (
    InstructionAnswer,
    NoAnswer,
    NumericalAnswer,
    ReferenceAnswer,
)
from world_model_core.objects.answering.parse_score import query_phrases
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.objects.answer import Answer
    from world_model_core.objects.query import Query


class SufficiencyDecision(Enum):
    """Whether to answer now, and why."""

    WAIT = 'the map does not suffice yet'
    SUFFICES = 'the map suffices'
    TIME_IS_UP = 'the time budget has ended'


@dataclass(frozen=True, slots=True)
class SufficiencyParameters:
    """
    When to stop looking.

    Attributes
    ----------
    probability : float
        Least probability of an answer, within (0, 1].
    stable : float
        How long the same answer must have held, with at least that probability [s].
    coverage : float
        Least part of the floor that must have been seen, within [0, 1], where that is known.
    unknown_stable : float
        How long instead, where it is not known how much has been seen [s].
    budget : float
        From the question on, when to answer in any case [s].

    Raises
    ------
    ConfigurationError
        If a value is outside its limits.

    """

    probability: float = 0.8
    stable: float = 10.0
    coverage: float = 0.9
    unknown_stable: float = 120.0
    budget: float = 540.0

    def __post_init__(self) -> None:
        """Refuse what would never or always suffice."""
        _check('probability', self.probability, 1e-6, 1.0)
        _check('coverage', self.coverage, 0.0, 1.0)
        for name in ('stable', 'unknown_stable', 'budget'):
            _check(name, getattr(self, name), 0.0, 1e6)


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ConfigurationError(f'{name} is {value}; it must be from {low} to {high}')


@dataclass(frozen=True, slots=True)
class AnswerStability:
    """
    How long a question has had the same answer.

    Attributes
    ----------
    said : tuple of str
        The answer in short: two that say the same are the same.
    since_ns : int
        Since when [ns].

    """

    key: tuple[str, ...]
    since_ns: int

    def follow(self, answer: Answer, now_ns: int) -> AnswerStability:
        """Take the answer of a later map into account."""
        key = answer_key(answer)
        return self if key == self.key else AnswerStability(key, now_ns)


def answer_key(answer: Answer) -> tuple[str, ...]:
    """Say what an answer comes to, without probabilities, ways and notes."""
    if isinstance(answer, NumericalAnswer):
        return ('count', str(answer.count))
    if isinstance(answer, ReferenceAnswer):
        return ('object', answer.object.id)
    if isinstance(answer, InstructionAnswer):
        return ('way', *(each.id for each in answer.objects))
    return ('nothing', *answer.missing)


def decide(
    answer: Answer,
    stability: AnswerStability,
    asked_ns: int,
    now_ns: int,
    *,
    coverage: float | None,
    parameters: SufficiencyParameters,
) -> SufficiencyDecision:
    """
    Decide whether to give an answer now.

    An unseen part of the house may hold one more of what is counted, or a nearer one of what is
    referred to; so the same answer must have held for a while, and most of the floor been seen.

    Parameters
    ----------
    answer : Answer
        Of the map as it is.
    steadiness : Steadiness
        Of the question's answers so far, this one included.
    asked_ns, now_ns : int
        When the question was first heard, and the present, of one clock [ns].
    coverage : float, optional
        Part of the floor that has been seen, within [0, 1]; None where nobody knows.
    parameters : SufficiencyParameters

    """
    if now_ns - asked_ns >= parameters.budget * NANOSECONDS_PER_SECOND:
        return SufficiencyDecision.TIME_IS_UP
    if isinstance(answer, NoAnswer) or answer.probability < parameters.probability:
        return SufficiencyDecision.WAIT
    if coverage is not None and coverage < parameters.coverage:
        return SufficiencyDecision.WAIT
    needed = parameters.unknown_stable if coverage is None else parameters.stable
    steady = now_ns - stability.since_ns >= needed * NANOSECONDS_PER_SECOND
    return SufficiencyDecision.SUFFICES if steady else SufficiencyDecision.WAIT


def interest_of(query: Query) -> frozenset[str]:
    """
    List the classes on which the answer to a query rests.

    Returns
    -------
    frozenset of str
        Normalised labels; empty when objects of any class may matter.

    """
    phrases = tuple(query_phrases(query))
    if any(not phrase.labels for phrase in phrases):
        return frozenset()
    return frozenset(label for phrase in phrases for label in phrase.labels)
