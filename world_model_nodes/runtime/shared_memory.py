# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Removal of the shared memory that killed processes left behind.

Fast DDS gives each process a segment of half a megabyte in /dev/shm. Its owner holds a lock on a
second file, with the suffix _el, as long as it lives (RobustExclusiveLock.hpp), and removes both
at a regular end. `fastdds shm clean` uses the same lock. Segments have random names and are not
used again; ports are, and are left alone.
"""

from __future__ import annotations

import fcntl
import os
import re
import time
from pathlib import Path

FOLDER = Path('/dev/shm')  # noqa: S108 (the folder of Fast DDS, and not a temporary file)
# Lock of a segment, in Fast DDS 3 and 2.
LOCK = re.compile(r'(fastdds|fastrtps)_[0-9a-f]{16}_el')
# A new process creates its lock file before it locks it, within a fraction of a second [s].
LEAST_AGE = 10.0


def remove_stale_segments(folder: Path = FOLDER) -> int:
    """Remove the segments whose owners are dead; return their number."""
    oldest = time.time() - LEAST_AGE
    locks = (each for each in _entries(folder) if LOCK.fullmatch(each.name))
    return sum(_remove_if_stale(each, oldest) for each in locks)


def _entries(folder: Path) -> tuple[Path, ...]:
    try:
        return tuple(folder.iterdir())
    except OSError:  # another middleware or system
        return ()


def _remove_if_stale(lock: Path, oldest: float) -> bool:
    """Remove a segment and its lock file, while holding the lock, if it is free and old."""
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # its owner has just removed it, or it is another user's
        return False
    try:
        if os.fstat(descriptor).st_mtime > oldest:
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.with_name(lock.name.removesuffix('_el')).unlink(missing_ok=True)
        lock.unlink(missing_ok=True)
    except OSError:  # in use, or another user's
        return False
    else:
        return True
    finally:
        os.close(descriptor)
