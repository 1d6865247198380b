# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What world_bundle publishes becomes a scene of splats."""

from __future__ import annotations

import numpy as np
import pytest
import rclpy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String
from tf2_ros import StaticTransformBroadcaster

from world_model_core.bundle.splats.splats import colored_points
from world_model_core.bundle.writing import write as write_bundle
from world_model_core.documents import write
from world_model_core.frames import Transform
from world_model_nodes.bundle.convert_scene import splat_cloud
from world_model_nodes.objects.convert_sensing import transform_message
from world_model_nodes.runtime.convert import to_time
from world_model_nodes.runtime.qos import CLOCK, STATE
from world_model_nodes.viewer.bundle_topics import BundleTopics

NOWHERE = {'position': [0.0] * 3, 'orientation': [0.0] * 4, 'velocity': [0.0] * 3}


@pytest.fixture
def topics(graph):
    """Return subscribed topics."""
    made = BundleTopics()
    made.subscribe(graph.add(rclpy.create_node('viewer')))
    return made


def test_the_bundle_of_a_scene_is_read_and_shown(
    graph, topics, village, village_document, tmp_path
):
    """First what is known of it, then its files; the vehicle is where tf says."""
    folder = tmp_path / 'village'
    write_bundle(village, folder)
    scenes = graph.publisher(String, 'scene', STATE)
    scenes.publish(String(data=write({**village_document, 'folder': str(folder)})))
    graph.wait_until(lambda: topics.scene() is not None)
    graph.wait_until(lambda: topics.scene().shown is not None)
    assert topics.total_splats == village.splats.count
    assert 'bundle/splats' not in topics.scene().marks()
    topics.limit_splats(1000)
    assert len(topics.scene().marks()['bundle/splats']) == 1000
    start = Transform(np.eye(3), np.array((1.0, 2.0, 3.0)))
    broadcaster = StaticTransformBroadcaster(graph.probe)
    broadcaster.sendTransform(transform_message(start, 0, 'map', 'base_link'))
    clock = graph.publisher(Clock, '/clock', CLOCK)

    def vehicle():
        clock.publish(Clock(clock=to_time(2_500_000_000)))
        return topics.scene().vehicle

    graph.wait_until(lambda: vehicle() is not None)
    assert topics.scene().vehicle.translation.tolist() == [1.0, 2.0, 3.0]
    assert topics.scene().clock_ns == topics.scene().time_ns == 2_500_000_000
    # The folder of the next scene is on another machine.
    scenes.publish(String(data=write(village_document)))
    graph.wait_until(lambda: topics.scene().problem)
    assert topics.scene().marks() == {}
    cloud = splat_cloud(colored_points(village.splats, 500), 'map')
    graph.publisher(PointCloud2, 'splats', STATE).publish(cloud)
    graph.wait_until(lambda: topics.scene().cloud is not None)
    shown, sent = topics.scene().cloud, colored_points(village.splats, 500)
    np.testing.assert_array_equal(shown.positions, sent.positions)
    np.testing.assert_array_equal(shown.colors[:, :3], sent.colors)


@pytest.mark.parametrize('change', [{'folder': 3}, {'initial': NOWHERE}])
def test_a_scene_that_is_none_is_counted(graph, topics, village_document, change):
    """Nothing is read."""
    wrong = write({**village_document, **change})
    graph.publisher(String, 'scene', STATE).publish(String(data=wrong))
    graph.wait_until(lambda: 'scene.malformed' in topics.inputs.report().values)
    assert topics.scene() is None


def test_a_bundle_runs_where_a_scene_is_published(graph, topics):
    """Nothing is subscribed to after it has ended."""
    assert topics.runs({'scene': ['std_msgs/msg/String']})
    assert not topics.runs({'scene': ['nav_msgs/msg/Odometry']})
    assert graph.probe.count_subscribers('scene') == 1
    topics.unsubscribe()
    graph.wait_until(lambda: not graph.probe.count_subscribers('scene'))
    assert topics.total_splats == 0
