# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The floor around an agent: where it can stand now, and ways around what is in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.floor_grid import ROBOT_HEIGHT, STEP, FloorGrid
from world_model_core.simulation.house.values import AxisAlignedBox

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.controller import AgentWorld

__all__ = ['free_floor']

# Places that are farther away along x or y do not count [m].
FARTHEST = 25.0


def free_floor(world: AgentWorld, clearance: float) -> FloorGrid:
    """
    Return the places that an agent can reach, with ways between them.

    What is lower than 3 cm or begins at 1.2 m is no obstacle; nor is the agent with what it holds.

    Parameters
    ----------
    world : AgentWorld
        As the controller of the agent has it.
    clearance : float
        Least distance of its position from obstacles [m].

    Returns
    -------
    FloorGrid

    Raises
    ------
    ConfigurationError
        No place is free.

    """
    me = world.me
    own = {me.name, *me.grasps.values()}
    others = [shapes for name, shapes in world.boxes().items() if name not in own]
    boxes = np.concatenate((*others, np.zeros((0, 2, 3))))
    solid = boxes[(boxes[:, 1, 2] > STEP) & (boxes[:, 0, 2] < ROBOT_HEIGHT)]
    here = np.asarray(me.position[:2])
    corners = np.clip(solid[:, :, :2].reshape(-1, 2), here - FARTHEST, here + FARTHEST)
    low, high = np.vstack((corners, here)).min(axis=0), np.vstack((corners, here)).max(axis=0)
    obstacles = (AxisAlignedBox(*box) for box in solid)
    return FloorGrid(low, high, obstacles, here, clearance)
