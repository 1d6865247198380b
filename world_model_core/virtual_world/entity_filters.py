# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of entities by name, category, tags and place, and of named poses by tags."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from world_model_core.virtual_world.name_patterns import NamePattern
from world_model_core.virtual_world.volumes import Volume, overlaps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.virtual_world.entity_info import EntityCategory, EntityInfo
    from world_model_core.virtual_world.values import Vector

__all__ = ['EntityFilter', 'TagsFilter', 'select_entities']


@dataclass(frozen=True, slots=True)
class TagsFilter:
    """Tags of which any, or all with `needs_all`, must be present; without tags all match."""

    tags: frozenset[str] = frozenset()
    needs_all: bool = False

    def match(self, tags: tuple[str, ...]) -> bool:
        """Return whether the tags of a thing match."""
        if not self.tags:
            return True
        return self.tags <= set(tags) if self.needs_all else not self.tags.isdisjoint(tags)


@dataclass(frozen=True, slots=True)
class EntityFilter:
    """
    Conditions on entities; all must hold, and an empty one holds for all.

    Attributes
    ----------
    pattern : str
        Extended regular expression that matches a part of the name.
    categories : frozenset of EntityCategory
    tags : TagsFilter
    volume : Volume, optional
        The bounds of the entity overlap it.

    """

    pattern: str = ''
    categories: frozenset[EntityCategory] = frozenset()
    tags: TagsFilter = field(default_factory=TagsFilter)
    volume: Volume | None = None


def select_entities(
    wanted: EntityFilter,
    infos: Mapping[str, EntityInfo],
    bounds: Callable[[str], tuple[Vector, Vector]],
) -> list[str]:
    """
    Return the names of the entities that match a filter, in their order.

    Parameters
    ----------
    wanted : EntityFilter
    infos : mapping of str to EntityInfo
        By the names of all entities.
    bounds : callable
        Returns the lower and the upper corner of an entity in the frame `world` [m]; called only
        where the other conditions hold.

    Raises
    ------
    PatternError
        The pattern is not valid, or too complex.

    """
    names = NamePattern(wanted.pattern).select(infos) if wanted.pattern else list(infos)
    named = [name for name in names if _is_wanted(wanted, infos[name])]
    if wanted.volume is None:
        return named
    return [name for name in named if overlaps(wanted.volume, bounds(name))]


def _is_wanted(wanted: EntityFilter, info: EntityInfo) -> bool:
    """Return whether category and tags match."""
    has_category = not wanted.categories or info.category in wanted.categories
    return has_category and wanted.tags.match(info.tags)
