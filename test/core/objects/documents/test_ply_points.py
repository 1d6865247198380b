# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Floors in PLY files, as text and binary, valid and invalid."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from world_model_core.objects.documents.json_fields import ObjectMapError
from world_model_core.objects.documents.ply_points import parse_points
from world_model_core.objects.documents.scene_files import load_scene

POINTS = np.array(((1.5, -2.0, 0.0), (3.25, 4.0, -0.5)))
# As tools write it: a comment, colors between the coordinates, faces after the vertices.
HEADER = """ply
format {form} 1.0
comment made by a tool
element vertex {count}
property uchar red
property {kind} x
property {kind} y
property {kind} z
element face 1
property list uchar int vertex_indices
end_header
"""
LINE = '7 1.5 -2.25 0.4 0.6 0.5 1.1 -1.57 "sofa"'


def text_file(points=POINTS, end='\n'):
    """Write a PLY file as text."""
    rows = [f'255 {x!r} {y!r} {z!r}' for x, y, z in points.tolist()]
    header = HEADER.format(form='ascii', count=len(points), kind='double')
    return (header + '\n'.join([*rows, '3 0 1 0'])).replace('\n', end).encode()


def binary_file(order, kind='double', points=POINTS):
    """Write a PLY file as bytes."""
    form = {'<': 'binary_little_endian', '>': 'binary_big_endian'}[order]
    number = order + {'double': 'f8', 'float32': 'f4'}[kind]
    rows = np.zeros(len(points), [('red', 'u1'), ('x', number), ('y', number), ('z', number)])
    rows['x'], rows['y'], rows['z'] = points.T
    return HEADER.format(form=form, count=len(points), kind=kind).encode() + rows.tobytes() + b'\3'


@pytest.mark.parametrize(
    'data',
    [
        text_file(),
        text_file(end='\r\n'),
        binary_file('<'),
        binary_file('>'),
        binary_file('<', 'float32'),
    ],
    ids=['text', 'text of Windows', 'little', 'big', 'single precision'],
)
def test_every_form_gives_the_same_points(data):
    """Other properties and elements are ignored."""
    np.testing.assert_array_equal(parse_points(data), POINTS)


def test_points_that_are_none_are_left_out():
    """Sensors write NaN for missing values."""
    points = np.vstack((POINTS, (np.nan, 0.0, 0.0)))
    for data in (text_file(points), binary_file('<', points=points)):
        np.testing.assert_array_equal(parse_points(data), POINTS)
    assert parse_points(text_file(POINTS[:0])).shape == (0, 3)


@pytest.mark.parametrize(
    ('data', 'complaint'),
    [
        (b'', "begins with b''; a PLY file has a header"),
        (b'ply\nformat ascii 1.0\n', 'a PLY file has a header'),
        (text_file().replace(b'ascii', b'xml'), "format is 'xml'; known: ascii"),
        (text_file().replace(b'format', b'from'), "format is ''; known"),
        (text_file().replace(b'vertex 2', b'vertex -2'), "first element is 'element vertex -2'"),
        (text_file().replace(b'vertex 2', b'face 2'), "first element is 'element face 2'"),
        (text_file().replace(b'uchar red', b'list uchar int r'), 'is not a valid property'),
        (text_file().replace(b'uchar red', b'half red'), "half red' is not a valid property"),
        (text_file().replace(b'double z', b'double y'), r"\['red', 'x', 'y', 'y'\]; x, y and z"),
        (text_file().replace(b'vertex 2', b'vertex 99'), 'fewer than the 99 vertices'),
        (text_file().replace(b'3.25', b'east'), 'is not a row of numbers'),
        (binary_file('<')[:-3], 'fewer than the 2 vertices'),
        (binary_file('<').replace(b'vertex 2', b'vertex 99999999999'), 'fewer than the 99999999'),
    ],
)
def test_broken_files_are_refused(data, complaint):
    """The error has the cause, and no memory is allocated for a wrong header."""
    with pytest.raises(ObjectMapError, match=complaint):
        parse_points(data)


@given(st.binary(), st.integers(0, 400), st.integers(0, 30))
@example(b'\xb2', 24, 1)
def test_any_bytes_give_points_or_an_error(noise, start, length):
    """Any bytes give an ObjectMapError or points."""
    for data in (text_file(), binary_file('<')):
        with contextlib.suppress(ObjectMapError):
            points = parse_points(data[:start] + noise + data[start + length :])
            assert np.isfinite(points).all()


def test_folders_of_the_challenge_have_a_floor(tmp_path):
    """Scene folders contain the list of objects and the drivable floor."""
    (tmp_path / 'object_list.txt').write_text(LINE)
    assert load_scene(tmp_path).traversable is None
    (tmp_path / 'traversable_area.ply').write_bytes(text_file())
    scene = load_scene(tmp_path)
    assert [thing.label for thing in scene.objects] == ['sofa']
    np.testing.assert_array_equal(scene.traversable, POINTS[:, :2])
    (tmp_path / 'traversable_area.ply').write_bytes(b'')
    with pytest.raises(ObjectMapError, match=r'traversable_area\.ply: it begins with'):
        load_scene(tmp_path)


def test_the_table_of_a_scene_comes_before_its_list(tmp_path, shared_data):
    """A folder may contain both: the table also has colors and rooms."""
    folder = shared_data('vla/vla3d/Unity_loft')
    assert (folder / 'object_list.txt').exists()
    for path in folder.glob('*.csv'):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / 'object_list.txt').write_text(LINE)
    (tmp_path / 'loft_free_space_pc_result.ply').write_bytes(binary_file('<'))
    scene = load_scene(tmp_path)
    assert len(scene.objects) == 115
    assert scene.traversable.shape == (2, 2)
