# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Camera infos are published at each camera's rate, on valid topic names."""

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
    """Return a camera info identified by its width."""
    return CameraInfo(width=width)


class CameraRig:
    """Camera publishers, and subscribers of their topics."""

    def __init__(self, graph, *, timed):
        self.graph = graph
        self.node = graph.add(rclpy.create_node('rig'))
        self.cameras = CameraInfos(self.node, timed=timed)
        self.received = {}

    def listen(self, camera):
        """Subscribe to a camera, and wait for the connection."""
        topic = f'{camera}/camera_info'
        self.received[camera] = self.graph.listen(CameraInfo, topic)
        self.graph.wait_until(
            lambda: self.node.count_subscribers(topic) and self.graph.probe.count_publishers(topic)
        )

    def stamps(self, camera):
        """Return the stamps of a camera's messages [ns]."""
        return [from_time(message.header.stamp) for message in self.received[camera]]


@pytest.fixture
def rig(graph):
    """Make a rig."""
    return lambda timed=True: CameraRig(graph, timed=timed)


def test_with_scene_time_each_camera_keeps_its_rate(rig):
    """Stamps are multiples of its period, none is repeated, and none comes in between."""
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
    assert {message.width for message in place.received['slow']} == {2}


def test_after_a_jump_back_cameras_publish_at_once(rig):
    """After time has jumped back the cameras publish at once."""
    place = rig()
    place.cameras.replace({'front': info(1)}, {'front': 10.0})
    place.listen('front')
    place.cameras.publish_due(50_000 * MS)
    place.graph.wait_until(lambda: place.stamps('front'))
    place.cameras.restart(0)
    place.cameras.publish_due(10 * MS)
    place.graph.wait_until(lambda: place.stamps('front')[-1] == 0)


def test_without_scene_time_the_clock_of_the_node_is_used(rig):
    """Stamps are those of the node's clock, at the rate; stopped, no more messages come."""
    place = rig(timed=False)
    place.cameras.replace({'front': info(1)}, {'front': 50.0})
    place.listen('front')
    before = place.node.get_clock().now().nanoseconds
    place.cameras.start()
    place.graph.wait_until(lambda: len(place.stamps('front')) > 5)
    place.cameras.stop()
    stamps = place.stamps('front')
    assert before <= stamps[0] <= stamps[-1] <= place.node.get_clock().now().nanoseconds
    # Timers keep their period on average, also on a busy machine.
    assert stamps[-1] - stamps[0] > 60 * MS
    assert not [timer for timer in place.node.timers if not timer.is_canceled()]


def test_cameras_can_be_replaced(rig):
    """Topics of cameras in both sets stay connected; others are removed and added."""
    place = rig(timed=False)
    place.cameras.replace({'front': info(1), 'rear': info(2)}, {'front': 50.0, 'rear': 50.0})
    place.listen('front')
    place.cameras.start()
    place.graph.wait_until(lambda: place.received['front'])
    place.cameras.replace({'front': info(3), 'left': info(4)}, {'front': 50.0, 'left': 50.0})
    place.listen('left')
    place.graph.wait_until(
        lambda: place.received['front'][-1].width == 3 and place.received['left']
    )
    place.graph.wait_until(lambda: not place.graph.probe.count_publishers('rear/camera_info'))
    place.cameras.close()
    place.graph.wait_until(lambda: not place.graph.probe.count_publishers('front/camera_info'))


def test_names_that_ros_allows_are_kept():
    """A camera with a valid name keeps it."""
    assert topic_names(['front', 'CAM_FRONT']) == {'front': 'front', 'CAM_FRONT': 'CAM_FRONT'}


@pytest.mark.parametrize(
    ('camera', 'topic'),
    [('front-left', 'front_left'), ('0', 'camera_0'), ('前', '_'), ('a/b', 'a_b'), ('~x', '_x')],
)
def test_other_names_are_changed_as_little_as_needed(camera, topic):
    """Invalid characters become underscores, and a first digit gets a prefix."""
    assert topic_names([camera]) == {camera: topic}


@given(st.lists(st.text(max_size=8), unique=True, max_size=12))
def test_any_names_make_distinct_topics(cameras):
    """Any names of cameras give valid and distinct topics."""
    names = topic_names(cameras)
    assert set(names) == set(cameras)
    assert len(set(names.values())) == len(cameras)
    for name in names.values():
        try:
            validate_topic_name(f'{name}/camera_info')
        except InvalidTopicNameException as error:
            pytest.fail(f'{name!r}: {error}')
