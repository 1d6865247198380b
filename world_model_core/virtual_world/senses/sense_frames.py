# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Names of the frames of what an entity senses.

The frame of an entity, under its own name, has its true pose in the frame `world`. A robot with
wheels does not know it: its senses are in the frame of its base, NAME/base_link, which has the
pose of its odometry in NAME/odom. Where NAME/odom is, a localizer finds out. An entity without
wheels has no odometry: its own frame is that of its base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.topic_names import escape_name

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import Camera, Entity

__all__ = ['base_frame', 'camera_frame', 'odom_frame', 'optical_frame', 'scan_frame']


def odom_frame(name: str) -> str:
    """Return the frame in which the odometry of an entity gives its poses."""
    return f'{escape_name(name)}/odom'


def base_frame(entity: Entity) -> str:
    """Return the frame to which the sensors of an entity are attached: x ahead, z up."""
    frame = escape_name(entity.name)
    return frame if entity.wheels is None else f'{frame}/base_link'


def scan_frame(entity: Entity) -> str:
    """Return the frame of the lidar of a robot: x ahead, z up."""
    return f'{escape_name(entity.name)}/scan'


def camera_frame(entity: Entity, camera: Camera) -> str:
    """Return the frame of a camera: it looks along x, with z up in the image."""
    return f'{escape_name(entity.name)}/camera_{camera.id}'


def optical_frame(entity: Entity, camera: Camera) -> str:
    """Return the optical frame of a camera (REP 103): x right, y down in the image, z ahead."""
    return f'{camera_frame(entity, camera)}_optical'
