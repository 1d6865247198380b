# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Encoder of PNG files (W3C Portable Network Graphics, third edition)."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIGNATURE = b'\x89PNG\r\n\x1a\n'
# Section 11.2.1: 8 bits for each of r, g, b, no palette, not interlaced.
EIGHT_BIT_RGB = (8, 2, 0, 0, 0)
UP = 2  # filter type, section 9.2: each row is the difference from the one above


def png(picture: NDArray[np.uint8]) -> bytes:
    """
    Encode a picture as PNG.

    Parameters
    ----------
    picture : array of uint8, shape (height, width, 3)
        r, g, b from 0 to 255, the top row first.

    Returns
    -------
    bytes
        A PNG file.

    """
    height, width = picture.shape[:2]
    above = np.concatenate((np.zeros_like(picture[:1]), picture[:-1]))
    rows = (picture - above).reshape(height, 3 * width)
    filtered = np.hstack((np.full((height, 1), UP, dtype=np.uint8), rows))
    header = struct.pack('>II5B', width, height, *EIGHT_BIT_RGB)
    data = zlib.compress(filtered.tobytes(), 9)
    return SIGNATURE + _chunk(b'IHDR', header) + _chunk(b'IDAT', data) + _chunk(b'IEND', b'')


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(data, zlib.crc32(kind))
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', checksum)
