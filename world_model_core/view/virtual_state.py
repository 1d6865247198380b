# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""State of a virtual world, from its documents and the poses of its bodies."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from world_model_core.view.virtual import VirtualScene
from world_model_core.view.virtual_meshes import colored_meshes
from world_model_core.view.virtual_shapes import BodyPoses, WorldShapes
from world_model_core.view.virtual_values import (
    NO_VELOCITIES,
    Utterance,
    WorldContents,
    WorldMoment,
)
from world_model_core.virtual_world.document_reader import read_entities, read_meshes
from world_model_core.virtual_world.values import TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.gaussian import Array
    from world_model_core.view.virtual_pieces import MeshMarks
    from world_model_core.virtual_world.values import Entity, PartContact

__all__ = ['VirtualWorldState']

# Texts that are kept, and characters of each.
MOST_TEXTS, LONGEST_TEXT = 100, 500


class VirtualWorldState:
    """
    Collects what is known of a virtual world; documents follow their schemas.

    Attributes
    ----------
    topics : mapping of str to str
        Start of the names of the topics of each entity.
    agents : tuple of str
        Names of the people and robots.
    cameras : mapping of str to tuple of int
        Numbers of the cameras of each entity that has any.
    step : float
        Duration of a physics step [s].

    """

    def __init__(self) -> None:
        self.topics: Mapping[str, str] = {}
        self.agents: tuple[str, ...] = ()
        self.cameras: Mapping[str, tuple[int, ...]] = {}
        self.step = 0.01
        self._document: Mapping[str, Any] | None = None
        self._meshes: dict[str, TriangleMesh] = {}
        self._shown: MeshMarks = {}
        self._entities: tuple[Entity, ...] = ()
        self._states: dict[str, Mapping[str, str]] = {}
        self._contents: WorldContents | None = None
        self._time_ns: int | None = None
        self._bodies, self._velocities, self._parts = BodyPoses(), NO_VELOCITIES, BodyPoses()
        self._contacts: tuple[PartContact, ...] = ()
        self._attributes: Mapping[str, Mapping[str, str | float | bool]] = {}
        self._holders: Mapping[str, tuple[str, str]] = {}
        self._joints: dict[str, Mapping[str, float]] = {}
        self._texts: deque[Utterance] = deque(maxlen=MOST_TEXTS)

    def use_world(self, document: Mapping[str, Any]) -> None:
        """Use a document `virtual_world`: what is in the world."""
        self._document, self.step = document, document['step']
        entities = document['entities']
        self.topics = {name: each['topics'] for name, each in entities.items()}
        self.cameras = {
            name: tuple(each['cameras']) for name, each in entities.items() if each['cameras']
        }
        self._read()

    def use_meshes(self, document: Mapping[str, Any]) -> None:
        """Use a document `meshes`; meshes that are known already stay the same objects."""
        given = document['meshes']
        kept = {look: mesh for look, mesh in self._meshes.items() if look in given}
        new = {look: each for look, each in given.items() if look not in kept}
        self._meshes = {**kept, **read_meshes({'meshes': new})}
        known = self._shown
        self._shown = {
            mesh: known[mesh] if mesh in known else colored_meshes(f'meshes/{look[:16]}', mesh)
            for look, mesh in self._meshes.items()
        }
        self._read()

    def use_conditions(self, document: Mapping[str, Any]) -> None:
        """Use a document `conditions`: states and grasps."""
        conditions = document['entities']
        self._holders = {
            name: (each['held_by']['entity'], each['held_by']['part'])
            for name, each in conditions.items()
            if each['held_by']
        }
        states = {name: each['states'] for name, each in conditions.items()}
        if states != self._states:
            self._states = states
            self._compose()

    def use_attributes(self, document: Mapping[str, Any]) -> None:
        """Use a document `attributes`."""
        self._attributes = {
            name: {key: each['value'] for key, each in attributes.items()}
            for name, attributes in document['entities'].items()
        }

    def use_contacts(self, contacts: tuple[PartContact, ...]) -> None:
        """Use the contacts of the last physics step; none, if they are not to be shown."""
        self._contacts = contacts

    def use_bodies(self, time_ns: int, bodies: BodyPoses, velocities: Array) -> None:
        """Use poses and velocities, (n, 6), of the entities at a time [ns]."""
        self._time_ns, self._bodies, self._velocities = time_ns, bodies, velocities

    def use_parts(self, parts: BodyPoses) -> None:
        """Use the poses of parts that joints move."""
        self._parts = parts

    def use_joints(self, name: str, names: Iterable[str], positions: Iterable[float]) -> None:
        """Use the positions of the joints of an entity [rad or m]."""
        self._joints = {name: dict(zip(names, positions, strict=False))}

    def hear(self, speaker: str, text: str) -> None:
        """Keep what an entity has said now."""
        self._texts.append(Utterance(self._time_ns or 0, speaker, text[:LONGEST_TEXT]))

    def scene(self) -> VirtualScene | None:
        """Return the present state; None before the world and its poses are known."""
        if self._contents is None or self._time_ns is None:
            return None
        moment = WorldMoment(
            self._contents,
            self._time_ns,
            self._bodies,
            self._velocities,
            self._parts,
            self._contacts,
            self._attributes,
            self._holders,
            self._joints,
            # Those of before a reset lie ahead.
            tuple(each for each in self._texts if each.time_ns <= self._time_ns),
        )
        return VirtualScene(moment)

    def _read(self) -> None:
        """Read the entities with the meshes that are known."""
        if self._document is not None:
            self._entities = read_entities(self._document, self._meshes)
            described = self._document['entities']
            self.agents = tuple(
                each.name for each in self._entities if _is_agent(each, described[each.name])
            )
            self._compose()

    def _compose(self) -> None:
        """Place the shapes of all entities in their present states."""
        if self._document is None:
            return
        entities = [_in_states(each, self._states.get(each.name)) for each in self._entities]
        self._contents = WorldContents(
            self._document['name'],
            self._document['ground'],
            {each.name: each for each in entities},
            self.agents,
            WorldShapes(entities, self._shown),
            sum(map(_missing, entities)),
        )


def _is_agent(entity: Entity, described: Mapping[str, Any]) -> bool:
    """Return whether an entity may be a person or a robot; a fixed door only has joints."""
    has_joints = any(part.joint for part in entity.parts)
    return bool(described['wheels'] or described['cameras'] or (entity.movable and has_joints))


def _in_states(entity: Entity, states: Mapping[str, str] | None) -> Entity:
    return entity if states is None else replace(entity, states=states)


def _missing(entity: Entity) -> int:
    """Return the number of visible meshes of an entity without triangles."""
    shapes = (shape for part in entity.parts for shape in part.shapes if entity.shows(shape))
    meshes = (each.geometry for each in shapes if isinstance(each.geometry, TriangleMesh))
    return sum(not len(mesh.triangles) for mesh in meshes)
