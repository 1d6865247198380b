# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a world file names is read from its own folder and the folders of `assets` alone."""

import os

import pytest

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import world_findings

OUTSIDE = 'WorldFile.PathOutside'
MISSING = 'WorldFile.FileMissing'


@pytest.fixture
def places(tmp_path):
    """Make a world, a folder of assets, a package, and a secret outside of all."""
    for name in ('world/meshes/cup.stl', 'assets/box.stl', 'share/robot/arm.stl', 'secret'):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    (tmp_path / 'world/empty').touch()
    return tmp_path


def find(places, named, **options):
    """Find a file; return its path below `places`, and the codes of the findings."""
    folders = AssetFolders(
        places / 'world', (places / 'assets',), {'robot': places / 'share/robot'}
    )
    notes = FileFindings('world.xml', world_findings())
    path = folders.find(named, notes, 'line 1', **options)
    codes = [each.rule.code for each in notes.findings.all]
    assert all(each.message(text) for each in notes.findings.all for text in ('en', 'ja'))
    return (str(path.relative_to(places)) if path else None), codes


@pytest.mark.parametrize(
    ('named', 'found'),
    [
        ('meshes/cup.stl', 'world/meshes/cup.stl'),
        ('./meshes//cup.stl', 'world/meshes/cup.stl'),
        ('meshes/../meshes/cup.stl', 'world/meshes/cup.stl'),
        ('box.stl', 'assets/box.stl'),
        ('../assets/box.stl', 'assets/box.stl'),
        ('{places}/assets/box.stl', 'assets/box.stl'),
        ('file://{places}/world/meshes/cup%2Estl', 'world/meshes/cup.stl'),
        ('package://robot/arm.stl', 'share/robot/arm.stl'),
    ],
)
def test_files_in_the_folders_are_found(places, named, found):
    """Relative, absolute and package paths must lead to files in the permitted folders."""
    assert find(places, named.format(places=places)) == (found, [])


@pytest.mark.parametrize(
    ('named', 'code'),
    [
        ('../secret', OUTSIDE),
        ('meshes/../../secret', OUTSIDE),
        ('{places}/secret', OUTSIDE),
        ('/etc/passwd', OUTSIDE),
        ('file:///etc/passwd', OUTSIDE),
        ('file:///etc/%70asswd', OUTSIDE),
        ('http://example.org/cup.stl', OUTSIDE),
        ('model://cup/cup.stl', OUTSIDE),
        ('//host/share/cup.stl', OUTSIDE),
        ('\\\\host\\share\\cup.stl', OUTSIDE),
        ('meshes\\cup.stl', OUTSIDE),
        ('C:/cup.stl', OUTSIDE),
        ('meshes/cup\x00.stl', OUTSIDE),
        ('a' * 300, OUTSIDE),
        ('package://robot/../../secret', OUTSIDE),
        ('package://robot//etc/passwd', MISSING),
        ('package://other/arm.stl', 'WorldFile.PackageUnknown'),
        ('package://', 'WorldFile.PackageUnknown'),
        ('meshes/Cup.stl', MISSING),
        ('', 'WorldFile.FileUnusable'),
        ('meshes', 'WorldFile.FileUnusable'),
        ('empty', 'WorldFile.FileUnusable'),
    ],
)
def test_other_files_are_refused_by_name(places, named, code):
    """Each path that leads out, or to no usable file, must give one finding."""
    assert find(places, named.format(places=places)) == (None, [code])


@pytest.mark.parametrize('target', ['/etc/passwd', '../secret', 'link'])
def test_links_do_not_lead_out(places, target):
    """A symbolic link that leaves the folder, or never ends, must be refused."""
    (places / 'world/link').symlink_to(target)
    assert find(places, 'link') == (None, [OUTSIDE])


def test_a_path_is_relative_to_the_base_folder(places):
    """An include is looked up next to the file that includes it, but never outside."""
    base_folders = (places / 'world/meshes',)
    assert find(places, 'cup.stl', base_folders=base_folders) == ('world/meshes/cup.stl', [])
    assert find(places, '../../secret', base_folders=base_folders) == (None, [OUTSIDE])


def test_a_text_has_the_folders_of_assets_alone(places):
    """A world that is given as a text has no folder of its own, not even the working folder."""
    notes = FileFindings('text', world_findings())
    folders = AssetFolders(assets=(places / 'assets',))
    here = os.getcwd()  # noqa: PTH109 (the working folder as such)
    os.chdir(places / 'world')
    try:
        assert folders.find('meshes/cup.stl', notes) is None
    finally:
        os.chdir(here)
    assert folders.find('box.stl', notes) == places / 'assets/box.stl'
    assert AssetFolders().find('box.stl', notes) is None


def test_the_finding_names_a_similar_file(places):
    """A wrong upper case must be seen at once, and the code of a missing file can be chosen."""
    notes = FileFindings('world.xml', world_findings())
    AssetFolders(places / 'world').find('meshes/Cup.stl', notes)
    assert 'cup.stl' in notes.findings.all[0].message()


def test_links_of_an_installed_package_are_followed(places):
    """`colcon build --symlink-install` links the files of a package to its sources."""
    source = places / 'source'
    source.mkdir()
    (source / 'leg.stl').write_bytes(b'leg')
    (places / 'share/robot/leg.stl').symlink_to(source / 'leg.stl')
    (places / 'share/robot/meshes').symlink_to(source)
    (places / 'world/leg.stl').symlink_to(source / 'leg.stl')
    assert find(places, 'package://robot/leg.stl') == ('source/leg.stl', [])
    assert find(places, 'package://robot/meshes/leg.stl') == ('source/leg.stl', [])
    assert find(places, 'package://robot/meshes/../../secret') == (None, [OUTSIDE])
    assert find(places, 'leg.stl') == (None, [OUTSIDE])
