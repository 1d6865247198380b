# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is known of an entity of a virtual world, in lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.view.scene import Row
from world_model_core.virtual_world.values import JointKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.view.virtual_values import WorldMoment
    from world_model_core.virtual_world.values import Entity, Joint

__all__ = ['entity_rows']


def entity_rows(moment: WorldMoment, name: str) -> tuple[Row, ...]:
    """Return what is known of an entity; nothing if there is none."""
    entity = moment.contents.entities.get(name)
    if entity is None:
        return ()
    return (
        Row('name', name),
        *([Row('category', entity.category)] if entity.category else []),
        *_motion(moment, name),
        *(Row('state', f'{key}: {value}') for key, value in sorted(entity.states.items())),
        *_grasps(moment, name),
        *_contacts(moment, name),
        *_joints(moment, entity),
        *_attributes(moment, name),
    )


def _motion(moment: WorldMoment, name: str) -> Iterator[Row]:
    names = moment.bodies.names
    if name not in names:
        return
    index = names.index(name)
    yield Row('position', '{:.2f}, {:.2f}, {:.2f} m'.format(*moment.bodies.poses[index, :3]))
    if index < len(moment.velocities):
        yield Row('velocity', '{:.2f}, {:.2f}, {:.2f} m/s'.format(*moment.velocities[index, :3]))


def _grasps(moment: WorldMoment, name: str) -> Iterator[Row]:
    if name in moment.holders:
        entity, part = moment.holders[name]
        yield Row('held_by', f'{entity}, {part}')
    for thing, (entity, part) in sorted(moment.holders.items()):
        if entity == name:
            yield Row('holds', f'{thing} ({part})')


def _contacts(moment: WorldMoment, name: str) -> Iterator[Row]:
    """Yield the entities that touch it, with the sum of their forces; empty: the ground."""
    forces: dict[str, float] = {}
    for each in moment.contacts:
        sides = each.first[0], each.second[0]
        if name in sides:
            other = sides[1] if sides[0] == name else sides[0]
            forces[other] = forces.get(other, 0.0) + each.force
    for other, force in sorted(forces.items()):
        yield Row('touches' if other else 'touches_ground', f'{other} {force:.1f} N'.strip())


def _joints(moment: WorldMoment, entity: Entity) -> Iterator[Row]:
    positions = moment.joints.get(entity.name, {})
    for part in entity.parts:
        if part.joint is not None and part.joint.name in positions:
            yield Row('joint', _joint(part.joint, positions[part.joint.name]))


def _joint(joint: Joint, position: float) -> str:
    if joint.kind is JointKind.SLIDE:
        return f'{joint.name}: {position:.3f} m'
    return f'{joint.name}: {math.degrees(position):.1f}°'


def _attributes(moment: WorldMoment, name: str) -> Iterator[Row]:
    for key, value in sorted(moment.attributes.get(name, {}).items()):
        yield Row('attribute', f'{key}: {value:g}' if type(value) is float else f'{key}: {value}')
