# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Traversable floor is stored as squares, and its coverage is computed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.objects.navigation.traversable_area import (
    CELL,
    MOST_CELLS,
    SEEN,
    TraversableArea,
)


@given(arrays(np.float64, (20, 2), elements=st.floats(-1e4, 1e4)))
def test_points_are_stored_as_squares(points):
    """Each point is within half a square of a stored one, also if it is added twice."""
    area = TraversableArea()
    area.add(points[:10])
    area.add(points)
    area.add(np.column_stack((points, np.ones(20))))
    kept = area.points
    apart = np.abs(kept[None] - points[:, None]).max(axis=2).min(axis=1)
    assert apart.max() <= CELL / 2.0 + 1e-6
    assert len(kept) == len(area) <= 20


def test_empty_area_has_no_points():
    """Without points the traversable floor is unknown."""
    area = TraversableArea()
    assert area.points is None
    area.add(np.empty((0, 3)))
    assert area.points is None


def test_memory_is_bounded():
    """Excess points and points beyond the Earth's size are dropped."""
    area = TraversableArea()
    area.add(np.array(((1e300, 0.0), (0.05, 0.05))))
    assert area.points == pytest.approx(np.array(((0.05, 0.05),)))
    sides = np.arange(1100) * CELL
    area.add(np.stack(np.meshgrid(sides, sides), axis=-1).reshape(-1, 2))
    assert len(area) == 1
    assert len(sides) ** 2 > MOST_CELLS


def test_coverage_grows_with_the_path_of_the_robot():
    """A corridor is covered up to a margin beyond the robot's position."""
    area = TraversableArea()
    assert area.coverage is None
    sides = np.arange(0.05, 20.0, CELL)
    area.add(np.column_stack((sides, np.zeros_like(sides))))
    assert area.coverage is None
    for x in np.arange(0.0, 10.0, 0.1):
        area.visit(x, 0.0)
    assert area.coverage == pytest.approx((10.0 + SEEN) / 20.0, abs=0.02)
    for x in np.arange(10.0, 20.0, 0.1):
        area.visit(x, 0.0)
    assert area.coverage == 1.0
