# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The turns of all agents: what has happened to each, and what their replies do to the world."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.agents.agent_calls import AgentCalls
from world_model_core.virtual_world.agents.attached_agent import LateReply, OpenTurn
from world_model_core.virtual_world.agents.events import EndEvent
from world_model_core.virtual_world.agents.messages import Mail, RefusedMessageError, check_names
from world_model_core.virtual_world.agents.state_feed import StateFeed
from world_model_core.virtual_world.agents.wire_values import Late, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from world_model_core.virtual_world.agents.messages import Outgoing
    from world_model_core.virtual_world.agents.wire_values import Turn
    from world_model_core.virtual_world.agents.writes import Write
    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['AgentTurns', 'ApplyWrite']

# Raises EngineError if the world refuses a write.
ApplyWrite: TypeAlias = 'Callable[[Engine, Write], None]'

# Most writes of a reply.
MOST_WRITES = 10_000
# Late replies of which the turns are kept.
KEPT_LATE_REPLIES = 10_000


class _Accepted(NamedTuple):
    """A reply, to be applied, and the turn that it ends."""

    agent: str
    turn: OpenTurn
    reply: Reply


class AgentTurns(AgentCalls):
    """
    Calls agents when something happens to them, and applies their replies in the order of names.

    At an instant: `begin` returns the turns, `accept` takes the replies in any order, and `finish`
    applies them. The replies and the world alone decide what happens, not when they come, unless a
    reply is late.

    Parameters
    ----------
    apply : callable
        Applies a write to an engine; raises EngineError.
    lockstep : bool
        True: the world waits for the replies of all. False: it waits for none; a period counts
        from when the reply comes, and what is due meanwhile is dropped, except what is heard.

    Attributes
    ----------
    counts : Counter of str
        What was refused, dropped or late, by its cause.
    listeners : collection of str
        Entities that hear though no agent is attached to them.
    heard : mapping of str to tuple of Event
        What agents and listeners have heard at the last instant.
    said : tuple of Outgoing
        What agents have said in the replies of the last instant.
    late_replies : deque of LateReply
        The last of them.

    """

    def __init__(self, apply: ApplyWrite, *, lockstep: bool = True) -> None:
        super().__init__(lockstep=lockstep)
        self._apply = apply
        self._mail = Mail()
        self._feed = StateFeed()
        self._accepted: list[_Accepted] = []
        self.listeners: Collection[str] = ()
        self.said: tuple[Outgoing, ...] = ()
        self.late_replies: deque[LateReply] = deque(maxlen=KEPT_LATE_REPLIES)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Agents whose replies the world waits for, by name; none if it does not wait."""
        if not self._lockstep:
            return ()
        return tuple(name for name in self.agents if self._agents[name].waited_for is not None)

    @property
    def next_due_ns(self) -> int | None:
        """Simulated time of the next instant, at the first step at or after it; None: none."""
        if self._accepted or self._mail.waits:
            return self._soon_ns
        return self._next_call_ns()

    def begin(self, engine: Engine) -> dict[str, Turn]:
        """Return the turns that are due now, in the order of the agents' names."""
        time_ns = self._begun_ns = engine.time_ns
        self._deliver(engine)
        events = self._collect(engine)
        if not events:
            return {}
        view = self._feed.look(engine)
        turns = {}
        for name, happened in events.items():
            agent = self._agents[name]
            changes = self._feed.changes(agent.seen, view)
            agent.seen = view
            turns[name] = agent.begin_turn(time_ns, happened, changes)
        return turns

    def accept(self, agent: str, reply: Reply) -> None:
        """Take the reply of an agent to a turn; `finish` applies it."""
        found = self._agents.get(agent)
        turn = None if found is None else found.close_turn(reply.number)
        if turn is None:
            self.counts['reply to no turn'] += 1
            return
        self._accepted.append(_Accepted(agent, turn, reply))

    def refuse(self, agent: str, reason: str) -> None:
        """
        Count what an agent sent that is invalid, and report it to the agent.

        It ends the turn that the world waits for, as a reply without content does.
        """
        self.counts['invalid message'] += 1
        if (found := self._agents.get(agent)) is None:
            return
        found.report(reason)
        if (turn := found.waited_for) is not None:
            self.accept(agent, Reply(turn.number))

    def mark_late(self) -> dict[str, Late]:
        """Wait no longer for the missing replies; return what to tell their agents."""
        late = {}
        for name in self.waiting:
            turn = self._agents[name].give_up()
            late[name] = Late(turn.number)
            self.counts['late'] += 1
            if turn.acts:
                self._schedule.delay(name, self._soon_ns)
        return late

    def say(self, outgoing: Outgoing) -> None:
        """
        Say something that is no reply of an agent; it is heard at the next step.

        Raises
        ------
        RefusedMessageError
            It is invalid, too long, or there were too many in this step.

        """
        self._mail.post(outgoing, self._soon_ns - 1)

    def finish(self, engine: Engine) -> None:
        """Apply the replies to the world, in the order of the agents' names."""
        accepted = sorted(self._accepted, key=lambda each: (each.agent, each.turn.number))
        self._accepted = []
        known, said = set(engine.names), []
        for each in accepted:
            self._settle(each, engine.time_ns)
            self._write(each, engine)
            said += self._post(each, known)
        self.said = tuple(said)

    def end(self, time_ns: int) -> dict[str, Turn]:
        """Return the last turns, of the agents that have a handler for it."""
        event = EndEvent(time_ns)
        return {
            name: self._agents[name].begin_turn(time_ns, (event,))
            for name in self.agents
            if self._agents[name].handled((event,)) and not self._agents[name].alone
        }

    def reset(self) -> None:
        """Return to the start: all agents begin again, and what they said is forgotten."""
        self._mail.clear()
        self._accepted.clear()
        self._begun_ns = None
        self.heard, self.said = {}, ()
        for name, agent in self._agents.items():
            agent.reset()
            self._schedule.remove(name)

    def _deliver(self, engine: Engine) -> None:
        """Deliver what was said before this step."""
        self.heard = {}
        if self._mail.waits:
            hearers = {*self._agents, *self.listeners}.intersection(engine.names)
            positions = self._feed.look(engine).positions()
            self.heard = self._mail.deliver(engine.time_ns, positions, hearers)

    def _settle(self, accepted: _Accepted, time_ns: int) -> None:
        """Note what a reply says of the agent itself: its next call, and whether it failed."""
        name, turn, reply = accepted
        if turn.late:
            self.counts['late reply'] += 1
            self.late_replies.append(LateReply(name, turn.number, time_ns))
        if (agent := self._agents.get(name)) is None:
            return
        if turn.acts:
            on_time = self._lockstep and not turn.late
            self._call_again(name, turn.time_ns if on_time else time_ns, reply.seconds)
        self.counts['handler raised'] += len(reply.errors)
        agent.count_throw(thrown=bool(reply.errors))
        if agent.alone:
            self._schedule.remove(name)

    def _write(self, accepted: _Accepted, engine: Engine) -> None:
        """Apply what an agent has written, attribute by attribute."""
        for write in accepted.reply.writes[:MOST_WRITES]:
            try:
                self._apply(engine, write)
            except WorldModelError as error:
                self._refuse_part(accepted.agent, 'write refused', str(error))
        if (dropped := len(accepted.reply.writes) - MOST_WRITES) > 0:
            self.counts['too many writes'] += dropped

    def _post(self, accepted: _Accepted, known: Collection[str]) -> list[Outgoing]:
        """Say what an agent says; return what was not refused."""
        said = []
        for outgoing in accepted.reply.outgoing:
            try:
                check_names(outgoing, accepted.agent, known)
                self.say(outgoing)
            except RefusedMessageError as error:
                self._refuse_part(accepted.agent, error.cause, str(error))
            else:
                said.append(outgoing)
        return said

    def _refuse_part(self, name: str, cause: str, reason: str) -> None:
        """Count a part of a reply that is refused, and report it to the agent."""
        self.counts[cause] += 1
        if (agent := self._agents.get(name)) is not None:
            agent.report(reason)
