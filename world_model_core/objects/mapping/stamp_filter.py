# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Filter of frames by stamp: repeated, late and future frames are dropped."""

from __future__ import annotations

from collections import deque

from world_model_core.time import to_nanoseconds

# Number of stamps kept to detect repeated frames.
REMEMBERED = 256


class StampFilter:
    """
    Decides by its stamp whether a frame is used.

    Objects are static, so that a frame may be a little late. A repeated stamp is a duplicate of a
    frame and carries no evidence. A stamp far in the future or in the past is dropped; if the
    next frame agrees with it, the clock was changed or a recording restarted, and it is accepted.

    Parameters
    ----------
    lateness : float
        Maximum age relative to the newest frame [s].
    leap : float
        Maximum step into the future [s].

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
        """Return the reason for which a frame is dropped, or None and record its stamp."""
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
        """Return whether a frame may follow another."""
        return -self._lateness <= stamp_ns - newest <= self._leap
