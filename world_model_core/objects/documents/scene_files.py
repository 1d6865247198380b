# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Loading of maps and scenes in all supported formats.

An object map in JSON, an object list of the CMU VLA challenge or its folder, or a scene folder of
VLA-3D. Folders may also contain the floor on which a robot can drive.
"""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.objects.answer import Scene
from world_model_core.objects.documents.json_fields import ObjectMapError
from world_model_core.objects.documents.object_list import parse_object_list
from world_model_core.objects.documents.object_map_document import parse_map
from world_model_core.objects.documents.ply_points import parse_points
from world_model_core.objects.documents.vla3d import parse_objects, parse_regions, parse_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.documents.vla3d import Statement
    from world_model_core.objects.values import MapObject

OBJECTS, REGIONS, LIST = '*_object_result.csv', '*_region_result.csv', 'object_list.txt'
# File names of VLA-3D and of the challenge.
FLOORS = ('*_free_space_pc_result.ply', 'traversable_area.ply')
STATEMENTS = ('*_referential_statements.json', '*_referential_statements.json.gz')


def load_scene(path: Path | str) -> Scene:
    """
    Load a map or scene in any of the supported formats.

    Parameters
    ----------
    path : Path or str
        A folder of VLA-3D or of the challenge, a JSON file, which begins with a brace, or an
        object
        list.

    Raises
    ------
    ObjectMapError
        If it cannot be read or has none of the formats; the message has the file and the place in
        it.

    """
    path = Path(path)
    return _scene_of_folder(path) if path.is_dir() else _scene_of_file(path)


def _scene_of_file(path: Path) -> Scene:
    text = read_text(path)
    with at(path):
        if not text.strip():
            raise ObjectMapError('the file is empty')
        if text.lstrip().startswith(('{', '[')):
            document = parse_map(text)
            return Scene(document.objects, document.frame_id or 'map')
        return Scene(parse_object_list(text))


def _scene_of_folder(folder: Path) -> Scene:
    # The table has more information than the list in the same folder.
    path = _only(folder, OBJECTS) if any(folder.glob(OBJECTS)) else _only(folder, OBJECTS, LIST)
    objects = _scene_of_file(path).objects if path.name == LIST else _objects_of_table(path)
    return Scene(objects, traversable=_floor_of(folder))


def _objects_of_table(path: Path) -> tuple[MapObject, ...]:
    regions: dict[str, str] = {}
    for named in path.parent.glob(REGIONS):
        rooms = read_text(named)
        with at(named):
            regions.update(parse_regions(rooms))
    text = read_text(path)
    with at(path):
        return parse_objects(text, regions)


def _floor_of(folder: Path) -> Array | None:
    """Load the drivable places, shape (m, 2) [m], or None if the folder has none."""
    for path in (each for pattern in FLOORS for each in sorted(folder.glob(pattern))):
        data = read_bytes(path)
        with at(path):
            return parse_points(data)[:, :2]
    return None


def load_statements(folder: Path | str) -> tuple[Statement, ...]:
    """
    Load the referential statements of a scene folder of VLA-3D.

    Raises
    ------
    ObjectMapError
        If there are none, or they cannot be read.

    """
    path = _only(Path(folder), *STATEMENTS)
    text = read_text(path)
    with at(path):
        return parse_statements(text)


def _only(folder: Path, *patterns: str) -> Path:
    found = sorted(path for pattern in patterns for path in folder.glob(pattern))
    if len(found) != 1:
        names = ', '.join(path.name for path in found) or 'none'
        raise ObjectMapError(f'{folder}: expected one {" or ".join(patterns)}; found {names}')
    return found[0]


def read_text(path: Path) -> str:
    """
    Read a text file, with or without a byte order mark.

    Raises
    ------
    ObjectMapError
        If it cannot be read or is not UTF-8.

    """
    try:
        return read_bytes(path).decode('utf-8-sig')
    except UnicodeDecodeError as error:
        raise ObjectMapError(
            f'{path}: byte {error.start} is {error.object[error.start]:#04x}; it must be UTF-8'
        ) from error


def read_bytes(path: Path) -> bytes:
    """
    Read a file, compressed if its name ends in `.gz`.

    Raises
    ------
    ObjectMapError
        If it cannot be read.

    """
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == '.gz' else data
    except (OSError, EOFError, zlib.error) as error:
        raise ObjectMapError(f'{path}: {error}') from error


@contextmanager
def at(path: Path) -> Iterator[None]:
    """Prefix errors with the path of the file."""
    try:
        yield
    except ObjectMapError as error:
        raise ObjectMapError(f'{path}: {error}') from error
