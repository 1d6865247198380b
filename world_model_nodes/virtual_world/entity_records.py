# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What services have said of the entities of a world: descriptions, and namespaces of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.entity_info import info_of
from world_model_core.virtual_world.topic_names import escape_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from world_model_core.virtual_world.entity_info import EntityInfo
    from world_model_core.virtual_world.values import Entity


class EntityRecords:
    """Keeps what was said of each entity, by its name, as long as it exists."""

    def __init__(self) -> None:
        self._infos: dict[str, EntityInfo] = {}
        self._namespaces: dict[str, str] = {}

    def infos(self, entities: Iterable[Entity]) -> dict[str, EntityInfo]:
        """Return category, description and tags of entities, by their names."""
        return {each.name: self._infos.get(each.name, info_of(each)) for each in entities}

    def topic_prefix(self, name: str) -> str:
        """Return the start of the names of the topics of an entity."""
        return '/'.join(filter(None, (self._namespaces.get(name, ''), escape_name(name))))

    def set_info(self, name: str, info: EntityInfo) -> None:
        """Replace category, description and tags of an entity."""
        self._infos[name] = info

    def set_namespaces(self, namespaces: Mapping[str, str]) -> None:
        """Set the namespaces of the topics of entities; empty: that of the node."""
        self._namespaces |= {name: space for name, space in namespaces.items() if space}

    def keep(self, names: Collection[str]) -> None:
        """Forget all entities but some."""
        for name in self._infos.keys() - set(names):
            del self._infos[name]
        for name in self._namespaces.keys() - set(names):
            del self._namespaces[name]
