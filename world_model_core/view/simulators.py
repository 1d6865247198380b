# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Simulators that run, found by their services, and what each allows in its present state.

A simulator offers the services of the package simulation_interfaces, or pause, step and reset as
std_srvs have them. The rules of states are those of simulation_state.py.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.simulation_state import (
    SimulationState,
    check_paused,
    check_transition,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

__all__ = [
    'SERVICE_TYPES',
    'TARGETS',
    'Simulator',
    'SimulatorAction',
    'SimulatorFeature',
    'find_simulators',
    'next_toggle',
]

# Types of the services of a simulator, by the last part of their names.
SERVICE_TYPES = {
    'pause': 'std_srvs/srv/SetBool',
    'step': 'std_srvs/srv/Trigger',
    'reset': 'std_srvs/srv/Trigger',
    'get_simulator_features': 'simulation_interfaces/srv/GetSimulatorFeatures',
    'get_simulation_state': 'simulation_interfaces/srv/GetSimulationState',
    'set_simulation_state': 'simulation_interfaces/srv/SetSimulationState',
    'step_simulation': 'simulation_interfaces/srv/StepSimulation',
    'reset_simulation': 'simulation_interfaces/srv/ResetSimulation',
    'get_parameters': 'rcl_interfaces/srv/GetParameters',
    'set_parameters': 'rcl_interfaces/srv/SetParameters',
}
# A node with one of these services is a simulator; the first one is of the standard.
MARKS_OF_SIMULATORS = ('get_simulator_features', 'pause')


class SimulatorAction(Enum):
    """What a user asks of a simulator."""

    PLAY = 'play'
    PAUSE = 'pause'
    STEP = 'step'
    RESET = 'reset'
    QUIT = 'quit'


class SimulatorFeature(Enum):
    """Features that actions need; the values are those of SimulatorFeatures.msg (2.1.0)."""

    RESET = 20
    STATE_SETTING = 25
    STATE_PAUSE = 26
    STEP = 31


# States to which actions set a simulation.
TARGETS = {
    SimulatorAction.PLAY: SimulationState.PLAYING,
    SimulatorAction.PAUSE: SimulationState.PAUSED,
    SimulatorAction.QUIT: SimulationState.QUITTING,
}
_RESETTABLE = (SimulationState.STOPPED, SimulationState.PLAYING, SimulationState.PAUSED)
# Services that an action needs, with the standard and without.
_STANDARD_SERVICES = {
    SimulatorAction.PLAY: 'set_simulation_state',
    SimulatorAction.PAUSE: 'set_simulation_state',
    SimulatorAction.STEP: 'step_simulation',
    SimulatorAction.RESET: 'reset_simulation',
    SimulatorAction.QUIT: 'set_simulation_state',
}
_PLAIN_SERVICES = {
    SimulatorAction.PLAY: 'pause',
    SimulatorAction.PAUSE: 'pause',
    SimulatorAction.STEP: 'step',
    SimulatorAction.RESET: 'reset',
}
_NEEDED_FEATURES = {
    SimulatorAction.PLAY: SimulatorFeature.STATE_SETTING,
    SimulatorAction.PAUSE: SimulatorFeature.STATE_PAUSE,
    SimulatorAction.STEP: SimulatorFeature.STEP,
    SimulatorAction.RESET: SimulatorFeature.RESET,
    SimulatorAction.QUIT: SimulatorFeature.STATE_SETTING,
}


@dataclass(frozen=True, slots=True)
class Simulator:
    """
    A simulator.

    Attributes
    ----------
    name : str
        Full name of its node: `/ssl_simulator`.
    services : frozenset of str
        Last parts of the names of its services, those of SERVICE_TYPES.

    """

    name: str
    services: frozenset[str]

    @property
    def is_standard(self) -> bool:
        """Whether it offers the services of simulation_interfaces."""
        return MARKS_OF_SIMULATORS[0] in self.services

    def service(self, action: SimulatorAction) -> str | None:
        """Return the last part of the name of the service for an action; None: impossible."""
        needed = (_STANDARD_SERVICES if self.is_standard else _PLAIN_SERVICES).get(action)
        return needed if needed in self.services else None

    def allowed(
        self, state: SimulationState | None, features: Collection[int] = ()
    ) -> frozenset[SimulatorAction]:
        """
        Return the actions that are possible now.

        Parameters
        ----------
        state : SimulationState or None
            None if it is unknown, as of a simulator that has not answered yet.
        features : collection of int
            Of a simulator of the standard: what it supports, as in SimulatorFeatures.msg.

        """
        return frozenset(
            action
            for action in SimulatorAction
            if self.service(action) is not None
            and (not self.is_standard or _NEEDED_FEATURES[action].value in features)
            and _is_allowed(action, state)
        )


def find_simulators(
    services: Mapping[str, Collection[str]], namespace: str = '/'
) -> tuple[Simulator, ...]:
    """
    Find the simulators of a ROS graph.

    Parameters
    ----------
    services : mapping of str to collection of str
        Types of all services by their full names.
    namespace : str
        Only simulators in it are found, as other nodes may belong to another scenario.

    Returns
    -------
    tuple of Simulator
        By name.

    """
    offered: dict[str, set[str]] = defaultdict(set)
    prefix = namespace.rstrip('/') + '/'
    for name, types in services.items():
        node, _, last = name.rpartition('/')
        if SERVICE_TYPES.get(last) in types and f'{node}/'.startswith(prefix):
            offered[node].add(last)
    return tuple(
        Simulator(node, frozenset(found))
        for node, found in sorted(offered.items())
        if not found.isdisjoint(MARKS_OF_SIMULATORS)
    )


def next_toggle(state: SimulationState | None) -> SimulatorAction:
    """Return what the key that plays and pauses does in a state; an unknown one may play."""
    plays = state in {None, SimulationState.PLAYING}
    return SimulatorAction.PAUSE if plays else SimulatorAction.PLAY


def _is_allowed(action: SimulatorAction, state: SimulationState | None) -> bool:
    """Return whether a state allows an action; an unknown state allows all but steps."""
    if state is None:
        return action is not SimulatorAction.STEP
    try:
        if action is SimulatorAction.STEP:
            check_paused(state)
        elif action is SimulatorAction.RESET:
            return state in _RESETTABLE
        else:
            check_transition(state, TARGETS[action])
    except WorldModelError:
        return False
    return True
