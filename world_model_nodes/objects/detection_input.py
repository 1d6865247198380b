# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Input of the object map: detections, markers and poses, transformed to the map's frame."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.errors import MalformedPacketError, WorldModelError
from world_model_core.objects.mapping.frame_history import PoseHistory
from world_model_core.objects.mapping.raw_detections import RawDetections, place
from world_model_nodes.objects.camera_view import CameraViewInput
from world_model_nodes.objects.convert import marker_detections, raw_detections_of
from world_model_nodes.objects.convert_sensing import pose_of
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.drop_counters import DropCounters
from world_model_nodes.runtime.input_ages import InputAges
from world_model_nodes.runtime.qos import LISTEN
from world_model_nodes.runtime.transforms import Transforms

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node
    from std_msgs.msg import Header

    from world_model_core.frames import Transform
    from world_model_core.objects.values import CameraView, Detections
    from world_model_nodes.objects.object_map_config import ObjectMapConfig

STREAMS = ('detections', 'object_markers', 'state_estimation', 'amcl_pose', 'registered_scan')
# `view` is not a topic: the pose of the camera of `camera_info` at the time of a frame.
STATES = ('camera_info', 'view')
# A detector may need seconds for a frame [s].
LIMIT = 5.0


class _Frame(NamedTuple):
    """Detections with their topic and frame."""

    topic: str
    frame_id: str
    raw: RawDetections


class DetectionInput:
    """
    Receives detections and transforms them to the map's frame.

    Parameters
    ----------
    node : Node
    config : ObjectMapConfig
    observe : callable
        Called with each frame's Detections in the map's frame, and its CameraView or None; returns
        why the whole frame was dropped, or an empty text.

    Attributes
    ----------
    received : Counter
        Frames by topic.
    drops : DropCounters
        Messages and detections that cannot be used, by topic and cause.
    ages : InputAges
        When each topic was used last.

    """

    def __init__(
        self,
        node: Node,
        config: ObjectMapConfig,
        observe: Callable[[Detections, CameraView | None], str],
    ) -> None:
        self._node = node
        self._observe = observe
        self.received: Counter[str] = Counter()
        self.ages = InputAges(node, STREAMS, STATES, LIMIT)
        self.drops = DropCounters(node, self.ages.refuse)
        self._poses = PoseHistory()
        self._transforms: Transforms[_Frame] = Transforms(
            node, config.frame_id, self._place, self._drop
        )
        self._view = CameraViewInput(node, config, self._transforms.find, self.drops, self.ages)
        self.configure(config)
        node.create_subscription(Detection3DArray, 'detections', self._receive_detections, LISTEN)
        node.create_subscription(MarkerArray, 'object_markers', self._receive_markers, LISTEN)
        node.create_subscription(
            Odometry, 'state_estimation', partial(self._receive_pose, 'state_estimation'), LISTEN
        )
        node.create_subscription(
            PoseWithCovarianceStamped,
            'amcl_pose',
            partial(self._receive_pose, 'amcl_pose'),
            LISTEN,
        )

    def configure(self, config: ObjectMapConfig) -> None:
        """Apply changed parameters; the frame of the map does not change."""
        self._config = self._view.config = config
        self._transforms.patience = config.tf_patience

    @property
    def waiting(self) -> int:
        """Number of frames that wait for a transform."""
        return self._transforms.waiting

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings while no frame has been used."""
        if self.ages.is_used('detections') or self.ages.is_used('object_markers'):
            return ()
        return ('no detections used' if self.received else 'no detections received',)

    def _receive_detections(self, message: Detection3DArray) -> None:
        self.received['detections'] += 1
        try:
            self._put('detections', message.header, raw_detections_of(message))
        except MalformedPacketError as error:
            self.drops.add('detections.malformed', error)

    def _receive_markers(self, message: MarkerArray) -> None:
        self.received['object_markers'] += 1
        try:
            head, raw = marker_detections(message, self._config.marker_std)
            if head is not None:  # without a marker nobody says in which frame, nor when
                self._put('object_markers', head, raw)
        except MalformedPacketError as error:
            self.drops.add('object_markers.malformed', error)

    def _put(self, topic: str, head: Header, raw: RawDetections) -> None:
        stamp_ns = from_time(head.stamp) or int(self._node.get_clock().now().nanoseconds)
        frame = _Frame(topic, head.frame_id, raw)
        self._transforms.put(frame, head.frame_id, stamp_ns)

    def _drop(self, frame: _Frame, cause: str) -> None:
        self.drops.add(f'{frame.topic}.{cause}', frame.frame_id, source=frame.frame_id)

    def _place(self, frame: _Frame, stamp_ns: int, sensor2map: Transform) -> None:
        detected = frame.topic == 'detections'
        # Markers are ground truth, independent of the estimated pose of the robot.
        pose = self._poses.with_covariance(stamp_ns, sensor2map) if detected else sensor2map
        detections, dropped = place(frame.raw, stamp_ns, pose, self._config)
        for cause, count in dropped.items():
            self.drops.add(f'{frame.topic}.{cause}', frame.frame_id, count, frame.frame_id)
        if dropped and not len(detections):
            return
        refused = self._observe(detections, self._view.at(stamp_ns) if detected else None)
        if refused:
            self.ages.refuse(frame.topic, f'{refused}: {frame.frame_id}', frame.frame_id)
        else:
            self.ages.use(frame.topic, frame.frame_id)

    def _receive_pose(self, topic: str, message: Odometry | PoseWithCovarianceStamped) -> None:
        if message.header.frame_id != self._config.frame_id:
            self.drops.add(f'{topic}.other frame', message.header.frame_id)
            return
        try:
            stamp_ns, pose = from_time(message.header.stamp), pose_of(message)
        except WorldModelError as error:
            self.drops.add(f'{topic}.malformed', error)
            return
        self.ages.use(topic)
        if pose.covariance is not None:
            self._poses.add(stamp_ns, pose)
