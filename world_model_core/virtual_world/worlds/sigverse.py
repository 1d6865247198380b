# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Worlds of SIGVerse, versions 1 and 2.1.

    world, findings = read_sigverse_world('conf/Interior_v1_0.xml', gravity='earth')

A world file places entities of classes; class files inherit attributes and name shape files and
body files. All lengths of these files are in centimeters by
convention, the acceleration of gravity in cm/s^2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import WorldFileError, world_findings
from world_model_core.virtual_world.shapes.file_axes import point_from_file
from world_model_core.virtual_world.values import STANDARD_GRAVITY, ContactParameters, World
from world_model_core.virtual_world.worlds.sigverse_attributes import FLAGS, number_of
from world_model_core.virtual_world.worlds.sigverse_classes import MOST_CLASSES, WorldFiles
from world_model_core.virtual_world.worlds.sigverse_documents import (
    EntityDocument,
    Setting,
    WorldDocument,
    WrittenAt,
)
from world_model_core.virtual_world.worlds.sigverse_entities import EntityReader
from world_model_core.virtual_world.worlds.sigverse_world_files import (
    POSITION,
    read_world_document,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from world_model_core.findings import Findings
    from world_model_core.virtual_world.values import Entity, Vector

__all__ = ['CENTIMETER', 'Gravity', 'read_sigverse_entity', 'read_sigverse_world']

# The acceleration of gravity: that of the file, or that of the Earth.
Gravity: TypeAlias = Literal['file', 'earth']

CENTIMETER = 0.01  # [m]
# SIGVerse's defaults: ODEWorld.cpp and SParts.h. Its acceleration without `gravity` is 980 cm/s^2.
DEFAULT_GRAVITY = (0.0, 0.0, -9.8)  # [m/s^2]
CONTACT = ContactParameters(mu=math.inf, mu2=math.inf, slip1=0.01, slip2=0.01)
STEP = 0.01  # [s]
STEPS = (1e-5, 0.1)
# How far gravity may be from the standard without a finding [1].
USUAL = 0.05
STRONGEST = 1e4  # [m/s^2]
# Attributes of `collisionparam`, the parameters that they set, and their limits. The first two of
# `worldparam` are replaced by those with "soft_".
CONTACT_NAMES = {
    'erp': ('erp', 0.0, 1.0),
    'cfm': ('cfm', 0.0, 1e3),
    'soft_erp': ('erp', 0.0, 1.0),
    'soft_cfm': ('cfm', 0.0, 1e3),
    'mu': ('mu', 0.0, math.inf),
    'mu2': ('mu2', 0.0, math.inf),
    'slip1': ('slip1', 0.0, 1e3),
    'slip2': ('slip2', 0.0, 1e3),
    'bounce': ('bounce', 0.0, 1.0),
    'bounce_vel': ('bounce_velocity', 0.0, 1e6),
}
# The largest original world has 103.
MOST_ENTITIES = 10_000
# Attributes of `worldparam` that choose between solvers of ODE, which do not exist here.
NOT_USED = ('autostep', 'quickstep')


def read_sigverse_world(
    path: Path | str,
    *,
    assets: Sequence[Path | str] = (),
    length_unit: float = CENTIMETER,
    gravity: Gravity = 'file',
    seed: int = 0,
) -> tuple[World, Findings]:
    """
    Read a world of SIGVerse.

    Parameters
    ----------
    path : Path or str
        The world file. Other files are looked up in its folder and in `assets` only.
    assets : sequence of Path or str
        Further folders with class, body and shape files.
    length_unit : float
        Length of the unit of all these files [m].
    gravity : {'file', 'earth'}
        Whose acceleration is used. Most worlds of SIGVerse say 9.8 in centimeters.
    seed : int
        Of the numbers that are drawn for attributes such as "[1,2]".

    Returns
    -------
    world : World
        Without the entities whose classes cannot be read.
    findings : Findings
        What was repaired, left out or is unusual.

    Raises
    ------
    WorldFileError
        The file, or one that it inherits, is no world, or inherits itself.
    ConfigurationError
        The unit or the gravity is invalid.

    """
    path = Path(path)
    reader = _WorldReader.create(path, assets, length_unit, gravity, seed)
    document = reader.document(path)
    return reader.world(document), reader.files.findings


def read_sigverse_entity(
    path: Path | str,
    name: str,
    *,
    assets: Sequence[Path | str] = (),
    length_unit: float = CENTIMETER,
    seed: int = 0,
) -> tuple[Entity, Findings]:
    """
    Read a class file of SIGVerse, and make one entity of it at the origin.

    Parameters
    ----------
    path : Path or str
        The class file. Other files are looked up in its folder and in `assets` only.
    name : str
        Name of the entity.
    assets, length_unit, seed
        See `read_sigverse_world`.

    Raises
    ------
    WorldFileError
        The class, or one that it inherits, cannot be read.
    ConfigurationError
        The unit is invalid.

    """
    path = Path(path)
    reader = _WorldReader.create(path, assets, length_unit, 'file', seed)
    document = EntityDocument(path.name, settings={'name': Setting(name)}, at=WrittenAt(path.name))
    entity = reader.entities.read(document)
    if entity is None:
        raise WorldFileError(reader.files.findings.errors)
    return entity, reader.files.findings


@dataclass(frozen=True, slots=True)
class _WorldReader:
    """Makes a world of documents."""

    files: WorldFiles
    entities: EntityReader
    unit: float
    gravity: Gravity

    @classmethod
    def create(
        cls,
        path: Path,
        assets: Sequence[Path | str],
        unit: float,
        gravity: Gravity,
        seed: int,
    ) -> _WorldReader:
        """Check the options and create a reader."""
        if not 1e-6 <= unit <= 1e3:
            raise ConfigurationError(f'length_unit is {unit}; it must be from 1e-6 to 1000 m')
        if gravity not in ('file', 'earth'):
            raise ConfigurationError(f"gravity is {gravity!r}; it must be 'file' or 'earth'")
        folders = AssetFolders(path.parent, tuple(Path(each) for each in assets))
        files = WorldFiles(folders, world_findings())
        return cls(files, EntityReader(files, unit, Draws(seed)), unit, gravity)

    def document(self, path: Path) -> WorldDocument:
        """Read a world file, after those that it inherits."""
        found: list[WorldDocument] = []
        names: list[str] = []
        file, at = path.name, WrittenAt(path.name)
        while file:
            if file in names or len(names) >= MOST_CLASSES:
                chain = ' > '.join((*names[:5], file))
                self.files.notes(at.file).add('Sigverse.InheritanceLoop', at.where, found=chain)
                break
            names.append(file)
            place = (
                path if file == path.name else self.files.find(file, at, 'WorldFile.FileMissing')
            )
            document = (
                None if place is None else read_world_document(place, self.files.notes(file))
            )
            if document is None:
                break
            found.append(document)
            file, at = document.inherit, WrittenAt(file, 'inherit')
        else:
            return _joined(found)
        raise WorldFileError(self.files.findings.errors)

    def world(self, document: WorldDocument) -> World:
        """Make the world of a document."""
        step = self._number(document.parameters, 'stepsize', *STEPS)
        for name in NOT_USED:
            setting = document.parameters.get(name)
            if setting is not None:
                code = 'Sigverse.NotUsed' if setting.text.lower() in FLAGS else 'Sigverse.NotFlag'
                self.files.report(code, setting, name=name)
        for left_out in document.entities[MOST_ENTITIES : MOST_ENTITIES + 1]:
            at = left_out.at
            notes = self.files.notes(at.file)
            notes.add('Sigverse.TooManyEntities', at.where, limit=MOST_ENTITIES)
        made = (self.entities.read(each) for each in document.entities[:MOST_ENTITIES])
        return World(
            document.name,
            tuple(entity for entity in made if entity is not None),
            self._acceleration(document.gravity),
            STEP if step is None else step,
            contact=self._contact(document),
            namespace=document.namespace,
        )

    def _acceleration(self, settings: Mapping[str, Setting]) -> Vector:
        """Return the acceleration of gravity; a finding says if it is unusual."""
        if self.gravity == 'earth':
            return (0.0, 0.0, -STANDARD_GRAVITY)
        if not settings:
            return DEFAULT_GRAVITY
        limit = STRONGEST / self.unit
        numbers = [self._number(settings, name, -limit, limit) or 0.0 for name in POSITION]
        acceleration = point_from_file(numbers, self.unit)
        off = math.dist(acceleration, (0.0, 0.0, -STANDARD_GRAVITY))
        if off > USUAL * STANDARD_GRAVITY:
            found = ' '.join(f'{each:g}' for each in acceleration)
            expected = STANDARD_GRAVITY / self.unit
            self.files.report(
                'Sigverse.UnusualGravity', settings['y'], strength=found, usual=f'{-expected:g}'
            )
        return acceleration

    def _contact(self, document: WorldDocument) -> ContactParameters:
        """Return the parameters of contacts; those of `collisionparam` come last."""
        contact = CONTACT
        for settings in (document.parameters, document.contact):
            for name, (field, low, high) in CONTACT_NAMES.items():
                number = self._number(settings, name, low, high)
                if number is not None:
                    unit = self.unit if name == 'bounce_vel' else 1.0
                    contact = replace(contact, **{field: unit * number})
        known = {*CONTACT_NAMES, *NOT_USED, 'stepsize'}
        for name, setting in {**document.parameters, **document.contact}.items():
            if name not in known:
                self.files.report('Sigverse.UnknownParameter', setting, name=name)
        return contact

    def _number(
        self, settings: Mapping[str, Setting], name: str, low: float, high: float
    ) -> float | None:
        """Return a number of the file, or None if it is not given or, with a finding, wrong."""
        setting = settings.get(name)
        if setting is None:
            return None
        number = number_of(setting.text)
        if number is not None and low <= number <= high:
            return number
        self.files.report('Sigverse.OutOfRange', setting, name=name, limits=f'{low:g} to {high:g}')
        return None


def _joined(documents: Sequence[WorldDocument]) -> WorldDocument:
    """Join a world with those that it inherits: it comes first, and they from near to far."""
    own, *others = documents
    whole = own
    for other in others:
        whole = replace(
            whole,
            namespace=whole.namespace or other.namespace,
            gravity=whole.gravity or other.gravity,
            parameters={**other.parameters, **whole.parameters},
            contact={**other.contact, **whole.contact},
            entities=(*other.entities, *whole.entities),
        )
    return whole
