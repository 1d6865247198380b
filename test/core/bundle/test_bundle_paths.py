# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files of a bundle are inside of it: links and paths that lead out are never opened."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from world_model_core.bundle.bundle_paths import BundlePaths, find_file
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.values import Manifest


@pytest.fixture
def bundle(tmp_path):
    """Make a folder with a file in it and a secret next to it."""
    folder = tmp_path / 'bundle'
    (folder / 'geometry').mkdir(parents=True)
    (folder / 'geometry' / 'heightmap.bin').write_bytes(b'1234')
    (folder / 'empty.bin').touch()
    (tmp_path / 'secret').write_bytes(b'secret')
    return folder


def find(folder, relative):
    """Resolve a path; return the result and the codes of the findings."""
    findings = bundle_findings()
    path = find_file(folder, relative, findings, '/geometry/heightmap')
    assert all(each.where == '/geometry/heightmap' for each in findings.all)
    assert all(each.message(language) for each in findings.all for language in ('en', 'ja'))
    assert (path is None) == bool(findings.errors)
    return path, [each.rule.code for each in findings.all]


@pytest.mark.parametrize(
    ('relative', 'codes'),
    [
        ('geometry/heightmap.bin', []),
        ('./geometry/heightmap.bin', ['Bundle.PathNotNormal']),
        ('geometry//heightmap.bin', ['Bundle.PathNotNormal']),
        ('../secret', ['Bundle.PathLeaves']),
        ('geometry/../geometry/heightmap.bin', ['Bundle.PathLeaves']),
        ('geometry/..', ['Bundle.PathLeaves']),
        ('/etc/passwd', ['Bundle.PathAbsolute']),
        ('//server/share', ['Bundle.PathAbsolute']),
        ('C:/heightmap.bin', ['Bundle.PathDriveLetter']),
        ('c:heightmap.bin', ['Bundle.PathDriveLetter']),
        ('geometry\\heightmap.bin', ['Bundle.PathBackslash']),
        ('..\\secret', ['Bundle.PathBackslash']),
        ('file:///etc/passwd', ['Bundle.PathIsUrl']),
        ('https://example.org/heightmap.bin', ['Bundle.PathIsUrl']),
        ('geometry/height\0map.bin', ['Bundle.PathControl']),
        ('geometry/\ud800', ['Bundle.PathControl']),
        ('a' * 256, ['Bundle.PathTooLong']),
        ('a/' * 2100 + 'b', ['Bundle.PathTooLong']),
        ('geometry', ['Bundle.FolderNotFile']),
        ('empty.bin', ['Bundle.FileEmpty']),
        ('geometry/heightmap.bin/x', ['Bundle.FileMissing']),
        ('~/heightmap.bin', ['Bundle.FileMissing']),
        ('missing/heightmap.bin', ['Bundle.FileMissing']),
    ],
)
def test_paths_are_checked_by_their_parts(bundle, relative, codes):
    """Each kind of invalid path has a code of its own, and a file inside is found."""
    path, found = find(bundle, relative)
    assert found == codes
    assert path in {None, bundle / 'geometry' / 'heightmap.bin'}


def test_a_name_of_another_case_is_suggested(bundle):
    """Upper and lower case differ here, but not on the system that a bundle comes from."""
    findings = bundle_findings()
    assert find_file(bundle, 'geometry/HeightMap.bin', findings) is None
    assert findings.all[0].values['similar'] == 'heightmap.bin'


@pytest.mark.parametrize(
    ('link', 'target', 'codes'),
    [
        ('inside.bin', 'geometry/heightmap.bin', []),
        ('geometry/inside.bin', '../geometry/./heightmap.bin', []),
        ('geometry/outside.bin', '../../secret', ['Bundle.LinkLeaves']),
        ('outside.bin', '/etc/passwd', ['Bundle.LinkLeaves']),
        ('outside.bin', '../bundle/geometry/heightmap.bin', ['Bundle.LinkLeaves']),
        ('loop.bin', 'loop.bin', ['Bundle.LinkLoop']),
        ('nowhere.bin', 'nothing.bin', ['Bundle.FileMissing']),
        ('absolute.bin', '{bundle}/geometry/heightmap.bin', ['Bundle.LinkAbsolute']),
        ('absolute.bin', '{bundle}/../secret', ['Bundle.LinkLeaves']),
        ('self.bin', '.', ['Bundle.FolderNotFile']),
    ],
)
def test_links_stay_inside(bundle, link, target, codes):
    """Links are resolved one by one, and none that leads out is followed."""
    (bundle / link).symlink_to(target.format(bundle=bundle))
    assert find(bundle, link)[1] == codes


def test_folders_that_are_links_stay_inside(bundle):
    """A folder on the path counts like the file at its end."""
    (bundle / 'out').symlink_to('..')
    (bundle / 'in').symlink_to('geometry')
    assert find(bundle, 'out/secret')[1] == ['Bundle.LinkLeaves']
    assert find(bundle, 'in/heightmap.bin') == (bundle / 'geometry' / 'heightmap.bin', [])


def test_a_bundle_may_be_a_link_itself(bundle, tmp_path):
    """The place of the bundle does not matter, only links that lead out of it."""
    (tmp_path / 'alias').symlink_to('bundle')
    path, found = find(tmp_path / 'alias', 'geometry/heightmap.bin')
    assert (path, found) == (bundle / 'geometry' / 'heightmap.bin', [])


def test_pipes_are_never_opened(bundle):
    """Opening one would block until someone writes into it."""
    os.mkfifo(bundle / 'pipe')
    assert find(bundle, 'pipe')[1] == ['Bundle.NotRegularFile']


@pytest.mark.skipif(os.geteuid() == 0, reason='everything is readable to root')
def test_files_that_may_not_be_read_are_named(bundle):
    """A file without permission is an error of its own."""
    (bundle / 'geometry' / 'heightmap.bin').chmod(0)
    assert find(bundle, 'geometry/heightmap.bin')[1] == ['Bundle.FileUnreadable']


PARTS = st.sampled_from(
    ['..', '.', '', 'geometry', 'heightmap.bin', 'up', 'down', 'root', '~', 'C:', 'secret']
) | st.text(max_size=4)


@given(parts=st.lists(PARTS, min_size=1, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_path_leads_out(bundle, parts):
    """For any path the result is inside of the bundle."""
    for name, target in {'up': '..', 'down': 'geometry', 'root': '/'}.items():
        if not (bundle / name).is_symlink():
            (bundle / name).symlink_to(target)
    path, _ = find(bundle, '/'.join(parts))
    assert path is None or (path.is_file() and path.resolve().is_relative_to(bundle.resolve()))


def test_places_are_those_of_the_manifest(bundle):
    """Files that the manifest does not name are absent, and missing previews are a warning."""
    paths = {'geometry/heightmap': 'geometry/heightmap.bin', 'preview/overview': 'no.png'}
    places = BundlePaths(
        bundle, Manifest('1.0.0', 'a', paths, ('no.mp4', 'geometry/heightmap.bin'))
    )
    findings = bundle_findings()
    assert places.find('geometry/heightmap', findings) == bundle / 'geometry' / 'heightmap.bin'
    assert places.find('geometry/static_mesh', findings) is None
    assert not findings.all
    assert places.find('preview/overview', findings) is None
    assert places.camera_previews(findings) == (Path(bundle, 'geometry', 'heightmap.bin'),)
    assert [(each.rule.code, each.where) for each in findings.all] == [
        ('Bundle.PreviewMissing', '/preview/overview'),
        ('Bundle.PreviewMissing', '/preview/cameras/0'),
    ]
    assert not findings.errors
