# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Loading of bundles: parts are read on demand, and bad ones raise an error."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from world_model_core.bundle.bundle import PARTS
from world_model_core.bundle.equality import is_equal
from world_model_core.bundle.finding_catalog import BundleError
from world_model_core.bundle.geometry.terrain_mesh import mesh_from_heightmap
from world_model_core.bundle.loading import load
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import SplatConventions
from world_model_core.bundle.splats.splat_writer import write_npz
from world_model_core.bundle.writing import write

FILES = {
    'metadata': 'metadata.json',
    'render_config': 'gaussians/render_config.json',
    'splats': 'gaussians/background.splat.ply',
    'heightmap': 'geometry/heightmap.yaml',
    'drivable': 'geometry/drivable.geojson',
    'static_mesh': 'geometry/static_mesh.glb',
    'calibration': 'sensors/calibration.yaml',
    'tf_static': 'sensors/tf_static.json',
    'timebase': 'sim/timebase.yaml',
}


@pytest.fixture
def folder(example_folder, tmp_path):
    """Copy the example."""
    return shutil.copytree(example_folder, tmp_path / 'example_village')


def test_parts_are_read_on_demand_and_once(folder):
    """Opening must read the manifest only, and loaded parts must outlive their files."""
    bundle = load(folder)
    timebase = bundle.timebase
    for name in FILES.values():
        (folder / name).unlink()
    assert bundle.timebase is timebase
    assert bundle.manifest.scene_id == 'example_village'


@pytest.mark.parametrize('part', FILES)
def test_a_bad_part_keeps_no_other_from_being_read(folder, part):
    """The error must name the file of the requested part, and other parts be readable."""
    (folder / FILES[part]).write_bytes(b'\x00 no such file')
    bundle = load(folder)
    with pytest.raises(BundleError) as caught:
        getattr(bundle, part)
    assert {each.file for each in caught.value.findings} == {FILES[part]}
    for other in set(PARTS) - {part}:
        getattr(bundle, other)


@pytest.mark.parametrize('part', FILES)
def test_a_missing_part_is_named(folder, part):
    """The error must give the place in world.yaml of the missing file."""
    (folder / FILES[part]).unlink()
    with pytest.raises(BundleError, match=r'Bundle\.FileMissing'):
        getattr(load(folder), part)


def test_a_folder_without_a_bundle_is_rejected(tmp_path):
    """Opening must report the missing world.yaml at once."""
    for folder in (tmp_path, tmp_path / 'missing'):
        with pytest.raises(BundleError, match=r'Bundle\.'):
            load(folder)


def test_another_major_version_is_rejected(folder):
    """Another major version may be another format and must be rejected."""
    world = folder / 'world.yaml'
    world.write_text(world.read_text().replace('"1.0.0"', '"2.0.0"', 1))
    with pytest.raises(BundleError, match='2'):
        load(folder)


def test_a_newer_minor_version_is_read_and_reported(folder):
    """Unknown additions are ignored, and the version is reported."""
    world = folder / 'world.yaml'
    world.write_text(world.read_text().replace('"1.0.0"', '"1.9.0"', 1))
    bundle = load(folder)
    assert len(bundle.findings) == 1
    assert bundle.splats.count > 0


def test_the_ground_replaces_a_missing_mesh(folder):
    """Without a mesh there must be one of the ground, and static_mesh must be None."""
    world = folder / 'world.yaml'
    lines = world.read_text().splitlines(keepends=True)
    world.write_text(''.join(line for line in lines if 'static_mesh' not in line))
    bundle = load(folder)
    assert bundle.static_mesh is None
    ground = mesh_from_heightmap(bundle.heightmap)
    assert np.array_equal(bundle.mesh.vertices, ground.vertices)


def test_threads_may_load_at_the_same_time(folder):
    """Threads that request parts at the same time must all get equal parts."""
    bundle = load(folder)

    def ask(number):
        names = [*PARTS[number % len(PARTS) :], *PARTS[: number % len(PARTS)]]
        return {name: getattr(bundle, name) for name in names}

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(16)))
    assert all(is_equal(answer, answers[0]) for answer in answers)
    assert len(bundle.findings) == 0


def test_guesses_are_reported_and_can_be_overridden(folder):
    """Undeclared conventions must be among the findings, or be given."""
    splats = load(folder).splats
    path = folder / FILES['splats']
    path.write_bytes(path.read_bytes().replace(b'comment splats', b'comment xplats'))
    guessing = load(folder)
    assert guessing.findings == ()
    assert guessing.splats == splats
    assert any('Guessed' in each.rule.code for each in guessing.findings)
    explicit = load(folder, SplatConventions(quaternions=QuaternionOrder.WXYZ)).splats
    assert np.array_equal(explicit.rotations, splats.rotations[:, [1, 2, 3, 0]])


def test_splats_may_be_an_npz(folder):
    """The content of the file determines the format."""
    splats = load(folder).splats
    write_npz(folder / FILES['splats'], splats)
    assert load(folder).splats == splats


def test_the_heights_stay_in_their_file(folder):
    """A large heightmap must be memory-mapped, not read, and be read-only."""
    heights = load(folder).heightmap.heights
    assert isinstance(heights.base, np.memmap) or isinstance(heights, np.memmap)
    with pytest.raises(ValueError, match='read-only'):
        heights[0, 0] = 0.0


def test_missing_previews_are_not_an_error(folder):
    """The simulator does not use them: the others must be there."""
    world = folder / 'world.yaml'
    world.write_text(world.read_text() + '  cameras: ["preview/camera_front.mp4"]\n')
    bundle = load(folder)
    assert list(bundle.previews) == ['preview/overview.png']
    assert bundle.overview == bundle.previews['preview/overview.png']
    assert [each.rule.code for each in bundle.findings] == ['Bundle.PreviewMissing']


def test_cameras_point_as_on_the_rig(folder):
    """Each camera of the example must point ahead, left, right or back."""
    around = {'front': (9, 0), 'left': (1.2, 9), 'right': (1.2, -9), 'rear': (-9, 0)}
    cameras = load(folder).cameras
    for name, (x, y) in around.items():
        camera = cameras[name]
        height = camera.spec.pose.translation[2]
        pose = camera.optical_pose
        point = (np.array((x, y, height)) - pose.translation) @ pose.rotation
        assert point[:2] == pytest.approx((0.0, 0.0), abs=1e-9)
        assert point[2] > 0.0


@pytest.mark.parametrize(
    ('place', 'name', 'degree'),
    [
        ('gaussians/background.splat.ply', 'inria_iter7000.ply', 3),
        ('gaussians/background.splat.ply', 'guitar.compressed.ply', 0),
        ('geometry/drivable.geojson', 'nuscenes_boston_drivable.json', 1),
        ('geometry/static_mesh.glb', 'house.glb', 1),
    ],
)
def test_real_files_are_written_as_they_were_loaded(folder, shared_data, place, name, degree):
    """Files of other programs must be equal after writing, guesses included."""
    shutil.copyfile(shared_data(f'bundle/{name}'), folder / place)
    config = folder / 'gaussians/render_config.json'
    config.write_text(config.read_text().replace('"sh_degree": 1', f'"sh_degree": {degree}'))
    real = load(folder)
    write(real, folder.with_name('again'))
    assert load(folder.with_name('again')) == real


def test_errors_begin_with_where_they_are(folder):
    """The message starts with the file and the place, or neither for the whole bundle."""
    with pytest.raises(BundleError, match=r'\ABundle\.NotAFolder: the folder'):
        load(folder / 'none')
    (folder / 'world.yaml').write_text('version: "1.0.0"\nscene_id: 7\n')
    with pytest.raises(BundleError, match=r'(?m)^world\.yaml at /scene_id: File\.NotText: '):
        load(folder)
