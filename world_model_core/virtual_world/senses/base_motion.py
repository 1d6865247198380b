# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""True motion of an entity along the floor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import yaw_of
from world_model_core.virtual_world.senses.wheel_odometry import BaseMotions

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import EntityState

__all__ = ['base_motion']


def base_motion(state: EntityState) -> BaseMotions:
    """Return pose and velocities of an entity along the floor, as those of one robot."""
    x, y, _ = state.pose.position
    heading = yaw_of(state.pose.orientation)
    east, north, _ = state.linear_velocity
    ahead = east * math.cos(heading) + north * math.sin(heading)
    turn_rate = state.angular_velocity[2]
    return BaseMotions(np.array([[x, y, heading]]), np.array([[ahead, turn_rate]]))
