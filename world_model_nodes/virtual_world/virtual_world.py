# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node that runs a virtual world: physics, its state on topics, and the standard's services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.errors import ConfigurationError
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.large_blocks import return_large_blocks
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.virtual_world.agent_speech import AgentSpeech
from world_model_nodes.virtual_world.engine_import import import_engine
from world_model_nodes.virtual_world.running_world import RunningWorld
from world_model_nodes.virtual_world.simulation_services import SimulationServices
from world_model_nodes.virtual_world.virtual_world_config import StartState, VirtualWorldConfig
from world_model_nodes.virtual_world.world_loader import WorldLoader

if TYPE_CHECKING:
    from world_model_nodes.virtual_world.step_listeners import StepListener


class VirtualWorld(AcquiringNode):
    """Loads a world when it is configured, and plays it when it is activated."""

    config_type = VirtualWorldConfig
    changeable = ('speed',)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('virtual_world', **kwargs)
        self._world: RunningWorld | None = None
        self._offered: SimulationServices | None = None
        self._loader: WorldLoader | None = None
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Load the world, and create its topics and services."""
        config = self.config
        if self.get_parameter('use_sim_time').value:
            raise ConfigurationError(
                'use_sim_time is true: a node that publishes /clock must not use it'
            )
        engine_type = import_engine()
        self._loader = loader = WorldLoader(self, config)
        loaded = loader.load_configured()
        self._world = RunningWorld(self, config, engine_type, self._make_listeners(loader))
        try:
            self._offered = SimulationServices(self, self._world, loader)
            loader.current = loaded
            self._world.load(loaded.world)
        except Exception:
            self.release()
            raise

    def start(self) -> None:
        """Start the time."""
        if self._world is not None:
            self._world.start(paused=self.config.start is StartState.PAUSED)

    def stop(self) -> None:
        """Halt the time."""
        if self._world is not None:
            self._world.stop()

    def change(self) -> None:
        """Change the speed."""
        if self._world is not None:
            self._world.change_speed(self.config.speed)

    def release(self) -> None:
        """Destroy the world, its topics and services."""
        for part in (self._offered, self._world, self._loader):
            if part is not None:
                part.close()
        self._offered = self._world = self._loader = None

    def _make_listeners(self, loader: WorldLoader) -> tuple[StepListener, ...]:
        """Create what senses and acts between the steps, in the order of their calls."""
        # They need MuJoCo, which is optional, and whose absence is reported before.
        from world_model_nodes.virtual_world.agent_publishers import (  # noqa: PLC0415
            AgentPublishers,
        )
        from world_model_nodes.virtual_world.agents import Agents  # noqa: PLC0415
        from world_model_nodes.virtual_world.images import Images  # noqa: PLC0415

        config = self.config
        images = Images(self, config, self._topic_prefix)
        agents = Agents(self, config, loader, images)
        return (
            AgentPublishers(self, config, self._topic_prefix, images),
            images,
            agents,
            AgentSpeech(self, agents.turns, self._topic_prefix, config.voice_radius),
        )

    def _topic_prefix(self, name: str) -> str:
        """Return the start of the names of the topics of an entity."""
        return '' if self._world is None else self._world.records.topic_prefix(name)

    def _report(self) -> Report:
        if self._world is None:
            return Report(warnings=('not configured',))
        return self._world.report()


def main() -> None:
    """Run the node."""
    return_large_blocks()
    run(VirtualWorld)
