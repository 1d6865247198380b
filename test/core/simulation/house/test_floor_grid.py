# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The grid of a floor with any obstacles."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.simulation.house.floor_grid import FloorGrid
from world_model_core.simulation.house.values import AxisAlignedBox

LOW, HIGH = np.array((-2.0, -1.0)), np.array((2.0, 1.0))
# A wall across the floor, behind which a third of it lies.
WALL = AxisAlignedBox(np.array((0.6, -1.0, 0.0)), np.array((0.7, 1.0, 2.0)))


@pytest.mark.parametrize(
    ('start', 'sides'),
    [((-1.0, 0.0), {-1.0}), ((1.5, 0.0), {1.0}), ((0.65, 0.0), {-1.0}), ((9.0, 9.0), {1.0})],
)
def test_what_can_be_reached_depends_on_the_start(start, sides):
    """A start inside of an obstacle stands for the largest part of the floor."""
    floor = FloorGrid(LOW, HIGH, [WALL], np.array(start), clearance=0.2)
    assert set(np.sign(floor.points[:, 0] - 0.65).tolist()) == sides


def test_the_clearance_is_kept():
    """No place is closer to an obstacle than half a cell less than the clearance."""
    floor = FloorGrid(LOW, HIGH, [WALL], LOW, clearance=0.5)
    assert 0.0 <= 0.1 - floor.points[:, 0].max() <= 0.0501


def test_a_floor_without_a_free_place_is_an_error():
    """A robot as large as its room cannot move in it."""
    with pytest.raises(ConfigurationError, match='no place is free'):
        FloorGrid(LOW, HIGH, [WALL], LOW, clearance=5.0)
