# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What an entity is, in the terms of the package simulation_interfaces."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import Entity

__all__ = ['EntityCategory', 'EntityInfo', 'info_of']

PEOPLE = {'human', 'person', 'people', 'man', 'woman', 'boy', 'girl', 'child', 'pedestrian'}


class EntityCategory(Enum):
    """Major category of an entity; the values are those of EntityCategory.msg."""

    OBJECT = 0
    ROBOT = 1
    HUMAN = 2
    DYNAMIC_OBJECT = 4
    STATIC_OBJECT = 5


@dataclass(frozen=True, slots=True)
class EntityInfo:
    """Category, description and tags of an entity, as EntityInfo.msg."""

    category: EntityCategory
    description: str = ''
    tags: tuple[str, ...] = ()


def info_of(entity: Entity) -> EntityInfo:
    """Return the information that follows from a world file: the class is description and tag."""
    tags = (entity.category,) if entity.category else ()
    return EntityInfo(_category(entity), entity.category, tags)


def _category(entity: Entity) -> EntityCategory:
    word = entity.category.casefold()
    agent = entity.attributes.get('agent')
    if entity.wheels is not None or 'robot' in word:
        return EntityCategory.ROBOT
    if word in PEOPLE or (agent is not None and agent.value is True):
        return EntityCategory.HUMAN
    return EntityCategory.OBJECT if entity.movable else EntityCategory.STATIC_OBJECT
