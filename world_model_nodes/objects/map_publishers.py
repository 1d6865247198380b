# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Publishers of the object map: each version once, on topics with subscribers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType
from std_msgs.msg import String
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.documents import write
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.values import ObjectState
from world_model_nodes.objects.convert import objects_message
from world_model_nodes.objects.markers import object_markers
from world_model_nodes.runtime.qos import STATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.objects.values import MapObject

# Maximum share of the node's time for publishing: a map of 10,000 objects takes a second.
SHARE = 0.2


class ObjectPublishers:
    """
    Publishes object maps.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._objects = node.create_publisher(Detection3DArray, 'objects', STATE)
        self._markers = node.create_publisher(MarkerArray, 'objects/markers', STATE)
        self._document = node.create_publisher(String, 'object_map', STATE)
        self._messages = {
            self._document: _document_message,
            self._objects: _objects_message,
            self._markers: _markers_message,
        }
        self._shown: dict[Any, int] = {}
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._rest_until_ns = 0

    def publish(self, make_document: Callable[[], ObjectMapDocument], version: int) -> None:
        """
        Publish a version of the map on the topics that do not have it yet, if it is time.

        `objects` and `object_map` contain confirmed and missing objects; the markers also show
        tentative ones.
        """
        began_ns = self._now()
        due = [each for each in self._messages if self._is_due(each, version)]
        if not due or began_ns < self._rest_until_ns:
            return
        document = make_document()
        for publisher in due:
            publisher.publish(self._messages[publisher](document))
            self._shown[publisher] = version
        ended_ns = self._now()
        self._rest_until_ns = ended_ns + int((ended_ns - began_ns) * (1.0 / SHARE - 1.0))

    def _is_due(self, publisher: Any, version: int) -> bool:
        """Return whether a topic needs a version: it has subscribers, or may have late ones."""
        wanted = publisher is self._document or publisher.get_subscription_count() > 0
        return wanted and self._shown.get(publisher) != version

    def _now(self) -> int:
        return int(self._steady.now().nanoseconds)


def _document_message(document: ObjectMapDocument) -> String:
    known = replace(document, objects=_without_tentative(document), tombstones=())
    return String(data=write(map_document(known)))


def _objects_message(document: ObjectMapDocument) -> Detection3DArray:
    return objects_message(_without_tentative(document), *_head(document))


def _markers_message(document: ObjectMapDocument) -> MarkerArray:
    return object_markers(document.objects, *_head(document))


def _without_tentative(document: ObjectMapDocument) -> tuple[MapObject, ...]:
    return tuple(each for each in document.objects if each.state is not ObjectState.TENTATIVE)


def _head(document: ObjectMapDocument) -> tuple[int, str]:
    return document.stamp_ns or 0, document.frame_id or ''
