# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The services ~/pause, ~/step and ~/reset of everything that plays simulated or recorded time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from std_srvs.srv import SetBool, Trigger

from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node


class Outcome(NamedTuple):
    """The result of a service call: whether it succeeded, and a message for the caller."""

    success: bool
    message: str


class TimeServices:
    """
    Offers ~/pause, ~/step and ~/reset; a service without a callback is not offered.

    Parameters
    ----------
    node : Node
    pause : callable, optional
        Called with True to pause and False to continue.
    step, reset : callable, optional
        Called without arguments.

    """

    def __init__(
        self,
        node: Node,
        *,
        pause: Callable[[bool], Outcome] | None = None,
        step: Callable[[], Outcome] | None = None,
        reset: Callable[[], Outcome] | None = None,
    ) -> None:
        self._node = node
        self._services: list[Any] = []
        if pause is not None:
            self._add(SetBool, 'pause', lambda request: pause(request.data))
        if step is not None:
            self._add(Trigger, 'step', lambda _: step())
        if reset is not None:
            self._add(Trigger, 'reset', lambda _: reset())

    def close(self) -> None:
        """Remove the services."""
        for service in self._services:
            self._node.destroy_service(service)

    def _add(self, kind: Any, name: str, call: Callable[[Any], Outcome]) -> None:
        def serve(request: Any, response: Any) -> Any:
            response.success, response.message = call(request)
            return response

        self._services.append(self._node.create_service(kind, f'~/{name}', serve))


def refuse_step() -> Outcome:
    """Make the outcome of a step that was requested at the wrong time."""
    return Outcome(success=False, message='time can be stepped only while it is active and paused')


def describe_pause(stamp_ns: int, *, paused: bool) -> Outcome:
    """Make the outcome of a pause at a time [ns], or of its end."""
    return Outcome(success=True, message=f'paused at {show(stamp_ns)}' if paused else 'runs')


def describe_jump(before_ns: int, now_ns: int) -> str:
    """Describe a jump back in time [ns]."""
    return f'time went back from {show(before_ns)} to {show(now_ns)}'


def show(stamp_ns: int) -> str:
    """Write a time [ns] in seconds."""
    return f'{to_seconds(stamp_ns):.3f} s'
