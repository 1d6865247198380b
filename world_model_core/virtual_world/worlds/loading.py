# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Loading of worlds and entities from files and texts of any supported format."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.files.file_findings import FileFindings
from world_model_core.files.parsed_document import read_bytes
from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import WorldFileError, world_findings
from world_model_core.virtual_world.shapes.pieces import pieces_folder, with_pieces
from world_model_core.virtual_world.values import STANDARD_GRAVITY, TriangleMesh, World
from world_model_core.virtual_world.worlds.file_formats import FileFormat, recognize
from world_model_core.virtual_world.worlds.mjcf import read_mjcf
from world_model_core.virtual_world.worlds.mjcf_entities import FIXTURES
from world_model_core.virtual_world.worlds.model_limits import ModelLimits
from world_model_core.virtual_world.worlds.sigverse import (
    CENTIMETER,
    Gravity,
    read_sigverse_entity,
    read_sigverse_world,
)
from world_model_core.virtual_world.worlds.urdf import read_urdf
from world_model_core.virtual_world.xml_files import LARGEST_XML, parse_xml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.findings import Findings
    from world_model_core.virtual_world.values import Entity

__all__ = ['WorldSources', 'load_entity', 'load_world']

_READERS = {FileFormat.MJCF: read_mjcf, FileFormat.URDF: read_urdf}
# The name of a text in findings.
TEXT = 'text'


@dataclass(frozen=True, slots=True)
class WorldSources:
    """
    Where the files of worlds come from, and how they are read.

    Attributes
    ----------
    assets : tuple of Path
        Folders of files that worlds may name, besides those in the folder of the world file.
    packages : mapping of str to Path
        Share folder of each package that URDF may name by package://.
    limits : ModelLimits
    length_unit : float
        Of SIGVerse's files [m].
    gravity : {'file', 'earth'}
        Whose acceleration worlds have.
    seed : int
        Of the numbers that SIGVerse's files draw.

    """

    assets: tuple[Path, ...] = ()
    packages: Mapping[str, Path] = field(default_factory=dict)
    limits: ModelLimits = field(default_factory=ModelLimits)
    length_unit: float = CENTIMETER
    gravity: Gravity = 'file'
    seed: int = 0


def load_world(source: Path | str, sources: WorldSources) -> tuple[World, Findings]:
    """
    Load a world.

    Parameters
    ----------
    source : Path or str
        A file, or the text of one.
    sources : WorldSources

    Returns
    -------
    world : World
    findings : Findings
        What was left out or is unusual.

    Raises
    ------
    WorldFileError
        The world cannot be used.

    """
    if isinstance(source, Path) and _recognize(source) is FileFormat.SIGVERSE:
        world, findings = read_sigverse_world(
            source,
            assets=sources.assets,
            length_unit=sources.length_unit,
            gravity=sources.gravity,
            seed=sources.seed,
        )
        _check_size(world, sources.limits, _notes(source, findings))
        return with_pieces(world, pieces_folder(source), findings), findings
    world, findings = _load(source, sources)
    if sources.gravity == 'earth':
        world = replace(world, gravity=(0.0, 0.0, -STANDARD_GRAVITY))
    return world, findings


def load_entity(source: Path | str, name: str, sources: WorldSources) -> tuple[Entity, Findings]:
    """
    Load an entity, to be added to a world.

    Parameters
    ----------
    source : Path or str
        A file, or the text of one.
    name : str
        Of the entity; empty: that of the file.
    sources : WorldSources

    Returns
    -------
    entity : Entity
    findings : Findings
        What was left out or is unusual.

    Raises
    ------
    WorldFileError
        It cannot be used, or the file has several entities.

    """
    if isinstance(source, Path) and _recognize(source) is FileFormat.SIGVERSE:
        entity, findings = read_sigverse_entity(
            source,
            name or source.stem,
            assets=sources.assets,
            length_unit=sources.length_unit,
            seed=sources.seed,
        )
        _check_size(World('', (entity,)), sources.limits, _notes(source, findings))
        world = with_pieces(World('', (entity,)), pieces_folder(source), findings)
        return world.entities[0], findings
    world, findings = _load(source, sources)
    things = [each for each in world.entities if each.name != FIXTURES]
    if len(things) > 1:
        _notes(source, findings).add('Model.SeveralEntities', found=len(things))
        raise WorldFileError(findings.errors)
    if things and len(world.entities) > 1:
        _notes(source, findings).add('Model.FixturesLeftOut')
    entity = (*things, *world.entities)[0]
    return replace(entity, name=name or entity.name), findings


def _check_size(world: World, limits: ModelLimits, notes: FileFindings) -> None:
    """Refuse a world of parts with too many bodies or triangles for MuJoCo."""
    parts = [part for entity in world.entities for part in entity.parts]
    meshes = {
        id(shape.geometry): len(shape.geometry.triangles)
        for part in parts
        for shape in part.shapes
        if isinstance(shape.geometry, TriangleMesh)
    }
    if len(parts) > limits.bodies:
        notes.add('Model.TooManyBodies', found=len(parts), limit=limits.bodies)
    if (triangles := sum(meshes.values())) > limits.triangles:
        notes.add('Model.TooManyTriangles', found=triangles, limit=limits.triangles)
    if notes.errors:
        raise WorldFileError(notes.findings.errors)


def _recognize(path: Path) -> FileFormat | None:
    """Return the format of a file; None if it is unknown, or cannot be read."""
    notes = FileFindings(path.name, world_findings())
    data = read_bytes(path, notes, LARGEST_XML)
    return None if data is None else recognize(data, notes)


def _load(source: Path | str, sources: WorldSources) -> tuple[World, Findings]:
    findings = world_findings()
    world = _read(source, sources, _notes(source, findings))
    if world is None or findings.errors:
        raise WorldFileError(findings.errors)
    return world, findings


def _read(source: Path | str, sources: WorldSources, notes: FileFindings) -> World | None:
    data = (
        source.encode(errors='replace')
        if isinstance(source, str)
        else read_bytes(source, notes, LARGEST_XML)
    )
    form = None if data is None else recognize(data, notes)
    if form is FileFormat.SIGVERSE:
        notes.add('Model.TextUnsupported')
        return None
    root = None if data is None or form is None else parse_xml(data, notes, strict=True)
    if root is None or form is None:
        return None
    folder = None if isinstance(source, str) else source.absolute().parent
    folders = AssetFolders(folder, sources.assets, sources.packages)
    return _READERS[form](root, Path(notes.file).stem, folders, sources.limits, notes)


def _notes(source: Path | str, findings: Findings) -> FileFindings:
    return FileFindings(TEXT if isinstance(source, str) else source.name, findings)
