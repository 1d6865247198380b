# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Services of simulation_interfaces about worlds, their named poses, state and time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.requests import UnknownPoseError, UnsupportedRequestError
from world_model_core.virtual_world.simulation_state import (
    IncorrectTransitionError,
    SimulationState,
    check_world,
    reset_scope,
)
from world_model_nodes.virtual_world.convert_requests import (
    empty_bounds,
    named_pose_message,
    tags_filter_of,
)
from world_model_nodes.virtual_world.convert_simulation import world_resource

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.virtual_world.values import NamedPose
    from world_model_nodes.virtual_world.running_world import RunningWorld
    from world_model_nodes.virtual_world.stepped_run import SteppedRun
    from world_model_nodes.virtual_world.world_loader import WorldLoader


class WorldServices:
    """
    Answers requests about worlds: each method fills the response, or raises WorldModelError.

    Parameters
    ----------
    world : RunningWorld
    loader : WorldLoader
    steps : SteppedRun
    end : callable
        Ends the node, after the response has been sent.

    """

    def __init__(
        self,
        world: RunningWorld,
        loader: WorldLoader,
        steps: SteppedRun,
        end: Callable[[], None],
    ) -> None:
        self._world, self._loader, self._steps, self._end = world, loader, steps, end

    def load_world(self, request: Any, response: Any) -> None:
        """Replace the world, and stop; the present world stays if that fails."""
        loaded = self._loader.load_resource(
            *world_resource(request),
            is_strict=request.fail_on_unsupported_element,
            ignores_assets=request.ignore_missing_or_unsupported_assets,
        )
        before, self._loader.current = self._loader.current, loaded
        try:
            self._world.load(loaded.world)
        except WorldModelError:
            self._loader.current = before
            raise
        response.world = loaded.message()

    def unload_world(self, _request: Any, _response: Any) -> None:
        """Remove the world."""
        check_world(self._world.state)
        self._world.unload()

    def get_current_world(self, _request: Any, response: Any) -> None:
        """Return name and file of the world."""
        check_world(self._world.state)
        if self._loader.current is not None:
            response.world = self._loader.current.message()

    def get_available_worlds(self, request: Any, response: Any) -> None:
        """Return the worlds that can be loaded by their names."""
        wanted = tags_filter_of(request.filter)
        response.worlds = [each for each in self._loader.worlds() if wanted.match(each.tags)]
        if request.additional_sources:
            if not request.continue_on_error:
                raise UnsupportedRequestError(
                    'additional_sources are not searched; name their folders in the parameter '
                    'assets, or set continue_on_error'
                )
            response.result.error_message = 'additional_sources were not searched'

    def get_named_poses(self, request: Any, response: Any) -> None:
        """Return the named poses of the world with some tags."""
        wanted = tags_filter_of(request.tags)
        poses = self._world.engine.world.named_poses
        response.poses = [named_pose_message(each) for each in poses if wanted.match(each.tags)]

    def get_named_pose_bounds(self, request: Any, response: Any) -> None:
        """Return the bounds of a named pose: it is a point, which has none."""
        self._named_pose(request.name)
        response.bounds = empty_bounds()

    def get_simulation_state(self, _request: Any, response: Any) -> None:
        """Return whether the simulation plays."""
        response.state.state = self._world.state.value

    def set_simulation_state(self, request: Any, _response: Any) -> None:
        """Play, pause, stop or quit."""
        try:
            target = SimulationState(request.state.state)
        except ValueError:
            raise IncorrectTransitionError(
                f'state is {request.state.state}; it must be 0 to {SimulationState.QUITTING.value}'
            ) from None
        if target is SimulationState.QUITTING:
            self._end()
        else:
            self._world.change_state(target)

    def reset_simulation(self, request: Any, _response: Any) -> None:
        """Return time, states or the set of entities to the start."""
        self._world.reset(reset_scope(request.scope))

    async def step_simulation(self, request: Any, _response: Any) -> None:
        """Take steps, and return when their messages have been sent."""
        await self._steps.take(request.steps)

    def _named_pose(self, name: str) -> NamedPose:
        for pose in self._world.engine.world.named_poses:
            if pose.name == name:
                return pose
        raise UnknownPoseError(f'the world has no named pose {name!r}')
