# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Splats in NPZ archives: those of any NumPy are read, and hostile ones do no harm."""

from __future__ import annotations

import io
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.splats import splat_npz as npz
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import ConventionSource
from world_model_core.bundle.splats.splat_scan import scan_splats
from world_model_core.bundle.splats.splat_source import SplatFormat
from world_model_core.bundle.splats.splats import read_splats

COUNT = 20


def arrays(**changed):
    """Make the arrays of the contract."""
    chance = np.random.default_rng(6)
    made = {
        'positions': chance.normal(size=(COUNT, 3)),
        'scales': chance.normal(-4, 1, (COUNT, 3)),
        'rotations': np.tile([0.0, 0.0, 0.0, 1.0], (COUNT, 1)),
        'opacities': chance.normal(0, 4, (COUNT, 1)),
        'sh_dc': chance.normal(size=(COUNT, 3)),
        'sh_rest': chance.normal(size=(COUNT, 3, 3)),
    }
    made = {name: each.astype(np.float32) for name, each in made.items()} | changed
    return {name: each for name, each in made.items() if each is not None}


def packed(save=np.savez, **changed):
    """Make an archive."""
    stream = io.BytesIO()
    save(stream, **arrays(**changed))
    return stream.getvalue()


def read(data, folder):
    """Read and scan; both must find the same."""
    path = folder / 'splats.npz'
    path.write_bytes(data)
    findings, scanned = bundle_findings(), bundle_findings()
    splats = read_splats(path, 'splats.npz', findings)
    statistics = scan_splats(path, 'splats.npz', scanned)
    assert findings.all == scanned.all
    assert (splats is None) == (statistics is None) == bool(findings.errors)
    assert statistics is None or statistics.format is SplatFormat.NPZ
    return splats, findings


def codes(findings):
    """Return the codes of the errors."""
    return [each.rule.code for each in findings.errors]


@pytest.mark.parametrize('save', [np.savez, np.savez_compressed])
@pytest.mark.parametrize('order', ['C', 'F'])
@pytest.mark.parametrize('kind', ['<f4', '>f4', '<f8', '<f2'])
def test_arrays_of_any_kind_and_layout_are_read(tmp_path, monkeypatch, save, order, kind):
    """Type, byte order, axis order and compression change the values by rounding only."""
    monkeypatch.setattr(npz, 'BLOCK', 7)
    made = {name: np.asarray(each, kind, order=order) for name, each in arrays().items()}
    splats, findings = read(packed(save, **made), tmp_path)
    for name, each in made.items():
        assert np.array_equal(getattr(splats, name), each.astype(np.float32)), name
        assert getattr(splats, name).flags.c_contiguous
    warned = 'Splats.PropertyType' in {each.rule.code for each in findings.all}
    assert warned == (kind != '<f4')
    assert splats.conventions.quaternions is QuaternionOrder.XYZW
    assert splats.conventions.quaternions_known is ConventionSource.DECLARED


def test_higher_degrees_may_be_missing(tmp_path):
    """Only sh_rest is optional."""
    splats, _ = read(packed(sh_rest=None), tmp_path)
    assert splats.sh_rest.shape == (COUNT, 0, 3)
    for name in ('positions', 'scales', 'rotations', 'opacities', 'sh_dc'):
        _, findings = read(packed(**{name: None}), tmp_path)
        assert codes(findings) == ['Splats.MissingProperty']
        assert findings.errors[0].values['found'] == name


@pytest.mark.parametrize(
    ('name', 'shape'),
    [
        ('positions', (COUNT, 4)), ('positions', (3, COUNT)), ('scales', (COUNT - 1, 3)),
        ('rotations', (COUNT, 3)), ('opacities', (COUNT,)), ('sh_dc', (COUNT, 1, 3)),
        ('sh_rest', (COUNT, 9)), ('sh_rest', (COUNT, 3, 15)), ('positions', ()),
    ],
)  # fmt: skip
def test_other_shapes_are_errors(tmp_path, name, shape):
    """An array of another shape must be reported with both shapes."""
    _, findings = read(packed(**{name: np.zeros(shape, np.float32)}), tmp_path)
    assert set(codes(findings)) == {'Splats.NpzShape'}
    # If positions are wrong, all others differ from them.
    assert findings.errors[0].where.startswith('/')


@pytest.mark.parametrize('count', [1, 7, 9])
def test_coefficients_of_no_degree_are_an_error(tmp_path, count):
    """As in PLY files: 0, 3, 8, 15 or 24 per color."""
    _, findings = read(packed(sh_rest=np.zeros((COUNT, count, 3), np.float32)), tmp_path)
    assert codes(findings) == ['Splats.ShCount']


@pytest.mark.parametrize(
    'array',
    [
        np.array([[object()] * 3] * COUNT),
        np.zeros((COUNT, 3), np.complex64),
        np.full((COUNT, 3), 'text'),
        np.zeros((COUNT, 3), [('a', 'f4')]),
    ],
)
def test_nothing_but_numbers_is_read(tmp_path, array):
    """Objects are never unpickled, and texts are not positions."""
    _, findings = read(packed(positions=array), tmp_path)
    assert codes(findings) == ['Splats.Npz']


def test_a_header_beyond_the_data_is_an_error(tmp_path):
    """A shape beyond the bytes of the array must be found before memory is allocated."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, 'w') as archive:
        for name, each in arrays().items():
            header = io.BytesIO()
            shape = (10**12, *each.shape[1:])
            np.lib.format.write_array_header_1_0(
                header, {'descr': '<f4', 'fortran_order': False, 'shape': shape}
            )
            archive.writestr(f'{name}.npy', header.getvalue() + each.tobytes())
    tracemalloc.start()
    try:
        _, findings = read(stream.getvalue(), tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert codes(findings) == ['Splats.Truncated']
    assert peak < 1_000_000


def test_a_shape_has_no_negative_sides(tmp_path):
    """A header is a text and may contain any shape."""
    data = packed().replace(b"'shape': (20, 3)", b"'shape': (-2, 3)")
    _, findings = read(data, tmp_path)
    assert codes(findings) == ['Splats.Npz']


def test_a_bomb_is_not_unpacked(tmp_path):
    """Half a gigabyte of zeros in half a megabyte must be rejected by its directory."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(stream, 'w', zipfile.ZIP_DEFLATED) as archive,
        archive.open('positions.npy', 'w') as member,
    ):
        for _ in range(70):
            member.write(bytes(1 << 20))
    tracemalloc.start()
    try:
        _, findings = read(stream.getvalue(), tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert codes(findings) == ['Splats.NpzTooLarge']
    assert peak < 1_000_000


def test_two_arrays_of_one_name_are_an_error(tmp_path):
    """Two arrays of one name are ambiguous."""
    stream = io.BytesIO(packed())
    with zipfile.ZipFile(stream, 'a') as archive, pytest.warns(UserWarning, match='Duplicate'):
        archive.writestr('positions.npy', b'')
    _, findings = read(stream.getvalue(), tmp_path)
    assert codes(findings) == ['Splats.Npz']


def test_other_arrays_are_reported(tmp_path):
    """An unused array is not an error, but is reported."""
    _, findings = read(packed(labels=np.zeros(3)), tmp_path)
    extra = [e for e in findings.all if e.rule.code == 'Splats.ExtraProperties']
    assert extra[0].values['found'] == 'labels'


@pytest.mark.parametrize('declared', [np.array(3.0), np.array('x' * 5000), np.array(['a', 'b'])])
def test_a_declaration_is_one_short_text(tmp_path, declared):
    """Other arrays declare nothing, and do no harm."""
    splats, _ = read(packed(conventions=declared), tmp_path)
    assert splats.conventions.scales_known is ConventionSource.GUESSED


@settings(max_examples=150)
@given(data=st.data())
def test_any_damage_gives_splats_or_findings(tmp_path_factory, data):
    """Bytes changed, removed and added must give findings or valid splats."""
    save = data.draw(st.sampled_from([np.savez, np.savez_compressed]))
    raw = bytearray(packed(save))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw)))
        raw[place : place + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    read(bytes(raw), tmp_path_factory.mktemp('damaged'))
