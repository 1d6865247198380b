# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The tree of coordinate frames over time, with tf2's rules, names and error messages."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from functools import reduce
from threading import RLock
from typing import TYPE_CHECKING, Any

from rclpy.duration import Duration
from rclpy.logging import get_logger
from rclpy.time import Time

from tf2_py.cache import Link, StaticCache, TimeCache
from tf2_py.exceptions import (
    ConnectivityException,
    ExtrapolationException,
    InvalidArgumentException,
    LookupException,
    TransformException,
)
from tf2_py.messages import from_message, to_message, to_ns
from tf2_py.rigid import IDENTITY, Rigid

if TYPE_CHECKING:
    from geometry_msgs.msg import TransformStamped

LOGGER = get_logger('tf2')

PickLink = Callable[['StaticCache | TimeCache'], 'Link | None']


class BufferCore:
    """
    Stores transforms and returns the transform between two frames.

    Parameters
    ----------
    cache_time
        Time for which transforms are stored (default 10 s).

    """

    def __init__(self, cache_time: Duration | None = None) -> None:
        """Start without frames."""
        self._length_ns = to_ns(cache_time or Duration(seconds=10), 'duration')
        self._caches: dict[str, StaticCache | TimeCache] = {}
        self._frames: set[str] = set()
        self._lock = RLock()

    def set_transform(self, transform: TransformStamped, authority: str) -> None:
        """Add a transform at its stamp; an invalid one is logged and ignored."""
        self._set(transform, authority, TimeCache, self._length_ns)

    def set_transform_static(self, transform: TransformStamped, authority: str) -> None:
        """Add a static transform; an invalid one is logged and ignored."""
        self._set(transform, authority, StaticCache)

    def lookup_transform_core(
        self, target_frame: str, source_frame: str, time: Any
    ) -> TransformStamped:
        """
        Return the transform that takes coordinates in the source frame to the target frame.

        Parameters
        ----------
        target_frame, source_frame
            Frame ids.
        time
            An rclpy Time or a message; 0 is the latest time that both frames have.

        Raises
        ------
        InvalidArgumentException
            If a frame id is empty or starts with a slash.
        LookupException
            If a frame is unknown.
        ConnectivityException
            If the frames are in different trees.
        ExtrapolationException
            If the time is outside the stored times.

        """
        with self._lock:
            rigid, stamp_ns = self._lookup(target_frame, source_frame, to_ns(time))
        return to_message(target_frame, source_frame, rigid, stamp_ns)

    def lookup_transform_full_core(
        self,
        target_frame: str,
        target_time: Any,
        source_frame: str,
        source_time: Any,
        fixed_frame: str,
    ) -> TransformStamped:
        """Return the transform between frames at two times, through a fixed frame."""
        with self._lock:
            for role, frame in (
                ('target', target_frame),
                ('source', source_frame),
                ('fixed', fixed_frame),
            ):
                self._check_frame(role, frame)
            first, _ = self._lookup(fixed_frame, source_frame, to_ns(source_time))
            second, stamp_ns = self._lookup(target_frame, fixed_frame, to_ns(target_time))
        return to_message(target_frame, source_frame, second * first, stamp_ns)

    def can_transform_core(
        self, target_frame: str, source_frame: str, time: Any
    ) -> tuple[bool, str]:
        """Return whether the transform is available, and if not, why."""
        return _attempt(self.lookup_transform_core, target_frame, source_frame, time)

    def can_transform_full_core(
        self,
        target_frame: str,
        target_time: Any,
        source_frame: str,
        source_time: Any,
        fixed_frame: str,
    ) -> tuple[bool, str]:
        """Return whether the transform between two times is available, and if not, why."""
        return _attempt(
            self.lookup_transform_full_core,
            target_frame,
            target_time,
            source_frame,
            source_time,
            fixed_frame,
        )

    def get_latest_common_time(self, target_frame: str, source_frame: str) -> Time:
        """Return the latest time at which both frames are known; 0 if only static ones matter."""
        with self._lock:
            self._check_frame('target', target_frame)
            self._check_frame('source', source_frame)
            return Time(nanoseconds=self._latest_common_ns(target_frame, source_frame))

    def clear(self) -> None:
        """Drop the transforms, except static ones, and keep the names of frames."""
        with self._lock:
            for cache in self._caches.values():
                cache.clear()

    def _set(
        self, transform: TransformStamped, authority: str, kind: type, *arguments: int
    ) -> None:
        child, parent = transform.child_frame_id, transform.header.frame_id
        child, parent = child.removeprefix('/'), parent.removeprefix('/')
        rigid = from_message(transform)
        reason = _find_fault(child, parent, rigid)
        if reason:
            text = f'{reason}: ignoring transform of "{child}" from "{authority}"'
            LOGGER.error(text)
            return
        with self._lock:
            if not isinstance(self._caches.get(child), kind):
                self._caches[child] = kind(*arguments)
            self._frames |= {child, parent}
            link = Link(to_ns(transform.header.stamp), parent, rigid)
            if not self._caches[child].insert(link):
                text = f'TF_OLD_DATA: ignoring data from the past for frame {child}'
                LOGGER.warning(text)

    def _lookup(self, target: str, source: str, stamp_ns: int) -> tuple[Rigid, int]:
        """Return the transform from source to target and its stamp [ns]."""
        if target == source:
            return IDENTITY, stamp_ns or self._latest_ns(target)
        self._check_frame('target', target)
        self._check_frame('source', source)
        stamp_ns = stamp_ns or self._latest_common_ns(target, source)
        up, down = self._find_path(target, source, lambda cache: cache.at(stamp_ns))
        return _chain(down).inverse() * _chain(up), stamp_ns

    def _check_frame(self, role: str, frame: str) -> None:
        passed = f'passed to lookupTransform argument {role}_frame'
        if not frame or frame.startswith('/'):
            fault = "start with a '/'" if frame else 'be empty'
            raise InvalidArgumentException(
                f'Invalid argument "{frame}" {passed} - in tf2 frame_ids cannot {fault}'
            )
        if frame not in self._frames:
            raise LookupException(f'"{frame}" {passed} does not exist. ')

    def _latest_ns(self, frame: str) -> int:
        cache = self._caches.get(frame)
        link = cache.latest() if cache else None
        return link.stamp_ns if link else 0

    def _latest_common_ns(self, target: str, source: str) -> int:
        if target == source:
            return self._latest_ns(target)
        up, down = self._find_path(target, source, lambda cache: cache.latest())
        # Static transforms have the stamp 0.
        return min((link.stamp_ns for link in up + down if link.stamp_ns), default=0)

    def _find_path(
        self, target: str, source: str, pick: PickLink
    ) -> tuple[list[Link], list[Link]]:
        """Return the links from the source and from the target up to where the two meet."""
        up, source_failure = self._climb(source, {target}, pick)
        frames = [source, *(link.parent for link in up)]
        down, target_failure = self._climb(target, frames, pick)
        meeting = down[-1].parent if down else target
        if meeting in frames:
            return up[: frames.index(meeting)], down
        failure = target_failure or source_failure
        if failure:
            raise ExtrapolationException(
                f'{failure}, when looking up transform from frame [{source}] to frame [{target}]'
            )
        raise ConnectivityException(
            f"Could not find a connection between '{target}' and '{source}' because they are not "
            'part of the same tree.Tf has two or more unconnected trees.'
        )

    def _climb(
        self, frame: str, stop: Collection[str], pick: PickLink
    ) -> tuple[list[Link], ExtrapolationException | None]:
        """Return the links from a frame up to one of `stop`, or as far as it goes."""
        links: list[Link] = []
        while frame in self._caches and frame not in stop:
            try:
                link = pick(self._caches[frame])
            except ExtrapolationException as failure:
                return links, failure
            if link is None:
                break
            links.append(link)
            frame = link.parent
            if len(links) > len(self._caches):
                raise LookupException('The tf tree is invalid because it contains a loop.')
        return links, None


def _attempt(lookup: Callable[..., object], *arguments: Any) -> tuple[bool, str]:
    try:
        lookup(*arguments)
    except TransformException as error:
        return False, str(error)
    return True, ''


def _chain(links: list[Link]) -> Rigid:
    """Return the transform along a path up the tree."""
    return reduce(lambda rigid, link: link.rigid * rigid, links, IDENTITY)


def _find_fault(child: str, parent: str, rigid: Rigid) -> str:
    """Return the error of a transform, or an empty text."""
    numbers = rigid.translation + rigid.rotation
    faults = {
        'TF_SELF_TRANSFORM': child == parent,
        'TF_NO_CHILD_FRAME_ID': not child,
        'TF_NO_FRAME_ID': not parent,
        f'TF_NAN_INPUT {numbers}': any(map(math.isnan, numbers)),
    }
    return next((fault for fault, found in faults.items() if found), '')
