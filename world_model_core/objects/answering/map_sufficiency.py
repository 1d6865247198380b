# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Decision whether a map suffices for an answer."""

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
from world_model_core.objects.query import Determiner, ReferenceQuery
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.objects.answer import Answer

__all__ = [
    'AnswerStability',
    'SufficiencyDecision',
    'SufficiencyParameters',
    'answer_key',
    'decide',
]


class SufficiencyDecision(Enum):
    """Whether to give an answer now, and why."""

    WAIT = 'the map does not suffice yet'
    SUFFICES = 'the map suffices'
    TIME_IS_UP = 'the time budget has ended'


@dataclass(frozen=True, slots=True)
class SufficiencyParameters:
    """
    Conditions for a final answer.

    Attributes
    ----------
    probability : float
        Least probability of the answer, within (0, 1].
    stable : float
        Time for which the answer must have been the same, with at least that probability [s].
    coverage : float
        Least share of the floor that must have been seen, within [0, 1], if it is known.
    unknown_stable : float
        Replaces `stable` if the share of the floor that has been seen is unknown [s].
    budget : float
        Time after the question at which an answer is given in any case [s].

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
        """Check the limits of all values."""
        _check('probability', self.probability, 1e-6, 1.0)
        _check('coverage', self.coverage, 0.0, 1.0)
        for name in ('stable', 'unknown_stable', 'budget'):
            _check(name, getattr(self, name), 0.0, 1e6)


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ConfigurationError(f'{name}: {value} is outside [{low}, {high}]')


@dataclass(frozen=True, slots=True)
class AnswerStability:
    """
    Time since which a question has had the same answer.

    Attributes
    ----------
    key : tuple of str
        Essence of the answer: answers with equal keys are the same.
    since_ns : int
        [ns].

    """

    key: tuple[str, ...]
    since_ns: int

    def follow(self, answer: Answer, now_ns: int) -> AnswerStability:
        """Update with the answer from a later map."""
        key = answer_key(answer)
        return self if key == self.key else AnswerStability(key, now_ns)


def answer_key(answer: Answer) -> tuple[str, ...]:
    """Return the essence of an answer, without probabilities, way points and notes."""
    if isinstance(answer, NumericalAnswer):
        return ('count', str(answer.count))
    if isinstance(answer, ReferenceAnswer):
        return ('object', answer.object.id)
    if isinstance(answer, InstructionAnswer):
        return ('route', *(each.id for each in answer.objects))
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

    An unseen part of the house may contain one more object to count, or a closer one. Therefore
    the same answer must have held for some time, and most of the floor must have been seen.

    Parameters
    ----------
    answer : Answer
        Answer from the present map.
    stability : AnswerStability
        Stability of the answers so far, including this one.
    asked_ns, now_ns : int
        Time of the question and present time, of one clock [ns].
    coverage : float, optional
        Share of the floor that has been seen, within [0, 1]; None if unknown.
    parameters : SufficiencyParameters

    """
    if now_ns - asked_ns >= parameters.budget * NANOSECONDS_PER_SECOND:
        return SufficiencyDecision.TIME_IS_UP
    if isinstance(answer, NoAnswer) or _right_probability(answer) < parameters.probability:
        return SufficiencyDecision.WAIT
    if coverage is not None and coverage < parameters.coverage:
        return SufficiencyDecision.WAIT
    needed = parameters.unknown_stable if coverage is None else parameters.stable
    steady = now_ns - stability.since_ns >= needed * NANOSECONDS_PER_SECOND
    return SufficiencyDecision.SUFFICES if steady else SufficiencyDecision.WAIT


def _right_probability(answer: NumericalAnswer | ReferenceAnswer | InstructionAnswer) -> float:
    """
    Return the probability that an answer is right.

    "A chair" and "the chairs" mean any of their candidates: whichever is named is right.
    """
    if isinstance(answer, ReferenceAnswer) and isinstance(answer.query, ReferenceQuery):
        target = answer.query.target
        if target.plural or target.determiner is not Determiner.THE:
            return answer.probability + sum(share for _, share in answer.alternatives)
    return answer.probability
