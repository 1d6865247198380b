# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Messages can be sent while clients begin to wait for them."""

from __future__ import annotations

import asyncio
from threading import Thread

import pytest

viser = pytest.importorskip('viser', reason='the window is shown by viser')

from world_model_nodes.viewer.guard import guarded_server  # noqa: E402
from world_model_nodes.viewer.message_buffer import LoopEvent, ThreadSafeBuffer  # noqa: E402


def test_an_event_is_set_in_its_loop_alone():
    """A thread without a loop neither sets it nor touches who waits."""
    event = LoopEvent()
    event.set()
    assert not event.is_set()

    async def set_it():
        event.set()

    asyncio.run(set_it())
    assert event.is_set()


def test_messages_of_another_thread_arrive():
    """The loop wakes up for each message."""
    seen = []

    async def take():
        buffer = ThreadSafeBuffer(asyncio.get_running_loop(), persistent_messages=False)
        sender = Thread(target=send, args=(buffer,))
        sender.start()
        async for window in buffer.window_generator(0):
            seen.extend(window)
            if len(seen) == 3:
                break
        sender.join()

    def send(buffer):
        for number in range(3):
            buffer.push(viser._messages.RemoveSceneNodeMessage(f'/{number}'))

    asyncio.run(take())
    assert [message.name for message in seen] == ['/0', '/1', '/2']


def test_the_window_uses_it():
    """Another version of viser that makes its buffers otherwise must fail here."""
    server = guarded_server('127.0.0.1', 0, 'a-token')
    buffer = server._websock_server._broadcast_buffer
    assert isinstance(buffer, ThreadSafeBuffer)
    assert isinstance(buffer.message_event, LoopEvent)
    server.stop()
