# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Journal of the map of a node: loads it at start, and appends what has changed."""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError
from world_model_core.files.atomic_write import sync
from world_model_core.objects.documents.object_map_file import OriginError
from world_model_core.objects.journal.id_blocks import BLOCK, reserve_ids
from world_model_core.objects.journal.replay import record_bytes
from world_model_nodes.objects.journal_files import JournalFiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.objects.journal.journal_record import JournalRecord
    from world_model_core.objects.journal.replay import Replay
    from world_model_core.objects.persistent_map import PersistentObjectMap
    from world_model_nodes.objects.object_map_config import ObjectMapConfig


class MapJournal:
    """
    Keeps a map on the disk.

    A record is written to the cache of the operating system, which survives the process; another
    thread then synchronizes the file to the disk, and compacts it. After an error, the next call
    of `flush` begins the journal again with the full map.

    Parameters
    ----------
    kept : PersistentObjectMap
    config : ObjectMapConfig
    warn : callable
        Receives what was wrong with the journal that was found.

    Attributes
    ----------
    error : str or None
        Why the map is not kept at present.
    counts : Counter
        Torn records, damaged files and failed writes.

    """

    def __init__(
        self, kept: PersistentObjectMap, config: ObjectMapConfig, warn: Callable[[str], None]
    ) -> None:
        self._map, self._warn = kept, warn
        self.configure(config)
        self._launcher = _process(os.getppid()) if config.fresh else ''
        self._worker = ThreadPoolExecutor(1, 'map_journal')
        self._work: Future[None] | None = None
        self._failure: Exception | None = None
        self._files: JournalFiles | None = None
        self._aside: tuple[int, ...] = ()
        self._whole = False  # whether the files contain the map up to the last record
        self._version = -1
        self._reserved = 0
        self.error: str | None = None
        self.counts: Counter[str] = Counter()
        self._attempt(self._open)

    def configure(self, config: ObjectMapConfig) -> None:
        """Use other parameters; the folder does not change."""
        self._config = config

    def reserve(self, count: int) -> None:
        """Reserve ids before a frame is used that may need as many."""
        files = self._files if self._whole else None
        if files is not None and self._map.map.next_id + count > self._reserved:
            self._attempt(lambda: self._append(files, count))

    def flush(self) -> None:
        """Write what has changed since the last call."""
        self._attempt(self._update)

    def close(self) -> None:
        """Write everything, and unlock the journal."""
        self._worker.shutdown()
        files, self._files = self._files, None
        if files is not None:
            if self._whole:
                self._attempt(lambda: self._end(files))
            files.close()

    def _attempt(self, act: Callable[[], None]) -> None:
        """Act, and report an error of the disk."""
        try:
            act()
        except (OSError, WorldModelError) as error:
            where = '' if self._files is None else f'{self._files.folder}: '
            self._whole = False
            self.counts['failed writes'] += 1
            self.error = f'{where}{error}'
        else:
            self.error = None

    def _open(self) -> None:
        """Open the files, and continue their map if this one is still empty."""
        files = JournalFiles(self._config.journal, self._config.tombstone_limit)
        files.open()
        try:
            found = files.read()
        except OSError:
            files.close()
            raise
        self._files = files
        if self._map.version:
            self._aside = self._set_aside(found, 'it could not be loaded at start')
        else:
            self._aside = self._resume(found)
        self._begin(files)

    def _resume(self, found: Replay) -> tuple[int, ...]:
        """Continue the map that was found; return the indices of the files to keep."""
        self.counts['torn records'] += found.torn
        self.counts['damaged files'] += len(found.damaged)
        if found.damaged:
            self._warn(f'{self._config.journal} is damaged: loaded what is intact')
        record, config = found.record, self._config
        if record is None:
            return found.damaged
        if config.fresh and not self._is_restarted(record):
            self._skip_ids(record)
            return found.damaged
        try:
            self._map.resume(record, config.origin, force=config.force_load)
        except OriginError as error:
            return self._set_aside(found, str(error))
        return found.damaged

    def _is_restarted(self, record: JournalRecord) -> bool:
        """Return whether the fresh map of a journal was begun for this same start of the node."""
        respawned = bool(self._launcher) and record.launcher == self._launcher
        # A process that starts again, because the network has changed, ends regularly before.
        return respawned and record.ended_by in {'', _process(os.getpid())}

    def _set_aside(self, found: Replay, reason: str) -> tuple[int, ...]:
        """Keep all files that were found under another name, but do not give their ids again."""
        if found.record is None:
            return found.damaged
        self._warn(f'{self._config.journal} is set aside: {reason}')
        self._skip_ids(found.record)
        return tuple(range(found.files))

    def _skip_ids(self, record: JournalRecord) -> None:
        self._map.map.skip_ids(record.change.next_id)

    def _update(self) -> None:
        """Append a record if the map has changed; begin again after an error."""
        failure, self._failure = self._failure, None
        if self._files is None:
            self._open()
        elif failure is not None:
            raise failure
        elif not self._whole:
            self._begin(self._files)
        elif self._version != self._map.version:
            self._append(self._files, BLOCK // 2)

    def _begin(self, files: JournalFiles) -> None:
        """Write the full map."""
        record = self._take(BLOCK // 2, full=True)
        files.begin(record_bytes(record), self._aside)
        self._reserved, self._whole, self._aside = record.change.next_id, True, ()

    def _append(self, files: JournalFiles, count: int) -> None:
        """Append what has changed, with the reservation of ids."""
        record = self._take(count, full=False)
        complete = files.append(record_bytes(record))
        self._reserved = record.change.next_id
        if complete:
            self._submit(partial(files.compact, complete))
        elif self._work is None or self._work.done():
            self._submit(partial(sync, files.newest))

    def _take(self, count: int, *, full: bool) -> JournalRecord:
        """Take a record that reserves ids."""
        self._version = self._map.version
        record = self._map.take_record(self._config.origin, full=full)
        reserved = reserve_ids(record.change.next_id, count, self._reserved)
        return replace(
            record, change=replace(record.change, next_id=reserved), launcher=self._launcher
        )

    def _end(self, files: JournalFiles) -> None:
        """Append the last record, which returns the reserved ids that were not used."""
        record = self._map.take_record(self._config.origin)
        process = _process(os.getpid())
        last = replace(record, launcher=self._launcher, ended_by=process)
        files.append(record_bytes(last))
        sync(files.newest)

    def _submit(self, work: Callable[[], None]) -> None:
        """Let the other thread work; `_update` reports its error."""

        def act() -> None:
            try:
                work()
            except (OSError, WorldModelError) as error:
                self._failure = error

        self._work = self._worker.submit(act)


def _process(number: int) -> str:
    """Return a name of a running process that no other process has until the next boot."""
    try:
        # The start time is field 22 (proc(5)); the name in parentheses may contain blanks.
        status = Path(f'/proc/{number}/stat').read_text(encoding='utf-8', errors='replace')
    except OSError:
        return ''
    return f'{number} {status.rpartition(")")[2].split()[19]}'
