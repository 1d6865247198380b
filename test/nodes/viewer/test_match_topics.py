# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is published of a match becomes its scene."""

from __future__ import annotations

import numpy as np
import pytest
import rclpy
from nav_msgs.msg import Odometry
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.documents import field_document, kick_document
from world_model_core.match.robots.robot_table import IDS, Robots
from world_model_core.simulation.match.field import make_geometry
from world_model_nodes.match.convert import ball_message, robots_message
from world_model_nodes.runtime.qos import STATE
from world_model_nodes.viewer.match_topics import MOST_KICKS, TYPES, MatchTopics

SECOND = 1_000_000_000
BALL = BallState(7 * SECOND, np.array([1.0, 2.0, 0.0]), np.array([3.0, 0.0, 0.0]), np.eye(6))
ROBOTS = Robots(
    6 * SECOND, IDS[:2], np.ones((2, 3)), np.zeros((2, 3)), np.zeros((2, 3, 2, 2)), np.ones(2)
)


def make_kick(number):
    """Make a kick just before the ball."""
    velocity = np.array([3.0, 0.0, 0.0])
    return Kick(BALL.stamp_ns, np.array([1.0, 2.0]), velocity, None, 0.0, None, number)


@pytest.fixture
def topics(graph):
    """Return subscribed topics."""
    made = MatchTopics()
    made.subscribe(graph.add(rclpy.create_node('viewer')))
    return made


def document(contents):
    """Make a message of a document."""
    return String(data=write(contents))


def test_messages_become_a_scene(graph, topics):
    """Nothing is shown before the first message, and nothing is made again without a new one."""
    assert topics.scene() is None
    graph.publisher(type(ball_message(BALL, 'field')), 'ball').publish(ball_message(BALL, 'field'))
    robots = robots_message(ROBOTS, 'field')
    graph.publisher(type(robots), 'robots').publish(robots)
    graph.publisher(String, 'ball/source', STATE).publish(String(data='VISION'))
    graph.publisher(String, 'field', STATE).publish(document(field_document(make_geometry(None))))
    graph.publisher(String, 'ball/kick').publish(document(kick_document(make_kick(1))))
    graph.wait_until(lambda: topics.inputs.version == 5)
    scene = topics.scene()
    assert scene.time_ns == BALL.stamp_ns
    assert scene.source is BallSource.VISION
    assert scene.robots.ids == ROBOTS.ids
    assert scene.pitch.size.lines
    assert {'match/ball/path', 'match/kicks/1/arrow', 'match/field/lines'} <= set(scene.marks())
    assert topics.scene() is scene


def test_a_match_runs_where_ball_or_robots_are_published(graph, topics):
    """A topic of the same name and another type is none of a match."""
    assert topics.runs({'ball': [TYPES['ball']]})
    assert topics.runs({'robots': [TYPES['robots']]})
    assert not topics.runs({'ball': ['std_msgs/msg/String'], 'field': ['std_msgs/msg/String']})
    assert graph.probe.count_subscribers('ball') == 1
    topics.unsubscribe()
    graph.wait_until(lambda: not graph.probe.count_subscribers('ball'))
    assert topics.scene() is None


def test_messages_that_cannot_be_used_are_counted(graph, topics):
    """The scene stays as it was."""
    good, bad = ball_message(BALL, 'field'), ball_message(BALL, 'field')
    bad.pose.pose.position.x = float('nan')
    publisher = graph.publisher(Odometry, 'ball')
    publisher.publish(good)
    graph.wait_until(lambda: topics.inputs.version == 1)
    publisher.publish(bad)
    graph.publisher(String, 'game', STATE).publish(String(data='{}'))
    graph.wait_until(
        lambda: {'ball.malformed', 'game.malformed'} <= set(topics.inputs.report().values)
    )
    assert topics.inputs.version == 1
    assert topics.scene().ball.position.tolist() == BALL.position.tolist()


def test_the_latest_kicks_are_kept(graph, topics):
    """A better estimate replaces the kick of its number."""
    publisher = graph.publisher(String, 'ball/kick')
    for count, number in enumerate((1, 1, *range(2, MOST_KICKS + 2)), start=1):
        publisher.publish(document(kick_document(make_kick(number))))
        graph.wait_until(lambda count=count: topics.inputs.version == count)
    numbers = [kick.number for kick in topics.scene().kicks]
    assert numbers == list(range(2, MOST_KICKS + 2))
