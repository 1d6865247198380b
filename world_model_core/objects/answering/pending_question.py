# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One question, from when it is asked until its answer is settled."""

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


class PendingQuestion:
    """
    A question while a map grows.

    Parameters
    ----------
    text : str
    asked_ns : int
        When it was asked [ns].
    parameters : SufficiencyParameters

    Attributes
    ----------
    answer : Answer or None
        The last one; of a settled question it stays.
    verdict : Verdict
        WAIT as long as another answer may come.

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
        """Whether its answer is the last word."""
        return self.decision is not SufficiencyDecision.WAIT

    @property
    def elapsed(self) -> float:
        """From the question to the last answer [s]."""
        return (self._judged_ns - self._asked_ns) / NANOSECONDS_PER_SECOND

    def take(self, answer: Answer, now_ns: int, coverage: float | None) -> None:
        """
        Take the answer that the map gives now; not of a question that is settled.

        Parameters
        ----------
        answer : Answer
        now_ns : int
        coverage : float, optional
            Part of the floor that has been seen.

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
