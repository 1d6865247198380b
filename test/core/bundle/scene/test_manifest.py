# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""world.yaml: every path of the contract is checked."""

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
    """Return world.yaml as a small file."""

    def read(path, _, findings):
        return read_manifest(path.parent, findings)

    return small_file(read, 'world.yaml', VALID)


def test_every_place_has_its_path(world):
    """Paths are found by their places, as written; a valid file has no finding."""
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
def test_optional_fields_may_be_missing(world, gone, pointer):
    """Mesh and previews may be missing or null without a finding."""
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
    """A missing field gives one error, at its place."""
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
    """One fault gives one finding, at its place."""
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
def test_names_that_yaml_converts_are_reported(world, written, code):
    """Names that YAML reads as numbers, dates and booleans need quotes."""
    _, found = world.read(written)
    assert (code, '/scene_id') in found


def test_findings_show_the_written_text(tmp_path):
    """A finding shows 2026_02_14 as written and its line, not 20260214."""
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
    """A finding shows the beginning of a value, whatever its length."""
    (tmp_path / 'world.yaml').write_text(f'version: "1.0.0"\nmetadata: {written}\n')
    findings = bundle_findings()
    read_manifest(tmp_path, findings)
    chosen = [each for each in findings.all if each.rule.code == 'File.NotText']
    assert [each.values['found'] for each in chosen if each.where == '/metadata'] == [found]


def test_unknown_fields_are_kept(world):
    """Fields of other programs are kept in the manifest and written again."""
    manifest, _ = world.read_changed('/weather', {'rain': 0.5})
    assert manifest.extra == {'weather': {'rain': 0.5}}


def test_a_folder_without_world_yaml_is_not_a_bundle(tmp_path):
    """A missing folder, a missing world.yaml and a link that leads out are different errors."""
    for name, code in (('none', 'Bundle.NotAFolder'), ('', 'Bundle.WorldMissing')):
        findings = bundle_findings()
        assert read_manifest(tmp_path / name, findings) is None
        assert [each.rule.code for each in findings.all] == [code]
    (tmp_path / 'world.yaml').symlink_to('/etc/passwd')
    findings = bundle_findings()
    assert read_manifest(tmp_path, findings) is None
    assert [each.rule.code for each in findings.all] == ['Bundle.LinkLeaves']
