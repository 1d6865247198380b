# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer subscribes to the topics of the scenes that run, and to no others."""

from __future__ import annotations

import numpy as np
import pytest
import rclpy
from nav_msgs.msg import Odometry
from std_msgs.msg import String

from world_model_core.match.ball.estimate import BallState
from world_model_core.time import to_nanoseconds
from world_model_core.view.running_scenes import LINGER
from world_model_nodes.match.convert import ball_message
from world_model_nodes.viewer.house_topics import HouseTopics
from world_model_nodes.viewer.match_topics import TYPES, MatchTopics
from world_model_nodes.viewer.subscriptions import PublishedTopics, Subscriptions


@pytest.fixture
def node(graph):
    """Return a node in a namespace."""
    return graph.add(rclpy.create_node('viewer', namespace='team'))


def ball(x):
    """Make a message of a ball."""
    return ball_message(BallState(0, np.array((x, 0.0, 0.0)), np.zeros(3), np.eye(6)), 'field')


def test_topics_are_named_relative_to_the_namespace_and_must_be_published(graph, node):
    """A topic with subscriptions alone has no types."""
    graph.probe.create_publisher(Odometry, '/team/ball', 5)
    graph.probe.create_publisher(String, '/other/game', 5)
    node.create_subscription(String, 'game', lambda _: None, 5)
    graph.wait_until(
        lambda: (
            {'ball', 'game', '/other/game'} <= set(PublishedTopics(node))
            and PublishedTopics(node)['ball']
        )
    )
    topics = PublishedTopics(node)
    assert list(topics['ball']) == [TYPES['ball']]
    assert not topics['game']
    assert topics['/other/game']
    assert len(topics) == len(list(topics))


def test_a_scene_is_subscribed_to_while_its_scenario_runs(graph, node):
    """The other scene costs nothing."""
    subscriptions = Subscriptions(node, (MatchTopics(), HouseTopics()))
    subscriptions.update(0)
    assert subscriptions.shown == ()
    publisher = graph.probe.create_publisher(Odometry, '/team/ball', 5)
    graph.wait_until(lambda: subscriptions.update(0) or subscriptions.shown)
    assert subscriptions.shown == ('match',)
    graph.wait_until(lambda: publisher.get_subscription_count() == 1)
    assert graph.probe.count_subscribers('/team/object_map') == 0
    graph.probe.destroy_publisher(publisher)
    later = to_nanoseconds(LINGER) + 1
    graph.wait_until(lambda: subscriptions.update(later) or not subscriptions.shown)
    graph.wait_until(lambda: graph.probe.count_subscribers('/team/ball') == 0)


def test_only_the_newest_message_of_a_stream_is_taken(graph, node):
    """The executor no longer uses messages when they are taken for each picture."""
    subscriptions = Subscriptions(node, (MatchTopics(),))
    publisher = graph.probe.create_publisher(Odometry, '/team/ball', 5)
    graph.wait_until(lambda: subscriptions.update(0) or subscriptions.shown)
    subscriptions.take()
    graph.wait_until(publisher.get_subscription_count)
    (subscription,) = (each for each in node.subscriptions if each.topic_name == '/team/ball')
    for x in range(3):
        publisher.publish(ball(float(x)))
    graph.wait_until(lambda: subscriptions.take() or newest(subscriptions) == 2.0)
    assert subscription.qos_profile.depth == 1


def newest(subscriptions):
    """Return where the ball is in the newest state, if it is in it."""
    return next((float(scene.ball.position[0]) for scene in subscriptions.scenes()), None)
