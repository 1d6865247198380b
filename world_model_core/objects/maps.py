# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Maps to put questions to, in whichever of the known formats they are kept.

An object map in JSON, an object list of the CMU VLA challenge, or a scene folder of VLA-3D.
"""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.objects.answer import Scene
from world_model_core.objects.document import parse_map
from world_model_core.objects.fields import ObjectMapError
from world_model_core.objects.object_list import parse_object_list
from world_model_core.objects.vla3d import parse_objects, parse_regions, parse_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.objects.vla3d import Statement

OBJECTS, REGIONS = '*_object_result.csv', '*_region_result.csv'
STATEMENTS = ('*_referential_statements.json', '*_referential_statements.json.gz')


def load_scene(path: Path | str) -> Scene:
    """
    Load a map, and tell its format by what it is: a folder, JSON or else a list.

    Parameters
    ----------
    path : Path or str
        A scene folder of VLA-3D, or a file: JSON begins with a brace.

    Raises
    ------
    ObjectMapError
        It cannot be read, or is none of them: names the file, and what is wrong where in it.

    """
    path = Path(path)
    if path.is_dir():
        return _scene_of_folder(path)
    text = read_text(path)
    with at(path):
        if not text.strip():
            raise ObjectMapError('it is empty; a map has objects, or says that it has none')
        if text.lstrip().startswith(('{', '[')):
            document = parse_map(text)
            return Scene(document.objects, document.frame_id or 'map')
        return Scene(parse_object_list(text))


def load_statements(folder: Path | str) -> tuple[Statement, ...]:
    """
    Load the referential statements of a scene folder of VLA-3D.

    Raises
    ------
    ObjectMapError
        There are none, or they cannot be read.

    """
    path = _only(Path(folder), *STATEMENTS)
    text = read_text(path)
    with at(path):
        return parse_statements(text)


def _scene_of_folder(folder: Path) -> Scene:
    path, regions = _only(folder, OBJECTS), {}
    text = read_text(path)
    for named in folder.glob(REGIONS):
        rooms = read_text(named)
        with at(named):
            regions.update(parse_regions(rooms))
    with at(path):
        return Scene(parse_objects(text, regions))


def _only(folder: Path, *patterns: str) -> Path:
    found = sorted(path for pattern in patterns for path in folder.glob(pattern))
    if len(found) != 1:
        names = ', '.join(path.name for path in found) or 'none'
        raise ObjectMapError(f'{folder}: it must hold one {" or ".join(patterns)}, has {names}')
    return found[0]


def read_text(path: Path) -> str:
    """
    Read a text file, compressed or not, with or without a byte order mark.

    Raises
    ------
    ObjectMapError
        It cannot be read, or is not UTF-8.

    """
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == '.gz' else data).decode('utf-8-sig')
    except UnicodeDecodeError as error:
        raise ObjectMapError(
            f'{path}: byte {error.start} is {error.object[error.start]:#04x}; it must be UTF-8'
        ) from error
    except (OSError, EOFError, zlib.error) as error:
        raise ObjectMapError(f'{path}: {error}') from error


@contextmanager
def at(path: Path) -> Iterator[None]:
    """Name the file in errors of its content."""
    try:
        yield
    except ObjectMapError as error:
        raise ObjectMapError(f'{path}: {error}') from error
