# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes of parts as geoms of MuJoCo, and their meshes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mujoco

from world_model_core.virtual_world.engine.poses import wxyz
from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Cylinder,
    LineSet,
    Plane,
    ShapeUse,
    Sphere,
    TriangleMesh,
)

if TYPE_CHECKING:
    from world_model_core.findings import Findings
    from world_model_core.virtual_world.engine.surfaces import Surfaces
    from world_model_core.virtual_world.values import Entity, Geometry, Part, Shape

__all__ = ['HIDDEN', 'SOLID', 'VISIBLE', 'add_shapes']

# Groups of geoms: what is seen, what only collides, and what the state of its entity hides.
VISIBLE, SOLID, HIDDEN = 1, 3, 5


def add_shapes(
    surfaces: Surfaces, body: Any, entity: Entity, part: Part, findings: Findings
) -> None:
    """
    Add the shapes of a part to its body, under names `ENTITY/PART#NUMBER`.

    Parameters
    ----------
    surfaces : Surfaces
        Gets the meshes and materials.
    body : mujoco.MjsBody
    entity : Entity
    part : Part
    findings : Findings
        Gets what is left out.

    """
    for number, shape in enumerate(part.shapes):
        if isinstance(shape.geometry, LineSet):
            continue
        if isinstance(shape.geometry, Plane) and entity.movable:
            findings.add('Physics.MovingPlane', '', entity.name, part=part.name)
            continue
        geom = body.add_geom(
            name=f'{entity.name}/{part.name}#{number}',
            pos=shape.pose.position,
            quat=wxyz(shape.pose.orientation),
            mass=0.0,
            group=SOLID if shape.use is ShapeUse.COLLISION else VISIBLE,
        )
        if shape.use is not ShapeUse.COLLISION:
            geom.material = surfaces.material(shape)
        if shape.use is ShapeUse.VISUAL or part.mass == 0.0:
            geom.contype = geom.conaffinity = 0
        if entity.friction is not None:
            # MuJoCo takes the larger of two values, unless one has priority.
            geom.friction, geom.priority = (entity.friction, 0.0, 0.0), 1
        _set_geometry(surfaces, geom, shape)


def _set_geometry(surfaces: Surfaces, geom: Any, shape: Shape) -> None:
    if isinstance(shape.geometry, TriangleMesh):
        geom.type = mujoco.mjtGeom.mjGEOM_MESH
        collides = bool(geom.contype)
        geom.meshname = surfaces.mesh(
            shape.geometry, collides=collides, seen=shape.use is not ShapeUse.COLLISION
        )
    else:
        geom.type, geom.size = _primitive(shape.geometry)


def _primitive(geometry: Geometry) -> tuple[Any, tuple[float, float, float]]:
    """Return the type and size of a geom of MuJoCo, which has half lengths."""
    if isinstance(geometry, Box):
        x, y, z = geometry.size
        return mujoco.mjtGeom.mjGEOM_BOX, (0.5 * x, 0.5 * y, 0.5 * z)
    if isinstance(geometry, Sphere):
        return mujoco.mjtGeom.mjGEOM_SPHERE, (geometry.radius, 0.0, 0.0)
    if isinstance(geometry, Cylinder):
        return mujoco.mjtGeom.mjGEOM_CYLINDER, (geometry.radius, 0.5 * geometry.length, 0.0)
    if isinstance(geometry, Capsule):
        return mujoco.mjtGeom.mjGEOM_CAPSULE, (geometry.radius, 0.5 * geometry.length, 0.0)
    return mujoco.mjtGeom.mjGEOM_PLANE, (0.0, 0.0, 1.0)
