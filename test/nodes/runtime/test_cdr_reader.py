# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Serialized states are read as message objects have them; broken ones raise an error."""

from __future__ import annotations

import struct
import sys

import numpy as np
import pytest
from geometry_msgs.msg import PoseArray, Transform, Twist
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.errors import MalformedPacketError
from world_model_nodes.runtime.cdr import pose_array, spatial_joint_states, texts
from world_model_nodes.runtime.cdr_reader import BodyStatesReader, read_pose_array

NAMES = ('cup', 'Küche Tisch', '')


def serialized(names=NAMES, twists=None):
    """Serialize poses that count up, by the writer of the nodes."""
    poses = np.arange(7.0 * len(names)).reshape(-1, 7)
    twists = -np.arange(6.0 * len(names)).reshape(-1, 6) if twists is None else twists
    return spatial_joint_states(texts(names), poses, twists, 5_000_000_007, 'world')


@pytest.mark.parametrize('names', [NAMES, ('a',), ()])
def test_states_are_those_of_the_message_object(names):
    """Written by us, and by ROS itself."""
    data = serialized(names)
    again = bytes(serialize_message(deserialize_message(data, MultiDOFJointState)))
    for given in (data, again):
        read = BodyStatesReader().read(given)
        assert (read.stamp_ns, read.frame_id, read.names) == (5_000_000_007, 'world', names)
        np.testing.assert_array_equal(read.poses, np.arange(7.0 * len(names)).reshape(-1, 7))
        np.testing.assert_array_equal(read.twists, -np.arange(6.0 * len(names)).reshape(-1, 6))


def test_equal_names_are_the_same_object():
    """So that others find the bodies once; other names are read again."""
    reader = BodyStatesReader()
    first = reader.read(serialized())
    assert reader.read(serialized()).names is first.names
    assert reader.read(serialized(('cup', 'plate'))).names == ('cup', 'plate')
    assert reader.read(serialized()).names == NAMES


def test_states_may_have_no_velocities():
    """As those of parts."""
    assert BodyStatesReader().read(serialized(twists=np.zeros((0, 6)))).twists.shape == (0, 6)


def test_the_other_byte_order_is_read_by_way_of_objects():
    """As another computer may send it."""
    swapped = bytearray((0, sys.byteorder != 'little', 0, 0))
    order = '>' if sys.byteorder == 'little' else '<'
    swapped += struct.pack(f'{order}iII6sxxII4sI', 5, 7, 6, b'world', 1, 4, b'cup', 1)
    swapped += bytes(-(len(swapped) - 4) % 8)
    swapped += np.arange(7.0).astype(f'{order}f8').tobytes() + bytes(8)
    reader = BodyStatesReader()
    read = reader.read(bytes(swapped))
    assert (read.stamp_ns, read.names) == (5_000_000_007, ('cup',))
    np.testing.assert_array_equal(read.poses, [np.arange(7.0)])
    assert reader.read(serialized()).names == NAMES


def test_lists_of_other_lengths_are_refused():
    """A state needs a pose for each name, and velocities for all or none."""
    message = MultiDOFJointState(joint_names=['a', 'b'], transforms=[Transform()])
    with pytest.raises(MalformedPacketError, match='2 names, 1 transforms and 0 twists'):
        BodyStatesReader().read(bytes(serialize_message(message)))
    message.transforms.append(Transform())
    message.twist.append(Twist())
    with pytest.raises(MalformedPacketError, match='1 twists'):
        BodyStatesReader().read(bytes(serialize_message(message)))


def test_damaged_messages_give_a_value_or_an_error():
    """Whatever is cut off or changed."""
    data, draws = serialized(), np.random.default_rng(1)
    for _ in range(500):
        damaged = bytearray(data[: draws.integers(4, len(data) + 1)])
        if len(damaged) > 4:
            damaged[draws.integers(4, len(damaged))] = draws.integers(256)
        try:
            read = BodyStatesReader().read(bytes(damaged))
        except MalformedPacketError:
            continue
        assert len(read.names) == len(read.poses)


@pytest.mark.parametrize('count', [0, 1, 5])
@pytest.mark.parametrize('frame_id', ['', 'm', 'map', 'a/map'])
def test_arrays_of_poses_are_read_as_they_were_written(count, frame_id):
    """Written by us, and by ROS itself."""
    poses = np.arange(3.0 * count).reshape(-1, 3) / 10.0
    data = pose_array(poses, 5_000_000_007, frame_id)
    again = bytes(serialize_message(deserialize_message(data, PoseArray)))
    for given in (data, again):
        read = read_pose_array(given)
        assert (read.stamp_ns, read.frame_id) == (5_000_000_007, frame_id)
        assert read.poses[:, :2].tolist() == poses[:, :2].tolist()
        assert 2.0 * np.arctan2(*read.poses[:, 5:].T) == pytest.approx(poses[:, 2])


def test_broken_arrays_of_poses_are_refused():
    """Cut off anywhere, or of another length than they say."""
    data = pose_array(np.ones((2, 3)), 5_000_000_007, 'map')
    for end in range(len(data)):
        with pytest.raises(MalformedPacketError):
            read_pose_array(data[:end])
    order = '>' if sys.byteorder == 'little' else '<'
    swapped = bytearray((0, sys.byteorder != 'little', 0, 0))
    swapped += struct.pack(f'{order}iII4sI', 5, 7, 4, b'map', 0)
    assert read_pose_array(bytes(swapped))[:2] == (5_000_000_007, 'map')
