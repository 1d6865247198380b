# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Overlaps and distances of boxes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.relations.box_overlaps import (
    box_distance,
    contains_center,
    footprint_distance,
    footprint_overlap,
    intersection_over_union,
    overlap_ratio,
    vertical_overlap,
)
from world_model_core.objects.relations.boxes import Boxes, bounding_circles, boxes_of, corners
from world_model_core.objects.relations.class_roles import ClassRole
from world_model_core.objects.relations.pairwise_relations import distance
from world_model_core.objects.values import MapObject

coordinates = st.floats(-2.0, 2.0)
# Flat, or not so thin that rounding moves one side past the other.
lengths = st.just(0.0) | st.floats(1e-3, 3.0)
angles = st.floats(-7.0, 7.0)


@st.composite
def boxes(draw):
    """Draw one box, which may be flat or a point, of shape (1,)."""
    return box(
        [draw(coordinates) for _ in range(3)], [draw(lengths) for _ in range(3)], draw(angles)
    )


def box(center, size, heading=0.0):
    """Build one box, shape (1,)."""
    return Boxes(np.array([center], float), np.array([size], float), np.array([heading], float))


def moved(boxes, turn, shift):
    """Rotate boxes about the origin and translate them."""
    c, s = math.cos(turn), math.sin(turn)
    rotation = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
    return Boxes(boxes.centers @ rotation.T + shift, boxes.sizes, boxes.headings + turn)


def covers(boxes, points):
    """Return which points (k, 2) of the floor each box covers."""
    apart = points - boxes.centers[:, None, :2]
    c, s = np.cos(boxes.headings)[:, None], np.sin(boxes.headings)[:, None]
    along, across = c * apart[..., 0] + s * apart[..., 1], c * apart[..., 1] - s * apart[..., 0]
    halves = boxes.sizes[:, None] / 2.0
    return (np.abs(along) <= halves[..., 0]) & (np.abs(across) <= halves[..., 1])


def test_footprint_overlap_agrees_with_sampling():
    """The closed form agrees with counting points of a fine grid."""
    random = np.random.default_rng(1)

    def some():
        centers, sizes = random.uniform(-1, 1, (40, 3)), random.uniform(0.1, 2.0, (40, 3))
        return Boxes(centers, sizes, random.uniform(-4, 4, 40))

    first, second = some(), some()
    axis = np.linspace(-3.0, 3.0, 600)
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    counted = (covers(first, points) & covers(second, points)).mean(axis=1) * 36.0
    shared = footprint_overlap(first, second)
    assert (shared > 0.0).sum() > 10
    assert shared == pytest.approx(counted, abs=0.03)


@given(boxes(), boxes())
def test_measures_are_symmetric(first, second):
    """Overlaps and distances do not depend on the order of the boxes."""
    for measure in (footprint_overlap, overlap_ratio, vertical_overlap, intersection_over_union):
        assert measure(first, second) == pytest.approx(measure(second, first), abs=1e-6)
    for measure in (footprint_distance, box_distance, distance):
        assert measure(first, second) == pytest.approx(measure(second, first), abs=1e-9)


@given(boxes(), boxes(), angles, st.tuples(coordinates, coordinates, coordinates))
def test_measures_are_invariant_under_rigid_motions(first, second, turn, shift):
    """Overlaps and distances do not depend on the frame."""
    there = moved(first, turn, shift), moved(second, turn, shift)
    for measure in (footprint_overlap, intersection_over_union, footprint_distance, box_distance):
        assert measure(*there) == pytest.approx(measure(first, second), abs=1e-6)


@given(boxes(), boxes())
def test_ratios_are_within_their_limits(first, second):
    """Ratios are within [0, 1], and areas not larger than the smaller footprint."""
    assert 0.0 <= overlap_ratio(first, second)[0] <= 1.0
    assert 0.0 <= intersection_over_union(first, second)[0] <= 1.0
    smaller = min(first.footprints[0], second.footprints[0])
    assert footprint_overlap(first, second)[0] <= smaller + 1e-7


@given(boxes())
def test_a_box_overlaps_itself_completely(each):
    """The overlap is the whole footprint, at distance 0."""
    assert footprint_overlap(each, each) == pytest.approx(each.footprints, abs=1e-7)
    assert overlap_ratio(each, each)[0] == pytest.approx(1.0)
    assert box_distance(each, each)[0] == 0.0


@given(boxes(), boxes())
def test_distance_is_at_most_that_of_any_corners(first, second):
    """Overlapping boxes have distance 0."""
    apart = np.linalg.norm(corners(first)[0][:, None] - corners(second)[0][None], axis=-1)
    assert box_distance(first, second)[0] <= apart.min() + 1e-9
    if footprint_overlap(first, second)[0] > 1e-6:
        assert footprint_distance(first, second)[0] == 0.0


def test_crossed_bars_touch_though_no_corner_is_inside():
    """Two crossing long boxes have no gap, and overlap in a square."""
    first, second = box((0, 0, 0), (4, 0.2, 1)), box((0, 0, 0), (4, 0.2, 1), math.pi / 2)
    assert footprint_distance(first, second)[0] == 0.0
    assert footprint_overlap(first, second)[0] == pytest.approx(0.04)


def test_neighbors_touch_without_overlap():
    """Boxes side by side touch and have no common area."""
    first, second = box((0, 0, 0), (1, 1, 1)), box((1, 0, 0), (1, 1, 1))
    assert footprint_overlap(first, second)[0] == 0.0
    assert box_distance(first, second)[0] == 0.0


def test_distance_combines_floor_and_height():
    """Boxes 3 m apart on the floor and 4 m in height are 5 m apart."""
    assert box_distance(box((0, 0, 0), (1, 1, 1)), box((4, 0, 5), (1, 1, 1)))[0] == 5.0


def test_a_point_overlaps_if_it_is_covered():
    """A box without extent overlaps another one completely or not at all."""
    point = box((0.4, 0, 0), (0, 0, 0))
    assert overlap_ratio(point, box((0, 0, 0), (1, 1, 1)))[0] == 1.0
    assert overlap_ratio(point, box((0, 0, 0), (0.5, 1, 1)))[0] == 0.0
    assert contains_center(box((0, 0, 0), (1, 1, 1)), point)[0]


def test_samples_are_leading_axes():
    """Boxes of several samples give the results of each sample."""
    random = np.random.default_rng(2)
    sizes, headings = random.uniform(0.1, 1, (5, 3)), random.uniform(-3, 3, 5)
    worlds = Boxes(random.uniform(-1, 1, (7, 5, 3)), sizes, headings)
    shared = footprint_overlap(worlds.column(), worlds.row())
    assert shared.shape == (7, 5, 5)
    for world, centers in enumerate(worlds.centers):
        alone = Boxes(centers, sizes, headings)
        assert shared[world] == pytest.approx(footprint_overlap(alone.column(), alone.row()))


def test_a_circle_contains_a_footprint_in_all_samples():
    """All corners in all samples are inside the circle."""
    random = np.random.default_rng(3)
    worlds = Boxes(random.uniform(-1, 1, (9, 4, 3)), random.uniform(0, 1, (4, 3)), np.zeros(4))
    middles, radii = bounding_circles(worlds)
    apart = np.linalg.norm(corners(worlds)[..., :2] - middles[:, None], axis=-1)
    assert (apart <= radii[:, None] + 1e-12).all()


def test_objects_of_unknown_size_and_heading_have_boxes():
    """The size is the usual one of the class; without heading the footprint is a square."""
    unknown = MapObject('1', 'Dining_Table', np.zeros(3), 0.04 * np.eye(3))
    turned = MapObject('2', 'rug', np.ones(3), np.zeros((3, 3)), size=np.array((4.0, 1.0, 0.1)))
    found = boxes_of((unknown, turned))
    assert found.sizes[0, 0] == found.sizes[0, 1] == pytest.approx(math.sqrt(1.2 * 0.8))
    assert found.sizes[1] == pytest.approx((2.0, 2.0, 0.1))
    assert found.deviations[0] == pytest.approx((0.2, 0.2, 0.2))
    assert found.roles[0] & ClassRole.ROOM_BENEATH
    assert boxes_of(()).shape == (0,)
