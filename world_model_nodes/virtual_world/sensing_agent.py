# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the topics of the senses of one entity have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.senses.sensed_world import SensedWorld
    from world_model_core.virtual_world.values import Entity, EntityState


class SensingAgent(NamedTuple):
    """
    An entity that senses.

    Attributes
    ----------
    node : Node
    world : SensedWorld
    entity : Entity
    prefix : str
        Start of the names of its topics.
    draws : Draws
        Of the errors of its senses.

    """

    node: Node
    world: SensedWorld
    entity: Entity
    prefix: str
    draws: Draws

    @property
    def engine(self) -> Engine:
        """The world under physics."""
        return self.world.engine

    @property
    def state(self) -> EntityState:
        """The present pose and velocities of the entity."""
        return self.world.engine.root_state_of(self.entity.name)


class Sense(Protocol):
    """A topic with what an entity measures."""

    def begin(self) -> None:
        """Begin at the present time, with new errors."""

    def measure(self, step: int, stamp_ns: int) -> None:
        """Measure, and publish if anybody listens; `step` is the number of the measurement."""

    def close(self) -> None:
        """Destroy the topic."""
