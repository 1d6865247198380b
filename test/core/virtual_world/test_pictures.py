# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures: JPEG becomes PNG, and what is damaged or too large is refused by its header."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.pictures import LONGEST_SIDE, read_picture

GRADIENT = np.add.outer(np.arange(16), np.arange(16)).astype(np.uint8) * 8


def picture(kind, mode='RGB'):
    """Encode a small gradient."""
    stream = io.BytesIO()
    Image.fromarray(GRADIENT).convert(mode).save(stream, kind)
    return stream.getvalue()


def read(data):
    """Read a picture; return it and the codes of the findings."""
    notes = FileFindings('world.xml', world_findings())
    result = read_picture(data, 'picture', notes)
    return result, [each.rule.code for each in notes.findings.all]


def header(width, height):
    """Return a PNG file of any size with almost no pixels."""
    content = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    chunks = (chunk(b'IHDR', content), chunk(b'IDAT', zlib.compress(bytes(10))))
    return b'\x89PNG\r\n\x1a\n' + b''.join(chunks)


def chunk(name, content):
    """Return a chunk of a PNG file."""
    check = struct.pack('>I', zlib.crc32(name + content))
    return struct.pack('>I', len(content)) + name + content + check


def test_a_png_is_kept():
    """MuJoCo reads PNG, which must not change."""
    data = picture('PNG', 'RGBA')
    assert read(data) == (data, [])


@pytest.mark.parametrize('mode', ['L', 'RGB', 'CMYK'])
def test_a_jpeg_becomes_a_png(mode):
    """MuJoCo reads no JPEG: each kind must be converted with its colors."""
    result, codes = read(picture('JPEG', mode))
    assert codes == []
    with Image.open(io.BytesIO(result)) as converted:
        assert (converted.format, converted.mode) == ('PNG', 'RGB')
        difference = np.asarray(converted)[:, :, 0].astype(int) - GRADIENT
    assert abs(difference).max() < 20


@pytest.mark.parametrize('size', [(60_000, 60_000), (LONGEST_SIDE + 1, 1), (1, 2**31 - 1)])
def test_a_large_picture_is_refused_by_its_header(size):
    """A picture of 60,000 x 60,000 pixels has 10 GB, and must not be decoded."""
    assert read(header(*size)) == (None, ['WorldFile.PictureTooLarge'])


@pytest.mark.parametrize(
    'data',
    [
        b'',
        b'GIF89a',
        picture('GIF'),
        picture('PNG')[:-40],
        picture('JPEG')[:200],
        header(16, 16),
        header(0, 16),
        picture('PNG')[:50] + b'\xff' * 20 + picture('PNG')[70:],
    ],
)
def test_a_damaged_picture_is_refused(data):
    """What is cut off, damaged or of another kind must give a finding."""
    assert read(data) == (None, ['WorldFile.PictureUnreadable'])
