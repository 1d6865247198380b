# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Splats in PLY files: all valid variants, and invalid ones."""

from __future__ import annotations

import struct
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.splats import ply_lists, ply_text
from world_model_core.bundle.splats import ply_rows as ply
from world_model_core.bundle.splats.splat_scan import scan_splats
from world_model_core.bundle.splats.splats import read_splats

FIELDS = {
    'positions': ['x', 'y', 'z'],
    'scales': ['scale_0', 'scale_1', 'scale_2'],
    'rotations': ['rot_0', 'rot_1', 'rot_2', 'rot_3'],
    'opacities': ['opacity'],
    'sh_dc': ['f_dc_0', 'f_dc_1', 'f_dc_2'],
}
NAMES = [name for names in FIELDS.values() for name in names]
DECLARED = 'comment splats quaternions=xyzw scales=linear opacities=linear'
CODES = {'char': 'b', 'uchar': 'B', 'short': 'h', 'ushort': 'H', 'int': 'i', 'uint': 'I',
         'float': 'f', 'double': 'd'}  # fmt: skip
FORMATS = {'binary_little_endian': '<', 'binary_big_endian': '>', 'ascii': None}


def value(name, row, coefficients):
    """Return a legal value of a Gaussian that identifies its row and name."""
    if name.startswith('f_rest_'):
        return row * 3 * coefficients + int(name[7:])
    return 1 if name in ('opacity', 'rot_3') else (NAMES.index(name) + row) % 100


class Made:
    """A PLY file that is built number by number."""

    def __init__(self, form, ending='\n'):
        self.order, self.ending = FORMATS[form], ending
        self.lines = ['ply', f'format {form} 1.0', DECLARED]
        self.rows = []

    def element(self, name, count, properties, values):
        """Add an element; properties are (name, type, type of length or None)."""
        self.lines.append(f'element {name} {count}')
        for each, kind, length in properties:
            self.lines.append(
                f'property list {length} {kind} {each}' if length else f'property {kind} {each}'
            )
        for row in range(count):
            self.rows.append(
                [
                    (kind, length, values(each, row, length is not None))
                    for each, kind, length in properties
                ]
            )

    def data(self):
        """Return the bytes of the file."""
        head = self.ending.join([*self.lines, 'end_header', '']).encode()
        parts = [self._text(row) if self.order is None else self._bytes(row) for row in self.rows]
        return head + b''.join(parts)

    def _text(self, row):
        words = []
        for _, length, numbers in row:
            words += [len(numbers), *numbers] if length else [numbers]
        return (' '.join(map(repr, words)) + self.ending).encode()

    def _bytes(self, row):
        data = b''
        for kind, length, numbers in row:
            if length:
                data += struct.pack(self.order + CODES[length], len(numbers))
            for number in numbers if length else [numbers]:
                data += struct.pack(self.order + CODES[kind], number)
        return data


def read(data, folder, **conventions):
    """Read splats from bytes, by the reader and by the scan, which must find the same."""
    path = folder / 'made.ply'
    path.write_bytes(data)
    findings, scanned = bundle_findings(), bundle_findings()
    splats = read_splats(path, 'made.ply', findings, **conventions)
    statistics = scan_splats(path, 'made.ply', scanned, **conventions)
    assert findings.all == scanned.all
    assert (splats is None) == (statistics is None) == bool(findings.errors)
    return splats, findings


def codes(findings):
    """Return the codes of the findings."""
    return {each.rule.code for each in findings.all}


@st.composite
def mixtures(draw):
    """Draw any order and type of properties, with other properties and lists between them."""
    coefficients = draw(st.sampled_from([0, 3, 8]))
    names = NAMES + [f'f_rest_{at}' for at in range(3 * coefficients)]
    plain = draw(st.sampled_from(['float', 'double', None]))
    kinds = st.just(plain) if plain else st.sampled_from(['float', 'double', 'short', 'int'])
    properties = [(name, draw(kinds), None) for name in draw(st.permutations(names))]
    for extra in range(draw(st.integers(0, 2))):
        length = draw(st.sampled_from([None, 'uchar', 'short']))
        kind = draw(st.sampled_from(sorted(CODES)))
        place = draw(st.integers(0, len(properties)))
        properties.insert(place, (f'extra{extra}', kind, length))
    others = st.lists(
        st.tuples(
            st.sampled_from(sorted(CODES)), st.sampled_from([None, 'uchar', 'int', 'ushort'])
        ),
        max_size=3,
    )
    return (
        Made(draw(st.sampled_from(sorted(FORMATS))), draw(st.sampled_from(['\n', '\r\n']))),
        coefficients, draw(st.integers(1, 9)), properties, draw(others), draw(others),
        draw(st.lists(st.integers(0, 4), min_size=1, max_size=7)),
    )  # fmt: skip


@settings(max_examples=150)
@given(mixtures())
def test_any_order_and_type_gives_the_same_splats(tmp_path_factory, mixture):
    """The values of splats must be found by name, whatever properties are around them."""
    made, coefficients, count, properties, before, after, lengths = mixture

    def values(name, row, is_list):
        if is_list:
            return [7] * lengths[row % len(lengths)]
        return value(name, row, coefficients) if name[:5] not in ('extra', 'other') else 3

    def other(name, kinds):
        columns = [(f'other{at}', kind, length) for at, (kind, length) in enumerate(kinds)]
        made.element(name, count + 1, columns, values)

    other('before', before)
    made.element('vertex', count, properties, values)
    other('after', after)
    splats, findings = read(made.data(), tmp_path_factory.mktemp('made'))
    assert not codes(findings) - {
        'Splats.ExtraProperties', 'Splats.ExtraElements', 'Splats.PropertyType', 'Splats.Ascii',
        'Splats.BigEndian', 'Splats.NotUnitQuaternion',
    }  # fmt: skip
    for field, names in FIELDS.items():
        expected = [[value(name, row, coefficients) for name in names] for row in range(count)]
        assert np.array_equal(getattr(splats, field), np.array(expected, np.float32))
    channels = np.arange(3 * coefficients * count, dtype=np.float32)
    expected = channels.reshape(count, 3, coefficients).swapaxes(1, 2)
    assert np.array_equal(splats.sh_rest, expected)
    assert all(getattr(splats, field).flags.c_contiguous for field in [*FIELDS, 'sh_rest'])


def simple(form='binary_little_endian', count=3, names=NAMES):
    """Make a file of floats."""
    made = Made(form)
    made.element(
        'vertex', count, [(name, 'float', None) for name in names], lambda n, r, _: value(n, r, 0)
    )
    return made.data()


@pytest.mark.parametrize('form', FORMATS)
def test_blocks_do_not_matter(form, tmp_path, monkeypatch):
    """A file of many blocks must give the same as one of a single block."""
    data = simple(form, count=103)
    whole, _ = read(data, tmp_path)
    monkeypatch.setattr(ply, 'BLOCK_SIZE', 7 * 56)
    monkeypatch.setattr(ply_text, 'BLOCK', 7 * 14)
    parts, _ = read(data, tmp_path)
    assert parts == whole


@pytest.mark.parametrize('form', FORMATS)
@given(cut=st.integers(1, 80))
def test_a_file_that_was_cut_off_is_an_error(tmp_path_factory, form, cut):
    """No row may be invented where the file ends."""
    data = simple(form)
    # Nothing is lost if only the end of the last line is missing.
    cut = max(cut, 3) if form == 'ascii' else cut
    splats, findings = read(data[:-cut], tmp_path_factory.mktemp('cut'))
    assert splats is None
    assert codes(findings) & {'Splats.Truncated', 'Splats.CutOff', 'Splats.BadRow'}


@pytest.mark.parametrize('form', FORMATS)
def test_bytes_after_the_last_row_are_reported(form, tmp_path):
    """A count that is too small, or a type too short, shows at the end of the file."""
    splats, findings = read(simple(form) + b'1 2 3', tmp_path)
    assert splats.count == 3
    assert 'Splats.TrailingBytes' in codes(findings)


@pytest.mark.parametrize('name', NAMES)
def test_every_property_of_the_contract_is_required(name, tmp_path):
    """A missing property must be named."""
    names = [each for each in NAMES if each != name]
    splats, findings = read(simple(names=names), tmp_path)
    assert splats is None
    assert [each.rule.code for each in findings.errors] == ['Splats.MissingProperty']
    assert findings.errors[0].values['found'] == name


@pytest.mark.parametrize('count', [1, 8, 10, 27, 44, 46, 75])
def test_coefficients_of_no_degree_are_an_error(count, tmp_path):
    """Only 0, 9, 24, 45 and 72 coefficients belong to a degree."""
    names = NAMES + [f'f_rest_{at}' for at in range(count)]
    made = Made('binary_little_endian')
    made.element('vertex', 1, [(name, 'float', None) for name in names], lambda *_: 1.0)
    _, findings = read(made.data(), tmp_path)
    assert [each.rule.code for each in findings.errors] == ['Splats.ShCount']


def test_a_gap_among_coefficients_is_an_error(tmp_path):
    """f_rest_9 instead of f_rest_8 must not count as degree 1."""
    names = NAMES + [f'f_rest_{at}' for at in (0, 1, 2, 3, 4, 5, 6, 7, 9)]
    made = Made('ascii')
    made.element('vertex', 1, [(name, 'float', None) for name in names], lambda *_: 1.0)
    _, findings = read(made.data(), tmp_path)
    assert findings.errors[0].values['found'] == 'f_rest_8'


def test_the_degree_is_that_of_the_configuration(tmp_path):
    """A degree other than that in render_config.json must be found."""
    _, findings = read(simple(), tmp_path, sh_degree=3)
    assert [each.rule.code for each in findings.errors] == ['Splats.ShDegree']
    assert read(simple(), tmp_path, sh_degree=0)[0] is not None


def test_bytes_of_color_replace_coefficients(tmp_path):
    """Files with red, green and blue only must keep their colors, with a warning."""
    names = [name for name in NAMES if not name.startswith('f_dc')]
    made = Made('binary_little_endian')
    columns = [(name, 'float', None) for name in names]
    columns += [(name, 'uchar', None) for name in ('red', 'green', 'blue')]
    colors = {'red': 255, 'green': 0, 'blue': 51}
    made.element(
        'vertex', 2, columns, lambda n, r, _: colors[n] if n in colors else value(n, r, 0)
    )
    splats, findings = read(made.data(), tmp_path)
    assert splats.colors[1] == pytest.approx([1.0, 0.0, 0.2], abs=1e-6)
    assert 'Splats.ColorsFromBytes' in codes(findings)


@pytest.mark.parametrize(
    ('row', 'where'),
    [
        (b'1.0000000000000 2.0000000000000 3', 'line 20'),
        (b'x' + b' 1' * 13, 'line 20'),
        (b'1 ' * 15, 'line 20'),
    ],
)
def test_a_line_that_cannot_be_read_is_named(row, where, tmp_path):
    """Rows must not shift: each line has a fixed number of values."""
    lines = simple('ascii').split(b'\n')
    lines[19] = row
    _, findings = read(b'\n'.join(lines), tmp_path)
    assert [(e.rule.code, e.where) for e in findings.errors] == [('Splats.BadRow', where)]


@pytest.mark.parametrize(
    'change',
    [
        (b'element vertex 3', b'element vertex 999999999999999999'),
        (b'element vertex 3', b'element huge 999999999999999999\nelement vertex 3'),
        (b'element vertex 3', b'element huge 99999999999999\nproperty int a\nelement vertex 3'),
        (b'element vertex 3', b'element huge 9\nproperty list uint double a\nelement vertex 3'),
        (b'element vertex 3', b'element vertex 3\nproperty list int int a'),
        (b'element vertex 3', b'element vertex 99999\nproperty list uchar int a'),
    ],
)
@pytest.mark.parametrize('form', FORMATS)
def test_a_hostile_header_allocates_nothing(form, change, tmp_path):
    """Memory must be bounded by the size of the file, not by its header."""
    data = simple(form).replace(*change) + b'\x7f' * 8
    read(data, tmp_path)
    tracemalloc.start()
    try:
        read(data, tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000


@pytest.mark.parametrize('block', [1, 60, 200, 1 << 20])
def test_blocks_do_not_matter_for_rows_with_lists(tmp_path, monkeypatch, block):
    """Rows of varying lengths must be found wherever a block of bytes ends, also within one."""
    monkeypatch.setattr(ply_lists, 'BLOCK_SIZE', block)
    properties = [(name, 'float', None) for name in NAMES]
    properties.insert(5, ('among', 'short', 'uchar'))
    properties.append(('after', 'double', 'ushort'))
    made = Made('binary_big_endian')
    made.element('before', 30, [('l', 'int', 'char')], lambda *row: [1] * (row[1] % 4))
    made.element('vertex', 30, properties, lambda n, r, s: [2] * (r % 3) if s else value(n, r, 0))
    splats, findings = read(made.data(), tmp_path)
    assert not findings.errors
    expected = [[value(name, row, 0) for name in FIELDS['rotations']] for row in range(30)]
    assert np.array_equal(splats.rotations, expected)


def test_too_many_lists_are_rejected(tmp_path, monkeypatch):
    """Lists are read one by one, so their number must be bounded."""
    monkeypatch.setattr(ply_lists, 'LISTS', 2)
    made = Made('binary_little_endian')
    properties = [('l', 'int', 'char'), *((name, 'float', None) for name in NAMES)]
    made.element('vertex', 3, properties, lambda n, r, s: [] if s else value(n, r, 0))
    _, findings = read(made.data(), tmp_path)
    assert [each.rule.code for each in findings.errors] == ['Splats.TooManyLists']


def test_lists_that_lead_out_of_the_file_are_errors(tmp_path):
    """A negative or huge length must be reported, and nothing be read with it."""
    properties = [('skipped', 'double', 'int'), *((name, 'float', None) for name in NAMES)]
    for length in (-1, 2**31 - 1, 100):
        made = Made('binary_little_endian')
        made.element('vertex', 1, properties, lambda n, r, s: [] if s else value(n, r, 0))
        data = made.data()
        place = data.index(b'end_header\n') + len(b'end_header\n')
        data = data[:place] + struct.pack('<i', length) + data[place + 4 :]
        _, findings = read(data, tmp_path)
        assert [each.rule.code for each in findings.errors] == ['Splats.ListLength']


@settings(max_examples=200)
@given(data=st.data())
def test_any_damage_gives_splats_or_findings(tmp_path_factory, data):
    """Bytes changed, removed and added must give findings or valid splats."""
    raw = bytearray(simple(data.draw(st.sampled_from(sorted(FORMATS)))))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw)))
        raw[place : place + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    splats, _ = read(bytes(raw), tmp_path_factory.mktemp('damaged'))
    if splats is not None:
        assert np.isfinite(splats.quaternions).all()
        assert ((splats.alphas >= 0) & (splats.alphas <= 1)).all()
        assert (splats.sizes >= 0).all()


def test_a_pointer_of_git_lfs_is_named(tmp_path):
    """A Git LFS pointer must be reported as such, not as a bad header."""
    pointer = b'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 123\n'
    assert codes(read(pointer, tmp_path)[1]) == {'Splats.LfsPointer'}


@pytest.mark.parametrize('data', [b'', b'glTF\2\0\0\0', b'\x1f\x8b\x08', b'solid', b'<html>'])
def test_files_of_other_kinds_are_named(data, tmp_path):
    """Files that are neither PLY nor NPZ must be rejected by their first bytes."""
    assert codes(read(data, tmp_path)[1]) == {'Splats.Format'}


def test_a_file_without_gaussians_is_an_error(tmp_path):
    """A scene is never empty; a mesh or an empty table must be rejected."""
    assert codes(read(simple(count=0), tmp_path)[1]) == {'Splats.Empty'}
    mesh = simple().replace(b'element vertex', b'element face')
    assert codes(read(mesh, tmp_path)[1]) == {'Splats.MissingElement'}


def test_a_folder_in_the_place_of_the_file_is_an_error(tmp_path):
    """Errors of the operating system must be findings, too."""
    findings = bundle_findings()
    assert read_splats(tmp_path, 'folder', findings) is None
    assert codes(findings) == {'Splats.Unreadable'}
