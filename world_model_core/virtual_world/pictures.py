# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of textures: PNG and JPEG, bounded in size, as the PNG that MuJoCo reads."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.files.file_findings import FileFindings

__all__ = ['LONGEST_SIDE', 'picture_pixels', 'read_picture']

# 8192 x 8192 pixels are 268 MB of RGBA in the memory [pixels].
LONGEST_SIDE = 8192
FORMATS = ('PNG', 'JPEG')


def read_picture(data: bytes, named: str, notes: FileFindings, where: str = '') -> bytes | None:
    """
    Check a picture, and convert JPEG to PNG.

    Parameters
    ----------
    data : bytes
        Content of a PNG or JPEG file; its header is checked before it is decoded.
    named : str
        The file in findings.
    notes : FileFindings
        Receives the reason if the picture cannot be used.
    where : str
        Place in the file that names it.

    Returns
    -------
    bytes or None
        A PNG file.

    """
    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures; the limit below is stricter.
            warnings.simplefilter('ignore')
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                return _png(data, picture, named, notes, where)
    except Image.DecompressionBombError as error:
        notes.add('WorldFile.PictureTooLarge', where, found=named, size=error, limit=LONGEST_SIDE)
    # Pillow raises many kinds of errors for damaged files, and documents none.
    except Exception as error:  # noqa: BLE001
        notes.add('WorldFile.PictureUnreadable', where, found=named, reason=error)
    return None


def picture_pixels(data: bytes, longest: int) -> NDArray[np.uint8] | None:
    """
    Return the pixels of a picture that `read_picture` has accepted, made smaller if need be.

    Parameters
    ----------
    data : bytes
    longest : int
        Longest side of the result [pixels].

    Returns
    -------
    array of uint8, shape (h, w, 3), or None
        RGB, the uppermost row first; None if it is not a picture, or too large.

    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                if max(picture.size) > LONGEST_SIDE:
                    return None
                colors = picture.convert('RGB')
    # Pillow raises many kinds of errors for damaged files, and documents none.
    except Exception:  # noqa: BLE001
        return None
    colors.thumbnail((longest, longest))
    return np.asarray(colors)


def _png(
    data: bytes, picture: Image.Image, named: str, notes: FileFindings, where: str
) -> bytes | None:
    if max(picture.size) > LONGEST_SIDE:
        size = '{} x {} pixels'.format(*picture.size)
        notes.add('WorldFile.PictureTooLarge', where, found=named, size=size, limit=LONGEST_SIDE)
        return None
    picture.load()
    if picture.format == 'PNG':
        return data
    converted = io.BytesIO()
    picture.convert('RGB').save(converted, 'PNG')
    return converted.getvalue()
