# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Folders from which the files of a world are read: meshes, pictures, includes.

A world file may come from anybody. What it names is looked up in these folders alone; anything
outside is neither opened nor looked at.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote

from world_model_core.files.contained_paths import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from world_model_core.files.file_findings import FileFindings

__all__ = ['AssetFolders']

_PACKAGE = re.compile(r'package://([^/]*)/*(.*)', re.DOTALL)
_FILE = 'file://'
# Causes of `resolve`: a missing file, a file that cannot be used, and those without effect.
_MISSING = 'FileMissing'
_UNUSABLE = {'FolderNotFile', 'NotRegularFile', 'FileEmpty', 'FileUnreadable'}
_HARMLESS = {'PathNotNormal', 'LinkAbsolute'}
_UNKNOWN_PACKAGE = 'PackageUnknown'
# A cause and the values that describe it.
_Cause: TypeAlias = 'tuple[str, Mapping[str, object]]'


@dataclass(frozen=True, slots=True)
class AssetFolders:
    """
    Folders from which the files of a world are read.

    Attributes
    ----------
    folder : Path, optional
        That of the world file; None for a text without a file.
    assets : tuple of Path
        Further folders.
    packages : mapping of str to Path
        Share folder of each package that `package://` may name.

    """

    folder: Path | None = None
    assets: tuple[Path, ...] = ()
    packages: Mapping[str, Path] = field(default_factory=dict)

    def find(
        self,
        named: str,
        notes: FileFindings,
        where: str = '',
        *,
        base_folders: Sequence[Path] = (),
        missing: str = 'WorldFile.FileMissing',
    ) -> Path | None:
        """
        Find a file that a world file names.

        Parameters
        ----------
        named : str
            A path relative to the folder of the world or to one of `assets`, an absolute path or
            file:// URL inside of one of them, or package://PACKAGE/PATH.
        notes : FileFindings
            Receives the reason if the file is not found or lies outside.
        where : str
            Place in the file that names it.
        base_folders : sequence of Path
            Folders, inside of those of the world, to which a path is relative in the first place.
        missing : str
            Code of the finding for a missing file.

        Returns
        -------
        Path or None
            All links are followed. The file is regular, readable and not empty.

        """
        causes: list[_Cause] = []
        for root, relative in self._places(named, base_folders, causes):
            path = resolve(root, relative, lambda cause, **values: causes.append((cause, values)))
            if path is not None:
                return path
        _report(named, causes, notes, where, missing)
        return None

    def name_of(self, path: Path) -> str:
        """Return a path that was found, relative to the folder of the world or of assets."""
        roots = [each.resolve() for each in (self.folder, *self.assets) if each is not None]
        root = next((each for each in roots if path.is_relative_to(each)), path.parent)
        return path.relative_to(root).as_posix()

    def _places(
        self, named: str, base_folders: Sequence[Path], causes: list[_Cause]
    ) -> Iterator[tuple[Path, str]]:
        """Return the folders in which a file may lie, with its path relative to each."""
        package = _PACKAGE.fullmatch(named)
        if package is None:
            yield from self._paths(unquote(named.removeprefix(_FILE)), base_folders, causes)
        elif package[1] in self.packages:
            yield _installed(self.packages[package[1]], package[2])
        else:
            causes.append((_UNKNOWN_PACKAGE, {'package': package[1]}))

    def _paths(
        self, named: str, base_folders: Sequence[Path], causes: list[_Cause]
    ) -> Iterator[tuple[Path, str]]:
        if '://' in named:
            causes.append(('PathIsUrl', {}))
            return
        roots = [each.resolve() for each in (self.folder, *self.assets) if each is not None]
        for base in dict.fromkeys([*(each.resolve() for each in base_folders), *roots]):
            # A path with .. and an absolute path may lead into one of the folders.
            path = Path(os.path.normpath(base / named))
            root = next((each for each in roots if path.is_relative_to(each)), None)
            if root is None:
                causes.append(('PathAbsolute' if named.startswith('/') else 'PathLeaves', {}))
            else:
                yield root, str(path.relative_to(root))


def _installed(share: Path, relative: str) -> tuple[Path, str]:
    """
    Return the folder and the path in it of a file of an installed package.

    With `colcon build --symlink-install` the files of a package are links to its sources, which
    are followed: whoever installs a package makes its links, and a world file cannot.
    """
    causes: list[str] = []
    found = resolve(share, relative, lambda cause, **_: causes.append(cause))
    if found is not None or 'LinkLeaves' not in causes:
        return share, relative
    target = (share / relative).resolve()
    return target.parent, target.name


def _report(
    named: str, causes: Sequence[_Cause], notes: FileFindings, where: str, missing: str
) -> None:
    """Report why a file was not found: the first cause other than that it is missing."""
    serious = [each for each in causes if each[0] not in {*_HARMLESS, _MISSING}]
    found = ascii(named)[1:-1]
    similar = next((values['similar'] for cause, values in causes if cause == _MISSING), 'none')
    if not serious:
        notes.add(missing, where, found=found, similar=similar)
        return
    cause, values = serious[0]
    if cause == _UNKNOWN_PACKAGE:
        notes.add('WorldFile.PackageUnknown', where, found=found, **values)
    elif cause in _UNUSABLE:
        notes.add('WorldFile.FileUnusable', where, found=found, reason=cause)
    else:
        notes.add('WorldFile.PathOutside', where, found=found, reason=cause)
