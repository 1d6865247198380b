# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The stored transforms of one frame over time, and its parents."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from tf2_py.exceptions import ExtrapolationException
from tf2_py.rigid import Rigid, interpolate


class Link(NamedTuple):
    """
    A frame's transform to its parent.

    Parameters
    ----------
    stamp_ns
        Its time [ns].
    parent
        The parent's frame id.
    rigid
        From the frame to its parent.

    """

    stamp_ns: int
    parent: str
    rigid: Rigid


class StaticCache:
    """A static transform."""

    def __init__(self) -> None:
        """Start empty."""
        self._link: Link | None = None

    def insert(self, link: Link) -> bool:
        """Replace the transform."""
        self._link = link._replace(stamp_ns=0)
        return True

    def clear(self) -> None:
        """Keep the transform: static ones survive a jump in time."""

    def at(self, _stamp_ns: int) -> Link:
        """Return the transform, whatever the time."""
        return self.latest()

    def latest(self) -> Link:
        """Return the transform; its stamp is 0."""
        assert self._link is not None  # noqa: S101
        return self._link


class TimeCache:
    """
    The transforms of the last seconds, in the order of their stamps.

    Parameters
    ----------
    length_ns
        Time for which they are stored [ns].

    """

    def __init__(self, length_ns: int) -> None:
        """Start empty."""
        self._length_ns = length_ns
        self._links: list[Link] = []

    def insert(self, link: Link) -> bool:
        """Add a transform and drop old ones; return False if it is itself too old."""
        if self._links:
            oldest_ns = self._links[-1].stamp_ns - self._length_ns
            del self._links[: bisect_left(self._links, oldest_ns, key=_stamp)]
            if link.stamp_ns < oldest_ns:
                return False
        if link not in self._links[bisect_left(self._links, link.stamp_ns, key=_stamp) :]:
            self._links.insert(bisect_right(self._links, link.stamp_ns, key=_stamp), link)
        return True

    def clear(self) -> None:
        """Drop all transforms."""
        self._links.clear()

    def latest(self) -> Link | None:
        """Return the newest transform."""
        return self._links[-1] if self._links else None

    def at(self, stamp_ns: int) -> Link:
        """
        Return the transform at a time, interpolated between its neighbors.

        Parameters
        ----------
        stamp_ns
            The time [ns]; 0 is the newest.

        Raises
        ------
        ExtrapolationException
            If the time is outside the stored times.

        """
        if stamp_ns == 0 and self._links:
            return self._links[-1]
        self._check_range(stamp_ns)
        after = bisect_right(self._links, stamp_ns, key=_stamp)
        older = self._links[after - 1]
        if older.stamp_ns == stamp_ns or older.parent != self._links[after].parent:
            return older
        newer = self._links[after]
        ratio = (stamp_ns - older.stamp_ns) / (newer.stamp_ns - older.stamp_ns)
        return older._replace(rigid=interpolate(older.rigid, newer.rigid, ratio))

    def _check_range(self, stamp_ns: int) -> None:
        first = self._links[0].stamp_ns if self._links else 0
        last = self._links[-1].stamp_ns if self._links else 0
        if first <= stamp_ns <= last and self._links:
            return
        if len(self._links) < 2:
            raise ExtrapolationException(
                f'Lookup would require extrapolation at time {_show(stamp_ns)}, '
                f'but only time {_show(last)} is in the buffer'
            )
        where, edge, edge_ns = (
            ('future', 'latest', last) if stamp_ns > last else ('past', 'earliest', first)
        )
        raise ExtrapolationException(
            f'Lookup would require extrapolation into the {where}.  Requested time '
            f'{_show(stamp_ns)} but the {edge} data is at time {_show(edge_ns)}'
        )


def _stamp(link: Link) -> int:
    return link.stamp_ns


def _show(stamp_ns: int) -> str:
    return f'{stamp_ns * 1e-9:.6f}'
