# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node that shows all scenarios that run on a page in the browser."""

from __future__ import annotations

import sys
from functools import partial
from itertools import chain
from time import monotonic, monotonic_ns
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType

from world_model_core.parameters import word_of
from world_model_core.view.scene import compare, left_out
from world_model_core.view.timeline import Playhead, StateHistory
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.viewer.access import process_token
from world_model_nodes.viewer.bundle_topics import BundleTopics
from world_model_nodes.viewer.interaction import Interaction
from world_model_nodes.viewer.opening import Opening
from world_model_nodes.viewer.requirement import check_viser
from world_model_nodes.viewer.scene_topics import scene_topics
from world_model_nodes.viewer.splat_trials import SplatTrials
from world_model_nodes.viewer.subscriptions import Subscriptions
from world_model_nodes.viewer.viewer_config import ViewerConfig
from world_model_nodes.viewer.virtual_topics import VirtualTopics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.view.scene import Marks
    from world_model_nodes.viewer.guard import GuardedServer
    from world_model_nodes.viewer.window import Window

# Of a picture, at most 50 Hz [s].
PERIOD = 0.02
# Of looking which scenarios run [s].
LOOK_PERIOD = 1.0
# Of the panel, whose texts people read [s].
PANEL_PERIOD = 0.2


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
        self._history = StateHistory(self.config.keep)
        self._playhead = Playhead(self._history)
        self._interaction: Interaction | None = None
        self._opening: Opening | None = None
        self._marks: Marks = {}
        self._seen: object = None
        self._drawn: object = None
        self._drawn_at = 0.0
        self._calls = self.create_guard_condition(self._run_calls)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._tickers = (
            self.create_timer(PERIOD, self._draw, clock=steady),
            self.create_timer(LOOK_PERIOD, self._look, clock=steady),
            self.create_timer(PANEL_PERIOD, self._update_panel, clock=steady),
        )
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Open the page."""
        config = self.config
        bundle, virtual = BundleTopics(), VirtualTopics()
        known = {topics.name: topics for topics in scene_topics(bundle, virtual)}
        chosen = config.chosen(tuple(known))
        self._window = open_window(config, self._calls.trigger)
        self.announce(self._window.server)
        self._topics = Subscriptions(self, [known[name] for name in chosen])
        self._history = StateHistory(config.keep)
        self._playhead = Playhead(self._history)
        self._opening = Opening(self._window)
        language = word_of(config.language)
        self._interaction = Interaction(self, self._window, self._playhead, virtual, language)
        self._splats = SplatTrials(self._window, bundle, config.most_splats)

    def announce(self, server: GuardedServer) -> None:
        """Print the link of the page, and open it in the browser."""
        # Not by the logger: everyone in the ROS network can read what it publishes.
        sys.stdout.write(f'window: {server.link}\n')
        sys.stdout.flush()
        if self._open_browser is not None:
            self._open_browser(server.browser_link)

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
        if self._interaction is not None:
            self._interaction.close()
            self._interaction = None
        if self._window is not None:
            self._window.close()
            self._window = None
        self._opening = self._seen = self._drawn = None
        self._marks = {}

    def _look(self) -> None:
        if self._active and self._topics is not None:
            self._topics.update(monotonic_ns())
            self._splats.update()

    def _draw(self) -> None:
        """Show the present state, or the one that is looked back at, if it is another one."""
        topics, window, interaction = self._topics, self._window, self._interaction
        if not self._active or topics is None or window is None or interaction is None:
            return
        self._keep(topics)
        now = monotonic()
        self._playhead.advance(now - self._drawn_at)
        self._drawn_at = now
        drawn = self._playhead.shown(), interaction.version
        if drawn != self._drawn and window.pages:
            self._drawn = drawn
            scenes, _ = drawn
            marks = dict(chain.from_iterable(scene.marks().items() for scene in scenes))
            shown = interaction.show(scenes, marks)
            window.show(compare(self._marks, shown))
            self._marks = shown

    def _keep(self, topics: Subscriptions) -> None:
        """Keep the present state, if any message has been used since the last time."""
        topics.take()
        version = topics.version
        if version != self._seen:
            self._seen = version
            self._history.add(topics.scenes())

    def _update_panel(self) -> None:
        if self._window is not None and self._interaction is not None and self._window.pages:
            self._interaction.update()
        if self._opening is not None:
            self._opening.update(self._playhead.shown(), monotonic())

    def _run_calls(self) -> None:
        if self._window is not None:
            self._window.run_calls()
            self._update_panel()

    def _report(self) -> Report:
        if self._window is None or self._topics is None:
            return Report()
        values = {
            'pages': self._window.pages,
            'instances left out': left_out(self._marks),
            **({'splats shown': self._splats.summary} if self._splats.summary else {}),
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
