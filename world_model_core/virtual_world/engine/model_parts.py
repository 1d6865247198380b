# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parts and visible shapes of entities that MuJoCo reads by itself, from the compiled model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.poses import pose_of
from world_model_core.virtual_world.values import (
    Box,
    Capsule,
    Cylinder,
    Joint,
    Material,
    Part,
    Plane,
    Shape,
    ShapeUse,
    Sphere,
    TriangleMesh,
)

if TYPE_CHECKING:
    from world_model_core.virtual_world.engine.handles import Handle
    from world_model_core.virtual_world.engine.physics import Physics
    from world_model_core.virtual_world.values import Geometry, Pose

__all__ = ['model_parts']

# MuJoCo shows the geoms of groups below this one.
FIRST_HIDDEN_GROUP = 3
# Triangles around an ellipsoid, and from pole to pole.
AROUND, ALONG = 24, 12
_GEOM = mujoco.mjtGeom
_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)


def model_parts(physics: Physics, name: str, root_pose: Pose) -> tuple[Part, ...]:
    """
    Return the parts of an entity, with the shapes that are seen.

    Height fields and signed distance fields are left out; of several joints of a part, the last
    one is listed.

    Parameters
    ----------
    physics : Physics
    name : str
        Of the entity.
    root_pose : Pose
        Of the root part in the frame of the entity.

    """
    model, handle = physics.model, physics.handle(name)
    joints = _joints(model, handle)
    shapes = _shapes(model, handle)
    names = {body: part for part, body in handle.parts.items()}
    return tuple(
        Part(
            part,
            parent=names.get(int(model.body_parentid[body]), ''),
            pose=root_pose if body == handle.root else _body_pose(model, body),
            joint=joints.get(body),
            shapes=tuple(shapes.get(body, ())),
        )
        for part, body in handle.parts.items()
    )


def _body_pose(model: Any, body: int) -> Pose:
    return pose_of(model.body_pos[body].tolist(), model.body_quat[body].tolist())


def _joints(model: Any, handle: Handle) -> dict[int, Joint]:
    """Return joints by their bodies."""
    joints = {}
    for each in handle.jointed.values():
        limits = model.jnt_range[each.index] if model.jnt_limited[each.index] else None
        lower, upper = (-math.inf, math.inf) if limits is None else limits.tolist()
        axis, anchor = model.jnt_axis[each.index].tolist(), model.jnt_pos[each.index].tolist()
        body = int(model.jnt_bodyid[each.index])
        joints[body] = Joint(each.name, each.kind, tuple(axis), tuple(anchor), lower, upper)
    return joints


def _shapes(model: Any, handle: Handle) -> dict[int, list[Shape]]:
    """Return the shapes that are seen, by their bodies."""
    shapes: dict[int, list[Shape]] = {}
    for geom in range(handle.geoms.start, handle.geoms.stop):
        if model.geom_group[geom] >= FIRST_HIDDEN_GROUP:
            continue
        geometry = _geometry(model, geom)
        if geometry is not None:
            pose = pose_of(model.geom_pos[geom].tolist(), model.geom_quat[geom].tolist())
            shape = Shape(geometry, pose, ShapeUse.VISUAL, Material(_color(model, geom)))
            shapes.setdefault(int(model.geom_bodyid[geom]), []).append(shape)
    return shapes


def _geometry(model: Any, geom: int) -> Geometry | None:
    """Return the geometry of a geom; None if it has no counterpart."""
    kind, (x, y, z) = int(model.geom_type[geom]), model.geom_size[geom].tolist()
    if kind == int(_GEOM.mjGEOM_MESH):
        return _mesh(model, int(model.geom_dataid[geom]))
    made: dict[int, Geometry] = {
        int(_GEOM.mjGEOM_PLANE): Plane(),
        int(_GEOM.mjGEOM_SPHERE): Sphere(x),
        int(_GEOM.mjGEOM_CAPSULE): Capsule(x, 2.0 * y),
        int(_GEOM.mjGEOM_CYLINDER): Cylinder(x, 2.0 * y),
        int(_GEOM.mjGEOM_BOX): Box((2.0 * x, 2.0 * y, 2.0 * z)),
    }
    if kind == int(_GEOM.mjGEOM_ELLIPSOID):
        return _ellipsoid(x, y, z)
    return made.get(kind)


def _mesh(model: Any, mesh: int) -> TriangleMesh:
    vertex, face = int(model.mesh_vertadr[mesh]), int(model.mesh_faceadr[mesh])
    vertices = model.mesh_vert[vertex : vertex + model.mesh_vertnum[mesh]]
    faces = model.mesh_face[face : face + model.mesh_facenum[mesh]]
    return TriangleMesh(np.array(vertices, dtype=np.float64), np.array(faces, dtype=np.int32))


def _ellipsoid(x: float, y: float, z: float) -> TriangleMesh:
    """Return the triangles of an ellipsoid with semi-axes along the axes of its frame [m]."""
    longitudes = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    colatitudes = np.linspace(0.0, np.pi, ALONG + 1)
    theta, phi = np.meshgrid(colatitudes, longitudes, indexing='ij')
    unit = np.stack((np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)), 2)
    row, column = (each.ravel() for each in np.meshgrid(range(ALONG), range(AROUND)))
    upper, lower = row * AROUND, (row + 1) * AROUND
    after = (column + 1) % AROUND
    quads = (
        np.stack((upper + column, lower + column, lower + after), axis=1),
        np.stack((upper + column, lower + after, upper + after), axis=1),
    )
    return TriangleMesh(unit.reshape(-1, 3) * (x, y, z), np.concatenate(quads).astype(np.int32))


def _color(model: Any, geom: int) -> tuple[float, float, float, float]:
    """Return the color of a geom; that of a picture is its mean."""
    material = int(model.geom_matid[geom])
    if material < 0:
        red, green, blue, opacity = model.geom_rgba[geom].tolist()
        return red, green, blue, opacity
    color = model.mat_rgba[material].astype(np.float64)
    texture = int(model.mat_texid[material][_RGB])
    if texture >= 0:
        color[:3] *= _mean_color(model, texture)
    red, green, blue, opacity = color.tolist()
    return red, green, blue, opacity


def _mean_color(model: Any, texture: int) -> Any:
    """Return the mean of a picture, shape (3,), from 0 to 1."""
    start, channels = int(model.tex_adr[texture]), int(model.tex_nchannel[texture])
    count = int(model.tex_height[texture]) * int(model.tex_width[texture])
    pixels = model.tex_data[start : start + count * channels].reshape(count, channels)
    return pixels[:, :3].mean(axis=0) / 255.0
