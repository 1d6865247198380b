# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Object maps in files: written as a whole or not at all, and loaded where they belong alone."""

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
    """A map cannot be written: the disk's fault, or the path's."""


class OriginError(WorldModelError):
    """A map belongs to another origin: its positions mean nothing here."""


def save(path: Path | str, document: ObjectMapDocument) -> None:
    """
    Write an object map, so that whoever reads or crashes sees the old file or the new one whole.

    It is written beside the file, to the disk, and renamed; a symbolic link stays one.

    Parameters
    ----------
    path : Path or str
        Its folder must exist.
    document : ObjectMapDocument

    Raises
    ------
    ObjectMapError
        The map could not be read again: the old file stays.
    StoreError
        The file cannot be written: the old one stays.

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
    """Have the rename on the disk: it is an entry of the folder."""
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
    Read an object map that belongs here.

    Parameters
    ----------
    path : Path or str
    map_id, frame_id : str, optional
        Which map, in which frame, is expected; None expects any, and a file that does not say its
        own is no other.
    force : bool
        Take the map of another origin for one of here.

    Raises
    ------
    ObjectMapError
        It cannot be read.
    OriginError
        Its map id or frame is another one.

    """
    text = read_text(Path(path))
    with at(Path(path)):
        document = parse_map(text)
    expected = {'map_id': map_id, 'frame_id': frame_id}
    for name, wanted in expected.items():
        found = getattr(document, name)
        if not force and None not in {wanted, found} and wanted != found:
            raise OriginError(
                f'{path}: {name} is {shown(found)}, not {shown(wanted)}: its positions mean '
                'nothing here; force it if they do'
            )
    return document
