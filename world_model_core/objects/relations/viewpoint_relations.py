# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Left, right, in front and behind, as seen from a stated place."""

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

# Cosine of 60 degrees: how far aside of a direction still counts as that direction. What is off a
# corner is both left and behind, as people have it.
ASIDE = 0.5


def is_on_side(
    kind: RelationKind, subjects: Boxes, anchors: Boxes, observer: Array, *, loose: bool = False
) -> Mask:
    """
    Tell which subjects are on a side of which anchors, for an observer who looks at the anchor.

    In front is what is nearer to the observer; left is the observer's left.

    Parameters
    ----------
    kind : RelationKind
        LEFT_OF, RIGHT_OF, IN_FRONT_OF or BEHIND.
    subjects, anchors : Boxes, shapes (..., n) and (..., m)
    observer : array, shape (..., 2) or (..., 3)
        Where it is looked from [m], x and y first, in each world.
    loose : bool
        Take all that is on that side at all, and not only what is mainly there.

    Returns
    -------
    array of bool, shape (..., n, m)
        False for anchors at the place of the observer.

    Raises
    ------
    KeyError
        If the relation needs no observer.

    """
    watched = observer[..., None, None, :2]
    return is_on_side_elementwise(kind, subjects.column(), anchors.row(), watched, loose=loose)


def is_on_side_elementwise(
    kind: RelationKind, subjects: Boxes, anchors: Boxes, observer: Array, *, loose: bool = False
) -> Mask:
    """Tell whether subjects are on a side of anchors, pair by pair, as `stands` does."""
    sight = anchors.centers[..., :2] - observer[..., :2]
    apart = subjects.centers[..., :2] - anchors.centers[..., :2]
    along, across = _DIRECTIONS[kind]
    forward = along * (sight * apart).sum(axis=-1)
    leftward = across * (sight[..., 0] * apart[..., 1] - sight[..., 1] * apart[..., 0])
    lengths = np.linalg.norm(sight, axis=-1) * np.linalg.norm(apart, axis=-1)
    placed: Mask = forward + leftward > (0.0 if loose else ASIDE) * lengths
    return placed


def bearings(boxes: Boxes, observer: Array) -> Array:
    """
    Measure how far to the left of their common middle objects appear.

    Parameters
    ----------
    boxes : Boxes, shape (..., n)
    observer : array, shape (..., 2) or (..., 3)
        Where it is looked from [m].

    Returns
    -------
    array, shape (..., n)
        [rad], within (-pi, pi]; greatest for the leftmost.

    """
    sights = boxes.centers[..., :2] - observer[..., None, :2]
    middle = sights.mean(axis=-2, keepdims=True)
    forward = (middle * sights).sum(axis=-1)
    leftward = middle[..., 0] * sights[..., 1] - middle[..., 1] * sights[..., 0]
    angles: Array = np.arctan2(leftward, forward)
    return angles


# Of the line of sight and of its left, the share that each side has.
_DIRECTIONS = {
    RelationKind.LEFT_OF: (0.0, 1.0),
    RelationKind.RIGHT_OF: (0.0, -1.0),
    RelationKind.IN_FRONT_OF: (-1.0, 0.0),
    RelationKind.BEHIND: (1.0, 0.0),
}
