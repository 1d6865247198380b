# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What simulated robots and localizers publish becomes the scene of robots."""

from __future__ import annotations

import numpy as np
import pytest
import rclpy
from geometry_msgs.msg import PoseArray, PoseWithCovarianceStamped
from rclpy.parameter import Parameter
from sensor_msgs.msg import PointCloud2

from world_model_core.errors import MalformedPacketError
from world_model_core.localization.pose_estimators import PoseEstimate
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.lecture_simulations import LANDMARKS
from world_model_nodes.localization.convert import estimate_message
from world_model_nodes.uncertainty.convert import causes_message, causes_of_motion, poses_message
from world_model_nodes.uncertainty.robot_simulator import RobotSimulator
from world_model_nodes.viewer.robots_topics import MOST_IN_DETAIL, RobotsTopics, detailed_robots

SECOND = 1_000_000_000
ESTIMATE = ['geometry_msgs/msg/PoseWithCovarianceStamped']
DETECTIONS = ['vision_msgs/msg/Detection3DArray']


@pytest.fixture
def topics(graph):
    """Return topics on a node, not subscribed to yet."""
    made = RobotsTopics()
    made.node = graph.add(rclpy.create_node('viewer'))
    return made


def published(graph):
    """Return the types of the topics that have a publisher, by relative names."""
    return {
        name.removeprefix('/'): types
        for name, types in graph.probe.get_topic_names_and_types()
        if graph.probe.count_publishers(name)
    }


def test_simulated_robots_are_shown_with_what_struck_them(graph, topics):
    """Truth, odometry with its covariance, landmarks, readings and causes come from topics."""
    given = {'robots': 3, 'speed': 5.0, 'clock_rate': 50.0, 'preset': 'lecture'}
    simulator = RobotSimulator(
        parameter_overrides=[Parameter(n, value=v) for n, v in given.items()]
    )
    graph.add(simulator)
    simulator.trigger_configure()
    graph.wait_until(lambda: topics.runs(published(graph)) and len(published(graph)) > 15)
    topics.subscribe(topics.node)
    simulator.trigger_activate()

    def complete():
        scene = topics.scene()
        return (
            scene is not None
            and None not in (scene.fleet, scene.landmarks)
            and scene.fleet.odometry is not None
            and len(scene.estimates) == len(scene.readings) == 3
            and (scene.fleet.causes & int(ErrorCause.VELOCITY_BIAS)).all()
            and scene
        )

    scene = graph.wait_until(complete)
    assert scene.fleet.names == ('robot_0', 'robot_1', 'robot_2')
    assert scene.landmarks.places == pytest.approx(np.array(LANDMARKS))
    assert scene.readings['robot_1'].names == ('0', '1', '2')
    assert scene.readings['robot_1'].causes.any()
    marks = scene.marks()
    assert {'robots/truth/bodies', 'robots/estimates/ellipses'} <= set(marks)
    assert np.isfinite(scene.readings['robot_1'].true).all()
    topics.unsubscribe()
    assert topics.scene() is None


def test_a_robot_with_a_localizer_alone_is_shown(graph, topics):
    """A real robot publishes no truth; its particles may come from a topic of the same type."""
    estimate = PoseEstimate(np.array((1.0, 2.0, 0.5)), np.diag((0.01, 0.04, 0.09)))
    poses = graph.probe.create_publisher(PoseWithCovarianceStamped, 'robot/amcl_pose', 5)
    cloud = graph.probe.create_publisher(PoseArray, 'robot/particle_cloud', 5)
    graph.wait_until(lambda: 'robot/particle_cloud' in published(graph))
    assert topics.runs(published(graph))
    topics.subscribe(topics.node)
    graph.wait_until(lambda: poses.get_subscription_count() and cloud.get_subscription_count())
    poses.publish(estimate_message(estimate, 3 * SECOND, 'map'))
    cloud.publish(poses_message(np.ones((4, 3)), 3 * SECOND, 'map'))
    graph.wait_until(lambda: topics.inputs.version == 2)
    scene = topics.scene()
    assert scene.time_ns == 3 * SECOND
    assert scene.fleet is None
    assert scene.estimates['robot'].pose == pytest.approx(estimate.pose)
    assert scene.particles['robot'] == pytest.approx(np.ones((4, 3)))
    assert topics.scene() is scene


def test_localizers_that_appear_later_are_followed(graph, topics):
    """A message that cannot be used is counted."""
    truth = graph.probe.create_publisher(PoseArray, 'ground_truth', 5)
    graph.wait_until(lambda: topics.runs(published(graph)))
    topics.subscribe(topics.node)
    graph.wait_until(truth.get_subscription_count)
    poses = graph.probe.create_publisher(PoseWithCovarianceStamped, 'robot_1/amcl_pose', 5)
    graph.wait_until(lambda: topics.runs(published(graph)) and poses.get_subscription_count())
    bad = PoseWithCovarianceStamped()
    bad.pose.pose.position.x = float('nan')
    poses.publish(bad)
    graph.wait_until(lambda: 'robot_1/amcl_pose.malformed' in topics.inputs.report().values)
    assert topics.scene() is None


def test_the_robots_in_detail_are_limited():
    """Those with a localizer come first; topics of other types are none."""
    topics = {f'robot_{number}/ground_truth/landmarks': DETECTIONS for number in range(30)}
    topics |= {'robot_25/amcl_pose': ESTIMATE, 'robot_3/amcl_pose': ['std_msgs/msg/String']}
    robots = detailed_robots(topics)
    assert robots[:3] == ('robot_25', 'robot_0', 'robot_1')
    assert len(robots) == MOST_IN_DETAIL
    # Those of a namespace are the robot of a house, and the map of the landmarks.
    assert detailed_robots({'amcl_pose': ESTIMATE, 'ground_truth/landmarks': DETECTIONS}) == ()


def test_causes_are_the_same_after_conversion():
    """Other clouds are rejected."""
    causes = np.array([0, 5, 8], dtype=np.uint16)
    message = causes_message(np.ones((3, 3)), causes, SECOND, 'map')
    assert causes_of_motion(message).tolist() == causes.tolist()
    message.width = 4
    with pytest.raises(MalformedPacketError, match='data: 48 bytes must be 64'):
        causes_of_motion(message)
    with pytest.raises(MalformedPacketError, match='fields'):
        causes_of_motion(PointCloud2())
