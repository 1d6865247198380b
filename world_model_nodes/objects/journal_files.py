# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Files of a journal: numbered, of which only the newest grows.

`5.log` continues `4.log`. Compaction replaces the last complete file by one that begins with the
full map, and removes the older ones. It is harmless to die at any point: a full map makes all
records before it void.
"""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from world_model_core.files.atomic_write import is_temporary, write_atomically
from world_model_core.objects.journal.replay import Replay, record_bytes, replay

if TYPE_CHECKING:
    from pathlib import Path

LOCK, SUFFIX, ASIDE = 'lock', '.log', '.aside'
# A file with less than this is not compacted [bytes].
LEAST_SIZE = 8 * 2**20


class JournalFiles:
    """
    Files of one journal, which one process at a time may use.

    Parameters
    ----------
    folder : Path
    tombstone_limit : int
        Number of tombstones to keep.

    """

    def __init__(self, folder: Path, tombstone_limit: int) -> None:
        self.folder = folder
        self._limit = tombstone_limit
        self._lock = self._file = -1
        self._number = self._size = self._full_size = 0

    def open(self) -> None:
        """
        Make the folder, lock it, and remove temporary files that a killed process left.

        Raises
        ------
        OSError
            Another process uses the journal, or the folder cannot be written.

        """
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(lock)
            text = 'another object_map uses it'
            raise OSError(error.errno, text, str(self.folder)) from error
        self._lock = lock
        saved = self.folder.parent.glob(f'.{self.folder.stem}.*')
        for path in filter(is_temporary, (*self.folder.iterdir(), *saved)):
            path.unlink(missing_ok=True)

    def read(self) -> Replay:
        """Replay all files."""
        return replay([self._path(each).read_bytes() for each in self._numbers()], self._limit)

    def begin(self, data: bytes, aside: tuple[int, ...] = ()) -> None:
        """
        Write a full map, and remove the older files.

        Parameters
        ----------
        data : bytes
            A record.
        aside : tuple of int
            Indices of the older files to keep under another name.

        """
        numbers = self._numbers()
        number = max((*numbers, self._number)) + 1
        write_atomically(self._path(number), data)
        self._open(number, len(data))
        self._full_size = len(data)
        if aside:
            for path in self.folder.glob(f'*{ASIDE}'):
                path.unlink()
        for index, number in enumerate(numbers):
            path = self._path(number)
            if index in aside:
                path.rename(path.with_suffix(ASIDE))
            else:
                path.unlink()

    def append(self, data: bytes) -> tuple[int, ...]:
        """
        Append a record; return the numbers of the files to compact now, often none.

        Raises
        ------
        OSError
            The record is not in the file; the journal must be begun again.

        """
        _write(self._file, data)
        self._size += len(data)
        if self._size < max(LEAST_SIZE, self._full_size):
            return ()
        complete = self._numbers()
        self._open(self._number + 1, 0)
        return complete

    @property
    def newest(self) -> Path:
        """The file that grows."""
        return self._path(self._number)

    def compact(self, numbers: tuple[int, ...]) -> None:
        """Replace complete files by one with the full map."""
        found = replay([self._path(each).read_bytes() for each in numbers], self._limit)
        if found.record is None or found.damaged:
            raise OSError(f'{self.folder} has been damaged')
        data = record_bytes(found.record)
        write_atomically(self._path(numbers[-1]), data)
        self._full_size = len(data)
        for number in numbers[:-1]:
            self._path(number).unlink()

    def close(self) -> None:
        """Close the file, and unlock the folder."""
        for descriptor in (self._file, self._lock):
            if descriptor >= 0:
                os.close(descriptor)
        self._file = self._lock = -1

    def _open(self, number: int, size: int) -> None:
        """Append to another file from now on."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        file = os.open(self._path(number), flags, 0o666)
        if self._file >= 0:
            os.close(self._file)
        self._file, self._number, self._size = file, number, size

    def _numbers(self) -> tuple[int, ...]:
        """Return the numbers of all files, oldest first."""
        names = (each.stem for each in self.folder.glob(f'*{SUFFIX}'))
        return tuple(sorted(int(name) for name in names if name.isdecimal()))

    def _path(self, number: int) -> Path:
        return self.folder / f'{number}{SUFFIX}'


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
