# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A buffer that waits for transforms, and clears them when time jumps back."""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, JumpThreshold, TimeJump
from rclpy.duration import Duration
from rclpy.logging import get_logger
from tf2_py import BufferCore

if TYPE_CHECKING:
    from collections.abc import Callable

    from geometry_msgs.msg import TransformStamped
    from rclpy.node import Node

NO_TIME = Duration()


class Buffer(BufferCore):
    """
    Stores transforms and returns the transform between two frames.

    Parameters
    ----------
    cache_time
        Time for which transforms are stored (default 10 s).
    node
        Node with the clock that reports jumps. The original also offers the service tf2_frames.

    """

    def __init__(self, cache_time: Duration | None = None, node: Node | None = None) -> None:
        """Start without frames."""
        super().__init__(cache_time)
        self._arrival = Condition()
        self.clock = node.get_clock() if node is not None else Clock()
        threshold = JumpThreshold(
            min_forward=None, min_backward=Duration(seconds=-1), on_clock_change=True
        )
        self.jump_handle = self.clock.create_jump_callback(
            threshold, post_callback=self.time_jump_callback
        )

    def time_jump_callback(self, _jump: TimeJump) -> None:
        """Clear the transforms after a jump back."""
        get_logger('tf2_buffer').warning('Detected jump back in time. Clearing tf buffer.')
        self.clear()

    def set_transform(self, transform: TransformStamped, authority: str) -> None:
        """Add a transform at its stamp, and wake waiting lookups."""
        super().set_transform(transform, authority)
        self._wake()

    def set_transform_static(self, transform: TransformStamped, authority: str) -> None:
        """Add a static transform, and wake waiting lookups."""
        super().set_transform_static(transform, authority)
        self._wake()

    def lookup_transform(
        self, target_frame: str, source_frame: str, time: Any, timeout: Duration = NO_TIME
    ) -> TransformStamped:
        """Return the transform from source to target, waiting for it up to a timeout."""
        self.can_transform(target_frame, source_frame, time, timeout)
        return self.lookup_transform_core(target_frame, source_frame, time)

    def lookup_transform_full(  # noqa: PLR0917
        self,
        target_frame: str,
        target_time: Any,
        source_frame: str,
        source_time: Any,
        fixed_frame: str,
        timeout: Duration = NO_TIME,
    ) -> TransformStamped:
        """Return the transform between frames at two times, waiting for it up to a timeout."""
        arguments = (target_frame, target_time, source_frame, source_time, fixed_frame)
        self.can_transform_full(*arguments, timeout)
        return self.lookup_transform_full_core(*arguments)

    def can_transform(
        self,
        target_frame: str,
        source_frame: str,
        time: Any,
        timeout: Duration = NO_TIME,
        return_debug_tuple: bool = False,
    ) -> bool | tuple[bool, str]:
        """Return whether the transform is available, and in a debug tuple also why not."""
        result = self._wait(
            lambda: self.can_transform_core(target_frame, source_frame, time), timeout
        )
        return result if return_debug_tuple else result[0]

    def can_transform_full(  # noqa: PLR0917
        self,
        target_frame: str,
        target_time: Any,
        source_frame: str,
        source_time: Any,
        fixed_frame: str,
        timeout: Duration = NO_TIME,
        return_debug_tuple: bool = False,
    ) -> bool | tuple[bool, str]:
        """Return whether the transform between two times is available, and why not."""
        arguments = (target_frame, target_time, source_frame, source_time, fixed_frame)
        result = self._wait(lambda: self.can_transform_full_core(*arguments), timeout)
        return result if return_debug_tuple else result[0]

    def _wait(
        self, attempt: Callable[[], tuple[bool, str]], timeout: Duration
    ) -> tuple[bool, str]:
        with self._arrival:
            if timeout.nanoseconds > 0:
                self._arrival.wait_for(lambda: attempt()[0], timeout.nanoseconds * 1e-9)
            return attempt()

    def _wake(self) -> None:
        with self._arrival:
            self._arrival.notify_all()
