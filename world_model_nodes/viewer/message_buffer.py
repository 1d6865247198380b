# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""viser's buffer of messages, made safe for messages of other threads than that of the server."""

from __future__ import annotations

import asyncio
from typing import Any

from viser.infra import _infra
from viser.infra._async_message_buffer import AsyncMessageBuffer


class LoopEvent(asyncio.Event):
    """
    An event that is set in the loop alone.

    viser sets the event of a new message twice: in the thread of the message, and in the loop.
    The first fails if a client begins to wait at the same instant, "deque mutated during
    iteration": an event of asyncio belongs to its loop.
    """

    def set(self) -> None:
        """Set the event; in another thread do nothing, as viser sets it in the loop, too."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return
        super().set()


class ThreadSafeBuffer(AsyncMessageBuffer):
    """viser's buffer with events that are set in the loop alone."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.message_event, self.flush_event = LoopEvent(), LoopEvent()


def use_safe_buffers() -> None:
    """Let viser's servers and their connections use this buffer from now on."""
    _infra.AsyncMessageBuffer = ThreadSafeBuffer  # type: ignore[attr-defined]
