# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Relations that depend on an observer: left, right, in front and behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.query import RelationKind

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.relations.boxes import Boxes

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ['bearings', 'is_on_side', 'is_on_side_elementwise']

# Cosine of 60 degrees, the largest angle to a direction: an object off a corner is both left and
# behind.
ASIDE = 0.5


def is_on_side(
    kind: RelationKind, subjects: Boxes, anchors: Boxes, observer: Array, *, loose: bool = False
) -> Mask:
    """
    Return which subjects are on a side of which anchors, for an observer facing the anchor.

    In front is nearer to the observer; left is the observer's left.

    Parameters
    ----------
    kind : RelationKind
        LEFT_OF, RIGHT_OF, IN_FRONT_OF or BEHIND.
    subjects, anchors : Boxes, shapes (..., n) and (..., m)
    observer : array, shape (..., 2) or (..., 3)
        Position of the observer in each sample [m], x and y first.
    loose : bool
        Accept any angle up to 90 degrees.

    Returns
    -------
    array of bool, shape (..., n, m)
        False for anchors at the position of the observer.

    Raises
    ------
    KeyError
        If the relation does not depend on an observer.

    """
    watched = observer[..., None, None, :2]
    return is_on_side_elementwise(kind, subjects.column(), anchors.row(), watched, loose=loose)


def is_on_side_elementwise(
    kind: RelationKind, subjects: Boxes, anchors: Boxes, observer: Array, *, loose: bool = False
) -> Mask:
    """Return whether subjects are on a side of anchors, pair by pair, see `is_on_side`."""
    view = anchors.centers[..., :2] - observer[..., :2]
    apart = subjects.centers[..., :2] - anchors.centers[..., :2]
    along, across = _DIRECTIONS[kind]
    forward = along * (view * apart).sum(axis=-1)
    leftward = across * (view[..., 0] * apart[..., 1] - view[..., 1] * apart[..., 0])
    lengths = np.linalg.norm(view, axis=-1) * np.linalg.norm(apart, axis=-1)
    placed: Mask = forward + leftward > (0.0 if loose else ASIDE) * lengths
    return placed


def bearings(boxes: Boxes, observer: Array) -> Array:
    """
    Return the angles by which objects appear left of their common middle.

    Parameters
    ----------
    boxes : Boxes, shape (..., n)
    observer : array, shape (..., 2) or (..., 3)
        Position of the observer [m].

    Returns
    -------
    array, shape (..., n)
        [rad], within (-pi, pi]; greatest for the leftmost object.

    """
    views = boxes.centers[..., :2] - observer[..., None, :2]
    middle = views.mean(axis=-2, keepdims=True)
    forward = (middle * views).sum(axis=-1)
    leftward = middle[..., 0] * views[..., 1] - middle[..., 1] * views[..., 0]
    angles: Array = np.arctan2(leftward, forward)
    return angles


# Factors of the line of view and of its left normal for each side.
_DIRECTIONS = {
    RelationKind.LEFT_OF: (0.0, 1.0),
    RelationKind.RIGHT_OF: (0.0, -1.0),
    RelationKind.IN_FRONT_OF: (-1.0, 0.0),
    RelationKind.BEHIND: (1.0, 0.0),
}
