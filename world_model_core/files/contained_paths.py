# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Paths that are confined to a folder.

A path is checked by its text first, and then followed link by link. A file outside of the folder
is never accessed, not even to check whether it exists.
"""

from __future__ import annotations

import os
import re
import stat
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ['TEXT_CAUSES', 'PathError', 'PathReport', 'contained_file', 'resolve']

# Links followed by Linux (path_resolution(7)).
MOST_LINKS = 40
# Limits of Linux's file systems for a name and a path, in UTF-8 [bytes].
LONGEST_NAME, LONGEST_PATH = 255, 4095
# Names in a folder that are compared with a missing one.
MOST_NAMES = 1000
# Faults in the text of a path; the first match is reported.
TEXT_FAULTS = (
    ('PathControl', re.compile(r'.*[\x00-\x1f\x7f-\x9f\ud800-\udfff]', re.DOTALL)),
    ('PathIsUrl', re.compile(r'[A-Za-z][A-Za-z0-9+.-]+://|(file|data):')),
    ('PathDriveLetter', re.compile(r'[A-Za-z]:.*')),
    ('PathBackslash', re.compile(r'.*\\')),
    ('PathAbsolute', re.compile(r'/')),
    ('PathLeaves', re.compile(r'(.*/)?\.\.(/|$)')),
)
TEXT_CAUSES = {cause for cause, _ in TEXT_FAULTS}
# Causes that do not prevent the use of a file.
WARNINGS = {'PathNotNormal', 'LinkAbsolute'}


class PathError(WorldModelError):
    """A path leads out of its folder, or not to a regular file that can be read."""


class PathReport(Protocol):
    """Receives a cause, for example 'PathLeaves', and the values that describe it."""

    def __call__(self, cause: str, **values: object) -> None: ...  # noqa: D102 (see the class)


def contained_file(folder: Path, relative: str) -> Path:
    """
    Return the file at a relative path inside of a folder.

    Parameters
    ----------
    folder : Path
    relative : str
        From a file, a service or the network.

    Returns
    -------
    Path
        All links are followed. The file is regular, readable and not empty.

    Raises
    ------
    PathError
        The path is not relative, leads out of the folder, or does not lead to such a file.

    """

    def report(cause: str, **values: object) -> None:
        if cause not in WARNINGS:
            details = ', '.join(f'{name} {value}' for name, value in values.items())
            raise PathError(f'path {relative!a}: {cause}' + (f' ({details})' if details else ''))

    path = resolve(folder, relative, report)
    if path is None:  # never, as an error has been raised
        raise PathError(f'path {relative!a}: rejected')
    return path


def resolve(folder: Path, relative: str, report: PathReport) -> Path | None:
    """
    Find a file inside of a folder.

    Parameters
    ----------
    folder : Path
    relative : str
        From a file, a service or the network.
    report : callable
        Receives the cause if the path leads out of the folder or not to a file that can be read.
        The causes in `WARNINGS` do not prevent the use of the file.

    Returns
    -------
    Path or None
        All links are followed. The file is regular, readable and not empty.

    """
    fault = next((cause for cause, pattern in TEXT_FAULTS if pattern.match(relative)), None)
    if fault is not None:
        report(fault)
        return None
    if _is_too_long(relative):
        report('PathTooLong', limit=LONGEST_PATH)
        return None
    if any(part in {'', '.'} for part in relative.split('/')):
        report('PathNotNormal')
    try:
        path = _follow(folder.resolve(), relative, report)
        return path if path is not None and _is_usable(path, report) else None
    except OSError as error:
        report('FileUnreadable', reason=error.strerror or error)
        return None


def _is_too_long(relative: str) -> bool:
    longest = max(len(part.encode()) for part in relative.split('/'))
    return longest > LONGEST_NAME or len(relative.encode()) > LONGEST_PATH


def _follow(folder: Path, relative: str, report: PathReport) -> Path | None:
    """Follow a path link by link; return None if it leaves the folder."""
    here, links, target = folder, 0, ''
    waiting = _backwards(relative)
    while waiting:
        part = waiting.pop()
        step = here.parent if part == '..' else here / part
        if not step.is_relative_to(folder):
            report('LinkLeaves', target=target)
            return None
        if not step.is_symlink():
            here = step
            continue
        links += 1
        if links > MOST_LINKS:
            report('LinkLoop', limit=MOST_LINKS)
            return None
        target = os.readlink(step)  # noqa: PTH115 (a Path would hide . and //)
        if Path(target).is_absolute():
            target = os.path.normpath(target)
            if Path(target).is_relative_to(folder):
                report('LinkAbsolute', target=target)
            target = os.path.relpath(target, here)
        waiting += _backwards(target)
    return here


def _backwards(path: str) -> list[str]:
    return [part for part in reversed(path.split('/')) if part not in {'', '.'}]


def _is_usable(path: Path, report: PathReport) -> bool:
    """Return whether a path is a regular, readable file that is not empty, without opening it."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        report('FileMissing', similar=_similar(path))
        return False
    if stat.S_ISDIR(found.st_mode):
        report('FolderNotFile')
    elif not stat.S_ISREG(found.st_mode):
        report('NotRegularFile')
    elif found.st_size == 0:
        report('FileEmpty')
    elif not os.access(path, os.R_OK):
        report('FileUnreadable', reason=oct(stat.S_IMODE(found.st_mode)))
    else:
        return True
    return False


def _similar(path: Path) -> str:
    """Return the most similar name in the folder in any case of letters, or 'none'."""
    names = sorted(_names(path.parent))
    folded = {name.casefold(): name for name in names}
    if path.name.casefold() in folded:
        return folded[path.name.casefold()]
    return next(iter(get_close_matches(path.name, names, 1)), 'none')


def _names(folder: Path) -> Iterator[str]:
    """Return the names in a folder, or none if it is not a folder."""
    if folder.is_dir():
        for index, entry in enumerate(os.scandir(folder)):
            if index < MOST_NAMES:
                yield entry.name
