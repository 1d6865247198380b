# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The message packages that PyPI lacks are equal to those of the ROS 2 release."""

import pytest
from ament_index_python.packages import get_package_share_path
from geometry_msgs.msg import TransformStamped
from rclpy.qos import DurabilityPolicy, QoSProfile
from tf2_msgs.msg import TF2Error, TFMessage
from vision_msgs.msg import (
    BoundingBox3D,
    Detection3D,
    Detection3DArray,
    ObjectHypothesis,
    ObjectHypothesisWithPose,
)

# RIHS01 hashes (REP-2011) of tf2_msgs and vision_msgs 4 as released.
TYPE_HASHES = {
    TFMessage: 'e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087',
    TF2Error: 'db2485e7d6a0ec75bf087e058ee45df682acc3a621ca7780503d10aac141809a',
    BoundingBox3D: 'bbb73a65c163d7f9bb29009c7bde9f7faa576bd2d23299c4511d19230dab4698',
    Detection3D: 'ddd703be132ab0b69d33121f1bb034132bfbb3b0ac5f9fb1516005ba1c8a265b',
    Detection3DArray: '793f5eab9595ac1c0da07873cc859db42eae51f0ee76056db8562515d830e018',
    ObjectHypothesis: '51da43cec11c01957a64d1e05a24acd18aae7745ec30b74348ad5f6d634f7f90',
    ObjectHypothesisWithPose: '41c12344c0396c48b81df12467c192d99b2a0eb1463c5c37194e4223251c80bc',
}
GRID_MAP_HASH = '343b0e72887541beda6b035cc053f2d6fffaad9d6dcb2773c15a808dfca31fde'
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def hash_of(kind, node, spin_until):
    """Return the hash of a type on the wire."""
    node.create_publisher(kind, 'topic', 1)
    spin_until(lambda: node.get_publishers_info_by_topic('topic'))
    (info,) = node.get_publishers_info_by_topic('topic')
    return str(info.topic_type_hash).removeprefix('RIHS01_')


def detections():
    """Return an array that uses every nested message."""
    hypothesis = ObjectHypothesisWithPose(hypothesis=ObjectHypothesis(class_id='blue', score=0.75))
    hypothesis.pose.pose.position.x = 1.5
    hypothesis.pose.covariance[35] = 0.25
    detection = Detection3D(id='blue/3', results=[hypothesis, hypothesis], bbox=BoundingBox3D())
    detection.bbox.size.z = 0.15
    array = Detection3DArray(detections=[detection, Detection3D(id='é')])
    array.header.frame_id = 'field'
    return array


def transforms():
    """Return a message with one transform."""
    transform = TransformStamped(child_frame_id='robot')
    transform.header.frame_id = 'field'
    transform.transform.translation.y = -2.5
    return TFMessage(transforms=[transform])


@pytest.mark.parametrize('message', [transforms(), detections()], ids=['tf2', 'vision'])
def test_message_arrives_as_sent(node, spin_until, message):
    """A latched message, sent before there is a subscriber, arrives complete."""
    received = []
    node.create_publisher(type(message), 'topic', LATCHED).publish(message)
    node.create_subscription(type(message), 'topic', received.append, LATCHED)
    spin_until(lambda: received)
    assert received == [message]


@pytest.mark.parametrize('kind', TYPE_HASHES, ids=lambda kind: kind.__name__)
def test_type_hash_is_the_released_one(node, spin_until, kind):
    """The type hash is that of the release, so that both can communicate."""
    assert hash_of(kind, node, spin_until) == TYPE_HASHES[kind]


def test_a_grid_map_is_the_released_one(node, spin_until):
    """grid_map_msgs is optional; if present it is the type of Jazzy and newer."""
    kind = pytest.importorskip('grid_map_msgs.msg').GridMap
    assert hash_of(kind, node, spin_until) == GRID_MAP_HASH


@pytest.mark.parametrize('package', ['tf2_msgs', 'vision_msgs'])
def test_package_is_in_the_ament_index(package):
    """A message package is found, with its definitions, as by ROS tools."""
    assert list(get_package_share_path(package).glob('msg/*.msg'))
