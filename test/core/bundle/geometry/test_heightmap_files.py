# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""heightmap.bin and heightmap.yaml: reading and writing."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.bundle.equality import is_equal
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.geometry.heightmap_checks import BLOCK, height_statistics
from world_model_core.bundle.geometry.heightmap_files import read_heightmap, write_heightmap

DATA, META = 'heightmap.bin', 'heightmap.yaml'
ANY_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(folder):
    """Read the files in a folder; return the heightmap and the codes of the findings."""
    findings = bundle_findings()
    found = read_heightmap(folder / DATA, folder / META, DATA, META, findings)
    assert (found is None) == bool(findings.errors)
    return found, [(each.rule.code, each.file, each.where) for each in findings.all]


def write(folder, heights, declared=(-10.0, 10.0)):
    """Write heights of any type, and a meta file for float32."""
    rows, columns = heights.shape
    grid = np.zeros((rows, columns), np.float32)
    write_heightmap(
        folder / DATA, folder / META, Heightmap('1.0.0', grid, 0.1, (1.0, 2.0), declared)
    )
    (folder / DATA).write_bytes(heights.tobytes())


def hills():
    """Make heights between -1 and 5, one of them unknown."""
    heights = np.random.default_rng(0).uniform(-1.0, 5.0, (60, 40)).astype(np.float32)
    heights[3, 4] = np.nan
    return heights


# Ground that is lower than an atom everywhere is assumed to have the wrong byte order.
HEIGHTS = st.floats(-100.0, 100.0, width=32).filter(lambda height: not 0.0 < abs(height) < 1e-9)


@ANY_FOLDER
@given(
    heights=arrays(np.float32, (3, 4), elements=HEIGHTS | st.just(np.nan)).filter(
        lambda heights: not np.isnan(heights).all()
    ),
    resolution=st.floats(1e-3, 1e3),
    origin=st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)),
)
def test_written_heights_are_read_back(tmp_path, heights, resolution, origin):
    """Every number is read back exactly, and NaN as NaN."""
    heightmap = Heightmap('1.0.0', heights, resolution, origin, (-100.0, 100.0), 0.0)
    write_heightmap(tmp_path / DATA, tmp_path / META, heightmap)
    found, _ = read(tmp_path)
    assert is_equal(found, heightmap)


def test_heights_stay_in_the_file(tmp_path):
    """Heights are memory-mapped and read-only."""
    write(tmp_path, hills())
    found, codes = read(tmp_path)
    assert codes == []
    assert isinstance(found.heights.base, np.memmap)
    assert not found.heights.flags.writeable


@pytest.mark.parametrize(
    ('fault', 'code', 'where'),
    [
        (lambda heights: heights.astype('>f4'), 'Heightmap.ByteOrder', 'byte 0'),
        (lambda heights: heights.astype('f8'), 'Heightmap.WrongSize', 'byte 9600'),
        (lambda heights: heights[:-1], 'Heightmap.WrongSize', 'byte 9440'),
        (lambda heights: np.full_like(heights, np.nan), 'Heightmap.NoHeights', ''),
        (lambda heights: _with(heights, np.inf), 'Heightmap.Infinite', 'byte 812'),
        (lambda heights: _with(heights, -np.inf), 'Heightmap.Infinite', 'byte 812'),
        (lambda heights: _with(heights, 10.2), 'Heightmap.OutOfRange', 'byte 812'),
        (lambda heights: _with(heights, -10.2), 'Heightmap.OutOfRange', 'byte 812'),
        (lambda heights: _with(heights, 10.005), 'Heightmap.RangeRounded', 'byte 812'),
        (np.zeros_like, 'Heightmap.Flat', ''),
    ],
)
def test_faults_of_the_heights_are_found(tmp_path, fault, code, where):
    """Each fault gives its own code at its byte, and no other."""
    heights = hills()
    write(tmp_path, heights)
    (tmp_path / DATA).write_bytes(fault(heights).tobytes())
    assert read(tmp_path)[1] == [(code, DATA, where)]


def _with(heights, height):
    """Put a height into row 5 and column 3: byte 4 * (5 * 40 + 3)."""
    changed = heights.copy()
    changed[5, 3] = height
    return changed


def test_a_range_rounded_to_float32_is_kept(tmp_path):
    """0.1 is not a float32: heights of 0.1 must be within a range that ends at 0.1."""
    write(tmp_path, np.array(((0.1, -0.1),), np.float32), (-0.1, 0.1))
    assert read(tmp_path)[1] == []


def test_flat_ground_of_the_wrong_byte_order_is_found(tmp_path):
    """1.0 with its bytes reversed is 4.6e-41, which is within nearly every range."""
    write(tmp_path, np.ones((6, 4), '>f4'))
    assert read(tmp_path)[1] == [('Heightmap.ByteOrder', DATA, 'byte 0')]


def test_marks_of_other_formats_are_suspected(tmp_path):
    """-9999 marks missing data, even if the declared range was computed with it."""
    write(tmp_path, _with(hills(), -9999.0), (-9999.0, 10.0))
    assert read(tmp_path)[1] == [('Heightmap.LooksLikeNoData', DATA, '')]


def test_an_origin_with_a_height_is_reported_and_not_added(tmp_path):
    """Heights are absolute: origin.z changes none of them."""
    write(tmp_path, hills())
    meta = (tmp_path / META).read_text().replace('z: 0.0', 'z: 40.0')
    (tmp_path / META).write_text(meta)
    found, codes = read(tmp_path)
    assert codes == [('Heightmap.OriginHeight', META, '/origin/z')]
    assert found.reference_height == 40.0
    assert found.heights_at((1.0, 2.0)) == pytest.approx(hills()[0, 0])


@pytest.mark.parametrize(
    ('before', 'after', 'code', 'where'),
    [
        ('min_height: -10.0', 'min_height: 11.0', 'Heightmap.RangeReversed', '/min_height'),
        ('width: 40', 'width: 0', 'File.OutOfRange', '/width'),
        ('width: 40', 'width: 40.0', 'File.NotWhole', '/width'),
        ('resolution: 0.1', 'resolution: 0.0', 'File.OutOfRange', '/resolution'),
        ('resolution: 0.1', 'resolution: .nan', 'File.NotFinite', '/resolution'),
        ('x: 1.0', 'x: 1e-5', 'File.NumberAsText', '/origin/x'),
        ('version: "1.0.0"', 'version: "2.0.0"', 'File.VersionUnsupported', '/version'),
    ],
)
def test_faults_of_the_meta_file_are_found(tmp_path, before, after, code, where):
    """Fields out of range are reported by their pointer."""
    write(tmp_path, hills())
    text = (tmp_path / META).read_text()
    assert before in text
    (tmp_path / META).write_text(text.replace(before, after))
    assert read(tmp_path)[1] == [(code, META, where)]


def test_the_pointer_of_git_lfs_is_named(tmp_path):
    """A pointer of Git LFS is not reported as a heightmap of the wrong size."""
    write(tmp_path, hills())
    (tmp_path / DATA).write_bytes(b'version https://git-lfs.github.com/spec/v1\noid sha256:0\n')
    assert read(tmp_path)[1] == [('File.LfsPointer', DATA, 'byte 0')]


@ANY_FOLDER
@given(st.binary(min_size=96, max_size=96))
def test_any_bytes_give_heights_or_findings(tmp_path, data):
    """Any bytes are read or rejected, and heights are never infinite."""
    write(tmp_path, np.zeros((6, 4), np.float32))
    (tmp_path / DATA).write_bytes(data)
    found, codes = read(tmp_path)
    assert found is None or not np.isinf(found.heights).any()
    assert found is not None or codes


def test_statistics_are_those_of_numpy():
    """Statistics computed block by block equal those of the whole."""
    heights = np.random.default_rng(0).normal(size=(BLOCK // 100, 130)).astype(np.float32)
    heights[heights > 2.0] = np.nan
    found = height_statistics(heights)
    assert (found.cells, found.known) == (heights.size, int(np.isfinite(heights).sum()))
    assert (found.lowest, found.highest) == (np.nanmin(heights), np.nanmax(heights))
