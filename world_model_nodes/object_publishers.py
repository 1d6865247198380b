# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The topics of the object map: each version once, where somebody listens or may come late."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType
from std_msgs.msg import String
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.documents import write
from world_model_core.objects.document import ObjectMapDocument, map_document
from world_model_core.objects.values import State
from world_model_nodes.convert_objects import objects_message
from world_model_nodes.object_markers import object_markers
from world_model_nodes.qos import STATE

if TYPE_CHECKING:
    from rclpy.node import Node

# Part of a node's time that publishing may take: a map of 10,000 objects is a second's work.
SHARE = 0.2


class ObjectPublishers:
    """
    Publishes maps.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._objects = node.create_publisher(Detection3DArray, 'objects', STATE)
        self._markers = node.create_publisher(MarkerArray, 'objects/markers', STATE)
        self._document = node.create_publisher(String, 'object_map', STATE)
        self._shown: dict[Any, int] = {}
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._rest_until_ns = 0

    @property
    def rests(self) -> bool:
        """Whether the node's other work has its turn: publish later."""
        return self._now() < self._rest_until_ns

    def publish(self, document: ObjectMapDocument, version: int) -> None:
        """
        Publish what has not been published of this version of the map.

        `objects` and `object_map` have what the map believes in; the markers show what is
        tentative as well.
        """
        began_ns = self._now()
        stamp_ns, frame_id = document.stamp_ns or 0, document.frame_id or ''
        believed = tuple(each for each in document.objects if each.state is not State.TENTATIVE)
        if self._is_new(self._document, version):
            known = replace(document, objects=believed, tombstones=())
            self._document.publish(String(data=write(map_document(known))))
        if self._is_wanted(self._objects, version):
            self._objects.publish(objects_message(believed, stamp_ns, frame_id))
        if self._is_wanted(self._markers, version):
            self._markers.publish(object_markers(document.objects, stamp_ns, frame_id))
        ended_ns = self._now()
        self._rest_until_ns = ended_ns + int((ended_ns - began_ns) * (1.0 / SHARE - 1.0))

    def _is_wanted(self, publisher: Any, version: int) -> bool:
        return bool(publisher.get_subscription_count()) and self._is_new(publisher, version)

    def _is_new(self, publisher: Any, version: int) -> bool:
        """Tell whether a version was not shown yet; it will have been."""
        before = self._shown.get(publisher)
        self._shown[publisher] = version
        return before != version

    def _now(self) -> int:
        return int(self._steady.now().nanoseconds)
