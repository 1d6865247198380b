# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The CameraInfo of each camera of a scene, at its rate, in one kind of time or the other."""

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
    """A camera, where it is published, and when."""

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
        Whether `tell` is called with the time of a simulation; else the node's clock is followed,
        which is itself simulated where the parameter use_sim_time says so.

    """

    def __init__(self, node: Node, *, timed: bool) -> None:
        self._node, self._timed = node, timed
        self._channels: dict[str, _Channel] = {}

    def replace(self, cameras: Mapping[str, CameraInfo], rates: Mapping[str, float]) -> None:
        """Publish these cameras from now on, and no others; topics that stay are kept."""
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
        """Publish by the node's clock, unless the time is told."""
        if self._timed:
            return
        for channel in self._channels.values():
            channel.timer = self._node.create_timer(
                1.0 / channel.rate, lambda channel=channel: channel.publish(self._now())
            )

    def stop(self) -> None:
        """Be silent."""
        for channel in self._channels.values():
            if channel.timer is not None:
                self._node.destroy_timer(channel.timer)
                channel.timer = None

    def restart(self, start_ns: int) -> None:
        """Count from the start of a simulation [ns]."""
        for channel in self._channels.values():
            channel.beat = PeriodicEvent(start_ns, channel.rate)

    def tell(self, stamp_ns: int) -> None:
        """Publish what is due at a time of a simulation [ns]."""
        for channel in self._channels.values():
            last_ns = channel.beat.last(stamp_ns)
            if last_ns is not None:
                channel.publish(last_ns)

    def close(self) -> None:
        """Take all topics back."""
        self.replace({}, {})

    def _make(self, camera: str) -> Any:
        return self._node.create_publisher(CameraInfo, f'{camera}/camera_info', STREAM)

    def _now(self) -> int:
        return int(self._node.get_clock().now().nanoseconds)


def topic_names(cameras: Iterable[str]) -> dict[str, str]:
    """
    Name the topics of cameras: their own names, but for what ROS allows in none.

    Two cameras never share a topic: the second one gets a number.
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
