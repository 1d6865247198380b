# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Renders the example kitchen for docs/explanation/virtual_world.md.

Run it with `python tools/virtual_world_pictures.py`; it writes docs/images/virtual_world.png: the
kitchen from outside without its nearer walls, from above, and from the camera of the robot.
Triangles are drawn with a depth buffer and a shadow map; no display or GPU is needed.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.bundle.rendering.png import png
from world_model_core.bundle.rendering.splat_picture import PictureCamera
from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.examples.kitchen.solids import SIDES, turned
from world_model_core.frames import rotation_of
from world_model_core.virtual_world.values import Box, Cylinder, ShapeUse, Sphere, TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Entity, Geometry, Part, Pose, Shape, World

PICTURE = Path(__file__).resolve().parents[1] / 'docs/images/virtual_world.png'
WIDTH, HEIGHT, LOWER = 960, 560, 360
# Pixels are drawn in this number squared, and averaged.
SAMPLES = 2
SKY = np.array((0.93, 0.95, 0.97))
NEAREST = 0.05  # [m]
# Towards the light; size of the shadow map [pixels], and depth that is no shadow [m].
LIGHT = np.array((-0.35, -0.45, 0.82))
SHADOW_SIZE, SHADOW_DEPTH = 1200, 0.03
AMBIENT = 0.62
SMALLEST_EDGE = 0.4  # of triangles that are divided no further [m]


class Triangles(NamedTuple):
    """
    Triangles in the frame `world`.

    Attributes
    ----------
    corners : array, shape (n, 3, 3)
        [m]
    colors, emissions : array, shape (n, 3)

    """

    corners: Array
    colors: Array
    emissions: Array


def main() -> None:
    """Render and write the picture."""
    kitchen = example_kitchen()
    outside = PictureCamera((-4.7, -6.0, 4.4), (-0.05, 0.0, 0.8), WIDTH, HEIGHT, 0.8)
    above = PictureCamera((0.0, -0.001, 12.0), (0.0, 0.0, 0.0), WIDTH // 2, LOWER, 0.5)
    everything = triangles_of(kitchen)
    shadows = Shadows(triangles_of(kitchen, walls=False))
    views = (
        (outside, triangles_of(kitchen, seen_from=outside)),
        (above, triangles_of(kitchen, seen_from=above)),
        (robot_camera(kitchen), everything),
    )
    first, *others = (render(view, triangles, shadows) for view, triangles in views)
    PICTURE.write_bytes(png(np.vstack((first, np.hstack(others)))))


def robot_camera(world: World) -> PictureCamera:
    """Return the view of the first camera of the entity `robot`."""
    robot = next(each for each in world.entities if each.name == 'robot')
    camera = robot.cameras[0]
    place = matrix(robot.pose) @ part_place(robot, camera.part) @ matrix(camera.pose)
    x, y, z = place[:3, 3].tolist()
    ahead_x, ahead_y, ahead_z = (place[:3, 3] + place[:3, 0] - 0.25 * place[:3, 2]).tolist()
    width = WIDTH // 2
    field = 2.0 * math.atan(math.tan(camera.vertical_fov / 2.0) * width / LOWER)
    return PictureCamera((x, y, z), (ahead_x, ahead_y, ahead_z), width, LOWER, field)


def triangles_of(
    world: World, *, walls: bool = True, seen_from: PictureCamera | None = None
) -> Triangles:
    """Collect what is visible, without the walls that hide the room from a camera outside."""
    pieces = []
    for entity in world.entities:
        if entity.name == 'walls' and not walls:
            continue
        for part in entity.parts:
            place = matrix(entity.pose) @ part_place(entity, part.name)
            for shape in visible_shapes(entity, part):
                middle = place @ matrix(shape.pose)
                if entity.name == 'walls' and seen_from and hides(middle, seen_from):
                    continue
                pieces.append(shape_triangles(shape, middle))
    return Triangles(*(np.concatenate(each) for each in zip(*pieces, strict=True)))


def hides(wall: Array, camera: PictureCamera) -> bool:
    """Return whether a wall, whose pose is a matrix, is between the camera and the room."""
    return float(np.dot(wall[:2, 3], camera.eye[:2])) > 0.0


def visible_shapes(entity: Entity, part: Part) -> Iterator[Shape]:
    """Yield the shapes of a part that are visible in the present states."""
    states = {f'{name}:{value}' for name, value in entity.states.items()} | {''}
    for shape in part.shapes:
        if shape.use is not ShapeUse.COLLISION and shape.state in states:
            yield shape


def part_place(entity: Entity, name: str) -> Array:
    """Return the pose of a part in the frame of its entity, joints at 0, as a matrix."""
    parts = {part.name: part for part in entity.parts}
    place = np.eye(4)
    while name:
        place = matrix(parts[name].pose) @ place
        name = parts[name].parent
    return place


def matrix(pose: Pose) -> Array:
    """Return a pose as a matrix, shape (4, 4)."""
    result = np.eye(4)
    result[:3, :3], result[:3, 3] = rotation_of(np.array(pose.orientation)), pose.position
    return result


def shape_triangles(shape: Shape, place: Array) -> Triangles:
    """Return the triangles of a shape in the frame `world`."""
    mesh = mesh_of(shape.geometry)
    corners = divided(mesh.vertices[mesh.triangles] @ place[:3, :3].T + place[:3, 3])
    count = len(corners)
    color, emission = shape.material.color[:3], shape.material.emission
    return Triangles(corners, np.tile(color, (count, 1)), np.tile(emission, (count, 1)))


def mesh_of(geometry: Geometry) -> TriangleMesh:
    """Return the triangles of a geometry."""
    if isinstance(geometry, TriangleMesh):
        return geometry
    if isinstance(geometry, Box):
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        faces = [
            (0, 1, 3, 2),
            (4, 6, 7, 5),
            (0, 4, 5, 1),
            (2, 3, 7, 6),
            (0, 2, 6, 4),
            (1, 5, 7, 3),
        ]
        triangles = [each for a, b, c, d in faces for each in ((a, b, c), (a, c, d))]
        return TriangleMesh(0.5 * corners * geometry.size, np.array(triangles, dtype=np.int32))
    if isinstance(geometry, Cylinder):
        half = geometry.length / 2.0
        outline = ((0.0, -half), (geometry.radius, -half), (geometry.radius, half), (0.0, half))
        return turned(outline)
    if isinstance(geometry, Sphere):
        angles = np.linspace(-math.pi / 2.0, math.pi / 2.0, SIDES // 2 + 1)
        profile = geometry.radius * np.column_stack((np.cos(angles), np.sin(angles)))
        return turned(tuple((x, y) for x, y in profile.tolist()))
    raise TypeError(f'{type(geometry).__name__} is not drawn')


def divided(corners: Array) -> Array:
    """Divide triangles at their longest edges until these are short."""
    done = []
    while len(corners):
        edges = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        long = edges.max(axis=1) > SMALLEST_EDGE
        done.append(corners[~long])
        first = edges[long].argmax(axis=1)
        turned_corners = corners[long][
            np.arange(len(first))[:, None], (first[:, None] + np.arange(3)) % 3
        ]
        a, b, c = np.moveaxis(turned_corners, 1, 0)
        middle = (a + b) / 2.0
        corners = np.concatenate((np.stack((a, middle, c), 1), np.stack((middle, b, c), 1)))
    return np.concatenate(done)


class Shadows:
    """Depths of a scene as seen from the light, which is far away."""

    def __init__(self, triangles: Triangles) -> None:
        towards = LIGHT / np.linalg.norm(LIGHT)
        right = np.cross((0.0, 1.0, 0.0), towards)
        right /= np.linalg.norm(right)
        self._axes = np.stack((right, np.cross(towards, right), towards))
        points = triangles.corners @ self._axes.T
        self._low = points.min(axis=(0, 1))
        self._scale = (SHADOW_SIZE - 1) / float(np.ptp(points, axis=(0, 1))[:2].max())
        _, self._nearness = rasterize(self._pixels(triangles.corners), SHADOW_SIZE, SHADOW_SIZE)

    def lit(self, points: Array) -> NDArray[np.bool_]:
        """Return whether points, shape (n, 3), are in the light."""
        pixels = self._pixels(points)
        column, row = np.clip(np.round(pixels[:, :2]).astype(int), 0, SHADOW_SIZE - 1).T
        return np.asarray(pixels[:, 2] + SHADOW_DEPTH > self._nearness[row, column])

    def _pixels(self, points: Array) -> Array:
        scaled = points @ self._axes.T - self._low
        return np.concatenate((scaled[..., :2] * self._scale, scaled[..., 2:] + 1.0), axis=-1)


def render(view: PictureCamera, triangles: Triangles, shadows: Shadows) -> NDArray[np.uint8]:
    """Render triangles to a picture, shape (height, width, 3)."""
    width, height = SAMPLES * view.width, SAMPLES * view.height
    seen = (triangles.corners - view.eye) @ view.axes.T
    in_front = seen[..., 2].min(axis=1) > NEAREST
    triangles, seen = Triangles(*(each[in_front] for each in triangles)), seen[in_front]
    focal, center = SAMPLES * view.focal, np.array((width, height)) / 2.0
    projected = focal * seen[..., :2] / seen[..., 2:] + center
    which, nearness = rasterize(
        np.concatenate((projected, 1.0 / seen[..., 2:]), axis=2), width, height
    )
    rows, columns = np.nonzero(which >= 0)
    chosen = which[rows, columns]
    rays = np.column_stack((columns - center[0], rows - center[1], np.full(len(rows), focal)))
    points = view.eye + rays / focal / nearness[rows, columns, None] @ view.axes
    picture = np.broadcast_to(SKY, (height, width, 3)).copy()
    picture[rows, columns] = shade(triangles, chosen, points, view, shadows)
    blocks = picture.reshape(view.height, SAMPLES, view.width, SAMPLES, 3).mean(axis=(1, 3))
    return np.round(255.0 * np.clip(blocks, 0.0, 1.0)).astype(np.uint8)


def shade(
    triangles: Triangles,
    chosen: NDArray[np.intp],
    points: Array,
    view: PictureCamera,
    shadows: Shadows,
) -> Array:
    """Return the colors of points on triangles, shape (n, 3)."""
    a, b, c = np.moveaxis(triangles.corners, 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    normal = normals[chosen]
    normal = np.where(
        np.einsum('ij,ij->i', normal, points - view.eye)[:, None] > 0, -normal, normal
    )
    towards = LIGHT / np.linalg.norm(LIGHT)
    direct = np.clip(normal @ towards, 0.0, 1.0) * shadows.lit(points + 0.01 * normal)
    ambient = AMBIENT * (0.8 + 0.2 * normal[:, 2])
    light = ambient + (1.0 - AMBIENT) * direct
    return triangles.colors[chosen] * light[:, None] + triangles.emissions[chosen]


def rasterize(corners: Array, width: int, height: int) -> tuple[NDArray[np.int32], Array]:
    """
    Find the nearest triangle of each pixel.

    Parameters
    ----------
    corners : array, shape (n, 3, 3)
        Column, row and nearness of each corner; nearness is linear on the picture.
    width, height : int

    Returns
    -------
    which : array of int, shape (height, width)
        Indices of triangles; -1: none.
    nearness : array, shape (height, width)

    """
    which = np.full((height, width), -1, dtype=np.int32)
    nearness = np.zeros((height, width))
    low = np.maximum(np.floor(corners[..., :2].min(axis=1)).astype(int), 0)
    high = np.minimum(np.ceil(corners[..., :2].max(axis=1)).astype(int) + 1, (width, height))
    for index in np.nonzero((low < high).all(axis=1))[0]:
        (left, top), (right, bottom) = low[index], high[index]
        (x0, y0, n0), (x1, y1, n1), (x2, y2, n2) = corners[index]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if not area:
            continue
        x, y = np.arange(left, right), np.arange(top, bottom)[:, None]
        second = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
        third = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
        near = n0 + second * (n1 - n0) + third * (n2 - n0)
        old = nearness[top:bottom, left:right]
        inside = (second >= 0.0) & (third >= 0.0) & (second + third <= 1.0) & (near > old)
        old[inside] = near[inside]
        which[top:bottom, left:right][inside] = index
    return which, nearness


if __name__ == '__main__':
    main()
