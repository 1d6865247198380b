# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras tell of themselves at their rates, on topics that ROS allows."""

from __future__ import annotations

import pytest
import rclpy
from hypothesis import given
from hypothesis import strategies as st
from rclpy.exceptions import InvalidTopicNameException
from rclpy.validate_topic_name import validate_topic_name
from sensor_msgs.msg import CameraInfo

from world_model_nodes.bundle.camera_infos import CameraInfos, topic_names
from world_model_nodes.runtime.convert import from_time

MS = 1_000_000


def info(width):
    """Make a camera that is known by its width."""
    return CameraInfo(width=width)


class Rig:
    """Cameras, and who hears them."""

    def __init__(self, graph, *, timed):
        self.graph = graph
        self.node = graph.add(rclpy.create_node('rig'))
        self.cameras = CameraInfos(self.node, timed=timed)
        self.heard = {}

    def listen(self, camera):
        """Gather what a camera says, once it is connected."""
        topic = f'{camera}/camera_info'
        self.heard[camera] = self.graph.listen(CameraInfo, topic)
        self.graph.wait_until(
            lambda: self.node.count_subscribers(topic) and self.graph.probe.count_publishers(topic)
        )

    def stamps(self, camera):
        """List when a camera was heard [ns]."""
        return [from_time(message.header.stamp) for message in self.heard[camera]]


@pytest.fixture
def rig(graph):
    """Make a rig."""
    return lambda timed=True: Rig(graph, timed=timed)


def test_told_the_time_each_camera_keeps_its_rate(rig):
    """Stamps are multiples of its own period, none is told twice, and the rest is silence."""
    place = rig()
    place.cameras.replace({'fast': info(1), 'slow': info(2)}, {'fast': 20.0, 'slow': 12.5})
    for name in ('fast', 'slow'):
        place.listen(name)
    place.cameras.start()
    place.cameras.restart(1000 * MS)
    for step in range(19):
        place.cameras.publish_due((1000 + 10 * step) * MS)
        place.graph._executor.spin_once(timeout_sec=0.01)
    place.graph.wait_until(lambda: place.stamps('slow')[-1:] == [1160 * MS])
    place.graph.wait_until(lambda: place.stamps('fast')[-1:] == [1150 * MS])
    assert place.stamps('fast') == [stamp * MS for stamp in (1000, 1050, 1100, 1150)]
    assert place.stamps('slow') == [stamp * MS for stamp in (1000, 1080, 1160)]
    assert {message.width for message in place.heard['slow']} == {2}


def test_after_a_restart_it_begins_anew(rig):
    """When time has gone back the cameras do not wait for it to return."""
    place = rig()
    place.cameras.replace({'front': info(1)}, {'front': 10.0})
    place.listen('front')
    place.cameras.publish_due(50_000 * MS)
    place.graph.wait_until(lambda: place.stamps('front'))
    place.cameras.restart(0)
    place.cameras.publish_due(10 * MS)
    place.graph.wait_until(lambda: place.stamps('front')[-1] == 0)


def test_without_it_the_clock_of_the_node_is_kept(rig):
    """Stamps are of now, and come at the rate; stopped, no more come."""
    place = rig(timed=False)
    place.cameras.replace({'front': info(1)}, {'front': 50.0})
    place.listen('front')
    before = place.node.get_clock().now().nanoseconds
    place.cameras.start()
    place.graph.wait_until(lambda: len(place.stamps('front')) > 5)
    place.cameras.stop()
    stamps = place.stamps('front')
    assert before <= stamps[0] <= stamps[-1] <= place.node.get_clock().now().nanoseconds
    # Timers keep to their period on average, whatever the machine does in between.
    assert stamps[-1] - stamps[0] > 60 * MS
    assert not [timer for timer in place.node.timers if not timer.is_canceled()]


def test_other_cameras_take_their_place(rig):
    """Topics that are in both stay connected and go on, the others come and go."""
    place = rig(timed=False)
    place.cameras.replace({'front': info(1), 'rear': info(2)}, {'front': 50.0, 'rear': 50.0})
    place.listen('front')
    place.cameras.start()
    place.graph.wait_until(lambda: place.heard['front'])
    place.cameras.replace({'front': info(3), 'left': info(4)}, {'front': 50.0, 'left': 50.0})
    place.listen('left')
    place.graph.wait_until(lambda: place.heard['front'][-1].width == 3 and place.heard['left'])
    place.graph.wait_until(lambda: not place.graph.probe.count_publishers('rear/camera_info'))
    place.cameras.close()
    place.graph.wait_until(lambda: not place.graph.probe.count_publishers('front/camera_info'))


def test_names_that_ros_allows_are_kept():
    """A camera is found under its own name."""
    assert topic_names(['front', 'CAM_FRONT']) == {'front': 'front', 'CAM_FRONT': 'CAM_FRONT'}


@pytest.mark.parametrize(
    ('camera', 'topic'),
    [('front-left', 'front_left'), ('0', 'camera_0'), ('前', '_'), ('a/b', 'a_b'), ('~x', '_x')],
)
def test_other_names_are_changed_as_little_as_needed(camera, topic):
    """What ROS allows in no name becomes an underscore, and a digit does not come first."""
    assert topic_names([camera]) == {camera: topic}


@given(st.lists(st.text(max_size=8), unique=True, max_size=12))
def test_any_names_make_topics_of_their_own(cameras):
    """Whatever cameras are called, each has a topic that is valid, and no two share one."""
    names = topic_names(cameras)
    assert set(names) == set(cameras)
    assert len(set(names.values())) == len(cameras)
    for name in names.values():
        try:
            validate_topic_name(f'{name}/camera_info')
        except InvalidTopicNameException as error:
            pytest.fail(f'{name!r}: {error}')
