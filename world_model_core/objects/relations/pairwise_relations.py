# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Which objects stand in a relation to which others.

Two senses of each relation are known. The strict one is that of VLA-3D's scene graphs: its rules
and thresholds are facts of their generator (github.com/HaochenZ11/VLA-3D), found to hold in all of
its sample scenes. The loose one is what people also say: a sofa in front of the wall on which a
window is "below" it, a picture is "on" the wall. Ask for the strict sense first, and for the loose
one where nothing fits.

What is measured is never in contact: the gap of a cup and its table comes out as centimetres one
way or the other. Boxes that know their deviations are given the benefit of that doubt, twice the
deviation of the gap, on both sides of the same threshold: what may rest on something does not hang
above it. At such a gap contact, and a gap of anything up to a metre or two, are about equally
likely. Beside its table a cup cannot float, so that a table is as much wider as the deviation of
where the cup is. Without deviations the rules are exact.
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

# Of VLA-3D: largest gap of what rests on something, and least height at which it does [m]; least
# share of the smaller footprint that both cover; depth below the top of a cabinet, as a share of
# its height, from which things are in it.
CONTACT = 0.01
OVERLAP = 0.5
DEPTH = 0.1
# Doubt about a gap, in its deviations, and the most of it [m]: what is known to a metre does not
# rest on everything. Set so that probabilities are calibrated in simulated houses.
DOUBT, MOST_DOUBT = 2.0, 0.3
# Height of what is flat [m]: nothing stands inside it, as a chair does in the box of a table.
FLAT = 0.1
# Loose: from a wall to what stands before it; from a wall to what hangs on it; gap beneath what
# stands on legs that the box missed; share of an object that is under a table's top [m, 1].
BEFORE_WALL = 0.3
ON_WALL = 0.1
LOOSE_CONTACT = 0.05
LOOSE_OVERLAP = 0.2


def holds(kind: RelationKind, subjects: Boxes, anchors: Boxes, *, loose: bool = False) -> Mask:
    """
    Tell which subjects stand in a relation to which anchors.

    An object that is among both is near itself; the caller knows which those are.

    Parameters
    ----------
    kind : RelationKind
        ON, ABOVE, BELOW, IN or NEAR; see `between.between`, `distance` and `viewpoint.stands`.
    subjects, anchors : Boxes, shapes (..., n) and (..., m)
    loose : bool
        Take the loose sense.

    Returns
    -------
    array of bool, shape (..., n, m)

    Raises
    ------
    KeyError
        If the relation is not one of two boxes alone.

    """
    worlds = np.broadcast_shapes(subjects.shape[:-1], anchors.shape[:-1])
    result = np.zeros((*worlds, subjects.shape[-1], anchors.shape[-1]), dtype=np.bool_)
    rows, columns = np.nonzero(_within_reach(subjects, anchors, _MARGINS.get(kind, BEFORE_WALL)))
    if rows.size:
        pairs = subjects.take(rows), anchors.take(columns)
        result[..., rows, columns] = holds_elementwise(kind, *pairs, loose=loose)
    return result


def holds_elementwise(
    kind: RelationKind, subjects: Boxes, anchors: Boxes, *, loose: bool = False
) -> Mask:
    """Tell whether subjects stand in a relation to anchors, pair by pair, as `holds` does."""
    return _RULES[kind](subjects, anchors, loose)


def distance(subjects: Boxes, anchors: Boxes) -> Array:
    """
    Measure what CLOSEST and FARTHEST order by: from centre to centre.

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
    contact = (LOOSE_CONTACT if loose else CONTACT) + _doubt(subjects, anchors)
    is_on_side = (gap <= contact) & (subjects.bottoms >= _threshold(subjects, anchors, loose))
    is_on_side &= ~_is(subjects, ClassRole.STRUCTURE) & ~_is(anchors, ClassRole.UPRIGHT)
    is_on_side &= ~_deep(subjects, anchors) & ~_contained(subjects, anchors)
    if not loose:
        is_on_side &= anchors.footprints > subjects.footprints
    is_on_side = _overlapping(is_on_side, subjects, _widened(subjects, anchors), OVERLAP)
    return is_on_side | _hangs_on(subjects, anchors) if loose else is_on_side


def _hangs_on(subjects: Boxes, anchors: Boxes) -> Mask:
    """Tell what is flush with a wall or a door, clear of the floor."""
    middle = subjects.centers[..., 2]
    hangs = (middle < anchors.tops) & (subjects.bottoms > anchors.bottoms + CONTACT)
    hangs &= _is(anchors, ClassRole.UPRIGHT) & ~_is(subjects, ClassRole.STRUCTURE)
    return _close(hangs, subjects, anchors, ON_WALL)


def _in(subjects: Boxes, anchors: Boxes, loose: bool) -> Mask:
    return _inside(subjects, anchors) if loose else _contained(subjects, anchors)


def _above(subjects: Boxes, anchors: Boxes, loose: bool) -> Mask:
    gap = subjects.bottoms - anchors.tops
    higher = gap >= CONTACT + _doubt(subjects, anchors)
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
    Find the least gap beneath an anchor of what is below it [m].

    What is larger and touches it carries it; what is smaller, or part of the building, is below.
    """
    doubt = _doubt(subjects, anchors)
    carries = (subjects.footprints > anchors.footprints) & ~_is(subjects, ClassRole.STRUCTURE)
    return np.where(carries, CONTACT + doubt, -doubt)


def _beneath(subjects: Boxes, anchors: Boxes, heights: Array, loose: bool) -> Mask:
    """Tell what stands as low as an anchor does, within its height: a chair at a table."""
    low = subjects.bottoms <= _threshold(subjects, anchors, loose)
    return low & (heights <= anchors.tops)


def _contained(subjects: Boxes, anchors: Boxes) -> Mask:
    """Tell what is inside something that is made to hold things."""
    shelved = _is(anchors, ClassRole.SHELVED) & _deep(subjects, anchors)
    return _inside(subjects, anchors) & (_is(anchors, ClassRole.CONTAINER) | shelved)


def _inside(subjects: Boxes, anchors: Boxes) -> Mask:
    """Tell what is smaller than another and within its height, its centre inside."""
    fits = (subjects.sizes < anchors.sizes).all(axis=-1) & (subjects.tops < anchors.tops)
    fits &= subjects.bottoms > anchors.bottoms - _doubt(subjects, anchors)
    return fits & contains_center(anchors, subjects)


def _deep(subjects: Boxes, anchors: Boxes) -> Mask:
    """Tell what is well below the top of something with shelves."""
    depth = anchors.tops - subjects.tops
    return _is(anchors, ClassRole.SHELVED) & (depth >= DEPTH * anchors.sizes[..., 2])


def _threshold(subjects: Boxes, anchors: Boxes, loose: bool) -> Array:
    """
    Find how high something must stand to be on an anchor and not under or beside it [m].

    Measured heights need a clear step, up to half the anchor: a chair at a table is not on it. On
    what is flat, or has a lowest shelf, there is no such choice.
    """
    doubt, heights = _doubt(subjects, anchors), anchors.sizes[..., 2]
    filled = (heights < FLAT) | _is(anchors, ClassRole.SHELVES)
    step = np.where(filled, -doubt, np.minimum(doubt, heights / 2.0))
    lowest = np.where(heights < FLAT, -LOOSE_CONTACT, CONTACT) if loose else CONTACT
    return anchors.bottoms + lowest + step


def _widened(subjects: Boxes, anchors: Boxes) -> Boxes:
    """Widen anchors by the doubt about where on the floor they are: nothing floats beside one."""
    deviations = np.hypot(subjects.deviations, anchors.deviations)[..., :2].max(axis=-1)
    margin = np.minimum(deviations, MOST_DOUBT)
    sizes = anchors.sizes + 2.0 * margin[..., None] * np.array((1.0, 1.0, 0.0))
    return replace(anchors, sizes=sizes)


def _doubt(subjects: Boxes, anchors: Boxes) -> Array:
    """Find how much of a measured gap may be none [m]."""
    deviation = np.hypot(subjects.deviations[..., 2], anchors.deviations[..., 2])
    return np.minimum(DOUBT * deviation, MOST_DOUBT)


def _is(boxes: Boxes, role: ClassRole) -> Mask:
    has: Mask = (boxes.roles & role) != 0
    return has


def _overlapping(mask: Mask, subjects: Boxes, anchors: Boxes, least: float) -> Mask:
    """Keep of a mask those pairs that share more than a part of the smaller footprint."""
    result = mask.copy()
    result[mask] = overlap_ratio(subjects.where(mask), anchors.where(mask)) > least
    return result


def _close(mask: Mask, subjects: Boxes, anchors: Boxes, most: float) -> Mask:
    """Keep of a mask those pairs whose footprints are no farther apart than that."""
    result = mask.copy()
    result[mask] = footprint_distance(subjects.where(mask), anchors.where(mask)) <= most
    return result


def _within_reach(subjects: Boxes, anchors: Boxes, margin: float) -> Mask:
    """Tell which pairs may be as close as that on the floor in any world, (n, m)."""
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
# Gaps on the floor beyond which no sense of a relation holds [m], where wider than others'.
_MARGINS = {RelationKind.NEAR: LOOSELY_NEAR * MOST_NEAR}
