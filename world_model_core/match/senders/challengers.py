# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Senders whose packets are not used, named until they have been silent for a while."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.match.senders.bounded_table import make_room
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Hashable

    from world_model_core.match.datagrams import Datagram, SenderAddress

__all__ = ['Challengers']

# Silence after which a challenger is no longer named [ns].
SILENCE_NS = 2 * NANOSECONDS_PER_SECOND
# Challengers that are stored, and warnings that are returned; an attacker may use any number.
CAPACITY, MOST_WARNINGS = 32, 4
# Rejected datagrams that are stored, to be compared with those of the incumbent: 0.1 s of eight
# cameras, longer than the delay between two network paths.
MOST_DATAGRAMS = 64


@dataclass(slots=True)
class _Challenger:
    sender: SenderAddress
    warning: str = ''
    rejected: int = 0
    copies: int = 0
    heard_ns: int = 0

    def is_named(self, now_ns: int) -> bool:
        return self.rejected > 2 * self.copies and now_ns - self.heard_ns <= SILENCE_NS


class Challengers:
    """
    Senders that are ignored.

    A host with two network interfaces sends each datagram from two addresses. Such a second
    address is ignored as any other, but not named while most of its datagrams are copies of the
    incumbent's.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, _Challenger] = {}
        self._datagrams: dict[bytes, _Challenger] = {}

    def reject(self, key: Hashable, datagram: Datagram, warning: str) -> None:
        """
        Store a datagram that is not used.

        Parameters
        ----------
        key : hashable
            What its sender is ignored for; together with its address identity of a challenger.
        datagram : Datagram
        warning : str
            Names the sender and the reason.

        """
        full, now_ns = (key, datagram.sender), datagram.received_ns
        known = self._known.pop(full, None)
        if known is None or now_ns - known.heard_ns > SILENCE_NS:
            known = _Challenger(datagram.sender)
        known.warning, known.heard_ns = warning, now_ns
        known.rejected += 1
        make_room(self._known, full, CAPACITY)
        self._known[full] = known
        make_room(self._datagrams, datagram.data, MOST_DATAGRAMS)
        self._datagrams[datagram.data] = known

    def use(self, data: bytes) -> None:
        """Count a datagram of an incumbent that a challenger has sent before."""
        if self._datagrams:
            challenger = self._datagrams.pop(data, None)
            if challenger is not None:
                challenger.copies += 1

    def copy(self, sender: SenderAddress) -> None:
        """Count a datagram that a challenger has sent after the incumbent."""
        for challenger in self._known.values():
            if challenger.sender == sender:
                challenger.copies += 1

    def warnings(self, now_ns: int) -> tuple[str, ...]:
        """Return the warnings of the challengers that are still heard, newest first."""
        named = [each.warning for each in self._known.values() if each.is_named(now_ns)]
        unique = list(dict.fromkeys(reversed(named)))
        shown, more = unique[:MOST_WARNINGS], len(unique) - MOST_WARNINGS
        return (*shown, f'{more} more senders are ignored') if more > 0 else tuple(shown)
