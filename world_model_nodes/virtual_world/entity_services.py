# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Services of simulation_interfaces about entities: find, read, move, describe, add, remove."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.engine.errors import EngineError
from world_model_core.virtual_world.entity_filters import select_entities
from world_model_core.virtual_world.entity_frames import (
    box_in_frame,
    pose_in_world,
    state_in_world,
)
from world_model_core.virtual_world.requests import (
    InvalidPoseError,
    check_bounds,
    choose_name,
    merged_state,
)
from world_model_core.virtual_world.topic_names import escape_name
from world_model_core.virtual_world.values import Pose
from world_model_nodes.virtual_world import standard_messages as standard
from world_model_nodes.virtual_world.convert_requests import (
    bounds_message,
    filter_of,
    info_message,
    info_of_message,
    namespace_of,
    pose_of,
    state_message,
    state_of_message,
)
from world_model_nodes.virtual_world.convert_simulation import (
    spawn_resource,
    state_changes,
)
from world_model_nodes.virtual_world.result_codes import code_of
from world_model_nodes.virtual_world.world_topics import WORLD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.values import Entity
    from world_model_nodes.virtual_world.running_world import RunningWorld
    from world_model_nodes.virtual_world.world_loader import WorldLoader


class EntityServices:
    """
    Answers requests about entities: each method fills the response, or raises WorldModelError.

    Parameters
    ----------
    world : RunningWorld
    loader : WorldLoader

    """

    def __init__(self, world: RunningWorld, loader: WorldLoader) -> None:
        self._world, self._loader = world, loader

    def get_entities(self, request: Any, response: Any) -> None:
        """Return the names of the entities that match."""
        response.entities = self._select(request.filters)

    def get_entities_states(self, request: Any, response: Any) -> None:
        """Return names and states of the entities that match."""
        response.entities = self._select(request.filters)
        response.states = [self._state(name) for name in response.entities]

    def get_entity_state(self, request: Any, response: Any) -> None:
        """Return the true state of an entity in the frame `world`."""
        response.state = self._state(request.entity)

    def get_entity_info(self, request: Any, response: Any) -> None:
        """Return category, description and tags of an entity."""
        self._entity(request.entity)
        response.info = info_message(self._world.infos[request.entity])

    def set_entity_info(self, request: Any, _response: Any) -> None:
        """Replace category, description and tags of an entity."""
        self._entity(request.entity)
        self._world.records.set_info(request.entity, info_of_message(request.info))

    def get_entity_bounds(self, request: Any, response: Any) -> None:
        """Return a box around an entity, in the frame of the entity."""
        engine, name = self._world.engine, request.entity
        response.bounds = bounds_message(
            box_in_frame(engine.bounds(name), engine.root_state_of(name).pose)
        )

    def set_entity_state(self, request: Any, _response: Any) -> None:
        """Move an entity at once."""
        entity, engine = self._entity(request.entity), self._world.engine
        frame = self._frame(request.state.header.frame_id)
        wanted = state_in_world(state_of_message(request.state), frame)
        pose, twist = state_changes(request)
        if pose:
            check_bounds(wanted.pose, engine.world)
        present = engine.state_of(entity.name)
        self._world.set_entity_state(
            entity.name, merged_state(present, wanted, entity, pose=pose, twist=twist)
        )

    def spawn_entity(self, request: Any, response: Any) -> None:
        """Add an entity from a file or a text."""
        entity, namespace = self._prepare(request, self._world.engine.names)
        (response.entity_name,) = self._world.spawn((entity,), (namespace,))

    def spawn_entities(self, request: Any, response: Any) -> None:
        """Add several entities, each as `spawn_entity`; all that can be added are added."""
        results = [standard.msg.SpawnResult() for _ in request.spawn_requests]
        taken, ready = list(self._world.engine.names), []
        for wanted, result in zip(request.spawn_requests, results, strict=True):
            try:
                ready.append((*self._prepare(wanted, taken), result))
                taken.append(ready[-1][0].name)
            except WorldModelError as error:
                _reject(result, error)
        self._add(ready)
        response.results = results
        failed = [each for each in results if each.result.result != standard.msg.Result.RESULT_OK]
        if failed:
            response.result.result = standard.srv.SpawnEntities.Response.ENTITIES_SPAWN_FAILED
            response.result.error_message = f'{len(failed)} of {len(results)} were not spawned'

    def delete_entity(self, request: Any, _response: Any) -> None:
        """Remove an entity."""
        self._world.delete(request.entity)

    def get_spawnables(self, request: Any, response: Any) -> None:
        """Return the files from which entities can be made."""
        response.spawnables = self._loader.spawnables()
        if request.sources:
            response.result.error_message = (
                f'sources are not searched: {", ".join(request.sources)}; name their folders in '
                'the parameter assets'
            )

    def _add(self, ready: Sequence[tuple[Entity, str, Any]]) -> None:
        """Add entities by one recompilation; if one of them cannot be added, one by one."""
        if not ready:
            return
        try:
            names = self._world.spawn([each[0] for each in ready], [each[1] for each in ready])
        except EngineError as error:
            if len(ready) == 1:
                _reject(ready[0][2], error)
                return
            for each in ready:
                self._add((each,))
            return
        for name, (_, _, result) in zip(names, ready, strict=True):
            result.result.result, result.entity_name = standard.msg.Result.RESULT_OK, name

    def _prepare(self, request: Any, taken: Sequence[str]) -> tuple[Entity, str]:
        """Return the entity that a request describes, and the namespace of its topics."""
        frame = self._frame(request.initial_pose.header.frame_id)
        pose = pose_in_world(pose_of(request.initial_pose.pose), frame)
        check_bounds(pose, self._world.engine.world)
        namespace = namespace_of(request.entity_namespace)
        rename = request.allow_renaming
        wanted = choose_name(request.name, taken, rename=rename) if request.name else ''
        entity = self._loader.load_entity(*spawn_resource(request), wanted)
        name = wanted or choose_name(entity.name, taken, rename=rename)
        return replace(entity, name=name, pose=pose), namespace

    def _select(self, filters: Any) -> list[str]:
        engine = self._world.engine
        return select_entities(filter_of(filters), self._world.infos, engine.bounds)

    def _entity(self, name: str) -> Entity:
        return self._world.engine.entity(name)

    def _state(self, name: str) -> Any:
        state = self._world.engine.state_of(name)
        return state_message(state, self._world.clock.now_ns, WORLD)

    def _frame(self, frame_id: str) -> Pose:
        """Return the pose of a frame in `world`: that of an entity, or `world` itself."""
        if frame_id in {'', WORLD}:
            return Pose()
        engine: Engine = self._world.engine
        for name in engine.names:
            if frame_id in {name, escape_name(name)}:
                return engine.root_state_of(name).pose
        raise InvalidPoseError(
            f'frame {frame_id!r} is unknown; it must be {WORLD} or that of an entity'
        )


def _reject(result: Any, error: WorldModelError) -> None:
    result.result.result = code_of(standard.srv.SpawnEntities, error)
    result.result.error_message = str(error)
