# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Relations between two boxes: on, above, below, in and near.

Each relation has two senses. The strict sense is that of VLA-3D's scene graphs: its rules and
thresholds are those of their generator (github.com/HaochenZ11/VLA-3D), verified on all of its
sample scenes. The loose sense covers everyday language: a sofa in front of the wall below a
window is "below" it, a picture is "on" the wall. Use the strict sense first, and the loose one if
it fits no object.

Measured boxes are never in exact contact: the gap between a cup and its table is estimated as a
few centimeters of either sign. For boxes with standard deviations all thresholds are shifted by
twice the deviation of the gap, in favor of contact: an object that may rest on another one is not
above it. At such a gap, contact and a real gap of up to a meter or two are about equally likely.
Because a cup cannot float next to its table, the table is widened by the deviation of the cup's
position. Without deviations the rules are exact.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.query import RelationKind
from world_model_core.objects.relations.box_overlaps import (
    contains_center,
    footprint_distance,
    overlap_ratio,
)
from world_model_core.objects.relations.boxes import bounding_circles
from world_model_core.objects.relations.class_roles import ClassRole
from world_model_core.objects.relations.near import LOOSELY_NEAR, MOST_NEAR, is_near

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.relations.boxes import Boxes

    Mask: TypeAlias = NDArray[np.bool_]
    Rule: TypeAlias = Callable[[Boxes, Boxes, bool], Mask]

__all__ = ['distance', 'holds', 'holds_elementwise']

# Thresholds of VLA-3D: largest gap for contact, and least height of contact above the bottom of
# the anchor [m]; least share of the smaller footprint that is common to both; depth below the top
# of a cabinet from which on objects are in it, as a share of its height.
CONTACT = 0.01
OVERLAP = 0.5
DEPTH = 0.1
# Tolerance of a gap in standard deviations, and its limit [m]: an object whose position is known
# to a meter does not rest on everything. Calibrated on simulated houses.
TOLERANCE, MOST_TOLERANCE = 2.0, 0.3
# Height up to which an anchor is flat [m]: nothing is inside it, unlike a chair in the box of a
# table.
FLAT = 0.1
# Loose sense: distance from a wall to objects in front of it, and to objects that hang on it [m];
# gap below objects on legs that the box does not include [m]; share of an object under a table's
# top.
BEFORE_WALL = 0.3
ON_WALL = 0.1
LOOSE_CONTACT = 0.05
LOOSE_OVERLAP = 0.2


def holds(kind: RelationKind, subjects: Boxes, anchors: Boxes, *, loose: bool = False) -> Mask:
    """
    Return which subjects are in a relation to which anchors.

    Objects that are both subject and anchor are near themselves; the caller excludes them.

    Parameters
    ----------
    kind : RelationKind
        ON, ABOVE, BELOW, IN or NEAR. For other relations see `between.is_between`, `distance` and
        `viewpoint_relations.is_on_side`.
    subjects, anchors : Boxes, shapes (..., n) and (..., m)
    loose : bool
        Use the loose sense.

    Returns
    -------
    array of bool, shape (..., n, m)

    Raises
    ------
    KeyError
        If the relation is not one between two boxes.

    """
    samples = np.broadcast_shapes(subjects.shape[:-1], anchors.shape[:-1])
    result = np.zeros((*samples, subjects.shape[-1], anchors.shape[-1]), dtype=np.bool_)
    rows, columns = np.nonzero(_within_reach(subjects, anchors, _MARGINS.get(kind, BEFORE_WALL)))
    if rows.size:
        pairs = subjects.take(rows), anchors.take(columns)
        result[..., rows, columns] = holds_elementwise(kind, *pairs, loose=loose)
    return result


def holds_elementwise(
    kind: RelationKind, subjects: Boxes, anchors: Boxes, *, loose: bool = False
) -> Mask:
    """Return whether subjects are in a relation to anchors, pair by pair, see `holds`."""
    return _RULES[kind](subjects, anchors, loose)


def distance(subjects: Boxes, anchors: Boxes) -> Array:
    """
    Return the distances between centers, which CLOSEST and FARTHEST compare.

    Returns
    -------
    array, shape (..., n, m)
        [m].

    """
    squares: Array = np.zeros(())
    for axis in range(3):
        here, there = subjects.centers[..., axis], anchors.centers[..., axis]
        squares = squares + (here[..., :, None] - there[..., None, :]) ** 2
    return np.sqrt(squares)


def _on(subjects: Boxes, anchors: Boxes, loose: bool) -> Mask:
    gap = subjects.bottoms - anchors.tops
    contact = (LOOSE_CONTACT if loose else CONTACT) + _tolerance(subjects, anchors)
    rests = (gap <= contact) & (subjects.bottoms >= _threshold(subjects, anchors, loose))
    rests &= ~_is(subjects, ClassRole.STRUCTURE) & ~_is(anchors, ClassRole.UPRIGHT)
    rests &= ~_deep(subjects, anchors) & ~_contained(subjects, anchors)
    if not loose:
        rests &= anchors.footprints > subjects.footprints
    rests = _overlapping(rests, subjects, _widened(subjects, anchors), OVERLAP)
    return rests | _hangs_on(subjects, anchors) if loose else rests


def _hangs_on(subjects: Boxes, anchors: Boxes) -> Mask:
    """Return which subjects are flush with a wall or a door, and clear of the floor."""
    middle = subjects.centers[..., 2]
    hangs = (middle < anchors.tops) & (subjects.bottoms > anchors.bottoms + CONTACT)
    hangs &= _is(anchors, ClassRole.UPRIGHT) & ~_is(subjects, ClassRole.STRUCTURE)
    return _close(hangs, subjects, anchors, ON_WALL)


def _in(subjects: Boxes, anchors: Boxes, loose: bool) -> Mask:
    return _inside(subjects, anchors) if loose else _contained(subjects, anchors)


def _above(subjects: Boxes, anchors: Boxes, loose: bool) -> Mask:
    gap = subjects.bottoms - anchors.tops
    higher = gap >= CONTACT + _tolerance(subjects, anchors)
    if loose:
        return _close(higher, subjects, anchors, BEFORE_WALL)
    return _overlapping(higher, subjects, anchors, OVERLAP)


def _below(subjects: Boxes, anchors: Boxes, loose: bool) -> Mask:
    clear = anchors.bottoms - subjects.tops >= _clearance(subjects, anchors)
    if loose:
        beneath = _beneath(subjects, anchors, subjects.centers[..., 2], loose)
        beneath &= ~_is(anchors, ClassRole.STRUCTURE)
        return _close(clear, subjects, anchors, BEFORE_WALL) | _overlapping(
            beneath, subjects, anchors, LOOSE_OVERLAP
        )
    clear &= ~_is(subjects, ClassRole.FURNITURE)
    beneath = _beneath(subjects, anchors, subjects.tops, loose) & _is(
        anchors, ClassRole.ROOM_BENEATH
    )
    return _overlapping(clear | beneath, subjects, anchors, OVERLAP)


def _clearance(subjects: Boxes, anchors: Boxes) -> Array:
    """
    Return the least gap beneath an anchor for objects below it [m].

    A larger object that touches the anchor carries it; a smaller one, or the building, is below
    it.
    """
    tolerance = _tolerance(subjects, anchors)
    carries = (subjects.footprints > anchors.footprints) & ~_is(subjects, ClassRole.STRUCTURE)
    return np.where(carries, CONTACT + tolerance, -tolerance)


def _beneath(subjects: Boxes, anchors: Boxes, heights: Array, loose: bool) -> Mask:
    """Return which subjects stand as low as an anchor, within its height: a chair at a table."""
    low = subjects.bottoms <= _threshold(subjects, anchors, loose)
    return low & (heights <= anchors.tops)


def _contained(subjects: Boxes, anchors: Boxes) -> Mask:
    """Return which subjects are inside an anchor that is made to hold things."""
    shelved = _is(anchors, ClassRole.SHELVED) & _deep(subjects, anchors)
    return _inside(subjects, anchors) & (_is(anchors, ClassRole.CONTAINER) | shelved)


def _inside(subjects: Boxes, anchors: Boxes) -> Mask:
    """Return which subjects are smaller than the anchor and inside it."""
    fits = (subjects.sizes < anchors.sizes).all(axis=-1) & (subjects.tops < anchors.tops)
    fits &= subjects.bottoms > anchors.bottoms - _tolerance(subjects, anchors)
    return fits & contains_center(anchors, subjects)


def _deep(subjects: Boxes, anchors: Boxes) -> Mask:
    """Return which subjects are well below the top of an anchor with shelves."""
    depth = anchors.tops - subjects.tops
    return _is(anchors, ClassRole.SHELVED) & (depth >= DEPTH * anchors.sizes[..., 2])


def _threshold(subjects: Boxes, anchors: Boxes, loose: bool) -> Array:
    """
    Return the least height of an object that is on an anchor, not under it or next to it [m].

    Measured heights need a clear difference, up to half the anchor: a chair at a table is not on
    it. Flat anchors and shelves need no such difference.
    """
    tolerance, heights = _tolerance(subjects, anchors), anchors.sizes[..., 2]
    filled = (heights < FLAT) | _is(anchors, ClassRole.SHELVES)
    step = np.where(filled, -tolerance, np.minimum(tolerance, heights / 2.0))
    lowest = np.where(heights < FLAT, -LOOSE_CONTACT, CONTACT) if loose else CONTACT
    return anchors.bottoms + lowest + step


def _widened(subjects: Boxes, anchors: Boxes) -> Boxes:
    """Return anchors widened by the deviations of horizontal positions."""
    deviations = np.hypot(subjects.deviations, anchors.deviations)[..., :2].max(axis=-1)
    margin = np.minimum(deviations, MOST_TOLERANCE)
    sizes = anchors.sizes + 2.0 * margin[..., None] * np.array((1.0, 1.0, 0.0))
    return replace(anchors, sizes=sizes)


def _tolerance(subjects: Boxes, anchors: Boxes) -> Array:
    """Return the tolerance for a measured gap [m]."""
    deviation = np.hypot(subjects.deviations[..., 2], anchors.deviations[..., 2])
    return np.minimum(TOLERANCE * deviation, MOST_TOLERANCE)


def _is(boxes: Boxes, role: ClassRole) -> Mask:
    has: Mask = (boxes.roles & role) != 0
    return has


def _overlapping(mask: Mask, subjects: Boxes, anchors: Boxes, least: float) -> Mask:
    """Keep the pairs of a mask with more than a share of the smaller footprint in common."""
    result = mask.copy()
    result[mask] = overlap_ratio(subjects.where(mask), anchors.where(mask)) > least
    return result


def _close(mask: Mask, subjects: Boxes, anchors: Boxes, most: float) -> Mask:
    """Keep the pairs of a mask whose footprints are within a distance of each other."""
    result = mask.copy()
    result[mask] = footprint_distance(subjects.where(mask), anchors.where(mask)) <= most
    return result


def _within_reach(subjects: Boxes, anchors: Boxes, margin: float) -> Mask:
    """Return which pairs may be within a distance on the floor in any sample, (n, m)."""
    (here, reach), (there, span) = bounding_circles(subjects), bounding_circles(anchors)
    apart = np.hypot(here[:, None, 0] - there[:, 0], here[:, None, 1] - there[:, 1])
    reached: Mask = apart <= reach[:, None] + span + margin
    return reached


_RULES: dict[RelationKind, Rule] = {
    RelationKind.ON: _on,
    RelationKind.ABOVE: _above,
    RelationKind.BELOW: _below,
    RelationKind.IN: _in,
    RelationKind.NEAR: is_near,
}
# Largest gap on the floor at which a relation can hold [m], if larger than BEFORE_WALL.
_MARGINS = {RelationKind.NEAR: LOOSELY_NEAR * MOST_NEAR}
