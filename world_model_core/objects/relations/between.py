# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which objects are between which pairs of others."""

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

# Of VLA-3D, as shares of the shorter of two extents: of the faces that an object and an anchor
# turn to each other, the least common area; the most they may run into each other, the widest gap,
# and the most that the two gaps may differ.
FACING = 0.5
INTRUSION = 0.3
GAP = 1.0
ASYMMETRY = 0.5


class _Span(NamedTuple):
    """What boxes cover of an axis: from `middle - half` to `middle + half` [m]."""

    middle: Array
    half: Array


def is_between(subjects: Boxes, first: Boxes, second: Boxes, *, loose: bool = False) -> Mask:
    """
    Tell which subjects are between which anchors, side by side or one above the other.

    An object that is among several of the three is between none; the caller leaves those out.

    Parameters
    ----------
    subjects, first, second : Boxes, shapes (..., n), (..., k) and (..., m)
    loose : bool
        Without, in the sense of VLA-3D's scene graphs: close to both and facing them. With, also
        far from them, anywhere in the corridor from one to the other.

    Returns
    -------
    array of bool, shape (..., n, k, m)

    """
    worlds = np.broadcast_shapes(subjects.shape[:-1], first.shape[:-1], second.shape[:-1])
    shape = (subjects.shape[-1], first.shape[-1], second.shape[-1])
    result = np.zeros((*worlds, *shape), dtype=np.bool_)
    rows, ones, others = np.nonzero(_within_reach(subjects, first, second, loose))
    if rows.size:
        trios = subjects.take(rows), first.take(ones), second.take(others)
        result[..., rows, ones, others] = is_between_elementwise(*trios, loose=loose)
    return result


def is_between_elementwise(
    subjects: Boxes, first: Boxes, second: Boxes, *, loose: bool = False
) -> Mask:
    """Tell whether subjects are between anchors, element by element, as `is_between` does."""
    side_by_side = _in_corridor if loose else _side_by_side
    return side_by_side(subjects, first, second) | _stacked(subjects, first, second)


def _side_by_side(subjects: Boxes, first: Boxes, second: Boxes) -> Mask:
    """Tell what fills much of the room between two anchors that it faces."""
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
    """Tell whose centre is past one anchor, before the other and no farther aside than they."""
    ahead, aside = _axes(first, second)
    inner, left, right = (_along(boxes, ahead) for boxes in (subjects, first, second))
    across, one, other = (_along(boxes, aside) for boxes in (subjects, first, second))
    width = np.maximum(one.half, other.half) + across.half
    mask: Mask = (left.middle < inner.middle) & (inner.middle < right.middle)
    return mask & (np.abs(across.middle - one.middle) <= width)


def _stacked(subjects: Boxes, first: Boxes, second: Boxes) -> Mask:
    """Tell what is above one anchor and below the other."""
    inner, one, other = (_upright(boxes) for boxes in (subjects, first, second))
    mask = _ordered(one, inner, other) | _ordered(other, inner, one)
    for anchors in (first, second):
        mask[mask] = overlap_ratio(subjects.where(mask), anchors.where(mask)) > FACING
    return mask


def _ordered(low: _Span, inner: _Span, high: _Span) -> Mask:
    mask: Mask = (low.middle < inner.middle) & (inner.middle < high.middle)
    return mask & (_gap(low, inner) > -INTRUSION) & (_gap(inner, high) > -INTRUSION)


def _facing(subjects: Boxes, anchors: Boxes, aside: Array) -> Array:
    """Share of the smaller face that two boxes have in common, seen from one to the other."""
    here, there = _along(subjects, aside), _along(anchors, aside)
    low, high = _upright(subjects), _upright(anchors)
    common = np.maximum(-_clearance(here, there), 0.0) * np.maximum(-_clearance(low, high), 0.0)
    smaller = 4.0 * np.minimum(here.half * low.half, there.half * high.half)
    return common / np.where(smaller > 0.0, smaller, 1.0)


def _gap(low: _Span, high: _Span) -> Array:
    """Measure from the end of one span to the start of the next, in extents of the shorter."""
    shorter = 2.0 * np.minimum(low.half, high.half)
    start, end = high.middle - high.half, low.middle + low.half
    return (start - end) / np.where(shorter > 0.0, shorter, 1.0)


def _clearance(first: _Span, second: _Span) -> Array:
    """Measure the gap between spans in either order [m], negative where they overlap."""
    low = np.maximum(first.middle - first.half, second.middle - second.half)
    high = np.minimum(first.middle + first.half, second.middle + second.half)
    clearance: Array = low - high
    return clearance


def _axes(first: Boxes, second: Boxes) -> tuple[Array, Array]:
    """Find the unit vectors on the floor (..., 2) from one anchor to the other, and across."""
    way = second.centers[..., :2] - first.centers[..., :2]
    length = np.linalg.norm(way, axis=-1, keepdims=True)
    ahead = np.where(length > 0.0, way / np.where(length > 0.0, length, 1.0), (1.0, 0.0))
    return ahead, np.stack((-ahead[..., 1], ahead[..., 0]), axis=-1)


def _along(boxes: Boxes, axis: Array) -> _Span:
    middle = (boxes.centers[..., :2] * axis).sum(axis=-1)
    return _Span(middle, extents_along(boxes, axis))


def _upright(boxes: Boxes) -> _Span:
    return _Span(boxes.centers[..., 2], boxes.sizes[..., 2] / 2.0)


def _within_reach(subjects: Boxes, first: Boxes, second: Boxes, loose: bool) -> Mask:
    """Tell which trios may hold in any world, (n, k, m)."""
    if loose:
        return _may_be_in_corridor(subjects, first, second)
    one, other = (_may_touch(subjects, anchors) for anchors in (first, second))
    return one[:, :, None] & other[:, None, :]


def _may_touch(subjects: Boxes, anchors: Boxes) -> Mask:
    """
    Tell who may face an anchor at a gap less than the smaller of them, (n, k).

    No extent is more than the diameter of the circle about a footprint.
    """
    (here, reach), (there, span) = bounding_circles(subjects), bounding_circles(anchors)
    apart = np.linalg.norm(here[:, None] - there, axis=-1)
    aside = reach[:, None] + span
    ahead = aside + 2.0 * GAP * np.minimum(reach[:, None], span)
    touched: Mask = apart <= np.hypot(ahead, aside)
    return touched


def _may_be_in_corridor(subjects: Boxes, first: Boxes, second: Boxes) -> Mask:
    """Tell who may be as close to the line between anchors as these are wide, (n, k, m)."""
    (here, reach), (one, width), (other, span) = map(bounding_circles, (subjects, first, second))
    way = other[None, :, :] - one[:, None, :]
    start = here[:, None, :] - one
    length = (way**2).sum(axis=-1)
    along = np.einsum('nki,kmi->nkm', start, way) / np.where(length > 0.0, length, 1.0)
    nearest = along.clip(0.0, 1.0)[..., None] * way
    apart = np.linalg.norm(start[:, :, None, :] - nearest, axis=-1)
    # Twice the widths: the line itself strays as far as the anchors do.
    close: Mask = apart <= reach[:, None, None] + 2.0 * np.maximum(width[:, None], span)
    return close
