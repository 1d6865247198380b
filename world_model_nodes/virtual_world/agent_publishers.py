# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of what agents sense; measured at their rates of simulated time, between the steps."""

from __future__ import annotations

from concurrent.futures import wait
from typing import TYPE_CHECKING

from world_model_core.uncertainty.random_draws import Draws
from world_model_core.virtual_world.senses.landmarks import fixed_landmarks, landmarks_at
from world_model_core.virtual_world.senses.robot_odometry import RobotOdometry
from world_model_core.virtual_world.senses.sensed_world import SensedWorld
from world_model_core.virtual_world.senses.ticks import Ticks
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.virtual_world.agent_frames import AgentFrames
from world_model_nodes.virtual_world.agent_senses import AgentSenses, SharedSenses
from world_model_nodes.virtual_world.sensing_agent import SensingAgent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rclpy.node import Node

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.values import Entity
    from world_model_nodes.virtual_world.images import Images
    from world_model_nodes.virtual_world.virtual_world_config import VirtualWorldConfig

# Further agents have no topics of senses: each topic delays all callbacks and discovery.
MOST_AGENTS = 30


class AgentPublishers:
    """
    Publishes what entities with wheels or cameras sense: a StepListener.

    Parameters
    ----------
    node : Node
    config : VirtualWorldConfig
    prefix_of : callable
        Returns the start of the names of the topics of an entity, by its name.
    images : Images
        By which cameras see.

    Raises
    ------
    ConfigurationError
        The noise file cannot be used.

    """

    def __init__(
        self,
        node: Node,
        config: VirtualWorldConfig,
        prefix_of: Callable[[str], str],
        images: Images,
    ) -> None:
        self._node, self._config, self._prefix_of = node, config, prefix_of
        self._draws = Draws(config.seed)
        motion, observation = config.error_models()
        self._odometry = RobotOdometry(motion, self._draws)
        self._shared = SharedSenses(self._odometry, observation, images)
        self._world: SensedWorld | None = None
        self._agents: dict[str, AgentSenses] = {}
        self._robots: list[str] = []
        self._frames = AgentFrames(node, place_odom=config.place_odom)
        self._are_fixed_published = False
        self._ticks = {
            'odom': Ticks(config.odom_rate),
            'landmarks': Ticks(config.landmark_rate),
            'scan': Ticks(config.scan_rate),
            'distance': Ticks(config.distance_rate),
            'detections': Ticks(config.detection_rate),
        }

    @property
    def next_due_ns(self) -> int | None:
        """Time of the next measurement of any agent [ns]."""
        return min(each.next_ns for each in self._ticks.values()) if self._agents else None

    def on_instant(self, engine: Engine, stamp_ns: int) -> None:
        """Measure what is due."""
        if self._world is not None:
            self._world.begin_instant()
        steps = {kind: ticks.take(engine.time_ns) for kind, ticks in self._ticks.items()}
        if steps['odom'] is not None:
            self._odometry.measure(engine, steps['odom'])
        for kind, step in steps.items():
            if step is not None:
                for agent in self._agents.values():
                    agent.measure(kind, step, stamp_ns)
        if steps['odom'] is not None:
            self._publish_frames(stamp_ns)
        self._publish_detections()

    def reset(self) -> None:
        """Begin again at the present time."""
        self._are_fixed_published = False
        for ticks in self._ticks.values():
            ticks.reset()
        if self._world is not None:
            self._odometry.begin(self._world.engine, self._robots)
        for agent in self._agents.values():
            agent.begin()

    def replaced(self, engine: Engine | None) -> None:
        """Create the topics of new agents, and destroy those of others."""
        is_other = self._world is None or self._world.engine is not engine
        if is_other:
            self._close_agents(tuple(self._agents))
            self._world = None if engine is None else self._sensed_world(engine)
        self._are_fixed_published = False
        entities = {} if engine is None else _agents(engine)
        self._robots = [each.name for each in entities.values() if each.wheels]
        if engine is not None:
            begin = self._odometry.begin if is_other else self._odometry.follow
            begin(engine, self._robots)
        prefixes = {name: self._prefix_of(name) for name in entities}
        present = [(name, each.agent.prefix) for name, each in self._agents.items()]
        self._close_agents([name for name, prefix in present if prefixes.get(name) != prefix])
        for name, entity in entities.items():
            if name not in self._agents and self._world is not None:
                draws = self._draws.named(name)
                agent = SensingAgent(self._node, self._world, entity, prefixes[name], draws)
                self._agents[name] = AgentSenses(agent, self._config, self._shared)

    def close(self) -> None:
        """Destroy all topics."""
        self._close_agents(tuple(self._agents))
        self._frames.close()

    def report(self) -> Report:
        """Report which cameras cannot detect anything."""
        detectors = (each.detections for each in self._agents.values())
        return Report(
            warnings=tuple(each.failure for each in detectors if each is not None and each.failure)
        )

    def _sensed_world(self, engine: Engine) -> SensedWorld:
        """Return a world with the landmarks of the parameters, or those that are fixed to it."""
        places = self._config.places()
        landmarks = landmarks_at(engine, places) if len(places) else fixed_landmarks(engine)
        return SensedWorld(engine, landmarks, self._config.scan_height)

    def _publish_detections(self) -> None:
        """Publish the detections of which the images are finished, or will be in time."""
        detectors = [each.detections for each in self._agents.values() if each.detections]
        images = [image for each in detectors for image in each.images]
        if images:
            wait(images, self._config.longest_wait)
        for each in detectors:
            each.publish()

    def _publish_frames(self, stamp_ns: int) -> None:
        agents = self._agents.values()
        if not self._are_fixed_published:
            self._frames.publish_fixed(agents, stamp_ns)
            self._are_fixed_published = True
        self._frames.publish(agents, stamp_ns)

    def _close_agents(self, names: Iterable[str]) -> None:
        for name in names:
            self._agents.pop(name).close()


def _agents(engine: Engine) -> dict[str, Entity]:
    """Return the entities that have topics of senses."""
    able = [each for each in engine.world.entities if each.wheels or each.cameras]
    return {each.name: each for each in able[:MOST_AGENTS]}
