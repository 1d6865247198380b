# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of what robots sense; measured at their rates of simulated time, between the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tf2_msgs.msg import TFMessage

from world_model_core.uncertainty.random_draws import Draws
from world_model_core.virtual_world.senses.landmarks import fixed_landmarks, landmarks_at
from world_model_core.virtual_world.senses.ticks import Ticks
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.runtime.qos import STATE, STREAM
from world_model_nodes.virtual_world.odometry_topics import LandmarkTopic, OdometryTopic
from world_model_nodes.virtual_world.sensing_agent import SensingAgent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rclpy.node import Node

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.senses.sensed_world import SensedWorld
    from world_model_core.virtual_world.values import Entity
    from world_model_nodes.virtual_world.sensing_agent import Sense
    from world_model_nodes.virtual_world.virtual_world_config import VirtualWorldConfig

# Further robots have no topics of senses: each topic delays all callbacks and discovery.
MOST_AGENTS = 30


class AgentSenses(NamedTuple):
    """Start of the topics of an entity, its odometry, and all its senses by their rates."""

    prefix: str
    odometry: OdometryTopic
    senses: dict[str, Sense]

    def begin(self) -> None:
        """Begin at the present time."""
        for sense in self.senses.values():
            sense.begin()

    def close(self) -> None:
        """Destroy all topics."""
        for sense in self.senses.values():
            sense.close()


class AgentPublishers:
    """
    Publishes what robots with wheels sense: a StepListener.

    Parameters
    ----------
    node : Node
    config : VirtualWorldConfig
    prefix_of : callable
        Returns the start of the names of the topics of an entity, by its name.

    """

    def __init__(
        self, node: Node, config: VirtualWorldConfig, prefix_of: Callable[[str], str]
    ) -> None:
        self._node, self._config, self._prefix_of = node, config, prefix_of
        self._motion, self._observation = config.noise()
        self._draws = Draws(config.seed)
        self._world: SensedWorld | None = None
        self._placed = False
        self._agents: dict[str, AgentSenses] = {}
        self._ticks = {'odom': Ticks(config.odom_rate), 'landmarks': Ticks(config.landmark_rate)}
        self._tf = node.create_publisher(TFMessage, '/tf', STREAM)
        # One message with the current transforms only: see ScenePublishers.
        self._tf_static = node.create_publisher(TFMessage, '/tf_static', STATE)

    @property
    def next_due_ns(self) -> int | None:
        """Time of the next measurement of any robot [ns]."""
        return min(each.next_ns for each in self._ticks.values()) if self._agents else None

    def on_instant(self, engine: Engine, stamp_ns: int) -> None:
        """Measure what is due."""
        steps = {kind: ticks.take(engine.time_ns) for kind, ticks in self._ticks.items()}
        for kind, step in steps.items():
            if step is not None:
                for agent in self._agents.values():
                    if kind in agent.senses:
                        agent.senses[kind].measure(step, stamp_ns)
        if steps['odom'] is not None:
            self._publish_frames(stamp_ns)

    def reset(self) -> None:
        """Begin again at the present time."""
        self._placed = False
        for ticks in self._ticks.values():
            ticks.reset()
        for agent in self._agents.values():
            agent.begin()

    def replaced(self, engine: Engine | None) -> None:
        """Create the topics of new robots, and destroy those of others."""
        if self._world is None or self._world.engine is not engine:
            self._close_agents(tuple(self._agents))
            self._world = None if engine is None else self._sensed_world(engine)
        self._placed = False
        robots = {} if engine is None else _robots(engine)
        prefixes = {name: self._prefix_of(name) for name in robots}
        self._close_agents(
            [name for name, each in self._agents.items() if prefixes.get(name) != each.prefix]
        )
        for name, entity in robots.items():
            if name not in self._agents and self._world is not None:
                self._agents[name] = self._senses(self._world, entity, prefixes[name])

    def close(self) -> None:
        """Destroy all topics."""
        self._close_agents(tuple(self._agents))
        for publisher in (self._tf, self._tf_static):
            self._node.destroy_publisher(publisher)

    def report(self) -> Report:
        """Report nothing: senses do not fail."""
        return Report()

    def _sensed_world(self, engine: Engine) -> SensedWorld:
        """Return a world with the landmarks of the parameters, or those that are fixed to it."""
        # Rays need MuJoCo, which is optional; who has an engine has it.
        from world_model_core.virtual_world.senses.sensed_world import SensedWorld  # noqa: PLC0415

        places = self._config.places()
        landmarks = landmarks_at(engine, places) if len(places) else fixed_landmarks(engine)
        return SensedWorld(engine, landmarks, self._config.scan_height)

    def _senses(self, world: SensedWorld, entity: Entity, prefix: str) -> AgentSenses:
        draws = self._draws.named(entity.name)
        agent = SensingAgent(self._node, world, entity, prefix, draws)
        odometry = OdometryTopic(agent, self._motion)
        senses: dict[str, Sense] = {'odom': odometry}
        if len(world.landmarks.places):
            senses['landmarks'] = LandmarkTopic(agent, self._observation)
        return AgentSenses(prefix, odometry, senses)

    def _publish_frames(self, stamp_ns: int) -> None:
        """Publish the frames of odometry, if anybody listens."""
        robots = [each.odometry for each in self._agents.values()]
        if self._config.place_odom and not self._placed:
            placed = [each.placement(stamp_ns) for each in robots]
            self._tf_static.publish(TFMessage(transforms=placed))
            self._placed = True
        if self._tf.get_subscription_count():
            self._tf.publish(TFMessage(transforms=[each.transform(stamp_ns) for each in robots]))

    def _close_agents(self, names: Iterable[str]) -> None:
        for name in names:
            self._agents.pop(name).close()


def _robots(engine: Engine) -> dict[str, Entity]:
    """Return the entities that have topics of senses."""
    driven = [each for each in engine.world.entities if each.wheels is not None]
    return {each.name: each for each in driven[:MOST_AGENTS]}
