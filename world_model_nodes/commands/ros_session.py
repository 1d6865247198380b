# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""ROS for a command: started with its arguments, ended by Ctrl-C, SIGTERM or after a time."""

from __future__ import annotations

import math
import signal
import time
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions

from world_model_core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rclpy.node import Node

# Python handles a signal once rclpy has stopped waiting; it waits this long at most [s].
SIGNAL_PERIOD = 0.1


class RosSession:
    """
    Spins the nodes of a command.

    Parameters
    ----------
    ended : Event
        Set by a signal.

    """

    def __init__(self, ended: Event) -> None:
        self._ended = ended

    @property
    def ended(self) -> bool:
        """Whether a signal has come."""
        return self._ended.is_set()

    def spin(self, node: Node, seconds: float | None) -> None:
        """Spin a node for some time [s], or until a signal; then destroy it."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        try:
            while not self._ended.is_set() and (left := end - time.monotonic()) > 0.0:
                executor.spin_once(timeout_sec=min(left, SIGNAL_PERIOD))
        finally:
            executor.shutdown(0)
            node.destroy_node()


@contextmanager
def ros_session(arguments: Sequence[str]) -> Iterator[RosSession]:
    """
    Start ROS with its arguments, and shut it down at the end.

    Raises
    ------
    ConfigurationError
        ROS rejects the arguments.

    """
    try:
        rclpy.init(args=['--ros-args', *arguments], signal_handler_options=SignalHandlerOptions.NO)
    except RuntimeError as error:  # the only base of rcl's errors that rclpy shows
        raise ConfigurationError(f'--ros-args {" ".join(arguments)}: {error}') from error
    try:
        with _signals() as ended:
            yield RosSession(ended)
    finally:
        rclpy.try_shutdown()


@contextmanager
def _signals() -> Iterator[Event]:
    """
    Set an event on SIGINT and SIGTERM.

    With rclpy's own handler ROS would shut down during a callback that uses it, and Python's
    KeyboardInterrupt could be raised inside rclpy.
    """
    ended = Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: ended.set()) for number in numbers]
    try:
        yield ended
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
