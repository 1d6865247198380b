# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities of SIGVerse: attributes -> poses, velocities, modes, cameras and states."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from world_model_core.frames import FrameError
from world_model_core.virtual_world.shapes.file_axes import orientation_from_wxyz, point_from_file
from world_model_core.virtual_world.shapes.part_names import UniqueNames
from world_model_core.virtual_world.values import Attribute, Entity, Pose
from world_model_core.virtual_world.worlds.sigverse_attributes import AttributeReader
from world_model_core.virtual_world.worlds.sigverse_bodies import BodyLibrary
from world_model_core.virtual_world.worlds.sigverse_builtin import AGENT, ENTITY
from world_model_core.virtual_world.worlds.sigverse_cameras import CameraReader
from world_model_core.virtual_world.worlds.sigverse_classes import ClassLibrary, EntityClass
from world_model_core.virtual_world.worlds.sigverse_documents import ShapeReference
from world_model_core.virtual_world.worlds.sigverse_wheels import WHEEL_ATTRIBUTES, read_wheels
from world_model_core.virtual_world.worlds.sigverse_world_files import POSITION, QUATERNION, SCALE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.virtual_world.values import Vector
    from world_model_core.virtual_world.worlds.sigverse_bodies import Body
    from world_model_core.virtual_world.worlds.sigverse_classes import WorldFiles
    from world_model_core.virtual_world.worlds.sigverse_documents import EntityDocument, WrittenAt

__all__ = ['EntityReader']

VELOCITY = ('vx', 'vy', 'vz')
ANGULAR_VELOCITY = ('avx', 'avy', 'avz')
FARTHEST = 1e5  # [m]
SPEEDS = (-1e4, 1e4)  # [m/s], [rad/s]
POSITIVE, HEAVIEST = 1e-9, 1e9  # [kg]
HUGE = 1e100
# Least and largest scale.
SCALES = (1e-4, 1e4)
LONGEST_NAME = 200
_FORBIDDEN = re.compile('[/\x00-\x1f\x7f-\x9f\ud800-\udfff]')
# Attributes that are fields of an entity, and therefore not kept a second time.
FIELDS = {
    'name', 'class', 'dynamics', 'mass', 'collision', 'graspable', 'graspRadius',
    'movable', *WHEEL_ATTRIBUTES, *POSITION, *QUATERNION, *VELOCITY, *ANGULAR_VELOCITY,
}  # fmt: skip


@dataclass(slots=True)
class EntityReader:
    """
    Makes entities of documents.

    Attributes
    ----------
    files : WorldFiles
    unit : float
        Length of the files' unit [m].
    draws : Draws
        For attributes that are ranges.

    """

    files: WorldFiles
    unit: float
    draws: Draws
    _classes: ClassLibrary = field(init=False)
    _bodies: BodyLibrary = field(init=False)
    _names: UniqueNames = field(init=False)

    def __post_init__(self) -> None:
        """Create the libraries."""
        self._classes = ClassLibrary(self.files)
        self._bodies = BodyLibrary(self.files, self.unit)
        self._names = UniqueNames('entity')

    def read(self, document: EntityDocument) -> Entity | None:
        """Return an entity; None, with a finding, if its class cannot be used."""
        kind = self._class(document)
        if kind is None:
            return None
        name = self._name(document, kind)
        attributes = AttributeReader(self.files, self.draws).read(name, kind, document.settings)
        return self._entity(name, kind, document, _Values(attributes, self.files, document.at))

    def _class(self, document: EntityDocument) -> EntityClass | None:
        """Return the class of an entity; the form of version 2.1 has built-in ones."""
        if document.class_file:
            return self._classes.read(document.class_file, document.at)
        agent = document.settings.get('agent')
        is_agent = agent is not None and agent.text == 'true'
        return EntityClass((ENTITY, AGENT) if is_agent else (ENTITY,))

    def _name(self, document: EntityDocument, kind: EntityClass) -> str:
        setting = document.settings.get('name')
        written = '' if setting is None else setting.text
        wanted = _FORBIDDEN.sub('_', written.strip() or kind.name)[:LONGEST_NAME]
        name = self._names.take(wanted)
        if name != written:
            at = document.at if setting is None else setting.at
            self.files.notes(at.file).add(
                'Sigverse.NameChanged', at.where, found=written, name=name
            )
        return name

    def _entity(
        self, name: str, kind: EntityClass, document: EntityDocument, values: _Values
    ) -> Entity:
        shapes = _shapes(kind, document)
        scale = values.vector(SCALE, 1.0, SCALES, 1.0)
        body = self._bodies.read(kind, shapes, scale)
        cameras = CameraReader(self.files, self.unit, body.parts)
        states = values.states(body)
        entity = Entity(
            name,
            kind.name,
            values.pose(self.unit),
            body.parts,
            movable='movable' not in values.attributes or values.flag('movable'),
            dynamics=values.flag('dynamics'),
            collides=values.flag('collision'),
            mass=values.number('mass', 1.0, POSITIVE, HEAVIEST, 1.0),
            linear_velocity=from_file(values.vector(VELOCITY, self.unit, SPEEDS)),
            angular_velocity=from_file(values.vector(ANGULAR_VELOCITY, 1.0, SPEEDS)),
            graspable=values.flag('graspable'),
            grasp_radius=values.number('graspRadius', self.unit, 0.0, FARTHEST, 0.0),
            wheels=read_wheels(values.attributes, body.parts, self.unit, values.report),
            cameras=cameras.read(document.cameras, values.attributes, document.at),
            attributes=_kept(values.attributes, kind, document, states),
            states=states,
        )
        if entity.movable and entity.dynamics and not entity.collides:
            values.report('Sigverse.FallsThrough', name=name)
        return entity


@dataclass(frozen=True, slots=True)
class _Values:
    """Attributes of one entity as checked values in SI units."""

    attributes: Mapping[str, Attribute]
    files: WorldFiles
    at: WrittenAt

    def report(self, code: str, **values: object) -> None:
        """Add a finding at the entity."""
        self.files.notes(self.at.file).add(code, self.at.where, **values)

    def flag(self, name: str) -> bool:
        """Return a flag."""
        return self.attributes[name].value is True

    def number(self, name: str, unit: float, low: float, high: float, default: float) -> float:
        """Return a number within limits in SI units, or the default, which is in SI units."""
        value = self.attributes[name].value
        number = value * unit if isinstance(value, float) else math.nan
        if low <= number <= high:
            return number
        limits = f'{low / unit:g} to {high / unit:g}'
        self.report('Sigverse.OutOfRange', found=value, name=name, limits=limits)
        return default

    def vector(
        self,
        names: tuple[str, ...],
        unit: float,
        limits: tuple[float, float],
        default: float = 0.0,
    ) -> Vector:
        """Return three numbers in the axes of the file."""
        x, y, z = (self.number(name, unit, *limits, default) for name in names)
        return (x, y, z)

    def pose(self, unit: float) -> Pose:
        """Return the pose; a quaternion of zero is no rotation."""
        position = self.vector(POSITION, unit, (-FARTHEST, FARTHEST))
        quaternion = tuple(self.number(name, 1.0, -HUGE, HUGE, 0.0) for name in QUATERNION)
        try:
            return Pose(from_file(position), orientation_from_wxyz(quaternion))
        except FrameError:
            self.report('Sigverse.ZeroQuaternion')
            return Pose(from_file(position))

    def states(self, body: Body) -> dict[str, str]:
        """Return the present values of the states that shapes have."""
        present = {}
        for name, values in body.states.items():
            value = _text(self.attributes[name].value) if name in self.attributes else ''
            if value not in values and not body.has_default:
                options = ', '.join(values)
                self.report(
                    'Sigverse.StateUnknown',
                    found=value,
                    name=name,
                    value=values[0],
                    options=options,
                )
                value = values[0]
            present[name] = value
        return present


def _shapes(kind: EntityClass, document: EntityDocument) -> tuple[ShapeReference, ...]:
    """Return the shape files of an entity: of the last class in its inheritance that has any."""
    if document.shape_file:
        return (ShapeReference(document.shape_file, at=document.at),)
    return next((each.shapes for each in reversed(kind.documents) if each.shapes), ())


def _kept(
    attributes: Mapping[str, Attribute],
    kind: EntityClass,
    document: EntityDocument,
    states: Mapping[str, str],
) -> dict[str, Attribute]:
    """Return the attributes that are no fields of an entity."""
    kept = {
        name: each
        for name, each in attributes.items()
        if name not in FIELDS and name not in states
    }
    kept['superclass'] = replace(kept['superclass'], value=kind.base_name)
    if document.robot:
        kept['robot'] = Attribute(value=True, group='general')
    return kept


def _text(value: str | float | bool) -> str:
    """Return a value as files write it."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    return value if isinstance(value, str) else f'{value:g}'


def from_file(vector: Vector) -> Vector:
    """Convert a vector from the axes of the files."""
    return point_from_file(vector, 1.0)
