# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Headers of PLY files: valid ones are read, others are rejected with the line."""

from __future__ import annotations

import contextlib
import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.splats.ply_header import SCALAR_KINDS, SplatError, read_header

NAMES = st.text('abcxyz_019#[é', min_size=1, max_size=8)
COUNTS = st.integers(0, 10**18 - 1)
PROPERTIES = st.lists(
    st.tuples(
        NAMES,
        st.sampled_from(sorted(SCALAR_KINDS)),
        st.sampled_from([None, 'uchar', 'int', 'uint8']),
    ),
    max_size=6,
    unique_by=lambda each: each[0],
)
ELEMENTS = st.lists(
    st.tuples(NAMES, COUNTS, PROPERTIES), max_size=4, unique_by=lambda each: each[0]
)
COMMENTS = st.text(st.characters(exclude_categories=['C', 'Z']), max_size=12)
SMALL = 'ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n'


def statement(name, kind, length):
    """Return the line of a property."""
    return f'property list {length} {kind} {name}' if length else f'property {kind} {name}'


@given(ELEMENTS, COMMENTS, st.sampled_from(['\n', '\r\n']), st.binary(max_size=20))
def test_a_header_is_read_as_it_was_written(elements, comment, ending, rows):
    """Elements, types, lists, comments and size must be those of the file, whatever follows."""
    lines = ['ply', f'comment {comment}', 'format binary_big_endian 1.0', 'obj_info made']
    for name, count, properties in elements:
        lines += [f'element {name} {count}', *(statement(*each) for each in properties)]
    text = ending.join([*lines, 'end_header', '']).encode()
    header = read_header(io.BytesIO(text + rows))
    assert header.order == '>'
    assert header.size == len(text)
    assert header.comments == (comment, 'made')
    assert [(e.name, e.count) for e in header.elements] == [e[:2] for e in elements]
    for element, (*_, properties) in zip(header.elements, elements, strict=True):
        read = [(each.name, each.kind, each.length_kind) for each in element.properties]
        assert read == [
            (name, SCALAR_KINDS[kind], SCALAR_KINDS[length] if length else None)
            for name, kind, length in properties
        ]


@given(st.binary(max_size=300), st.integers(0, len(SMALL)))
def test_any_bytes_give_a_header_or_a_typed_error(noise, kept):
    """Any first bytes of a file must give a value or a SplatError."""
    for data in (noise, SMALL[:kept].encode() + noise, b'ply\n' + noise):
        with contextlib.suppress(SplatError):
            assert read_header(io.BytesIO(data)).size <= len(data)


@pytest.mark.parametrize(
    ('line', 'wrong', 'place'),
    [
        ('ply', 'plyx', 1),
        ('format ascii 1.0', 'format ascii 2.0', 2),
        ('format ascii 1.0', 'format text 1.0', 2),
        ('element vertex 2', 'element vertex -2', 3),
        ('element vertex 2', 'element vertex 2.0', 3),
        ('element vertex 2', 'element vertex ²', 3),
        ('element vertex 2', 'element vertex 9999999999999999999', 3),
        ('element vertex 2', 'comment no element', 4),
        ('property float x', 'property float17 x', 4),
        ('property float x', 'property list float int x', 4),
        ('property float x', 'property float x\nproperty int x', 5),
        ('property float x', 'property float x\nelement vertex 3', 5),
        ('property float x', 'nonsense', 4),
        ('format ascii 1.0', 'format ascii 1.0\nformat ascii 1.0', 3),
    ],
)
def test_a_fault_is_named_by_its_line(line, wrong, place):
    """The finding must name the line to be corrected."""
    with pytest.raises(SplatError) as caught:
        read_header(io.BytesIO(SMALL.replace(line, wrong).encode()))
    assert caught.value.where == f'line {place}'


def test_a_header_has_a_format_and_an_end():
    """Without either no row can be read."""
    for missing in ('format ascii 1.0\n', 'end_header\n'):
        with pytest.raises(SplatError):
            read_header(io.BytesIO(SMALL.replace(missing, '').encode()))


def test_an_endless_header_is_not_read_to_its_end():
    """A header beyond its limit must be rejected, however large the file is."""
    stream = io.BytesIO(b'ply\n' + b'comment long\n' * 200_000)
    with pytest.raises(SplatError):
        read_header(stream)
    assert stream.tell() <= 1 << 20


def test_the_effort_for_a_header_is_proportional_to_its_lines():
    """Tens of thousands of elements fit into a header, and must not take seconds."""

    def calls(elements):
        """Count the calls of functions; a comprehension over all elements counts each."""
        lines = ''.join(f'element e{at} 0\n' for at in range(elements))
        text = f'ply\nformat ascii 1.0\n{lines}end_header\n'
        counted = 0

        def count(*_):
            nonlocal counted
            counted += 1

        sys.setprofile(count)
        try:
            read_header(io.BytesIO(text.encode()))
        finally:
            sys.setprofile(None)
        return counted

    assert calls(2000) < 12 * calls(200)
