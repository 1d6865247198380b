# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node that shows all scenarios that run on a page in the browser."""

from __future__ import annotations

import sys
from functools import partial
from itertools import chain
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType

from world_model_core.view.scene import compare, left_out
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.viewer.access import process_token
from world_model_nodes.viewer.requirement import check_viser
from world_model_nodes.viewer.scene_topics import scene_topics
from world_model_nodes.viewer.subscriptions import Subscriptions
from world_model_nodes.viewer.viewer_config import ViewerConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.view.scene import Marks
    from world_model_nodes.viewer.window import Window

# Of a picture, at most 50 Hz [s].
PERIOD = 0.02
# Of looking which scenarios run [s].
LOOK_PERIOD = 1.0


class Viewer(AcquiringNode):
    """
    Subscribes to what the scenes on screen need, and sends the page what has changed.

    Parameters
    ----------
    open_browser : callable, optional
        Is called with a link that opens the page for this user on this machine.
    **kwargs
        Of the node.

    """

    config_type = ViewerConfig

    def __init__(self, open_browser: Callable[[str], None] | None = None, **kwargs: Any) -> None:
        super().__init__('viewer', **kwargs)
        self._open_browser = open_browser
        self._active = False
        self._window: Window | None = None
        self._topics: Subscriptions | None = None
        self._marks: Marks = {}
        self._drawn: object = None
        self._calls = self.create_guard_condition(self._run_calls)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._tickers = (
            self.create_timer(PERIOD, self._draw, clock=steady),
            self.create_timer(LOOK_PERIOD, self._look, clock=steady),
        )
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Open the page."""
        config = self.config
        known = {topics.name: topics for topics in scene_topics()}
        chosen = config.chosen(tuple(known))
        self._window = open_window(config, self._calls.trigger)
        server = self._window.server
        # Not by the logger: everyone in the ROS network can read what it publishes.
        sys.stdout.write(f'window: {server.link}\n')
        sys.stdout.flush()
        if self._open_browser is not None:
            self._open_browser(server.browser_link)
        self._topics = Subscriptions(self, [known[name] for name in chosen])

    def start(self) -> None:
        """Look at once which scenarios run."""
        self._active = True
        self._look()

    def stop(self) -> None:
        """Keep the last picture."""
        self._active = False

    def release(self) -> None:
        """Close the page."""
        if self._topics is not None:
            self._topics.close()
            self._topics = None
        if self._window is not None:
            self._window.close()
            self._window = None
        self._marks, self._drawn = {}, None

    def _look(self) -> None:
        if self._active and self._topics is not None:
            self._topics.update(monotonic_ns())

    def _draw(self) -> None:
        """Send what has changed, if any message has been used since the last time."""
        topics, window = self._topics, self._window
        if not self._active or topics is None or window is None or not window.pages:
            return
        version = topics.version
        if version != self._drawn:
            self._drawn = version
            marks = dict(chain.from_iterable(each.marks().items() for each in topics.scenes()))
            window.show(compare(self._marks, marks))
            self._marks = marks

    def _run_calls(self) -> None:
        if self._window is not None:
            self._window.run_calls()

    def _report(self) -> Report:
        if self._window is None or self._topics is None:
            return Report()
        values = {
            'pages': self._window.pages,
            'instances left out': left_out(self._marks),
            **{f'refused.{cause}': count for cause, count in self._window.server.refused.items()},
        }
        return Report(values=values).joined(self._topics.report())


def open_window(config: ViewerConfig, wake: Callable[[], None]) -> Window:
    """
    Serve the page.

    Parameters
    ----------
    config : ViewerConfig
    wake : callable
        See `Window`.

    Raises
    ------
    ConfigurationError
        viser is not installed, the address is not one of this machine, or the port is taken.

    """
    check_viser()
    # viser is an extra, which these modules import.
    from world_model_nodes.viewer.guard import guarded_server  # noqa: PLC0415
    from world_model_nodes.viewer.window import Window  # noqa: PLC0415

    server = guarded_server(config.address, config.port, process_token())
    return Window(server, config.quality, wake)


def view(arguments: Sequence[str], open_browser: Callable[[str], None] | None) -> None:
    """Run the node with arguments of ROS, as the command `world_model view`."""
    run(partial(Viewer, open_browser), arguments)


def main() -> None:
    """Run the node."""
    run(Viewer)
