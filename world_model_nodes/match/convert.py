# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of ball and robot states to standard messages and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from builtin_interfaces.msg import Duration
from geometry_msgs.msg import (
    Point,
    Pose,
    PoseStamped,
    PoseWithCovarianceStamped,
    Transform,
    Twist,
    Vector3,
)
from nav_msgs.msg import Odometry, Path
from sensor_msgs.msg import MultiDOFJointState
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose

from world_model_core.errors import MalformedPacketError
from world_model_core.frames import is_covariance
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.occlusion import ROBOT_HEIGHT, ROBOT_RADIUS
from world_model_core.match.robots.robot_table import IDS, Robots
from world_model_core.match.ssl.value_limits import POSITION, SPEED, TURN_RATE
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds
from world_model_nodes.runtime.cdr_reader import BodyStates
from world_model_nodes.runtime.convert import (
    LAST_SECOND,
    from_time,
    header,
    planar_rows,
    point_of,
    quaternion_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diagnostic_msgs.msg import DiagnosticStatus
    from std_msgs.msg import Header

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.ball.trajectory import Samples
    from world_model_core.match.ssl.robot_id import RobotId

# The rows of the position in a row-major 6x6 covariance (x, y, z, about x, about y, about z).
_LINEAR = slice(0, 3)
_ROBOTS = {str(name): name for name in IDS}
# Largest variance of a ball [m^2, m^2/s^2]; beyond it numbers overflow long before they mean much.
LARGEST_VARIANCE = 1e6


def ball_message(ball: BallState, frame_id: str) -> Odometry:
    """
    Make an Odometry of a ball; its velocity is in `frame_id` too, as is child_frame_id.

    Odometry has no field for the correlation of position and velocity.
    """
    message = Odometry(header=header(ball.stamp_ns, frame_id), child_frame_id=frame_id)
    message.pose.pose.position = point_of(ball.position)
    message.twist.twist.linear = _vector(ball.velocity)
    message.pose.covariance = _widened(ball.covariance[:3, :3])
    message.twist.covariance = _widened(ball.covariance[3:, 3:])
    return message


def ball_of(message: Odometry) -> BallState:
    """
    Return the ball of an Odometry.

    Raises
    ------
    MalformedPacketError
        The stamp, a position or a velocity is out of range, or the covariance is none.

    """
    position, velocity = message.pose.pose.position, message.twist.twist.linear
    covariance = np.zeros((6, 6))
    covariance[:3, :3] = np.reshape(message.pose.covariance, (6, 6))[_LINEAR, _LINEAR]
    covariance[3:, 3:] = np.reshape(message.twist.covariance, (6, 6))[_LINEAR, _LINEAR]
    return BallState(
        from_time(message.header.stamp),
        _within(POSITION, 'pose.pose.position [m]', (position.x, position.y, position.z)),
        _within(SPEED, 'twist.twist.linear [m/s]', (velocity.x, velocity.y, velocity.z)),
        _covariance(covariance),
    )


def robots_message(robots: Robots, frame_id: str) -> MultiDOFJointState:
    """Make a MultiDOFJointState of robots, with joint names like 'blue/3', in `frame_id`."""
    message = MultiDOFJointState(header=header(robots.stamp_ns, frame_id))
    message.joint_names = [str(name) for name in robots.ids]
    message.transforms = [
        Transform(translation=Vector3(x=x, y=y), rotation=quaternion_of(heading))
        for x, y, heading in robots.poses.tolist()
    ]
    message.twist = [
        Twist(linear=Vector3(x=vx, y=vy), angular=Vector3(z=turning))
        for vx, vy, turning in robots.velocities.tolist()
    ]
    return message


def robots_of(message: MultiDOFJointState) -> Robots:
    """Return the robots of a message; see `robots_of_states`."""
    poses = [
        (t.x, t.y, t.z, r.x, r.y, r.z, r.w)
        for t, r in ((each.translation, each.rotation) for each in message.transforms)
    ]
    twists = [
        (v.x, v.y, v.z, w.x, w.y, w.z)
        for v, w in ((each.linear, each.angular) for each in message.twist)
    ]
    return robots_of_states(
        BodyStates(
            from_time(message.header.stamp),
            message.header.frame_id,
            tuple(message.joint_names),
            np.array(poses, dtype=np.float64).reshape(-1, 7),
            np.array(twists, dtype=np.float64).reshape(-1, 6),
        )
    )


def robots_of_states(states: BodyStates) -> Robots:
    """
    Return the robots of a message; covariances and visibilities are NaN, as it has none.

    Raises
    ------
    MalformedPacketError
        A name is not that of a robot, the stamp or a value is out of range, there are more robots
        than ids, or the numbers of names, transforms and twists differ.

    """
    if not 0 <= states.stamp_ns // NANOSECONDS_PER_SECOND <= LAST_SECOND:
        raise MalformedPacketError(
            f'stamp is {states.stamp_ns} ns; it must be from 0 to {LAST_SECOND} s'
        )
    count = _check_count(states.names)
    if not len(states.poses) == len(states.twists) == count:
        raise MalformedPacketError(
            f'transforms and twist: {len(states.poses)} and {len(states.twists)} entries '
            f'differ from the {count} of joint_names'
        )
    poses, velocities = planar_rows(states.poses), states.twists[:, (0, 1, 5)]
    return Robots(
        states.stamp_ns,
        tuple(map(robot_id_of, states.names)),
        _within((POSITION, POSITION, np.pi), 'transforms [m, m, rad]', poses).reshape(-1, 3),
        _within((SPEED, SPEED, TURN_RATE), 'twist [m/s, m/s, rad/s]', velocities).reshape(-1, 3),
        np.full((count, 3, 2, 2), np.nan),
        np.full(count, np.nan),
    )


def robot_poses_message(robots: Robots, frame_id: str) -> Detection3DArray:
    """Make detections of robots with pose covariances; the score is the visibility."""
    message = Detection3DArray(header=header(robots.stamp_ns, frame_id))
    message.detections = [
        _detection(robots, index, message.header) for index in range(len(robots))
    ]
    return message


def velocities_of(message: MultiDOFJointState) -> dict[RobotId, Array]:
    """
    Return the odometry that robots report.

    Returns
    -------
    dict
        Array (vx, vy, angular velocity), shape (3,) [m/s, rad/s], by robot, in the frame of the
        message.

    Raises
    ------
    MalformedPacketError
        A name is not that of a robot, a value is out of range, there are more robots than ids, or
        names and twists differ in number.

    """
    _check_count(message.joint_names)
    names, twists = message.joint_names, message.twist
    if len(names) != len(twists):
        raise MalformedPacketError(
            f'twist: {len(twists)} entries differ from the {len(names)} of joint_names'
        )
    return {
        robot_id_of(name): _within(
            (SPEED, SPEED, TURN_RATE),
            f'twist of {name} [m/s, m/s, rad/s]',
            (twist.linear.x, twist.linear.y, twist.angular.z),
        )
        for name, twist in zip(names, twists, strict=True)
    }


def robot_id_of(name: str) -> RobotId:
    """
    Return the robot with a name like 'blue/3'.

    Raises
    ------
    MalformedPacketError
        No robot has this name.

    """
    if name in _ROBOTS:
        return _ROBOTS[name]
    raise MalformedPacketError(
        f'robot name: {name!r} is not blue/N or yellow/N with N from 0 to 15'
    )


def ball_sensor_of(status: DiagnosticStatus) -> bool:
    """
    Return whether a robot's ball sensor detects the ball.

    Raises
    ------
    MalformedPacketError
        The status has no value `ball_sensor`, or it is neither true nor false.

    """
    word = next((pair.value.lower() for pair in status.values if pair.key == 'ball_sensor'), None)
    if word not in {'true', 'false', '1', '0'}:
        raise MalformedPacketError(f'ball_sensor of {status.name}: {word!r} is not true or false')
    return word in {'true', '1'}


def path_message(samples: Samples, stamp_ns: int, frame_id: str) -> Path:
    """Make a Path of a predicted trajectory, with the time of each position in its header."""
    message = Path(header=header(stamp_ns, frame_id))
    message.poses = [
        PoseStamped(
            header=header(stamp_ns + int(time * NANOSECONDS_PER_SECOND), frame_id),
            pose=Pose(position=point_of(place)),
        )
        for time, place in zip(samples.times.tolist(), samples.positions.tolist(), strict=True)
    ]
    return message


def rest_message(prediction: Prediction, frame_id: str) -> PoseWithCovarianceStamped:
    """Make a pose, stamped with the time, at which the ball comes to rest, with its covariance."""
    message = PoseWithCovarianceStamped(header=header(prediction.rest_ns, frame_id))
    message.pose.pose.position = point_of(prediction.trajectory.rest_position)
    block = np.zeros((3, 3))
    block[:2, :2] = prediction.rest_covariance
    message.pose.covariance = _widened(block)
    return message


def duration_message(seconds: float) -> Duration:
    """Make a Duration of seconds."""
    whole, nanoseconds = divmod(to_nanoseconds(seconds), NANOSECONDS_PER_SECOND)
    return Duration(sec=whole, nanosec=nanoseconds)


def _check_count(names: Sequence[str]) -> int:
    """Return the number of robots; raise an error if it is more than there are ids."""
    count = len(names)
    if count > len(IDS):
        raise MalformedPacketError(f'joint_names: {count} entries; the maximum is {len(IDS)}')
    return count


def _within(limit: float | tuple[float, float, float], name: str, values: Any) -> Array:
    """Return values of a message as an array; raise an error if one is beyond its limit."""
    array: Array = np.array(values, dtype=np.float64)
    # Comparisons with NaN are false.
    if not (np.abs(array.reshape(-1, 3)) <= limit).all():
        raise MalformedPacketError(f'{name}: {array.tolist()} must be within +-{limit}')
    return array


def _covariance(matrix: Array) -> Array:
    """Return a covariance; raise an error if it is none, or too large."""
    if not is_covariance(matrix) or matrix.max() > LARGEST_VARIANCE:
        raise MalformedPacketError(
            f'covariance: {matrix.tolist()} must be finite, symmetric, positive semi-definite and '
            f'at most {LARGEST_VARIANCE:g}'
        )
    return matrix


def _vector(values: Array) -> Vector3:
    x, y, z = (float(value) for value in values)
    return Vector3(x=x, y=y, z=z)


def _widened(block: Array) -> Array:
    """Return a row-major 6x6 covariance with a 3x3 block for (x, y, z) and zeros for rotations."""
    wide = np.zeros((6, 6))
    wide[_LINEAR, _LINEAR] = block
    return wide.ravel()


def _detection(robots: Robots, index: int, head: Header) -> Detection3D:
    x, y, heading = robots.poses[index].tolist()
    place = Pose(position=Point(x=x, y=y), orientation=quaternion_of(heading))
    hypothesis = ObjectHypothesisWithPose()
    hypothesis.hypothesis.class_id = 'robot'
    hypothesis.hypothesis.score = float(robots.visibilities[index])
    hypothesis.pose.pose = place
    covariance = np.zeros(36)
    covariance[[0, 7, 35]] = robots.covariances[index, :, 0, 0]
    hypothesis.pose.covariance = covariance
    detection = Detection3D(header=head, results=[hypothesis], id=str(robots.ids[index]))
    detection.bbox.center.position = Point(x=x, y=y, z=ROBOT_HEIGHT / 2.0)
    detection.bbox.center.orientation = place.orientation
    detection.bbox.size = Vector3(x=2 * ROBOT_RADIUS, y=2 * ROBOT_RADIUS, z=ROBOT_HEIGHT)
    return detection
