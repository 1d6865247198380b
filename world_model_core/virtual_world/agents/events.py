# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What happens to an agent, and the errors of those who act for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from world_model_core.errors import WorldModelError
from world_model_core.time import to_seconds

__all__ = [
    'HANDLERS',
    'ActionEvent',
    'AgentError',
    'Collision',
    'CollisionEvent',
    'EndEvent',
    'Event',
    'InitEvent',
    'MessageEvent',
    'Sound',
    'SoundEvent',
    'TextEvent',
]


class AgentError(WorldModelError):
    """What an agent, or a program that acts for one, has sent is invalid."""


@dataclass(frozen=True, slots=True)
class _Timed:
    """
    Something that happens at a time.

    Attributes
    ----------
    time_ns : int
        Simulated time since the start [ns].

    """

    time_ns: int

    @property
    def time(self) -> float:
        """Simulated time since the start [s]."""
        return to_seconds(self.time_ns)


@dataclass(frozen=True, slots=True)
class InitEvent(_Timed):
    """The agent begins: it was attached, or the world was reset."""


@dataclass(frozen=True, slots=True)
class ActionEvent(_Timed):
    """The time has come that the agent has asked for."""


@dataclass(frozen=True, slots=True)
class TextEvent(_Timed):
    """
    A text has reached the agent.

    Attributes
    ----------
    caller : str
        Name of the sender.
    text : str
    encoding : str
        As the sender names it; the text itself is decoded.

    """

    caller: str
    text: str
    encoding: str = 'utf-8'


@dataclass(frozen=True, slots=True)
class Sound:
    """
    Samples of 16 bits.

    Attributes
    ----------
    samples : bytes
        Signed, little-endian; of several channels one sample each, then the next.
    rate : int
        Samples of a channel in a second [1/s].
    channels : int

    """

    samples: bytes
    rate: int = 16_000
    channels: int = 1

    @property
    def duration(self) -> float:
        """Time that it takes [s]."""
        return len(self.samples) / (2 * self.rate * self.channels)


@dataclass(frozen=True, slots=True)
class SoundEvent(_Timed):
    """
    A sound has reached the agent.

    Attributes
    ----------
    caller : str
        Name of the sender.
    sound : Sound

    """

    caller: str
    sound: Sound


@dataclass(frozen=True, slots=True)
class MessageEvent(_Timed):
    """
    A message has reached the agent.

    Attributes
    ----------
    sender : str
        Name of the sender.
    strings : tuple of str

    """

    sender: str
    strings: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of strings."""
        return len(self.strings)

    def string(self, i: int) -> str:
        """Return the string with an index."""
        return self.strings[i]


@dataclass(frozen=True, slots=True)
class Collision:
    """
    A part of the agent touches a part of another entity.

    Attributes
    ----------
    other, other_part : str
        Names of the other entity and its part.
    own_part : str
        Name of the part of the agent.

    """

    other: str
    other_part: str
    own_part: str


@dataclass(frozen=True, slots=True)
class CollisionEvent(_Timed):
    """
    The agent touches other entities; the ground does not count.

    Attributes
    ----------
    contacts : tuple of Collision
        Each pair of parts once.

    """

    contacts: tuple[Collision, ...]


@dataclass(frozen=True, slots=True)
class EndEvent(_Timed):
    """The world ends."""


Event: TypeAlias = (
    InitEvent | ActionEvent | TextEvent | SoundEvent | MessageEvent | CollisionEvent | EndEvent
)

# The handler of each event.
HANDLERS: dict[type, str] = {
    InitEvent: 'on_init',
    ActionEvent: 'on_action',
    TextEvent: 'on_recv_text',
    SoundEvent: 'on_recv_sound',
    MessageEvent: 'on_recv_message',
    CollisionEvent: 'on_collision',
    EndEvent: 'on_end',
}
