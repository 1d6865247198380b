# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The turns of one controller: its handlers are called, and what they did is the reply."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from world_model_core.virtual_world.agents.events import ActionEvent, EndEvent
from world_model_core.virtual_world.agents.known_objects import KnownObjects
from world_model_core.virtual_world.agents.wire_values import Reply

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.controller import AgentWorld, Controller
    from world_model_core.virtual_world.agents.events import Event
    from world_model_core.virtual_world.agents.wire_values import Turn

__all__ = ['ControllerRun']

# Longest trace of a handler that is sent; its end says what happened.
LONGEST_TRACE = 4000


class ControllerRun:
    """
    Calls the handlers of a controller.

    Parameters
    ----------
    controller : Controller
    world : AgentWorld

    """

    def __init__(self, controller: Controller, world: AgentWorld) -> None:
        self._controller, self._world = controller, world
        controller.attach(world)
        self._objects = KnownObjects()
        self._time_ns = 0
        # Whether it has begun and not ended.
        self._runs = False

    def take(self, turn: Turn) -> Reply:
        """
        Handle the events of a turn; exceptions of handlers are part of the reply.

        Raises
        ------
        ChangesError
            The changes of the world do not fit those before.

        """
        self._time_ns = turn.time_ns
        self._objects.update(turn.changes)
        self._world.begin(turn.time_ns, self._objects)
        seconds, errors = None, []
        for event in turn.events:
            try:
                returned = self._handle(event)
                seconds = returned if returned is not None else seconds
            # Whatever a handler raises; SystemExit and KeyboardInterrupt end the process.
            except Exception as error:  # noqa: BLE001
                errors.append(_trace(error))
        return Reply(turn.number, seconds, self._world.writes, self._world.outgoing, tuple(errors))

    def end(self) -> str:
        """Let the controller end, once; return the trace of its handler, if that raises."""
        if self._runs:
            try:
                self._handle(EndEvent(self._time_ns))
            except Exception as error:  # noqa: BLE001 (as above)
                return _trace(error)
        return ''

    def _handle(self, event: Event) -> float | None:
        """Call the handler of an event, and return the time until the next call [s]."""
        self._runs = not isinstance(event, EndEvent)
        returned = self._controller.handle(event)
        return _seconds(returned) if isinstance(event, ActionEvent) else None


def _seconds(returned: object) -> float:
    """
    Return what on_action returned as a number.

    Raises
    ------
    TypeError

    """
    try:
        return float(returned)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise TypeError(
            f'on_action returned {returned!r}; it must return the time until its next call [s]'
        ) from None


def _trace(error: Exception) -> str:
    """Return the trace of an exception, from the handler on."""
    text = ''.join(traceback.format_exception(error))
    return text if len(text) <= LONGEST_TRACE else f'...{text[-LONGEST_TRACE:]}'
