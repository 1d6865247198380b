# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Paths of the files of a bundle, and their format versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from world_model_core.files.contained_paths import TEXT_CAUSES, resolve
from world_model_core.files.parsed_document import pointer
from world_model_core.files.value_schemas import Text

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.bundle.values import Manifest
    from world_model_core.files.parsed_document import ValueLocation
    from world_model_core.findings import Findings

__all__ = ['WORLD', 'BundlePaths', 'Version', 'find_file', 'find_preview']

WORLD = 'world.yaml'
PREVIEWS = 'preview/'
# Previews are read into memory [bytes].
LARGEST_PREVIEW = 512 * 2**20


@dataclass(frozen=True, slots=True)
class BundlePaths:
    """Paths of the files that a manifest lists, in the folder of a bundle."""

    folder: Path
    manifest: Manifest

    def find(self, place: str, findings: Findings) -> Path | None:
        """
        Return the path of the file listed at a place of world.yaml.

        Parameters
        ----------
        place : str
            For example 'geometry/heightmap'.
        findings : Findings
            Receives the reason if the manifest lists a file that cannot be used.

        Returns
        -------
        Path or None
            None if the manifest lists no file, or one that cannot be used.

        """
        relative = self.manifest.paths.get(place)
        if relative is None:
            return None
        where = pointer(*place.split('/'))
        if place.startswith(PREVIEWS):
            return find_preview(self.folder, relative, findings, where)
        return find_file(self.folder, relative, findings, where)

    def camera_previews(self, findings: Findings) -> tuple[Path, ...]:
        """Return the paths of the videos of cameras, except missing ones."""
        paths = (
            find_preview(self.folder, relative, findings, pointer('preview', 'cameras', index))
            for index, relative in enumerate(self.manifest.camera_previews)
        )
        return tuple(path for path in paths if path is not None)


def find_preview(folder: Path, relative: str, findings: Findings, where: str) -> Path | None:
    """Find a preview; report one that is missing, or too large to be read into memory."""
    path = find_file(folder, relative, findings, where, missing='Bundle.PreviewMissing')
    if path is not None and path.stat().st_size > LARGEST_PREVIEW:
        found = path.stat().st_size
        findings.add('Preview.TooLarge', relative, found=found, limit=LARGEST_PREVIEW)
        return None
    return path


def find_file(
    folder: Path,
    relative: str,
    findings: Findings,
    where: str = '',
    *,
    missing: str = 'Bundle.FileMissing',
    file: str = WORLD,
) -> Path | None:
    """
    Find a file inside of a bundle.

    Parameters
    ----------
    folder : Path
        Folder of the bundle.
    relative : str
        The path as a file of the bundle lists it.
    findings : Findings
        Receives the reason if the path leads out of the bundle or not to a readable file.
    where, file : str
        Place and file that list the path.
    missing : str
        Code of the finding for a missing file.

    Returns
    -------
    Path or None
        All links are followed. The file is regular, readable and not empty.

    """

    def report(cause: str, **values: object) -> None:
        code = missing if cause == 'FileMissing' else f'Bundle.{cause}'
        # Control characters are escaped.
        found = ascii(relative)[1:-1] if cause in TEXT_CAUSES else relative
        findings.add(code, file, where, found=found, **values)

    return resolve(folder, relative, report)


# Supported version of the contract.
MAJOR, MINOR = 1, 0
# Semantic Versioning 2.0.0, sections 2, 9 and 10.
_PART = r'(0|[1-9]\d{0,8})'
SEMANTIC = re.compile(rf'{_PART}\.{_PART}\.{_PART}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?')


@dataclass(frozen=True, slots=True)
class Version:
    """Schema of the version of a file."""

    def read(self, value: Any, location: ValueLocation) -> str | None:
        """Return the version as written."""
        text = Text().read(value, location)
        if text is None:
            return None
        parts = SEMANTIC.fullmatch(text)
        if parts is None:
            location.report('File.VersionMalformed', found=text)
            return None
        major, minor = int(parts[1]), int(parts[2])
        if major != MAJOR:
            location.report('File.VersionUnsupported', found=text, supported=f'{MAJOR}.x.y')
            return None
        if minor > MINOR:
            location.report('File.VersionNewer', found=text, supported=f'{MAJOR}.{MINOR}.x')
        return text
