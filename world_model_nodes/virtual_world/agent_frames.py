# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of what agents sense: their odometry, bases, lidars and cameras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from tf2_msgs.msg import TFMessage

from world_model_core.frames import Transform, pose_transform
from world_model_core.virtual_world.senses.sense_frames import (
    base_frame,
    camera_frame,
    optical_frame,
    scan_frame,
)
from world_model_nodes.objects.convert_sensing import BODY_IN_CAMERA, transform_message
from world_model_nodes.runtime.qos import STATE, STREAM

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from geometry_msgs.msg import TransformStamped
    from rclpy.node import Node

    from world_model_nodes.virtual_world.agent_senses import AgentSenses

# From the axes of the optical frame to those of the camera.
OPTICAL = Transform(BODY_IN_CAMERA.T, np.zeros(3))


class AgentFrames:
    """
    Publishes the frames of agents.

    Parameters
    ----------
    node : Node
    place_odom : bool
        Whether the frames of odometry have poses in the world, those of the start.

    """

    def __init__(self, node: Node, *, place_odom: bool) -> None:
        self._node, self._place_odom = node, place_odom
        self._tf = node.create_publisher(TFMessage, '/tf', STREAM)
        # One message with the current transforms only: see ScenePublishers.
        self._tf_static = node.create_publisher(TFMessage, '/tf_static', STATE)

    def publish_fixed(self, agents: Collection[AgentSenses], stamp_ns: int) -> None:
        """Publish the frames that do not move in others."""
        fixed = [frame for agent in agents for frame in self._fixed(agent, stamp_ns)]
        self._tf_static.publish(TFMessage(transforms=fixed))

    def publish(self, agents: Collection[AgentSenses], stamp_ns: int) -> None:
        """Publish the frames that move, if anybody listens."""
        if self._tf.get_subscription_count():
            moving = [frame for agent in agents for frame in _moving(agent, stamp_ns)]
            self._tf.publish(TFMessage(transforms=moving))

    def close(self) -> None:
        """Destroy the publishers."""
        for publisher in (self._tf, self._tf_static):
            self._node.destroy_publisher(publisher)

    def _fixed(self, senses: AgentSenses, stamp_ns: int) -> Iterator[TransformStamped]:
        entity = senses.agent.entity
        if senses.odometry is not None:
            if self._place_odom:
                yield senses.odometry.placement(stamp_ns)
            lidar = Transform(np.eye(3), np.array((0.0, 0.0, senses.scan_height)))
            yield transform_message(lidar, stamp_ns, base_frame(entity), scan_frame(entity))
        for camera in entity.cameras:
            frames = camera_frame(entity, camera), optical_frame(entity, camera)
            yield transform_message(OPTICAL, stamp_ns, *frames)


def _moving(senses: AgentSenses, stamp_ns: int) -> Iterator[TransformStamped]:
    agent = senses.agent
    entity, base = agent.entity, base_frame(agent.entity)
    if senses.odometry is not None:
        yield senses.odometry.transform(stamp_ns)
    for camera in entity.cameras:
        pose = agent.world.camera_pose(entity, camera)
        place = pose_transform(pose.position, pose.orientation)
        yield transform_message(place, stamp_ns, base, camera_frame(entity, camera))
