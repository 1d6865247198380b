# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""SIGVerse's names of handlers and of what events have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.original_table import bound, original

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.agents.events import Collision, Event
    from world_model_core.virtual_world.agents.original_table import OriginalTable

__all__ = ['EVENT_NAMES', 'HANDLER_NAMES', 'OriginalEvent']

EVENT_NAMES: OriginalTable = {}
# Handlers of SIGVerse, and those of this package.
HANDLER_NAMES = {
    'onInit': 'on_init',
    'onAction': 'on_action',
    'onRecvText': 'on_recv_text',
    'onRecvSound': 'on_recv_sound',
    'onRecvMessage': 'on_recv_message',
    'onRecvMsg': 'on_recv_message',
    'onCollision': 'on_collision',
}


class OriginalEvent:
    """
    An event with SIGVerse's names: all of `EVENT_NAMES`.

    Attributes
    ----------
    event : Event
        The same by the names of this package.

    """

    def __init__(self, event: Event) -> None:
        self.event = event

    def __getattr__(self, name: str) -> Any:
        """
        Return what a name of SIGVerse stands for.

        Raises
        ------
        AttributeError
            There is no such name.

        """
        if name.startswith('__') or name == 'event':
            raise AttributeError(name)
        return bound(self, EVENT_NAMES, name)


@original(EVENT_NAMES, 'time()', 'time')
def _time(own: OriginalEvent) -> float:
    return own.event.time


@original(EVENT_NAMES, 'getCaller()', 'caller')
def _caller(own: OriginalEvent) -> Any:
    return _of(own, 'caller')


@original(EVENT_NAMES, 'getText()', 'text')
def _text(own: OriginalEvent) -> Any:
    return _of(own, 'text')


@original(EVENT_NAMES, 'getEncode()', 'encoding')
def _encode(own: OriginalEvent) -> Any:
    return _of(own, 'encoding')


@original(EVENT_NAMES, 'getRawSound()', 'sound')
def _sound(own: OriginalEvent) -> Any:
    return _of(own, 'sound')


@original(EVENT_NAMES, 'getSender()', 'sender')
def _sender(own: OriginalEvent) -> Any:
    return _of(own, 'sender')


@original(EVENT_NAMES, 'getSize()', 'size')
def _size(own: OriginalEvent) -> Any:
    return _of(own, 'size')


@original(EVENT_NAMES, 'getString(i)', 'string(i)')
def _string(own: OriginalEvent, i: int) -> Any:
    return _of(own, 'strings')[i]


@original(EVENT_NAMES, 'getMsg()', 'string(0)')
def _message(own: OriginalEvent) -> Any:
    return _of(own, 'strings')[0]


@original(EVENT_NAMES, 'getWith()', 'other of each of contacts')
def _with(own: OriginalEvent) -> list[str]:
    return [each.other for each in _contacts(own)]


@original(EVENT_NAMES, 'getWithParts()', 'other_part of each of contacts')
def _with_parts(own: OriginalEvent) -> list[str]:
    return [each.other_part for each in _contacts(own)]


@original(EVENT_NAMES, 'getMyParts()', 'own_part of each of contacts')
def _my_parts(own: OriginalEvent) -> list[str]:
    return [each.own_part for each in _contacts(own)]


def _contacts(own: OriginalEvent) -> Sequence[Collision]:
    found: Sequence[Collision] = _of(own, 'contacts')
    return found


def _of(own: OriginalEvent, field: str) -> Any:
    return getattr(own.event, field)
