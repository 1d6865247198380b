# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""world.yaml: every path of the contract, and nothing taken on trust."""

import pytest

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.scene.manifest import read_manifest

VALID = {
    'version': '1.0.0',
    'scene_id': 'nuscenes_scene_0103',
    'metadata': 'metadata.json',
    'gaussians': {
        'background': 'gaussians/background.splat.ply',
        'render_config': 'gaussians/render_config.json',
    },
    'geometry': {
        'heightmap': 'geometry/heightmap.bin',
        'heightmap_meta': 'geometry/heightmap.yaml',
        'drivable': 'geometry/drivable.geojson',
        'static_mesh': 'geometry/static_mesh.glb',
    },
    'sensors': {
        'calibration': 'sensors/calibration.yaml',
        'tf_static': 'sensors/tf_static.json',
    },
    'sim': {'timebase': 'sim/timebase.yaml'},
    'preview': {'overview': 'preview/overview.png', 'cameras': ['preview/camera_front.mp4']},
}


@pytest.fixture
def world(small_file):
    """Tell how world.yaml is read."""

    def read(path, _, findings):
        return read_manifest(path.parent, findings)

    return small_file(read, 'world.yaml', VALID)


def test_every_place_has_its_path(world):
    """Paths are found by their places, as they are written; nothing is found in a valid file."""
    manifest, found = world.read(VALID)
    assert not found
    assert (manifest.version, manifest.scene_id) == ('1.0.0', 'nuscenes_scene_0103')
    assert manifest.paths == {
        'metadata': 'metadata.json',
        'gaussians/background': 'gaussians/background.splat.ply',
        'gaussians/render_config': 'gaussians/render_config.json',
        'geometry/heightmap': 'geometry/heightmap.bin',
        'geometry/heightmap_meta': 'geometry/heightmap.yaml',
        'geometry/drivable': 'geometry/drivable.geojson',
        'geometry/static_mesh': 'geometry/static_mesh.glb',
        'sensors/calibration': 'sensors/calibration.yaml',
        'sensors/tf_static': 'sensors/tf_static.json',
        'sim/timebase': 'sim/timebase.yaml',
        'preview/overview': 'preview/overview.png',
    }
    assert manifest.camera_previews == ('preview/camera_front.mp4',)


@pytest.mark.parametrize(
    'pointer', ['/geometry/static_mesh', '/preview', '/preview/overview', '/preview/cameras']
)
def test_what_the_contract_calls_optional_may_be_missing(world, gone, pointer):
    """Mesh and previews are left out, or null, without a word."""
    for item in (gone, None):
        manifest, found = world.read_changed(pointer, item)
        assert not found
        assert pointer[1:] not in manifest.paths


@pytest.mark.parametrize(
    'pointer',
    [
        '/version',
        '/scene_id',
        '/metadata',
        '/gaussians',
        '/gaussians/background',
        '/gaussians/render_config',
        '/geometry',
        '/geometry/heightmap',
        '/geometry/heightmap_meta',
        '/geometry/drivable',
        '/sensors',
        '/sensors/calibration',
        '/sensors/tf_static',
        '/sim',
        '/sim/timebase',
    ],
)
def test_all_else_is_required(world, gone, pointer):
    """A field that is missing is one error, where it should be."""
    assert world.read_changed(pointer, gone)[1] == [('File.MissingField', pointer)]


@pytest.mark.parametrize(
    ('pointer', 'item', 'code'),
    [
        ('', [], 'File.NotMapping'),
        ('/version', 1.0, 'File.NotText'),
        ('/version', None, 'File.NotText'),
        ('/version', '1.0', 'File.VersionMalformed'),
        ('/version', 'v1.0.0', 'File.VersionMalformed'),
        ('/version', '01.0.0', 'File.VersionMalformed'),
        ('/version', '2.0.0', 'File.VersionUnsupported'),
        ('/version', '0.9.0', 'File.VersionUnsupported'),
        ('/version', '1.1.0', 'File.VersionNewer'),
        ('/scene_id', 20260214, 'File.NotText'),
        ('/scene_id', '', 'File.EmptyText'),
        ('/scene_id', 'a' * 5000, 'File.TextTooLong'),
        ('/scene_id', 'scene/0103', 'World.SceneIdUnusual'),
        ('/metadata', ['metadata.json'], 'File.NotText'),
        ('/gaussians/background', 'gaussians/background.splat', 'World.UnusualSuffix'),
        ('/geometry', 'geometry/heightmap.bin', 'File.NotMapping'),
        ('/geometry/heightmap_meta', 'sensors/calibration.yaml', 'World.PathTwice'),
        ('/geometry/heightmap_meta', 'sensors/./calibration.yaml', 'World.PathTwice'),
        ('/preview/cameras', 'preview/camera_front.mp4', 'File.NotList'),
        ('/preview/cameras/0', 7, 'File.NotText'),
        ('/hdmap', {'lanelet2': 'hdmap/lanelet2.osm'}, 'World.Extension'),
        ('/weather', 'rain', 'File.UnknownField'),
    ],
)
def test_each_fault_has_its_code_and_place(world, pointer, item, code):
    """One fault gives one finding, where the fault is."""
    _, found = world.read_changed(pointer, item)
    where = '/sensors/calibration' if code == 'World.PathTwice' else pointer
    assert found == [(code, where)]


@pytest.mark.parametrize(
    ('written', 'code'),
    [
        ('version: 1.0.0\nscene_id: 2026_02_14', 'File.NotText'),
        ('version: 1.0.0\nscene_id: 2026-02-14', 'File.NotText'),
        ('version: 1.0.0\nscene_id: no', 'File.NotText'),
        ('version: 1.0.0\nscene_id: a\nscene_id: b', 'File.DuplicateKey'),
    ],
)
def test_what_yaml_makes_of_names_is_told(world, written, code):
    """Names that YAML takes for numbers, dates and truths need quotes."""
    _, found = world.read(written)
    assert (code, '/scene_id') in found


def test_what_was_written_is_shown(tmp_path):
    """A finding shows 2026_02_14, which nobody would recognise in 20260214, and its line."""
    (tmp_path / 'world.yaml').write_text('version: "1.0.0"\nscene_id: 2026_02_14\n')
    findings = bundle_findings()
    read_manifest(tmp_path, findings)
    values = next(each.values for each in findings.all if each.where == '/scene_id')
    assert (values['found'], values['line']) == ('2026_02_14', '2')


@pytest.mark.parametrize(
    ('written', 'found'),
    [
        ('[a.json]', '["a.json"]'),
        ('[]', '[]'),
        ('[1, !x y, ~, yes, 5]', '[1, ?, null, true, …]'),
        ('{file: a.json, sums: {md5: 0}, parts: [1], more: []}',
         '{file: "a.json", sums: {…}, parts: […], more: []}'),
    ],
)  # fmt: skip
def test_lists_and_mappings_in_the_wrong_place_are_shown_in_part(tmp_path, written, found):
    """A finding shows what they begin with, not how long they are."""
    (tmp_path / 'world.yaml').write_text(f'version: "1.0.0"\nmetadata: {written}\n')
    findings = bundle_findings()
    read_manifest(tmp_path, findings)
    told = [each for each in findings.all if each.rule.code == 'File.NotText']
    assert [each.values['found'] for each in told if each.where == '/metadata'] == [found]


def test_what_the_contract_does_not_know_is_kept(world):
    """Other programs' fields are in the manifest, so that they can be written again."""
    manifest, _ = world.read_changed('/weather', {'rain': 0.5})
    assert manifest.extra == {'weather': {'rain': 0.5}}


def test_a_folder_without_a_way_in_is_no_bundle(tmp_path):
    """No folder, no world.yaml and one that leads out are errors of their own."""
    for name, code in (('none', 'Bundle.NotAFolder'), ('', 'Bundle.WorldMissing')):
        findings = bundle_findings()
        assert read_manifest(tmp_path / name, findings) is None
        assert [each.rule.code for each in findings.all] == [code]
    (tmp_path / 'world.yaml').symlink_to('/etc/passwd')
    findings = bundle_findings()
    assert read_manifest(tmp_path, findings) is None
    assert [each.rule.code for each in findings.all] == ['Bundle.LinkLeaves']
