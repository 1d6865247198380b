# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Overlaps and distances of boxes.

All functions work element by element and broadcast over leading axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.relations.boxes import footprint_corners, rotate, to_box_axes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.relations.boxes import Boxes

__all__ = [
    'box_distance',
    'contains_center',
    'extents_along',
    'footprint_distance',
    'footprint_overlap',
    'intersection_over_union',
    'overlap_ratio',
    'vertical_overlap',
]

# Smaller footprints are points or line segments [m^2].
_NO_AREA = 1e-9


def footprint_overlap(first: Boxes, second: Boxes) -> Array:
    """
    Return the exact area that two footprints have in common.

    In the axes of the second box the first is a polygon. The common area is the integral of its
    height over the length of the box, clamped to the box's width: -∮ clamp(y) dx, solved edge by
    edge. No polygons are built, so that a million pairs are one array expression.

    Returns
    -------
    array, shape (...)
        [m^2].

    """
    starts = to_box_axes(second, footprint_corners(first))
    ends = np.roll(starts, -1, axis=-2)
    half_length, half_width = second.sizes[..., 0, None] / 2.0, second.sizes[..., 1, None] / 2.0
    run, rise = ends[..., 0] - starts[..., 0], ends[..., 1] - starts[..., 1]
    left = np.clip(starts[..., 0], -half_length, half_length)
    right = np.clip(ends[..., 0], -half_length, half_length)
    safe_run = np.where(run == 0.0, 1.0, run)
    low = starts[..., 1] + rise * np.clip((left - starts[..., 0]) / safe_run, 0.0, 1.0)
    high = starts[..., 1] + rise * np.clip((right - starts[..., 0]) / safe_run, 0.0, 1.0)
    strips = (left - right) * _mean_clamped(low, high, half_width)
    area: Array = np.maximum(strips.sum(axis=-1), 0.0)
    return area


def overlap_ratio(first: Boxes, second: Boxes) -> Array:
    """
    Return the common area relative to the smaller footprint: array (...) within [0, 1].

    A footprint without area is covered completely if it touches the other one.
    """
    smaller = np.minimum(first.footprints, second.footprints)
    shared = footprint_overlap(first, second)
    wide = smaller > _NO_AREA
    ratio = np.minimum(shared / np.where(wide, smaller, 1.0), 1.0)
    if np.all(wide):
        return ratio
    touching = footprint_distance(first, second) <= 0.0
    return np.where(wide, ratio, touching.astype(float))


def vertical_overlap(first: Boxes, second: Boxes) -> Array:
    """Return the height that both boxes span [m], shape (...)."""
    shared = np.minimum(first.tops, second.tops) - np.maximum(first.bottoms, second.bottoms)
    height: Array = np.maximum(shared, 0.0)
    return height


def intersection_over_union(first: Boxes, second: Boxes) -> Array:
    """
    Return the common volume relative to the volume of the union.

    Returns
    -------
    array, shape (...)
        Within [0, 1]; 0 if both volumes are zero.

    """
    shared = footprint_overlap(first, second) * vertical_overlap(first, second)
    union = first.volumes + second.volumes - shared
    ratio: Array = np.clip(shared / np.where(union > 0.0, union, 1.0), 0.0, 1.0)
    return ratio


def footprint_distance(first: Boxes, second: Boxes) -> Array:
    """
    Return the gap between footprints, 0 if they touch.

    For disjoint convex outlines, a corner of one is a nearest point. The separating axis theorem
    decides whether they are disjoint.

    Returns
    -------
    array, shape (...)
        [m].

    """
    here, there = _outside(first, second), _outside(second, first)
    apart = np.maximum(here.max(axis=-1), there.max(axis=-1)) > 0.0
    nearest = np.minimum(_nearest_corner(first, second), _nearest_corner(second, first))
    return np.where(apart, nearest, 0.0)


def box_distance(first: Boxes, second: Boxes) -> Array:
    """Return the gap between boxes [m], 0 if they touch, shape (...)."""
    level = np.maximum(first.bottoms - second.tops, second.bottoms - first.tops)
    return np.hypot(footprint_distance(first, second), np.maximum(level, 0.0))


def contains_center(outer: Boxes, inner: Boxes) -> NDArray[np.bool_]:
    """Return whether the centers of `inner` are inside `outer`, shape (...)."""
    local = to_box_axes(outer, inner.centers[..., None, :2])[..., 0, :]
    length, width = np.abs(local[..., 0]), np.abs(local[..., 1])
    height = np.abs(inner.centers[..., 2] - outer.centers[..., 2])
    halves = outer.sizes / 2.0
    return (length < halves[..., 0]) & (width < halves[..., 1]) & (height < halves[..., 2])


def extents_along(boxes: Boxes, directions: Array) -> Array:
    """
    Return half the width of footprints along unit vectors.

    Parameters
    ----------
    boxes : Boxes, shape (...)
    directions : array, shape (..., 2)
        On the floor.

    Returns
    -------
    array, shape (...)
        [m].

    """
    local = np.abs(rotate(directions, -boxes.headings))
    halves: Array = (local * boxes.sizes[..., :2]).sum(axis=-1) / 2.0
    return halves


def _mean_clamped(low: Array, high: Array, limit: Array) -> Array:
    """Return the mean of clamp(y, -limit, limit) over y from `low` to `high`."""
    start, end = np.clip(low, -limit, limit), np.clip(high, -limit, limit)
    inside = end - start
    level = inside == 0.0
    # Beyond the limits the clamped value is constant.
    area = end * (high - end) + start * (start - low) + inside * (start + end) / 2.0
    mean: Array = np.where(level, start, area / np.where(level, 1.0, high - low))
    return mean


def _outside(boxes: Boxes, others: Boxes) -> Array:
    """Return the distance of others outside each of two pairs of faces, (..., 2) [m]."""
    turn = others.headings - boxes.headings
    cosine, sine = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    length, width = others.sizes[..., 0] / 2.0, others.sizes[..., 1] / 2.0
    extent = np.stack((cosine * length + sine * width, sine * length + cosine * width), axis=-1)
    center = np.abs(to_box_axes(boxes, others.centers[..., None, :2])[..., 0, :])
    return center - extent - boxes.sizes[..., :2] / 2.0


def _nearest_corner(boxes: Boxes, others: Boxes) -> Array:
    """Return the distance from footprints to the nearest corner of others [m]."""
    local = np.abs(to_box_axes(boxes, footprint_corners(others)))
    beyond = np.maximum(local - boxes.sizes[..., None, :2] / 2.0, 0.0)
    nearest: Array = np.hypot(beyond[..., 0], beyond[..., 1]).min(axis=-1)
    return nearest
