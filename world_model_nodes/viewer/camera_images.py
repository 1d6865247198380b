# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images of cameras as pixels for the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import MalformedPacketError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sensor_msgs.msg import Image

__all__ = ['pixels_of']

ENCODINGS = ('rgb8', 'bgr8')
# The panel is not wider: of larger images, only some rows and columns are shown [pixels].
LARGEST = 640


def pixels_of(message: Image) -> NDArray[np.uint8]:
    """
    Return the pixels of an image in RGB, shape (height, width, 3); of a large one, some of them.

    Raises
    ------
    MalformedPacketError
        It has another encoding, or fewer bytes than its size says.

    """
    if message.encoding not in ENCODINGS:
        raise MalformedPacketError(
            f'image has the encoding {message.encoding!r}; it must be {" or ".join(ENCODINGS)}'
        )
    data = np.frombuffer(message.data, np.uint8)
    height, width, step = message.height, message.width, message.step
    if not (height and width and step >= 3 * width and len(data) >= height * step):
        raise MalformedPacketError(
            f'image of {width} x {height} pixels has {len(data)} bytes in rows of {step}'
        )
    rows = data[: height * step].reshape(height, step)[:, : 3 * width]
    stride = -(-max(height, width) // LARGEST)
    pixels = rows.reshape(height, width, 3)[::stride, ::stride]
    return np.ascontiguousarray(pixels if message.encoding == 'rgb8' else pixels[:, :, ::-1])
