# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Visibility of places: field of view and occlusion."""

import numpy as np
import pytest

from world_model_core.objects.mapping.visibility import hidden_by_boxes, hidden_by_points, in_view


@pytest.mark.parametrize(
    ('place', 'inside'),
    [
        ((2.0, 0.0, 0.0), True),
        ((2.0, 1.0, 0.0), True),
        ((2.0, 1.6, 0.0), False),
        ((2.0, 0.0, 1.3), False),
        ((-2.0, 0.0, 0.0), False),
        ((0.1, 0.0, 0.0), False),
        ((5.5, 0.0, 0.0), False),
    ],
)
def test_a_view_ends_at_its_angles_and_ranges(view_along_x, place, inside):
    """A place is in view if it is within both angles and the range."""
    assert in_view(view_along_x(), np.array((place,)))[0] == inside


def test_a_view_all_around_has_no_edge(view_along_x):
    """With an angle of 2 pi all directions are in view."""
    angles = np.linspace(-np.pi, np.pi, 33)
    places = 2.0 * np.stack((np.cos(angles), np.sin(angles), 0.0 * angles), axis=1)
    assert in_view(view_along_x(horizontal=2.0 * np.pi), places).all()


def test_a_scan_hides_what_is_behind_it(view_along_x):
    """Places behind scanned surfaces, even thin walls, are occluded; all others are not."""
    side, height = np.meshgrid(np.linspace(-0.5, 0.5, 41), np.linspace(-0.5, 0.5, 41))
    wall = np.stack((np.full(side.size, 2.0), side.ravel(), height.ravel()), axis=1)
    places = np.array(
        ((3.0, 0, 0), (2.12, 0, 0), (2.02, 0.1, 0), (1.0, 0, 0), (3.0, 1.5, 0)), dtype=float
    )
    hidden = hidden_by_points(view_along_x(points=wall), places)
    assert hidden.tolist() == [True, True, False, False, False]


def test_beams_that_met_nothing_hide_nothing(view_along_x):
    """A scan marks beams without an echo by NaN or infinity."""
    scan = np.array(((2.0, 0, 0), (np.nan, 0, 0), (np.inf, np.inf, 0)))
    place = np.array(((3.0, 0, 0),))
    assert hidden_by_points(view_along_x(points=scan), place).tolist() == [True]
    assert hidden_by_points(view_along_x(points=scan[1:]), place).tolist() == [False]


def test_without_a_scan_nothing_is_hidden_by_it(view_along_x):
    """A scan without valid points occludes nothing."""
    places = np.array(((3.0, 0.0, 0.0),))
    assert not hidden_by_points(view_along_x(), places).any()
    assert not hidden_by_points(view_along_x(points=np.zeros((0, 3))), places).any()


def test_boxes_hide_what_is_behind_them():
    """A rotated box occludes places behind it, but not its own center, nor those next to it."""
    centers, sizes = np.array(((2.0, 0.0, 0.0),)), np.array(((2.0, 0.2, 1.0),))
    places = np.array(((4.0, 0.0, 0.0), (4.0, 0.0, 2.0), (2.0, 0.0, 0.0), (4.0, 3.0, 0.0)))
    across = hidden_by_boxes(np.zeros(3), places, centers, sizes, np.array((np.pi / 2.0,)))
    assert across.tolist() == [True, False, False, False]
    shifted = places + np.array((0.0, 0.3, 0.0))
    along = hidden_by_boxes(np.array((0.0, 0.3, 0.0)), shifted, centers, sizes, np.zeros(1))
    assert not along.any()
