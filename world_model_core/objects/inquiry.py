# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One question, from when it is asked until its answer is settled."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.objects.answer import Answer

SECOND = 1_000_000_000


class SettledBy(Enum):
    """Why an answer is the last word."""

    MAP = 'the map suffices'
    TIME = 'the time budget ended'


class Inquiry:
    """
    A question while a map grows.

    Parameters
    ----------
    text : str
    began_ns : int
        When it was asked [ns].
    budget : float
        How long it may take [s].

    Attributes
    ----------
    answer : Answer or None
        The last one; of a settled question it stays.
    settled_by : SettledBy or None
        None as long as another answer may come.

    """

    def __init__(self, text: str, began_ns: int, budget: float) -> None:
        self.text = text
        self._began_ns, self._budget = began_ns, budget
        self.answer: Answer | None = None
        self.settled_by: SettledBy | None = None
        self._settled_ns = began_ns

    def elapsed(self, now_ns: int) -> float:
        """Tell how long it has taken, or took until it was settled [s]."""
        until_ns = now_ns if self.settled_by is None else self._settled_ns
        return (until_ns - self._began_ns) / SECOND

    def is_late(self, now_ns: int) -> bool:
        """Tell whether its time is over."""
        return self.elapsed(now_ns) >= self._budget

    def take(self, answer: Answer, now_ns: int, *, suffices: bool) -> bool:
        """
        Take an answer, and tell whether it is the last word now.

        Parameters
        ----------
        answer : Answer
        now_ns : int
        suffices : bool
            Whether the map is good enough for it to be settled before the time is over.

        """
        if self.settled_by is not None:
            return False
        self.answer = answer
        late = self.is_late(now_ns)
        if suffices or late:
            self._settled_ns = now_ns
            self.settled_by = SettledBy.MAP if suffices else SettledBy.TIME
        return self.settled_by is not None
