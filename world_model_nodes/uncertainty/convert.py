# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversions of planar poses, odometry and landmark readings to and from messages."""

from __future__ import annotations

import math
import sys
from array import array
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
from sensor_msgs.msg import PointCloud2, PointField
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose

from world_model_core.errors import MalformedPacketError
from world_model_core.findings import shorten
from world_model_core.uncertainty.error_causes import ErrorCause, cause_names
from world_model_core.uncertainty.kidnapping import FARTHEST
from world_model_nodes.runtime.convert import header, point_of, quaternion_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

# Indices of x, y, theta and of nu, omega among x, y, z and the rotations about these axes.
OF_POSES, OF_VELOCITIES = (0, 1, 5), (0, 5)
# Class id of landmarks.
LANDMARK = 'landmark'
# Bits of the error causes by the classes of the results.
CAUSE_BITS = {name: int(cause) for cause in ErrorCause for name in cause_names(int(cause))}
# A robot in the cloud of error causes: name, offset and type of each field.
CAUSE_FIELDS = (
    ('x', 0, PointField.FLOAT32),
    ('y', 4, PointField.FLOAT32),
    ('z', 8, PointField.FLOAT32),
    ('causes', 12, PointField.UINT16),
)
CAUSE_ROW = np.dtype(
    {
        'names': ['x', 'y', 'z', 'causes'],
        'formats': [np.float32, np.float32, np.float32, np.uint16],
        'offsets': [0, 4, 8, 12],
        'itemsize': 16,
    }
)


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
    Convert a pose (3,) and a velocity (2,), nu [m/s] and omega [rad/s], in the child frame.

    `spread` holds their covariances, (3, 3) and (2, 2); None for the ground truth. Covariances of
    z, roll, pitch and of the sideways velocity are zero: the robot moves in the plane.
    """
    message = Odometry(header=header(stamp_ns, frame_id), child_frame_id=child_frame_id)
    message.pose.pose = planar_pose(pose)
    message.twist.twist = _twist(velocity)
    if spread is not None:
        message.pose.covariance = _expanded(spread[0], OF_POSES)
        message.twist.covariance = _expanded(spread[1], OF_VELOCITIES)
    return message


def planar_pose(pose: Array) -> Pose:
    """Convert x, y [m], theta [rad]."""
    x, y, theta = (float(value) for value in pose)
    return Pose(position=Point(x=x, y=y), orientation=quaternion_of(theta))


def planar_transform(
    pose: Array, stamp_ns: int, frame_id: str, child_frame_id: str
) -> TransformStamped:
    """Convert the pose (3,) of a child frame to a transform."""
    message = TransformStamped(header=header(stamp_ns, frame_id), child_frame_id=child_frame_id)
    message.transform = _transform(pose)
    return message


def poses_message(poses: Array, stamp_ns: int, frame_id: str) -> PoseArray:
    """Convert the poses (n, 3) of all robots, in order."""
    message = PoseArray(header=header(stamp_ns, frame_id))
    message.poses = [planar_pose(pose) for pose in poses.tolist()]
    return message


def landmarks_message(
    readings: Array, noise: RangeBearingNoise, stamp_ns: int, frame_id: str
) -> Detection3DArray:
    """
    Convert the landmark readings of one robot.

    Parameters
    ----------
    readings : array, shape (m, 2)
        Range [m] and bearing [rad]; readings that are NaN or have a range of 0 or less are left
        out. The row is the id of the landmark.
    noise : RangeBearingNoise
        Noise of the sensor, for the covariances.
    stamp_ns : int
    frame_id : str
        Frame of the robot: x ahead, y left.

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
    Convert the true positions of landmarks and the error causes of the readings of one robot.

    Parameters
    ----------
    places : array, shape (m, 2)
        x ahead, y left of the robot [m].
    labels : array of uint16, shape (m,)
        `Cause` by bits; each becomes the class of a result.
    stamp_ns : int
    frame_id : str
        Frame of the robot.

    """
    message = Detection3DArray(header=header(stamp_ns, frame_id))
    for number, (place, label) in enumerate(zip(places, labels.tolist(), strict=True)):
        detection = Detection3D(header=message.header, id=str(number))
        detection.bbox.center.position = point_of(place)
        for name in cause_names(label):
            hypothesis = ObjectHypothesisWithPose()
            hypothesis.hypothesis.class_id, hypothesis.hypothesis.score = name, 1.0
            hypothesis.pose.pose.position = detection.bbox.center.position
            detection.results.append(hypothesis)
        message.detections.append(detection)
    return message


def causes_message(
    poses: Array, causes: NDArray[np.uint16], stamp_ns: int, frame_id: str
) -> PointCloud2:
    """
    Convert the error causes of the motion of all robots.

    Parameters
    ----------
    poses : array, shape (n, 3)
        True x, y [m], theta [rad].
    causes : array of uint16, shape (n,)
        `ErrorCause` by bits.
    stamp_ns : int
    frame_id : str

    """
    rows = np.zeros(len(poses), dtype=CAUSE_ROW)
    rows['x'], rows['y'], rows['causes'] = poses[:, 0], poses[:, 1], causes
    fields = [
        PointField(name=name, offset=offset, datatype=datatype, count=1)
        for name, offset, datatype in CAUSE_FIELDS
    ]
    size = CAUSE_ROW.itemsize
    return PointCloud2(
        header=header(stamp_ns, frame_id),
        height=1,
        width=len(rows),
        fields=fields,
        is_bigendian=sys.byteorder == 'big',
        point_step=size,
        row_step=size * len(rows),
        data=array('B', rows.tobytes()),
        is_dense=True,
    )


def causes_of_motion(message: PointCloud2) -> NDArray[np.uint16]:
    """
    Return the error causes of all robots, in order, shape (n,).

    Raises
    ------
    MalformedPacketError
        The message has other fields than that of `causes_message`.

    """
    # One more than there may be: a message can have millions.
    first = message.fields[: len(CAUSE_FIELDS) + 1]
    fields = [(field.name, field.offset, field.datatype) for field in first]
    size, count = CAUSE_ROW.itemsize, message.width * message.height
    is_big = sys.byteorder == 'big'
    if (fields, message.point_step, message.is_bigendian) != (list(CAUSE_FIELDS), size, is_big):
        raise MalformedPacketError(f'fields: {shorten(fields)} must be {list(CAUSE_FIELDS)}')
    if len(message.data) != size * count:
        raise MalformedPacketError(f'data: {len(message.data)} bytes must be {size * count}')
    rows = np.frombuffer(message.data, dtype=CAUSE_ROW)
    return rows['causes'].astype(np.uint16)


def cause_labels(detections: Sequence[Detection3D]) -> NDArray[np.uint16]:
    """Return the error causes in detections by `truth_message`, shape (n,); others are ignored."""
    labels = np.zeros(len(detections), dtype=np.uint16)
    for row, detection in enumerate(detections):
        for result in detection.results:
            labels[row] |= CAUSE_BITS.get(result.hypothesis.class_id, 0)
    return labels


def readings_of(message: Detection3DArray, count: int) -> Array:
    """
    Convert a message to landmark readings.

    Parameters
    ----------
    message : Detection3DArray
        In the robot's frame.
    count : int
        Number of landmarks.

    Returns
    -------
    array, shape (count, 2)
        Range [m] and bearing [rad]; NaN without a reading. Detections counted by `count_left_out`
        are left out.

    Raises
    ------
    MalformedPacketError
        A detection has no result, or a position is not finite or beyond `FARTHEST`.

    """
    readings = np.full((count, 2), np.nan)
    for detection in message.detections:
        number = _number_of(detection, count)
        if number is None or not np.isnan(readings[number, 0]):
            continue
        if not detection.results:
            raise MalformedPacketError(
                f'landmark {number} has no result; it must have at least one'
            )
        place = detection.results[0].pose.pose.position
        distance = math.hypot(place.x, place.y)
        if not distance <= FARTHEST:
            raise MalformedPacketError(
                f'landmark {number} is at {place.x}, {place.y} m; it must be within {FARTHEST} m'
            )
        readings[number] = distance, math.atan2(place.y, place.x)
    readings[readings[:, 0] == 0.0] = np.nan
    return readings


def count_left_out(message: Detection3DArray, count: int) -> Counter[str]:
    """
    Count the detections that `readings_of` leaves out, by cause.

    These have an id outside 0 to `count` - 1, an id that occurred before in the message, or the
    position of the robot itself, where the bearing is undefined.
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
    """Return whether a landmark is at the position of the robot."""
    place = detection.results[0].pose.pose.position
    return math.hypot(place.x, place.y) == 0.0


def _number_of(detection: Detection3D, count: int) -> int | None:
    """Return the number of a landmark; None if it is unknown."""
    # Python refuses to parse very long numbers.
    known = detection.id.isdecimal() and len(detection.id) < 10 and int(detection.id) < count
    return int(detection.id) if known else None


def _covariance(distance: float, bearing: float, noise: RangeBearingNoise) -> Array:
    """Rotate the covariance of range and bearing to x and y, row-major 6 by 6 [m^2]."""
    along = float(noise.deviation(np.array(distance)))
    cos, sin = math.cos(bearing), math.sin(bearing)
    turn = np.array(((cos, -sin), (sin, cos))) * (along, distance * noise.bearing_std)
    return _expanded(turn @ turn.T, (0, 1))


def _expanded(covariance: Array, places: tuple[int, ...]) -> Array:
    """Put a covariance into a row-major 6 by 6 matrix of zeros."""
    wide = np.zeros((6, 6))
    wide[np.ix_(places, places)] = covariance
    return wide.ravel()


def _transform(pose: Array) -> Transform:
    x, y, theta = (float(value) for value in pose)
    return Transform(translation=Vector3(x=x, y=y), rotation=quaternion_of(theta))


def _twist(velocity: Array) -> Twist:
    nu, omega = (float(value) for value in velocity)
    return Twist(linear=Vector3(x=nu), angular=Vector3(z=omega))
