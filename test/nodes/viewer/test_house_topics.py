# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is published of a house becomes its scene."""

from __future__ import annotations

import math

import numpy as np
import pytest
import rclpy
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo, PointCloud2
from std_msgs.msg import String
from tf2_ros import StaticTransformBroadcaster

from world_model_core.documents import write
from world_model_core.frames import Transform
from world_model_core.objects.answer import Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.documents.answer_json import answer_document
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.values import MapObject
from world_model_nodes.objects.convert_sensing import (
    camera_info_message,
    cloud_message,
    pose_message,
    transform_message,
)
from world_model_nodes.runtime.qos import STATE
from world_model_nodes.viewer.house_topics import HouseTopics

SECOND = 1_000_000_000
OBJECTS = tuple(
    MapObject(str(number), label, np.array((number, 0.0, 0.4)), 0.01 * np.eye(3), np.ones(3), 0.0)
    for number, label in enumerate(('chair', 'table', 'lamp'))
)


@pytest.fixture
def topics(graph):
    """Return subscribed topics."""
    made = HouseTopics()
    made.subscribe(graph.add(rclpy.create_node('viewer')))
    return made


def document(contents):
    """Make a message of a document."""
    return String(data=write(contents))


def map_message(*objects, frame='map'):
    """Make a message of an object map."""
    return document(map_document(ObjectMapDocument(objects, frame_id=frame, stamp_ns=7 * SECOND)))


def pose(x, stamp_ns, frame='map'):
    """Make the pose of a robot."""
    return pose_message(Transform(np.eye(3), np.array((x, 0.0, 1.0))), stamp_ns, frame, 'sensor')


def answer():
    """Answer a question about the objects."""
    question = 'which chair is closest to the table'
    return {
        'question': question,
        'decision': 'the map suffices',
        'final': True,
        'elapsed': 3.0,
        'answer': answer_document(Answerer().answer(question, Scene(OBJECTS))),
    }


def test_messages_become_a_scene(graph, topics):
    """Objects, robot, floor, scan, camera and the answer with its anchors."""
    assert topics.scene() is None
    broadcaster = StaticTransformBroadcaster(topics.inputs._node)
    camera = Transform(np.eye(3), np.array((0.0, 0.0, 2.0)))
    broadcaster.sendTransform(transform_message(camera, 0, 'map', 'camera'))
    info = camera_info_message(1.5, 1.0, 0, 'camera')
    points = np.array(((0.5, 0.5, 0.0), (1.5, 0.5, 0.0)))
    graph.publisher(String, 'object_map', STATE).publish(map_message(*OBJECTS))
    graph.publisher(String, 'answer', STATE).publish(document(answer()))
    graph.publisher(Odometry, 'state_estimation').publish(pose(1.0, 8 * SECOND))
    graph.publisher(CameraInfo, 'camera_info').publish(info)
    for topic in ('registered_scan', 'traversable_area'):
        graph.publisher(PointCloud2, topic).publish(cloud_message(points, 0, 'map'))
    graph.wait_until(lambda: topics.inputs.version == 6)
    scene = topics.scene()
    assert topics.scene() is scene
    assert set(scene.objects.names.values()) == {'chair 0', 'table 1', 'lamp 2'}
    assert scene.answer.text == 'chair 0'
    assert scene.robot.translation.tolist() == [1.0, 0.0, 1.0]
    assert len(scene.floor.places) == 2
    assert {'house/answer', 'house/anchors', 'house/scan', 'house/floor'} <= set(scene.marks())
    graph.wait_until(lambda: topics._find_camera() is not None)
    np.testing.assert_allclose(topics._find_camera().pose.translation, (0.0, 0.0, 2.0))


def test_a_map_is_parsed_only_if_it_has_changed(graph, topics):
    """The same text must leave the same objects."""
    publisher = graph.publisher(String, 'object_map', STATE)
    found = []
    for version in (1, 2):
        publisher.publish(map_message(*OBJECTS))
        graph.wait_until(lambda version=version: topics.inputs.version == version)
        found.append(topics.scene().objects)
    assert found[0] is found[1]
    assert topics.scene().size_bytes == 0
    publisher.publish(map_message(*OBJECTS[:1]))
    graph.wait_until(lambda: topics.inputs.version == 3)
    assert len(topics.scene().objects.by_name) == 1
    assert topics.scene().size_bytes > 0


def test_the_path_begins_again_when_time_goes_back(graph, topics):
    """A simulator that is reset puts its robot somewhere else."""
    publisher = graph.publisher(Odometry, 'state_estimation')
    for version, (x, stamp) in enumerate(((0.0, 50), (0.5, 51), (0.9, 52), (0.2, 1)), start=1):
        publisher.publish(pose(x, stamp * SECOND))
        graph.wait_until(lambda version=version: topics.inputs.version == version)
        if version == 3:
            assert len(topics.scene().path.parts) == 2
    assert topics.scene().path.parts is None
    assert topics.scene().time_ns == SECOND


def test_messages_that_cannot_be_used_are_counted(graph, topics):
    """Of each topic; the scene stays as it was."""
    graph.publisher(String, 'object_map', STATE).publish(map_message(*OBJECTS))
    graph.wait_until(lambda: topics.inputs.version == 1)
    before = topics.scene()
    graph.publisher(String, 'object_map', STATE).publish(String(data='{"objects": 3}'))
    wrong = answer()
    wrong['answer'] = {'type': 'reference'}
    graph.publisher(String, 'answer', STATE).publish(document(wrong))
    graph.publisher(Odometry, 'state_estimation').publish(pose(math.nan, SECOND))
    graph.publisher(PointCloud2, 'registered_scan').publish(PointCloud2())
    bad = {f'{name}.malformed' for name in ('object_map', 'answer', 'state_estimation')}
    graph.wait_until(lambda: bad <= set(topics.inputs.report().values))
    graph.wait_until(lambda: 'registered_scan.malformed' in topics.inputs.report().values)
    assert topics.inputs.version == 1
    assert topics.scene() is before


def test_what_is_in_another_frame_is_not_shown(graph, topics):
    """It would be in a wrong place."""
    graph.publisher(String, 'object_map', STATE).publish(map_message(*OBJECTS, frame='house'))
    graph.wait_until(lambda: topics.inputs.version == 1)
    graph.publisher(Odometry, 'state_estimation').publish(pose(0.0, SECOND))
    graph.wait_until(lambda: 'state_estimation.malformed' in topics.inputs.report().values)
    assert topics.scene().robot is None


def test_a_house_runs_where_an_object_map_is_published(graph, topics):
    """Nothing is subscribed to after it has ended."""
    assert topics.runs({'object_map': ['std_msgs/msg/String']})
    assert not topics.runs({'object_map': ['nav_msgs/msg/Odometry'], 'answer': []})
    assert graph.probe.count_subscribers('object_map') == 1
    topics.unsubscribe()
    graph.wait_until(lambda: not graph.probe.count_subscribers('object_map'))
    graph.wait_until(lambda: not graph.probe.count_subscribers('/tf'))
    assert topics.scene() is None
