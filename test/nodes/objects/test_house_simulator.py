# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The house simulator publishes the topics of a real robot, and the ground truth."""

from __future__ import annotations

import json
import signal

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from rclpy.time import Time
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, PointCloud2
from std_msgs.msg import String
from tf2_ros import Buffer, TransformListener
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.frames import transform_points
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_nodes.objects.convert import raw_detections_of
from world_model_nodes.objects.convert_sensing import points_of, pose_of, transform_of, view_angles
from world_model_nodes.objects.house_simulator import HouseSimulator, HouseSimulatorConfig
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import CLOCK, STATE

STREAMS = {
    'detections': Detection3DArray,
    'camera_info': CameraInfo,
    'registered_scan': PointCloud2,
    'state_estimation': Odometry,
    'traversable_area': PointCloud2,
    'truth/pose': PoseStamped,
}


# A detector without missed detections and clutter.
SURE = {
    'missed_detection.probability': 0.0,
    'clutter.share': 0.0,
    'label_confusion.label_probability': 0.0,
}


class HouseStage:
    """A simulator, and its topics."""

    def __init__(self, graph, **given):
        self.graph = graph
        values = {'rooms': 1, 'speed': 2.0, **given}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        self.node = graph.add(HouseSimulator(parameter_overrides=overrides))
        self.received = {name: graph.listen(kind, name) for name, kind in STREAMS.items()}
        self.clock = graph.listen(Clock, '/clock', CLOCK)
        self.objects = graph.listen(Detection3DArray, 'truth/objects', STATE)
        self.markers = graph.listen(MarkerArray, 'truth/markers', STATE)
        self.answers = graph.listen(String, 'truth/answer', STATE)
        self.questions = graph.listen(String, 'challenge_question')
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self.tf = Buffer()
        self._listener = TransformListener(self.tf, graph.probe)

    def start(self):
        """Configure and activate, when all subscribers are connected."""
        self.graph.wait_until(lambda: self.graph.probe.count_publishers('detections'))
        assert self.node.autostart()
        return self

    def lookup(self, frame_id, stamp):
        """Return the transform of a frame to the map at a stamp, or None."""
        time = Time.from_msg(stamp)
        if not self.tf.can_transform('map', frame_id, time):
            return None
        return transform_of(self.tf.lookup_transform('map', frame_id, time).transform)


@pytest.fixture
def town(graph, often, monkeypatch):  # noqa: ARG001 (before the node is made)
    """Build a simulator with ten questions per second."""
    monkeypatch.setattr('world_model_nodes.objects.house_simulator.QUESTION_PERIOD', 0.1)
    return lambda **given: HouseStage(graph, **given)


def test_all_topics_of_a_robot_are_published(town):
    """Detections, scan, floor and pose have one stamp, which is that of /clock."""
    place = town().start()
    streams = set(STREAMS) - {'camera_info'}
    place.graph.wait_until(lambda: all(len(place.received[name]) > 5 for name in streams))
    place.graph.wait_until(lambda: place.clock)
    stamps = {from_time(message.header.stamp) for message in place.received['detections']}
    for name in streams:
        assert stamps & {from_time(message.header.stamp) for message in place.received[name]}, name
    assert stamps & {from_time(message.clock) for message in place.clock}
    frames = {name: place.received[name][-1].header.frame_id for name in streams}
    assert frames.pop('detections') == 'camera'
    assert set(frames.values()) == {'map'}
    assert place.received['state_estimation'][-1].child_frame_id == 'sensor'


def test_detections_are_at_the_objects(town):
    """With tf, detections are in the map within their covariances and that of the pose."""
    place = town(**SURE).start()
    place.graph.wait_until(lambda: place.objects and len(place.received['detections']) > 3)
    truth = raw_detections_of(place.objects[-1])
    message = place.received['detections'][-1]
    camera2map = place.graph.wait_until(lambda: place.lookup('camera', message.header.stamp))
    detections = raw_detections_of(message)
    places = transform_points(camera2map, detections.positions)
    apart = np.linalg.norm(places[:, None] - truth.positions[None], axis=2)
    same = np.array(detections.labels)[:, None] == np.array(truth.labels)[None]
    nearest = np.where(same, apart, np.inf).min(axis=1)
    assert len(detections) > 3
    assert np.median(nearest) < 0.15
    assert nearest.max() < 0.5


def test_the_pose_is_the_estimated_one(town):
    """The pose has a covariance, tf has the same pose, and the true pose differs."""
    place = town(**{'pose_drift.position_std': 0.1}).start()
    place.graph.wait_until(lambda: len(place.received['truth/pose']) > 3)
    message = place.received['state_estimation'][-1]
    estimated_pose = pose_of(message)
    assert estimated_pose.covariance[0, 0] == pytest.approx(0.01)
    transform = place.graph.wait_until(lambda: place.lookup('sensor', message.header.stamp))
    assert transform.translation == pytest.approx(estimated_pose.translation)
    true = {from_time(m.header.stamp): m.pose.position for m in place.received['truth/pose']}
    at = true[from_time(message.header.stamp)]
    assert (
        1e-6
        < np.hypot(at.x - estimated_pose.translation[0], at.y - estimated_pose.translation[1])
        < 0.6
    )


@pytest.mark.parametrize('across', [1.5, 2.0 * np.pi])
def test_a_perspective_camera_has_a_camera_info(town, across):
    """A panorama has no camera matrix: no camera info is published."""
    place = town(horizontal=across, vertical=1.0).start()
    place.graph.wait_until(lambda: len(place.received['detections']) > 5)
    infos = place.received['camera_info']
    assert bool(infos) == (across < np.pi)
    if infos:
        assert view_angles(infos[-1]) == pytest.approx((across, 1.0))
        assert infos[-1].header.frame_id == 'camera'


def test_scan_and_floor_are_of_the_house(town):
    """Points of walls and objects above the floor, and places on it."""
    place = town().start()
    place.graph.wait_until(
        lambda: place.received['registered_scan'] and place.received['traversable_area']
    )
    scan = points_of(place.received['registered_scan'][-1])
    floor = points_of(place.received['traversable_area'][-1])
    assert len(scan) > 1000
    assert scan[:, 2].max() < 3.0
    assert len(floor) > 50
    assert not floor[:, 2].any()


def test_the_question_is_repeated_and_its_true_answer_published(town):
    """The question is published as in the challenge; the true answer is known."""
    place = town(question='How many doors are there?').start()
    place.graph.wait_until(lambda: len(place.questions) > 1 and place.answers and place.objects)
    assert {message.data for message in place.questions} == {'How many doors are there?'}
    labels = raw_detections_of(place.objects[-1]).labels
    assert json.loads(place.answers[-1].data)['count'] == labels.count('door')
    assert len(place.markers[-1].markers) > len(labels)


def test_another_question_ends_the_repetition(town):
    """A user's question is not followed by the one of the simulator."""
    place = town(question='How many doors are there?').start()
    place.graph.wait_until(lambda: place.questions)
    asked = place.graph.publisher(String, 'challenge_question')
    # The simulator and the test.
    place.graph.wait_until(lambda: asked.get_subscription_count() == 2)
    asked.publish(String(data='How many beds are there?'))
    place.graph.wait_until(lambda: not place.node._question._text)
    asked.publish(String(data='How many lamps are there?'))
    place.graph.wait_until(lambda: place.questions[-1].data == 'How many lamps are there?')
    heard = len(place.questions)
    frames = len(place.received['detections'])
    place.graph.wait_until(lambda: len(place.received['detections']) > frames + 2)
    assert len(place.questions) == heard


def test_an_empty_question_is_not_published(town):
    """Without a question in the parameters the topic is silent."""
    place = town(speed=1.0).start()
    place.graph.wait_until(lambda: len(place.reports) > 4)
    assert not place.questions
    assert not place.answers


def test_deactivation_ends_the_round(town):
    """An inactive simulator publishes nothing and reports it; activated, it continues."""
    place = town().start()
    place.graph.wait_until(lambda: place.received['detections'] and place.reports)
    place.graph.wait_until(lambda: place.reports[-1].status[0].level == DiagnosticStatus.OK)
    place.node.trigger_deactivate()
    place.graph.wait_until(
        lambda: place.reports and place.reports[-1].status[0].message == 'not active'
    )
    count = len(place.received['detections'])
    place.node.trigger_activate()
    place.graph.wait_until(lambda: len(place.received['detections']) > count)


def test_every_setting_reaches_the_house():
    """All parameters of the node reach the core, including defaults."""
    assert HouseSimulatorConfig().house_parameters() == HouseParameters()
    chosen = HouseSimulatorConfig(
        seed=7, rooms=2, missed_detection=MissedDetection(probability=0.5)
    ).house_parameters()
    assert (chosen.seed, chosen.rooms, chosen.missed_detection.probability) == (7, 2, 0.5)


@pytest.mark.parametrize(
    'word',
    ['rooms:=0', 'far:=0.2', 'missed_detection.probability:=1.5', 'noise.bearing_std:=.nan'],
)
def test_an_invalid_value_does_not_start(running, word):
    """The error is FATAL and has the name, and the process exits with 1."""
    with running('house_simulator', '-p', word) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert word.split(':')[0] in errors


def test_interrupt_ends_quietly(running, graph):
    """Ctrl-C ends the node quietly: exit code 0, no traceback."""
    received = graph.listen(Detection3DArray, 'detections')
    with running('house_simulator', '-p', 'rooms:=1') as process:
        graph.wait_until(lambda: received)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Traceback' not in errors
