# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files of object maps: atomic writing, and loading with a check of the origin."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError
from world_model_core.objects.documents.json_fields import shown
from world_model_core.objects.documents.object_map_document import map_document, parse_map
from world_model_core.objects.documents.scene_files import at, read_text

if TYPE_CHECKING:
    from world_model_core.objects.documents.object_map_document import ObjectMapDocument


class StoreError(WorldModelError):
    """A map cannot be written, because of the disk or the path."""


class OriginError(WorldModelError):
    """A map belongs to another origin, so that its positions are meaningless."""


def save(path: Path | str, document: ObjectMapDocument) -> None:
    """
    Write an object map atomically: readers and crashes leave the old file or the new one.

    The map is written to a temporary file in the same folder, synchronized to the disk, and
    renamed. A symbolic link is kept.

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
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f'.{target.name}.{secrets.token_hex(4)}')
    try:
        _write(temporary, text)
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise StoreError(f'{path}: {error}') from error
    finally:
        temporary.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    with path.open('x', encoding='utf-8') as file:
        file.write(text + '\n')
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Synchronize the folder, which contains the renamed entry, to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
        If it cannot be read.
    OriginError
        If its map id or frame differs.

    """
    text = read_text(Path(path))
    with at(Path(path)):
        document = parse_map(text)
    expected = {'map_id': map_id, 'frame_id': frame_id}
    for name, wanted in expected.items():
        found = getattr(document, name)
        if not force and None not in {wanted, found} and wanted != found:
            raise OriginError(
                f'{path}: {name} is {shown(found)}, expected {shown(wanted)}; set force_load '
                'to load it all the same'
            )
    return document
