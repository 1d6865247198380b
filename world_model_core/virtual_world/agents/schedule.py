# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""When each agent is to be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.time import to_nanoseconds
from world_model_core.virtual_world.agents.events import AgentError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ['LONGEST_PERIOD', 'InvalidReplyError', 'Schedule']

# Longest time until the next call [s].
LONGEST_PERIOD = 86_400.0


class InvalidReplyError(AgentError):
    """A handler returned NaN, infinity or a time that is too long."""


class Schedule:
    """
    The next call of each agent.

    All times are simulated times since the start [ns]. A call is due at the first step at or after
    its time; `time + 1` is the next step.
    """

    def __init__(self) -> None:
        self._due_ns: dict[str, int] = {}
        self._periods_ns: dict[str, int] = {}

    def next_due_of(self, agents: Collection[str]) -> int | None:
        """Return the time of the next call of some agents; None if there is none."""
        return min((self._due_ns[each] for each in agents if each in self._due_ns), default=None)

    def add(self, agent: str, time_ns: int) -> None:
        """Call an agent at a time, and from then on at each step until it replies."""
        self._due_ns[agent] = time_ns
        self._periods_ns[agent] = 1

    def remove(self, agent: str) -> None:
        """Call an agent no longer."""
        self._due_ns.pop(agent, None)
        self._periods_ns.pop(agent, None)

    def due(self, time_ns: int) -> set[str]:
        """Return the agents to be called at a time."""
        return {name for name, due in self._due_ns.items() if due <= time_ns}

    def replied(self, agent: str, time_ns: int, seconds: float) -> None:
        """
        Call an agent again some time after its reply.

        Parameters
        ----------
        agent : str
        time_ns : int
            From when the period counts.
        seconds : float
            The period [s]; below 0: the next step.

        Raises
        ------
        InvalidReplyError
            It is NaN, infinite or longer than a day; the last period stays.

        """
        if not -float('inf') < seconds <= LONGEST_PERIOD:
            self.repeat(agent, time_ns)
            raise InvalidReplyError(
                f'on_action of {agent!r} returned {seconds} s; it must be a number up to '
                f'{LONGEST_PERIOD:.0f} s'
            )
        if agent in self._periods_ns:
            self._periods_ns[agent] = max(to_nanoseconds(seconds), 1) if seconds > 0.0 else 1
            self.repeat(agent, time_ns)

    def repeat(self, agent: str, time_ns: int) -> None:
        """Call an agent again after its last period."""
        if agent in self._periods_ns:
            self._due_ns[agent] = time_ns + self._periods_ns[agent]

    def delay(self, agent: str, time_ns: int) -> None:
        """Call an agent at a time, and keep its period."""
        if agent in self._due_ns:
            self._due_ns[agent] = time_ns
