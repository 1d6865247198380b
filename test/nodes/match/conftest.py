# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A running ssl_receiver with its topics, and senders of its packets."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from rclpy.qos import QoSDurabilityPolicy, QoSHistoryPolicy, QoSProfile
from samples import BALL, FRAME, REFEREE, ROBOT, TEAM, TRACKED, TRACKED_BALL, TRACKED_ROBOT
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.referee_values import Command
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.ssl.tracker_values import TrackerPacket
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel
from world_model_nodes.match.ssl_receiver import SslReceiver
from world_model_nodes.runtime.qos import STATE

# Turns of the executor after which a test continues although a datagram was not processed.
TURNS_AT_MOST = 20
# For tests that check every message.
KEEP_ALL = QoSProfile(history=QoSHistoryPolicy.KEEP_ALL)
KEEP_ALL_STATE = QoSProfile(
    history=QoSHistoryPolicy.KEEP_ALL, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL
)


class Stadium:
    """A receiver, its topics, and senders of all its channels."""

    def __init__(self, graph, endpoints, sender, **given):
        self.graph, self._sender = graph, sender
        self.endpoints = {channel: next(endpoints) for channel in Channel}
        # On a busy machine frames wait for long.
        values = {'interface': 'lo', 'team_name': 'Bears', 'max_age': 0.0, **given}
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
