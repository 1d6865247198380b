# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversions of planar poses with covariance to and from messages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import PoseWithCovarianceStamped

from world_model_core.errors import MalformedPacketError
from world_model_core.frames import pose_transform
from world_model_core.localization.pose_estimators import PoseEstimate
from world_model_core.uncertainty.input_checks import check_covariance
from world_model_core.uncertainty.kidnapping import FARTHEST
from world_model_nodes.runtime.convert import header
from world_model_nodes.uncertainty.convert import planar_pose

if TYPE_CHECKING:
    from geometry_msgs.msg import Pose
    from nav_msgs.msg import Odometry

    from world_model_core.gaussian import Array

# Rows and columns of x, y and yaw in a 6 by 6 covariance.
PLANAR = np.ix_((0, 1, 5), (0, 1, 5))


def planar_of(pose: Pose) -> Array:
    """
    Convert a pose to x, y [m] and theta [rad], shape (3,); z, roll and pitch are dropped.

    Raises
    ------
    FrameError
        A number is not finite, or the quaternion is zero.
    MalformedPacketError
        The position is beyond `FARTHEST`.

    """
    place, turn = pose.position, pose.orientation
    position, quaternion = (place.x, place.y, place.z), (turn.x, turn.y, turn.z, turn.w)
    rotation = pose_transform(position, quaternion).rotation
    if max(abs(place.x), abs(place.y)) > FARTHEST:
        raise MalformedPacketError(f'position is {position[:2]} m; it must be within {FARTHEST} m')
    return np.array((place.x, place.y, math.atan2(rotation[1, 0], rotation[0, 0])))


def estimate_message(
    estimate: PoseEstimate, stamp_ns: int, frame_id: str
) -> PoseWithCovarianceStamped:
    """Convert an estimate to a message; covariances of z, roll and pitch are zero."""
    message = PoseWithCovarianceStamped(header=header(stamp_ns, frame_id))
    message.pose.pose = planar_pose(estimate.pose)
    wide = np.zeros((6, 6))
    wide[PLANAR] = estimate.covariance
    message.pose.covariance = wide.ravel()
    return message


def estimate_of(message: PoseWithCovarianceStamped | Odometry, default: Array) -> PoseEstimate:
    """
    Convert a message to an estimate.

    Parameters
    ----------
    message : PoseWithCovarianceStamped or Odometry
    default : array, shape (3, 3)
        The covariance if that of the message is zero, i.e. unknown.

    Raises
    ------
    FrameError
        The pose is not finite, or the quaternion is zero.
    MalformedPacketError
        The position is beyond `FARTHEST`, or the covariance beyond its square.
    InputError
        The covariance is not symmetric and positive semi-definite.

    """
    covariance = check_covariance(np.reshape(message.pose.covariance, (6, 6))[PLANAR], 3)
    if covariance.max() > FARTHEST**2:
        raise MalformedPacketError(
            f'covariance of x, y and heading is {covariance.tolist()}; it must be at most '
            f'{FARTHEST**2:g}'
        )
    known = covariance if covariance.any() else default
    return PoseEstimate(planar_of(message.pose.pose), known)
