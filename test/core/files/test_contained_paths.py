# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Paths that are confined to a folder, without findings; test_bundle_paths has all causes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from world_model_core.files.contained_paths import PathError, contained_file


@pytest.fixture
def folder(tmp_path):
    """Make a folder with a file in it, and a secret next to the folder."""
    (tmp_path / 'worlds' / 'a').mkdir(parents=True)
    (tmp_path / 'worlds' / 'a' / 'world.json').write_text('{}')
    (tmp_path / 'secret').write_text('secret')
    return tmp_path / 'worlds'


@pytest.mark.parametrize('relative', ['a/world.json', './a/world.json', 'a//world.json'])
def test_files_in_the_folder_are_found(folder, relative):
    """Paths that are not normal must not prevent the use of a file."""
    assert contained_file(folder, relative) == folder / 'a' / 'world.json'


@pytest.mark.parametrize(
    ('relative', 'cause'),
    [
        ('../secret', 'PathLeaves'),
        ('/etc/passwd', 'PathAbsolute'),
        ('file:///etc/passwd', 'PathIsUrl'),
        ('a\\world.json', 'PathBackslash'),
        ('a/World.json', r'FileMissing \(similar world.json\)'),
        ('a', 'FolderNotFile'),
        ('x' * 300, r'PathTooLong \(limit 4095\)'),
    ],
)
def test_other_paths_are_errors(folder, relative, cause):
    """The error must name the path and the cause."""
    with pytest.raises(PathError, match=f'path .*{cause}'):
        contained_file(folder, relative)


def test_links_must_not_leave_the_folder(folder):
    """A link out of the folder must be an error, a link inside of it must be followed."""
    (folder / 'out').symlink_to('../secret')
    (folder / 'in').symlink_to('a/world.json')
    with pytest.raises(PathError, match='LinkLeaves'):
        contained_file(folder, 'out')
    assert contained_file(folder, 'in') == folder / 'a' / 'world.json'


@given(st.text(max_size=20))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_gives_a_file_inside_or_an_error(folder, relative):
    """No other exception may occur."""
    try:
        path = contained_file(folder, relative)
    except PathError:
        return
    assert path.is_relative_to(folder)
