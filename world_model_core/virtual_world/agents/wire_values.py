# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Messages between a world and a controller.

A controller begins with `Hello` and is answered by `Welcome` or `Refused`. The world then sends a
`Turn` each time that something happens to the agent; the controller may send `Query`, each of
which is answered by a `Result`, and ends the turn with a `Reply`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from world_model_core.virtual_world.agents.state_changes import NO_CHANGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.virtual_world.agents.events import Event
    from world_model_core.virtual_world.agents.messages import Outgoing
    from world_model_core.virtual_world.agents.state_changes import StateChanges
    from world_model_core.virtual_world.agents.writes import Write

__all__ = [
    'PROTOCOL_VERSION',
    'Goodbye',
    'Hello',
    'Late',
    'Query',
    'Refused',
    'Reply',
    'Result',
    'Turn',
    'Welcome',
    'WireValue',
]

PROTOCOL_VERSION = 1


@dataclass(frozen=True, slots=True)
class Hello:
    """
    First message of a controller.

    Attributes
    ----------
    agent : str
        Name of the entity that it controls.
    handlers : tuple of str
        Handlers that its class has, such as "on_action".
    token : str
        Empty on this machine.
    version : int
        PROTOCOL_VERSION of the controller.

    """

    agent: str
    handlers: tuple[str, ...]
    token: str = ''
    version: int = PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class Welcome:
    """
    Answer to a Hello: the agent is attached.

    Attributes
    ----------
    agent : str
    world : str
        Name of the world.
    seed : int
        Of the run.
    step : float
        Duration of a physics step [s].
    length_unit : float
        Of the world file, for the names of SIGVerse [m].
    original_modes : bool
        Whether what the mode of an object does not allow is ignored, as in SIGVerse.

    """

    agent: str
    world: str
    seed: int
    step: float
    length_unit: float = 0.01
    original_modes: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Answer to a Hello: the agent is not attached, for a reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Turn:
    """
    What has happened to an agent, to be replied to.

    Attributes
    ----------
    number : int
        Of all turns of the agent.
    time_ns : int
        Simulated time since the start [ns].
    events : tuple of Event
        In the order in which they are to be handled.
    changes : StateChanges
        Of the world, since the last turn of the agent.
    errors : tuple of str
        What was refused of earlier replies.

    """

    number: int
    time_ns: int
    events: tuple[Event, ...]
    changes: StateChanges = NO_CHANGES
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """
    A question during a turn; it changes nothing.

    Attributes
    ----------
    number : int
        Of all queries of the controller.
    method : str
    arguments : mapping of str to value
        Plain values: None, bool, int, float, str, bytes, and tuples and mappings of them.

    """

    number: int
    method: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """
    Answer to a Query.

    Attributes
    ----------
    number : int
        Of the query.
    value : plain value
        See Query.
    error : str
        Empty: there is none.

    """

    number: int
    value: Any = None
    error: str = ''


@dataclass(frozen=True, slots=True)
class Reply:
    """
    End of a turn.

    Attributes
    ----------
    number : int
        Of the turn.
    seconds : float, optional
        What on_action returned: time until the next call [s], below 0: at the next step; None: it
        was not called, or raised an exception.
    writes : tuple of Write
        In the order in which they were made.
    outgoing : tuple of Outgoing
        In the order in which they were sent.
    errors : tuple of str
        Traces of the handlers that raised exceptions.

    """

    number: int
    seconds: float | None = None
    writes: tuple[Write, ...] = ()
    outgoing: tuple[Outgoing, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Late:
    """
    The world has gone on before the reply to a turn came.

    Attributes
    ----------
    number : int
        Of the turn.

    """

    number: int


@dataclass(frozen=True, slots=True)
class Goodbye:
    """The sender closes the connection, for a reason."""

    reason: str


WireValue: TypeAlias = Hello | Welcome | Refused | Turn | Query | Result | Reply | Late | Goodbye
