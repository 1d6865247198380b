# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The topics of a World Bundle -> BundleScene."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
from rclpy.exceptions import InvalidHandle
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String

from world_model_core.bundle.finding_catalog import BundleError
from world_model_core.documents import parse
from world_model_core.frames import pose_transform
from world_model_core.view.batches import Points
from world_model_core.view.bundle import BundleScene
from world_model_core.view.shown_bundle import ShownBundle, read_bundle
from world_model_nodes.bundle.convert_scene import colored_points_of
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import CLOCK, STATE
from world_model_nodes.runtime.transforms import TransformLookup, TransformUnknownError
from world_model_nodes.viewer.subscriptions import SceneInputs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rclpy.node import Node

    from world_model_core.frames import Transform

# Size of a point that stands for a splat [m].
CLOUD_POINT = 0.15


class BundleTopics:
    """
    Subscribes to the document of a scene, and reads its files in another thread.

    Attributes
    ----------
    name : str
    inputs : SceneInputs or None
        None while nothing is subscribed to.

    """

    name = 'bundle'

    def __init__(self) -> None:
        self.inputs: SceneInputs | None = None
        self._most_splats = 0
        self._node: Node | None = None
        self._transforms: TransformLookup | None = None
        self._arrived: Any = None
        self._forget()

    def _forget(self) -> None:
        self._document: Mapping[str, Any] | None = None
        self._shown: ShownBundle | None = None
        self._problem = ''
        self._cloud: Points | None = None
        self._cloud_subscription: Any = None
        self._clock_ns: int | None = None
        self._received_ns = 0
        self._scene: BundleScene | None = None
        self._made_of = -1
        # Filled by the thread that reads: a document and its scene, or why it cannot be read.
        self._results: deque[tuple[Mapping[str, Any], ShownBundle | str]] = deque()

    @property
    def total_splats(self) -> int:
        """Number of splats of the scene; 0 until its files have been read."""
        return 0 if self._shown is None else self._shown.splats.total

    def limit_splats(self, most: int) -> None:
        """Change the number of splats to show."""
        self._most_splats = most
        self._change()

    def runs(self, topics: Mapping[str, Sequence[str]]) -> bool:
        """Return whether a scene is published."""
        return 'std_msgs/msg/String' in topics.get('scene', ())

    def subscribe(self, node: Node) -> None:
        """Subscribe to the scene and its time."""
        inputs = SceneInputs(node, ('/clock',), ('scene', 'splats'))
        inputs.create_subscription(String, 'scene', self._read_scene, STATE)
        inputs.create_subscription(Clock, '/clock', self._read_clock, CLOCK)
        self._arrived = node.create_guard_condition(self._take)
        self._node, self.inputs, self._transforms = node, inputs, TransformLookup(node)

    def unsubscribe(self) -> None:
        """Destroy the subscriptions and forget the scene."""
        if self.inputs is not None:
            self.inputs.close()
            self.inputs = None
        if self._transforms is not None:
            self._transforms.close()
            self._transforms = None
        if self._node is not None:
            self._node.destroy_guard_condition(self._arrived)
            self._node = None
        self._forget()

    def scene(self) -> BundleScene | None:
        """Return the newest state; the same object until something has changed."""
        if self.inputs is None or self._document is None:
            return None
        if self._made_of != self.inputs.version:
            self._made_of, self._scene = self.inputs.version, self._make(self._document)
        return self._scene

    def _make(self, document: Mapping[str, Any]) -> BundleScene:
        return BundleScene(
            time_ns=self._clock_ns or self._received_ns,
            document=document,
            shown=self._shown,
            most_splats=self._most_splats,
            vehicle=self._find_vehicle(document),
            clock_ns=self._clock_ns,
            problem=self._problem,
            cloud=self._cloud,
        )

    def _read_scene(self, message: String) -> None:
        """Begin to read the files of a scene."""
        document = parse(message.data, 'scene')
        # Refuses a start pose that is none, which the schema cannot.
        pose_transform(document['initial']['position'], document['initial']['orientation'])
        self._document, self._shown, self._problem, self._cloud = document, None, '', None
        if self.inputs is not None and self._cloud_subscription is not None:
            self.inputs.destroy_subscription(self._cloud_subscription)
            self._cloud_subscription = None
        if self._node is not None:
            self._received_ns = int(self._node.get_clock().now().nanoseconds)
        given = document, self._results, self._arrived.trigger
        Thread(target=_read_files, args=given, name='bundle', daemon=True).start()

    def _read_clock(self, message: Clock) -> None:
        self._clock_ns = from_time(message.clock)

    def _take(self) -> None:
        """Take what has been read, unless another scene has come since."""
        while self._results:
            document, result = self._results.popleft()
            if document is not self._document:
                continue
            if isinstance(result, str):
                self._problem = result
                self._listen_for_cloud()
            else:
                self._shown = result
            self._change()

    def _listen_for_cloud(self) -> None:
        """Subscribe to the splats as points, as the files may be on another machine."""
        if self.inputs is not None and self._cloud_subscription is None:
            self._cloud_subscription = self.inputs.create_subscription(
                PointCloud2, 'splats', self._read_cloud, STATE
            )

    def _read_cloud(self, message: PointCloud2) -> None:
        points = colored_points_of(message)
        colors = np.column_stack((points.colors, np.full(len(points.colors), 255)))
        self._cloud = Points(points.positions.astype(np.float64), colors, CLOUD_POINT)

    def _change(self) -> None:
        if self.inputs is not None:
            self.inputs.version += 1

    def _find_vehicle(self, document: Mapping[str, Any]) -> Transform | None:
        """Return where tf says that the vehicle is; None if tf does not know it."""
        if self._transforms is None:
            return None
        frames = document['frames']
        try:
            return self._transforms.find(frames['map'], frames['base_link'], 0)
        except TransformUnknownError:
            return None


def _read_files(
    document: Mapping[str, Any], results: deque[Any], wake: Callable[[], None]
) -> None:
    """Read the files of a scene, and hand them over."""
    try:
        results.append((document, read_bundle(document)))
    except (BundleError, OSError, MemoryError) as error:
        results.append((document, str(error) or type(error).__name__))
    # The scene may have been closed meanwhile.
    with suppress(InvalidHandle):
        wake()
