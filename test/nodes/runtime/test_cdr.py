# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Serialized messages are equal to those that rclpy serializes."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_msgs.msg import PoseArray
from hypothesis import given
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import MultiDOFJointState
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.lecture_simulations import COMMAND, LANDMARKS
from world_model_core.view.colors import STUCK
from world_model_nodes.runtime.cdr import TransformsTemplate, joint_states, pose_array, texts
from world_model_nodes.runtime.convert import color_of, header
from world_model_nodes.uncertainty.convert import planar_transform, poses_message
from world_model_nodes.uncertainty.markers import fleet_markers
from world_model_nodes.uncertainty.noise_config import PRESETS

STAMP_NS = 1_795_262_587_401_260_939
# Of any length, since the following fields are aligned.
frame_ids = st.text(st.characters(codec='ascii', exclude_characters='\0'), max_size=12)
poses_of = st.integers(0, 5).map(
    lambda count: np.random.default_rng(count).normal(0.0, 3.0, (count, 3))
)


@given(poses_of, frame_ids)
def test_poses_are_equal_to_message_objects(poses, frame_id):
    """A pose array is the same for any number of poses and any frame."""
    read = deserialize_message(pose_array(poses, STAMP_NS, frame_id), PoseArray)
    whole = poses_message(poses, STAMP_NS, frame_id)
    assert read.header == whole.header
    assert len(read.poses) == len(whole.poses)
    for found, expected in zip(read.poses, whole.poses, strict=True):
        assert found.position == expected.position
        assert found.orientation.z == pytest.approx(expected.orientation.z)
        assert found.orientation.w == pytest.approx(expected.orientation.w)


@given(st.integers(0, 5), frame_ids)
def test_transforms_are_filled_into_a_template(count, frame_id):
    """All transforms have the stamp, their frames and their poses, again and again."""
    children = [f'{frame_id}{10**number}' for number in range(count)]
    template = TransformsTemplate(frame_id, children)
    for seed in range(2):
        poses = np.random.default_rng(seed).normal(size=(count, 7))
        read = deserialize_message(template.fill(poses, STAMP_NS + seed), TFMessage)
        assert [each.child_frame_id for each in read.transforms] == children
        assert all(each.header == header(STAMP_NS + seed, frame_id) for each in read.transforms)
        filled = [
            (*(getattr(each.transform.translation, axis) for axis in 'xyz'),
             *(getattr(each.transform.rotation, axis) for axis in 'xyzw'))
            for each in read.transforms
        ]  # fmt: skip
        np.testing.assert_array_equal(np.array(filled).reshape(-1, 7), poses)


@given(poses_of, frame_ids, st.integers(0, 9))
def test_joint_states_have_all_values(poses, frame_id, first):
    """Names, poses and velocities are in their fields."""
    names = [f'robot_{10 ** (first + number)}' for number in range(len(poses))]
    velocities = poses[:, :2] + 1.0
    data = joint_states(texts(names), poses, velocities, STAMP_NS, frame_id)
    read = deserialize_message(data, MultiDOFJointState)
    assert read.header == header(STAMP_NS, frame_id)
    assert read.joint_names == names
    assert read.wrench == []
    for pose, found in zip(poses, read.transforms, strict=True):
        expected = planar_transform(pose, STAMP_NS, '', '').transform
        assert found.translation == expected.translation
        assert found.rotation.z == pytest.approx(expected.rotation.z)
        assert found.rotation.w == pytest.approx(expected.rotation.w)
    twists = [(twist.linear.x, twist.angular.z) for twist in read.twist]
    assert twists == [tuple(velocity) for velocity in velocities.tolist()]


@pytest.mark.parametrize('frame_id', ['', 'm', 'ma', 'map', 'maps', 'a/map'])
@pytest.mark.parametrize('count', [1, 150])
def test_robots_are_drawn_where_they_are(count, frame_id):
    """All robots are drawn, in the color of their state, and all else for the first hundred."""
    motion, observation = PRESETS['stuck']
    fleet = RobotFleet(motion, observation, LANDMARKS, COMMAND, count=count, seed=2)
    for _ in range(100):
        fleet.step(0.5)
    read = deserialize_message(fleet_markers(fleet, STAMP_NS, frame_id), MarkerArray)
    markers = {marker.ns: marker for marker in read.markers}
    assert set(markers) == {'robots', 'odometry', 'headings', 'landmarks', 'landmark readings'}
    assert all(marker.header == header(STAMP_NS, frame_id) for marker in read.markers)
    robots = markers['robots']
    places = [(point.x, point.y, point.z) for point in robots.points]
    assert places == [(x, y, 0.0) for x, y, _ in fleet.truth.poses.tolist()]
    red = [color.g == np.float32(color_of(STUCK).g) for color in robots.colors]
    assert red == fleet.truth.stuck.tolist()
    assert {color.a for color in robots.colors} == {1.0}
    assert len(markers['odometry'].points) == min(count, 100)
    assert [(point.x, point.y) for point in markers['landmarks'].points] == list(LANDMARKS)
