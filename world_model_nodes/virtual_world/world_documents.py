# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Documents of a virtual world as topics: what is in it, and what changes besides motion."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any

from rclpy.event_handler import PublisherEventCallbacks
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.virtual_world.world_document import (
    attributes_document,
    conditions_document,
    meshes_document,
    world_document,
)
from world_model_nodes.runtime.qos import STATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.values import Entity


class WorldDocuments:
    """
    Publishes the documents of a world.

    Parameters
    ----------
    node : Node
    engine : Engine

    """

    def __init__(self, node: Node, engine: Engine) -> None:
        self._node, self._engine = node, engine
        self._world = node.create_publisher(String, 'world', STATE)
        self._attributes = node.create_publisher(String, 'objects/attributes', STATE)
        self._conditions = node.create_publisher(String, 'objects/conditions', STATE)
        # Triangles may be megabytes: written when somebody comes who needs them.
        self._meshes = node.create_publisher(
            String,
            'world/meshes',
            STATE,
            event_callbacks=PublisherEventCallbacks(matched=self._welcome),
        )
        # Entities with the attributes, and those with the conditions, that were published last.
        self._described: tuple[Entity, ...] = ()
        self._shown: tuple[Entity, ...] = ()
        self._grasps: dict[tuple[str, str], str] = {}
        self._are_meshes_published = False

    def publish(self, topics_of: Callable[[str], str]) -> None:
        """Publish all of a world in which entities came or went."""
        world = self._engine.listed_world
        self._world.publish(String(data=write(world_document(world, topics_of))))
        self._described = self._shown = ()
        self.publish_attributes()
        self.publish_conditions()
        self._are_meshes_published = False
        if self._meshes.get_subscription_count():
            self._publish_meshes()

    def publish_attributes(self) -> None:
        """Publish the attributes, if any entity is another one."""
        entities = self._engine.world.entities
        if _differ(entities, self._described):
            self._described = entities
            self._attributes.publish(String(data=write(attributes_document(entities))))

    def publish_conditions(self) -> None:
        """Publish states and grasps, if they may have changed."""
        entities, grasps = self._engine.world.entities, dict(self._engine.grasps)
        if _differ(entities, self._shown) or grasps != self._grasps:
            self._shown, self._grasps = entities, grasps
            self._conditions.publish(String(data=write(conditions_document(entities, grasps))))

    def close(self) -> None:
        """Destroy all publishers."""
        for each in (self._world, self._attributes, self._conditions, self._meshes):
            self._node.destroy_publisher(each)

    def _welcome(self, change: Any) -> None:
        """Publish the meshes for the first subscriber since they have changed."""
        if change.current_count_change > 0 and not self._are_meshes_published:
            self._publish_meshes()

    def _publish_meshes(self) -> None:
        self._are_meshes_published = True
        document = meshes_document(self._engine.listed_world)
        self._meshes.publish(String(data=write(document)))


def _differ(present: tuple[Entity, ...], published: tuple[Entity, ...]) -> bool:
    """Return whether any entity is another one; entities are replaced when they change."""
    return len(present) != len(published) or not all(map(is_, present, published))
