# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Show the world model: live pages in a terminal, else a line per second; optionally a plot."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Path
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rich.live import Live
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.documents import parse
from world_model_core.errors import WorldModelError
from world_model_core.match.documents import read_kick
from world_model_core.time import to_seconds
from world_model_core.view.health import LEVELS
from world_model_nodes.client import WorldModelClient
from world_model_nodes.commands.plot_file import save_plot
from world_model_nodes.commands.ros_session import ros_session
from world_model_nodes.match.convert import robots_of
from world_model_nodes.match.output_age_listener import OutputAgeListener
from world_model_nodes.match.watch_view import MatchView
from world_model_nodes.objects.watch_view import ObjectsView, count_objects
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.health_listener import HealthListener
from world_model_nodes.runtime.qos import LISTEN, STATE
from world_model_nodes.virtual_world.watch_view import WorldView, agent_counts
from world_model_nodes.watch.fleet_listener import FleetListener
from world_model_nodes.watch.keyboard import keyboard
from world_model_nodes.watch.match_history import MatchHistory
from world_model_nodes.watch.rate_counter import RateCounter
from world_model_nodes.watch.snapshot import WatchSnapshot
from world_model_nodes.watch.watch_view import draw_line, draw_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path as FilePath

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState
    from world_model_nodes.watch.keyboard import Keyboard

LIVE_PERIOD = 0.1
LINE_PERIOD = 1.0
# Without a keyboard, each page is shown for this long [s].
PAGE_PERIOD = 5.0


class Watcher(Node):  # type: ignore[misc]
    """
    Subscribes to the topics of all scenarios.

    Parameters
    ----------
    history : MatchHistory, optional
        Records the match and the predictions for a plot.

    """

    def __init__(self, history: MatchHistory | None = None) -> None:
        super().__init__(f'world_model_watch_{os.getpid()}')
        self._history = history
        self._began = time.monotonic()
        self._phase: str | None = None
        self._rest: tuple[Array, int] | None = None
        self._rates = {name: RateCounter() for name in ('ball', 'robots', 'objects/state')}
        self._world: dict[str, Any] | None = None
        self._answer: dict[str, Any] | None = None
        self._health = HealthListener(self)
        self._fleet = FleetListener(self)
        self._ages = OutputAgeListener(self)
        self._client = WorldModelClient(self, on_ball=self._receive_ball)
        self.create_subscription(String, 'ball/phase', self._receive_phase, LISTEN)
        self.create_subscription(
            PoseWithCovarianceStamped, 'ball/rest', self._receive_rest, LISTEN
        )
        self.create_subscription(MultiDOFJointState, 'robots', self._receive_robots, LISTEN)
        self.create_subscription(String, 'answer', self._receive_answer, STATE)
        self.create_subscription(String, 'world', self._receive_world, STATE)
        self.create_subscription(
            MultiDOFJointState, 'objects/state', self._count_states, LISTEN, raw=True
        )
        if history is not None:
            self.create_subscription(String, 'ball/kick', self._receive_kick, LISTEN)
            self.create_subscription(Path, 'ball/trajectory', self._receive_trajectory, LISTEN)

    def snapshot(self) -> WatchSnapshot:
        """Return all that has been received until now."""
        now, client = time.monotonic(), self._client
        rates = {topic: counter.rate(now) for topic, counter in self._rates.items()}
        parts = client.ball, client.source, self._phase, self._rest, client.robots, client.game
        return WatchSnapshot(
            now - self._began,
            MatchView(*parts, rates, self._ages.age),
            ObjectsView(count_objects(client.objects), self._answer),
            client.scene,
            self._fleet.view(),
            WorldView(self._world, rates['objects/state'], self._agents()),
            self._health.health(),
        )

    @property
    def is_silent(self) -> bool:
        """Whether none of ball, robots, game, objects, scene, fleet and world has ever come."""
        client = self._client
        counts = [counter.count for counter in self._rates.values()]
        documents = (client.game, client.scene, self._world, client.objects or None)
        received = any(each is not None for each in documents)
        return not (any(counts) or received) and self._fleet.is_silent

    def finished_history(self) -> MatchHistory | None:
        """Return the recorded match with the latest field and game."""
        if self._history is not None:
            self._history.field, self._history.game = self._client.field, self._client.game
        return self._history

    def _receive_ball(self, ball: BallState) -> None:
        self._rates['ball'].add(time.monotonic())
        if self._history is not None:
            self._history.add_ball(ball, self._client.source)

    def _agents(self) -> dict[str, str]:
        """Return what the first node with agents reports of them."""
        return next(filter(None, map(agent_counts, self._health.values().values())), {})

    def _receive_phase(self, message: String) -> None:
        self._phase = message.data

    def _receive_rest(self, message: PoseWithCovarianceStamped) -> None:
        point = message.pose.pose.position
        place = np.array((point.x, point.y, point.z))
        with contextlib.suppress(WorldModelError):
            self._rest = place, from_time(message.header.stamp)

    def _receive_robots(self, message: MultiDOFJointState) -> None:
        self._rates['robots'].add(time.monotonic())
        # The client logs messages that cannot be read.
        with contextlib.suppress(WorldModelError):
            if self._history is not None:
                self._history.add_robots(robots_of(message))

    def _receive_kick(self, message: String) -> None:
        with contextlib.suppress(WorldModelError):
            if self._history is not None:
                self._history.add_kick(read_kick(parse(message.data, 'kick')))

    def _receive_trajectory(self, message: Path) -> None:
        with contextlib.suppress(WorldModelError):
            stamp_ns = from_time(message.header.stamp)
            times = [to_seconds(from_time(pose.header.stamp) - stamp_ns) for pose in message.poses]
            places = [(pose.pose.position.x, pose.pose.position.y) for pose in message.poses]
            if self._history is not None:
                self._history.add_prediction(stamp_ns, times, places)

    def _receive_answer(self, message: String) -> None:
        with contextlib.suppress(WorldModelError):
            self._answer = parse(message.data, 'reply')

    def _receive_world(self, message: String) -> None:
        with contextlib.suppress(WorldModelError):
            self._world = parse(message.data, 'virtual_world')

    def _count_states(self, _data: bytes) -> None:
        self._rates['objects/state'].add(time.monotonic())


def watch(seconds: float | None, plot: FilePath | None, ros_arguments: Sequence[str]) -> int:
    """
    Watch until Ctrl-C, SIGTERM or the end of the time.

    Parameters
    ----------
    seconds : float or None
        Duration; None to watch until a signal.
    plot : pathlib.Path or None
        File of the plot that is drawn at the end.
    ros_arguments : sequence of str
        Remappings and parameters of the node.

    Returns
    -------
    int
        0, or 1 if no data came.

    Raises
    ------
    ConfigurationError
        ROS rejects its arguments, or the plot cannot be written.

    """
    with ros_session(ros_arguments) as session:
        watcher = Watcher(MatchHistory() if plot is not None else None)
        namespace = watcher.get_namespace()
        with _display() as display:
            # Steady time, even if the node follows the clock of a replay.
            steady = Clock(clock_type=ClockType.STEADY_TIME)
            watcher.create_timer(
                display.period, lambda: display.show(watcher.snapshot()), clock=steady
            )
            session.spin(watcher, seconds)
    if watcher.is_silent:
        _explain_silence(watcher.snapshot(), namespace)
        return 1
    _draw(watcher, plot)
    return 0


def _draw(watcher: Watcher, plot: FilePath | None) -> None:
    history = watcher.finished_history()
    if plot is None or history is None:
        return
    # matplotlib takes as long to import as everything else, so it is imported only for a plot.
    from world_model_nodes.watch.match_plot import draw_match  # noqa: PLC0415

    save_plot(draw_match(history), plot)
    sys.stdout.write(f'{plot}: plot of the match written\n')


@dataclass(frozen=True, slots=True)
class _Display:
    """Calls `show` with a snapshot every `period` [s]."""

    period: float
    show: Callable[[WatchSnapshot], None]


@contextlib.contextmanager
def _display() -> Iterator[_Display]:
    """Show live pages in a terminal, lines elsewhere."""
    if not sys.stdout.isatty():
        yield _Display(LINE_PERIOD, _print_line)
        return
    with Live(auto_refresh=False) as live, keyboard() as keys:
        yield _Display(LIVE_PERIOD, LivePages(live, keys).show)


class LivePages:
    """
    Shows the page that the keys choose; without a keyboard, one after the other.

    Parameters
    ----------
    live : Live
    keys : Keyboard or None

    """

    def __init__(self, live: Live, keys: Keyboard | None) -> None:
        self._live, self._keys = live, keys
        self._number = 0

    def show(self, snapshot: WatchSnapshot) -> None:
        """Show a page."""
        if self._keys is None:
            self._number = int(snapshot.elapsed / PAGE_PERIOD)
        else:
            self._number += self._keys.steps()
        self._live.update(draw_page(snapshot, self._live.console, self._number), refresh=True)


def _print_line(snapshot: WatchSnapshot) -> None:
    sys.stdout.write(f'{draw_line(snapshot)}\n')
    sys.stdout.flush()


def _explain_silence(snapshot: WatchSnapshot, namespace: str) -> None:
    domain = os.environ.get('ROS_DOMAIN_ID', '0')
    lines = [
        f'world_model watch: no data received in {snapshot.elapsed:.1f} s. Check:',
        '- Is a scenario running? For example: world_model run ssl_sim',
        f'- Does it use the same ROS_DOMAIN_ID ({domain} here) and ROS_AUTOMATIC_DISCOVERY_RANGE?',
        f'- Does it use the same namespace ({namespace} here)?',
    ]
    lines += [
        f'{LEVELS[status.level]} {node}: {status.message}'
        for node, status in snapshot.health.items()
    ]
    sys.stderr.write('\n'.join(lines) + '\n')
