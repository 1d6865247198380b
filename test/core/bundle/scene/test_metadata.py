# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""metadata.json: every field of the contract has an attribute, a type and limits."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from world_model_core.bundle.scene.metadata import read_metadata
from world_model_core.bundle.values import GeoOrigin

VALID = {
    'version': '1.0.0',
    'scene_id': 'nuscenes_scene_0103',
    'created_at': '2026-02-14T10:30:00Z',
    'builder_version': 'gs_world_builder-0.1.0',
    'source': {
        'type': 'mcap',
        'file': 'run_2026_02_14.mcap',
        'md5': 'd41d8cd98f00b204e9800998ecf8427e',
        'duration_sec': 120.5,
        'size_bytes': 1234567890,
    },
    'coordinate_system': {
        'map_frame': 'map',
        'odom_frame': 'odom',
        'base_link_frame': 'base_link',
        'convention': 'ROS2 REP-103 (FLU)',
        'origin_lat': 35.681236,
        'origin_lon': 139.767125,
        'origin_alt': 40.0,
    },
    'spatial_extent': {
        'min_x': -50.0,
        'max_x': 250.0,
        'min_y': -100.0,
        'max_y': 100.0,
        'min_z': -5.0,
        'max_z': 20.0,
        'units': 'meters',
    },
    'sensors': {'cameras': ['front', 'left'], 'lidars': ['top']},
    'processing_info': {'drivesim_commit': 'abc123', 'gs_training_iterations': 30000},
}
FRAMES, EXTENT = '/coordinate_system', '/spatial_extent'


@pytest.fixture
def metadata(small_file):
    """Return metadata.json as a small file."""
    return small_file(read_metadata, 'metadata.json', VALID)


def test_every_field_has_a_typed_attribute(metadata):
    """All fields of the contract are in the value; a valid file has no finding."""
    value, found = metadata.read(VALID)
    assert not found
    assert value.created_at == '2026-02-14T10:30:00Z'
    assert (value.source.md5[:4], value.source.duration) == ('d41d', 120.5)
    assert value.source.size_bytes == 1234567890
    assert value.coordinate_system.origin == GeoOrigin(35.681236, 139.767125, 40.0)
    np.testing.assert_array_equal(value.spatial_extent.lowest, (-50.0, -100.0, -5.0))
    np.testing.assert_array_equal(value.spatial_extent.highest, (250.0, 100.0, 20.0))
    assert (value.cameras, value.lidars) == (('front', 'left'), ('top',))
    assert value.processing_info['gs_training_iterations'] == 30000


@pytest.mark.parametrize(
    'pointer',
    ['/version', '/scene_id', FRAMES, EXTENT]
    + [f'{FRAMES}/{name}' for name in ('map_frame', 'odom_frame', 'base_link_frame')]
    + [f'{FRAMES}/convention']
    + [f'{EXTENT}/{end}_{axis}' for end in ('min', 'max') for axis in 'xyz']
    + [f'{EXTENT}/units'],
)
def test_required_fields_must_be_there(metadata, gone, pointer):
    """A missing field gives one error, at its place."""
    assert metadata.read_changed(pointer, gone)[1] == [('File.MissingField', pointer)]


@pytest.mark.parametrize(
    'pointer',
    ['/created_at', '/builder_version', '/source', '/sensors', '/processing_info']
    + [f'/source/{name}' for name in ('type', 'file', 'md5', 'duration_sec', 'size_bytes')]
    + ['/sensors/cameras', '/sensors/lidars'],
)
def test_expected_fields_should_be_there(metadata, gone, pointer):
    """A missing field gives a warning; the scene can be used."""
    for item in (gone, None):
        value, found = metadata.read_changed(pointer, item)
        assert value is not None
        assert found == [('File.FieldAbsent', pointer)]


def test_the_place_on_earth_is_complete_or_missing(metadata, gone):
    """Latitude, longitude and altitude are required together, or must all be missing."""
    names = [f'{FRAMES}/origin_{name}' for name in ('lat', 'lon', 'alt')]
    for name in names:
        assert metadata.read_changed(name, gone)[1] == [('Metadata.OriginPartial', FRAMES)]
    frames = {name: VALID['coordinate_system'][name] for name in list(VALID[FRAMES[1:]])[:4]}
    value, found = metadata.read_changed(FRAMES, frames)
    assert value.coordinate_system.origin is None
    assert not found


@pytest.mark.parametrize(
    ('pointer', 'item', 'code'),
    [
        ('', ['metadata'], 'File.NotMapping'),
        ('/version', 1, 'File.NotText'),
        ('/scene_id', None, 'File.NotText'),
        ('/created_at', 'yesterday', 'Metadata.CreatedAt'),
        ('/created_at', '2026-02-14T10:30:00', 'Metadata.CreatedAt'),
        ('/created_at', '2026-02-30T10:30:00Z', 'Metadata.CreatedAt'),
        ('/created_at', 1771065000, 'File.NotText'),
        ('/source', [], 'File.NotMapping'),
        ('/source/md5', 'a1b2c3d4...', 'Metadata.Md5'),
        ('/source/duration_sec', -1.0, 'Metadata.Duration'),
        ('/source/duration_sec', '120.5', 'File.NumberAsText'),
        ('/source/size_bytes', -1, 'Metadata.Size'),
        ('/source/size_bytes', 1.5, 'File.NotWhole'),
        (f'{FRAMES}/map_frame', '/map', 'Metadata.FrameName'),
        (f'{FRAMES}/odom_frame', 'map', 'Metadata.FramesEqual'),
        (f'{FRAMES}/convention', 'OpenGL', 'Metadata.Convention'),
        (f'{FRAMES}/origin_lat', 139.767125, 'Metadata.Latitude'),
        (f'{FRAMES}/origin_lon', 181.0, 'Metadata.Longitude'),
        (f'{FRAMES}/origin_alt', 4e5, 'Metadata.Altitude'),
        (f'{EXTENT}/min_x', 300.0, 'Metadata.ExtentReversed'),
        (f'{EXTENT}/min_z', 20.0, 'Metadata.ExtentFlat'),
        (f'{EXTENT}/min_y', -1e6, 'Metadata.ExtentLarge'),
        (f'{EXTENT}/min_y', True, 'File.NotNumber'),
        (f'{EXTENT}/units', 'feet', 'Metadata.Units'),
        (f'{EXTENT}/units', 'm', 'Metadata.UnitsSpelling'),
        ('/sensors/cameras', 'front', 'File.NotList'),
        ('/sensors/cameras/1', 'front', 'Metadata.SensorTwice'),
        ('/sensors/lidars/0', 0, 'File.NotText'),
        ('/sensors/radars', [], 'File.UnknownField'),
        ('/processing_info', [], 'File.NotMapping'),
    ],
)
def test_each_fault_has_its_code_and_place(metadata, pointer, item, code):
    """One fault gives one finding, at its place."""
    assert metadata.read_changed(pointer, item)[1] == [(code, pointer)]


def test_null_island_is_suspicious(metadata):
    """Programs write 0, 0 when they have no position."""
    frames = {**VALID['coordinate_system'], 'origin_lat': 0.0, 'origin_lon': 0}
    assert metadata.read_changed(FRAMES, frames)[1] == [('Metadata.OriginAtZero', FRAMES)]


def test_all_faults_are_found_in_one_pass(metadata):
    """Faults of different fields do not hide each other."""
    broken = {**VALID, 'version': '2.0.0', 'scene_id': 3, 'spatial_extent': {}}
    codes = [code for code, _ in metadata.read(broken)[1]]
    assert codes == ['File.VersionUnsupported', 'File.NotText', *['File.MissingField'] * 7]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=3),
    max_leaves=6,
)
POINTERS = [
    f'/{name}' + (f'/{inner}' if inner else '')
    for name, each in VALID.items()
    for inner in ('', *(each if isinstance(each, dict) else ()))
]


@given(pointer=st.sampled_from(POINTERS), item=JSON)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_content_of_a_field_is_a_value_or_a_finding(metadata, pointer, item):
    """Any JSON at any place is read or reported."""
    metadata.read_changed(pointer, item)
