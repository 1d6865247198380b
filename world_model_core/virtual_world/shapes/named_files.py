# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files that shape files name: pictures and inlined files, each looked for once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.finding_catalog import world_findings

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.virtual_world.asset_folders import AssetFolders

__all__ = ['NamedFiles']

# Files that are missing before no more are looked for: each costs a comparison with all names in
# its folder.
MOST_MISSING = 100


class NamedFiles:
    """
    Finds files.

    Parameters
    ----------
    folders : AssetFolders
        Nothing outside of them is opened.

    """

    def __init__(self, folders: AssetFolders) -> None:
        self.folders = folders
        self.found: dict[tuple[Path, str], tuple[Path | None, str]] = {}
        self.missing = 0

    def find(self, address: str, referrer: Path) -> tuple[Path | None, str]:
        """
        Find a file.

        Parameters
        ----------
        address : str
        referrer : Path
            The file that names it.

        Returns
        -------
        tuple of Path or None, and str
            Its path; without one, the reason.

        """
        key = referrer.parent, address
        if key not in self.found:
            self.found[key] = self._look_for(address, referrer)
            self.missing += self.found[key][0] is None
        return self.found[key]

    def _look_for(self, address: str, referrer: Path) -> tuple[Path | None, str]:
        if self.missing >= MOST_MISSING:
            return None, f'{MOST_MISSING} other files are missing'
        reasons = FileFindings('', world_findings())
        path = self.folders.find(address, reasons, base_folders=(referrer.parent,))
        return path, '' if path is not None else reasons.findings.all[0].message()
