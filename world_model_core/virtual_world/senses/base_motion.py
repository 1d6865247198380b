# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""True motions of entities along the floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.senses.wheel_odometry import BaseMotions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['base_motions']


def base_motions(engine: Engine, names: Sequence[str]) -> BaseMotions:
    """Return the motions of entities along the floor; of many as fast as of one."""
    arrays = engine.state_arrays
    found = arrays.motions()[[arrays.layout.names.index(name) for name in names]]
    w, x, y, z = found[:, 3:7].T
    headings = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    ahead = found[:, 7] * np.cos(headings) + found[:, 8] * np.sin(headings)
    return BaseMotions(
        np.column_stack((found[:, :2], headings)), np.column_stack((ahead, found[:, 12]))
    )
