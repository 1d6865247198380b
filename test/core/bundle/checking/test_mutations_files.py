# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are missing, truncated, exchanged, of another kind, or elsewhere."""

from __future__ import annotations

import os
from itertools import combinations

import pytest

from world_model_core.bundle.finding_catalog import BundleError
from world_model_core.bundle.loading import load
from world_model_core.findings import Severity

SPLATS, RENDER = 'gaussians/background.splat.ply', 'gaussians/render_config.json'
HEIGHTS, HEIGHTMAP = 'geometry/heightmap.bin', 'geometry/heightmap.yaml'
DRIVABLE, MESH = 'geometry/drivable.geojson', 'geometry/static_mesh.glb'
CALIBRATION, TF = 'sensors/calibration.yaml', 'sensors/tf_static.json'
METADATA, TIMEBASE, WORLD = 'metadata.json', 'sim/timebase.yaml', 'world.yaml'
OVERVIEW = 'preview/overview.png'
YAML, JSON = (HEIGHTMAP, CALIBRATION, TIMEBASE), (METADATA, RENDER, DRIVABLE, TF)
LISTED = (*YAML, *JSON, SPLATS, HEIGHTS, MESH)
POINTER = b"""version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345
"""
# Codes by kind of file of a Git LFS pointer and of another kind of file.
LFS = {SPLATS: 'Splats.LfsPointer'}
NONE = {
    **dict.fromkeys(YAML, 'File.NotMapping'), **dict.fromkeys(JSON, 'File.NotJson'),
    SPLATS: 'Splats.Format', HEIGHTS: 'Heightmap.WrongSize', MESH: 'Mesh.NotGlb',
}  # fmt: skip

every_file = pytest.mark.parametrize('file', LISTED)
every_text = pytest.mark.parametrize('file', [WORLD, *YAML, *JSON])


def errors(mutant):
    """Return the errors."""
    return [each for each in mutant.findings() if each.rule.severity is Severity.ERROR]


@every_file
def test_a_missing_file_is_found(mutant, file):
    """The finding must be at the place in world.yaml that lists the file."""
    (mutant / file).unlink()
    mutant.must_show('Bundle.FileMissing', file=WORLD)


def test_a_missing_world_is_found(mutant):
    """Without world.yaml there is no bundle, and no other finding."""
    (mutant / WORLD).unlink()
    mutant.must_show('Bundle.WorldMissing')


def test_a_preview_that_is_too_large_is_not_read(mutant):
    """A sparse file of any size takes no space, but would fill the memory."""
    (mutant / OVERVIEW).unlink()
    with (mutant / OVERVIEW).open('wb') as stream:
        stream.write(b'\x89PNG\r\n\x1a\n')
        stream.truncate(20 * 10**9)
    mutant.must_show('Preview.TooLarge', 'Bundle.Large', file=OVERVIEW)
    with pytest.raises(BundleError, match=r'Preview\.TooLarge'):
        _ = load(mutant.folder).previews


def test_a_missing_file_without_a_similar_name(mutant):
    """The finding must be a sentence, too."""
    mutant.put(WORLD, '/metadata', 'qqqqqqqq.json')
    (found,) = (e for e in mutant.findings() if e.rule.code == 'Bundle.FileMissing')
    assert found.message().endswith('similar names in its folder: none')


def test_a_missing_preview_is_a_warning(mutant):
    """Only people need previews."""
    (mutant / OVERVIEW).unlink()
    mutant.must_show('Bundle.PreviewMissing', file=WORLD)


@every_file
def test_an_empty_file_is_found(mutant, file):
    """An empty file, as from a full disk, must be found."""
    mutant.write(file, b'')
    mutant.must_show('Bundle.FileEmpty', file=WORLD)


@every_file
def test_a_folder_in_place_of_a_file_is_found(mutant, file):
    """A folder cannot be read as a file."""
    (mutant / file).unlink()
    (mutant / file).mkdir()
    mutant.must_show('Bundle.FolderNotFile', file=WORLD)


@every_file
def test_a_pipe_in_place_of_a_file_is_never_opened(mutant, file):
    """Opening a pipe would block forever."""
    (mutant / file).unlink()
    os.mkfifo(mutant / file)
    mutant.must_show('Bundle.NotRegularFile', file=WORLD)


@every_file
def test_a_link_that_leaves_the_bundle_is_never_opened(mutant, file, tmp_path):
    """Opening the target, a pipe, would block forever."""
    os.mkfifo(tmp_path / 'outside')
    (mutant / file).unlink()
    (mutant / file).symlink_to(os.path.relpath(tmp_path / 'outside', (mutant / file).parent))
    mutant.must_show('Bundle.LinkLeaves', file=WORLD)


def test_a_link_within_the_bundle_is_allowed(mutant):
    """The contract allows it."""
    (mutant / TIMEBASE).rename(mutant / 'sim/first.yaml')
    (mutant / TIMEBASE).symlink_to('first.yaml')
    assert [each.rule.code for each in mutant.findings()] == ['Bundle.Unlisted']


@every_file
def test_half_a_file_is_found(mutant, file):
    """A truncated file, as from a killed writer, is an error in that file only."""
    content = (mutant / file).read_bytes()
    mutant.write(file, content[: len(content) // 2])
    assert {each.file for each in errors(mutant)} == {file}


@pytest.mark.parametrize('file', [SPLATS, HEIGHTS, MESH])
@pytest.mark.parametrize('change', [-1, 1])
def test_a_byte_more_or_less_is_found(mutant, file, change):
    """Binary files have exact lengths."""
    content = (mutant / file).read_bytes()
    mutant.write(file, content[:-1] if change < 0 else content + b'\0')
    codes = {
        SPLATS: ('Splats.Truncated', 'Splats.TrailingBytes'),
        HEIGHTS: ('Heightmap.WrongSize', 'Heightmap.WrongSize'),
        MESH: ('Mesh.CutOff', 'Mesh.TrailingBytes'),
    }
    mutant.must_show(codes[file][change > 0], file=file)


@every_file
def test_the_pointer_of_git_lfs_is_named(mutant, file):
    """The file that remains when Git LFS was not fetched must be named."""
    mutant.write(file, POINTER)
    mutant.must_show(LFS.get(file, 'File.LfsPointer'), file=file)


@every_file
def test_text_in_place_of_a_file_is_found(mutant, file):
    """Text in place of a file, as from a failed download, must be found."""
    mutant.write(file, b'not found: the file that was asked for is not here\n'.replace(b':', b''))
    mutant.must_show(NONE[file], file=file)


@pytest.mark.parametrize(('one', 'other'), list(combinations(LISTED, 2)))
def test_exchanged_files_are_found(mutant, one, other):
    """Two files under each other's names must give errors in them and in no other."""
    # The two files of a heightmap are checked together; an empty calibration misses the sensors.
    also = {HEIGHTMAP: {HEIGHTS}, CALIBRATION: {METADATA}}
    allowed = {one, other} | also.get(one, set()) | also.get(other, set())
    first, second = ((mutant / name).read_bytes() for name in (one, other))
    mutant.write(one, second)
    mutant.write(other, first)
    found = {each.file for each in errors(mutant)}
    assert found
    assert found <= allowed


@every_text
def test_a_text_in_utf_16_is_found(mutant, file):
    """All small files are UTF-8."""
    mutant.write(file, (mutant / file).read_text(encoding='utf-8').encode('utf-16'))
    mutant.must_show('File.NotUtf8', file=file)


@every_text
def test_a_byte_order_mark_is_found(mutant, file):
    """Many readers fail on it."""
    mutant.write(file, b'\xef\xbb\xbf' + (mutant / file).read_bytes())
    mutant.must_show('File.ByteOrderMark', file=file)


@pytest.mark.parametrize('file', [WORLD, *YAML])
def test_repeated_keys_are_found_in_yaml(mutant, file):
    """PyYAML silently keeps the last of two."""
    mutant.write(file, (mutant / file).read_bytes() + b'version: "1.0.0"\n')
    mutant.must_show('File.DuplicateKey', file=file, where='/version')


@pytest.mark.parametrize('file', JSON)
def test_repeated_keys_are_found_in_json(mutant, file):
    """Python's reader silently keeps the last of two."""
    text = (mutant / file).read_text(encoding='utf-8')
    key = text.split('"')[1]
    value = {'transforms': '[]'}.get(key, '"1.0.0"')
    mutant.write(file, text.replace('{', f'{{"{key}": {value},', 1))
    mutant.must_show('File.DuplicateKey', file=file, where=f'/{key}')


@pytest.mark.parametrize('word', ['NaN', 'Infinity', '-Infinity'])
@pytest.mark.parametrize(
    ('file', 'value'),
    [(METADATA, '"max_x": '), (RENDER, '"gamma": '), (TF, '"z": ')],
)
def test_numbers_that_json_does_not_have_are_found(mutant, file, value, word):
    """Python's reader accepts them as numbers."""
    before, after = (mutant / file).read_text(encoding='utf-8').split(value, 1)
    rest = after[len(after) - len(after.lstrip('-+.0123456789eE')) :]
    mutant.write(file, f'{before}{value}{word}{rest}')
    mutant.must_show('File.JsonConstant', file=file)


@pytest.mark.parametrize('text', ['1e-5', '1e5', '+1e5', '0o17', '1_000', '1:30', 'no', '.nan'])
def test_numbers_that_yaml_takes_for_something_else_are_found(mutant, text):
    """PyYAML reads 1e-5 as text, 1:30 as 90 and `no` as False."""
    content = (mutant / TIMEBASE).read_text(encoding='utf-8')
    mutant.write(TIMEBASE, content.replace('dt: 0.01', f'dt: {text}'))
    found = [each for each in mutant.findings() if each.where == '/simulation/dt']
    assert found
    assert found[0].rule.code.startswith(('File.N', 'File.Unusual'))


@pytest.mark.parametrize('text', ['1.0', '2026_02_14', 'no', '2026-02-14', '0x1F', '~', '1e3'])
def test_texts_that_yaml_takes_for_something_else_are_found(mutant, text):
    """A scene_id or a version without quotes may be a number, a date or False."""
    content = (mutant / WORLD).read_text(encoding='utf-8')
    mutant.write(WORLD, content.replace('scene_id: "example_village"', f'scene_id: {text}'))
    assert 'Metadata.SceneIdMismatch' in {e.rule.code for e in mutant.findings()} or {
        'File.NotText', 'File.MissingField'
    } & {e.rule.code for e in mutant.findings()}  # fmt: skip


@pytest.mark.parametrize('file', [WORLD, CALIBRATION])
def test_bombs_of_aliases_are_found_at_once(mutant, file):
    """Nine levels of nine aliases are 387,420,489 values."""
    levels = [f'a{n}: &a{n} [{", ".join([f"*a{n - 1}"] * 9)}]' for n in range(1, 10)]
    mutant.write(file, '\n'.join(['a0: &a0 [x]', *levels]) + '\n')
    assert {each.rule.code for each in errors(mutant)} >= {'File.TooManyValues'}


@every_text
def test_documents_that_are_nested_too_deep_are_found(mutant, file):
    """Deep enough to exhaust the stack of a reader that recurses."""
    mutant.write(file, '[' * 100_000 + ']' * 100_000)
    mutant.must_show('File.TooDeep', file=file)


@every_text
def test_texts_that_are_too_large_are_not_read(mutant, file):
    """A file that is sparse on disk and larger than any memory must not be read."""
    mutant.write(file, b'{')
    os.truncate(mutant / file, 2**33)
    mutant.must_show('File.TooLarge', 'Bundle.Large', file=file)


def test_extensions_are_reported_and_never_errors(mutant):
    """Folders reserved by the contract are reported, whatever their content."""
    for name in ('actors', 'hdmap', 'traffic', 'scenarios'):
        mutant.write(f'{name}/anything.json', b'{broken')
    assert [each.rule.code for each in mutant.findings()] == ['Bundle.Extension'] * 4


def test_unlisted_files_are_reported(mutant):
    """Files that world.yaml does not list are ignored and reported."""
    mutant.write('preview/trajectory.png', b'?')
    mutant.write('notes.txt', b'?')
    (found,) = mutant.findings()
    assert found.rule.code == 'Bundle.Unlisted'
    assert found.values['found'] == 'notes.txt, preview/trajectory.png'


def test_hidden_files_are_ignored(mutant):
    """Version control and file managers leave such files."""
    mutant.write('.git/config', b'?')
    mutant.write('sim/.DS_Store', b'?')
    assert mutant.findings() == ()


def test_unlisted_links_that_leave_are_found(mutant, tmp_path):
    """A bundle with them cannot be moved; folders are not entered."""
    (tmp_path / 'outside').mkdir()
    (tmp_path / 'outside/file').touch()
    (mutant / 'more').symlink_to(tmp_path / 'outside')
    (mutant / 'sim/loop').symlink_to('loop')
    mutant.must_show('Bundle.StrayLink', file='more')
    (unlisted,) = (each for each in mutant.findings() if each.rule.code == 'Bundle.Unlisted')
    assert unlisted.values['found'] == 'more, sim/loop'


def test_a_path_that_is_not_a_folder_is_found(mutant):
    """A path that leads to nothing, or to a file, must be found."""
    for name in ('nothing', WORLD):
        found = type(mutant)(mutant / name).findings()
        assert found[0].rule.code == 'Bundle.NotAFolder'
