# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A world with agents for the benchmarks: 100 things in a hall, and 10 robots that patrol among them.

Each robot is driven by a controller in a process of its own, `patrol.py`.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin
from pathlib import Path

from world_model_core.virtual_world.values import (
    Box,
    Camera,
    Capsule,
    Cylinder,
    Entity,
    Part,
    Pose,
    Shape,
    Sphere,
    Wheels,
    World,
)

CONTROLLER = Path(__file__).with_name('patrol.py')
THINGS, AGENTS = 100, 10
# Categories of things, whose shapes take turns, too.
CATEGORIES = ('cup', 'ball', 'can', 'bottle')
# Rings of things around the center of the hall: radius of the first, distance, things in each [m].
FIRST_RING, BETWEEN_RINGS, IN_RING = 2.0, 1.0, 25
# The robots patrol between the walls and the things [m].
PATROL_RADIUS = 7.0
HALL, WALL_HEIGHT, WALL_THICKNESS = 20.0, 2.5, 0.1
ROBOT_RADIUS, ROBOT_HEIGHT, EYES = 0.2, 0.6, 0.5
CAMERA_FOV, CAMERA_ASPECT = 0.8, 4.0 / 3.0


def lived_in_hall(things: int = THINGS, agents: int = AGENTS) -> World:
    """Make the world; its agents are named `robot0`, `robot1` and so on."""
    entities = (
        *_walls(),
        *(_thing(number) for number in range(things)),
        *(_robot(number, agents) for number in range(agents)),
    )
    return World('hall', entities)


def robot_names(agents: int = AGENTS) -> tuple[str, ...]:
    """Return the names of the agents."""
    return tuple(f'robot{number}' for number in range(agents))


def _walls() -> tuple[Entity, ...]:
    half, middle = HALL / 2.0, WALL_HEIGHT / 2.0
    along_x, along_y = (HALL, WALL_THICKNESS, WALL_HEIGHT), (WALL_THICKNESS, HALL, WALL_HEIGHT)
    places = (
        ('north', (0.0, half, middle), along_x),
        ('south', (0.0, -half, middle), along_x),
        ('east', (half, 0.0, middle), along_y),
        ('west', (-half, 0.0, middle), along_y),
    )
    return tuple(
        Entity(
            f'{name} wall',
            'wall',
            pose=Pose(center),
            parts=(Part('body', shapes=(Shape(Box(size)),)),),
            movable=False,
        )
        for name, center, size in places
    )


def _thing(number: int) -> Entity:
    size = 0.05 + 0.002 * (number % 20)
    geometries = (
        Cylinder(size, 2.0 * size),
        Sphere(size),
        Box((size, size, 1.5 * size)),
        Capsule(0.5 * size, size),
    )
    kind = number % len(CATEGORIES)
    ring, index = divmod(number, IN_RING)
    radius, angle = FIRST_RING + BETWEEN_RINGS * ring, 2.0 * pi * index / IN_RING
    return Entity(
        f'thing{number}',
        CATEGORIES[kind],
        pose=Pose((radius * cos(angle), radius * sin(angle), 2.0 * size)),
        parts=(Part('body', shapes=(Shape(geometries[kind]),)),),
        mass=0.3,
    )


def _robot(number: int, agents: int) -> Entity:
    """Make a robot whose base is moved by its wheels, and whose camera looks at the center."""
    angle = 2.0 * pi * number / agents
    x, y = PATROL_RADIUS * cos(angle), PATROL_RADIUS * sin(angle)
    heading = atan2(-y, -x)
    base = Shape(Cylinder(ROBOT_RADIUS, ROBOT_HEIGHT), Pose((0.0, 0.0, ROBOT_HEIGHT / 2.0)))
    return Entity(
        f'robot{number}',
        'robot',
        pose=Pose((x, y, 0.0), (0.0, 0.0, sin(heading / 2.0), cos(heading / 2.0))),
        parts=(Part('body', shapes=(base,)),),
        mass=10.0,
        dynamics=False,
        wheels=Wheels(radius=0.05, separation=0.3),
        cameras=(Camera(1, 'body', Pose((ROBOT_RADIUS, 0.0, EYES)), CAMERA_FOV, CAMERA_ASPECT),),
    )
