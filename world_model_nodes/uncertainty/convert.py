# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots on a plane, and the landmarks that they see, to standard messages and back."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import (
    Point,
    Pose,
    PoseArray,
    Transform,
    TransformStamped,
    Twist,
    Vector3,
)
from nav_msgs.msg import Odometry
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose

from world_model_core.errors import MalformedPacketError
from world_model_core.uncertainty.kidnap import FARTHEST
from world_model_core.uncertainty.labels import names_of
from world_model_nodes.runtime.convert import header, point_of, quaternion_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.noise import RangeBearingNoise

# Where x, y, theta, and where nu and omega stand among x, y, z and turns about these.
OF_POSES, OF_VELOCITIES = (0, 1, 5), (0, 5)
# What landmarks are, to detectors.
LANDMARK = 'landmark'


def odometry_message(
    pose: Array,
    velocity: Array,
    stamp_ns: int,
    frame_id: str,
    child_frame_id: str,
    *,
    spread: tuple[Array, Array] | None = None,
) -> Odometry:
    """
    Express a pose (3,) and a velocity (2,), nu [m/s] and omega [rad/s], in the child's frame.

    `spread` has their covariances, (3, 3) and (2, 2); without, they are true. Of what leaves the
    plane, and of how a robot cannot move, covariances are zero: it truly does not.
    """
    message = Odometry(header=header(stamp_ns, frame_id), child_frame_id=child_frame_id)
    message.pose.pose = planar_pose(pose)
    message.twist.twist = _twist(velocity)
    if spread is not None:
        message.pose.covariance = _widened(spread[0], OF_POSES)
        message.twist.covariance = _widened(spread[1], OF_VELOCITIES)
    return message


def planar_pose(pose: Array) -> Pose:
    """Express x, y [m], theta [rad]."""
    x, y, theta = (float(value) for value in pose)
    return Pose(position=Point(x=x, y=y), orientation=quaternion_of(theta))


def planar_transform(
    pose: Array, stamp_ns: int, frame_id: str, child_frame_id: str
) -> TransformStamped:
    """Express the pose (3,) of a child frame for tf."""
    message = TransformStamped(header=header(stamp_ns, frame_id), child_frame_id=child_frame_id)
    message.transform = _transform(pose)
    return message


def poses_message(poses: Array, stamp_ns: int, frame_id: str) -> PoseArray:
    """Express the poses (n, 3) of all robots, in their order."""
    message = PoseArray(header=header(stamp_ns, frame_id))
    message.poses = [planar_pose(pose) for pose in poses.tolist()]
    return message


def sights_message(
    readings: Array, noise: RangeBearingNoise, stamp_ns: int, frame_id: str
) -> Detection3DArray:
    """
    Express the landmarks that one robot sees.

    Parameters
    ----------
    readings : array, shape (m, 2)
        Range [m] and bearing [rad]; NaN where there is none, and none where a range is not above
        zero. The place in it is the landmark's id.
    noise : RangeBearingNoise
        Of the sensor, for covariances.
    stamp_ns : int
    frame_id : str
        Of the robot: x ahead, y left.

    """
    message = Detection3DArray(header=header(stamp_ns, frame_id))
    for number in np.flatnonzero(readings[:, 0] > 0.0).tolist():
        distance, bearing = readings[number].tolist()
        hypothesis = ObjectHypothesisWithPose()
        hypothesis.hypothesis.class_id = LANDMARK
        hypothesis.hypothesis.score = 1.0
        place = Point(x=distance * math.cos(bearing), y=distance * math.sin(bearing))
        hypothesis.pose.pose.position = place
        hypothesis.pose.covariance = _covariance(distance, bearing, noise)
        detection = Detection3D(header=message.header, results=[hypothesis], id=str(number))
        detection.bbox.center.position = place
        message.detections.append(detection)
    return message


def truth_message(
    places: Array, labels: NDArray[np.uint16], stamp_ns: int, frame_id: str
) -> Detection3DArray:
    """
    Express where landmarks truly are, and what happened to one robot's readings of them.

    Parameters
    ----------
    places : array, shape (m, 2)
        x ahead, y left of the robot [m].
    labels : array of uint16, shape (m,)
        `Cause` by bits; each becomes the class of a result.
    stamp_ns : int
    frame_id : str
        Of the robot.

    """
    message = Detection3DArray(header=header(stamp_ns, frame_id))
    for number, (place, label) in enumerate(zip(places, labels.tolist(), strict=True)):
        detection = Detection3D(header=message.header, id=str(number))
        detection.bbox.center.position = point_of(place)
        for name in names_of(label):
            hypothesis = ObjectHypothesisWithPose()
            hypothesis.hypothesis.class_id, hypothesis.hypothesis.score = name, 1.0
            hypothesis.pose.pose.position = detection.bbox.center.position
            detection.results.append(hypothesis)
        message.detections.append(detection)
    return message


def readings_of(message: Detection3DArray, count: int) -> Array:
    """
    Read the landmarks that a robot sees.

    Parameters
    ----------
    message : Detection3DArray
        In the robot's frame.
    count : int
        Of the landmarks that there are.

    Returns
    -------
    array, shape (count, 2)
        Range [m] and bearing [rad]; NaN where there is none. What `count_left_out` counts is left
        out.

    Raises
    ------
    MalformedPacketError
        A detection has no result, or a place is not finite or beyond `FARTHEST`.

    """
    readings = np.full((count, 2), np.nan)
    for detection in message.detections:
        number = _number_of(detection, count)
        if number is None or not np.isnan(readings[number, 0]):
            continue
        if not detection.results:
            raise MalformedPacketError(f'landmark {number} has no result; it must have one')
        place = detection.results[0].pose.pose.position
        distance = math.hypot(place.x, place.y)
        if not distance <= FARTHEST:
            raise MalformedPacketError(
                f'landmark {number} is at {place.x}, {place.y}; it must be within {FARTHEST} m'
            )
        readings[number] = distance, math.atan2(place.y, place.x)
    readings[readings[:, 0] == 0.0] = np.nan
    return readings


def count_left_out(message: Detection3DArray, count: int) -> Counter[str]:
    """
    Count the detections that `readings_of` leaves out, by cause.

    They are of other landmarks than those from 0 to `count` - 1, of a landmark that is among
    those before, or at the robot itself, where nothing has a bearing.
    """
    left_out: Counter[str] = Counter()
    seen = set()
    for detection in message.detections:
        number = _number_of(detection, count)
        if number is None:
            left_out['unknown id'] += 1
        elif number in seen:
            left_out['repeated id'] += 1
        elif detection.results and _is_here(detection):
            left_out['without a range'] += 1
        seen.add(number)
    return left_out


def _is_here(detection: Detection3D) -> bool:
    """Tell whether a landmark is where the robot is."""
    place = detection.results[0].pose.pose.position
    return math.hypot(place.x, place.y) == 0.0


def _number_of(detection: Detection3D, count: int) -> int | None:
    """Read the number of a landmark; None if there is none of that."""
    # More digits than these Python would refuse to read.
    known = detection.id.isdecimal() and len(detection.id) < 10 and int(detection.id) < count
    return int(detection.id) if known else None


def _covariance(distance: float, bearing: float, noise: RangeBearingNoise) -> Array:
    """Turn what is not known along and across a sight into x and y, row-major 6 by 6 [m^2]."""
    along = float(noise.deviation(np.array(distance)))
    cos, sin = math.cos(bearing), math.sin(bearing)
    turn = np.array(((cos, -sin), (sin, cos))) * (along, distance * noise.bearing_std)
    return _widened(turn @ turn.T, (0, 1))


def _widened(covariance: Array, places: tuple[int, ...]) -> Array:
    """Place a covariance in a row-major 6 by 6 of zeros."""
    wide = np.zeros((6, 6))
    wide[np.ix_(places, places)] = covariance
    return wide.ravel()


def _transform(pose: Array) -> Transform:
    x, y, theta = (float(value) for value in pose)
    return Transform(translation=Vector3(x=x, y=y), rotation=quaternion_of(theta))


def _twist(velocity: Array) -> Twist:
    nu, omega = (float(value) for value in velocity)
    return Twist(linear=Vector3(x=nu), angular=Vector3(z=omega))
