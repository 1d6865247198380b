# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images of cameras as standard messages."""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING, Any

from sensor_msgs.msg import CameraInfo, Image

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from std_msgs.msg import Header

    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint

# Encoding of an array, by its type.
ENCODINGS = {'uint8': 'rgb8', 'float32': '32FC1', 'uint16': '16UC1'}


def image_message(pixels: NDArray[Any], header: Header) -> Image:
    """Convert pixels, shape (height, width, ...), of a type in `ENCODINGS`."""
    height, width = pixels.shape[:2]
    message = Image(header=header, height=height, width=width)
    message.encoding = ENCODINGS[pixels.dtype.name]
    message.is_bigendian = sys.byteorder == 'big'
    message.step = pixels[0].nbytes
    # rclpy checks each element of anything but an array.
    message.data = array('B', pixels.tobytes())
    return message


def pinhole_message(viewpoint: Viewpoint, width: int, height: int, header: Header) -> CameraInfo:
    """Return the camera info of an image; a pinhole camera has no distortion."""
    fx, fy, cx, cy = viewpoint.intrinsics(width, height)
    message = CameraInfo(header=header, width=width, height=height)
    message.distortion_model, message.d = 'plumb_bob', [0.0] * 5
    message.k = [fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0]
    message.r = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    message.p = [fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0]
    return message
