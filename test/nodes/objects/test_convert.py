# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of detections, objects, poses and scans to messages and back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from geometry_msgs.msg import Point, Vector3
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo, PointCloud2
from sensor_msgs_py import point_cloud2
from std_msgs.msg import Header
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.errors import MalformedPacketError
from world_model_core.frames import FrameError, Transform, pose_transform, rotation_of
from world_model_core.objects.mapping.raw_detections import upright
from world_model_core.objects.values import UNKNOWN, Detections, MapObject, Swatch
from world_model_nodes.objects.convert import (
    MOST_DETECTIONS,
    detections_message,
    marker_detections,
    objects_message,
    raw_detections_of,
)
from world_model_nodes.objects.convert_sensing import (
    BODY_IN_CAMERA,
    camera_info_message,
    cloud_message,
    points_of,
    pose_message,
    pose_of,
    transform_message,
    transform_of,
    view_angles,
)
from world_model_nodes.runtime.convert import LAST_SECOND, from_time, heading_of

NUMBERS = st.floats(-100.0, 100.0)
LABELS = st.text(min_size=1, max_size=20).filter(lambda text: not text.startswith('color:'))


@st.composite
def detections(draw):
    """Draw detections, with and without sizes and headings."""
    count = draw(st.integers(0, 5))
    roots = draw(arrays(np.float64, (count, 3, 3), elements=NUMBERS))
    known = draw(arrays(np.bool_, count))
    sizes = draw(arrays(np.float64, (count, 3), elements=st.floats(0.01, 9.0)))
    headings = draw(arrays(np.float64, count, elements=st.floats(-3.1, 3.1)))
    turned = draw(arrays(np.bool_, count)) & known
    colors = st.sampled_from(('red', 'light blue', UNKNOWN))
    return Detections(
        stamp_ns=draw(st.integers(0, LAST_SECOND * 10**9)),
        labels=tuple(draw(LABELS) for _ in range(count)),
        positions=draw(arrays(np.float64, (count, 3), elements=NUMBERS)),
        covariances=roots @ roots.swapaxes(-1, -2),
        scores=draw(arrays(np.float64, count, elements=st.floats(0.0, 1.0))),
        colors=tuple(draw(colors) for _ in range(count)),
        sizes=np.where(known[:, None], sizes, np.nan),
        headings=np.where(turned, headings, np.nan),
    )


@given(detections())
def test_detections_come_back(sent):
    """A detector's frame survives the conversion to a message and back."""
    message = detections_message(sent, 'camera')
    assert (from_time(message.header.stamp), message.header.frame_id) == (sent.stamp_ns, 'camera')
    read = raw_detections_of(message)
    assert (read.labels, read.colors) == (sent.labels, sent.colors)
    assert read.positions == pytest.approx(sent.positions)
    assert read.covariances == pytest.approx(sent.covariances)
    assert read.scores == pytest.approx(sent.scores)
    sizes, headings = upright(read.quaternions, read.sizes, np.eye(3))
    assert sizes == pytest.approx(sent.sizes, nan_ok=True)
    assert headings == pytest.approx(sent.headings, nan_ok=True)


@given(detections())
def test_detections_come_back_from_a_cameras_axes(sent):
    """In camera axes (z forward) they are the same after the rotation back."""
    read = raw_detections_of(detections_message(sent, 'camera', BODY_IN_CAMERA))
    back = BODY_IN_CAMERA.T
    assert read.positions @ back.T == pytest.approx(sent.positions)
    assert back @ read.covariances @ back.T == pytest.approx(sent.covariances, abs=1e-9)
    sizes, headings = upright(read.quaternions, read.sizes, back)
    assert sizes == pytest.approx(sent.sizes, nan_ok=True)
    assert headings == pytest.approx(sent.headings, nan_ok=True, abs=1e-9)


def hypothesis_of(label, score, x=0.0):
    """Build a hypothesis."""
    made = ObjectHypothesisWithPose()
    made.hypothesis.class_id, made.hypothesis.score = label, score
    made.pose.pose.position = Point(x=x)
    return made


def test_the_likeliest_hypothesis_is_taken():
    """Of several classes and colors the one with the highest score is used, with its position."""
    results = [
        hypothesis_of('color:red', 0.2),
        hypothesis_of('stool', 0.3, 1.0),
        hypothesis_of('chair', 0.6, 2.0),
        hypothesis_of('color:blue', 0.9),
    ]
    read = raw_detections_of(Detection3DArray(detections=[Detection3D(results=results)]))
    assert (read.labels, read.colors, read.scores.tolist()) == (('chair',), ('blue',), [0.6])
    assert read.positions[0].tolist() == [2.0, 0.0, 0.0]


def test_the_box_takes_precedence_for_the_position():
    """Many detectors set the box and leave the pose of the hypothesis empty."""
    detection = Detection3D(results=[hypothesis_of('chair', 1.0)])
    detection.bbox.center.position = Point(x=3.0, y=4.0, z=5.0)
    detection.bbox.size = Vector3(x=1.0, y=1.0, z=1.0)
    read = raw_detections_of(Detection3DArray(detections=[detection]))
    assert read.positions[0].tolist() == [3.0, 4.0, 5.0]


def test_a_detection_without_a_class_has_no_label():
    """It is dropped and counted later, and the frame is valid."""
    bare = [Detection3D(), Detection3D(results=[hypothesis_of('color:red', 1.0)])]
    read = raw_detections_of(Detection3DArray(detections=bare))
    assert (read.labels, read.colors) == (('', ''), (UNKNOWN, 'red'))


def test_a_flood_is_rejected():
    """A frame of 100,000 detections is not read at all."""
    flood = Detection3DArray(detections=[Detection3D()] * 100_000)
    with pytest.raises(MalformedPacketError, match=f'100000 .* {MOST_DETECTIONS}'):
        raw_detections_of(flood)


def cube(label='sofa', frame_id='map', **changes):
    """Build a marker as the challenge sends it."""
    marker = Marker(header=Header(frame_id=frame_id), ns=label, type=Marker.CUBE, **changes)
    marker.pose.position = Point(x=1.0, y=2.0, z=0.5)
    marker.pose.orientation.z, marker.pose.orientation.w = math.sin(0.25), math.cos(0.25)
    marker.scale = Vector3(x=2.0, y=1.0, z=0.8)
    return marker


def test_the_challenges_markers_are_detections():
    """Label, position, yaw and size of each cube are read; other markers are ignored."""
    others = [
        cube(action=Marker.DELETE),
        Marker(header=Header(frame_id='map'), type=Marker.ARROW),
    ]
    head, read = marker_detections(MarkerArray(markers=[*others, cube()]), 0.1)
    assert head.frame_id == 'map'
    assert (read.labels, read.colors) == (('sofa',), (UNKNOWN,))
    assert read.positions[0].tolist() == [1.0, 2.0, 0.5]
    assert read.covariances[0] == pytest.approx(0.01 * np.eye(3))
    sizes, headings = upright(read.quaternions, read.sizes, np.eye(3))
    assert (sizes[0].tolist(), headings[0]) == ([2.0, 1.0, 0.8], pytest.approx(0.5))


def test_no_markers_are_a_frame_without_detections():
    """Without markers there is no header, and no detections."""
    head, read = marker_detections(MarkerArray(), 0.1)
    assert (head, len(read)) == (None, 0)


def test_markers_of_two_frames_are_rejected():
    """One transform applies to all, so one frame must apply to all."""
    with pytest.raises(MalformedPacketError, match=r'map.*odom'):
        marker_detections(MarkerArray(markers=[cube(), cube(frame_id='odom')]), 0.1)


def test_objects_have_all_fields_of_a_detection():
    """Id, classes by probability, color, position, covariance, size and heading are published."""
    thing = MapObject(
        id='7',
        label='chair',
        position=np.array((1.0, 2.0, 3.0)),
        covariance=np.diag((0.1, 0.2, 0.3)),
        size=np.array((0.5, 0.6, 0.7)),
        heading=0.4,
        colors=(Swatch('red', 1.0),),
        classes={'stool': 0.2, 'chair': 0.8},
    )
    message = objects_message((thing,), 5, 'map')
    (detection,) = message.detections
    words = [(r.hypothesis.class_id, r.hypothesis.score) for r in detection.results]
    assert words == [('chair', 0.8), ('stool', 0.2), ('color:red', 1.0)]
    assert detection.id == '7'
    assert heading_of(detection.bbox.center.orientation) == pytest.approx(0.4)
    read = raw_detections_of(message)
    assert read.covariances[0] == pytest.approx(thing.covariance)
    assert read.sizes[0] == pytest.approx(thing.size)
    assert read.positions[0] == pytest.approx(thing.position)


@given(arrays(np.float64, 3, elements=NUMBERS), arrays(np.float64, 4, elements=NUMBERS))
def test_poses_come_back(place, turn):
    """A pose with its covariance survives the conversion, and so does a transform."""
    if np.linalg.norm(turn) < 1e-3:
        turn = np.array((0.0, 0.0, 0.0, 1.0))
    sent = pose_transform(place, turn, np.diag((1.0, 2.0, 3.0, 0.1, 0.2, 0.3)))
    message = pose_message(sent, 9, 'map', 'sensor')
    assert (message.header.frame_id, message.child_frame_id) == ('map', 'sensor')
    read = pose_of(message)
    converted = transform_of(transform_message(sent, 9, 'map', 'sensor').transform)
    for found in (read, converted):
        assert found.translation == pytest.approx(sent.translation)
        assert found.rotation == pytest.approx(sent.rotation, abs=1e-9)
    assert read.covariance == pytest.approx(sent.covariance)


def test_a_covariance_of_zeros_is_unknown():
    """The challenge's state_estimation sends zeros, which do not mean certainty."""
    exact = Transform(np.eye(3), np.zeros(3))
    assert pose_of(pose_message(exact, 0, 'map', 'sensor')).covariance is None


def test_an_invalid_pose_is_rejected():
    """A quaternion of zeros is not a rotation."""
    message = Odometry()
    message.pose.pose.orientation.w = 0.0
    with pytest.raises(FrameError, match='quaternion'):
        pose_of(message)


def test_the_angles_of_view_follow_the_camera_matrix():
    """90 degrees horizontally; vertically as much as in the outermost columns."""
    info = CameraInfo(width=640, height=480)
    info.k[0], info.k[2], info.k[4], info.k[5] = 320.0, 320.0, 320.0, 240.0
    across, up = view_angles(info)
    assert across == pytest.approx(math.pi / 2.0)
    assert up == pytest.approx(2.0 * math.atan(240.0 / (320.0 * math.sqrt(2.0))))


@pytest.mark.parametrize('k', [{}, {0: 100.0, 4: math.nan}, {0: 9.0, 4: 9.0, 2: 700.0, 5: 1.0}])
def test_an_uncalibrated_camera_has_no_angles_of_view(k):
    """Zeros, or a principal point outside the image, give no angles."""
    info = CameraInfo(width=640, height=480)
    for index, value in k.items():
        info.k[index] = value
    assert view_angles(info) is None


@given(st.floats(0.1, 3.0), st.floats(0.1, 3.0))
def test_angles_of_view_come_back(across, up):
    """Angles of view survive as a camera matrix; those of a panorama cannot be expressed."""
    converted = camera_info_message(across, up, 5, 'camera')
    assert view_angles(converted) == pytest.approx((across, up))
    assert camera_info_message(2.0 * math.pi, up, 5, 'camera') is None


def test_a_cameras_axes_become_a_bodys():
    """Forward becomes z, left minus x, up minus y: a rotation, not a reflection."""
    assert (BODY_IN_CAMERA @ (1.0, 0.0, 0.0)).tolist() == [0.0, 0.0, 1.0]
    assert (BODY_IN_CAMERA @ (0.0, 1.0, 0.0)).tolist() == [-1.0, 0.0, 0.0]
    assert np.linalg.det(BODY_IN_CAMERA) == pytest.approx(1.0)
    assert rotation_of((-0.5, 0.5, -0.5, 0.5)) @ BODY_IN_CAMERA == pytest.approx(np.eye(3))


def test_clouds_come_back_without_invalid_points():
    """Points are exact to float32; invalid ones are omitted."""
    points = np.array(((1.0, 2.0, 3.0), (np.nan, 0.0, 0.0), (4.0, 5.0, 6.5)))
    message = cloud_message(points, 3, 'map')
    assert (message.header.frame_id, from_time(message.header.stamp)) == ('map', 3)
    assert points_of(message).tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]


@pytest.mark.parametrize('broken', ['data', 'fields', 'datatype'])
def test_an_invalid_cloud_is_rejected(broken):
    """Missing bytes, missing coordinates or an unknown type are reported, without a crash."""
    message = point_cloud2.create_cloud_xyz32(Header(), np.zeros((4, 3), dtype=np.float32))
    if broken == 'data':
        message.width = 1_000_000
    elif broken == 'fields':
        message.fields = message.fields[:2]
    else:
        message.fields[0].datatype = 99
    with pytest.raises(MalformedPacketError, match='cloud'):
        points_of(message)


def test_an_empty_cloud_has_no_points():
    """A scan without echoes is valid."""
    assert points_of(cloud_message(np.empty((0, 3)), 0, 'map')).shape == (0, 3)
    with pytest.raises(MalformedPacketError):
        points_of(PointCloud2())
