# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All messages of a scenario that runs for some seconds, and their replay without end."""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import rclpy
from builtin_interfaces.msg import Time
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import (
    QoSDurabilityPolicy,
    QoSHistoryPolicy,
    QoSProfile,
    QoSReliabilityPolicy,
)
from rclpy.serialization import deserialize_message, serialize_message
from rclpy.signals import SignalHandlerOptions
from rosgraph_msgs.msg import Clock

from benchmarks.runtime.scenario_processes import running_scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rclpy.node import Node

# Topics of ROS itself, and types that would be computed for nobody else.
LEFT_OUT = ('/rosout', '/parameter_events')
LEFT_OUT_TYPES = ('sensor_msgs/msg/Image', 'sensor_msgs/msg/CameraInfo')
# Time between searches for new topics, and time limit of a condition [s].
SEARCH_PERIOD, LIMIT = 0.2, 120.0
DEPTH = 100


@dataclass(frozen=True)
class RecordedTopic:
    """A topic: name, type as `std_msgs/msg/String`, and whether late subscribers receive it."""

    name: str
    type: str
    latched: bool

    @property
    def message_type(self) -> Any:
        """Return the class of its messages."""
        package, _, name = self.type.split('/')
        return getattr(import_module(f'{package}.msg'), name)

    @property
    def qos(self) -> QoSProfile:
        """Return the profile with which it was published, with a longer queue."""
        durability = QoSDurabilityPolicy
        return QoSProfile(
            history=QoSHistoryPolicy.KEEP_LAST,
            depth=DEPTH,
            reliability=QoSReliabilityPolicy.RELIABLE,
            durability=durability.TRANSIENT_LOCAL if self.latched else durability.VOLATILE,
        )


@dataclass(frozen=True)
class Recorded:
    """
    The messages of some seconds.

    Attributes
    ----------
    topics : tuple of RecordedTopic
    messages : tuple
        Time since the begin [ns], index of the topic, and data of each message. What was
        published before the begin and is still valid has the time 0.
    began_ns, duration_ns : int
        Begin as ROS time, and duration [ns].

    """

    topics: tuple[RecordedTopic, ...]
    messages: tuple[tuple[int, int, bytes], ...]
    began_ns: int
    duration_ns: int

    def rates(self) -> dict[str, float]:
        """Return the messages per second of each topic."""
        counts = Counter(self.topics[index].name for at_ns, index, _ in self.messages if at_ns)
        return {name: count * 1e9 / self.duration_ns for name, count in sorted(counts.items())}


class _Recorder:
    """Subscribes to all topics that there are."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._topics: dict[str, RecordedTopic] = {}
        self.last: dict[str, bytes] = {}
        self.messages: list[tuple[int, str, bytes]] = []

    def search(self) -> None:
        """Subscribe to new topics."""
        for name, types in self._node.get_topic_names_and_types():
            if (
                name in self._topics
                or name in LEFT_OUT
                or '/_' in name
                or types[0] in LEFT_OUT_TYPES
            ):
                continue
            if publishers := self._node.get_publishers_info_by_topic(name):
                durability = publishers[0].qos_profile.durability
                latched = durability == QoSDurabilityPolicy.TRANSIENT_LOCAL
                self._subscribe(RecordedTopic(name, types[0], latched))

    def _subscribe(self, topic: RecordedTopic) -> None:
        self._topics[topic.name] = topic

        def receive(data: bytes) -> None:
            self.messages.append((time.time_ns(), topic.name, data))
            if topic.latched:
                self.last[topic.name] = data

        # A publisher of best effort offers no reliability, such as that of /clock.
        qos = topic.qos
        qos.reliability = QoSReliabilityPolicy.BEST_EFFORT
        qos = topic.qos if topic.latched else qos
        self._node.create_subscription(topic.message_type, topic.name, receive, qos, raw=True)

    def recorded(self, began_ns: int, latched: Mapping[str, bytes]) -> Recorded:
        """Return what came since a time, after what was there before."""
        names = list(self._topics)
        before = [(0, names.index(name), data) for name, data in latched.items()]
        since = [
            (at_ns - began_ns, names.index(name), data)
            for at_ns, name, data in self.messages
            if at_ns > began_ns
        ]
        topics = tuple(self._topics.values())
        return Recorded(topics, (*before, *since), began_ns, time.time_ns() - began_ns)


def record(
    scenario: str,
    arguments: tuple[str, ...],
    duration: float,
    ready: Callable[[Mapping[str, bytes]], bool],
) -> Recorded:
    """
    Run a scenario and record it.

    Parameters
    ----------
    scenario : str
    arguments : tuple of str
        As on the command line.
    duration : float
        Of the recording [s].
    ready : callable
        Whether the recording may begin, by the last message of each latched topic.

    """
    rclpy.init()
    node = rclpy.create_node('recorder')
    recorder, executor = _Recorder(node), SingleThreadedExecutor()
    executor.add_node(node)
    with running_scenario(scenario, arguments):
        _spin(executor, recorder, lambda: ready(recorder.last), LIMIT)
        began_ns, latched = time.time_ns(), dict(recorder.last)
        recorder.messages.clear()
        with suppress(TimeoutError):
            _spin(executor, recorder, lambda: False, duration)
        recorded = recorder.recorded(began_ns, latched)
    executor.shutdown()
    node.destroy_node()
    rclpy.try_shutdown()
    return recorded


def _spin(
    executor: SingleThreadedExecutor,
    recorder: _Recorder,
    condition: Callable[[], bool],
    limit: float,
) -> None:
    end = time.monotonic() + limit
    next_search = 0.0
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f'waited {limit} s in vain')
        if time.monotonic() > next_search:
            recorder.search()
            next_search = time.monotonic() + SEARCH_PERIOD
        executor.spin_once(timeout_sec=0.01)


@contextmanager
def replaying(recorded: Recorded) -> Iterator[None]:
    """Replay in a process of its own, over and over, with stamps of now."""
    process = get_context('spawn').Process(target=replay, args=(recorded,), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def replay(recorded: Recorded) -> None:
    """Publish the messages until the process is ended."""
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node('replay')
    types = [topic.message_type for topic in recorded.topics]
    publishers = [
        node.create_publisher(kind, topic.name, topic.qos)
        for kind, topic in zip(types, recorded.topics, strict=True)
    ]
    parent, simulated_ns = os.getppid(), _simulated_ns(recorded)
    for turn in count():
        if os.getppid() != parent:
            break
        start_ns = time.time_ns()
        # Stamps continue where the turn before has ended.
        shift_ns = start_ns - recorded.began_ns if simulated_ns is None else turn * simulated_ns
        for at_ns, index, data in recorded.messages:
            time.sleep(max(0.0, (start_ns + at_ns - time.time_ns()) / 1e9))
            message = deserialize_message(data, types[index])
            _shift(message, shift_ns)
            publishers[index].publish(serialize_message(message))


def _simulated_ns(recorded: Recorded) -> int | None:
    """Return the simulated time that has passed on /clock [ns], or None without it."""
    names = [topic.name for topic in recorded.topics]
    times = [
        deserialize_message(data, Clock).clock
        for _, index, data in recorded.messages
        if names[index] == '/clock'
    ]
    if len(times) < 2:
        return None
    first, last = (each.sec * 1_000_000_000 + each.nanosec for each in (times[0], times[-1]))
    return (last - first) * len(times) // (len(times) - 1)


def _shift(message: Any, by_ns: int) -> None:
    """Shift all stamps in a message that are set."""
    if isinstance(message, Time):
        if message.sec or message.nanosec:
            total = max(0, message.sec * 1_000_000_000 + message.nanosec + by_ns)
            message.sec, message.nanosec = divmod(total, 1_000_000_000)
    elif isinstance(message, list):
        for each in message:
            _shift(each, by_ns)
    elif hasattr(message, 'get_fields_and_field_types'):
        for name, kind in message.get_fields_and_field_types().items():
            if '/' in kind:
                _shift(getattr(message, name), by_ns)
