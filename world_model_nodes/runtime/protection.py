# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Protection of the callbacks that rclpy adds to every node.

They raise errors at a negative time on /clock and at a parameter of unknown type, and a time on
/clock beyond the range of Time messages cannot be published again. Any peer could end the node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.errors import MalformedPacketError
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.drop_counters import DropCounters

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node
    from rosgraph_msgs.msg import Clock

SERVICES = ('set_parameters', 'set_parameters_atomically')


def protect(node: Node) -> DropCounters:
    """
    Reject and count messages that the callbacks of rclpy cannot handle.

    Returns
    -------
    DropCounters
        Rejected messages, by topic or service.

    """
    drops = DropCounters(node)
    # A subscription of /clock that is created later uses the attribute of the time source.
    source = node._time_source  # noqa: SLF001 (rclpy has no public access to it)
    source.clock_callback = _checked_clock(source.clock_callback, drops)
    for subscription in node.subscriptions:
        if subscription.topic_name == '/clock':
            subscription.callback = source.clock_callback
    for service in node.services:
        name = service.srv_name.rpartition('/')[2]
        if name in SERVICES:
            service.callback = _checked_service(name, service.callback, drops)
    return drops


def _checked_clock(
    callback: Callable[[Clock], None], drops: DropCounters
) -> Callable[[Clock], None]:
    def receive(message: Clock) -> None:
        try:
            from_time(message.clock)
        except MalformedPacketError as error:
            drops.add('clock.malformed', error)
        else:
            callback(message)

    return receive


def _checked_service(
    name: str, callback: Callable[[Any, Any], Any], drops: DropCounters
) -> Callable[[Any, Any], Any]:
    def serve(request: Any, response: Any) -> Any:
        try:
            return callback(request, response)
        except ValueError as error:  # rclpy's error for a type that does not exist
            drops.add(f'{name}.malformed', error)
            return response

    return serve
