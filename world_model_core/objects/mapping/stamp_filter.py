# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""In which order frames may come."""

from __future__ import annotations

from collections import deque

from world_model_core.time import to_nanoseconds

# Stamps remembered, so that a frame sent twice is counted once.
REMEMBERED = 256


class StampFilter:
    """
    The stamps of the frames that were taken.

    Objects stand still, so that a frame which is a little late is as good as any. A stamp that was
    there before is a frame sent again, and its evidence no evidence. One from far ahead or long
    ago is set aside: alone it is a mistake, but if the next frame agrees with it the clock was
    changed, or a recording started again.

    Parameters
    ----------
    lateness : float
        How much older than the newest a frame may be [s].
    leap : float
        How much newer [s].

    """

    def __init__(self, lateness: float, leap: float) -> None:
        self._lateness, self._leap = (
            to_nanoseconds(lateness),
            to_nanoseconds(leap),
        )
        self._recent: deque[int] = deque(maxlen=REMEMBERED)
        self._newest: int | None = None
        self._aside: int | None = None

    def check(self, stamp_ns: int) -> str | None:
        """Name the reason why a frame is not taken, or take it."""
        if stamp_ns in self._recent:
            return 'frame repeated'
        if self._newest is not None and not self._fits(stamp_ns, self._newest):
            if self._aside is None or not self._fits(stamp_ns, self._aside):
                ahead = stamp_ns > self._newest
                self._aside = stamp_ns
                return 'frame from the future' if ahead else 'frame out of order'
            self._recent.clear()
            self._newest = None
        self._aside = None
        self._recent.append(stamp_ns)
        self._newest = max(stamp_ns, self._newest) if self._newest is not None else stamp_ns
        return None

    def _fits(self, stamp_ns: int, newest: int) -> bool:
        """Tell whether a frame may follow another."""
        return -self._lateness <= stamp_ns - newest <= self._leap
