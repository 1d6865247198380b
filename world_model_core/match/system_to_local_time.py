# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of system time, in which the kernel stamps, to the local clock."""

from __future__ import annotations

from collections import deque

__all__ = ['ClockRelation']

# At 300 datagrams per second these are the readings of 10 s.
READINGS = 3000


class ClockRelation:
    """
    Relates system time to the local clock by readings of both at the same instant.

    The local clock is system time, or simulated time, which may be paused, advance at any speed,
    and stand still while this process is too busy to read /clock. A time between two readings is
    interpolated, so that the order of times is kept and no result is later than the local clock.
    """

    def __init__(self) -> None:
        self._readings: deque[tuple[int, int]] = deque(maxlen=READINGS)

    def read(self, system_ns: int, local_ns: int) -> None:
        """
        Add a reading of both clocks [ns].

        Older readings are forgotten if a clock was set back, or if local time was not running.
        """
        if self._readings:
            latest_system_ns, latest_local_ns = self._readings[-1]
            if system_ns < latest_system_ns or local_ns < latest_local_ns or latest_local_ns <= 0:
                self._readings.clear()
        self._readings.append((system_ns, local_ns))

    def to_local(self, system_ns: int) -> int:
        """
        Convert a system time to the local clock [ns].

        A time before the oldest reading is converted to the local time of that reading, a time
        after the latest reading to that of the latest.
        """
        later_system_ns, later_local_ns = self._readings[-1]
        if system_ns >= later_system_ns:
            return later_local_ns
        for earlier_system_ns, earlier_local_ns in reversed(self._readings):
            if earlier_system_ns <= system_ns:
                elapsed, span = system_ns - earlier_system_ns, later_system_ns - earlier_system_ns
                return earlier_local_ns + elapsed * (later_local_ns - earlier_local_ns) // span
            later_system_ns, later_local_ns = earlier_system_ns, earlier_local_ns
        return later_local_ns
