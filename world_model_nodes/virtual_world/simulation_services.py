# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The services and the action of simulation_interfaces, ROS 2's standard for simulators."""

from __future__ import annotations

from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.executors import ExternalShutdownException

from world_model_core.errors import WorldModelError
from world_model_nodes.virtual_world import standard_messages as standard
from world_model_nodes.virtual_world.entity_services import EntityServices
from world_model_nodes.virtual_world.result_codes import code_of
from world_model_nodes.virtual_world.stepped_run import SteppedRun
from world_model_nodes.virtual_world.world_services import WorldServices

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.action.server import ServerGoalHandle
    from rclpy.node import Node

    from world_model_nodes.virtual_world.running_world import RunningWorld
    from world_model_nodes.virtual_world.world_loader import WorldLoader

# What the tests have called successfully, as test_simulation_services.py checks.
FEATURES = (
    'SPAWNING',
    'DELETING',
    'NAMED_POSES',
    'POSE_BOUNDS',
    'ENTITY_TAGS',
    'ENTITY_BOUNDS',
    'ENTITY_BOUNDS_BOX',
    'ENTITY_BOUNDS_CONVEX',
    'ENTITY_CATEGORIES',
    'SPAWNING_RESOURCE_STRING',
    'ENTITY_STATE_GETTING',
    'ENTITY_STATE_SETTING',
    'ENTITY_INFO_GETTING',
    'ENTITY_INFO_SETTING',
    'SPAWNABLES',
    'SIMULATION_RESET',
    'SIMULATION_RESET_TIME',
    'SIMULATION_RESET_STATE',
    'SIMULATION_RESET_SPAWNED',
    'SIMULATION_STATE_GETTING',
    'SIMULATION_STATE_SETTING',
    'SIMULATION_STATE_PAUSE',
    'STEP_SIMULATION_SINGLE',
    'STEP_SIMULATION_MULTIPLE',
    'STEP_SIMULATION_ACTION',
    'WORLD_LOADING',
    'WORLD_RESOURCE_STRING',
    'WORLD_TAGS',
    'WORLD_UNLOADING',
    'WORLD_INFO_GETTING',
    'AVAILABLE_WORLDS',
    'SPAWNING_ENTITIES',
)
FORMATS = ('mjcf', 'urdf', 'sigverse')
# Time between the request to quit and the end, in which the response is sent [s].
FAREWELL = 0.5
# Names of the services, as of their types: "~/get_entities" is GetEntities.
WORLD_SERVICES = (
    'load_world',
    'unload_world',
    'get_current_world',
    'get_available_worlds',
    'get_named_poses',
    'get_named_pose_bounds',
    'get_simulation_state',
    'set_simulation_state',
    'reset_simulation',
    'step_simulation',
)
ENTITY_SERVICES = (
    'get_entities',
    'get_entities_states',
    'get_entity_state',
    'set_entity_state',
    'get_entity_info',
    'set_entity_info',
    'get_entity_bounds',
    'spawn_entity',
    'spawn_entities',
    'delete_entity',
    'get_spawnables',
)


def type_name(name: str) -> str:
    """Return the name of the type of a service: GetEntities of get_entities."""
    return name.title().replace('_', '')


def type_of(name: str) -> Any:
    """Return the type of a service by the name of the service."""
    return getattr(standard.srv, type_name(name))


class SimulationServices:
    """
    Offers the services and the action below the name of the node.

    Parameters
    ----------
    node : Node
    world : RunningWorld
    loader : WorldLoader

    """

    def __init__(self, node: Node, world: RunningWorld, loader: WorldLoader) -> None:
        self._node = node
        self._steps = SteppedRun(node, world)
        self._farewell: Any = None
        worlds = WorldServices(world, loader, self._steps, self._quit)
        entities = EntityServices(world, loader)
        # Other callbacks of the node run while one that steps waits; no two run at once.
        waiting = ReentrantCallbackGroup()
        self._services = [
            node.create_service(
                kind, f'~/{name}', _answering(kind, getattr(group, name)), callback_group=waiting
            )
            for group, names in ((worlds, WORLD_SERVICES), (entities, ENTITY_SERVICES))
            for name in names
            for kind in (type_of(name),)
        ]
        features = standard.srv.GetSimulatorFeatures
        self._services.append(
            node.create_service(features, '~/get_simulator_features', _describe_features)
        )
        self._action = ActionServer(
            node,
            standard.action.SimulateSteps,
            '~/simulate_steps',
            self._simulate,
            cancel_callback=lambda _: CancelResponse.ACCEPT,
            callback_group=waiting,
        )

    def close(self) -> None:
        """Remove the services and the action."""
        for service in self._services:
            self._node.destroy_service(service)
        self._action.destroy()
        self._steps.close()

    async def _simulate(self, goal: ServerGoalHandle) -> Any:
        """Take the steps of a goal, with feedback after each."""
        action = standard.action.SimulateSteps
        result = action.Result()
        wanted = goal.request.steps

        def report(taken: int) -> bool:
            goal.publish_feedback(
                action.Feedback(completed_steps=taken, remaining_steps=wanted - taken)
            )
            return not goal.is_cancel_requested

        try:
            taken = await self._steps.take(wanted, report)
        except WorldModelError as error:
            _refuse(result, action, error)
            goal.abort()
            return result
        if taken < wanted:
            result.result.result = standard.msg.Result.RESULT_OPERATION_FAILED
            result.result.error_message = f'canceled after {taken} of {wanted} steps'
            goal.canceled()
            return result
        result.result.result = standard.msg.Result.RESULT_OK
        goal.succeed()
        return result

    def _quit(self) -> None:
        """End the process soon."""
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._farewell = self._node.create_timer(FAREWELL, _end, clock=steady)


def _end() -> None:
    """End the node, as ROS does when it is shut down."""
    raise ExternalShutdownException


def _answering(kind: Any, handle: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a callback that answers with the result code of an error, or with RESULT_OK."""

    async def answer_later(request: Any, response: Any) -> Any:
        response.result.result = standard.msg.Result.RESULT_OK
        try:
            await handle(request, response)
        except WorldModelError as error:
            _refuse(response, kind, error)
        return response

    def answer(request: Any, response: Any) -> Any:
        response.result.result = standard.msg.Result.RESULT_OK
        try:
            handle(request, response)
        except WorldModelError as error:
            _refuse(response, kind, error)
        return response

    return answer_later if iscoroutinefunction(handle) else answer


def _refuse(response: Any, kind: Any, error: WorldModelError) -> None:
    response.result.result = code_of(kind, error)
    response.result.error_message = str(error)


def _describe_features(_request: Any, response: Any) -> Any:
    response.features.features = [
        getattr(standard.msg.SimulatorFeatures, name) for name in FEATURES
    ]
    response.features.spawn_formats = list(FORMATS)
    response.features.custom_info = 'world_model: docs/reference/nodes/virtual_world.md'
    return response
