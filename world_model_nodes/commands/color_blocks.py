# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images in a terminal: two pixels per character, one above the other."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.image import imread
from rich.color import Color
from rich.style import Style
from rich.text import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

UPPER_HALF = '▀'
# Wider images need more lines than a terminal has [characters].
WIDEST = 96
# Larger images are not decoded, as a small file can declare a huge one [pixels].
LARGEST = 2**24
# Position of width and height in a PNG file [bytes].
SIZE = slice(16, 24)


def color_blocks(picture: bytes, width: int) -> Text | None:
    """
    Convert an image to colored blocks.

    Parameters
    ----------
    picture : bytes
        A PNG file.
    width : int
        Width of the terminal [characters].

    Returns
    -------
    Text or None
        None if the file is not PNG or too large.

    """
    pixels = _decode(picture)
    if pixels is None:
        return None
    columns = min(width, WIDEST, pixels.shape[1])
    rows = max(1, round(columns * pixels.shape[0] / pixels.shape[1] / 2.0))
    small = _shrink(pixels, 2 * rows, columns)
    lines = (_line(upper, lower) for upper, lower in zip(small[::2], small[1::2], strict=True))
    return Text('\n').join(lines)


def _decode(picture: bytes) -> NDArray[np.float32] | None:
    """Return colors, shape (height, width, 3), 0 to 1."""
    head = picture[SIZE]
    if len(head) < 8 or int(np.prod(struct.unpack('>2I', head), dtype=object)) > LARGEST:
        return None
    try:
        found = np.atleast_3d(imread(BytesIO(picture), format='png'))
    except (OSError, ValueError, SyntaxError):
        return None
    return np.asarray(np.broadcast_to(found[..., :3], (*found.shape[:2], 3)), dtype=np.float32)


def _shrink(pixels: NDArray[np.float32], rows: int, columns: int) -> NDArray[np.uint8]:
    """Average the pixels of each block."""
    for axis, count in enumerate((rows, columns)):
        length = pixels.shape[axis]
        starts = np.arange(count) * length // count
        sizes = np.maximum(np.diff(np.append(starts, length)), 1)
        sums = np.add.reduceat(pixels, starts, axis=axis)
        pixels = sums / np.expand_dims(sizes, tuple({0, 1, 2} - {axis}))
    return np.asarray(np.clip(np.round(255.0 * pixels), 0, 255), dtype=np.uint8)


def _line(upper: NDArray[np.uint8], lower: NDArray[np.uint8]) -> Text:
    line = Text()
    for above, below in zip(upper.tolist(), lower.tolist(), strict=True):
        style = Style(color=Color.from_rgb(*above), bgcolor=Color.from_rgb(*below))
        line.append(UPPER_HALF, style)
    return line
