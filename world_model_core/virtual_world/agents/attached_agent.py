# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""An agent with a controller: its open turns, what it has heard, and how often it failed."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from world_model_core.virtual_world.agents.events import (
    HANDLERS,
    ActionEvent,
    CollisionEvent,
    Event,
    InitEvent,
)
from world_model_core.virtual_world.agents.messages import content_bytes
from world_model_core.virtual_world.agents.state_changes import NO_CHANGES
from world_model_core.virtual_world.agents.wire_values import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.virtual_world.agents.events import Collision
    from world_model_core.virtual_world.agents.messages import Heard
    from world_model_core.virtual_world.agents.state_changes import StateChanges
    from world_model_core.virtual_world.agents.state_feed import WorldView

__all__ = ['MOST_KEPT', 'AttachedAgent', 'LateReply', 'OpenTurn']

# Replies in a row with exceptions after which an agent is left alone, and turns in a row without
# a reply in time after which the world does not wait for it until it has replied to all.
MOST_THROWS = 10
MOST_LATE = 3
AnyEvent = TypeVar('AnyEvent', bound=Event)

# Most of what an agent hears that is kept for its next turn, and its size [byte]: a turn must fit
# into a frame.
MOST_KEPT = 1_000
MOST_KEPT_BYTES = 32_000_000
# What an agent is told of its refused replies in a turn: number of errors, and their length.
MOST_ERRORS = 20
LONGEST_ERROR = 1_000


class OpenTurn(NamedTuple):
    """
    A turn without a reply.

    Attributes
    ----------
    number : int
        Of the turn.
    time_ns : int
        When it began [ns].
    acts : bool
        Whether it called on_action.
    late : bool
        Whether the world has gone on without the reply.

    """

    number: int
    time_ns: int
    acts: bool
    late: bool = False


class LateReply(NamedTuple):
    """
    A reply that came after the world had gone on: an input, by which two runs may differ.

    Attributes
    ----------
    agent : str
    number : int
        Of the turn.
    time_ns : int
        When it was applied: simulated time since the start [ns].

    """

    agent: str
    number: int
    time_ns: int


class AttachedAgent:
    """
    What the world keeps of an agent with a controller.

    Parameters
    ----------
    handlers : frozenset of str
        Names of its handlers.

    Attributes
    ----------
    begins : bool
        Whether it is to be initialized.
    alone : bool
        Whether it is not called any more.
    seen : WorldView, optional
        The world as it was told last; None: nothing yet.

    """

    def __init__(self, handlers: frozenset[str]) -> None:
        self.handlers = handlers
        self.begins, self.alone = True, False
        self._throws = self._late_turns = 0
        self.seen: WorldView | None = None
        self._number = 0
        self._open: dict[int, OpenTurn] = {}
        self._heard: deque[Heard] = deque()
        self._heard_bytes = 0
        self._errors: list[str] = []

    @property
    def busy(self) -> bool:
        """Whether a reply is missing."""
        return bool(self._open)

    @property
    def waited_for(self) -> OpenTurn | None:
        """The turn whose reply the world waits for."""
        return next((turn for turn in self._open.values() if not turn.late), None)

    @property
    def acts(self) -> bool:
        """Whether it is called at times of its own."""
        return HANDLERS[ActionEvent] in self.handlers

    @property
    def feels(self) -> bool:
        """Whether its collisions are reported."""
        return HANDLERS[CollisionEvent] in self.handlers

    @property
    def unresponsive(self) -> bool:
        """Whether it was late too often in a row, and has not replied to all its turns since."""
        return self._late_turns >= MOST_LATE

    def count_throw(self, *, thrown: bool) -> None:
        """Note whether handlers raised exceptions in a turn; too often, and it is left alone."""
        self._throws = self._throws + 1 if thrown else 0
        self.alone = self.alone or self._throws >= MOST_THROWS

    def handled(self, events: Iterable[AnyEvent]) -> tuple[AnyEvent, ...]:
        """Return the events that it has handlers for."""
        return tuple(each for each in events if HANDLERS[type(each)] in self.handlers)

    def hear(self, heard: Sequence[Heard]) -> int:
        """Keep what it hears until its next turn; return how much older was dropped for it."""
        self._heard.extend(heard)
        self._heard_bytes += sum(map(content_bytes, heard))
        dropped = 0
        while len(self._heard) > MOST_KEPT or self._heard_bytes > MOST_KEPT_BYTES:
            self._heard_bytes -= content_bytes(self._heard.popleft())
            dropped += 1
        return dropped

    def take_events(
        self, time_ns: int, collisions: tuple[Collision, ...], *, acts: bool
    ) -> tuple[Event, ...]:
        """
        Return what has happened to it since its last turn, in the order in which it handles it.

        Parameters
        ----------
        time_ns : int
            Simulated time [ns].
        collisions : tuple of Collision
        acts : bool
            Whether the time has come that it has asked for.

        """
        begun = (InitEvent(time_ns),) if self.begins else ()
        collided = (CollisionEvent(time_ns, collisions),) if collisions else ()
        act = (ActionEvent(time_ns),) if acts else ()
        events: tuple[Event, ...] = (*begun, *self._heard, *collided, *act)
        self.begins = False
        self._forget_heard()
        return self.handled(events)

    def report(self, error: str) -> None:
        """Tell it in its next turn what was refused."""
        if len(self._errors) < MOST_ERRORS:
            self._errors.append(error[:LONGEST_ERROR])

    def begin_turn(
        self, time_ns: int, events: tuple[Event, ...], changes: StateChanges = NO_CHANGES
    ) -> Turn:
        """Return the next turn, which is open until it is replied to."""
        self._number += 1
        acts = any(type(each) is ActionEvent for each in events)
        self._open[self._number] = OpenTurn(self._number, time_ns, acts)
        errors, self._errors = tuple(self._errors), []
        return Turn(self._number, time_ns, events, changes, errors)

    def close_turn(self, number: int) -> OpenTurn | None:
        """Return an open turn that was replied to, which is now closed; None: there is none."""
        turn = self._open.pop(number, None)
        if turn is not None and not (turn.late and self.busy):
            self._late_turns = 0
        return turn

    def give_up(self) -> OpenTurn:
        """Note that its replies are late; return its last open turn."""
        self._open = {number: turn._replace(late=True) for number, turn in self._open.items()}
        self._late_turns += 1
        return self._open[max(self._open)]

    def reset(self) -> None:
        """Begin again, as the world does; replies to open turns count no more."""
        self.begins = True
        self._late_turns = 0
        self._open.clear()
        self._forget_heard()
        self._errors.clear()

    def _forget_heard(self) -> None:
        self._heard.clear()
        self._heard_bytes = 0
