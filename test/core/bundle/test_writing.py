# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Writing of bundles: completely or not at all, and loaded back equal."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from world_model_core.bundle.bundle import PARTS, BundleContents, WorldBundle
from world_model_core.bundle.finding_catalog import BundleError
from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.geometry.mesh import Mesh
from world_model_core.bundle.loading import load
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
)
from world_model_core.bundle.splats.splats import Splats
from world_model_core.bundle.writing import WriteError, write

FLOATS = st.floats(-100.0, 100.0, width=32)


@st.composite
def splats(draw):
    """Draw Gaussians of any degree and convention."""
    count, degree = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    conventions = ResolvedConventions(
        draw(st.sampled_from(QuaternionOrder)),
        draw(st.sampled_from(ScaleEncoding)),
        draw(st.sampled_from(OpacityEncoding)),
    )
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shapes = ((count, 3), (count, 3), (count, 4), (count, 1), (count, 3))
    arrays = [chance.uniform(0.1, 0.9, shape) for shape in shapes]
    arrays.append(chance.uniform(-1.0, 1.0, (count, (degree + 1) ** 2 - 1, 3)))
    return Splats(*(each.astype(np.float32) for each in arrays), conventions)


@st.composite
def heightmaps(draw):
    """Draw heightmaps with unknown heights."""
    rows, columns = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    cells = draw(st.lists(FLOATS | st.just(np.nan), min_size=25, max_size=25))
    heights = np.array(cells[: rows * columns], dtype=np.float32).reshape(rows, columns)
    heights[0, 0] = 0.0
    limits = (np.nanmin(heights).item() - draw(st.floats(0.0, 1.0)), np.nanmax(heights).item())
    origin = (draw(st.floats(-1e3, 1e3)), draw(st.floats(-1e3, 1e3)))
    return Heightmap('1.0.0', heights, draw(st.floats(0.01, 2.0)), origin, limits)


@st.composite
def drivables(draw):
    """Draw adjacent areas, with and without optional fields."""
    # A file has km/h, and not every speed in m/s equals one of those.
    limits = st.none() | st.floats(1.0, 130.0).map(lambda speed: speed / 3.6)
    areas = tuple(
        DrivablePolygon(
            shapely.geometry.polygon.orient(shapely.box(3.0 * x, 0.0, 3.0 * x + 2.0, size)),
            speed_limit=draw(limits),
            priority=draw(st.none() | st.floats(0.0, 9.0)),
        )
        for x, size in enumerate(draw(st.lists(st.floats(0.5, 9.0), min_size=1, max_size=3)))
    )
    return DrivableArea(areas, crs=draw(st.sampled_from(('map', 'map_frame'))))


@st.composite
def meshes(draw):
    """Draw triangles with and without colors."""
    count = draw(st.integers(3, 9))
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    vertices = chance.uniform(-10.0, 10.0, (count, 3)).astype(np.float32)
    faces = np.array([(0, at, at + 1) for at in range(1, count - 1)], dtype=np.int32)
    colors = chance.integers(0, 256, (count, 3)).astype(np.uint8)
    return Mesh(vertices, faces, draw(st.sampled_from((None, colors))))


@st.composite
def bundles(draw, example):
    """Draw bundles: random large parts, and the small files of the example."""
    drawn, mesh = draw(splats()), draw(st.none() | meshes())
    paths = dict(example.manifest.paths)
    if draw(st.booleans()):
        paths['gaussians/background'] = 'gaussians/background.npz'
    if mesh is None:
        del paths['geometry/static_mesh']
    films = tuple(f'preview/camera_{at}.mp4' for at in range(draw(st.integers(0, 2))))
    manifest = replace(example.manifest, paths=paths, camera_previews=films)
    files = dict.fromkeys((paths['preview/overview'], *films), b'\x00film')
    contents = replace(
        example.parts,
        splats=drawn,
        render_config=replace(example.render_config, sh_degree=drawn.sh_degree),
        heightmap=draw(heightmaps()),
        drivable=draw(drivables()),
        static_mesh=mesh,
        previews=files,
    )
    return WorldBundle(manifest, contents)


def names_in(folder):
    """Return the names in a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_written_bundles_are_loaded_back(example, data, tmp_path_factory):
    """Load after write must be the identity, also a second time."""
    bundle = data.draw(bundles(example))
    folder = tmp_path_factory.mktemp('bundles')
    write(bundle, folder / 'first')
    first = load(folder / 'first')
    assert first == bundle
    assert all(getattr(first, part) == getattr(bundle, part) for part in PARTS)
    write(first, folder / 'second')
    assert load(folder / 'second') == bundle


def test_the_same_files_are_written_each_time(example, tmp_path):
    """A loaded bundle must be written with the same bytes."""
    write(example, tmp_path / 'first')
    write(load(tmp_path / 'first'), tmp_path / 'second')
    names = sorted(path for path in (tmp_path / 'first').rglob('*') if path.is_file())
    assert len(names) == 12
    for path in names:
        assert (tmp_path / 'second' / path.relative_to(tmp_path / 'first')).read_bytes() == (
            path.read_bytes()
        )


def test_one_different_number_makes_bundles_differ(example, tmp_path):
    """Equality must compare every part."""
    write(example, tmp_path / 'scene')
    heights = example.heightmap.heights.copy()
    heights[3, 4] += 0.001
    changes = {
        'heightmap': replace(example.heightmap, heights=heights),
        'timebase': replace(example.timebase, dt=0.02),
        'splats': example.splats.take(np.arange(example.splats.count)[::-1]),
        'tf_static': example.tf_static[1:],
        'drivable': replace(example.drivable, areas=example.drivable.areas[::-1]),
        'static_mesh': None,
        'previews': {},
    }
    loaded = load(tmp_path / 'scene')
    for name, value in changes.items():
        changed = WorldBundle(example.manifest, replace(example.parts, **{name: value}))
        assert loaded != changed, name


def test_a_bundle_is_replaced_only_on_request(example, tmp_path):
    """Existing content must stay, unless it is a bundle that is to be replaced."""
    target = tmp_path / 'scene'
    write(example, target)
    other = WorldBundle(replace(example.manifest, scene_id='other'), example.parts)
    with pytest.raises(WriteError, match='use overwrite=True'):
        write(other, target)
    assert load(target).manifest.scene_id == example.manifest.scene_id
    (target / 'old').touch()
    write(other, target, overwrite=True)
    assert load(target).manifest.scene_id == 'other'
    assert not (target / 'old').exists()
    assert names_in(tmp_path) == ['scene']


def test_other_folders_are_never_replaced(example, tmp_path):
    """A folder of other things must never be replaced, whatever is requested."""
    (tmp_path / 'home').mkdir()
    (tmp_path / 'home' / 'letter').touch()
    (tmp_path / 'file').touch()
    for name in ('home', 'file'):
        with pytest.raises(WriteError, match='is not a bundle'):
            write(example, tmp_path / name, overwrite=True)
    assert (tmp_path / 'home' / 'letter').exists()


def test_an_empty_folder_may_be_filled(example, tmp_path):
    """An empty folder made for the bundle must be accepted."""
    (tmp_path / 'scene').mkdir()
    write(example, tmp_path / 'scene')
    assert load(tmp_path / 'scene') == example


def test_a_loaded_bundle_may_replace_itself(example, tmp_path):
    """Parts that are not loaded yet must be read before their files are replaced."""
    write(example, tmp_path / 'scene')
    write(load(tmp_path / 'scene'), tmp_path / 'scene', overwrite=True)
    assert load(tmp_path / 'scene') == example


def test_nothing_is_left_of_a_bundle_that_cannot_be_read_back(example, tmp_path):
    """A bundle that no loader accepts must not be written, nor leave files behind."""
    wrong = replace(example.parts, timebase=replace(example.timebase, dt=-1.0))
    with pytest.raises(BundleError, match=r'Timebase\.Step'):
        write(WorldBundle(example.manifest, wrong), tmp_path / 'scene')
    assert names_in(tmp_path) == []


def test_nothing_is_left_when_the_disk_is_full(example, tmp_path, full_disk):
    """A failed write must leave the old bundle unchanged, and no other."""
    target = tmp_path / 'scene'
    write(example, target)
    with full_disk(100_000), pytest.raises(WriteError, match='File too large'):
        write(example, target, overwrite=True)
    assert names_in(tmp_path) == ['scene']
    assert load(target) == example


@pytest.mark.parametrize(
    'path', ['../outside.json', '/outside.json', 'C:/m.json', 'a\\b.json', 'a/../../b.json']
)
def test_nothing_is_written_outside(example, tmp_path, path):
    """A manifest with a path outside of the bundle must be rejected before any write."""
    paths = {**example.manifest.paths, 'metadata': path}
    outside = WorldBundle(replace(example.manifest, paths=paths), example.parts)
    with pytest.raises(BundleError, match=r'Bundle\.Path'):
        write(outside, tmp_path / 'scene')
    assert names_in(tmp_path) == []


def test_two_parts_cannot_be_one_file(example, tmp_path):
    """Two parts in one file would overwrite each other and must be rejected."""
    paths = {**example.manifest.paths, 'sensors/calibration': './sim//timebase.yaml'}
    mixed = WorldBundle(replace(example.manifest, paths=paths), example.parts)
    with pytest.raises(WriteError, match='two parts'):
        write(mixed, tmp_path / 'scene')


def test_a_missing_folder_is_named(example, tmp_path):
    """The error must name a missing parent folder."""
    with pytest.raises(WriteError, match='missing'):
        write(example, tmp_path / 'missing' / 'scene')


def test_contents_may_be_any_mapping(example, tmp_path):
    """Any mapping must be accepted as the contents of a bundle in memory."""
    parts = replace(example.parts, previews=MappingProxyType(example.previews))
    write(WorldBundle(example.manifest, parts), tmp_path / 'scene')
    assert isinstance(example.parts, BundleContents)
    assert load(tmp_path / 'scene') == example
