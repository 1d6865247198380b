# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities that a camera sees: by the pixels of a segmentation image, or by SIGVerse's rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.frames import inverse, pose_transform, transform_points
from world_model_core.virtual_world.rendering.image_kinds import ImageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.rendering.renderer import Renderer
    from world_model_core.virtual_world.rendering.scene_states import SceneState
    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
    from world_model_core.virtual_world.values import Vector

    Finder: TypeAlias = Callable[[Renderer, SceneState], tuple[str, ...]]

__all__ = [
    'LEAST_PIXELS',
    'VisibilityRule',
    'detect_entities',
    'detect_originally',
    'originally_visible',
    'visible_entities',
]

# Fewer pixels of an entity are not seen, unless a caller decides otherwise.
LEAST_PIXELS = 20
# Width and height of the images in which entities are detected, as SIGVerse's [pixels].
DETECTION_SIZE = (320, 240)
# Distance of the near plane of SIGVerse's viewer, which has no far one: 3 cm [m].
ORIGINAL_NEAR = 0.03


@dataclass(frozen=True, slots=True)
class VisibilityRule:
    """
    Which entities a camera sees.

    Attributes
    ----------
    least_pixels, least_share : int, float
        See `detect_entities`.
    original_detection : bool
        Whether SIGVerse's rule decides instead, see `originally_visible`.

    """

    least_pixels: int = LEAST_PIXELS
    least_share: float = 0.0
    original_detection: bool = False

    def finder(self, engine: Engine, viewpoint: Viewpoint, exclude: str) -> Finder:
        """
        Return a function that finds the names of the visible entities.

        Parameters
        ----------
        engine : Engine
            In the state to be seen, which the function is given as well.
        viewpoint : Viewpoint
        exclude : str
            Name of the entity that carries the camera, which is left out.

        """
        if self.original_detection:
            names = detect_originally(engine, viewpoint, exclude)
            return lambda _renderer, _state: names
        return lambda renderer, state: tuple(
            detect_entities(
                renderer,
                state,
                viewpoint,
                DETECTION_SIZE,
                least_pixels=self.least_pixels,
                least_share=self.least_share,
                exclude=exclude,
            )
        )


def visible_entities(
    segmentation: NDArray[np.int32],
    names: Sequence[str],
    *,
    least_pixels: int = LEAST_PIXELS,
    exclude: str = '',
) -> dict[str, int]:
    """
    Return the entities that a segmentation image shows, and their numbers of pixels.

    Parameters
    ----------
    segmentation : array of int32, shape (height, width)
        Index of an entity in `names` for each pixel; -1 where there is none.
    names : sequence of str
    least_pixels : int
        Entities with fewer pixels are left out.
    exclude : str
        Name of an entity that is left out: the one that carries the camera.

    Returns
    -------
    dict of str to int
        In the order of `names`.

    """
    # One more than the index, as bincount counts from 0.
    counts = np.bincount(segmentation.ravel() + 1, minlength=len(names) + 1)[1:]
    seen = np.flatnonzero(counts >= max(least_pixels, 1)).tolist()
    return {names[index]: int(counts[index]) for index in seen if names[index] != exclude}


def detect_entities(
    renderer: Renderer,
    state: SceneState,
    viewpoint: Viewpoint,
    size: tuple[int, int],
    *,
    least_pixels: int = LEAST_PIXELS,
    least_share: float = 0.0,
    exclude: str = '',
) -> dict[str, int]:
    """
    Return the entities that a camera sees, and their numbers of pixels.

    Parameters
    ----------
    renderer : Renderer
    state : SceneState
    viewpoint : Viewpoint
    size : tuple of int
        Width and height of the segmentation image [pixels].
    least_pixels : int
        Entities with fewer pixels are left out.
    least_share : float
        So are those of which less is seen than this part of what would be seen with nothing in the
        way; above 0 this takes one more image for each entity.
    exclude : str
        Name of the entity that carries the camera, which is left out.

    Returns
    -------
    dict of str to int
        In the order of `state.scene.names`.

    Raises
    ------
    RenderingError
        The driver does not work.

    """
    kind, names = ImageKind.SEGMENTATION, state.scene.names
    image = renderer.capture(state, kind, viewpoint, *size)
    seen = visible_entities(image, names, least_pixels=least_pixels, exclude=exclude)
    if least_share <= 0.0:
        return seen
    alone = {
        name: np.count_nonzero(renderer.capture(state.alone(name), kind, viewpoint, *size) >= 0)
        for name in seen
    }
    return {name: pixels for name, pixels in seen.items() if pixels >= least_share * alone[name]}


def detect_originally(engine: Engine, viewpoint: Viewpoint, exclude: str = '') -> tuple[str, ...]:
    """Return the entities of a world, in its present state, that SIGVerse's rule reports."""
    boxes = {name: engine.bounds(name) for name in engine.names}
    origins = {name: engine.root_state_of(name).pose.position for name in engine.names}
    return originally_visible(boxes, origins, viewpoint, exclude)


def originally_visible(
    boxes: Mapping[str, tuple[Vector, Vector]],
    origins: Mapping[str, Vector],
    viewpoint: Viewpoint,
    exclude: str = '',
) -> tuple[str, ...]:
    """
    Return the entities that SIGVerse's rule takes as visible.

    Candidates are the entities whose box meets five planes: the sides of the field of view, and a
    near plane. A candidate is hidden if a half-line from the camera through its origin meets the
    box of another entity whose origin is nearer (SIGViewer, sgv_main_window.cpp, lines 3196-3570).
    Large entities such as walls fail both ways: their origin may be hidden, or farther away than
    what they hide.

    Parameters
    ----------
    boxes : mapping of str to tuple
        Lower and upper corner of each entity in the frame `world` [m].
    origins : mapping of str to tuple
        Position of each entity in the frame `world` [m].
    viewpoint : Viewpoint
    exclude : str
        Name of the entity that carries the camera; it neither is seen nor hides others.

    Returns
    -------
    tuple of str
        In the order of `boxes`.

    """
    names = [name for name in boxes if name != exclude]
    corners = np.array([boxes[name] for name in names], dtype=np.float64).reshape(-1, 2, 3)
    places = np.array([origins[name] for name in names], dtype=np.float64).reshape(-1, 3)
    candidates = _meets_field_of_view(corners, viewpoint)
    eye = np.array(viewpoint.pose.position)
    rays = places - eye
    distances = np.linalg.norm(rays, axis=1)
    # Row: target; column: what may hide it.
    hides = _met(eye, rays, corners)
    hides &= distances < distances[:, None]
    np.fill_diagonal(hides, val=False)
    seen = candidates & ~hides.any(axis=1)
    return tuple(names[index] for index in np.flatnonzero(seen))


def _meets_field_of_view(corners: Array, viewpoint: Viewpoint) -> NDArray[np.bool_]:
    """Return which boxes (n, 2, 3) are not entirely behind one of the five planes."""
    turned = pose_transform(viewpoint.pose.position, viewpoint.pose.orientation)
    up = math.tan(viewpoint.vertical_fov / 2.0)
    aside = viewpoint.aspect_ratio * up
    normals = np.array(
        ((1.0, 0.0, 0.0), (aside, 1.0, 0.0), (aside, -1.0, 0.0), (up, 0.0, 1.0), (up, 0.0, -1.0))
    )
    nearest = np.array((ORIGINAL_NEAR, 0.0, 0.0, 0.0, 0.0))
    centers = transform_points(inverse(turned), corners.mean(axis=1))
    halves = (corners[:, 1] - corners[:, 0]) / 2.0
    # Half lengths of the boxes along the normals, which are in the frame of the camera.
    reach = halves @ np.abs(normals @ turned.rotation.T).T
    ahead: NDArray[np.bool_] = (centers @ normals.T + reach >= nearest).all(axis=1)
    return ahead


def _met(eye: Array, rays: Array, corners: Array) -> NDArray[np.bool_]:
    """
    Return which half-lines (n, 3) from one point meet which boxes (m, 2, 3), shape (n, m).

    By the slabs between opposite faces (Kay and Kajiya, Ray Tracing Complex Scenes, 1986).
    """
    with np.errstate(divide='ignore', invalid='ignore'):
        crossed = (corners - eye)[None] / rays[:, None, None, :]
    # A half-line within the plane of a face, 0 / 0, touches its slab.
    enter = np.nan_to_num(crossed.min(axis=2), nan=-np.inf).max(axis=-1)
    leave = np.nan_to_num(crossed.max(axis=2), nan=np.inf).min(axis=-1)
    met: NDArray[np.bool_] = leave >= np.maximum(enter, 0.0)
    return met
