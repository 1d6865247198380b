# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files in some folders that are worlds, or models of entities."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.worlds.file_formats import SEARCHED, FileFormat, recognize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SUFFIXES = {'.xml', '.urdf', '.mjcf'}
# Files that are looked at; a folder of assets may be the whole disk.
MOST_FILES = 2000
# A class of SIGVerse, of which entities are made, is no world.
CLASS = b'define-class'


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """A file with its format, and whether it is a world, a model of an entity, or either."""

    path: Path
    format: FileFormat
    is_world: bool
    is_model: bool

    @property
    def uri(self) -> str:
        """URI of the file."""
        return self.path.as_uri()


def find_files(folders: Sequence[Path]) -> list[CatalogFile]:
    """Return the worlds and models in some folders, by their paths."""
    found = (_describe(path) for folder in folders for path in _files(folder))
    return sorted((each for each in found if each is not None), key=lambda each: each.path)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder whose names look like models."""
    count = 0
    for place, _, names in os.walk(folder):
        for name in names:
            count += 1
            if count > MOST_FILES:
                return
            path = Path(place, name)
            if path.suffix.lower() in SUFFIXES and path.is_file():
                yield path


def _describe(path: Path) -> CatalogFile | None:
    """Return what a file is; None if it is none of our formats, or cannot be read."""
    try:
        with path.open('rb') as stream:
            start = stream.read(SEARCHED)
    except OSError:
        return None
    form = recognize(start, FileFindings(path.name, world_findings()))
    if form is None:
        return None
    is_class = form is FileFormat.SIGVERSE and CLASS in start
    is_sigverse_world = form is FileFormat.SIGVERSE and not is_class
    return CatalogFile(path, form, is_world=not is_class, is_model=not is_sigverse_world)
