# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Equality of the values of a bundle."""

import numpy as np
import pytest
import shapely

from world_model_core.bundle.equality import is_equal
from world_model_core.bundle.geometry.drivable_area import DrivablePolygon
from world_model_core.bundle.values import Extent, GeoOrigin, InitialPose
from world_model_core.frames import Transform, rotation_about_z

SQUARE = shapely.box(0.0, 0.0, 1.0, 1.0)
SAME = [
    (np.array((1.0, np.nan)), np.array((1.0, np.nan))),
    (float('nan'), float('nan')),
    ({'a': (1, 'x'), 'b': None}, {'b': None, 'a': (1, 'x')}),
    (Extent(np.zeros(3), np.ones(3)), Extent(np.zeros(3), np.ones(3))),
    (DrivablePolygon(SQUARE), DrivablePolygon(shapely.Polygon(SQUARE.exterior.coords))),
    (Transform(np.eye(3), np.zeros(3)), Transform(rotation_about_z(1e-14), np.zeros(3))),
]
DIFFERENT = [
    (np.zeros(3), np.zeros(2)),
    (np.zeros(3), np.zeros(3, dtype=np.float32)),
    (np.array((1.0, np.nan)), np.array((np.nan, 1.0))),
    ({'a': 1}, {'a': 1, 'b': 2}),
    ((1, 2), (1, 2, 3)),
    ((1, 2), [1, 2]),
    (None, 0),
    (Extent(np.zeros(3), np.ones(3)), Extent(np.zeros(3), np.array((1.0, 1.0, 1.1)))),
    (DrivablePolygon(SQUARE), DrivablePolygon(shapely.box(0.0, 0.0, 1.0, 1.1))),
    (GeoOrigin(1.0, 2.0, 3.0), GeoOrigin(1.0, 2.0, 3.5)),
    (GeoOrigin(1.0, 2.0, 3.0), InitialPose(Transform(np.eye(3), np.zeros(3)), np.zeros(3))),
    (Transform(np.eye(3), np.zeros(3)), Transform(rotation_about_z(1e-9), np.zeros(3))),
    (Transform(np.eye(3), np.zeros(3)), Transform(np.eye(3), np.array((0.0, 0.0, 1e-15)))),
]


@pytest.mark.parametrize(('first', 'second'), SAME)
def test_values_with_the_same_numbers_are_equal(first, second):
    """NaN equals NaN; the order of keys and rounding of rotations do not matter."""
    assert is_equal(first, second)
    assert is_equal(second, first)


@pytest.mark.parametrize(('first', 'second'), DIFFERENT)
def test_values_that_differ_in_a_number_or_a_type_are_not_equal(first, second):
    """One different number, key, shape or type makes values unequal."""
    assert not is_equal(first, second)
    assert not is_equal(second, first)
