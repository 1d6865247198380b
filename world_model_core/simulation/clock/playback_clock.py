# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How far a recording has been played, at any speed, with pauses and jumps."""

from __future__ import annotations


class PlaybackClock:
    """
    Turns a steady clock into a place in a recording, without drift; it stands still at first.

    Parameters
    ----------
    position_ns : int
        Where it begins [ns, the recording's clock].
    speed : float
        Recorded seconds played in one second, greater than 0.

    """

    def __init__(self, position_ns: int, speed: float = 1.0) -> None:
        self._position_ns = position_ns
        self._speed = speed
        self._since_ns: int | None = None

    @property
    def runs(self) -> bool:
        """Whether it moves."""
        return self._since_ns is not None

    def position(self, now_ns: int) -> int:
        """Find where it is at an instant of the steady clock [ns]."""
        if self._since_ns is None:
            return self._position_ns
        return self._position_ns + round((now_ns - self._since_ns) * self._speed)

    def delay(self, position_ns: int, now_ns: int) -> int:
        """Find how long a running one takes to a place ahead; 0 if it is there or past it [ns]."""
        return max(0, round((position_ns - self.position(now_ns)) / self._speed))

    def run(self, now_ns: int) -> None:
        """Go on from where it stands."""
        if self._since_ns is None:
            self._since_ns = now_ns

    def halt(self, now_ns: int) -> None:
        """Stand still."""
        self._position_ns = self.position(now_ns)
        self._since_ns = None

    def jump(self, position_ns: int, now_ns: int) -> None:
        """Be at another place at once, running or not."""
        self._anchor(position_ns, now_ns)

    def change_speed(self, speed: float, now_ns: int) -> None:
        """Go on from here at another speed."""
        self._anchor(self.position(now_ns), now_ns)
        self._speed = speed

    def _anchor(self, position_ns: int, now_ns: int) -> None:
        """Count from here."""
        self._position_ns = position_ns
        if self._since_ns is not None:
            self._since_ns = now_ns
