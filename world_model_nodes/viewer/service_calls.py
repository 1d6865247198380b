# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Calls of services that never block, and are given up after a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.client import Client
    from rclpy.node import Node
    from rclpy.task import Future

# Time after which a call is given up [s].
LIMIT = 5.0


class ServiceCalls:
    """
    Calls services of one other node.

    Parameters
    ----------
    node : Node
        The node whose executor runs the callbacks.
    types : dict of str to type
        Types of the services by their full names.

    """

    def __init__(self, node: Node, types: dict[str, Any]) -> None:
        self._node = node
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timers: dict[Future, Any] = {}
        self._clients: dict[str, Client] = {
            name: node.create_client(kind, name) for name, kind in types.items()
        }

    def is_ready(self, name: str) -> bool:
        """Return whether a service can be called."""
        return bool(self._clients[name].service_is_ready())

    def call(self, name: str, request: Any, receive: Callable[[Any | None], None]) -> None:
        """
        Call a service.

        Parameters
        ----------
        name : str
            One of the names of the constructor.
        request
        receive : callable
            Called once in the executor with the response, or None if none came within LIMIT.

        """
        client = self._clients[name]
        future = client.call_async(request)

        def give_up() -> None:
            client.remove_pending_request(future)
            self._end(future)
            receive(None)

        def answer(_: Future) -> None:
            if self._end(future):
                receive(future.result())

        self._timers[future] = self._node.create_timer(LIMIT, give_up, clock=self._steady)
        future.add_done_callback(answer)

    def close(self) -> None:
        """Forget all calls, and destroy the clients."""
        for future in tuple(self._timers):
            self._end(future)
        for client in self._clients.values():
            self._node.destroy_client(client)

    def _end(self, future: Future) -> bool:
        """Forget a call; return whether it was still waited for."""
        timer = self._timers.pop(future, None)
        if timer is not None:
            self._node.destroy_timer(timer)
        return timer is not None
