# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Paths of the files of a bundle, confined to its folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.files.contained_paths import TEXT_CAUSES, resolve
from world_model_core.files.parsed_document import pointer

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.bundle.values import Manifest
    from world_model_core.findings import Findings

__all__ = ['WORLD', 'BundlePaths', 'find_file']

WORLD = 'world.yaml'
PREVIEWS = 'preview/'


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
        missing = 'Bundle.PreviewMissing' if place.startswith(PREVIEWS) else 'Bundle.FileMissing'
        return find_file(self.folder, relative, findings, where, missing=missing)

    def camera_previews(self, findings: Findings) -> tuple[Path, ...]:
        """Return the paths of the videos of cameras, except missing ones."""
        paths = (
            self._camera_preview(index, relative, findings)
            for index, relative in enumerate(self.manifest.camera_previews)
        )
        return tuple(path for path in paths if path is not None)

    def _camera_preview(self, index: int, relative: str, findings: Findings) -> Path | None:
        where = pointer('preview', 'cameras', index)
        return find_file(self.folder, relative, findings, where, missing='Bundle.PreviewMissing')


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
