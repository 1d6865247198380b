# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes that acquire something, and how every node of ours is run."""

from __future__ import annotations

import signal
import sys
import traceback
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Any

import rclpy
from rclpy.exceptions import NotInitializedException
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.logging import LoggingSeverity

from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_nodes.runtime.params import declare, follow, read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rclpy.node import Node


# What rclpy raises, among others, once a signal has shut ROS down: its errors have no other base.
_SHUT_DOWN = (RuntimeError, NotInitializedException)


class AcquiringNode(LifecycleNode):  # type: ignore[misc]
    """
    A lifecycle node whose subclass says what to acquire, start, stop and release.

    rclpy swallows an exception in a transition, so it is caught here, logged as FATAL, and the
    transition fails: a WorldModelError by what it says, any other, which is a fault of ours, with
    its trace. The parameters are those of `config_type`, which has a field `autostart`; but for
    those named in `changeable` they can change only while nothing is acquired.
    """

    config_type: type[Any]
    changeable: tuple[str, ...] = ()

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._configured = self._started = False
        self.config = declare(self, self.config_type)
        follow(self, self.config_type, self._accept)

    def acquire(self) -> None:
        """Acquire what `self.config` asks for; raise WorldModelError when it is wrong."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin to use what was acquired."""

    def stop(self) -> None:
        """Cease to use it; it stays acquired. Called once for every `start`."""

    def release(self) -> None:
        """Let go of it; called once for every `acquire` that succeeded."""
        raise NotImplementedError

    def change(self) -> None:
        """Go on with other values of what is `changeable`, whatever is acquired."""

    def autostart(self) -> bool:
        """Configure and activate, where the parameter says so; return False on failure."""
        if not self.config.autostart:
            return True
        success = TransitionCallbackReturn.SUCCESS
        return bool(self.trigger_configure() == success and self.trigger_activate() == success)

    def on_configure(self, _state: LifecycleState) -> TransitionCallbackReturn:
        """Acquire."""
        if not self._succeeds(self._acquire):
            return TransitionCallbackReturn.FAILURE
        self._configured = True
        return TransitionCallbackReturn.SUCCESS

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Start."""
        if not self._succeeds(self.start):
            return TransitionCallbackReturn.FAILURE
        self._started = True
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop."""
        self._cease()
        return super().on_deactivate(state)

    def on_cleanup(self, _state: LifecycleState) -> TransitionCallbackReturn:
        """Release."""
        self._let_go()
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, _state: LifecycleState) -> TransitionCallbackReturn:
        """Stop and release."""
        self._let_go()
        return TransitionCallbackReturn.SUCCESS

    def destroy_node(self) -> None:
        """Release what is still held, then destroy."""
        self._let_go()
        super().destroy_node()

    def _acquire(self) -> None:
        self.config = read(self, self.config_type)
        self.acquire()

    def _succeeds(self, action: Callable[[], None]) -> bool:
        """Do what a transition is for, and log why if it fails; after a signal be quiet."""
        try:
            action()
        except WorldModelError as error:
            self.get_logger().fatal(str(error))
            return False
        except Exception:  # noqa: BLE001 (rclpy would swallow it)
            if self.context.ok():
                self.get_logger().fatal(traceback.format_exc())
            return False
        finally:
            # rclpy calls a quiet end amid a transition an error.
            if not self.context.ok():
                self.get_logger().set_level(LoggingSeverity.FATAL)
        return True

    def _cease(self) -> None:
        if self._started:
            self._started = False
            self.stop()

    def _let_go(self) -> None:
        self._cease()
        if self._configured:
            self._configured = False
            self.release()

    def _accept(self, config: Any) -> None:
        kept = {name: getattr(self.config, name) for name in self.changeable}
        if self._configured and replace(config, **kept) != self.config:
            raise ConfigurationError(
                'parameters of a configured node are read-only: clean the node up first'
            )
        self.config = config
        self.change()


def run(make_node: Callable[[], Node], arguments: Sequence[str] | None = None) -> None:
    """
    Run one node until Ctrl-C, SIGTERM or its own end, and exit.

    The exit code is 0 after a quiet end, 1 when the configuration is refused.
    """
    # Ctrl-C ends the spinning by rclpy's own handler. Python's would raise KeyboardInterrupt
    # wherever it finds the process, within rclpy too, which then leaves traces.
    interrupted = Event()
    signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    code = 0
    try:
        _init(arguments)
        if not interrupted.is_set():
            _spin(make_node())
    except ExternalShutdownException:
        pass
    except _SHUT_DOWN:
        # A signal shuts the context down at any moment, even while a callback publishes.
        if rclpy.ok():
            raise
    except WorldModelError as error:
        rclpy.logging.get_logger('world_model').fatal(str(error))
        code = 1
    rclpy.try_shutdown()
    # At a terminal `ros2 launch` and its nodes get the same Ctrl-C, and launch then sends it to
    # the nodes once more. While it exits, Python would put back the handler that kills.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def _init(arguments: Sequence[str] | None) -> None:
    try:
        rclpy.init(args=arguments)
    except RuntimeError as error:  # what rclpy makes of a parameter file that is no YAML
        raise ConfigurationError(str(error)) from error


def _spin(node: Node) -> None:
    executor = SingleThreadedExecutor()
    try:
        if isinstance(node, AcquiringNode) and not node.autostart():
            if not rclpy.ok():
                return
            raise ConfigurationError(f'{node.get_name()} could not start; see the message above')
        executor.add_node(node)
        executor.spin()
    finally:
        executor.shutdown(0)
        node.destroy_node()
