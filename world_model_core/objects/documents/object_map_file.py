# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files of object maps: atomic writing, and loading with a check of the origin."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from world_model_core.errors import WorldModelError
from world_model_core.files.atomic_write import write_atomically
from world_model_core.objects.documents.json_fields import ObjectMapError, shown
from world_model_core.objects.documents.object_map_document import map_document, parse_map
from world_model_core.objects.documents.scene_files import at, read_text

if TYPE_CHECKING:
    from world_model_core.objects.documents.object_map_document import ObjectMapDocument


# Larger than a map of 200,000 objects [bytes].
LARGEST_MAP = 512 * 2**20


class StoreError(WorldModelError):
    """A map cannot be written, because of the disk or the path."""


class OriginError(WorldModelError):
    """A map belongs to another origin, so that its positions are meaningless."""


def save(path: Path | str, document: ObjectMapDocument) -> None:
    """
    Write an object map atomically: readers and crashes leave the old file or the new one.

    Parameters
    ----------
    path : Path or str
        Its folder must exist.
    document : ObjectMapDocument

    Raises
    ------
    ObjectMapError
        If the map could not be read again; the old file is kept.
    StoreError
        If the file cannot be written; the old file is kept.

    """
    text = json.dumps(map_document(document), ensure_ascii=False, indent=1)
    with at(Path(path)):
        parse_map(text)
    try:
        write_atomically(path, f'{text}\n'.encode())
    except OSError as error:
        raise StoreError(f'{path}: {error}') from error


def load(
    path: Path | str,
    map_id: str | None = None,
    frame_id: str | None = None,
    *,
    force: bool = False,
) -> ObjectMapDocument:
    """
    Read an object map of the expected origin.

    Parameters
    ----------
    path : Path or str
    map_id, frame_id : str, optional
        Expected id and frame of the map; None accepts any, and so does a file without them.
    force : bool
        Accept a map of another origin.

    Raises
    ------
    ObjectMapError
        If it cannot be read, is not a regular file, or has more than `LARGEST_MAP` bytes.
    OriginError
        If its map id or frame differs.

    """
    _check_file(Path(path))
    text = read_text(Path(path))
    with at(Path(path)):
        document = parse_map(text)
    if not force:
        try:
            check_origin(document, map_id, frame_id)
        except OriginError as error:
            raise OriginError(f'{path}: {error}') from error
    return document


def _check_file(path: Path) -> None:
    """Check that reading a file ends, and fits into the memory."""
    try:
        found = path.stat()
    except OSError as error:
        raise ObjectMapError(f'{path}: {error}') from error
    if not stat.S_ISREG(found.st_mode):
        raise ObjectMapError(f'{path} is not a regular file')
    if found.st_size > LARGEST_MAP:
        raise ObjectMapError(f'{path} has {found.st_size} bytes, more than {LARGEST_MAP}')


class WithOrigin(Protocol):
    """A map with its id and frame, None if unknown."""

    @property
    def map_id(self) -> str | None: ...  # noqa: D102 (see the class)

    @property
    def frame_id(self) -> str | None: ...  # noqa: D102 (see the class)


def check_origin(found: WithOrigin, map_id: str | None, frame_id: str | None) -> None:
    """
    Check that a map has the expected origin; None is compatible with any.

    Raises
    ------
    OriginError
        If its map id or frame differs.

    """
    for name, wanted in (('map_id', map_id), ('frame_id', frame_id)):
        value = getattr(found, name)
        if None not in {wanted, value} and wanted != value:
            raise OriginError(
                f'{name} is {shown(value)}, expected {shown(wanted)}; set force_load to load it '
                'all the same'
            )
