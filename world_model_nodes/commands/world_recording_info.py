# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world info` of a recording of SIGVerse's viewer."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from world_model_core.errors import RecordingError
from world_model_core.findings import printable
from world_model_core.sigverse.recording import SvdReader

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.sigverse.objects import PacketObject
    from world_model_core.sigverse.recording import RecordedWorld

# How the names of these files end.
SUFFIX = '.svd'


def print_recording(path: Path, *, as_json: bool) -> bool:
    """
    Read a recording to its end, and print what is in it as a table or JSON.

    Returns
    -------
    bool
        Whether it is whole; if not, the worlds before the fault are counted.

    Raises
    ------
    RecordingError
        It cannot be read, or is no recording.

    """
    contents = _read(path)
    if as_json:
        sys.stdout.write(json.dumps(_document(contents), ensure_ascii=False) + '\n')
    else:
        Console(soft_wrap=True, markup=False, highlight=False).print(_table(path, contents))
    if contents.fault:
        sys.stderr.write(f'world_model world info: {path}: {printable(contents.fault)}\n')
    return not contents.fault


@dataclass(slots=True)
class _Contents:
    """What was found in a recording; of each object its last state, and its number of worlds."""

    files: int
    worlds: int = 0
    begin: float = 0.0
    end: float = 0.0
    fault: str = ''
    objects: dict[str, tuple[PacketObject, int]] = field(default_factory=dict)

    def add(self, world: RecordedWorld) -> None:
        """Count a world."""
        self.begin = self.begin if self.worlds else world.time
        self.end = world.time
        self.worlds += 1
        for each in world.objects:
            _, count = self.objects.get(each.name, (each, 0))
            self.objects[each.name] = each, count + 1


def _read(path: Path) -> _Contents:
    try:
        with path.open('rb') as file:
            reader = SvdReader(file)
            contents = _Contents(len(reader.files))
            try:
                for world in reader.worlds():
                    contents.add(world)
            except RecordingError as error:
                contents.fault = str(error)
    except OSError as error:
        raise RecordingError(f'{path} cannot be read: {error.strerror}') from error
    if reader.missing and not contents.fault:
        contents.fault = f'it is cut short: {reader.missing} of {reader.count} worlds are missing'
    return contents


def _document(contents: _Contents) -> dict[str, Any]:
    return {
        'worlds': contents.worlds,
        'begin [s]': contents.begin,
        'end [s]': contents.end,
        'shape files': contents.files,
        'fault': contents.fault,
        'objects': [_object(each, count) for each, count in contents.objects.values()],
    }


def _object(thing: PacketObject, count: int) -> dict[str, Any]:
    return {
        'name': thing.name,
        'class': thing.class_name,
        'attributes': len(thing.attributes),
        'parts': len(thing.parts),
        'worlds': count,
    }


def _table(path: Path, contents: _Contents) -> Table:
    title = (
        f'{path.name}: {contents.worlds} worlds, {contents.begin:g} s to {contents.end:g} s, '
        f'{contents.files} shape files'
    )
    table = Table(title=printable(title), title_justify='left', box=None)
    for name in ('object', 'class'):
        table.add_column(name)
    for name in ('attributes', 'parts', 'worlds'):
        table.add_column(name, justify='right')
    for thing, count in contents.objects.values():
        counts = (len(thing.attributes), len(thing.parts), count)
        table.add_row(printable(thing.name), printable(thing.class_name), *map(str, counts))
    return table
