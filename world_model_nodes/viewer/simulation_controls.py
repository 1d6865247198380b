# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Controls the simulator that runs, through its services; nothing here blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rclpy.clock import Clock, ClockType

from world_model_core.errors import ConfigurationError
from world_model_core.view.scene import Row
from world_model_core.view.simulators import find_simulators, next_toggle
from world_model_nodes.viewer.simulator_connection import SimulatorConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rclpy.node import Node

    from world_model_core.view.health import NodeHealth
    from world_model_core.view.simulators import Simulator, SimulatorAction
    from world_model_core.virtual_world.simulation_state import SimulationState

# How often simulators are searched for and their states are read [s].
PERIOD = 1.0


@dataclass(frozen=True, slots=True)
class SimulationStatus:
    """
    What is known of the simulator that is controlled.

    Attributes
    ----------
    names : tuple of str
        All simulators that run.
    name : str
        The one that is controlled; '' if none runs.
    state : SimulationState or None
        None if it is unknown.
    allowed : frozenset of SimulatorAction
        What it can do now.
    speed : float or None
        Factor against real time; None if it has none.
    message : Row or None
        The last thing it said, or that it does not answer.

    """

    names: tuple[str, ...] = ()
    name: str = ''
    state: SimulationState | None = None
    allowed: frozenset[SimulatorAction] = frozenset()
    speed: float | None = None
    message: Row | None = None


class SimulationControls:
    """
    Finds the simulators that run, and controls one of them.

    Parameters
    ----------
    node : Node
    health : callable
        Returns the health of each node: simulators without the standard report there that they
        are paused.

    """

    def __init__(self, node: Node, health: Callable[[], Mapping[str, NodeHealth]]) -> None:
        self._node, self._health = node, health
        self._found: tuple[Simulator, ...] = ()
        self._chosen: SimulatorConnection | None = None
        self._failure: Row | None = None
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self.refresh, clock=steady)

    def status(self) -> SimulationStatus:
        """Return what is known now."""
        names = tuple(each.name for each in self._found)
        chosen = self._chosen
        if chosen is None:
            return SimulationStatus(names, message=self._failure)
        name = chosen.simulator.name
        chosen.hear(self._health().get(name))
        return SimulationStatus(
            names, name, chosen.state, chosen.allowed, chosen.speed, chosen.message
        )

    def choose(self, name: str) -> None:
        """Control another simulator; one that does not run is ignored."""
        for simulator in self._found:
            if simulator.name == name:
                self._connect(simulator)

    def act(self, action: SimulatorAction) -> None:
        """Request an action, unless none is possible or another one waits for its answer."""
        if self._chosen is not None and action in self.status().allowed:
            self._chosen.act(action)

    def toggle(self) -> None:
        """Play or pause, if the simulator can."""
        self.act(next_toggle(self.status().state))

    def change_speed(self, speed: float) -> None:
        """Request a factor against real time."""
        if self._chosen is not None:
            self._chosen.change_speed(speed)

    def refresh(self) -> None:
        """Find the simulators, and read the state of the one that is controlled."""
        node = self._node
        services = dict(node.get_service_names_and_types())
        # The list has the services of our own clients too, after their simulator has gone.
        self._found = tuple(
            each
            for each in find_simulators(services, node.get_namespace())
            if all(node.count_services(f'{each.name}/{name}') for name in each.services)
        )
        before = '' if self._chosen is None else self._chosen.simulator.name
        by_name = {each.name: each for each in self._found}
        self._connect(by_name.get(before) or next(iter(self._found), None))
        if self._chosen is not None:
            self._chosen.poll()

    def close(self) -> None:
        """Destroy the timer and all clients."""
        self._node.destroy_timer(self._timer)
        self._connect(None)

    def _connect(self, simulator: Simulator | None) -> None:
        if self._chosen is not None:
            if self._chosen.simulator == simulator:
                return
            self._chosen.close()
        self._chosen = self._failure = None
        if simulator is None:
            return
        try:
            self._chosen = SimulatorConnection(self._node, simulator)
        except ConfigurationError as error:  # a simulator of the standard, which is not here
            self._failure = Row('refused', str(error))
