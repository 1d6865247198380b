# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The relation "between" of an object and two anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.relations.box_overlaps import extents_along, overlap_ratio
from world_model_core.objects.relations.boxes import bounding_circles

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.relations.boxes import Boxes

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ['is_between', 'is_between_elementwise']

# Thresholds of VLA-3D, as shares of the shorter of two extents: least common area of the faces
# that object and anchor turn to each other, largest intrusion, largest gap, and largest difference
# of the two gaps.
FACING = 0.5
INTRUSION = 0.3
GAP = 1.0
ASYMMETRY = 0.5


class _Span(NamedTuple):
    """Extent of boxes along an axis: from `middle - half` to `middle + half` [m]."""

    middle: Array
    half: Array


def is_between(subjects: Boxes, first: Boxes, second: Boxes, *, loose: bool = False) -> Mask:
    """
    Return which subjects are between which anchors, side by side or stacked.

    Combinations in which an object occurs twice are not excluded here; the caller does so.

    Parameters
    ----------
    subjects, first, second : Boxes, shapes (..., n), (..., k) and (..., m)
    loose : bool
        If False, use the definition of VLA-3D's scene graphs: close to both anchors and facing
        them. If True, anywhere in the corridor from one anchor to the other.

    Returns
    -------
    array of bool, shape (..., n, k, m)

    """
    samples = np.broadcast_shapes(subjects.shape[:-1], first.shape[:-1], second.shape[:-1])
    shape = (subjects.shape[-1], first.shape[-1], second.shape[-1])
    result = np.zeros((*samples, *shape), dtype=np.bool_)
    rows, ones, others = np.nonzero(_within_reach(subjects, first, second, loose))
    if rows.size:
        trios = subjects.take(rows), first.take(ones), second.take(others)
        result[..., rows, ones, others] = is_between_elementwise(*trios, loose=loose)
    return result


def is_between_elementwise(
    subjects: Boxes, first: Boxes, second: Boxes, *, loose: bool = False
) -> Mask:
    """Return whether subjects are between anchors, element by element, see `is_between`."""
    side_by_side = _in_corridor if loose else _side_by_side
    return side_by_side(subjects, first, second) | _stacked(subjects, first, second)


def _side_by_side(subjects: Boxes, first: Boxes, second: Boxes) -> Mask:
    """Return which subjects fill most of the space between two anchors that they face."""
    ahead, aside = _axes(first, second)
    inner, left, right = (_along(boxes, ahead) for boxes in (subjects, first, second))
    mask = (left.middle < inner.middle) & (inner.middle < right.middle)
    gaps = np.stack((_gap(left, inner), _gap(inner, right)))
    mask &= (gaps.min(axis=0) > -INTRUSION) & (gaps.max(axis=0) < GAP)
    mask &= np.abs(gaps[0] - gaps[1]) < ASYMMETRY
    for anchors in (first, second):
        mask &= _facing(subjects, anchors, aside) > FACING
    return mask


def _in_corridor(subjects: Boxes, first: Boxes, second: Boxes) -> Mask:
    """Return which centers are between the anchors and no farther aside than their width."""
    ahead, aside = _axes(first, second)
    inner, left, right = (_along(boxes, ahead) for boxes in (subjects, first, second))
    across, one, other = (_along(boxes, aside) for boxes in (subjects, first, second))
    width = np.maximum(one.half, other.half) + across.half
    mask: Mask = (left.middle < inner.middle) & (inner.middle < right.middle)
    return mask & (np.abs(across.middle - one.middle) <= width)


def _stacked(subjects: Boxes, first: Boxes, second: Boxes) -> Mask:
    """Return which subjects are above one anchor and below the other."""
    inner, one, other = (_upright(boxes) for boxes in (subjects, first, second))
    mask = _ordered(one, inner, other) | _ordered(other, inner, one)
    for anchors in (first, second):
        mask[mask] = overlap_ratio(subjects.where(mask), anchors.where(mask)) > FACING
    return mask


def _ordered(low: _Span, inner: _Span, high: _Span) -> Mask:
    mask: Mask = (low.middle < inner.middle) & (inner.middle < high.middle)
    return mask & (_gap(low, inner) > -INTRUSION) & (_gap(inner, high) > -INTRUSION)


def _facing(subjects: Boxes, anchors: Boxes, aside: Array) -> Array:
    """Return the share of the smaller face that two boxes have in common."""
    here, there = _along(subjects, aside), _along(anchors, aside)
    low, high = _upright(subjects), _upright(anchors)
    common = np.maximum(-_clearance(here, there), 0.0) * np.maximum(-_clearance(low, high), 0.0)
    smaller = 4.0 * np.minimum(here.half * low.half, there.half * high.half)
    return common / np.where(smaller > 0.0, smaller, 1.0)


def _gap(low: _Span, high: _Span) -> Array:
    """Return the gap from one span to the next, in extents of the shorter one."""
    shorter = 2.0 * np.minimum(low.half, high.half)
    start, end = high.middle - high.half, low.middle + low.half
    return (start - end) / np.where(shorter > 0.0, shorter, 1.0)


def _clearance(first: _Span, second: _Span) -> Array:
    """Return the gap between spans in either order [m], negative if they overlap."""
    low = np.maximum(first.middle - first.half, second.middle - second.half)
    high = np.minimum(first.middle + first.half, second.middle + second.half)
    clearance: Array = low - high
    return clearance


def _axes(first: Boxes, second: Boxes) -> tuple[Array, Array]:
    """Return the unit vectors on the floor (..., 2) from one anchor to the other, and across."""
    line = second.centers[..., :2] - first.centers[..., :2]
    length = np.linalg.norm(line, axis=-1, keepdims=True)
    ahead = np.where(length > 0.0, line / np.where(length > 0.0, length, 1.0), (1.0, 0.0))
    return ahead, np.stack((-ahead[..., 1], ahead[..., 0]), axis=-1)


def _along(boxes: Boxes, axis: Array) -> _Span:
    middle = (boxes.centers[..., :2] * axis).sum(axis=-1)
    return _Span(middle, extents_along(boxes, axis))


def _upright(boxes: Boxes) -> _Span:
    return _Span(boxes.centers[..., 2], boxes.sizes[..., 2] / 2.0)


def _within_reach(subjects: Boxes, first: Boxes, second: Boxes, loose: bool) -> Mask:
    """Return which triples may hold in any sample, (n, k, m)."""
    if loose:
        return _may_be_in_corridor(subjects, first, second)
    one, other = (_may_touch(subjects, anchors) for anchors in (first, second))
    return one[:, :, None] & other[:, None, :]


def _may_touch(subjects: Boxes, anchors: Boxes) -> Mask:
    """
    Return which subjects may face an anchor at a gap smaller than the smaller of them, (n, k).

    No extent exceeds the diameter of the circle around the footprint.
    """
    (here, reach), (there, span) = bounding_circles(subjects), bounding_circles(anchors)
    apart = np.linalg.norm(here[:, None] - there, axis=-1)
    aside = reach[:, None] + span
    ahead = aside + 2.0 * GAP * np.minimum(reach[:, None], span)
    touched: Mask = apart <= np.hypot(ahead, aside)
    return touched


def _may_be_in_corridor(subjects: Boxes, first: Boxes, second: Boxes) -> Mask:
    """Return which subjects may be as close to the line between anchors as these are wide."""
    (here, reach), (one, width), (other, span) = map(bounding_circles, (subjects, first, second))
    line = other[None, :, :] - one[:, None, :]
    start = here[:, None, :] - one
    length = (line**2).sum(axis=-1)
    along = np.einsum('nki,kmi->nkm', start, line) / np.where(length > 0.0, length, 1.0)
    nearest = along.clip(0.0, 1.0)[..., None] * line
    apart = np.linalg.norm(start[:, :, None, :] - nearest, axis=-1)
    # Twice the width, because the anchors themselves deviate from the line.
    close: Mask = apart <= reach[:, None, None] + 2.0 * np.maximum(width[:, None], span)
    return close
