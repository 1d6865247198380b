# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lifecycle nodes with autostart, and the function that runs a node until it ends."""

from __future__ import annotations

import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import rclpy
from rclpy.exceptions import NotInitializedException
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.logging import LoggingSeverity
from rclpy.signals import SignalHandlerOptions

from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_nodes.runtime.network_watch import NetworkWatch, restart_process
from world_model_nodes.runtime.params import declare, follow, read
from world_model_nodes.runtime.shared_memory import remove_stale_segments
from world_model_nodes.runtime.stop_signals import StopSignals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rclpy.executors import Executor
    from rclpy.node import Node


# Errors that rclpy raises after a signal has shut ROS down; they have no narrower common base.
_SHUT_DOWN = (RuntimeError, NotInitializedException)


class AcquiringNode(LifecycleNode):  # type: ignore[misc]
    """
    A lifecycle node; its subclass implements what to acquire, start, stop and release.

    rclpy ignores an exception in a transition. This class catches it, logs it as FATAL and makes
    the transition fail: a WorldModelError is logged by its message, any other error with its
    traceback. The parameters are those of `config_type`, which has a field `autostart`. The
    parameters named in `changeable` can change at any time, all others only while the node is not
    configured.
    """

    config_type: type[Any]
    changeable: tuple[str, ...] = ()

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._configured = self._started = False
        self.config = declare(self, self.config_type)
        follow(self, self.config_type, self._accept)

    def acquire(self) -> None:
        """Acquire the resources of `self.config`; raise WorldModelError if that fails."""
        raise NotImplementedError

    def start(self) -> None:
        """Start to use the acquired resources."""

    def stop(self) -> None:
        """Stop using the resources but keep them; called once for every `start`."""

    def release(self) -> None:
        """Release the resources; called once for every successful `acquire`."""
        raise NotImplementedError

    def change(self) -> None:
        """Apply new values of the `changeable` parameters, in any state of the node."""

    def autostart(self) -> bool:
        """Configure and activate if the parameter `autostart` is set; return False on failure."""
        if not self.config.autostart:
            return True
        success = TransitionCallbackReturn.SUCCESS
        return bool(self.trigger_configure() == success and self.trigger_activate() == success)

    def on_configure(self, _state: LifecycleState) -> TransitionCallbackReturn:
        """Acquire the resources."""
        if not self._succeeds(self._acquire):
            return TransitionCallbackReturn.FAILURE
        self._configured = True
        return TransitionCallbackReturn.SUCCESS

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Start the work."""
        if not self._succeeds(self.start):
            return TransitionCallbackReturn.FAILURE
        self._started = True
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop the work."""
        self._stop()
        return super().on_deactivate(state)

    def on_cleanup(self, _state: LifecycleState) -> TransitionCallbackReturn:
        """Release the resources."""
        self.stop_and_release()
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, _state: LifecycleState) -> TransitionCallbackReturn:
        """Stop the work and release the resources."""
        self.stop_and_release()
        return TransitionCallbackReturn.SUCCESS

    def destroy_node(self) -> None:
        """Release all resources, then destroy the node."""
        self.stop_and_release()
        super().destroy_node()

    def _acquire(self) -> None:
        self.config = read(self, self.config_type)
        self.acquire()

    def _succeeds(self, action: Callable[[], None]) -> bool:
        """Run the action of a transition; log an error, unless a signal has shut ROS down."""
        try:
            action()
        except WorldModelError as error:
            self.get_logger().fatal(str(error))
            return False
        except Exception:  # noqa: BLE001 (rclpy would ignore it)
            if self.context.ok():
                self.get_logger().fatal(traceback.format_exc())
            return False
        finally:
            # rclpy logs an error if ROS is shut down during a transition.
            if not self.context.ok():
                self.get_logger().set_level(LoggingSeverity.FATAL)
        return True

    def _stop(self) -> None:
        if self._started:
            self._started = False
            self.stop()

    def stop_and_release(self) -> None:
        """Stop the work and release the resources, in any state of the node."""
        self._stop()
        if self._configured:
            self._configured = False
            self.release()

    def _accept(self, config: Any) -> None:
        kept = {name: getattr(self.config, name) for name in self.changeable}
        if self._configured and replace(config, **kept) != self.config:
            raise ConfigurationError(
                'parameters of a configured node are read-only: clean up the node first'
            )
        self.config = config
        self.change()


def run(make_node: Callable[[], Node], arguments: Sequence[str] | None = None) -> None:
    """
    Run one node until SIGINT (Ctrl-C), SIGTERM or its own end, and exit.

    The exit code is 0 after a regular end, and 1 if the configuration is invalid. If the network
    addresses of this machine change, the process starts again from the beginning.
    """
    signals, network = StopSignals(), NetworkWatch()
    code = 0
    try:
        executor = _init(arguments)
        signals.call_at_first(partial(_shut_down, executor))
        network.call_at_change(partial(_shut_down, executor))
        _spin(make_node(), executor, network)
    except ExternalShutdownException:
        pass
    except _SHUT_DOWN:
        # A signal can shut the context down at any time, even while a callback publishes.
        if rclpy.ok():
            raise
    except WorldModelError as error:
        rclpy.logging.get_logger('world_model').fatal(str(error))
        code = 1
    signals.hold()
    if network.change and not signals.received and code == 0:
        rclpy.logging.get_logger('world_model').warning(
            f'network addresses changed ({network.change}): the node starts again'
        )
        restart_process()
    rclpy.try_shutdown()
    signals.ignore()
    sys.exit(code)


def _init(arguments: Sequence[str] | None) -> Executor:
    remove_stale_segments()
    try:
        rclpy.init(args=arguments, signal_handler_options=SignalHandlerOptions.NO)
    except RuntimeError as error:  # rclpy raises it for a parameter file with invalid YAML
        raise ConfigurationError(str(error)) from error
    return SingleThreadedExecutor()


def _shut_down(executor: Executor) -> None:
    """Shut ROS down from another thread; the main thread destroys the node."""
    # Both raise if the node has just ended by itself.
    with suppress(RuntimeError, AttributeError):
        # Context.shutdown() would destroy the node here, while the main thread uses it.
        executor.context.handle.shutdown()
        executor.wake()


def _spin(node: Node, executor: Executor, network: NetworkWatch) -> None:
    try:
        if isinstance(node, AcquiringNode) and not node.autostart():
            if not rclpy.ok():
                return
            raise ConfigurationError(f'{node.get_name()} could not start; see the message above')
        executor.add_node(node)
        executor.spin()
    finally:
        executor.shutdown(0)
        if not network.change:
            node.destroy_node()
        elif isinstance(node, AcquiringNode):
            # DDS would wait for several seconds for peers that it cannot reach.
            node.stop_and_release()
