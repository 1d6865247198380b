# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node object_map: detections in, a map out, in spite of invalid messages."""

from __future__ import annotations

import json
import math
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseWithCovarianceStamped, Vector3
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from sensor_msgs.msg import CameraInfo, PointCloud2
from std_msgs.msg import String
from std_srvs.srv import Trigger
from tf2_ros import StaticTransformBroadcaster, TransformBroadcaster
from vision_msgs.msg import Detection3D, Detection3DArray
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.documents import parse
from world_model_core.frames import Transform, rotation_about_z
from world_model_core.objects.documents.object_map_file import LARGEST_MAP
from world_model_core.objects.values import UNKNOWN, Detections
from world_model_nodes.objects.convert import detections_message
from world_model_nodes.objects.convert_sensing import (
    BODY_IN_CAMERA,
    camera_info_message,
    cloud_message,
    pose_message,
    transform_message,
)
from world_model_nodes.objects.object_map import ObjectMapConfig, ObjectMapNode
from world_model_nodes.runtime.convert import header
from world_model_nodes.runtime.qos import STATE

FRAME_NS = 100_000_000
# The robot is at (1, 2, 0.5) and faces along y.
SENSOR = Transform(rotation_about_z(math.pi / 2.0), np.array((1.0, 2.0, 0.5)))
CAMERA = Transform(BODY_IN_CAMERA.T, np.zeros(3))
CHAIR = Detections(
    stamp_ns=0,
    labels=('chair',),
    positions=np.array(((2.0, 0.0, 0.0),)),
    covariances=np.diag((0.01, 0.0025, 0.0025))[None],
    scores=np.ones(1),
    colors=('red',),
    sizes=np.array(((0.4, 0.5, 0.9),)),
    headings=np.zeros(1),
)
BOTH = replace(
    CHAIR,
    labels=('chair', 'lamp'),
    positions=np.array(((2.0, 0.0, 0.0), (2.0, 1.5, 0.0))),
    covariances=np.tile(CHAIR.covariances, (2, 1, 1)),
    scores=np.ones(2),
    colors=('red', 'red'),
    sizes=np.full((2, 3), 0.5),
    headings=np.zeros(2),
)
NOTHING = Detections(
    0, (), np.empty((0, 3)), np.empty((0, 3, 3)), np.empty(0), (), np.empty((0, 3)), np.empty(0)
)


class MapStage:
    """A map node, its topics, and a robot whose camera sends detections."""

    def __init__(self, graph, **given):
        self.graph = graph
        overrides = [
            Parameter(name, value=value) for name, value in {'rate': 50.0, **given}.items()
        ]
        self.node = graph.add(ObjectMapNode(parameter_overrides=overrides))
        self.maps = graph.listen(String, 'object_map', STATE)
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self.stamp_ns = time.time_ns()
        self._detections = graph.publisher(Detection3DArray, 'detections')
        self._tf = TransformBroadcaster(graph.probe)
        self._static_tf = StaticTransformBroadcaster(graph.probe)

    def locate(self):
        """Publish the pose of the robot."""
        self._tf.sendTransform(transform_message(SENSOR, self.stamp_ns, 'map', 'sensor'))
        self._static_tf.sendTransform(transform_message(CAMERA, 0, 'sensor', 'camera'))

    def send_detections(self, detections=CHAIR, frame_id='camera', *, located=True):
        """Publish a frame of the camera, 0.1 s after the previous one."""
        self.stamp_ns += FRAME_NS
        if located:
            self.locate()
        frame = replace(detections, stamp_ns=self.stamp_ns)
        self._detections.publish(detections_message(frame, frame_id, BODY_IN_CAMERA))

    def map(self):
        """Return the newest map, validated."""
        return parse(self.maps[-1].data, 'object_map') if self.maps else None

    def objects(self):
        """Return the objects of the newest map."""
        return list(self.map()['objects'].values()) if self.maps else []

    def until(self, condition, publish=bool):
        """Call `publish` repeatedly until `condition` holds."""

        def answer():
            publish()
            for _ in range(10):  # more callbacks than one call of `publish` causes
                self.graph._executor.spin_once(timeout_sec=0.001)
            return condition()

        return self.graph.wait_until(answer)

    def values(self):
        """Return the values of the newest diagnostics."""
        status = self.status()
        return {} if status is None else {pair.key: pair.value for pair in status.values}

    def status(self):
        """Return the newest status of the map."""
        found = [s for r in self.reports for s in r.status if s.name == '/object_map']
        return found[-1] if found else None

    def call(self, service):
        """Call a service of the map."""
        return self.graph.call(Trigger, f'object_map/{service}', Trigger.Request())


@pytest.fixture
def home(graph, often):  # noqa: ARG001 (before the node is made)
    """Build a map node."""
    return lambda **given: MapStage(graph, **given)


def test_a_map_starts_empty(home):
    """Nothing is kept of an earlier run, and the empty document is valid."""
    room = home()
    room.graph.wait_until(lambda: room.maps)
    assert room.map() == {'frame_id': 'map', 'next_id': 0, 'objects': {}}


def test_repeated_detections_are_one_object(home):
    """The object has its position in the map, with class, color, box and rotated covariance."""
    room = home(map_id='here')
    published = room.graph.listen(Detection3DArray, 'objects', STATE)
    room.until(
        lambda: room.objects() and published and published[-1].detections, room.send_detections
    )
    (chair,) = room.objects()
    assert (chair['class'], chair['attributes']['color']) == ('chair', 'red')
    assert chair['state'] == 'confirmed'
    assert chair['position'] == pytest.approx([1.0, 4.0, 0.5], abs=1e-3)
    assert chair['size'] == pytest.approx([0.4, 0.5, 0.9], abs=1e-3)
    assert math.cos(chair['heading'] - math.pi / 2.0) == pytest.approx(1.0, abs=1e-3)
    # The camera faces along y, where it is less accurate.
    spread = np.array(chair['position_uncertainty'])
    assert spread[1, 1] / spread[0, 0] == pytest.approx(4.0, rel=0.1)
    assert (room.map()['map_id'], room.map()['frame_id']) == ('here', 'map')
    (detection,) = published[-1].detections
    assert published[-1].header.frame_id == 'map'
    words = [result.hypothesis.class_id for result in detection.results]
    assert (words[0], words[-1]) == ('chair', 'color:red')
    assert detection.bbox.center.position.y == pytest.approx(4.0, abs=1e-3)


def test_a_missing_color_is_unknown(home):
    """An empty frame is a value, and not a missing one."""
    room = home()
    room.until(room.objects, lambda: room.send_detections(replace(CHAIR, colors=(UNKNOWN,))))
    assert room.objects()[0]['attributes']['color'] == 'unknown'


def test_frames_wait_for_their_transform(home):
    """Detections that arrive before their transform are used when it arrives."""
    room = home(tf_patience=10.0)
    for _ in range(5):
        room.send_detections(located=False)
    room.until(lambda: room.values().get('frames waiting for tf') == '5')
    first_ns = room.stamp_ns - 4 * FRAME_NS
    room.stamp_ns, last_ns = first_ns, room.stamp_ns
    room.locate()
    room.stamp_ns = last_ns
    room.locate()
    room.until(room.objects)
    assert room.values()['detections.received'] == '5'


def test_the_number_of_waiting_frames_is_limited(home):
    """At most 100 frames wait for a transform; the oldest are dropped."""
    room = home(tf_patience=60.0)
    message = detections_message(CHAIR, 'nowhere')
    for _ in range(105):
        room.node._input._receive_detections(message)
    room.until(lambda: room.values().get('frames waiting for tf') == '100')
    assert room.values()['detections.too many wait for tf'] == '5'


def test_an_unknown_frame_is_dropped(home):
    """The cause is counted, the frame is named in a warning, and other frames are used."""
    room = home(tf_patience=0.2)

    def send():
        room.send_detections(frame_id='nowhere')
        room.send_detections()

    room.until(lambda: room.objects() and 'detections.unknown frame' in room.values(), send)
    assert room.status().level == DiagnosticStatus.WARN
    assert 'refused and none used: unknown frame: nowhere' in room.status().message
    assert 'camera' not in room.status().message


@pytest.mark.parametrize(
    ('topic', 'kind'),
    [('state_estimation', Odometry), ('amcl_pose', PoseWithCovarianceStamped)],
)
def test_the_covariance_of_the_pose_is_added(home, topic, kind):
    """An object is not more accurate than the pose of the robot."""
    room = home()
    poses = room.graph.publisher(kind, topic)
    unsure = Transform(SENSOR.rotation, SENSOR.translation, np.diag((0.09, 0.09, 0, 0, 0, 0.0)))

    def localize():
        for frame in ('map', 'odom'):
            message = pose_message(unsure, room.stamp_ns + FRAME_NS, frame, 'sensor')
            poses.publish(kind(header=message.header, pose=message.pose))

    room.until(lambda: f'{topic}.other frame' in room.values(), localize)
    room.until(room.objects, lambda: (localize(), room.send_detections()))
    (chair,) = room.objects()
    spread = np.array(chair['position_uncertainty'])
    # The shared part of the pose error does not average out.
    assert spread[0, 0] >= 0.0925 / chair['hits']
    assert spread[2, 2] == pytest.approx(0.0025 / chair['hits'], rel=0.1)


def cube(stamp_ns):
    """Build a marker of the challenge."""
    marker = Marker(header=header(stamp_ns, 'map'), ns='sofa', id=3, type=Marker.CUBE)
    marker.pose.position.x, marker.pose.position.z = 3.0, 0.4
    marker.scale = Vector3(x=2.0, y=1.0, z=0.8)
    return marker


def test_the_challenges_markers_are_objects_as_well(home):
    """The ground truth within 2 m makes a map without a detector, where it is published."""
    room = home()
    markers = room.graph.publisher(MarkerArray, 'object_markers')

    def show():
        room.stamp_ns += FRAME_NS
        markers.publish(MarkerArray(markers=[cube(room.stamp_ns)]))

    room.until(room.objects, show)
    (sofa,) = room.objects()
    assert (sofa['class'], sofa['position']) == ('sofa', pytest.approx([3.0, 0.0, 0.4]))
    assert sofa['size'] == pytest.approx([2.0, 1.0, 0.8], rel=0.01)


@pytest.mark.parametrize('by', ['camera_info', 'parameters'])
def test_an_object_in_view_without_detections_is_missing(home, by):
    """A removed chair is deleted, once its place was in view."""
    angles = {'horizontal_view': 1.5, 'vertical_view': 1.0, 'view_frame': 'sensor'}
    room = home(missing_probability=0.4, **(angles if by == 'parameters' else {}))
    infos = room.graph.publisher(CameraInfo, 'camera_info')
    info = camera_info_message(1.5, 1.0, 0, 'camera')
    room.until(room.objects, lambda: (infos.publish(info), room.send_detections()))
    room.until(
        lambda: [thing['state'] for thing in room.objects()] == ['missing'],
        lambda: room.send_detections(NOTHING),
    )


def test_a_camera_without_calibration_is_a_warning(home):
    """Without angles of view nothing is missed, which the status says."""
    room = home()
    infos = room.graph.publisher(CameraInfo, 'camera_info')
    info = CameraInfo(header=header(0, 'camera'), width=640, height=480)
    words = 'camera_info: 1 messages refused and none used: no angles of view: camera'
    infos.publish(info)
    room.until(lambda: room.status() is not None and words in room.status().message)


def test_an_occluded_object_is_not_missing(home):
    """A scan with a wall in front of the chair shows that it is occluded."""
    room = home(horizontal_view=1.5, vertical_view=1.0, view_frame='sensor')
    room.until(room.objects, room.send_detections)
    scans = room.graph.publisher(PointCloud2, 'registered_scan')
    across = np.linspace(-2.0, 2.0, 81)
    wall = np.stack(np.meshgrid(1.0 + across, [3.0], 0.5 + across), axis=-1).reshape(-1, 3)

    def scan():
        scans.publish(cloud_message(wall, room.stamp_ns + FRAME_NS, 'map'))
        room.send_detections(NOTHING)

    before = int(room.values().get('detections.received', 0))
    room.until(lambda: int(room.values()['detections.received']) > before + 40, scan)
    assert [thing['state'] for thing in room.objects()] == ['confirmed']


def test_a_map_is_saved_cleared_and_loaded(home, tmp_path):
    """Ids and objects are restored, and ids are not reused."""
    room = home(map_folder=str(tmp_path), map_name='office', map_id='here')
    room.until(room.objects, room.send_detections)
    saved = room.map()
    answer = room.call('save')
    assert answer.success, answer.message
    assert answer.message == f'saved 1 objects to {tmp_path}/office.json'
    assert room.call('clear').success
    room.until(lambda: room.map()['objects'] == {})
    assert room.call('load').success
    room.until(lambda: room.map()['objects'])
    assert list(room.map()['objects']) == list(saved['objects'])
    (before,), (after,) = saved['objects'].values(), room.map()['objects'].values()
    assert after['position'] == pytest.approx(before['position'])
    assert room.map()['next_id'] >= saved['next_id']


def test_a_map_of_another_origin_is_rejected_by_default(home, tmp_path):
    """A map of another origin is rejected unless force_load is set."""
    thing = {
        'class': 'vase',
        'position': [1, 2, 3],
        'position_uncertainty': np.eye(3).tolist(),
        'attributes': {},
    }
    text = json.dumps({'map_id': 'there', 'objects': {'7': thing}, 'note': 'kept'})
    (tmp_path / 'map.json').write_text(text)
    room = home(map_folder=str(tmp_path), map_id='here')
    answer = room.call('load')
    assert not answer.success
    assert "map_id is 'there', expected 'here'" in answer.message
    assert room.node.set_parameters([Parameter('force_load', value=True)])[0].successful
    assert room.call('load').success
    room.until(lambda: room.objects() and list(room.map()['objects']) == ['7'])
    assert (room.map()['map_id'], room.map()['note']) == ('here', 'kept')


def make_fifo(path):
    """Make a pipe, from which reading would wait forever."""
    os.mkfifo(path)


def write_zeros(path):
    """Make a file that is too large for any map, without using the disk."""
    with path.open('wb') as file:
        file.truncate(LARGEST_MAP + 1)


@pytest.mark.parametrize(
    ('make', 'reason'),
    [
        (lambda path: path.write_text('{"objects": {"1": {"class"'), 'File.CutOff'),
        (lambda path: path.write_text('{"objects": {}, "objects": {}}'), 'File.DuplicateKey'),
        (lambda path: path.symlink_to('/dev/zero'), 'LinkLeaves'),
        (lambda path: path.symlink_to('/etc/passwd'), 'LinkLeaves'),
        (Path.exists, 'FileMissing'),
        (Path.mkdir, 'FolderNotFile'),
        (make_fifo, 'NotRegularFile'),
        (write_zeros, f'more than {LARGEST_MAP}'),
    ],
)
def test_a_file_that_is_no_map_changes_nothing(home, tmp_path, make, reason):
    """Only regular files in the folder are read, up to a limit; the answer has the reason."""
    make(tmp_path / 'map.json')
    room = home(map_folder=str(tmp_path))
    room.node._map.map.skip_ids(5)
    answer = room.call('load')
    assert not answer.success
    assert reason in answer.message
    assert 'map.json' in answer.message
    assert room.node._map.map.next_id == 5


@pytest.mark.parametrize('name', ['../map', '/etc/map', 'a/b', '', '.map', 'x' * 300, 'a\n'])
def test_the_name_of_a_map_is_no_path(home, name):
    """A peer that sets the parameter cannot name a file outside of the folder."""
    node = home().node
    (result,) = node.set_parameters([Parameter('map_name', value=name)])
    assert not result.successful
    assert 'map_name is ' in result.reason
    (result,) = node.set_parameters([Parameter('map_folder', value='/')])
    assert not result.successful
    assert 'map_folder' in result.reason


def test_a_save_that_fails_answers_and_the_node_goes_on(home, tmp_path):
    """A file where a folder is expected: the reason is in the answer, and in /diagnostics."""
    (tmp_path / 'file').touch()
    room = home(map_folder=str(tmp_path / 'file/maps'))
    answer = room.call('save')
    assert not answer.success
    assert 'Not a directory' in answer.message
    room.until(lambda: room.objects() and room.status() is not None, room.send_detections)
    room.graph.wait_until(lambda: room.status().level == DiagnosticStatus.ERROR)
    assert 'the map is not kept: ' in room.status().message
    assert 'Not a directory' in room.status().message
    # As soon as the folder can be made, the whole map is kept.
    (tmp_path / 'file').unlink()
    room.until(lambda: room.status().level == DiagnosticStatus.OK, room.send_detections)
    before = room.map()
    room.graph.remove(room.node)
    after = MapStage(room.graph, map_folder=str(tmp_path / 'file/maps'))
    after.graph.wait_until(after.objects)
    assert after.map()['objects'].keys() >= before['objects'].keys()


def test_without_a_home_the_reason_is_reported(home, monkeypatch):
    """The node still maps, and reports what to set."""

    def fail(_):
        raise RuntimeError('Could not determine home directory.')

    monkeypatch.setattr(Path, 'expanduser', fail)
    room = home()
    answer = room.call('save')
    assert not answer.success
    assert 'ROS_HOME' in answer.message
    room.until(lambda: room.objects() and room.status() is not None, room.send_detections)
    room.graph.wait_until(lambda: 'ROS_HOME' in room.status().message)


def test_a_map_is_continued_unless_a_fresh_one_is_wanted(home):
    """The journal is loaded at start; a fresh map does not give its ids again."""
    room = home(map_id='here')
    room.until(room.objects, room.send_detections)
    (name,) = room.map()['objects']
    room.graph.remove(room.node)
    room = MapStage(room.graph, map_id='here')
    room.graph.wait_until(room.objects)
    assert list(room.map()['objects']) == [name]
    room.graph.remove(room.node)
    room = MapStage(room.graph, map_id='here', fresh=True)
    room.graph.wait_until(lambda: room.maps)
    assert room.map()['objects'] == {}
    assert room.map()['next_id'] > int(name)


def test_the_journal_of_another_place_is_set_aside(home, tmp_path):
    """It is neither loaded nor lost; with its own id it can be continued by hand."""
    room = home(map_folder=str(tmp_path), map_id='here')
    room.until(room.objects, room.send_detections)
    room.graph.remove(room.node)
    room = MapStage(room.graph, map_folder=str(tmp_path), map_id='there')
    room.graph.wait_until(lambda: room.maps)
    assert room.map()['objects'] == {}
    assert list((tmp_path / 'map.journal').glob('*.aside'))


def test_one_node_at_a_time_uses_a_journal(home):
    """A second node with the same folder and name maps, but does not keep its map."""
    room = home()
    room.graph.wait_until(lambda: room.maps)
    other = ObjectMapNode(namespace='other')
    assert 'another object_map uses it' in other._journal.error
    other.destroy_node()
    room.graph.wait_until(lambda: room.status() is not None)
    assert room.node._journal.error is None


def test_only_classes_of_interest_are_mapped(home):
    """A parameter or a topic names classes in any spelling; an invalid list changes nothing."""
    room = home(interest='Potted_Plant')
    asked = room.graph.publisher(String, 'object_interest', STATE)
    asked.publish(String(data='["broken'))
    room.until(lambda: 'object_interest.malformed' in room.values())
    asked.publish(String(data='["chair"]'))
    room.until(lambda: room.values().get('interest') == 'chair, potted plant')
    room.until(room.objects, lambda: room.send_detections(BOTH))
    assert [thing['class'] for thing in room.objects()] == ['chair']


def test_objects_of_no_interest_stay(home):
    """A map with an interest in chairs does not miss a lamp."""
    room = home(horizontal_view=1.5, vertical_view=1.0, view_frame='sensor')
    room.until(lambda: len(room.objects()) == 2, lambda: room.send_detections(BOTH))
    assert room.node.set_parameters([Parameter('interest', value='chair')])[0].successful

    def received():
        # The first report may be older than the first message.
        return int(room.values().get('detections.received', 0))

    before = received()
    room.until(lambda: received() > before + 50, lambda: room.send_detections(BOTH))
    assert [thing['state'] for thing in room.objects()] == ['confirmed'] * 2


def test_markers_are_published_for_subscribers(home):
    """Box, ellipsoid and name of each object; a cleared map has none."""
    room = home()
    room.until(room.objects, room.send_detections)
    drawn = room.graph.listen(MarkerArray, 'objects/markers', STATE)
    room.until(lambda: drawn, room.send_detections)
    assert {marker.ns for marker in drawn[-1].markers} == {'', 'box', 'uncertainty', 'name'}
    room.call('clear')
    room.until(lambda: [m.action for m in drawn[-1].markers] == [Marker.DELETEALL])


@pytest.mark.parametrize(
    ('change', 'cause'),
    [
        ({'positions': np.full((1, 3), np.nan)}, 'detections.position not finite'),
        ({'covariances': np.triu(np.ones((3, 3)))[None]}, 'detections.covariance not symmetric'),
        ({'covariances': -np.eye(3)[None]}, 'detections.covariance not positive'),
        ({'covariances': 1e9 * np.eye(3)[None]}, 'detections.covariance too large'),
        ({'labels': ('x' * 10_000,)}, 'detections.label too long'),
        ({'labels': ('',)}, 'detections.label empty'),
    ],
)
def test_an_invalid_detection_is_counted_by_its_cause(home, change, cause):
    """The next valid detections create an object."""
    room = home()
    room.until(
        lambda: cause in room.values(), lambda: room.send_detections(replace(CHAIR, **change))
    )
    assert not room.objects()
    room.until(room.objects, room.send_detections)


def test_japanese_labels_are_labels(home):
    """They are published as they were received."""
    room = home()
    room.until(room.objects, lambda: room.send_detections(replace(CHAIR, labels=('椅子',))))
    assert room.objects()[0]['class'] == '椅子'


def test_frames_of_another_time_are_counted(home):
    """One frame from the future or the past does not block current ones."""
    room = home()

    def send():
        room.send_detections(frame_id='map', located=False)

    room.until(room.objects, send)
    for offset_ns, cause in ((10**15, 'frame from the future'), (-(10**13), 'frame out of order')):
        room.stamp_ns += offset_ns
        send()
        room.until(lambda cause=cause: f'map.{cause}' in room.values())
        room.stamp_ns -= offset_ns
        hits = room.objects()[0]['hits']
        room.until(lambda hits=hits: room.objects()[0]['hits'] > hits + 1, send)


def test_a_flood_is_counted_and_dropped(home):
    """A frame of 100,000 detections is dropped as a whole."""
    room = home()
    flood = Detection3DArray(header=header(room.stamp_ns, 'map'))
    flood.detections = [Detection3D()] * 100_000
    room.node._input._receive_detections(flood)
    room.until(lambda: room.values().get('detections.malformed') == '1')
    room.until(room.objects, room.send_detections)


def test_silence_is_a_warning(home):
    """Without detections the node warns; without subscribers it is OK."""
    room = home()
    room.until(lambda: room.status() is not None)
    assert room.status().level == DiagnosticStatus.WARN
    assert 'no detections' in room.status().message


@pytest.mark.parametrize(
    ('spoil', 'frame_id', 'cause'),
    [
        ({}, 'nowhere', 'unknown frame: nowhere'),
        ({'labels': ('',)}, 'map', 'label empty: map'),
    ],
)
def test_refused_frames_are_a_warning(home, spoil, frame_id, cause):
    """If no frame is used, the node warns and names cause and frame, until one is used."""
    room = home(tf_patience=0.05)
    words = f'messages refused and none used: {cause}'
    bad = replace(CHAIR, **spoil)

    def warned():
        status = room.status()
        return status is not None and words in status.message

    room.until(warned, lambda: room.send_detections(bad, frame_id, located=False))
    assert room.status().level == DiagnosticStatus.WARN
    assert 'no detections used' in room.status().message
    room.until(room.objects, lambda: room.send_detections(frame_id='map', located=False))


def test_frames_with_a_stamp_that_stands_still_are_a_warning(home):
    """Frames that the map drops by their stamp are refused as well."""
    room = home()

    def send():
        room.stamp_ns -= FRAME_NS
        room.send_detections(frame_id='map', located=False)

    room.until(room.objects, lambda: room.send_detections(frame_id='map', located=False))
    room.node._input.ages.limit = 0.05
    words = 'messages refused and none used: frame repeated: map'
    room.until(lambda: words in room.status().message, send)


def test_gates_cannot_change_at_run_time(home):
    """Gates cannot change at run time; publishing parameters can."""
    node = home().node
    (result,) = node.set_parameters([Parameter('update_gate', value=12.0)])
    assert not result.successful
    assert 'update_gate' in result.reason
    (result,) = node.set_parameters([Parameter('interest', value='[1]')])
    assert not result.successful
    assert node.set_parameters([Parameter('rate', value=2.0)])[0].successful


def test_every_parameter_of_the_map_reaches_it():
    """All parameters of the node reach the core, including defaults."""
    config = ObjectMapConfig(update_gate=12.0, confirm_hits=2)
    chosen = config.map_parameters()
    assert (chosen.update_gate, chosen.confirm_hits) == (12.0, 2)


@pytest.mark.parametrize('word', ['interest:=[1', 'ignored:=[1', 'birth_gate:=2.0'])
def test_an_invalid_value_does_not_start(running, word):
    """The error is FATAL and has the name, and the process exits with 1."""
    with running('object_map', '-p', word) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert word.split(':')[0] in errors


def test_interrupt_ends_quietly(running, graph):
    """Ctrl-C ends the node quietly: exit code 0, no traceback."""
    maps = graph.listen(String, 'object_map', STATE)
    with running('object_map') as process:
        graph.wait_until(lambda: maps)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Traceback' not in errors
