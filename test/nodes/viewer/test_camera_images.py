# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images become pixels of the page; broken ones raise an error."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from sensor_msgs.msg import Image

from world_model_core.errors import MalformedPacketError
from world_model_nodes.viewer.camera_images import LARGEST, pixels_of


def image(pixels, encoding='rgb8', padding=0, **given):
    """Make a message of pixels, with bytes at the end of each row."""
    height, width = pixels.shape[:2]
    rows = np.concatenate((pixels.reshape(height, -1), np.full((height, padding), 7)), axis=1)
    data = array('B', rows.astype(np.uint8).tobytes())
    values = {'height': height, 'width': width, 'step': 3 * width + padding, **given}
    return Image(encoding=encoding, data=data, **values)


PIXELS = np.arange(18, dtype=np.uint8).reshape(2, 3, 3)


@pytest.mark.parametrize('padding', [0, 2])
def test_pixels_are_those_of_the_image(padding):
    """Also if its rows are padded, and if blue comes first."""
    np.testing.assert_array_equal(pixels_of(image(PIXELS, padding=padding)), PIXELS)
    reversed_pixels = pixels_of(image(PIXELS, 'bgr8', padding))
    np.testing.assert_array_equal(reversed_pixels, PIXELS[:, :, ::-1])


def test_of_large_images_only_some_pixels_are_shown():
    """The panel is not that wide."""
    pixels = np.zeros((2, LARGEST + 1, 3), np.uint8)
    pixels[:, ::2] = 9
    assert pixels_of(image(pixels)).shape == (1, LARGEST // 2 + 1, 3)
    assert (pixels_of(image(pixels)) == 9).all()


@pytest.mark.parametrize(
    'given',
    [{'height': 3}, {'width': 4}, {'step': 8}, {'step': 10}, {'height': 0}, {'encoding': 'mono8'}],
)
def test_broken_images_are_refused(given):
    """They have other sizes than they say."""
    with pytest.raises(MalformedPacketError, match='image'):
        pixels_of(image(PIXELS, **given))
