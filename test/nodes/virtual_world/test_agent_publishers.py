# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots of a virtual world publish what they sense, as the nodes that read it expect."""

from __future__ import annotations

import math

import numpy as np
import pytest
from geometry_msgs.msg import PoseWithCovarianceStamped, Twist, Vector3
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from sensor_msgs.msg import LaserScan, Range
from tf2_ros import Buffer, TransformListener
from vision_msgs.msg import Detection3DArray

from world_model_core.virtual_world.rendering.contexts import RenderingError
from world_model_nodes.localization.ekf_localizer import EkfLocalizer
from world_model_nodes.objects.convert import raw_detections_of
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.virtual_world.graphics_driver import find_driver

# Lengths of the file are in centimeters; its axes are y left, z up, x forward of the world.
FILES = {
    'room.xml': """
<world name="room">
  <instanciate class="Rover.xml" type="Robot">
    <set-attr-value name="name" value="rover"/><set-attr-value name="x" value="100"/>
    <camera id="1" position="0 0 30" direction="0 0 1"/>
  </instanciate>
  <instanciate class="Pillar.xml">
    <set-attr-value name="name" value="pillar"/><set-attr-value name="z" value="300"/>
  </instanciate>
  <instanciate class="Pillar.xml">
    <set-attr-value name="name" value="post"/><set-attr-value name="z" value="400"/>
    <set-attr-value name="x" value="200"/>
  </instanciate>
</world>
""",
    'Entity.xml': '<define-class name="Entity"/>',
    'Rover.xml': """
<define-class name="Rover" inherit="Entity.xml">
  <attr name="dynamics" type="bool" value="false"/>
  <attr name="wheelRadius" type="double" value="10"/>
  <attr name="wheelDistance" type="double" value="40"/>
  <simpleShape type="box"><size sx="40" sy="10" sz="40"/></simpleShape>
</define-class>
""",
    'pillar.wrl': '#VRML V2.0 utf8\nShape { geometry Box { size 20 200 20 } }',
    'Pillar.xml': """
<define-class name="Pillar" inherit="Entity.xml">
  <attr name="movable" type="bool" value="false"/>
  <attr name="dynamics" type="bool" value="false"/>
  <x3d><filename>pillar.wrl</filename></x3d>
</define-class>
""",
}
START = (0.0, 1.0, 0.0)
# Of the localizer: numbers of the landmarks are those of the entities.
MAP = [3.0, 0.0, 4.0, 2.0]


@pytest.fixture
def room(hall, tmp_path):
    """Return a function that makes the node with a room of our own."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return lambda **given: hall(world=str(tmp_path / 'room.xml'), **given)


def test_a_localizer_follows_a_robot_by_its_odometry_and_landmarks(room):
    """It stays near the truth, and its frames join those of the senses."""
    room = room(place_odom=False).start()
    given = {'landmarks': MAP, 'initial_pose': list(START), 'global_frame_id': 'world'}
    overrides = [Parameter(name, value=value) for name, value in given.items()]
    localizer = room.graph.add(EkfLocalizer(parameter_overrides=overrides, namespace='rover'))
    localizer.autostart()
    poses = room.graph.listen(PoseWithCovarianceStamped, 'rover/amcl_pose')
    odometry = room.graph.listen(Odometry, 'rover/odom')
    scans = room.graph.listen(LaserScan, 'rover/scan')
    ranges = room.graph.listen(Range, 'rover/distance')
    tf = Buffer()
    listener = TransformListener(tf, room.graph.probe)
    drive = room.graph.publisher(Twist, 'rover/cmd_vel')
    drive.publish(Twist(linear=Vector3(x=0.3), angular=Vector3(z=0.05)))
    engine = room.world.engine
    room.graph.wait_until(
        lambda: (
            room.call('step_simulation', steps=10)
            and engine.state_of('rover').pose.position[0] > 1.5
            and len(poses) > 20
        )
    )
    stamp = odometry[-1].header.stamp
    for frame in ('rover/base_link', scans[-1].header.frame_id, 'rover/camera_1_optical'):
        room.graph.wait_until(lambda frame=frame: tf.can_transform('world', frame, stamp))
    assert scans[-1].range_max == ranges[-1].max_range == 10.0
    assert len(scans[-1].ranges) == 179
    assert min(scans[-1].ranges) < 3.0
    assert ranges[-1].header.frame_id == 'rover/camera_1'
    frames = odometry[-1].header.frame_id, odometry[-1].child_frame_id
    assert frames == ('rover/odom', 'rover/base_link')
    covariance = np.array(poses[-1].pose.covariance).reshape(6, 6)[np.ix_((0, 1, 5), (0, 1, 5))]
    place = poses[-1].pose.pose.position
    x, y, _ = engine.state_of('rover').pose.position
    assert math.hypot(place.x - x, place.y - y) < 0.5
    assert 0.0 < np.sqrt(covariance.trace()) < 0.5
    listener.unregister()


def test_a_camera_detects_what_object_map_reads(room):
    """With errors beside the exact detections, in its optical frame, of the same instant."""
    try:
        find_driver()
    except RenderingError as error:
        pytest.skip(str(error))
    room = room(detection_rate=10.0).start()
    seen = room.graph.listen(Detection3DArray, 'rover/detections')
    true = room.graph.listen(Detection3DArray, 'rover/truth/detections')
    room.graph.wait_until(
        lambda: room.call('step_simulation', steps=20) and len(seen) > 3 and true
    )
    assert {each.header.frame_id for each in (*seen, *true)} == {'rover/camera_1_optical'}
    exact = true[-1].detections
    assert {each.results[0].hypothesis.class_id for each in exact} == {'Pillar'}
    places = [(each.bbox.center.position.x, each.bbox.center.position.z) for each in exact]
    # In the frame of the camera, 0.3 m ahead of the robot: x to the right, z ahead.
    assert np.array(sorted(places)) == pytest.approx(np.array(((-1.0, 3.7), (1.0, 2.7))), abs=1e-3)
    stamps = {from_time(each.header.stamp) for each in true}
    assert stamps & {from_time(each.header.stamp) for each in seen}
    raw = raw_detections_of(next(each for each in seen if each.detections))
    assert (np.linalg.eigvalsh(raw.covariances) > 0.0).all()
