# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A pending question: it is answered again on each map until its answer is final."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.objects.answering.map_sufficiency import (
    AnswerStability,
    SufficiencyDecision,
    answer_key,
    decide,
)
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.objects.answer import Answer
    from world_model_core.objects.answering.map_sufficiency import SufficiencyParameters

__all__ = ['PendingQuestion']


class PendingQuestion:
    """
    A question that is answered while the map grows.

    Parameters
    ----------
    text : str
    asked_ns : int
        Time at which it was received [ns].
    parameters : SufficiencyParameters

    Attributes
    ----------
    answer : Answer or None
        The last answer; it stays once it is final.
    decision : SufficiencyDecision
        WAIT as long as the answer may change.

    """

    def __init__(self, text: str, asked_ns: int, parameters: SufficiencyParameters) -> None:
        self.text = text
        self.answer: Answer | None = None
        self.decision = SufficiencyDecision.WAIT
        self._asked_ns = self._judged_ns = asked_ns
        self._parameters = parameters
        self._stability: AnswerStability | None = None

    @property
    def is_final(self) -> bool:
        """Whether the answer is final."""
        return self.decision is not SufficiencyDecision.WAIT

    @property
    def elapsed(self) -> float:
        """Time from the question to the last answer [s]."""
        return (self._judged_ns - self._asked_ns) / NANOSECONDS_PER_SECOND

    def take(self, answer: Answer, now_ns: int, coverage: float | None) -> None:
        """
        Store the answer from the present map, unless the answer is already final.

        Parameters
        ----------
        answer : Answer
        now_ns : int
            Present time [ns].
        coverage : float, optional
            Share of the floor that the robot has seen.

        """
        if self.is_final:
            return
        before = self._stability or AnswerStability(answer_key(answer), now_ns)
        self.answer, self._judged_ns = answer, now_ns
        self._stability = before.follow(answer, now_ns)
        self.decision = decide(
            answer,
            self._stability,
            self._asked_ns,
            now_ns,
            coverage=coverage,
            parameters=self._parameters,
        )
