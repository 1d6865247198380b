# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Heights, splats, roads and meshes that are wrong, or of different places."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
import yaml

SPLATS, RENDER = 'gaussians/background.splat.ply', 'gaussians/render_config.json'
HEIGHTS, HEIGHTMAP = 'geometry/heightmap.bin', 'geometry/heightmap.yaml'
DRIVABLE, METADATA = 'geometry/drivable.geojson', 'metadata.json'
TIMEBASE = 'sim/timebase.yaml'
REQUIRED = (
    'x', 'y', 'z', 'scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3',
    'opacity', 'f_dc_0', 'f_dc_1', 'f_dc_2',
)  # fmt: skip
# Codes that follow where the ground is not where the rest of the scene is.
ELSEWHERE = {
    'Drivable.GroundMissing', 'Drivable.NoGround', 'Heightmap.FlatUnderMesh',
    'Heightmap.OutsideExtent', 'Mesh.AboveGround', 'Mesh.BelowGround',
    'Mesh.NotOverGround', 'Splats.BelowGround', 'Splats.NotOverGround', 'Timebase.StartOffGround',
    'Timebase.StartWithoutGround',
}  # fmt: skip


def heights(mutant):
    """Read the heights, shape (height, width)."""
    meta = yaml.safe_load((mutant / HEIGHTMAP).read_text())
    return np.fromfile(mutant / HEIGHTS, '<f4').reshape(meta['height'], meta['width'])


def splats(mutant):
    """Read the splats: header, and a structured array that can be changed."""
    header, _, rows = (mutant / SPLATS).read_bytes().partition(b'end_header\n')
    names = [line.split()[-1].decode() for line in header.splitlines() if b'property' in line]
    return header, np.frombuffer(rows, [(name, '<f4') for name in names]).copy()


def put_splats(mutant, header, rows):
    """Write splats."""
    mutant.write(SPLATS, header + b'end_header\n' + rows.tobytes())


@pytest.mark.parametrize(
    ('code', 'order'),
    [
        ('Heightmap.LooksTransposed', np.transpose),
        ('Heightmap.LooksUpsideDown', lambda grid: grid[::-1]),
        ('Heightmap.LooksMirrored', lambda grid: grid[:, ::-1]),
        ('Heightmap.LooksTurned', lambda grid: grid[::-1, ::-1]),
    ],
)
def test_heights_in_another_order_are_found(mutant, code, order):
    """The file has the same length, and its heights are the same in another order."""
    mutant.write(HEIGHTS, order(heights(mutant)).tobytes())
    mutant.must_show(code, 'Heightmap.LooksExchanged', *ELSEWHERE, file=HEIGHTS)


def test_width_and_height_exchanged_are_found(mutant):
    """The size of the file is still right."""

    def exchange(meta):
        meta['width'], meta['height'] = meta['height'], meta['width']

    mutant.edit(HEIGHTMAP, exchange)
    mutant.must_show('Heightmap.LooksExchanged', *ELSEWHERE, file=HEIGHTMAP, where='/width')


@pytest.mark.parametrize(
    ('code', 'change'),
    [
        ('Heightmap.ByteOrder', lambda grid: grid.astype('>f4')),
        ('Heightmap.WrongSize', lambda grid: grid.astype('<f8')),
        ('Heightmap.OutOfRange', lambda grid: grid * np.float32(1000.0)),
        ('Heightmap.OutOfRange', lambda grid: np.where(grid == grid[3, 5], -9999.0, grid)),
        ('Heightmap.Infinite', lambda grid: np.where(grid == grid[3, 5], np.inf, grid)),
        ('Heightmap.NoHeights', lambda grid: np.full_like(grid, np.nan)),
        ('Heightmap.Flat', lambda grid: np.full_like(grid, grid.min())),
    ],
)
def test_values_that_are_not_heights_are_found(mutant, code, change):
    """Heights of another type, unit or byte order must be found."""
    changed = change(heights(mutant))
    kept = changed.dtype.newbyteorder('=').itemsize == 8 and code != 'Heightmap.WrongSize'
    mutant.write(HEIGHTS, (changed.astype('<f4') if kept else changed).tobytes())
    mutant.must_show(code, 'Heightmap.LooksLikeNoData', 'Drivable.OffGround', *ELSEWHERE)


@pytest.mark.parametrize('shift', [(1e3, 0.0), (0.0, -1e3)])
def test_ground_that_is_elsewhere_is_found(mutant, shift):
    """An origin that is off by a kilometer must be found."""
    for axis, meters in zip('xy', shift, strict=True):
        origin = yaml.safe_load((mutant / HEIGHTMAP).read_text())['origin'][axis]
        mutant.put(HEIGHTMAP, f'/origin/{axis}', origin + meters)
    mutant.must_show('Drivable.NoGround', *ELSEWHERE, file=DRIVABLE)


def test_holes_in_the_ground_are_allowed_off_the_road(mutant):
    """NaN is unknown ground: a warning only where driving is allowed."""
    grid = heights(mutant).copy()
    grid[-9:, :9] = np.nan
    mutant.write(HEIGHTS, grid.tobytes())
    assert mutant.findings() == ()
    grid[:, :] = np.nan
    grid[60:75, :] = heights(mutant)[60:75, :]
    mutant.write(HEIGHTS, grid.tobytes())
    mutant.must_show('Drivable.GroundMissing', *ELSEWHERE, 'Heightmap.RangeRounded', file=DRIVABLE)


@pytest.mark.parametrize('name', REQUIRED)
def test_a_missing_property_of_splats_is_found(mutant, name):
    """Each required property must be found missing."""
    header, rows = splats(mutant)
    put_splats(mutant, header.replace(f' {name}\n'.encode(), b' other\n'), rows)
    mutant.must_show('Splats.MissingProperty', file=SPLATS)


@pytest.mark.parametrize(
    ('code', 'name', 'value'),
    [
        *(('Splats.NotANumber', name, np.nan) for name in REQUIRED),
        ('Splats.NotANumber', 'f_rest_0', np.nan),
        ('Splats.Infinite', 'x', np.inf),
        ('Splats.Infinite', 'scale_1', np.inf),
        ('Splats.Infinite', 'rot_0', -np.inf),
        ('Splats.Infinite', 'f_dc_2', np.inf),
        ('Splats.Infinite', 'f_rest_8', -np.inf),
        ('Splats.NotUnitQuaternion', 'rot_3', 7.0),
    ],
)
def test_a_wrong_number_in_the_last_row_is_found(mutant, code, name, value):
    """One wrong number in the last of all rows must be found."""
    header, rows = splats(mutant)
    rows[name][-1] = value
    put_splats(mutant, header, rows)
    mutant.must_show(code, 'Splats.NotUnitQuaternion', file=SPLATS)


@pytest.mark.parametrize(('name', 'value'), [('opacity', np.inf), ('scale_0', -np.inf)])
def test_infinities_that_mean_something_are_allowed(mutant, name, value):
    """Opaque and flat splats of real files have infinities."""
    header, rows = splats(mutant)
    rows[name][-1] = value
    put_splats(mutant, header, rows)
    assert mutant.findings() == ()


def test_a_quaternion_of_zero_is_found(mutant):
    """A quaternion of zero has no direction."""
    header, rows = splats(mutant)
    for name in ('rot_0', 'rot_1', 'rot_2', 'rot_3'):
        rows[name][7] = 0.0
    put_splats(mutant, header, rows)
    mutant.must_show('Splats.ZeroQuaternion', 'Splats.NotUnitQuaternion', file=SPLATS)


def test_fewer_or_more_rows_than_the_header_says_are_found(mutant):
    """Fewer are an error, more a warning."""
    header, rows = splats(mutant)
    put_splats(mutant, header, rows[:-1])
    mutant.must_show('Splats.Truncated', file=SPLATS)
    put_splats(mutant, header, np.append(rows, rows[:1]))
    mutant.must_show('Splats.TrailingBytes', file=SPLATS)


def test_undeclared_conventions_are_reported(mutant):
    """A guess must be reported, and is not a warning."""
    header, rows = splats(mutant)
    lines = [line for line in header.splitlines(keepends=True) if b'comment' not in line]
    put_splats(mutant, b''.join(lines), rows)
    codes = {each.rule.code for each in mutant.findings()}
    assert {'Splats.ScalesGuessed', 'Splats.OpacitiesGuessed'} <= codes


@pytest.mark.parametrize(
    ('code', 'change'),
    [
        ('Splats.NotOverGround', lambda x, y, z: (x + 1e3, y, z)),
        ('Splats.SmallInExtent', lambda x, y, z: (0.01 * x, 0.01 * y, 0.01 * z)),
        ('Splats.OutsideExtent', lambda x, y, z: (x + 20.0, y, z)),
        ('Splats.OutsideExtent', lambda x, y, z: (x, -z, y)),
        ('Splats.BelowGround', lambda x, y, z: (x, y, z - 10.0)),
    ],
)
def test_splats_of_another_frame_or_unit_are_found(mutant, code, change):
    """Splats that are moved, normalized by a training, with y up, or too low must be found."""
    header, rows = splats(mutant)
    for name, each in zip('xyz', change(*(rows[name].copy() for name in 'xyz')), strict=True):
        rows[name] = each
    put_splats(mutant, header, rows)
    # Where only the positions are turned, no order of quaternions fits them.
    consequences = (
        'Splats.OutsideExtent', 'Splats.BelowGround', 'Splats.NotOverGround',
        'Splats.QuaternionOrderContradicted',
    )  # fmt: skip
    mutant.must_show(code, *consequences, file=SPLATS)


@pytest.mark.parametrize(
    ('code', 'name', 'number'),
    [
        ('Splats.TooLarge', 'x', 3e38), ('Splats.TooLarge', 'z', -1e9),
        ('Splats.TooLarge', 'scale_1', 3e38), ('Splats.TooLarge', 'scale_1', 19.0),
        ('Splats.TooLarge', 'f_dc_0', 3e38),
    ],
)  # fmt: skip
def test_a_number_that_is_too_large_is_found(mutant, code, name, number):
    """A single diverged gaussian must not be silent."""
    header, rows = splats(mutant)
    rows[name][7] = number
    put_splats(mutant, header, rows)
    mutant.must_show(code, file=SPLATS)


def test_gaussians_at_one_point_are_found(mutant):
    """An export without positions has the right size."""
    header, rows = splats(mutant)
    for name in 'xyz':
        rows[name] = 0.0
    put_splats(mutant, header, rows)
    mutant.must_show('Splats.OnePoint', 'Splats.NotOverGround', file=SPLATS)


@pytest.mark.parametrize(
    ('where', 'change'),
    [('max_x', -60.0), ('min_x', 60.0), ('max_y', -30.0), ('min_y', 30.0), ('max_z', -12.0)],
)
def test_an_extent_that_is_too_small_is_found(mutant, where, change):
    """Splats beyond the extent must be found."""
    extent = yaml.safe_load((mutant / METADATA).read_text())['spatial_extent']
    mutant.put(METADATA, f'/spatial_extent/{where}', extent[where] + change)
    consequences = [f'{area}.OutsideExtent' for area in ('Drivable', 'Heightmap', 'Mesh')]
    mutant.must_show('Splats.OutsideExtent', *consequences, file=SPLATS)


def test_a_ground_of_zeros_under_a_mesh_is_found(mutant):
    """A ground that was never computed has the right size, and plausible heights."""
    heights = np.frombuffer((mutant / HEIGHTS).read_bytes(), '<f4')
    mutant.write(HEIGHTS, np.zeros_like(heights).tobytes())
    found = {each.rule.code for each in mutant.findings()}
    assert 'Heightmap.FlatUnderMesh' in found


def test_a_mesh_above_the_ground_is_found(mutant):
    """Something of a mesh touches its ground."""
    heights = np.frombuffer((mutant / HEIGHTS).read_bytes(), '<f4')
    mutant.write(HEIGHTS, (heights - np.float32(5.0)).tobytes())
    mutant.put(HEIGHTMAP, '/min_height', -50.0)
    found = {each.rule.code for each in mutant.findings()}
    assert 'Mesh.AboveGround' in found
    assert 'Heightmap.FlatUnderMesh' not in found


def move_road(mutant, change):
    """Move every corner of the drivable area."""

    def moved(value):
        if isinstance(value, list) and value and isinstance(value[0], float):
            return list(change(*value))
        return [moved(each) for each in value]

    def edit(document):
        for feature in document['features']:
            shape = feature['geometry']
            shape['coordinates'] = moved(shape['coordinates'])

    mutant.edit(DRIVABLE, edit)


def test_a_road_elsewhere_is_found(mutant):
    """Coordinates of a whole city, for example, must be found."""
    move_road(mutant, lambda x, y: (x + 2900.0, y + 850.0))
    consequences = ('Drivable.OutsideExtent', 'Timebase.StartOffRoad')
    mutant.must_show('Drivable.NoGround', *consequences, file=DRIVABLE)


def test_a_road_in_the_air_is_found(mutant):
    """Corners with heights must have those of the ground."""
    move_road(mutant, lambda x, y: (x, y, 40.0))
    mutant.must_show('Drivable.OffGround', file=DRIVABLE)


def test_a_mirrored_road_has_the_wrong_orientation(mutant):
    """The order of its corners is that of a hole."""
    move_road(mutant, lambda x, y: (x, -y))
    consequences = ('Drivable.HoleCounterclockwise', 'Timebase.StartOffRoad')
    mutant.must_show('Drivable.ExteriorClockwise', *consequences, file=DRIVABLE)


def test_a_start_on_the_edge_is_not_beyond_it(mutant):
    """A road may begin at the robot; a step before it is found."""
    x, y = -41.344, -4.469
    ring = [[x, y], [x + 9.0, y - 3.0], [x + 9.0, y + 3.0], [x, y]]
    mutant.put(DRIVABLE, '/features/0/geometry', {'type': 'Polygon', 'coordinates': [ring]})
    assert mutant.findings() == ()
    mutant.put(TIMEBASE, '/initial_pose/position/0', x - 0.1)
    mutant.must_show('Timebase.StartOffRoad', file=TIMEBASE, where='/initial_pose/position')


def test_a_source_within_the_bundle_is_checked(mutant):
    """Its size, then its MD5 sum; a source outside of the bundle is not checked."""
    content = b'a recording'
    fields = {'file': 'source.mcap', 'size_bytes': len(content)}
    fields['md5'] = hashlib.md5(content, usedforsecurity=False).hexdigest()
    for name, value in fields.items():
        mutant.put(METADATA, f'/source/{name}', value)
    assert mutant.findings() == ()
    mutant.write('source.mcap', content)
    assert [each.rule.code for each in mutant.findings()] == ['Bundle.Unlisted']
    mutant.write('source.mcap', content.upper())
    mutant.must_show('Metadata.SourceMd5Mismatch', file=METADATA, where='/source/md5')
    mutant.write('source.mcap', content[:-1])
    mutant.must_show('Metadata.SourceSizeMismatch', file=METADATA, where='/source/size_bytes')


def test_a_source_outside_of_the_bundle_is_never_opened(mutant, tmp_path):
    """Not even its size is read."""
    (tmp_path / 'outside').write_bytes(b'?')
    mutant.put(METADATA, '/source/file', '../outside')
    assert mutant.findings() == ()


def test_another_folder_name_is_reported(mutant):
    """It is not an error: bundles may be moved."""
    moved = mutant.folder.rename(mutant.folder.parent / 'other')
    codes = [each.rule.code for each in type(mutant)(moved).findings()]
    assert codes == ['Bundle.FolderName']
