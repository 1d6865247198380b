# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Each field of the contract missing, of a wrong type, or out of range: one fault at a time.

The tables repeat the fields of the contract; the tests compare them with the example, so that
none is forgotten.
"""

from __future__ import annotations

import pytest
import yaml

# Place, type, and whether the field is required (r), expected (e) or optional (o).
FIELDS = {
    'world.yaml': """
        /version version r
        /scene_id text r
        /metadata text r
        /gaussians mapping r
        /gaussians/background text r
        /gaussians/render_config text r
        /geometry mapping r
        /geometry/heightmap text r
        /geometry/heightmap_meta text r
        /geometry/drivable text r
        /geometry/static_mesh text o
        /sensors mapping r
        /sensors/calibration text r
        /sensors/tf_static text r
        /sim mapping r
        /sim/timebase text r
        /preview mapping o
        /preview/overview text o
    """,
    'metadata.json': """
        /version version r
        /scene_id text r
        /created_at text e
        /builder_version text e
        /source mapping e
        /source/type text e
        /source/file text e
        /source/md5 text e
        /source/duration_sec number e
        /source/size_bytes whole e
        /coordinate_system mapping r
        /coordinate_system/map_frame text r
        /coordinate_system/odom_frame text r
        /coordinate_system/base_link_frame text r
        /coordinate_system/convention text r
        /spatial_extent mapping r
        /spatial_extent/min_x number r
        /spatial_extent/max_x number r
        /spatial_extent/min_y number r
        /spatial_extent/max_y number r
        /spatial_extent/min_z number r
        /spatial_extent/max_z number r
        /spatial_extent/units text r
        /sensors mapping e
        /sensors/cameras list e
        /sensors/lidars list e
        /processing_info mapping e
    """,
    'gaussians/render_config.json': """
        /version version r
        /gaussian_format text r
        /sh_degree whole r
        /color_correction mapping e
        /color_correction/white_balance list e
        /color_correction/exposure_compensation number e
        /color_correction/gamma number e
        /rendering mapping e
        /rendering/background_color list e
        /rendering/near_plane number e
        /rendering/far_plane number e
    """,
    'geometry/heightmap.yaml': """
        /version version r
        /width whole r
        /height whole r
        /resolution number r
        /origin mapping r
        /origin/x number r
        /origin/y number r
        /origin/z number r
        /min_height number r
        /max_height number r
    """,
    'sensors/calibration.yaml': """
        /version version r
        /cameras mapping e
        /cameras/front mapping o
        /cameras/front/frame_id text r
        /cameras/front/image_width whole r
        /cameras/front/image_height whole r
        /cameras/front/camera_convention choice r
        /cameras/front/intrinsics mapping r
        /cameras/front/intrinsics/model choice r
        /cameras/front/intrinsics/fx number r
        /cameras/front/intrinsics/fy number r
        /cameras/front/intrinsics/cx number r
        /cameras/front/intrinsics/cy number r
        /cameras/front/intrinsics/distortion_model choice r
        /cameras/front/intrinsics/k1 number r
        /cameras/front/intrinsics/k2 number r
        /cameras/front/intrinsics/p1 number r
        /cameras/front/intrinsics/p2 number r
        /cameras/front/extrinsics mapping r
        /cameras/front/extrinsics/translation list r
        /cameras/front/extrinsics/rotation_quat list r
        /cameras/front/rate_hz number r
        /lidars mapping e
        /lidars/top mapping o
        /lidars/top/frame_id text r
        /lidars/top/extrinsics mapping r
        /lidars/top/extrinsics/translation list r
        /lidars/top/extrinsics/rotation_quat list r
        /lidars/top/spec mapping r
        /lidars/top/spec/model text r
        /lidars/top/spec/channels whole r
        /lidars/top/spec/horizontal_resolution number r
        /lidars/top/spec/vertical_fov list r
        /lidars/top/spec/max_range number r
        /lidars/top/spec/min_range number r
        /lidars/top/rate_hz number r
    """,
    'sensors/tf_static.json': """
        /transforms list r
        /transforms/0/header mapping r
        /transforms/0/header/frame_id text r
        /transforms/0/child_frame_id text r
        /transforms/0/transform mapping r
        /transforms/0/transform/translation mapping r
        /transforms/0/transform/translation/x number r
        /transforms/0/transform/translation/y number r
        /transforms/0/transform/translation/z number r
        /transforms/0/transform/rotation mapping r
        /transforms/0/transform/rotation/x number r
        /transforms/0/transform/rotation/y number r
        /transforms/0/transform/rotation/z number r
        /transforms/0/transform/rotation/w number r
    """,
    'sim/timebase.yaml': """
        /version version r
        /simulation mapping r
        /simulation/dt number r
        /simulation/start_time number r
        /sensor_rates mapping e
        /initial_pose mapping o
        /initial_pose/position list o
        /initial_pose/orientation list o
        /initial_pose/velocity list o
    """,
}
ROWS = [
    (file, *line.split()) for file, table in FIELDS.items() for line in table.strip().splitlines()
]
# Values of a wrong type, by the type of the field, and the codes of their findings.
WRONG = {
    'text': [(7, 'File.NotText'), (' ', 'File.EmptyText')],
    'number': [('fast', 'File.NotNumber'), ('1.5', 'File.NumberAsText')],
    'whole': [(1.5, 'File.NotWhole'), (True, 'File.NotNumber')],
    'list': [({}, 'File.NotList')],
    'mapping': [([], 'File.NotMapping')],
    'choice': [('diagonal', 'File.UnknownChoice'), (7, 'File.NotText')],
    'version': [
        ('1', 'File.VersionMalformed'), ('2.0.0', 'File.VersionUnsupported'),
        ('1.9.0', 'File.VersionNewer'), (1.0, 'File.NotText'),
    ],
}  # fmt: skip
# Codes that follow from a missing field.
FOLLOWS = {
    '/sensors': {'Metadata.SensorNotListed'},
    '/sensors/cameras': {'Metadata.SensorNotListed'},
    '/sensors/lidars': {'Metadata.SensorNotListed'},
    '/cameras': {'Metadata.SensorNotCalibrated'},
    '/lidars': {'Metadata.SensorNotCalibrated'},
    '/sensor_rates': {'Timebase.RateMissing'},
}
# Findings where an optional field is missing; the others leave a valid bundle.
OPTIONAL = {
    '/preview': 'Bundle.Unlisted',
    '/preview/overview': 'Bundle.Unlisted',
    '/geometry/static_mesh': 'Bundle.Unlisted',
    '/cameras/front': 'Metadata.SensorNotCalibrated',
    '/lidars/top': 'Metadata.SensorNotCalibrated',
    '/initial_pose': 'Timebase.StartOffRoad',
    '/initial_pose/position': 'Timebase.StartOffRoad',
}


def places(value, where=''):
    """List all places of a document; only the first of a list of mappings."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield f'{where}/{key}'
            yield from places(each, f'{where}/{key}')
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        yield from places(value[0], f'{where}/0')


def test_the_example_is_valid(mutant):
    """It must have no finding, so that all findings of a mutant come from the mutation."""
    assert mutant.findings() == ()


def test_the_tables_have_every_field(example_folder):
    """A field of the example that is not in the tables would not be mutated."""
    alike = ('/cameras/left', '/cameras/right', '/cameras/rear', '/processing_info/')
    listed = ('/sensor_rates/', '/coordinate_system/origin_')
    for file in FIELDS:
        document = yaml.safe_load((example_folder / file).read_text(encoding='utf-8'))
        known = {where for name, where, *_ in ROWS if name == file}
        there = {at for at in places(document) if not at.startswith((*alike, *listed))}
        assert there <= known, file


@pytest.mark.parametrize(('file', 'where', 'need'), [(f, w, n) for f, w, _, n in ROWS])
def test_a_missing_field_is_found(mutant, file, where, need):
    """A missing required field is an error, a missing expected one a warning, at its place."""
    mutant.remove(file, where)
    if need != 'o':
        code = {'r': 'File.MissingField', 'e': 'File.FieldAbsent'}[need]
        mutant.must_show(code, *FOLLOWS.get(where, ()), file=file, where=where)
    elif where in OPTIONAL:
        mutant.must_show(OPTIONAL[where])
    else:
        assert mutant.findings() == ()


def wrong_types():
    """List all fields with all values of a wrong type."""
    for file, where, kind, _ in ROWS:
        for value, code in WRONG[kind]:
            yield pytest.param(file, where, value, code, id=f'{file}{where}={value!r}')


@pytest.mark.parametrize(('file', 'where', 'value', 'code'), list(wrong_types()))
def test_a_field_of_a_wrong_type_is_found(mutant, file, where, value, code):
    """The finding is at the field, and nothing else is wrong."""
    mutant.put(file, where, value)
    mutant.must_show(code, file=file, where=where)
