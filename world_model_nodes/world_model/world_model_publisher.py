# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Publishes ball, robots, game, objects and scene as one JSON document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rclpy.node import Node
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.match.documents import ball_document, robots_document
from world_model_core.objects.documents.object_json import object_document
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.client import WorldModelClient
from world_model_nodes.match.output_age_listener import OutputAgeListener
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import declare, follow, parameter
from world_model_nodes.runtime.qos import STATE

if TYPE_CHECKING:
    from world_model_core.objects.values import MapObject


@dataclass(frozen=True)
class WorldModelPublisherConfig:
    """Parameters of world_model_publisher."""

    rate: float = parameter(10.0, 'documents per second', low=0.1, high=200.0, unit='Hz')
    stale_after: float = parameter(
        2.0, 'ball and robots older than this are left out', low=0.1, high=60.0, unit='s'
    )


class WorldModelPublisher(Node):  # type: ignore[misc]
    """Publishes the document `world_model` at a fixed rate."""

    config_type = WorldModelPublisherConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('world_model_publisher', **kwargs)
        self._config = declare(self, self.config_type)
        self._client = WorldModelClient(self)
        self._client.inputs.limit = self._config.stale_after
        self._objects: tuple[MapObject, ...] = ()
        self._object_documents: dict[str, Any] = {}
        self._ages = OutputAgeListener(self)
        self._publisher = self.create_publisher(String, 'world_model', STATE)
        self._timer = self.create_timer(1.0 / self._config.rate, self._publish)
        self._diagnostics = Diagnostics(self, self._report)
        follow(self, self.config_type, self._accept)

    def _accept(self, config: WorldModelPublisherConfig) -> None:
        self._config = config
        self._client.inputs.limit = config.stale_after
        self._timer.timer_period_ns = int(NANOSECONDS_PER_SECOND / config.rate)
        self._timer.reset()  # else the timer first waits for the rest of the old period

    def _update_objects(self) -> None:
        """Write the objects of a new map as documents."""
        objects = self._client.objects
        if objects is not self._objects:
            self._objects = objects
            self._object_documents = {thing.id: object_document(thing) for thing in objects}

    def _publish(self) -> None:
        client = self._client
        self._update_objects()
        document: dict[str, Any] = {'objects': self._object_documents}
        if client.ball is not None and self._is_fresh(client.ball.stamp_ns):
            document['ball'] = ball_document(client.ball, client.source, client.predict())
        if client.robots is not None and self._is_fresh(client.robots.stamp_ns):
            document['robots'] = robots_document(client.robots)
        if client.game is not None:
            document['game'] = client.game
        if self._ages.age is not None:
            document['output_age'] = self._ages.age._asdict()
        if client.scene is not None:
            document['scene'] = client.scene
        self._publisher.publish(String(data=write(document)))

    def _is_fresh(self, stamp_ns: int) -> bool:
        age_ns = self.get_clock().now().nanoseconds - stamp_ns
        return bool(abs(age_ns) <= self._config.stale_after * NANOSECONDS_PER_SECOND)

    def _report(self) -> Report:
        client = self._client
        dropped = {f'{topic}.unreadable': count for topic, count in client.dropped.items()}
        own = Report(values={'objects': len(self._objects), **dropped})
        return own.joined(client.inputs.report())


def main() -> None:
    """Run the node."""
    run(WorldModelPublisher)
