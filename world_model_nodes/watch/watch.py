# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Watches the world model: live in a terminal, a line a second elsewhere, at the end a picture."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import time
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PointStamped
from nav_msgs.msg import Path
from rclpy.clock import Clock, ClockType
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rich.live import Live
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.documents import parse
from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_core.match.documents import read_kick
from world_model_core.time import to_seconds
from world_model_nodes.client import WorldModelClient
from world_model_nodes.match.convert import robots_of
from world_model_nodes.objects.watch_view import ObjectsView, count_objects
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import LISTEN, STATE
from world_model_nodes.watch.match_history import MatchHistory
from world_model_nodes.watch.snapshot import (
    LEVELS,
    STALE,
    Health,
    Pace,
    View,
    draw_line,
    draw_table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path as FilePath

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState

LIVE_PERIOD = 0.1
LINE_PERIOD = 1.0
# Python sees a signal when rclpy has stopped waiting; so long it waits at most [s].
SIGNAL_PERIOD = 0.1


class Watcher(Node):  # type: ignore[misc]
    """
    Listens to everything that people look at.

    Parameters
    ----------
    history : MatchHistory, optional
        Gathers the match, predictions included, where it is wanted.

    """

    def __init__(self, history: MatchHistory | None = None) -> None:
        super().__init__(f'world_model_watch_{os.getpid()}')
        self._history = history
        self._began = time.monotonic()
        self._phase: str | None = None
        self._rest: tuple[Array, int] | None = None
        self._paces = {'ball': Pace(), 'robots': Pace()}
        self._answer: dict[str, Any] | None = None
        self._health: dict[str, tuple[int, str, float]] = {}
        self._client = WorldModelClient(self, on_ball=self._hear_ball)
        self.create_subscription(String, 'ball/phase', self._hear_phase, LISTEN)
        self.create_subscription(PointStamped, 'ball/rest', self._hear_rest, LISTEN)
        self.create_subscription(MultiDOFJointState, 'robots', self._hear_robots, LISTEN)
        self.create_subscription(DiagnosticArray, '/diagnostics', self._hear_health, LISTEN)
        self.create_subscription(String, 'answer', self._hear_answer, STATE)
        if history is not None:
            self.create_subscription(String, 'ball/kick', self._hear_kick, LISTEN)
            self.create_subscription(Path, 'ball/trajectory', self._hear_trajectory, LISTEN)

    def view(self) -> View:
        """Look at what is known now."""
        now, client = time.monotonic(), self._client
        return View(
            now - self._began,
            client.ball,
            client.source,
            self._phase,
            self._rest,
            client.robots,
            client.game,
            {topic: pace.rate(now) for topic, pace in self._paces.items()},
            {
                name: Health(level, message, now - heard)
                for name, (level, message, heard) in self._health.items()
            },
            ObjectsView(count_objects(client.objects), self._answer),
            client.scene,
        )

    @property
    def heard_nothing(self) -> bool:
        """Whether neither ball nor robots, game, objects or scene ever came."""
        client, paces = self._client, self._paces.values()
        still = client.game is None and client.scene is None and not client.objects
        return still and not any(pace.count for pace in paces)

    def finished_history(self) -> MatchHistory | None:
        """Return the history with the latest field and game."""
        if self._history is not None:
            self._history.field, self._history.game = self._client.field, self._client.game
        return self._history

    def _hear_ball(self, ball: BallState) -> None:
        self._paces['ball'].tick(time.monotonic())
        if self._history is not None:
            self._history.add_ball(ball, self._client.source)

    def _hear_phase(self, message: String) -> None:
        self._phase = message.data

    def _hear_rest(self, message: PointStamped) -> None:
        place = np.array((message.point.x, message.point.y, message.point.z))
        self._rest = place, from_time(message.header.stamp)

    def _hear_robots(self, message: MultiDOFJointState) -> None:
        self._paces['robots'].tick(time.monotonic())
        # The client warns of what cannot be read.
        with contextlib.suppress(WorldModelError):
            if self._history is not None:
                self._history.add_robots(robots_of(message))

    def _hear_kick(self, message: String) -> None:
        with contextlib.suppress(WorldModelError):
            if self._history is not None:
                self._history.add_kick(read_kick(parse(message.data, 'kick')))

    def _hear_trajectory(self, message: Path) -> None:
        stamp_ns = from_time(message.header.stamp)
        times = [to_seconds(from_time(pose.header.stamp) - stamp_ns) for pose in message.poses]
        places = [(pose.pose.position.x, pose.pose.position.y) for pose in message.poses]
        if self._history is not None:
            self._history.add_prediction(stamp_ns, times, places)

    def _hear_answer(self, message: String) -> None:
        with contextlib.suppress(WorldModelError):
            self._answer = parse(message.data, 'reply')

    def _hear_health(self, message: DiagnosticArray) -> None:
        for status in message.status:
            level = min(int.from_bytes(status.level, 'little'), STALE)
            self._health[status.name] = level, status.message, time.monotonic()


def watch(seconds: float | None, plot: FilePath | None, ros_arguments: Sequence[str]) -> int:
    """
    Watch until Ctrl-C, SIGTERM or the end of the time.

    Parameters
    ----------
    seconds : float or None
        How long; None for as long as nobody ends it.
    plot : pathlib.Path or None
        The picture to draw at the end.
    ros_arguments : sequence of str
        For the node: remappings, parameters.

    Returns
    -------
    int
        0, or 1 when neither ball nor robots, game, objects or scene came.

    Raises
    ------
    ConfigurationError
        ROS refuses its arguments, or the picture cannot be written.

    """
    _init(ros_arguments)
    watcher = Watcher(MatchHistory() if plot is not None else None)
    namespace = watcher.get_namespace()
    try:
        with _display() as display, _signals() as ended:
            _spin(watcher, seconds, display, ended)
    finally:
        watcher.destroy_node()
        rclpy.try_shutdown()
    if watcher.heard_nothing:
        _explain_silence(watcher.view(), namespace)
        return 1
    _draw(watcher, plot)
    return 0


def _init(ros_arguments: Sequence[str]) -> None:
    try:
        rclpy.init(
            args=['--ros-args', *ros_arguments], signal_handler_options=SignalHandlerOptions.NO
        )
    except RuntimeError as error:  # the only base of rcl's errors that rclpy shows
        raise ConfigurationError(f'--ros-args {" ".join(ros_arguments)}: {error}') from error


def _draw(watcher: Watcher, plot: FilePath | None) -> None:
    history = watcher.finished_history()
    if plot is None or history is None:
        return
    # matplotlib takes as long to import as all the rest: who only watches need not wait for it.
    from world_model_nodes.watch.match_plot import save_plot  # noqa: PLC0415

    save_plot(history, plot)
    sys.stdout.write(f'{plot}: the match, drawn\n')


@dataclass(frozen=True, slots=True)
class _Display:
    """Shows views, every `period` [s]."""

    period: float
    show: Callable[[View], None]


@contextlib.contextmanager
def _display() -> Iterator[_Display]:
    """Show a live table in a terminal, lines elsewhere."""
    if not sys.stdout.isatty():
        yield _Display(LINE_PERIOD, _print_line)
        return
    with Live(auto_refresh=False) as live:
        yield _Display(LIVE_PERIOD, lambda view: live.update(draw_table(view), refresh=True))


def _print_line(view: View) -> None:
    sys.stdout.write(f'{draw_line(view)}\n')
    sys.stdout.flush()


@contextlib.contextmanager
def _signals() -> Iterator[Event]:
    """
    Note SIGINT and SIGTERM.

    rclpy would shut ROS down under a callback that uses it, and an exception could come in the
    midst of rclpy.
    """
    ended = Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: ended.set()) for number in numbers]
    yield ended
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def _spin(watcher: Watcher, seconds: float | None, display: _Display, ended: Event) -> None:
    # Real time, even where the node's own clock is a replay's.
    steady = Clock(clock_type=ClockType.STEADY_TIME)
    watcher.create_timer(display.period, lambda: display.show(watcher.view()), clock=steady)
    end = math.inf if seconds is None else time.monotonic() + seconds
    executor = SingleThreadedExecutor()
    executor.add_node(watcher)
    try:
        while not ended.is_set() and (left := end - time.monotonic()) > 0.0:
            executor.spin_once(timeout_sec=min(left, SIGNAL_PERIOD))
    finally:
        executor.shutdown(0)


def _explain_silence(view: View, namespace: str) -> None:
    domain = os.environ.get('ROS_DOMAIN_ID', '0')
    nothing = 'no ball, robots, game, objects, scene'
    lines = [
        f'world_model watch: {nothing} came in {view.elapsed:.1f} s. Check:',
        '- is a scenario running? For example: world_model run ssl_sim',
        f'- has it the same ROS_DOMAIN_ID ({domain} here) and ROS_AUTOMATIC_DISCOVERY_RANGE?',
        f'- has it the same namespace ({namespace} here)?',
    ]
    lines += [f'{LEVELS[said.level]} {node}: {said.message}' for node, said in view.health.items()]
    sys.stderr.write('\n'.join(lines) + '\n')
