# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What has changed in a world between two of its instants, for all controllers at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.virtual_world.agents.state_changes import ObjectProperties, StateChanges

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.engine.state_arrays import StateLayout
    from world_model_core.virtual_world.values import Entity, Vector

__all__ = ['StateFeed', 'WorldView']


class _Sources(NamedTuple):
    """
    What the properties of entities are made of, by their names.

    Attributes
    ----------
    entities : dict of str to Entity
        Engines replace entities that change.
    masses : dict of str to float
        [kg]
    grasps : dict of str to dict
        Names of things by those of the parts that hold them, of entities that hold something.

    """

    entities: dict[str, Entity]
    masses: dict[str, float]
    grasps: dict[str, dict[str, str]]

    def changed(self, last: _Sources) -> list[str]:
        """Return the entities whose properties are not the last ones."""
        entities, masses, grasps = last
        return [
            name
            for name, entity in self.entities.items()
            if entity is not entities.get(name)
            or self.masses[name] != masses[name]
            or self.grasps.get(name) != grasps.get(name)
        ]


@dataclass(frozen=True, eq=False)
class WorldView:
    """
    All that controllers can read of a world at an instant.

    Attributes
    ----------
    properties : mapping of str to ObjectProperties
        Of all entities; the same objects as in the view before if they have not changed.
    layout : StateLayout
    numbers : array, shape (n,)
        See StateArrays.

    """

    properties: Mapping[str, ObjectProperties]
    layout: StateLayout
    numbers: Array

    def positions(self) -> dict[str, Vector]:
        """Return the positions of all entities in the frame `world` [m]."""
        starts = self.layout.starts[:-1, None]
        found = self.numbers[starts + np.arange(3)].tolist()
        return {name: (x, y, z) for name, (x, y, z) in zip(self.layout.names, found, strict=True)}


class StateFeed:
    """Compares views of a world; views and changes that several agents need are made once."""

    def __init__(self) -> None:
        self._sources = _Sources({}, {}, {})
        self._view: WorldView | None = None
        self._changes: dict[WorldView | None, StateChanges] = {}

    def look(self, engine: Engine) -> WorldView:
        """Return the world as it is now."""
        arrays = engine.state_arrays
        self._view = WorldView(self._look_up(engine), arrays.layout, arrays.read())
        self._changes.clear()
        return self._view

    def changes(self, since: WorldView | None, view: WorldView) -> StateChanges:
        """
        Return what has changed between two views.

        Parameters
        ----------
        since : WorldView, optional
            None: everything is new.
        view : WorldView
            The last one.

        """
        if since not in self._changes:
            self._changes[since] = _changes(since, view)
        return self._changes[since]

    def _look_up(self, engine: Engine) -> Mapping[str, ObjectProperties]:
        """Return the properties of all entities; the last ones if nothing has changed."""
        sources = _sources(engine)
        last = {} if self._view is None else self._view.properties
        changed = sources.changed(self._sources)
        self._sources = sources
        if not changed and len(sources.entities) == len(last):
            return last
        kept = {name: each for name, each in last.items() if name in sources.entities}
        return {**kept, **{name: _properties(engine, name, sources) for name in changed}}


def _sources(engine: Engine) -> _Sources:
    arrays = engine.state_arrays
    names = arrays.layout.names
    grasps: dict[str, dict[str, str]] = {}
    for (name, part), thing in engine.grasps.items():
        grasps.setdefault(name, {})[part] = thing
    entities = {name: engine.entity(name) for name in names}
    return _Sources(entities, dict(zip(names, arrays.masses().tolist(), strict=True)), grasps)


def _properties(engine: Engine, name: str, sources: _Sources) -> ObjectProperties:
    entity, handle = sources.entities[name], engine.physics.handle(name)
    return ObjectProperties(
        entity.category,
        entity.movable,
        entity.dynamics,
        entity.gravity,
        entity.collides,
        entity.graspable,
        entity.grasp_radius,
        sources.masses[name],
        tuple(handle.parts),
        {joint.name: joint.kind for joint in handle.jointed.values()},
        {key: each.value for key, each in entity.attributes.items()},
        entity.states,
        entity.cameras,
        entity.wheels,
        sources.grasps.get(name, {}),
    )


def _changes(since: WorldView | None, view: WorldView) -> StateChanges:
    """Compare two views."""
    known = {} if since is None else since.properties
    layout = view.layout
    if since is None or since.layout is not layout:
        # After a compilation all numbers are at other places.
        moved, numbers = layout.names, view.numbers
    else:
        moved, numbers = _moved(layout, since.numbers, view.numbers)
    if known is view.properties:
        return StateChanges({}, moved, _bytes(numbers))
    return StateChanges(
        {name: each for name, each in view.properties.items() if known.get(name) is not each},
        moved,
        _bytes(numbers),
        tuple(name for name in known if name not in view.properties),
    )


def _moved(layout: StateLayout, before: Array, after: Array) -> tuple[tuple[str, ...], Array]:
    """Return the entities whose numbers differ in any bit, and their numbers."""
    differs = before.view(np.uint64) != after.view(np.uint64)
    starts = layout.starts
    moved = np.logical_or.reduceat(differs, starts[:-1]) if len(layout.names) else differs
    names = tuple(layout.names[number] for number in np.flatnonzero(moved).tolist())
    return names, after[np.repeat(moved, np.diff(starts))]


def _bytes(numbers: Array) -> bytes:
    return numbers.astype('<f8', copy=False).tobytes()
