# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Compressed PLY files: values are recovered up to quantization."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.splats.splat_compressed_ply import (
    CHUNK,
    unpack,
    unpack_rest,
    unpack_rotations,
)
from world_model_core.bundle.splats.splat_conventions import OpacityEncoding, ScaleEncoding
from world_model_core.bundle.splats.splat_scan import scan_splats
from world_model_core.bundle.splats.splat_source import SplatFormat
from world_model_core.bundle.splats.splats import SH_BAND_0, read_splats

BOUNDS = ('x', 'y', 'z', 'scale_x', 'scale_y', 'scale_z', 'r', 'g', 'b')


def pack(parts, bits):
    """Pack values from 0 to 1, the first into the highest bits."""
    word = 0
    for part, width in zip(parts, bits, strict=True):
        word = word << width | round(part * ((1 << width) - 1))
    return word


def pack_rotation(x, y, z, w):
    """Pack a unit quaternion by definition: the largest component is omitted, and positive."""
    parts = np.array([w, x, y, z])
    most = int(np.abs(parts).argmax())
    parts *= np.sign(parts[most])
    others = [0.5 + each / 2**0.5 for at, each in enumerate(parts) if at != most]
    return most << 30 | pack(others, (10, 10, 10))


def file_of(count, *, degree=0, colors=True, chunks=None, vertex=None):
    """Write a compressed file of random words."""
    chance = np.random.default_rng(5)
    chunks = -(-count // CHUNK) if chunks is None else chunks
    groups = (BOUNDS[:3], BOUNDS[3:6], BOUNDS[6:])[: 3 if colors else 2]
    names = [f'{end}_{name}' for group in groups for end in ('min', 'max') for name in group]
    rest = 3 * ((degree + 1) ** 2 - 1)
    lines = [
        'ply', 'format binary_little_endian 1.0', f'element chunk {chunks}',
        *(f'property float {name}' for name in names), f'element vertex {count}',
        *(f'property uint packed_{each}' for each in
          (vertex or ('position', 'rotation', 'scale', 'color'))),
    ]  # fmt: skip
    if degree:
        lines += [f'element sh {count}', *(f'property uchar f_rest_{at}' for at in range(rest))]
    bounds = chance.normal(size=(chunks, len(names))).astype('<f4')
    words = chance.integers(0, 2**32, (count, 4), dtype='<u4')
    coefficients = chance.integers(0, 256, (count, rest), dtype='u1')
    head = '\n'.join([*lines, 'end_header', '']).encode()
    data = head + bounds.tobytes() + words.tobytes() + coefficients.tobytes()
    return data, bounds, words, coefficients


def read(path):
    """Read and scan; both must find the same."""
    findings, scanned = bundle_findings(), bundle_findings()
    splats = read_splats(path, path.name, findings)
    scan_splats(path, path.name, scanned)
    assert findings.all == scanned.all
    return splats, findings


@given(hnp.arrays(float, 4, elements=st.floats(-1, 1)))
def test_quaternions_are_unpacked_as_they_were_packed(quaternion):
    """Up to the sign, which has no meaning, and to steps of a thousandth."""
    length = np.linalg.norm(quaternion)
    if length < 0.01:
        return
    unit = quaternion / length
    word = np.array([pack_rotation(*unit)], np.uint32)
    found = unpack_rotations(word)[0].astype(float)
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=1e-6)
    assert abs(found @ unit) == pytest.approx(1.0, abs=1e-5)


@given(st.lists(st.floats(0, 1), min_size=10, max_size=10))
def test_numbers_are_unpacked_between_their_bounds(parts):
    """Positions, log scales and colors are interpolated between the bounds of their chunk."""
    words = [[
        pack(parts[:3], (11, 10, 11)), pack_rotation(0, 0, 0, 1),
        pack(parts[3:6], (11, 10, 11)), pack(parts[6:], (8, 8, 8, 8)),
    ]]  # fmt: skip
    low, high = np.arange(9.0) - 5.0, np.arange(9.0) * 2.0 + 1.0
    bounds = np.array([[low, high]], np.float32)
    values = unpack(np.array(words, np.uint32), bounds)[0]
    expected = low + np.array(parts[:9]) * (high - low)
    expected[6:] = (expected[6:] - 0.5) / SH_BAND_0
    step = (high - low) * ([1 / 2047, 1 / 1023, 1 / 2047] * 3)
    step[6:] = (high - low)[6:] / 255 / SH_BAND_0
    assert (np.abs(values[:9] - expected) <= 0.51 * step + 1e-5).all()
    assert values[9] == pytest.approx(parts[9], abs=0.51 / 255)
    assert values[10:] == pytest.approx([0, 0, 0, 1], abs=2e-3)


def test_coefficients_reach_both_ends():
    """Eight bits are the centers of 256 steps in +-4, the first and last the ends."""
    found = unpack_rest(np.array([[0, 1, 127, 128, 254, 255]], np.uint8))[0]
    assert found == pytest.approx([-4, -4 + 1.5 / 32, -0.5 / 32, 0.5 / 32, 4 - 1.5 / 32, 4])


@pytest.mark.parametrize('count', [1, 255, 256, 257, 10_000])
@pytest.mark.parametrize('degree', [0, 1, 3])
@pytest.mark.parametrize('colors', [True, False])
def test_each_gaussian_has_the_bounds_of_its_chunk(tmp_path, count, degree, colors):
    """Row 256 belongs to the second chunk, in every block and with or without color bounds."""
    data, bounds, words, coefficients = file_of(count, degree=degree, colors=colors)
    (tmp_path / 'made.ply').write_bytes(data)
    splats, findings = read(tmp_path / 'made.ply')
    assert not findings.errors
    assert splats.conventions.scales is ScaleEncoding.LOG
    assert splats.conventions.opacities is OpacityEncoding.LINEAR
    for row in {0, count // 2, count - 1}:
        low, high = bounds[row // CHUNK, 0], bounds[row // CHUNK, 3]
        share = (words[row, 0] >> 21) / 2047
        assert splats.positions[row, 0] == pytest.approx(low + share * (high - low), abs=1e-5)
        share = (words[row, 2] & 2047) / 2047
        low, high = bounds[row // CHUNK, 8], bounds[row // CHUNK, 11]
        assert splats.scales[row, 2] == pytest.approx(low + share * (high - low), abs=1e-5)
        assert splats.opacities[row, 0] == pytest.approx((words[row, 3] & 255) / 255)
        if not colors:
            red = 0.5 + SH_BAND_0 * splats.sh_dc[row, 0]
            assert red == pytest.approx((words[row, 3] >> 24) / 255, abs=1e-5)
        if degree:
            per_channel = (degree + 1) ** 2 - 1
            word = coefficients[row, per_channel + 1]
            assert splats.sh_rest[row, 1, 1] == pytest.approx(unpack_rest(np.array([word]))[0])


@pytest.mark.parametrize(
    'changes',
    [{'chunks': 0}, {'chunks': 1}, {'chunks': 3}, {'vertex': ('position', 'rotation', 'scale')}],
)
def test_parts_that_do_not_fit_are_an_error(tmp_path, changes):
    """Too few or too many chunks, or a missing word, must be reported."""
    (tmp_path / 'made.ply').write_bytes(file_of(300, **changes)[0])
    splats, findings = read(tmp_path / 'made.ply')
    assert splats is None
    assert [each.rule.code for each in findings.errors] == ['Splats.CompressedLayout']


def test_bounds_that_are_not_numbers_are_found(tmp_path):
    """A NaN in a chunk makes its Gaussians errors, and does not stop the reader."""
    data, bounds, *_ = file_of(300)
    bounds[1, 2] = np.nan
    place = data.index(b'end_header\n') + 11
    data = data[:place] + bounds.tobytes() + data[place + bounds.nbytes :]
    (tmp_path / 'made.ply').write_bytes(data)
    _, findings = read(tmp_path / 'made.ply')
    assert [each.rule.code for each in findings.errors] == ['Splats.NotANumber']
    assert findings.errors[0].values['count'] == '44'
    assert findings.errors[0].values['found'] == 'row 256'


def test_a_real_compressed_file_is_read(shared_data):
    """A guitar of 90,854 Gaussians written by SuperSplat: small, unit quaternions."""
    path = shared_data('bundle/guitar.compressed.ply')
    splats, findings = read(path)
    assert [each.rule.code for each in findings.all] == ['Splats.Compressed']
    assert splats.count == 90_854
    assert splats.sh_degree == 0
    lowest, highest = splats.bounds
    assert lowest == pytest.approx([-0.65500337, -4.2922654, -0.52758855], abs=1e-5)
    assert highest == pytest.approx([0.8215561, 0.08609153, 0.92468166], abs=1e-5)
    assert np.linalg.norm(splats.rotations, axis=1) == pytest.approx(1.0, abs=1e-5)
    statistics = scan_splats(path, path.name, bundle_findings())
    assert statistics.format is SplatFormat.COMPRESSED_PLY
    assert statistics.sample == splats.take(slice(None, None, 2))
