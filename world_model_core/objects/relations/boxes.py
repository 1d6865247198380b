# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Arrays of upright boxes, rotated about the vertical axis.

Boxes broadcast like their arrays: `a.column()` against `b.row()` gives all pairs. Boxes without
extent are points and allowed everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.objects.relations.class_roles import roles_of
from world_model_core.objects.relations.usual_sizes import usual_size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject

__all__ = [
    'Boxes',
    'bounding_circles',
    'boxes_of',
    'corners',
    'footprint_corners',
    'rotate',
    'to_box_axes',
]

# Corners of the footprint, counterclockwise, in half lengths and half widths.
_CORNERS = np.array(((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)))


@dataclass(frozen=True, slots=True)
class Boxes:
    """
    Any number of boxes in one frame.

    Attributes
    ----------
    centers : array, shape (..., n, 3)
        [m], in the map's frame; leading axes are posterior samples, or any others.
    sizes : array, shape (..., n, 3)
        Length, width, height [m].
    headings : array, shape (..., n)
        Direction of the length about z [rad].
    deviations : array, shape (..., n, 3)
        Standard deviations of the centers [m]. The default, zeros, marks true boxes.
    roles : array of int, shape (..., n)
        Function of each object (`class_roles.ClassRole`); the default, zeros, means unknown.

    """

    centers: Array
    sizes: Array
    headings: Array
    deviations: Array = field(default_factory=lambda: np.zeros((1, 3)))
    roles: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of boxes: (..., n)."""
        return np.broadcast_shapes(
            self.centers.shape[:-1], self.sizes.shape[:-1], self.headings.shape
        )

    @property
    def bottoms(self) -> Array:
        """Heights of the lower faces [m], shape (..., n)."""
        return self.centers[..., 2] - self.sizes[..., 2] / 2.0

    @property
    def tops(self) -> Array:
        """Heights of the upper faces [m], shape (..., n)."""
        return self.centers[..., 2] + self.sizes[..., 2] / 2.0

    @property
    def footprints(self) -> Array:
        """Footprint areas [m^2], shape (..., n)."""
        return self.sizes[..., 0] * self.sizes[..., 1]

    @property
    def volumes(self) -> Array:
        """Volumes [m^3], shape (..., n)."""
        return self.footprints * self.sizes[..., 2]

    @property
    def footprint_radii(self) -> Array:
        """Radii of the circles around the footprints [m], shape (..., n)."""
        return np.hypot(self.sizes[..., 0], self.sizes[..., 1]) / 2.0

    def take(self, index: NDArray[Any]) -> Boxes:
        """Select boxes along the last axis."""
        count = self.shape[-1]

        def pick(field: NDArray[Any], axis: int) -> NDArray[Any]:
            # Values shared by all boxes need no copy.
            return field if field.shape[axis] == 1 < count else np.take(field, index, axis)

        return Boxes(
            pick(self.centers, -2),
            pick(self.sizes, -2),
            pick(self.headings, -1),
            pick(self.deviations, -2),
            pick(self.roles, -1),
        )

    def where(self, mask: NDArray[np.bool_]) -> Boxes:
        """Select the boxes of a mask (...) to which these broadcast, as a flat array."""
        return self._with(lambda field: np.broadcast_to(field, mask.shape)[mask])

    def column(self) -> Boxes:
        """Return the boxes as rows of a matrix of pairs, (..., n, 1)."""
        return self._with(lambda field: field[..., :, None])

    def row(self) -> Boxes:
        """Return the boxes as columns of a matrix of pairs, (..., 1, n)."""
        return self._with(lambda field: field[..., None, :])

    def _with(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> Boxes:
        """Change the leading axes of every field."""

        def of_vectors(vectors: Array) -> Array:
            return np.stack([change(vectors[..., axis]) for axis in range(3)], axis=-1)

        return Boxes(
            of_vectors(self.centers),
            of_vectors(self.sizes),
            change(self.headings),
            of_vectors(self.deviations),
            change(self.roles),
        )


def boxes_of(objects: Sequence[MapObject]) -> Boxes:
    """
    Return the estimated boxes of objects.

    Parameters
    ----------
    objects : sequence of MapObject, length n

    Returns
    -------
    Boxes
        Of shape (n,). Unknown sizes are replaced by the usual size of the class. If only the
        heading is unknown, the footprint is a square of the same area, which depends little on
        rotation.

    """
    count = len(objects)
    sizes = np.array(
        [usual_size(each.label) if each.size is None else each.size for each in objects]
    )
    sizes = sizes.reshape(count, 3)
    turned = np.array([each.heading is None for each in objects], dtype=bool)
    sizes[turned, :2] = np.sqrt(sizes[turned, 0] * sizes[turned, 1])[:, None]
    covariances = np.array([each.covariance for each in objects]).reshape(count, 3, 3)
    return Boxes(
        np.array([each.position for each in objects]).reshape(count, 3),
        sizes,
        np.array([each.heading or 0.0 for each in objects]),
        np.sqrt(np.maximum(np.diagonal(covariances, axis1=1, axis2=2), 0.0)),
        roles_of(each.label for each in objects),
    )


def corners(boxes: Boxes) -> Array:
    """
    Return all corners.

    Returns
    -------
    array, shape (..., n, 8, 3)
        [m]; the four upper corners counterclockwise, then the lower ones below them.

    """
    outline = footprint_corners(boxes)
    heights = np.stack((boxes.tops, boxes.bottoms), axis=-1)
    shape = (*boxes.shape, 2, 4)
    levels = np.broadcast_to(heights[..., :, None], shape)
    outlines = np.broadcast_to(outline[..., None, :, :], (*shape, 2))
    whole = np.concatenate((outlines, levels[..., None]), axis=-1)
    return whole.reshape(*boxes.shape, 8, 3)


def footprint_corners(boxes: Boxes) -> Array:
    """Return the corners on the floor, counterclockwise: array (..., n, 4, 2) [m]."""
    halves = boxes.sizes[..., None, :2] / 2.0 * _CORNERS
    return boxes.centers[..., None, :2] + rotate(halves, boxes.headings[..., None])


def bounding_circles(boxes: Boxes) -> tuple[Array, Array]:
    """
    Return circles around the footprints of each object in all samples.

    Returns
    -------
    tuple of array, shapes (n, 2) and (n,)
        Centers and radii [m].

    """
    samples = tuple(range(len(boxes.shape) - 1))
    centers = np.broadcast_to(boxes.centers, (*boxes.shape, 3))[..., :2]
    middles = centers.mean(axis=samples)
    strays = np.linalg.norm(centers - middles, axis=-1).max(axis=samples)
    footprint_radii = np.broadcast_to(boxes.footprint_radii, boxes.shape).max(axis=samples)
    return middles, strays + footprint_radii


def rotate(vectors: Array, angles: Array) -> Array:
    """Rotate vectors (..., 2) by angles (...) [rad], counterclockwise."""
    cosine, sine = np.cos(angles), np.sin(angles)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=-1)


def to_box_axes(boxes: Boxes, points: Array) -> Array:
    """Transform points (..., k, 2) of the floor into the axes of each box (...)."""
    return rotate(points - boxes.centers[..., None, :2], -boxes.headings[..., None])
