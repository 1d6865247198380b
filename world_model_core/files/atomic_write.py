# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Atomic replacement of files: a reader or a crash finds the old file or the new one."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ['is_temporary', 'replacing', 'sync', 'temporary_path', 'write_atomically']

# Between the name of the target and random digits, in the names of temporary files.
MARK = '.writing-'


def temporary_path(target: Path) -> Path:
    """Return a new hidden path in the folder of a target."""
    return target.with_name(f'.{target.name[:200]}{MARK}{secrets.token_hex(4)}')


def is_temporary(path: Path) -> bool:
    """Return whether `temporary_path` has made the name of a path."""
    return path.name.startswith('.') and MARK in path.name


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """
    Give a temporary path to write to, and rename it to a path if no error was raised.

    The file is synchronized to the disk before it is renamed. A symbolic link is kept. What is
    not a regular file, such as /dev/stdout, is given as it is.

    Parameters
    ----------
    path : Path or str
        Its folder must exist.

    Raises
    ------
    OSError
        The old file is kept, and the temporary one removed.

    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        yield target
        return
    temporary = temporary_path(target)
    try:
        yield temporary
        sync(temporary)
        temporary.replace(target)
        sync(target.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_atomically(path: Path | str, data: bytes) -> None:
    """
    Replace the content of a file.

    Raises
    ------
    OSError
        The old file is kept.

    """
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def sync(path: Path) -> None:
    """Write a file, or the entries of a folder, from the cache to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
