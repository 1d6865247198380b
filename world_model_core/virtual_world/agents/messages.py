# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Texts, sounds and messages from agent to agent: their limits, their reach and their order."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from world_model_core.virtual_world.agents.events import (
    AgentError,
    MessageEvent,
    SoundEvent,
    TextEvent,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sized

    from world_model_core.virtual_world.agents.events import Sound
    from world_model_core.virtual_world.values import Vector

__all__ = [
    'EVERYWHERE',
    'MOST_BYTES',
    'MOST_MESSAGES',
    'MOST_STRINGS',
    'Heard',
    'Mail',
    'Outgoing',
    'OutgoingMessage',
    'OutgoingSound',
    'OutgoingText',
    'RefusedMessageError',
    'check_names',
    'content_bytes',
]

# Radius of what reaches every distance.
EVERYWHERE = -1.0
# Longest text, sound or message [byte], longest name of an encoding, most strings of a message,
# and most messages of one sender in a step.
MOST_BYTES = 1_000_000
LONGEST_ENCODING = 100
MOST_STRINGS = 200
MOST_MESSAGES = 1_000

Heard: TypeAlias = TextEvent | SoundEvent | MessageEvent


@dataclass(frozen=True, slots=True)
class OutgoingText:
    """
    A text to others.

    Attributes
    ----------
    sender : str
        Name of the agent that speaks.
    to : str
        Name of the agent that hears it; empty: all others.
    text : str
    encoding : str
        How the sender names it; the text itself is decoded.
    radius : float
        It reaches agents that are nearer than this [m]; below 0: all.

    """

    sender: str
    to: str
    text: str
    encoding: str = 'utf-8'
    radius: float = EVERYWHERE


@dataclass(frozen=True, slots=True)
class OutgoingSound:
    """
    A sound to others.

    Attributes
    ----------
    sender : str
        Name of the agent that makes it.
    to : str
        Name of the agent that hears it; empty: all others.
    sound : Sound
    radius : float
        It reaches agents that are nearer than this [m]; below 0: all.

    """

    sender: str
    to: str
    sound: Sound
    radius: float = EVERYWHERE


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """
    A message to others, at any distance.

    Attributes
    ----------
    sender : str
        Name of the agent that sends it.
    to : str
        Name of the agent that gets it; empty: all others.
    strings : tuple of str

    """

    sender: str
    to: str
    strings: tuple[str, ...]

    @property
    def radius(self) -> float:
        """It reaches all."""
        return EVERYWHERE


Outgoing: TypeAlias = OutgoingText | OutgoingSound | OutgoingMessage


class RefusedMessageError(AgentError):
    """
    A text, sound or message is not sent.

    Attributes
    ----------
    cause : str
        What is wrong, in a few words that are the same for all such messages.

    """

    def __init__(self, cause: str, text: str) -> None:
        super().__init__(text)
        self.cause = cause


def content_bytes(said: Outgoing | Heard) -> int:
    """Return the size of what is said or heard [byte]."""
    if isinstance(said, OutgoingSound | SoundEvent):
        return len(said.sound.samples)
    strings = (said.text,) if isinstance(said, OutgoingText | TextEvent) else said.strings
    return sum(len(each.encode(errors='surrogatepass')) for each in strings)


def check_names(outgoing: Outgoing, agent: str, known: Collection[str]) -> None:
    """
    Check the names in what an agent says.

    Raises
    ------
    RefusedMessageError
        It speaks in the name of another, or to somebody who is not known.

    """
    if outgoing.sender != agent:
        raise RefusedMessageError(
            'sender is another', f'{agent!r} sent a message in the name of {outgoing.sender!r}'
        )
    if outgoing.to and outgoing.to not in known:
        raise RefusedMessageError(
            'unknown recipient', f'no entity has the name {outgoing.to!r}, to which {agent!r} sent'
        )


class _Posted(NamedTuple):
    """What was posted at a time [ns]."""

    time_ns: int
    outgoing: Outgoing


class Mail:
    """Keeps what agents say until the next step, and gives it to those whom it reaches."""

    def __init__(self) -> None:
        self._posted: list[_Posted] = []
        self._counts: Counter[str] = Counter()

    @property
    def waits(self) -> bool:
        """Whether something is to be delivered."""
        return bool(self._posted)

    def post(self, outgoing: Outgoing, time_ns: int) -> None:
        """
        Keep a text, sound or message until a later time.

        Raises
        ------
        RefusedMessageError
            It is invalid or too long, or its sender has sent too many in this step.

        """
        _check(outgoing)
        self._counts[outgoing.sender] += 1
        if self._counts[outgoing.sender] > MOST_MESSAGES:
            raise RefusedMessageError(
                'too many messages',
                f'{outgoing.sender!r} sent more than {MOST_MESSAGES} messages in a step',
            )
        self._posted.append(_Posted(time_ns, outgoing))

    def deliver(
        self, time_ns: int, positions: Mapping[str, Vector], agents: Iterable[str]
    ) -> dict[str, tuple[Heard, ...]]:
        """
        Deliver what was posted before a time, in the order of the senders' names.

        A text or sound with a radius reaches agents at a distance above 0 and below it; walls do
        not matter. A sender without a position is outside of the world, and reaches all.

        Parameters
        ----------
        time_ns : int
            Simulated time [ns].
        positions : mapping of str to tuple of float
            Of the entities, in the frame `world` [m].
        agents : iterable of str
            Those who hear.

        Returns
        -------
        dict of str to tuple of Event
            Only agents that hear something.

        """
        due = [each.outgoing for each in self._posted if each.time_ns < time_ns]
        self._posted = [each for each in self._posted if each.time_ns >= time_ns]
        self._counts = Counter(each.outgoing.sender for each in self._posted)
        heard: dict[str, list[Heard]] = {name: [] for name in sorted(agents)}
        for outgoing in sorted(due, key=lambda each: each.sender):
            event = _event(time_ns, outgoing)
            for name in _addressed(outgoing, heard):
                if _reaches(outgoing, positions, name):
                    heard[name].append(event)
        return {name: tuple(events) for name, events in heard.items() if events}

    def clear(self) -> None:
        """Drop everything."""
        self._posted.clear()
        self._counts.clear()


def _check(outgoing: Outgoing) -> None:
    """Raise an error if a message is too long, or invalid in itself."""
    size = content_bytes(outgoing)
    if size > MOST_BYTES:
        raise RefusedMessageError(
            'message too long',
            f'message of {outgoing.sender!r} has {size} bytes; the limit is {MOST_BYTES}',
        )
    if not math.isfinite(outgoing.radius):
        raise RefusedMessageError(
            'invalid message',
            f'radius of {outgoing.sender!r} is {outgoing.radius} m; it must be finite',
        )
    if isinstance(outgoing, OutgoingSound):
        _check_sound(outgoing)
    elif isinstance(outgoing, OutgoingText):
        _check_length(outgoing, 'characters in its encoding', outgoing.encoding, LONGEST_ENCODING)
    else:
        _check_length(outgoing, 'strings', outgoing.strings, MOST_STRINGS)


def _check_length(outgoing: Outgoing, what: str, items: Sized, most: int) -> None:
    if len(items) > most:
        raise RefusedMessageError(
            'invalid message',
            f'message of {outgoing.sender!r} has {len(items)} {what}; the limit is {most}',
        )


def _check_sound(outgoing: OutgoingSound) -> None:
    sound = outgoing.sound
    if min(sound.rate, sound.channels) < 1 or len(sound.samples) % (2 * sound.channels):
        raise RefusedMessageError(
            'invalid message',
            f'sound of {outgoing.sender!r} has {len(sound.samples)} bytes, {sound.rate} samples/s '
            f'and {sound.channels} channels; it must have whole samples of 2 bytes',
        )


def _addressed(outgoing: Outgoing, agents: Mapping[str, object]) -> Iterable[str]:
    """Return the agents that a message is for."""
    if outgoing.to:
        return (outgoing.to,) if outgoing.to in agents else ()
    return (name for name in agents if name != outgoing.sender)


def _reaches(outgoing: Outgoing, positions: Mapping[str, Vector], name: str) -> bool:
    """Return whether an agent is near enough."""
    sender, hearer = positions.get(outgoing.sender), positions.get(name)
    if outgoing.radius < 0.0 or sender is None or hearer is None:
        return True
    return 0.0 < math.dist(sender, hearer) < outgoing.radius


def _event(time_ns: int, outgoing: Outgoing) -> Heard:
    """Return the event of those who hear it."""
    if isinstance(outgoing, OutgoingText):
        return TextEvent(time_ns, outgoing.sender, outgoing.text, outgoing.encoding)
    if isinstance(outgoing, OutgoingSound):
        return SoundEvent(time_ns, outgoing.sender, outgoing.sound)
    return MessageEvent(time_ns, outgoing.sender, outgoing.strings)
