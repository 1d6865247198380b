# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The services of one simulator, and what it answered."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters
from std_srvs.srv import SetBool, Trigger

from world_model_core.view.scene import Row
from world_model_core.view.simulators import SERVICE_TYPES, TARGETS, SimulatorAction
from world_model_core.virtual_world.simulation_state import SimulationState
from world_model_nodes.viewer.service_calls import ServiceCalls
from world_model_nodes.virtual_world import standard_messages as standard

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.view.health import NodeHealth
    from world_model_core.view.simulators import Simulator

SPEED = 'speed'
STATES = {state.value: state for state in SimulationState}
PLAIN_TYPES = {
    'pause': SetBool,
    'step': Trigger,
    'reset': Trigger,
    'get_parameters': GetParameters,
    'set_parameters': SetParameters,
}


class SimulatorConnection:
    """
    Calls the services of one simulator.

    Parameters
    ----------
    node : Node
    simulator : Simulator

    Raises
    ------
    ConfigurationError
        The messages of the simulator are not installed.

    """

    def __init__(self, node: Node, simulator: Simulator) -> None:
        self.simulator = simulator
        self.state: SimulationState | None = None
        self.speed: float | None = None
        self.message: Row | None = None
        self._features: frozenset[int] = frozenset()
        self._waiting: set[str] = set()
        # When the simulator said what its state is [s].
        self._state_at = 0.0
        types = {self._full(name): _type_of(name) for name in sorted(simulator.services)}
        self._calls = ServiceCalls(node, types)

    @property
    def allowed(self) -> frozenset[SimulatorAction]:
        """What the simulator can do now: nothing while it has not answered."""
        return frozenset(
            action
            for action in self.simulator.allowed(self.state, self._features)
            if (name := self.simulator.service(action)) is not None and self._is_free(name)
        )

    def act(self, action: SimulatorAction) -> None:
        """Request an action that is allowed."""
        name = self.simulator.service(action)
        if name is not None:
            request = _request(name, action)
            self._call(name, request, lambda response: self._end_action(name, action, response))

    def change_speed(self, speed: float) -> None:
        """Request a factor against real time."""
        if 'set_parameters' in self.simulator.services and self._is_free('set_parameters'):
            value = ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=speed)
            request = SetParameters.Request(parameters=[Parameter(name=SPEED, value=value)])
            self._call('set_parameters', request, self._end_change)

    def poll(self) -> None:
        """Read state, speed and features."""
        if not self._features:
            self._read('get_simulator_features', self._take_features)
        self._read('get_simulation_state', self._take_state)
        self._read_speed()

    def hear(self, health: NodeHealth | None) -> None:
        """Take the state from the health of a simulator that has no service for it."""
        if health is None or 'get_simulation_state' in self.simulator.services:
            return
        if health.age < monotonic() - self._state_at:
            paused = health.is_paused
            self.state = SimulationState.PAUSED if paused else SimulationState.PLAYING

    def close(self) -> None:
        """Destroy the clients."""
        self._calls.close()

    def _full(self, name: str) -> str:
        return f'{self.simulator.name}/{name}'

    def _is_free(self, name: str) -> bool:
        """Return whether a service is there, and does not answer an earlier request."""
        return name not in self._waiting and self._calls.is_ready(self._full(name))

    def _call(self, name: str, request: Any, receive: Callable[[Any | None], None]) -> None:
        """Call a service; the message says that the simulator has not answered."""

        def end(response: Any | None) -> None:
            self._waiting.discard(name)
            if response is None:
                self.message = Row('no_answer', self._full(name))
            else:
                receive(response)

        self._waiting.add(name)
        self._calls.call(self._full(name), request, end)

    def _read(self, name: str, take: Callable[[Any], None], request: Any = None) -> None:
        """Call a service that reads, if it is there."""
        if name in self.simulator.services and self._is_free(name):
            self._call(name, request or _type_of(name).Request(), take)

    def _read_speed(self) -> None:
        self._read('get_parameters', self._take_speed, GetParameters.Request(names=[SPEED]))

    def _end_action(self, name: str, action: SimulatorAction, response: Any) -> None:
        success, text = _outcome(response)
        self.message = Row('message' if success else 'refused', text) if text else None
        if success and name == 'pause':
            self._set_state(TARGETS[action])
        self._read('get_simulation_state', self._take_state)

    def _end_change(self, response: Any) -> None:
        reasons = [each.reason for each in response.results if not each.successful]
        self.message = Row('refused', '; '.join(reasons)) if reasons else None
        self._read_speed()

    def _take_features(self, response: Any) -> None:
        self._features = frozenset(response.features.features)

    def _take_state(self, response: Any) -> None:
        if _outcome(response)[0]:
            self._set_state(STATES.get(response.state.state))

    def _take_speed(self, response: Any) -> None:
        values = [each for each in response.values if each.type == ParameterType.PARAMETER_DOUBLE]
        self.speed = values[0].double_value if values else None

    def _set_state(self, state: SimulationState | None) -> None:
        self.state, self._state_at = state, monotonic()


def _type_of(name: str) -> Any:
    """Return the type of a service by the last part of its name."""
    kind = SERVICE_TYPES[name].rpartition('/')[2]
    return PLAIN_TYPES.get(name) or getattr(standard.srv, kind)


def _request(name: str, action: SimulatorAction) -> Any:
    """Make the request of an action to one of the services for it."""
    request = _type_of(name).Request()
    if name == 'pause':
        request.data = action is SimulatorAction.PAUSE
    elif name == 'set_simulation_state':
        request.state.state = TARGETS[action].value
    return request


def _outcome(response: Any) -> tuple[bool, str]:
    """Return whether a request succeeded, and the words of the simulator."""
    if not hasattr(response, 'result'):
        return response.success, response.message
    succeeded = response.result.result == standard.msg.Result.RESULT_OK
    return succeeded, response.result.error_message
