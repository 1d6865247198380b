# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
No message, service request or parameter ends a node.

WORLD_MODEL_FUZZ=2000 delivers that many messages to each node, WORLD_MODEL_FUZZ_SEED=2 others.
"""

from __future__ import annotations

import math
import os
from inspect import iscoroutine

import pytest
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseArray
from invalid_messages import InvalidMessages
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from benchmarks.view.bare_client import BareClient
from world_model_nodes.match.ball_predictor import BallPredictorNode
from world_model_nodes.nodes import NODES
from world_model_nodes.runtime.lifecycle import AcquiringNode
from world_model_nodes.runtime.qos import LISTEN, STATE
from world_model_nodes.runtime.registry import node_class
from world_model_nodes.watch.match_history import MatchHistory
from world_model_nodes.watch.watch import Watcher
from world_model_nodes.watch.watch_view import draw_line

MESSAGES = int(os.environ.get('WORLD_MODEL_FUZZ', '100'))
SEED = int(os.environ.get('WORLD_MODEL_FUZZ_SEED', '1'))
REQUESTS, PUBLISHED = 5, 3
# Messages between two calls of all timers.
TURN = 20
GIVEN = {
    'ball_predictor': {'frame_id': 'map'},
    'robot_simulator': {'robots': 2},
    'ssl_replay': {'exit_at_end': False},
    'ssl_receiver': {'frame_id': 'map', 'interface': 'lo'},
    'viewer': {'port': 0},
}
NEEDED = {'virtual_world': ('mujoco', 'simulation_interfaces'), 'viewer': ('viser',)}
# By these topics the viewer learns that its scenes run.
SCENES = {
    'robots': MultiDOFJointState,
    'object_map': String,
    'scene': String,
    'world': String,
    'objects/state': MultiDOFJointState,
    'ground_truth': PoseArray,
}
# Frames of topics that are not in the map.
FRAMES = {'odom': 'odom', 'landmarks': 'base_link'}
# Services and topics of rclpy and tf2; the two that rclpy does not check are tested below.
RCLPY_SERVICES = ('parameter', 'type_description', 'change_state', 'get_state', 'get_available')
# Services of virtual_world that end it, or remove all of its topics.
ENDING = ('set_simulation_state', 'unload_world')
CAUSES = ('malformed', 'unreadable', 'not one kind')
TF = ('/tf', '/tf_static')
# Topics on which any text is a valid message.
TEXTS = ('/challenge_question',)


class Fuzzed:
    """A node, and a source of messages for each of its subscriptions."""

    def __init__(self, graph, name, endpoints):
        self.graph, self.name = graph, name
        given = dict(GIVEN.get(name, {}))
        if name.startswith('ssl_'):
            for channel in ('vision', 'referee'):
                endpoint = next(endpoints)
                given |= {f'{channel}_group': endpoint.group, f'{channel}_port': endpoint.port}
        overrides = [Parameter(key, value=value) for key, value in given.items()]
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self.node = graph.add(node_class(name)(parameter_overrides=overrides))
        if isinstance(self.node, AcquiringNode):
            self.node.autostart()
        if name == 'viewer':
            self.client = _show_all_scenes(graph, self.node)
        self._open_all_topics()
        self.subscriptions = list(self.node.subscriptions)
        # Serialized, a list of a million long texts would not fit into memory.
        self._sources = {
            each: _source(each.topic_name, 1000 if each.raw else 1_000_000)
            for each in self.subscriptions
        }

    def _open_all_topics(self):
        """Subscribe to all topics of the node: some are published only for subscribers."""
        publishers = list(self.node.publishers)
        for publisher in publishers:
            self.graph.probe.create_subscription(
                publisher.msg_type, publisher.topic_name, lambda _: None, LISTEN
            )
        self.graph.wait_until(lambda: all(each.get_subscription_count() for each in publishers))

    def make(self, subscription):
        """Make the next message of a subscription."""
        message = self._sources[subscription].make(subscription.msg_type)
        return serialize_message(message) if subscription.raw else message

    def deliver(self, count):
        """Call the subscriptions in turn with a number of messages, and sometimes the timers."""
        for number in range(count if self.subscriptions else 0):
            subscription = self.subscriptions[number % len(self.subscriptions)]
            subscription.callback(self.make(subscription))
            if number % TURN == 0:
                self.call_timers()
        self.call_timers()

    def call_timers(self):
        """Call all timers once."""
        for timer in list(self.node.timers):
            timer.callback()

    def publish(self, count):
        """Publish a number of messages on each topic, and wait for two further reports."""
        # A service may have removed some of them.
        for subscription in list(self.node.subscriptions):
            if subscription.topic_name not in TF:
                publisher = self.graph.publisher(
                    subscription.msg_type, subscription.topic_name, STATE
                )
                source = _source(subscription.topic_name, longest=1000)
                for _ in range(count):
                    publisher.publish(source.make(subscription.msg_type))
        self.reports.clear()
        self.graph.wait_until(lambda: len(self.reports) >= 2)

    def request(self, count):
        """Call the services with a number of requests."""
        requests = InvalidMessages(SEED, longest=1000)
        for service in list(self.node.services):
            if any(part in service.srv_name for part in RCLPY_SERVICES + ENDING):
                continue
            for _ in range(count):
                answer = service.callback(
                    requests.make(service.srv_type.Request), service.srv_type.Response()
                )
                if iscoroutine(answer):
                    self.graph.run(answer)

    def set_parameters(self):
        """Set each parameter to invalid values; a lifecycle node accepts them unconfigured."""
        if isinstance(self.node, AcquiringNode):
            self.node.trigger_deactivate()
            self.node.trigger_cleanup()
        values = InvalidMessages(SEED)
        for name, parameter in list(self.node._parameters.items()):
            like = parameter.value if isinstance(parameter.value, (bool, int, float, str)) else []
            for _ in range(5):
                value = values.value(like)
                self.node.set_parameters([Parameter(name, value=value)])
            kept = self.node.get_parameter(name).value
            assert not (isinstance(kept, float) and math.isnan(kept)), name

    def counts(self):
        """Return the values of the newest report that are numbers."""
        return {
            pair.key: int(pair.value)
            for report in self.reports
            for status in report.status
            if status.name.endswith(self.name)
            for pair in status.values
            if pair.value.isdecimal() and len(pair.value) < 10
        }


def _show_all_scenes(graph, viewer):
    """Publish something of each scene, and open a page: nothing is drawn without one."""
    for topic, kind in SCENES.items():
        graph.probe.create_publisher(kind, topic, STATE)
    server = viewer._window.server
    client = BareClient(server.link, reads=True)
    topics = viewer._topics
    graph.wait_until(lambda: viewer._window.pages and len(topics.shown) == len(topics._topics))
    return client


def _source(topic, longest=1_000_000):
    """Make the source of messages of a topic, with lists up to a length."""
    frame = FRAMES.get(topic.rpartition('/')[2], 'map')
    # tf2 of this project is written in Python: very many transforms take it seconds.
    return InvalidMessages(SEED, {'frame_id': (frame,)}, 1000 if topic in TF else longest)


@pytest.mark.parametrize('name', NODES)
def test_nothing_ends_a_node(graph, endpoints, often, name):  # noqa: ARG001 (before the node)
    """All callbacks return, and messages that cannot be used are counted by topic and cause."""
    for package in NEEDED.get(name, ()):
        pytest.importorskip(package, reason=f'{name} needs {package}')
    fuzzed = Fuzzed(graph, name, endpoints)
    fuzzed.deliver(MESSAGES)
    fuzzed.request(REQUESTS)
    fuzzed.publish(PUBLISHED)
    counted = [key for key, count in fuzzed.counts().items() if count and '.' in key]
    if any(each.topic_name not in TF + TEXTS for each in fuzzed.node.subscriptions):
        assert any(key.endswith(CAUSES) for key in counted), counted
    fuzzed.set_parameters()
    fuzzed.call_timers()


def test_nothing_ends_watch(graph):
    """`world_model watch` shows whatever comes."""
    watcher = graph.add(Watcher(MatchHistory()))
    subscriptions = list(watcher.subscriptions)
    # Serialized, a list of a million long texts would not fit into memory.
    sources = {
        each: _source(each.topic_name, longest=100 if each.raw else 1_000_000)
        for each in subscriptions
    }
    for number in range(MESSAGES):
        each = subscriptions[number % len(subscriptions)]
        message = sources[each].make(each.msg_type)
        each.callback(serialize_message(message) if each.raw else message)
        if number % TURN == 0:
            draw_line(watcher.snapshot())


def test_rclpys_own_callbacks_reject_what_they_cannot_handle(graph, often):  # noqa: ARG001
    """A negative time on /clock, one beyond Time messages and an unknown type are counted."""
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    simulated = [Parameter('use_sim_time', value=True)]
    node = graph.add(BallPredictorNode(parameter_overrides=simulated))
    clock = graph.publisher(Clock, '/clock')
    counts = node._diagnostics._drops.counts
    stamps = Time(sec=-1), Time(sec=2**31 - 1), Time(nanosec=2**32 - 1)
    for number, stamp in enumerate(stamps, 1):
        clock.publish(Clock(clock=stamp))
        graph.wait_until(lambda number=number: counts['clock.malformed'] == number)
    clock.publish(Clock(clock=Time(sec=5)))
    graph.wait_until(lambda: node.get_clock().now().nanoseconds == 5 * 10**9)
    unknown = ParameterMessage(name='horizon', value=ParameterValue(type=77))
    request = SetParameters.Request(parameters=[unknown])
    assert not graph.call(SetParameters, '/ball_predictor/set_parameters', request).results
    expected = {('clock.malformed', '3'), ('set_parameters.malformed', '1')}
    graph.wait_until(
        lambda: reports and expected <= {(v.key, v.value) for v in reports[-1].status[0].values}
    )
