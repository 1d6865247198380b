# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Packets that arrive twice.

One datagram comes in once per network path, and the league's recorders store some twice: each of
the referee's, and each detection in a legacy and a current packet. Between the two there are never
more than a few others.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from world_model_core.ssl.values import DetectionFrame, Referee, TrackedFrame, TrackerPacket


class Duplicates:
    """
    Remembers the last few packets of one kind.

    Parameters
    ----------
    capacity : int
        How many. 64 are 0.1 s of eight cameras: more than two paths lie apart, and less than a
        recording that is played in a loop, which must not be taken for its own duplicate.

    """

    def __init__(self, capacity: int = 64) -> None:
        self._capacity = capacity
        self._order: deque[Hashable] = deque()
        self._known: set[Hashable] = set()

    def seen(self, key: Hashable) -> bool:
        """Tell whether `key` is among the last ones, and remember it."""
        if key in self._known:
            return True
        if len(self._order) == self._capacity:
            self._known.remove(self._order.popleft())
        self._order.append(key)
        self._known.add(key)
        return False

    def reset(self) -> None:
        """Forget everything, as after a jump back in time."""
        self._order.clear()
        self._known.clear()


def detection_key(frame: DetectionFrame) -> Hashable:
    """Tell detections apart; a camera's frame is the same in either layout."""
    return frame.camera_id, frame.frame_number, frame.capture_ns


def tracker_key(packet: TrackerPacket, frame: TrackedFrame) -> Hashable:
    """Tell a tracker's frames apart: some have another's time, but none its number too."""
    return packet.uuid, frame.frame_number, frame.stamp_ns


def referee_key(referee: Referee) -> Hashable:
    """Tell referee packets apart; each has its own microsecond."""
    return referee.source_identifier, referee.sent_ns, referee.command_counter
