# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of cameras of a scene to CameraInfo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sensor_msgs.msg import CameraInfo

from world_model_core.bundle.values import CameraModel, Distortion
from world_model_nodes.runtime.convert import header

if TYPE_CHECKING:
    from world_model_core.bundle.values import CameraSpec

# As sensor_msgs/distortion_models.hpp names them: k1, k2, p1, p2, k3, and k1 to k4.
PLUMB_BOB, EQUIDISTANT = 'plumb_bob', 'equidistant'


def calibrated_camera_info(spec: CameraSpec, frame_id: str) -> CameraInfo:
    """
    Convert a camera; the publisher sets the stamp.

    For a lens that has no distortion model in ROS the matrices are zero, as for a camera that is
    not calibrated.

    Parameters
    ----------
    spec : CameraSpec
    frame_id : str
        Optical frame: x right, y down, z forward.

    """
    message = CameraInfo(header=header(0, frame_id), width=spec.width, height=spec.height)
    lens = lens_of(spec)
    if lens is None:
        return message
    message.distortion_model, message.d = lens
    (fx, fy), (cx, cy) = spec.focal, spec.center
    message.k = [fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0]
    message.r = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    message.p = [fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0]
    return message


def lens_of(spec: CameraSpec) -> tuple[str, list[float]] | None:
    """
    Return the distortion model of ROS and its coefficients; None if ROS has no such model.

    A fisheye with Kannala-Brandt distortion, or without distortion, is "equidistant" in ROS, as is
    a pinhole with that distortion (Kalibr's "pinhole-equi"). ROS has no model for a fisheye with
    Brown-Conrady distortion.
    """
    coefficients = [float(value) for value in spec.coefficients]
    if spec.distortion is Distortion.EQUIDISTANT:
        return EQUIDISTANT, coefficients
    if spec.model is CameraModel.PINHOLE:
        return PLUMB_BOB, [*coefficients, 0.0][:5]
    return None if any(coefficients) else (EQUIDISTANT, [0.0] * 4)
