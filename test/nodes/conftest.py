# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""ROS for tests of nodes: a domain and multicast ports for each test process, and no sleeping."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Point, Pose, PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.qos import QoSDurabilityPolicy, QoSHistoryPolicy, QoSProfile
from rclpy.time import Time
from samples import BALL, FRAME, REFEREE, ROBOT, TEAM, TRACKED, TRACKED_BALL, TRACKED_ROBOT
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String
from tf2_ros import Buffer, TransformListener
from vision_msgs.msg import Detection3DArray

from world_model_core.angles import wrap_angles
from world_model_core.bundle.scene.scene_document import scene_document
from world_model_core.bundle.sensors.scene_frames import scene_frames
from world_model_core.examples.village.example import example_bundle
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.ssl.values import Command, TrackerPacket, VisionPacket
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.values import Channel
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.lecture_simulations import COMMAND
from world_model_nodes.localization.convert import PLANAR, planar_of
from world_model_nodes.match.ssl_receiver import SslReceiver
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import STATE, STREAM
from world_model_nodes.runtime.udp import Endpoint, MulticastSender
from world_model_nodes.uncertainty.convert import (
    landmarks_message,
    odometry_message,
    planar_transform,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

# Time limit of a condition on a busy machine [s].
TIME_LIMIT = 120.0
# Turns of the executor after which a test continues although a datagram was not processed.
TURNS_AT_MOST = 20
# For tests that check every message.
KEEP_ALL = QoSProfile(history=QoSHistoryPolicy.KEEP_ALL)
KEEP_ALL_STATE = QoSProfile(
    history=QoSHistoryPolicy.KEEP_ALL, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL
)


class StallFreeClock:
    """
    A clock that leaves out the time for which the machine did not run the test.

    A source of a match times out after 80 ms. On a busy machine the test may be suspended for
    longer than that between two turns of its loop: this clock then advances by one turn.
    """

    LONGEST_TURN_NS = 20_000_000

    def __init__(self) -> None:
        self._last_ns = time.monotonic_ns()
        self._now_ns = time.time_ns()

    def now_ns(self) -> int:
        """Return the time [ns]."""
        return self._now_ns

    def turn(self) -> None:
        """Advance by the real time since the last turn, at most by LONGEST_TURN_NS."""
        now_ns = time.monotonic_ns()
        self._now_ns += min(now_ns - self._last_ns, self.LONGEST_TURN_NS)
        self._last_ns = now_ns


class Graph:
    """The nodes of one test, spun by the test while it waits."""

    def __init__(self) -> None:
        self.clock = StallFreeClock()
        self._executor = SingleThreadedExecutor()
        self.nodes: list[Node] = []
        self.probe = self.add(rclpy.create_node('probe'))

    def add(self, node: Any) -> Any:
        """Add a node to the executor."""
        self._executor.add_node(node)
        self.nodes.append(node)
        return node

    def remove(self, node: Any) -> None:
        """Destroy a node."""
        self._executor.remove_node(node)
        self.nodes.remove(node)
        node.destroy_node()

    def listen(self, kind: Any, topic: str, qos: Any = STREAM) -> list[Any]:
        """Subscribe to a topic; return the list that collects its messages."""
        messages: list[Any] = []
        self.probe.create_subscription(kind, topic, messages.append, qos)
        return messages

    def publisher(self, kind: Any, topic: str, qos: Any = STREAM) -> Any:
        """Make a publisher and wait for its first subscriber."""
        made = self.probe.create_publisher(kind, topic, qos)
        self.wait_until(made.get_subscription_count)
        return made

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Call a service and return its response."""
        client = self.probe.create_client(kind, name)
        self.wait_until(client.service_is_ready)
        future = client.call_async(request)
        self.wait_until(future.done)
        return future.result()

    def wait_until(self, condition: Callable[[], Any], limit: float = TIME_LIMIT) -> Any:
        """Spin until `condition` holds, and return its value."""
        deadline = time.monotonic() + limit
        while not (answer := condition()):
            assert time.monotonic() < deadline, f'waited {limit} s in vain'
            self._executor.spin_once(timeout_sec=0.02)
            self.clock.turn()
        return answer

    def close(self) -> None:
        """Destroy all nodes and the executor."""
        for node in tuple(self.nodes):
            self.remove(node)
        self._executor.shutdown()


@pytest.fixture
def graph(ros_environment: None) -> Iterator[Graph]:  # noqa: ARG001 (set before the context)
    """Make a context and an executor for one test."""
    rclpy.init()
    made = Graph()
    yield made
    made.close()
    rclpy.try_shutdown()
    # A node is in a reference cycle with its callbacks and keeps its DDS participant until it is
    # collected. Participants of earlier tests would stay active in this process, and Fast DDS may
    # hang when one of them is destroyed while it discovers another one.
    gc.collect()


@pytest.fixture
def endpoint(endpoints: Iterator[Endpoint]) -> Endpoint:
    """Return a free multicast group and port."""
    return next(endpoints)


@pytest.fixture
def sender() -> Iterator[MulticastSender]:
    """Make a sender on the loopback interface."""
    made = MulticastSender()
    yield made
    made.close()


@pytest.fixture
def running(ros_environment: None) -> Callable[..., Any]:  # noqa: ARG001 (processes inherit it)
    """Return a function that runs a node as a process, which is killed at the end of the test."""
    return _running


@pytest.fixture
def running_code(ros_environment: None) -> Callable[..., Any]:  # noqa: ARG001 (as above)
    """Return a function that runs code as a process, which is killed at the end of the test."""
    return _running_code


@contextmanager
def _running(executable: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    code = f'from world_model_nodes.runtime.executables import {executable}; {executable}()'
    with _running_code(code, *arguments) as process:
        yield process


@contextmanager
def _running_code(code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        (sys.executable, '-c', code, '--ros-args', *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        timer = Timer(TIME_LIMIT, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


class Stadium:
    """A receiver, its topics, and senders of all its channels."""

    def __init__(self, graph, endpoints, sender, **given):
        self.graph, self._sender = graph, sender
        self.endpoints = {channel: next(endpoints) for channel in Channel}
        values = {'interface': 'lo', 'team_name': 'Bears', **given}
        for channel, endpoint in self.endpoints.items():
            values[f'{channel.value}_group'] = endpoint.group
            values[f'{channel.value}_port'] = endpoint.port
        self.node = SslReceiver(
            parameter_overrides=[Parameter(name, value=value) for name, value in values.items()]
        )
        graph.add(self.node)
        self.balls = graph.listen(Odometry, 'ball', KEEP_ALL)
        self.sources = graph.listen(String, 'ball/source', KEEP_ALL_STATE)
        self.kicks = graph.listen(String, 'ball/kick', KEEP_ALL)
        self.robots = graph.listen(MultiDOFJointState, 'robots')
        self.games = graph.listen(String, 'game', KEEP_ALL_STATE)
        self.fields = graph.listen(String, 'field', STATE)
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self.count = self._sent = 0

    def start(self):
        """Configure and activate the receiver, and wait until everything is connected."""
        assert self.node.autostart()
        topics = ('ball', 'ball/source', 'robots', 'game', 'field', '/diagnostics')
        self.graph.wait_until(
            lambda: all(self.graph.probe.count_publishers(topic) for topic in topics)
        )
        self.graph.wait_until(lambda: self.sources)
        return self

    def now_ns(self):
        """Return the receiver's time [ns], unless it follows /clock."""
        return self.graph.clock.now_ns()

    def _processed(self):
        """Return the number of datagrams that the receiver has processed."""
        counters = self.node._match.counters
        return sum(counters[f'{channel.value}.received'] for channel in Channel)

    def send(self, channel, data):
        """Send a datagram on a channel."""
        self._sent = self._processed() + 1
        self._sender.send(self.endpoints[channel], data)

    def send_detections(self, x=0.0, ball=True, geometry=None, **changes):
        """Send a vision frame of now: a ball at (x, 0) and blue/3 at (1, 0)."""
        now, self.count = self.now_ns(), self.count + 1
        frame = replace(
            FRAME,
            frame_number=self.count,
            capture_ns=now,
            sent_ns=now,
            balls=(replace(BALL, x=x),) if ball else (),
            robots=(replace(ROBOT, x=1.0),),
        )
        packet = VisionPacket(replace(frame, **changes), geometry)
        self.send(Channel.VISION, encode_vision(packet))

    def send_tracked(self, x=0.0, name='TIGERs', ahead_ns=0, **changes):
        """Send a tracker frame of now: a ball at (x, 0) and blue/3 at (2, 0)."""
        self.count += 1
        frame = replace(
            TRACKED,
            frame_number=self.count,
            stamp_ns=self.now_ns() + ahead_ns,
            balls=(replace(TRACKED_BALL, position=(x, 0.0, 0.0), velocity=(0.0, 0.0, 0.0)),),
            robots=(replace(TRACKED_ROBOT, position=(2.0, 0.0)),),
            kicked_ball=None,
        )
        packet = TrackerPacket(f'uuid of {name}', name, replace(frame, **changes))
        self.send(Channel.TRACKER, encode_tracker(packet))

    def send_referee(self, command=Command.STOP, counter=1, back_ns=0, **changes):
        """Send a referee packet: Bears (blue) against others."""
        now = self.now_ns() - back_ns
        packet = replace(REFEREE, sent_ns=now, command_ns=now, command=command)
        teams = {'blue': replace(TEAM, name='Bears'), 'yellow': replace(TEAM, name='Others')}
        packet = replace(packet, command_counter=counter, **{**teams, **changes})
        self.send(Channel.REFEREE, encode_referee(packet))

    def until(self, condition, feed):
        """
        Call `feed` repeatedly until `condition` holds.

        It is called when the last datagram has been processed. Otherwise a busy machine would
        drop messages: the kernel queues all datagrams, ROS only the last few messages.
        """
        turns = count()

        def answer():
            if self._processed() >= self._sent or next(turns) % TURNS_AT_MOST == 0:
                feed()
            return condition()

        return self.graph.wait_until(answer)

    @property
    def status(self):
        """Return the node's newest status of /diagnostics, or None."""
        found = [
            status
            for report in self.reports
            for status in report.status
            if status.name == '/ssl_receiver'
        ]
        return found[-1] if found else None

    def value(self, key):
        """Return a value of the newest status."""
        values = {} if self.status is None else {v.key: v.value for v in self.status.values}
        return values.get(key)

    def counted(self, key, least=1):
        """Return whether a counter in /diagnostics has at least this value."""
        return int(self.value(key) or 0) >= least

    def source(self):
        """Return the newest source of the ball."""
        return self.sources[-1].data if self.sources else None

    def still_works(self):
        """Assert that a valid ball gets through, at a new position."""
        place = 3.0 + 0.001 * self.count
        self.until(
            lambda: self.balls and self.balls[-1].pose.pose.position.x == pytest.approx(place),
            lambda: self.send_detections(place),
        )


class Course:
    """A robot that drives in circles, its localizer, and what the localizer publishes."""

    frames = 'robot_0/odom', 'robot_0/base_link'
    dt_ns, start_ns = 100_000_000, 100 * 10**9

    def __init__(self, graph, kind, **given):
        self.graph = graph
        overrides = [Parameter(name, value=value) for name, value in given.items()]
        self.node = kind(namespace='robot_0', parameter_overrides=overrides)
        graph.add(self.node)
        self.poses = graph.listen(PoseWithCovarianceStamped, 'robot_0/amcl_pose', KEEP_ALL)
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self.tf = Buffer()
        self._listener = TransformListener(self.tf, graph.probe)
        assert self.node.autostart()
        self.odometry = graph.publisher(Odometry, 'robot_0/odom')
        self.detections = graph.publisher(Detection3DArray, 'robot_0/landmarks')
        self.initial = graph.publisher(PoseWithCovarianceStamped, 'robot_0/initialpose')
        graph.wait_until(lambda: graph.probe.count_publishers('robot_0/amcl_pose'))
        self.noise = self.node.config.noise()[1].noise
        self.begin(1)

    def begin(self, seed):
        """Reset the robot to the origin and the time to the start."""
        motion, observation = self.node.config.noise()
        landmarks = self.node.config.places()
        self.fleet = RobotFleet(motion, observation, landmarks, COMMAND, count=1, seed=seed)
        self.stamp_ns = self.start_ns
        self.publish_odometry()

    def kidnap(self, *pose):
        """Move the robot to another pose."""
        self.fleet._moved = replace(self.fleet.truth, poses=np.array([pose]))

    def publish_odometry(self):
        """Publish the odometry, and wait until the localizer has received it."""
        pose, command = self.fleet.odometry[0], self.fleet.commands[0]
        self.odometry.publish(odometry_message(pose, command, self.stamp_ns, *self.frames))
        self.graph.wait_until(
            lambda: (track := self.node._queue._track) and track[-1].stamp_ns == self.stamp_ns
        )

    def publish_detections(self):
        """Publish the landmark readings of this step."""
        readings = self.fleet.last_step.readings[0]
        message = landmarks_message(readings, self.noise, self.stamp_ns, self.frames[1])
        self.detections.publish(message)

    def step(self, count=1):
        """Simulate steps, publish odometry and readings, and return the last estimated pose."""
        for _ in range(count):
            self.fleet.step(0.1)
            self.stamp_ns += self.dt_ns
            self.publish_odometry()
            self.publish_detections()
            self.wait_for_pose()
        return self.poses[-1]

    def wait_for_pose(self):
        """Wait for the estimated pose of the present time."""
        self.graph.wait_until(
            lambda: self.poses and from_time(self.poses[-1].header.stamp) == self.stamp_ns
        )

    def error(self):
        """Return the error of the last estimated pose, shape (3,), and its covariance."""
        estimated = self.poses[-1].pose
        error = self.fleet.truth.poses[0] - planar_of(estimated.pose)
        error[2] = wrap_angles(error[2])
        return error, np.reshape(estimated.covariance, (6, 6))[PLANAR]

    def base_link(self):
        """Look up the pose of the base_link frame in tf: x, y, theta."""
        odometry = self.fleet.odometry[0]
        self.tf.set_transform(planar_transform(odometry, self.stamp_ns, *self.frames), 'test')
        time = Time(nanoseconds=self.stamp_ns)
        found = self.graph.wait_until(lambda: self._look_up(time)).transform
        place = found.translation
        return planar_of(Pose(position=Point(x=place.x, y=place.y), orientation=found.rotation))

    def _look_up(self, time):
        known = self.tf.can_transform('map', self.frames[1], time)
        return self.tf.lookup_transform('map', self.frames[1], time) if known else None

    @property
    def status(self):
        """The localizer's newest status of /diagnostics, or None."""
        return self.reports[-1].status[0] if self.reports else None

    def value(self, key):
        """Return one value of the newest status."""
        return {} if self.status is None else {v.key: v.value for v in self.status.values}.get(key)

    def wait_for(self, key, value):
        """Wait until /diagnostics has this value."""
        self.graph.wait_until(lambda: self.value(key) == value)


@pytest.fixture
def course(graph, often):  # noqa: ARG001 (before the node is made)
    """Make a robot and its localizer."""
    return lambda kind, **given: Course(graph, kind, **given)


@pytest.fixture
def often(monkeypatch):
    """Let nodes publish their diagnostics ten times per second."""
    monkeypatch.setattr('world_model_nodes.runtime.diagnostics.PERIOD', 0.1)


@pytest.fixture
def stadium(graph, endpoints, sender, often, monkeypatch):  # noqa: ARG001 (before the node is made)
    """Return a function that makes a receiver and its senders, on a clock without stalls."""
    of_the_node = SslReceiver._now

    def now(node):
        simulated = node.get_parameter('use_sim_time').value
        return of_the_node(node) if simulated else graph.clock.now_ns()

    monkeypatch.setattr(SslReceiver, '_now', now)

    def make(*, started=True, **given):
        made = Stadium(graph, endpoints, sender, **given)
        return made.start() if started else made

    return make


@pytest.fixture(scope='session')
def village():
    """Make the example scene in memory; tests must not change it."""
    return example_bundle()


@pytest.fixture(scope='session')
def village_document(village):
    """Return the scene document that world_bundle publishes for the example."""
    optical = scene_frames(village.tf_static, village.calibration, 'base_link').optical
    return scene_document(village, Path('/not/here'), 1, optical)
