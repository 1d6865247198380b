# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Controllers that the entities of a world file name in their attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.agents.admission import MOST_CONTROLLERS
from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import world_findings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from world_model_core.findings import Findings
    from world_model_core.virtual_world.values import Entity

__all__ = ['NamedController', 'named_controllers']

IMPLEMENTATION, LANGUAGE = 'implementation', 'language'
# Languages of SIGVerse, whose controllers are shared libraries.
OLD_LANGUAGES = {'c++', 'c', 'cpp'}


@dataclass(frozen=True, slots=True)
class NamedController:
    """
    A controller in Python.

    Attributes
    ----------
    agent : str
        Name of the entity.
    file : Path
    class_name : str
        Empty: the file has one controller.

    """

    agent: str
    file: Path
    class_name: str


def named_controllers(
    entities: Iterable[Entity], folder: Path | None
) -> tuple[tuple[NamedController, ...], Findings]:
    """
    Return the controllers that entities name, and why others cannot be started.

    Parameters
    ----------
    entities : iterable of Entity
        Attribute `implementation` is "FILE.py" or "FILE.py:CLASS", with a path relative to the
        folder; `language` is "python" or empty.
    folder : Path, optional
        Of the world; None: it came as a text, and no program is started.

    """
    findings = world_findings()
    found: list[NamedController] = []
    for entity in entities:
        named = str(_value(entity, IMPLEMENTATION)).strip()
        if not named:
            continue
        notes = FileFindings(entity.name, findings)
        controller = _controller(entity, named, folder, notes)
        if controller is None:
            continue
        if len(found) < MOST_CONTROLLERS:
            found.append(controller)
        else:
            notes.add('Controller.TooMany', found=ascii(named)[1:-1], limit=MOST_CONTROLLERS)
    return tuple(found), findings


def _controller(
    entity: Entity, named: str, folder: Path | None, notes: FileFindings
) -> NamedController | None:
    file, _, class_name = named.partition('.py:')
    language = str(_value(entity, LANGUAGE)).strip().lower()
    if named.endswith('.so') or language in OLD_LANGUAGES:
        notes.add('Controller.OldProtocol', found=ascii(named)[1:-1])
        return None
    file = f'{file}.py' if class_name else named
    if language not in {'', 'python'} or not file.endswith('.py'):
        notes.add('Controller.NotPython', found=ascii(named)[1:-1], language=ascii(language)[1:-1])
        return None
    if folder is None:
        notes.add('Controller.NoFolder', found=ascii(named)[1:-1])
        return None
    path = AssetFolders(folder).find(file, notes, where=IMPLEMENTATION)
    return None if path is None else NamedController(entity.name, path, class_name)


def _value(entity: Entity, name: str) -> str | float | bool:
    attribute = entity.attributes.get(name)
    return '' if attribute is None else attribute.value
