# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities as true objects: upright boxes around their visible shapes, and their colors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import mujoco
import numpy as np

from world_model_core.frames import heading_of, rotation_about_z, rotation_of
from world_model_core.objects.relations.color_names import lab_of
from world_model_core.simulation.house.furniture_kinds import COLORS
from world_model_core.simulation.object_detector import DetectableObjects
from world_model_core.virtual_world.map_objects import is_object
from world_model_core.virtual_world.rendering.distances import SEEN_GROUPS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['TrueObjects', 'true_objects']

_GEOM = mujoco.mjtGeom
_NAMES = np.array(list(COLORS))
_LABS = lab_of(np.array(list(COLORS.values())))


class TrueObjects(NamedTuple):
    """
    The entities of a world at an instant as objects.

    Attributes
    ----------
    time_ns : int
        Simulated time since the start [ns].
    names : tuple of str
        Of the objects that have visible shapes; walls and other structures are none.
    objects : DetectableObjects
        In the same order, in the frame `world`.

    """

    time_ns: int
    names: tuple[str, ...]
    objects: DetectableObjects


def true_objects(engine: Engine) -> TrueObjects:
    """
    Return the entities of a world as objects, in its present state.

    The label of an object is the category of the entity, or its name if that is empty. Its heading
    is that of the frame of the entity; position and size are those of the smallest upright box
    with this heading around its visible shapes. Its color is the name in `COLORS` that is the
    closest in CIE Lab to the color of its largest shape. Endless planes do not count.
    """
    physics = engine.physics
    entities = engine.truth.entities
    geoms, owners = _seen_geoms(engine)
    shown, firsts, rows = np.unique(owners, return_index=True, return_inverse=True)
    known = tuple(physics.handles)
    names = tuple(known[number] for number in shown.tolist())
    turns = rotation_of(
        np.array([entities[name].pose.orientation for name in names]).reshape(-1, 4)
    )
    headings = heading_of(turns)
    lower, upper = _extents(physics, geoms, rotation_about_z(-headings)[rows])
    low = _reduced(np.minimum, lower, firsts)
    high = _reduced(np.maximum, upper, firsts)
    centers = np.einsum('nij,nj->ni', rotation_about_z(headings), 0.5 * (low + high))
    return TrueObjects(
        physics.time_ns,
        names,
        DetectableObjects(
            labels=tuple(engine.entity(name).category or name for name in names),
            positions=centers,
            sizes=high - low,
            headings=headings,
            colors=_colors(physics.model, geoms, upper - lower, rows),
        ),
    )


def _seen_geoms(engine: Engine) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the visible geoms of objects, and the number of each one's entity."""
    model = engine.physics.model
    owners = np.full(model.ngeom, -1, dtype=np.intp)
    for number, (name, handle) in enumerate(engine.physics.handles.items()):
        if is_object(engine.entity(name)):
            owners[handle.geoms] = number
    seen = (owners >= 0) & (SEEN_GROUPS[model.geom_group] > 0)
    seen &= model.geom_type != int(_GEOM.mjGEOM_PLANE)
    seen &= _rgba(model)[:, 3] > 0.0
    geoms = np.flatnonzero(seen)
    return geoms, owners[geoms]


def _rgba(model: Any) -> Array:
    """Return the colors of all geoms, of their materials if they have one, shape (n, 4)."""
    materials = model.geom_matid
    if not model.nmat:
        return np.asarray(model.geom_rgba, dtype=np.float64)
    rgba = np.where((materials >= 0)[:, None], model.mat_rgba[materials], model.geom_rgba)
    return np.asarray(rgba, dtype=np.float64)


def _extents(physics: Any, geoms: NDArray[np.intp], turns: Array) -> tuple[Array, Array]:
    """Return the corners of boxes around geoms, along axes that `turns` (n, 3, 3) turns to."""
    model, data = physics.model, physics.data
    rotations = turns @ data.geom_xmat[geoms].reshape(-1, 3, 3)
    centers = np.einsum('nij,nj->ni', turns, data.geom_xpos[geoms])
    centers += np.einsum('nij,nj->ni', rotations, model.geom_aabb[geoms, :3])
    halves = _half_lengths(model.geom_type[geoms], model.geom_aabb[geoms, 3:], rotations)
    lower, upper = centers - halves, centers + halves
    # Boxes of meshes along their own axes are too large in others.
    for row in np.flatnonzero(model.geom_type[geoms] == int(_GEOM.mjGEOM_MESH)):
        geom = geoms[row]
        mesh = model.geom_dataid[geom]
        start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        vertices = model.mesh_vert[start : start + count] @ rotations[row].T
        place = turns[row] @ data.geom_xpos[geom]
        lower[row] = vertices.min(axis=0) + place
        upper[row] = vertices.max(axis=0) + place
    return lower, upper


def _half_lengths(types: NDArray[np.int32], halves: Array, rotations: Array) -> Array:
    """Return half of the extents (n, 3) of turned shapes from those along their own axes."""
    axis = np.abs(rotations[..., 2])
    ring = np.sqrt(np.clip(1.0 - axis**2, 0.0, 1.0))
    radius, half = halves[:, :1], halves[:, 2:]
    boxes = np.einsum('nij,nj->ni', np.abs(rotations), halves)
    ellipsoids = np.sqrt(np.einsum('nij,nj->ni', rotations**2, halves**2))
    round_types = {
        _GEOM.mjGEOM_SPHERE: np.broadcast_to(radius, boxes.shape),
        _GEOM.mjGEOM_CYLINDER: axis * half + ring * radius,
        _GEOM.mjGEOM_CAPSULE: axis * (half - radius) + radius,
        _GEOM.mjGEOM_ELLIPSOID: ellipsoids,
    }
    extents: Array = np.select(
        [(types == int(kind))[:, None] for kind in round_types], list(round_types.values()), boxes
    )
    return extents


def _reduced(function: np.ufunc, values: Array, firsts: NDArray[np.intp]) -> Array:
    """Combine the rows of each group, given the first row of each; reduceat needs a group."""
    if not len(firsts):
        return np.empty((0, 3))
    return np.asarray(function.reduceat(values, firsts, axis=0), dtype=np.float64)


def _colors(
    model: Any, geoms: NDArray[np.intp], sizes: Array, rows: NDArray[np.intp]
) -> tuple[str, ...]:
    """Return the color name of the largest geom of each entity, by the surface of its box."""
    surfaces = (sizes * np.roll(sizes, 1, axis=1)).sum(axis=1)
    # By entity, the largest surface first.
    order = np.lexsort((-surfaces, rows))
    largest = geoms[order[np.flatnonzero(np.diff(rows[order], prepend=-1))]]
    labs = lab_of(255.0 * _rgba(model)[largest, :3])
    nearest = np.linalg.norm(labs[:, None] - _LABS, axis=-1).argmin(axis=1)
    return tuple(_NAMES[nearest].tolist())
