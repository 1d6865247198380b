# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""CameraInfo of each camera of a scene, published at its rate in real or simulated time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sensor_msgs.msg import CameraInfo

from world_model_core.simulation.simulated_time import PeriodicEvent
from world_model_nodes.runtime.convert import to_time
from world_model_nodes.runtime.qos import STREAM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rclpy.node import Node


@dataclass(slots=True)
class _Channel:
    """A camera with its publisher and rate."""

    publisher: Any
    message: CameraInfo
    rate: float
    beat: PeriodicEvent
    timer: Any = None

    def publish(self, stamp_ns: int) -> None:
        self.message.header.stamp = to_time(stamp_ns)
        self.publisher.publish(self.message)


class CameraInfos:
    """
    Publishes cameras, each on <camera>/camera_info.

    Parameters
    ----------
    node : Node
    timed : bool
        If true, `publish_due` is called with simulated time; otherwise the clock of the node is
        used, which follows use_sim_time.

    """

    def __init__(self, node: Node, *, timed: bool) -> None:
        self._node, self._timed = node, timed
        self._channels: dict[str, _Channel] = {}

    def replace(self, cameras: Mapping[str, CameraInfo], rates: Mapping[str, float]) -> None:
        """Replace the cameras; publishers of unchanged topics are kept."""
        names = topic_names(cameras)
        publishers = {topic: channel.publisher for topic, channel in self._channels.items()}
        for topic in publishers.keys() - set(names.values()):
            self._node.destroy_publisher(publishers.pop(topic))
        runs = any(channel.timer is not None for channel in self._channels.values())
        self.stop()
        self._channels = {
            topic: _Channel(
                publishers.get(topic) or self._make(topic),
                cameras[name],
                rates[name],
                PeriodicEvent(0, rates[name]),
            )
            for name, topic in names.items()
        }
        if runs:
            self.start()

    def start(self) -> None:
        """Publish by the clock of the node, unless `timed`."""
        if self._timed:
            return
        for channel in self._channels.values():
            channel.timer = self._node.create_timer(
                1.0 / channel.rate, lambda channel=channel: channel.publish(self._now())
            )

    def stop(self) -> None:
        """Stop publishing."""
        for channel in self._channels.values():
            if channel.timer is not None:
                self._node.destroy_timer(channel.timer)
                channel.timer = None

    def restart(self, start_ns: int) -> None:
        """Restart at the start time of a simulation [ns]."""
        for channel in self._channels.values():
            channel.beat = PeriodicEvent(start_ns, channel.rate)

    def publish_due(self, stamp_ns: int) -> None:
        """Publish messages that are due at a simulated time [ns]."""
        for channel in self._channels.values():
            last_ns = channel.beat.last(stamp_ns)
            if last_ns is not None:
                channel.publish(last_ns)

    def close(self) -> None:
        """Destroy all publishers."""
        self.replace({}, {})

    def _make(self, camera: str) -> Any:
        return self._node.create_publisher(CameraInfo, f'{camera}/camera_info', STREAM)

    def _now(self) -> int:
        return int(self._node.get_clock().now().nanoseconds)


def topic_names(cameras: Iterable[str]) -> dict[str, str]:
    """
    Return valid topic names for cameras.

    Characters that ROS does not allow are replaced; equal names get a number.
    """
    names: dict[str, str] = {}
    for camera in cameras:
        word = re.sub(r'\W+', '_', camera, flags=re.ASCII) or '_'
        # A part of a name must not begin with a digit.
        first = name = f'camera_{word}' if word[0].isdigit() else word
        number = 1
        while name in names.values():
            number += 1
            name = f'{first}_{number}'
        names[camera] = name
    return names
