# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What has changed in a world between two of its instants, for all controllers at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.agents.state_changes import ObjectProperties, StateChanges

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.engine.state_arrays import StateLayout
    from world_model_core.virtual_world.values import Entity, Vector

__all__ = ['StateFeed', 'WorldView']


@dataclass(frozen=True, slots=True)
class _Source:
    """What the properties of an entity are made of."""

    entity: Entity
    mass: float
    grasps: Mapping[str, str]

    def same(self, other: _Source | None) -> bool:
        """Return whether the properties are equal; engines replace entities that change."""
        return (
            other is not None
            and self.entity is other.entity
            and self.mass == other.mass
            and self.grasps == other.grasps
        )


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
        self._sources: dict[str, _Source] = {}
        self._view: WorldView | None = None
        self._changes: dict[int, tuple[WorldView | None, StateChanges]] = {}

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
        known = self._changes.get(id(since))
        if known is None:
            # The view is kept, so that no other gets its id.
            known = self._changes[id(since)] = since, _changes(since, view)
        return known[1]

    def _look_up(self, engine: Engine) -> Mapping[str, ObjectProperties]:
        """Return the properties of all entities; the last ones if nothing has changed."""
        sources = _sources(engine)
        last = {} if self._view is None else self._view.properties
        changed = [
            name for name, each in sources.items() if not each.same(self._sources.get(name))
        ]
        if not changed and len(sources) == len(last):
            return last
        found = {name: each for name, each in last.items() if name in sources}
        found |= {name: _properties(engine, name, sources[name]) for name in changed}
        self._sources = sources
        return found


def _sources(engine: Engine) -> dict[str, _Source]:
    arrays = engine.state_arrays
    grasps: dict[str, dict[str, str]] = {}
    for (name, part), thing in engine.grasps.items():
        grasps.setdefault(name, {})[part] = thing
    nothing: dict[str, str] = {}
    return {
        name: _Source(engine.entity(name), mass, grasps.get(name, nothing))
        for name, mass in zip(arrays.layout.names, arrays.masses().tolist(), strict=True)
    }


def _properties(engine: Engine, name: str, source: _Source) -> ObjectProperties:
    entity, handle = source.entity, engine.physics.handle(name)
    return ObjectProperties(
        entity.category,
        entity.movable,
        entity.dynamics,
        entity.gravity,
        entity.collides,
        entity.graspable,
        entity.grasp_radius,
        source.mass,
        tuple(handle.parts),
        {joint.name: joint.kind for joint in handle.jointed.values()},
        {key: each.value for key, each in entity.attributes.items()},
        entity.states,
        entity.cameras,
        entity.wheels,
        source.grasps,
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
