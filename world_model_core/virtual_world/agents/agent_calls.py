# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Agents that are attached, and what has happened to each when it is called."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from world_model_core.virtual_world.agents.attached_agent import AttachedAgent
from world_model_core.virtual_world.agents.collisions import collisions_of
from world_model_core.virtual_world.agents.events import AgentError
from world_model_core.virtual_world.agents.schedule import InvalidReplyError, Schedule

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from world_model_core.virtual_world.agents.events import Event
    from world_model_core.virtual_world.agents.messages import Heard
    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['AgentCalls', 'AttachError']


class AttachError(AgentError):
    """An agent has a controller already."""


class AgentCalls:
    """
    Decides which agents are called: a part of AgentTurns.

    Parameters
    ----------
    lockstep : bool
        Whether the world waits for the replies of all.

    """

    def __init__(self, *, lockstep: bool) -> None:
        self._lockstep = lockstep
        self._agents: dict[str, AttachedAgent] = {}
        self._schedule = Schedule()
        self._begun_ns: int | None = None
        self.counts: Counter[str] = Counter()
        self.heard: Mapping[str, tuple[Heard, ...]] = {}

    @property
    def agents(self) -> tuple[str, ...]:
        """Attached agents, by name."""
        return tuple(sorted(self._agents))

    @property
    def unresponsive(self) -> tuple[str, ...]:
        """Agents that were late too often in a row; the world does not wait for them."""
        return tuple(name for name in self.agents if self._agents[name].unresponsive)

    @property
    def left_alone(self) -> tuple[str, ...]:
        """Agents whose handlers raised exceptions too often in a row; they are not called."""
        return tuple(name for name in self.agents if self._agents[name].alone)

    def attach(self, agent: str, handlers: Collection[str]) -> None:
        """
        Call an agent from now on.

        Parameters
        ----------
        agent : str
            Name of its entity; while there is none of this name, the agent is not called.
        handlers : collection of str
            Names of the handlers that it has.

        Raises
        ------
        AttachError
            The agent is attached.

        """
        if agent in self._agents:
            raise AttachError(f'agent {agent!r} has a controller already')
        self._agents[agent] = AttachedAgent(frozenset(handlers))

    def detach(self, agent: str) -> None:
        """Call an agent no longer; the replies that were accepted still count."""
        self._agents.pop(agent, None)
        self._schedule.remove(agent)

    @property
    def _soon_ns(self) -> int:
        """Time of the next step, or of the first instant [ns]."""
        return 0 if self._begun_ns is None else self._begun_ns + 1

    def _next_call_ns(self) -> int | None:
        """Return the time of the next call of any agent [ns]; None: none."""
        active = {name: each for name, each in self._agents.items() if not each.alone}
        if any(each.begins or each.feels for each in active.values()):
            return self._soon_ns
        return self._schedule.next_due_of(
            [name for name, each in active.items() if not self._is_passed_over(each)]
        )

    def _collect(self, engine: Engine) -> dict[str, tuple[Event, ...]]:
        """Return what has happened to each agent that is to be called, by name."""
        time_ns = engine.time_ns
        feeling = {name for name, each in self._agents.items() if each.feels}
        collisions = collisions_of(feeling, engine.touching) if feeling else {}
        due = self._schedule.due(time_ns)
        collected = {}
        for name in self._present(engine):
            agent = self._agents[name]
            self._keep_heard(name, agent)
            if self._is_passed_over(agent):
                self._pass_over(name, acts=name in due)
                continue
            if agent.begins and agent.acts:
                self._schedule.add(name, time_ns + 1)
            elif name in due:
                self._schedule.repeat(name, time_ns)
            events = agent.take_events(time_ns, collisions.get(name, ()), acts=name in due)
            if events:
                collected[name] = events
        return collected

    def _present(self, engine: Engine) -> list[str]:
        """Return the agents that have an entity and are not left alone, by name."""
        names = sorted(self._agents.keys() & set(engine.names))
        return [name for name in names if not self._agents[name].alone]

    def _keep_heard(self, name: str, agent: AttachedAgent) -> None:
        """Keep what an agent has heard for its turn."""
        heard = agent.handled(self.heard.get(name, ()))
        self.counts['heard too much'] += agent.hear(heard)

    def _is_passed_over(self, agent: AttachedAgent) -> bool:
        """Return whether an agent gets no turn before it has replied."""
        return agent.busy and (agent.unresponsive or not self._lockstep)

    def _pass_over(self, name: str, *, acts: bool) -> None:
        """Drop what is due of a busy agent, except what it has heard."""
        if acts:
            self._schedule.repeat(name, self._soon_ns - 1)
            self.counts['action while busy'] += 1

    def _call_again(self, name: str, time_ns: int, seconds: float | None) -> None:
        """Schedule the next call of an agent."""
        try:
            if seconds is None:
                self._schedule.repeat(name, time_ns)
            else:
                self._schedule.replied(name, time_ns, seconds)
        except InvalidReplyError as error:
            self.counts['invalid reply'] += 1
            self._agents[name].report(str(error))
