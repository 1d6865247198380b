# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities of a world: spawned and deleted by compiling the model again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.virtual_world.engine.builder import Builder
from world_model_core.virtual_world.engine.errors import (
    InvalidEntityError,
    NameTakenError,
    UnknownEntityError,
)
from world_model_core.virtual_world.engine.physics import Physics
from world_model_core.virtual_world.engine.welds import WeldPool
from world_model_core.virtual_world.finding_catalog import world_findings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.findings import Findings
    from world_model_core.virtual_world.values import Entity, World

__all__ = ['Composition']

# A specification keeps 35 kB of each model that was attached to it, until it is deleted itself.
MOST_DELETED_MODELS = 30


class Composition:
    """
    The entities of a world and its model.

    Parameters
    ----------
    world : World
        At its start.
    sleep, original_limits : bool
        See Builder.
    findings : Findings
    welds : WeldPool, optional
        None: a new one.

    Attributes
    ----------
    entities : dict of str to Entity
        Present entities by their names, with their present modes.
    spawned : set of str
        Names of those that are not of the start.
    physics : Physics
    offsets, part_frames : mapping of str to Pose
        See Builder.
    welds : WeldPool
        Constraints of the model that can hold parts together.

    """

    def __init__(
        self,
        world: World,
        *,
        sleep: bool,
        original_limits: bool,
        findings: Findings,
        welds: WeldPool | None = None,
    ) -> None:
        self.start = world
        self._check_names(world.entities, ())
        self.entities = {entity.name: entity for entity in world.entities}
        self.spawned: set[str] = set()
        self._deleted_models = 0
        self._sleep, self._original_limits = sleep, original_limits
        self.welds = WeldPool() if welds is None else welds
        self._builder = self._build(findings)
        self.offsets = self._builder.offsets
        self.part_frames = self._builder.part_frames
        try:
            self.physics = Physics(self._builder.spec)
        except ValueError as error:
            raise InvalidEntityError(f'world {world.name!r}: {error}') from error

    @property
    def world(self) -> World:
        """The world with its present entities."""
        return replace(self.start, entities=tuple(self.entities.values()))

    def spawn(self, entities: Sequence[Entity], *, rename: bool) -> tuple[str, ...]:
        """
        Add entities by one compilation.

        Parameters
        ----------
        entities : sequence of Entity
        rename : bool
            Whether an entity whose name is taken gets the first free one of "NAME_1", "NAME_2"...

        Returns
        -------
        tuple of str
            Their names.

        Raises
        ------
        NameTakenError, InvalidEntityError
            Nothing was added.

        """
        if rename:
            entities = self._renamed(entities)
        self._check_names(entities, self.entities)
        for entity in entities:
            self._builder.check(entity)
        names = tuple(entity.name for entity in entities)
        try:
            for entity in entities:
                self._builder.add(entity)
            self.entities.update(zip(names, entities, strict=True))
            self.physics.recompile()
        except (ValueError, InvalidEntityError) as error:
            self._take_out(names)
            raise InvalidEntityError(f'entities {list(names)}: {error}') from error
        self.spawned.update(names)
        return names

    def delete(self, names: Sequence[str]) -> None:
        """
        Delete entities by one compilation.

        Raises
        ------
        UnknownEntityError
            Nothing was deleted.

        """
        for name in names:
            if name not in self.entities:
                raise UnknownEntityError(f'no entity has the name {name!r}')
        self._deleted_models += sum(self.entities[name].model is not None for name in names)
        self._take_out(names)
        self.physics.recompile()
        if self._deleted_models >= MOST_DELETED_MODELS:
            self.rebuild()

    def rebuild(self) -> None:
        """Specify and compile the model again, with as many constraints as the welds need."""
        self._deleted_models = 0
        offsets, part_frames = self.offsets, self.part_frames
        self._builder = self._build(world_findings())
        self._builder.offsets, self._builder.part_frames = offsets, part_frames
        self.physics.replace(self._builder.spec)

    def _build(self, findings: Findings) -> Builder:
        """Specify a model; the order of its elements depends on that of the entities alone."""
        builder = Builder(
            self.start,
            sleep=self._sleep,
            original_limits=self._original_limits,
            findings=findings,
        )
        self.welds.declare(builder.spec)
        for entity in self.entities.values():
            builder.add(entity)
        return builder

    def _take_out(self, names: Sequence[str]) -> None:
        for name in names:
            self._builder.remove(name)
            self.entities.pop(name, None)
            self.spawned.discard(name)

    def _renamed(self, entities: Sequence[Entity]) -> list[Entity]:
        taken, renamed = set(self.entities), []
        for entity in entities:
            name, number = entity.name, 0
            while name in taken:
                number += 1
                name = f'{entity.name}_{number}'
            taken.add(name)
            renamed.append(replace(entity, name=name))
        return renamed

    @staticmethod
    def _check_names(entities: Sequence[Entity], present: Iterable[str]) -> None:
        taken = set(present)
        for entity in entities:
            if entity.name in taken:
                raise NameTakenError(f'another entity has the name {entity.name!r}')
            taken.add(entity.name)
