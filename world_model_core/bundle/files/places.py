# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Where the files of a bundle are, and that none of them is anywhere else.

A path is judged by its words first, and then by walking along it: whatever leads out of the bundle
is never opened, not even to see if it is there.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.bundle.files.syntax import pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.bundle.findings import Findings
    from world_model_core.bundle.values import Manifest

WORLD = 'world.yaml'
PREVIEWS = 'preview/'
# As many as Linux follows (path_resolution(7)).
MOST_LINKS = 40
# Of one name and of a path, on the file systems of Linux, in UTF-8 [bytes].
LONGEST_NAME, LONGEST_PATH = 255, 4095
# Of those in a folder, looked at for one that is similar to one that is not there.
MOST_NAMES = 1000
# What is wrong with a path by its words alone, the first that applies.
WORDS = (
    ('Bundle.PathControl', re.compile(r'.*[\x00-\x1f\x7f-\x9f\ud800-\udfff]', re.DOTALL)),
    ('Bundle.PathIsUrl', re.compile(r'[A-Za-z][A-Za-z0-9+.-]+://|(file|data):')),
    ('Bundle.PathDriveLetter', re.compile(r'[A-Za-z]:.*')),
    ('Bundle.PathBackslash', re.compile(r'.*\\')),
    ('Bundle.PathAbsolute', re.compile(r'/')),
    ('Bundle.PathLeaves', re.compile(r'(.*/)?\.\.(/|$)')),
)


@dataclass(frozen=True, slots=True)
class Places:
    """The files that a manifest names, in the folder of a bundle."""

    folder: Path
    manifest: Manifest

    def find(self, place: str, findings: Findings) -> Path | None:
        """
        Find the file at a place of world.yaml.

        Parameters
        ----------
        place : str
            Like 'geometry/heightmap'.
        findings : Findings
            Told why there is none, if the manifest names one.

        """
        relative = self.manifest.paths.get(place)
        if relative is None:
            return None
        where = pointer(*place.split('/'))
        missing = 'Bundle.PreviewMissing' if place.startswith(PREVIEWS) else 'Bundle.FileMissing'
        return resolve(self.folder, relative, findings, where, missing=missing)

    def camera_previews(self, findings: Findings) -> tuple[Path, ...]:
        """Find the films of cameras, but those that are not there."""
        paths = (
            self._camera_preview(index, relative, findings)
            for index, relative in enumerate(self.manifest.camera_previews)
        )
        return tuple(path for path in paths if path is not None)

    def _camera_preview(self, index: int, relative: str, findings: Findings) -> Path | None:
        where = pointer('preview', 'cameras', index)
        return resolve(self.folder, relative, findings, where, missing='Bundle.PreviewMissing')


def resolve(
    folder: Path,
    relative: str,
    findings: Findings,
    where: str = '',
    *,
    missing: str = 'Bundle.FileMissing',
    file: str = WORLD,
) -> Path | None:
    """
    Find a file inside a bundle.

    Parameters
    ----------
    folder : Path
        The bundle.
    relative : str
        The path, as a file of the bundle has it.
    findings : Findings
        Told why it is no path inside the bundle, or what is there is no file that can be read.
    where, file : str
        Where the path is written.
    missing : str
        The code of the finding that nothing is there.

    Returns
    -------
    Path or None
        With all links followed; what is there is a regular file that is not empty.

    """
    fault = next((code for code, words in WORDS if words.match(relative)), None)
    if fault is not None:
        findings.add(fault, file, where, found=ascii(relative)[1:-1])
        return None
    if _is_too_long(relative):
        findings.add('Bundle.PathTooLong', file, where, found=relative, limit=LONGEST_PATH)
        return None
    told = _Telling(findings, file, where, relative)
    if any(part in {'', '.'} for part in relative.split('/')):
        told.add('Bundle.PathNotNormal')
    try:
        path = _follow(folder.resolve(), relative, told)
        return path if path is not None and _is_usable(path, told, missing) else None
    except OSError as error:
        told.add('Bundle.FileUnreadable', reason=error.strerror or error)
        return None


@dataclass(frozen=True, slots=True)
class _Telling:
    """Says what is wrong with one path."""

    findings: Findings
    file: str
    where: str
    relative: str

    def add(self, code: str, **values: object) -> None:
        self.findings.add(code, self.file, self.where, found=self.relative, **values)


def _is_too_long(relative: str) -> bool:
    longest = max(len(part.encode()) for part in relative.split('/'))
    return longest > LONGEST_NAME or len(relative.encode()) > LONGEST_PATH


def _follow(folder: Path, relative: str, told: _Telling) -> Path | None:
    """Walk along a path, link by link; None where it leaves the folder."""
    here, links, target = folder, 0, ''
    waiting = _backwards(relative)
    while waiting:
        part = waiting.pop()
        step = here.parent if part == '..' else here / part
        if not step.is_relative_to(folder):
            told.add('Bundle.LinkLeaves', target=target)
            return None
        if not step.is_symlink():
            here = step
            continue
        links += 1
        if links > MOST_LINKS:
            told.add('Bundle.LinkLoop', limit=MOST_LINKS)
            return None
        target = os.readlink(step)  # noqa: PTH115 (a Path would hide . and //)
        if Path(target).is_absolute():
            target = os.path.normpath(target)
            if Path(target).is_relative_to(folder):
                told.add('Bundle.LinkAbsolute', target=target)
            target = os.path.relpath(target, here)
        waiting += _backwards(target)
    return here


def _backwards(path: str) -> list[str]:
    return [part for part in reversed(path.split('/')) if part not in {'', '.'}]


def _is_usable(path: Path, told: _Telling, missing: str) -> bool:
    """Tell if there is a regular file that can be read, by looking at it from outside."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        told.add(missing, similar=_similar(path))
        return False
    if stat.S_ISDIR(found.st_mode):
        told.add('Bundle.FolderNotFile')
    elif not stat.S_ISREG(found.st_mode):
        told.add('Bundle.NotRegularFile')
    elif found.st_size == 0:
        told.add('Bundle.FileEmpty')
    elif not os.access(path, os.R_OK):
        told.add('Bundle.FileUnreadable', reason=oct(stat.S_IMODE(found.st_mode)))
    else:
        return True
    return False


def _similar(path: Path) -> str:
    """Name the file that may be meant, as one whose name is the same but for its case."""
    names = sorted(_names(path.parent))
    folded = {name.casefold(): name for name in names}
    if path.name.casefold() in folded:
        return folded[path.name.casefold()]
    return next(iter(get_close_matches(path.name, names, 1)), '-')


def _names(folder: Path) -> Iterator[str]:
    """Name what is in a folder, if it is one."""
    if folder.is_dir():
        for index, entry in enumerate(os.scandir(folder)):
            if index < MOST_NAMES:
                yield entry.name
