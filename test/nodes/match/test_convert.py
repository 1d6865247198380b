# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of values of the core to messages and back, without loss."""

from __future__ import annotations

import math

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Quaternion, Transform, Twist
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from rclpy.serialization import serialize_message
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.errors import MalformedPacketError
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.ball.trajectory import Samples
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_nodes.match.convert import (
    ball_message,
    ball_of,
    path_message,
    rest_message,
    robot_id_of,
    robot_poses_message,
    robots_message,
    robots_of,
    robots_of_states,
    velocities_of,
)
from world_model_nodes.runtime.cdr_reader import BodyStatesReader
from world_model_nodes.runtime.convert import (
    LAST_SECOND,
    from_time,
    heading_of,
    quaternion_of,
    to_time,
)

# Range of accepted times.
STAMPS = st.integers(0, LAST_SECOND * 10**9 + 999_999_999)
NUMBERS = st.floats(-50.0, 50.0)
HEADINGS = st.floats(-math.pi, math.pi)
ROBOT_IDS = st.builds(RobotId, st.sampled_from(Team), st.integers(0, 15))


def numbered(rows, columns):
    """Return a strategy for arrays of plausible numbers."""
    return arrays(np.float64, (rows, columns), elements=NUMBERS)


@st.composite
def balls(draw):
    """Draw balls with a valid covariance."""
    root = draw(numbered(6, 6))
    position, velocity = draw(numbered(2, 3))
    return BallState(draw(STAMPS), position, velocity, root @ root.T)


@st.composite
def robots(draw):
    """Draw any number of robots."""
    ids = tuple(draw(st.lists(ROBOT_IDS, unique=True, max_size=32)))
    count = len(ids)
    poses = draw(numbered(count, 3))
    poses[:, 2] = draw(arrays(np.float64, count, elements=HEADINGS))
    roots = draw(arrays(np.float64, (count, 3, 2, 2), elements=NUMBERS))
    seen = draw(arrays(np.float64, count, elements=st.floats(0.0, 1.0)))
    covariances = roots @ roots.swapaxes(-1, -2)
    return Robots(draw(STAMPS), ids, poses, draw(numbered(count, 3)), covariances, seen)


@given(STAMPS)
def test_times_come_back(stamp_ns):
    """A time survives the conversion to a message and back to the nanosecond."""
    assert from_time(to_time(stamp_ns)) == stamp_ns


@pytest.mark.parametrize(
    ('sec', 'nanosec'), [(-1, 0), (-(2**31), 0), (2**31 - 1, 0), (0, 10**9), (0, 2**32 - 1)]
)
def test_times_out_of_range_are_rejected(sec, nanosec):
    """Negative times, times near the end of the range and too many nanoseconds are errors."""
    with pytest.raises(MalformedPacketError, match='stamp is'):
        from_time(Time(sec=sec, nanosec=nanosec))


@given(HEADINGS)
def test_headings_come_back(heading):
    """A heading becomes a unit quaternion about z, and comes back as the same direction."""
    quaternion = quaternion_of(heading)
    assert math.hypot(quaternion.z, quaternion.w) == pytest.approx(1.0)
    assert math.remainder(heading_of(quaternion) - heading, 2 * math.pi) == pytest.approx(0.0)


def test_a_quarter_turn_to_the_left():
    """Counter-clockwise is positive (REP 103)."""
    quaternion = quaternion_of(math.pi / 2)
    assert (quaternion.z, quaternion.w) == pytest.approx((math.sqrt(0.5), math.sqrt(0.5)))


def test_the_heading_of_a_tilted_robot_is_its_yaw():
    """With yaw 0.5 after roll 0.3 the heading is 0.5."""
    roll, yaw = 0.15, 0.25  # halves [rad]
    tilted = Quaternion(
        x=math.cos(yaw) * math.sin(roll),
        y=math.sin(yaw) * math.sin(roll),
        z=math.sin(yaw) * math.cos(roll),
        w=math.cos(yaw) * math.cos(roll),
    )
    assert heading_of(tilted) == pytest.approx(0.5)


@given(balls())
def test_balls_come_back(ball):
    """All but the correlation of position and velocity survives, in one frame."""
    message = ball_message(ball, 'pitch')
    assert message.header.frame_id == message.child_frame_id == 'pitch'
    again = ball_of(message)
    assert again.stamp_ns == ball.stamp_ns
    np.testing.assert_array_equal(again.position, ball.position)
    np.testing.assert_array_equal(again.velocity, ball.velocity)
    for block in (slice(0, 3), slice(3, 6)):
        np.testing.assert_array_equal(
            again.covariance[block, block], ball.covariance[block, block]
        )


def test_covariances_are_row_major():
    """In the order x, y, z, about x, y, z the variance of y is entry 7, and that of z entry 14."""
    covariance = np.diag([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    covariance[0, 1] = covariance[1, 0] = 0.5
    message = ball_message(BallState(0, np.zeros(3), np.zeros(3), covariance), 'field')
    place, speed = message.pose.covariance, message.twist.covariance
    assert [place[i] for i in (0, 1, 6, 7, 14, 21, 35)] == [1.0, 0.5, 0.5, 2.0, 3.0, 0.0, 0.0]
    assert [speed[i] for i in (0, 7, 14)] == [4.0, 5.0, 6.0]


@given(robots())
def test_robots_come_back(state):
    """Names, poses and velocities survive, in the same order."""
    message = robots_message(state, 'pitch')
    assert message.header.frame_id == 'pitch'
    read = BodyStatesReader().read(bytes(serialize_message(message)))
    for again in (robots_of(message), robots_of_states(read)):
        assert (again.stamp_ns, again.ids) == (state.stamp_ns, state.ids)
        np.testing.assert_array_equal(again.poses[:, :2], state.poses[:, :2])
        turn = again.poses[:, 2] - state.poses[:, 2]
        np.testing.assert_allclose(np.cos(turn), 1.0, atol=1e-9)
        np.testing.assert_array_equal(again.velocities, state.velocities)


@given(robots())
def test_poses_have_their_covariance_and_visibility(state):
    """Each detection has the robot's name, visibility, and variances of x, y and heading."""
    message = robot_poses_message(state, 'pitch')
    assert [detection.id for detection in message.detections] == [str(name) for name in state.ids]
    for index, detection in enumerate(message.detections):
        (result,) = detection.results
        spread = np.reshape(result.pose.covariance, (6, 6))
        expected = np.zeros(6)
        expected[[0, 1, 5]] = state.covariances[index, :, 0, 0]
        np.testing.assert_array_equal(spread, np.diag(expected))
        assert result.hypothesis.score == state.visibilities[index]
        assert detection.bbox.size.z > 0.0


@given(robots())
def test_odometry_is_read_by_name(state):
    """A robot's measured velocity is that of the joint with its name."""
    velocities = velocities_of(robots_message(state, 'field'))
    assert set(velocities) == set(state.ids)
    for name, velocity in zip(state.ids, state.velocities, strict=True):
        np.testing.assert_array_equal(velocities[name], velocity)


@given(ROBOT_IDS)
def test_names_come_back(name):
    """The name of a robot survives the conversion to text and back."""
    assert robot_id_of(str(name)) == name


@pytest.mark.parametrize(
    'name',
    [
        '',
        'blue',
        'blue/',
        'blue/16',
        'blue/-1',
        'red/3',
        'blue/3/4',
        'Blue/3',
        'blue/³',
        'blue/٣',
        'blue/03',
    ],
)
def test_other_names_are_rejected(name):
    """The error has the text that is not the name of a robot."""
    with pytest.raises(MalformedPacketError) as caught:
        robot_id_of(name)
    assert repr(name) in str(caught.value)


def test_different_lengths_are_rejected():
    """Names, transforms and twists must be equally many."""
    message = MultiDOFJointState(joint_names=['blue/1'], transforms=[Transform()])
    with pytest.raises(MalformedPacketError, match='twist'):
        robots_of(message)
    with pytest.raises(MalformedPacketError, match='twist'):
        velocities_of(message)


def test_odometry_that_is_not_finite_is_rejected():
    """NaN must not reach a filter."""
    message = MultiDOFJointState(joint_names=['blue/1'], twist=[Twist()])
    message.twist[0].angular.z = math.nan
    with pytest.raises(MalformedPacketError, match='blue/1'):
        velocities_of(message)


def test_balls_and_robots_that_are_not_finite_are_rejected():
    """Values that are not finite must not reach a prediction or a document."""
    ball = ball_message(BallState(0, np.zeros(3), np.zeros(3), np.eye(6)), 'field')
    ball.pose.pose.position.y = math.nan
    with pytest.raises(MalformedPacketError, match=r'pose\.pose\.position'):
        ball_of(ball)
    ball.pose.pose.position.y = 0.0
    ball.twist.covariance[0] = math.inf
    with pytest.raises(MalformedPacketError, match='covariance'):
        ball_of(ball)
    robot = MultiDOFJointState(joint_names=['blue/1'], transforms=[Transform()], twist=[Twist()])
    robot.transforms[0].translation.x = math.nan
    with pytest.raises(MalformedPacketError, match='transforms'):
        robots_of(robot)


def test_a_path_has_a_time_in_each_pose():
    """Each pose of a path has the time at which the ball is there."""
    samples = Samples(np.array([0.0, 0.5]), np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 0.5]]), None)
    path = path_message(samples, 10**9, 'field')
    assert [from_time(pose.header.stamp) for pose in path.poses] == [10**9, 3 * 10**9 // 2]
    last = path.poses[-1].pose.position
    assert (last.x, last.y, last.z) == (1.0, 2.0, 0.5)


def test_a_rest_is_stamped_with_its_time():
    """The stamp of the rest is the time at which the ball comes to rest; it has a covariance."""
    ball = BallState(5 * 10**9, np.array((1.0, 2.0, 0.0)), np.zeros(3), 1e-4 * np.eye(6))
    prediction = BallPredictor(BallParameters()).predict(ball)
    message = rest_message(prediction, 'field')
    point = message.pose.pose.position
    assert (point.x, point.y, message.header.stamp.sec) == (1.0, 2.0, 5)
    stated = np.reshape(message.pose.covariance, (6, 6))
    np.testing.assert_array_equal(stated[:2, :2], prediction.rest_covariance)
    assert not stated[2:].any()
