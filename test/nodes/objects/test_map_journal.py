# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The journal on real files: crashes, damage, a full disk, compaction and fresh maps."""

import os

import numpy as np
import pytest

from world_model_core.files.atomic_write import temporary_path
from world_model_core.objects.documents.object_map_document import map_document
from world_model_core.objects.journal.replay import SKIPPED_IDS
from world_model_core.objects.persistent_map import PersistentObjectMap
from world_model_core.objects.values import UNKNOWN, Detections
from world_model_nodes.objects import journal_files, map_journal
from world_model_nodes.objects.map_journal import MapJournal
from world_model_nodes.objects.object_map_config import ObjectMapConfig

FOUND = 20


def frame(number):
    """Build a frame with known objects and a new one."""
    positions = np.column_stack((number + np.arange(FOUND), np.zeros(FOUND), np.zeros(FOUND)))
    return Detections(
        stamp_ns=number * 10**8,
        labels=('chair',) * FOUND,
        positions=positions,
        covariances=np.tile(1e-4 * np.eye(3), (FOUND, 1, 1)),
        scores=np.ones(FOUND),
        colors=(UNKNOWN,) * FOUND,
        sizes=np.full((FOUND, 3), np.nan),
        headings=np.full(FOUND, np.nan),
    )


class Run:
    """A node's map with its journal."""

    def __init__(self, folder, **given):
        self.folder = folder / 'map.journal'
        self.config = ObjectMapConfig(map_folder=str(folder), **given)
        self.kept = PersistentObjectMap(self.config.map_parameters())
        self.warnings = []
        self.journal = MapJournal(self.kept, self.config, self.warnings.append)

    def observe(self, *numbers):
        """Observe frames as the node does."""
        for number in numbers:
            self.journal.reserve(FOUND)
            self.kept.observe(frame(number), None)

    def crash(self):
        """Leave the files as a killed process does, whose locks the system releases."""
        self.journal._worker.shutdown()
        self.journal._files.close()

    @property
    def document(self):
        """The map as JSON values."""
        return map_document(self.kept.document(self.config.origin))

    @property
    def files(self):
        """Names of all files of the journal but the lock."""
        return sorted(each.name for each in self.folder.iterdir() if each.name != 'lock')


def test_a_crash_loses_what_was_not_flushed(tmp_path):
    """The map is that of the last flush; ids that were given since are not given again."""
    run = Run(tmp_path)
    run.observe(1, 2, 3)
    run.journal.flush()
    flushed = run.document
    run.observe(4, 5, 6)
    given = run.kept.map.next_id
    run.crash()
    after = Run(tmp_path)
    assert after.journal.error is None
    assert after.document['objects'] == flushed['objects']
    assert after.kept.map.next_id >= given
    assert not after.journal.counts['torn records']
    after.journal.close()


def test_a_regular_end_loses_nothing(tmp_path):
    """Neither observations nor reserved ids."""
    run = Run(tmp_path)
    run.observe(1, 2)
    run.journal.close()
    after = Run(tmp_path)
    assert after.document == run.document
    after.journal.close()


def test_a_torn_record_is_dropped(tmp_path):
    """The death of the process in a write costs that record, and is counted."""
    run = Run(tmp_path)
    run.observe(1, 2)
    run.journal.flush()
    flushed = run.document
    run.observe(3)
    run.journal.flush()
    run.crash()
    newest = run.journal._files.newest
    os.truncate(newest, newest.stat().st_size - 100)
    after = Run(tmp_path)
    assert after.document['objects'] == flushed['objects']
    assert after.journal.counts['torn records'] == 1
    assert not after.warnings
    after.journal.close()


@pytest.mark.parametrize('place', [-200, 20])
def test_a_damaged_journal_is_kept_aside(tmp_path, place):
    """What is intact is loaded, the file is kept, and the node warns and goes on."""
    run = Run(tmp_path)
    run.observe(1)
    run.journal.flush()
    run.observe(2)
    run.journal.flush()
    run.crash()
    newest = run.journal._files.newest
    data = bytearray(newest.read_bytes())
    data[place] ^= 255
    newest.write_bytes(data)
    after = Run(tmp_path)
    assert after.journal.error is None
    assert after.journal.counts['damaged files'] == 1
    assert 'damaged' in after.warnings[0]
    assert (after.folder / f'{newest.stem}.aside').read_bytes() == data
    if place < 0:  # the first records are intact
        assert after.kept.map.next_id >= SKIPPED_IDS
    after.observe(3)
    after.journal.close()
    assert Run(tmp_path).document == after.document


def test_a_full_disk_is_an_error_until_there_is_room(tmp_path, full_disk):
    """The map goes on; then all of it is written, and no part of a record remains."""
    run = Run(tmp_path)
    run.observe(1, 2)
    run.journal.flush()
    with full_disk(1000):
        for number in (3, 4):
            run.observe(number)
            run.journal.flush()
            assert 'File too large' in run.journal.error
    assert run.journal.counts['failed writes'] >= 2
    run.journal.flush()
    assert run.journal.error is None
    run.crash()
    after = Run(tmp_path)
    assert after.document['objects'] == run.document['objects']
    assert len(after.files) == 1
    after.journal.close()


def test_complete_files_are_compacted(tmp_path, monkeypatch):
    """The size on the disk is bounded by the map, and not by the time."""
    monkeypatch.setattr(journal_files, 'LEAST_SIZE', 50_000)
    run = Run(tmp_path)
    for number in range(1, 60):
        run.observe(number)
        run.journal.flush()
        run.journal._worker.submit(int).result()  # wait for the compaction
    assert run.journal.error is None
    assert len(run.files) <= 2
    run.crash()
    after = Run(tmp_path)
    assert after.document['objects'] == run.document['objects']
    after.journal.close()


def test_temporary_files_of_a_killed_process_are_removed(tmp_path):
    """Those of the journal and of a save of the same map, and no others."""
    run = Run(tmp_path)
    stale = [temporary_path(tmp_path / 'map.json'), temporary_path(run.folder / '7.log')]
    others = [
        temporary_path(tmp_path / 'office.json'),
        tmp_path / 'map.json',
        tmp_path / '.map.json',
    ]
    run.crash()
    for path in (*stale, *others):
        path.touch()
    after = Run(tmp_path)
    assert not any(path.exists() for path in stale)
    assert all(path.exists() for path in others)
    after.journal.close()


def test_a_fresh_map_is_begun_once_for_a_launcher(tmp_path, monkeypatch):
    """A crash and the restart by the launcher continue the fresh map; another start does not."""
    run = Run(tmp_path)
    run.observe(1)
    run.journal.close()
    run = Run(tmp_path, fresh=True)
    assert run.document['objects'] == {}
    assert run.kept.map.next_id == FOUND
    run.observe(2)
    run.journal.flush()
    run.crash()
    run = Run(tmp_path, fresh=True)
    assert len(run.document['objects']) == FOUND
    run.journal.close()
    process = map_journal._process
    with monkeypatch.context() as patch:
        patch.setattr(
            map_journal, '_process', lambda n: 'other' if n == os.getpid() else process(n)
        )
        run = Run(tmp_path, fresh=True)
        assert run.document['objects'] == {}
        run.observe(3)
        run.journal.flush()
        run.crash()
    monkeypatch.setattr(map_journal, '_process', lambda n: f'{n} another launcher')
    run = Run(tmp_path, fresh=True)
    assert run.document['objects'] == {}
    run.journal.close()


def test_what_was_loaded_and_cleared_is_in_the_journal(tmp_path):
    """A load or a clear replaces the map in the journal, too."""
    run = Run(tmp_path)
    run.observe(1)
    run.kept.save(tmp_path / 'map.json', run.config.origin)
    run.journal.flush()
    run.kept.clear()
    run.journal.flush()
    run.crash()
    run = Run(tmp_path)
    assert run.document['objects'] == {}
    run.kept.load(tmp_path / 'map.json', run.config.origin, force=False)
    run.journal.flush()
    run.crash()
    after = Run(tmp_path)
    assert after.document['objects'].keys() == run.document['objects'].keys()
    after.journal.close()


def test_a_journal_in_use_is_continued_when_it_is_free(tmp_path):
    """Until something is observed, nothing is lost by waiting; later the journal is set aside."""
    run = Run(tmp_path)
    waiting, mapping = Run(tmp_path), Run(tmp_path)
    assert 'another object_map uses it' in waiting.journal.error
    assert str(run.folder) in waiting.journal.error
    run.observe(1)
    run.journal.close()
    waiting.journal.flush()
    assert waiting.journal.error is None
    assert waiting.document['objects'] == run.document['objects']
    waiting.journal.close()
    mapping.observe(1)
    mapping.journal.flush()
    assert mapping.journal.error is None
    assert 'set aside' in mapping.warnings[0]
    assert [name for name in mapping.files if name.endswith('.aside')]
    assert mapping.kept.map.next_id >= waiting.kept.map.next_id
    mapping.journal.close()


def test_a_full_disk_does_not_remove_the_journal_of_another_place(tmp_path, full_disk):
    """What is set aside stays, although the first attempts to begin a journal fail."""
    run = Run(tmp_path, map_id='here')
    run.observe(1, 2)
    run.journal.close()
    (name,) = run.files
    old = (run.folder / name).read_bytes()
    with full_disk(10):
        other = Run(tmp_path, map_id='there')
        other.journal.flush()
    assert 'too large' in other.journal.error
    other.journal.flush()
    assert other.journal.error is None
    (aside,) = other.folder.glob('*.aside')
    assert aside.read_bytes() == old
    other.journal.close()
