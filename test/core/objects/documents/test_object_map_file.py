# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Map files: atomic writing, and loading with the right origin only."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from world_model_core.objects.documents.json_fields import ObjectMapError
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.documents.object_map_file import OriginError, StoreError, load, save
from world_model_core.objects.values import MapObject

CHAIR = MapObject('4', '椅子', np.array((1.5, 2.3, 0.4)), 0.01 * np.eye(3), hits=3)
MAP = ObjectMapDocument((CHAIR,), next_id=5, map_id='house', frame_id='map', stamp_ns=7)


def files(folder):
    """Return the names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_what_is_saved_is_loaded(tmp_path):
    """Nothing is lost, and no other file is left in the folder."""
    path = tmp_path / 'map.json'
    save(path, MAP)
    save(str(path), replace(MAP, stamp_ns=8))
    assert map_document(load(path)) == map_document(replace(MAP, stamp_ns=8))
    assert files(tmp_path) == ['map.json']
    assert '椅子' in path.read_text(encoding='utf-8')


def test_files_have_the_rights_that_other_files_have(tmp_path):
    """Everyone who may read the folder may read the map."""
    plain = tmp_path / 'plain'
    plain.touch()
    save(tmp_path / 'map.json', MAP)
    assert stat.S_IMODE((tmp_path / 'map.json').stat().st_mode) == stat.S_IMODE(
        plain.stat().st_mode
    )


def test_a_link_stays_one(tmp_path):
    """The target of the link is replaced."""
    (tmp_path / 'maps').mkdir()
    link = tmp_path / 'latest.json'
    link.symlink_to('maps/house.json')
    save(link, MAP)
    assert link.is_symlink()
    assert files(tmp_path / 'maps') == ['house.json']
    assert load(link).map_id == 'house'


@pytest.mark.parametrize('step', ['fsync', 'replace'])
def test_a_save_that_fails_leaves_the_old_file(tmp_path, monkeypatch, step):
    """After any failure the old map is complete, and no other file is left."""
    path = tmp_path / 'map.json'
    save(path, MAP)

    def fail(*_):
        raise OSError(28, 'No space left on device')

    with monkeypatch.context() as patch:
        patch.setattr(*{'fsync': (os, 'fsync'), 'replace': (Path, 'replace')}[step], fail)
        with pytest.raises(StoreError, match=r'map\.json: .*No space left'):
            save(path, replace(MAP, stamp_ns=8))
    assert load(path).stamp_ns == 7
    assert files(tmp_path) == ['map.json']


def test_the_new_file_is_on_the_disk_before_it_has_the_name(tmp_path, monkeypatch):
    """The order is write, fsync, rename, fsync of the folder: a crash leaves a whole map."""
    done = []
    fsync, rename = os.fsync, Path.replace

    def watch_fsync(descriptor):
        done.append('folder' if stat.S_ISDIR(os.fstat(descriptor).st_mode) else 'file')
        fsync(descriptor)

    def watch_rename(path, target):
        done.append('rename')
        return rename(path, target)

    monkeypatch.setattr(os, 'fsync', watch_fsync)
    monkeypatch.setattr(Path, 'replace', watch_rename)
    save(tmp_path / 'map.json', MAP)
    assert done == ['file', 'rename', 'folder']


def test_a_folder_that_is_not_there_is_told(tmp_path):
    """A missing folder is not created: it indicates a wrong path."""
    with pytest.raises(StoreError, match=r'/no/map\.json: '):
        save(tmp_path / 'no/map.json', MAP)


def test_a_map_that_could_not_be_read_again_is_not_saved(tmp_path):
    """A valid old file must not be replaced by an invalid new one."""
    path = tmp_path / 'map.json'
    save(path, MAP)
    bad = replace(CHAIR, position=np.full(3, np.nan))
    with pytest.raises(
        ObjectMapError,
        match=r'map\.json: object map at /objects/4/position/0: File.JsonConstant: NaN',
    ):
        save(path, replace(MAP, objects=(bad,)))
    assert load(path).objects[0].id == '4'


@pytest.mark.parametrize(
    ('expected', 'complaint'),
    [
        ({'map_id': 'garden'}, "map_id is 'house', expected 'garden'; set force_load"),
        ({'frame_id': 'odom'}, "frame_id is 'map', expected 'odom'"),
        ({'map_id': 'house', 'frame_id': 'odom'}, 'frame_id is'),
    ],
)
def test_a_map_of_another_origin_is_refused_unless_forced(tmp_path, expected, complaint):
    """A map of another origin is rejected unless the user forces it."""
    path = tmp_path / 'map.json'
    save(path, MAP)
    with pytest.raises(OriginError, match=complaint):
        load(path, **expected)
    assert load(path, **expected, force=True).objects[0].id == '4'


def test_a_map_that_does_not_say_where_it_belongs_is_taken(tmp_path):
    """A document without an origin is accepted, and so is any map if no origin is expected."""
    path = tmp_path / 'map.json'
    path.write_text('{"objects": {}}')
    assert load(path, map_id='house', frame_id='map').map_id is None
    save(path, MAP)
    assert load(path, map_id='house', frame_id='map') is not None
    assert load(path).map_id == 'house'


@pytest.mark.parametrize(
    ('data', 'complaint'),
    [
        (b'{"objects": {', r'map\.json: object map at line 1: File.CutOff'),
        (b'{"objects": {"a": "\xff"}}', r'map\.json: byte 19 is 0xff; it must be UTF-8'),
        (b'', r'map\.json: object map at line 1: File.CutOff'),
        (b'{"objects": {"1": {}}}', r'map\.json: objects\.1\.attributes|objects\.1\.class'),
    ],
)
def test_bad_files_are_named(tmp_path, data, complaint):
    """The error has the file, and the place in it."""
    path = tmp_path / 'map.json'
    path.write_bytes(data)
    with pytest.raises(ObjectMapError, match=complaint):
        load(path)


def test_missing_files_are_named(tmp_path):
    """A missing file or a folder is reported by its path."""
    for path in (tmp_path / 'none.json', tmp_path):
        with pytest.raises(ObjectMapError, match=str(path)):
            load(path)


def test_a_byte_order_mark_is_no_content(tmp_path):
    """Editors on Windows write a byte order mark."""
    path = tmp_path / 'map.json'
    path.write_text('{"objects": {}}', encoding='utf-8-sig')
    assert load(path).objects == ()
