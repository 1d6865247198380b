# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Scenes of cameras among walls, doors, tables and things.

Every second scene is a room of a generated house, the others are rooms of random things.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from world_model_core.simulation.house.house_generator import generate_house
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
from world_model_core.virtual_world.values import (
    Box,
    Cylinder,
    Entity,
    Part,
    Pose,
    Shape,
    Sphere,
    TriangleMesh,
    World,
)
from world_model_core.virtual_world.worlds.house import house_world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Geometry, Quaternion

__all__ = ['globes_in_view', 'random_scene']

# Of the original: 45 degrees, 320 x 240 pixels that are not square.
VERTICAL_FOV, ASPECT_RATIO = math.radians(45.0), 4.0 / 3.0
# Half of the edges of a room of random things, height and thickness of its walls [m].
HALF_ROOM, HEIGHT, WALL = 3.0, 2.6, 0.1
DOOR = (0.9, 2.0)  # [m]
TABLE_HEIGHT, BOARD, LEG = 0.75, 0.04, 0.06  # [m]
FEWEST_THINGS, MOST_THINGS = 5, 40
# A camera is at least so far from all things [m].
CLEARANCE = 0.15
# Rings and segments of a globe: 2 * 10 * 25 = 500 triangles.
RINGS, SEGMENTS = 10, 25


def random_scene(seed: int) -> tuple[Engine, Viewpoint]:
    """Make a scene; even seeds give houses."""
    random = np.random.default_rng(seed)
    if seed % 2:
        engine = Engine(World('room', tuple(_room(random))))
        corner = np.array((HALF_ROOM - WALL,) * 2)
        return engine, _viewpoint(engine, random, -corner, corner)
    house = generate_house(seed, int(random.integers(1, 5)))
    engine = Engine(house_world(house))
    room = house.rooms[random.integers(len(house.rooms))]
    return engine, _viewpoint(engine, random, room.low, room.high)


def globes_in_view(count: int) -> tuple[Engine, Viewpoint]:
    """Make spheres of 500 triangles that a camera sees all, in rows of 20."""
    shape = Shape(_globe(0.06))
    entities = tuple(
        Entity(
            f'globe {index}',
            pose=Pose((4.0, 0.2 * (index % 20) - 1.9, 0.2 * (index // 20) + 0.2)),
            parts=(Part('body', shapes=(shape,)),),
            movable=False,
        )
        for index in range(count)
    )
    view = Viewpoint(Pose((0.0, 0.0, 1.1)), VERTICAL_FOV, ASPECT_RATIO)
    return Engine(World('globes', entities)), view


def _viewpoint(engine: Engine, random: np.random.Generator, low: Array, high: Array) -> Viewpoint:
    """Look around in a room, from a place that is in no thing."""
    while True:
        x, y = random.uniform(low, high).tolist()
        place = (x, y, float(random.uniform(0.6, 1.6)))
        turn, tilt = random.uniform(-math.pi, math.pi), random.uniform(-0.3, 0.6)
        if _is_free(engine, np.array(place)):
            return Viewpoint(Pose(place, _turn('ZY', turn, tilt)), VERTICAL_FOV, ASPECT_RATIO)


def _is_free(engine: Engine, place: Array) -> bool:
    """Return whether a place is outside of all boxes around shapes."""
    physics = engine.physics
    physics.update_poses()
    model, data = physics.model, physics.data
    solid = model.geom_bodyid > 0
    turns = data.geom_xmat[solid].reshape(-1, 3, 3)
    away = np.einsum('nji,nj->ni', turns, place - data.geom_xpos[solid])
    outside = np.abs(away - model.geom_aabb[solid, :3]) > model.geom_aabb[solid, 3:] + CLEARANCE
    return bool(outside.any(axis=1).all())


def _room(random: np.random.Generator) -> Iterator[Entity]:
    """Make walls with a door, tables, and things on the floor and on the tables."""
    yield from _walls(random)
    tops = [TABLE_HEIGHT, 0.0, 0.0]
    for number in range(random.integers(1, 4)):
        x, y = random.uniform(-2.2, 2.2, 2).tolist()
        width, depth = random.uniform(0.6, 1.4, 2).tolist()
        # All different: which of two tables in one another is seen where both tops are, is open.
        height = TABLE_HEIGHT - 0.02 * number
        pose = Pose((x, y, 0.0), _turn('Z', random.uniform(-math.pi, math.pi)))
        yield _entity(f'table {number}', pose, *_table(width, depth, height))
    for number in range(random.integers(FEWEST_THINGS, MOST_THINGS)):
        geometry, half = _thing(random)
        x, y = random.uniform(-2.7, 2.7, 2).tolist()
        upright = random.random() < 0.5
        turn = _turn('Z', random.uniform(-math.pi, math.pi))
        if not upright:
            turn = _turn('ZYX', *random.uniform(-math.pi, math.pi, 3))
        place = (x, y, tops[random.integers(len(tops))] + half + float(random.uniform(0.001, 0.2)))
        yield _entity(f'thing {number}', Pose(place, turn), Shape(geometry))


def _walls(random: np.random.Generator) -> Iterator[Entity]:
    """Make four walls, in one of which there is a door that is open by any angle."""
    along = 2.0 * HALF_ROOM - 2.0 * WALL
    for number in range(1, 4):
        yield _wall(f'wall {number}', 0.5 * math.pi * number, 0.0, along)
    width, height = DOOR
    side = 0.5 * (along - width)
    for number, shift in ((4, -0.5 * (width + side)), (5, 0.5 * (width + side))):
        yield _wall(f'wall {number}', 0.0, shift, side)
    above = Shape(Box((WALL, width, HEIGHT - height)), Pose((0.0, 0.0, 0.5 * (HEIGHT + height))))
    yield _entity('lintel', Pose((HALF_ROOM, 0.0, 0.0)), above)
    leaf = Shape(Box((0.04, width, height)), Pose((0.0, 0.5 * width, 0.5 * height)))
    angle = float(random.uniform(0.05, 2.5))
    yield _entity('door', Pose((HALF_ROOM - WALL, -0.5 * width, 0.0), _turn('Z', angle)), leaf)


def _wall(name: str, heading: float, shift: float, length: float) -> Entity:
    """Make a wall at the side of a room to which a heading points."""
    turn = Rotation.from_euler('z', heading)
    x, y, z = turn.apply((HALF_ROOM, shift, 0.5 * HEIGHT)).tolist()
    shape = Shape(Box((WALL, length, HEIGHT)))
    return _entity(name, Pose((x, y, z), _turn('Z', heading)), shape)


def _table(width: float, depth: float, top: float) -> Iterator[Shape]:
    """Make a board on four legs."""
    yield Shape(Box((width, depth, BOARD)), Pose((0.0, 0.0, top - 0.5 * BOARD)))
    height = top - BOARD
    for x in (-0.5, 0.5):
        for y in (-0.5, 0.5):
            place = (x * (width - LEG), y * (depth - LEG), 0.5 * height)
            yield Shape(Box((LEG, LEG, height)), Pose(place))


def _thing(random: np.random.Generator) -> tuple[Geometry, float]:
    """Make a box, a ball, a can or a globe of triangles, and return how far it reaches [m]."""
    x, y, z = random.uniform(0.04, 0.4, 3).tolist()
    return (
        (Box((x, y, z)), 0.5 * math.hypot(x, y, z)),
        (Sphere(0.5 * x), 0.5 * x),
        (Cylinder(0.5 * x, y), math.hypot(0.5 * x, 0.5 * y)),
        (_globe(0.5 * x), 0.5 * x),
    )[random.integers(4)]


def _globe(radius: float) -> TriangleMesh:
    """Make a sphere of triangles that face outward."""
    polar = math.pi * np.arange(1, RINGS + 1) / (RINGS + 1)
    around = 2.0 * math.pi * np.arange(SEGMENTS) / SEGMENTS
    rings = [
        np.stack(
            (np.cos(around) * np.sin(p), np.sin(around) * np.sin(p), 0.0 * around + np.cos(p))
        )
        for p in polar
    ]
    points = np.concatenate((((0.0, 0.0, 1.0),), *(ring.T for ring in rings), ((0.0, 0.0, -1.0),)))
    here = np.arange(SEGMENTS)
    there, last = (here + 1) % SEGMENTS, np.full(SEGMENTS, len(points) - 1)
    triangles = [np.stack((0 * here, 1 + here, 1 + there), axis=1)]
    for ring in range(RINGS - 1):
        upper, lower = 1 + ring * SEGMENTS, 1 + (ring + 1) * SEGMENTS
        triangles += [
            np.stack((upper + here, lower + here, lower + there), axis=1),
            np.stack((upper + here, lower + there, upper + there), axis=1),
        ]
    end = 1 + (RINGS - 1) * SEGMENTS
    triangles.append(np.stack((end + here, last, end + there), axis=1))
    return TriangleMesh(radius * points, np.concatenate(triangles).astype(np.int32))


def _entity(name: str, pose: Pose, *shapes: Shape) -> Entity:
    """Make an entity that does not move."""
    return Entity(name, pose=pose, parts=(Part('body', shapes=shapes),), movable=False)


def _turn(axes: str, *angles: float) -> Quaternion:
    x, y, z, w = (
        Rotation.from_euler(axes, angles[0] if len(axes) == 1 else angles).as_quat().tolist()
    )
    return x, y, z, w
