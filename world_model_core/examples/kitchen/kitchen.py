# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The example kitchen: what stands where, in a room of 5 m x 4 m around the origin."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.examples.kitchen import appliances, furniture, tableware
from world_model_core.examples.kitchen.furniture import COUNTER_HEIGHT, SHELVES, TABLE_HEIGHT
from world_model_core.examples.kitchen.person import person_parts
from world_model_core.examples.kitchen.robot import CAMERA, WHEELS, robot_parts
from world_model_core.virtual_world.values import Entity, Part, Pose, World

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import Quaternion, Vector

ON_SHELF = SHELVES[1] + furniture.CUPBOARD_BOARD


def example_kitchen() -> World:
    """Make the kitchen."""
    return World('kitchen', (*_room(), *_furniture(), *_tableware(), *_appliances(), *_agents()))


def _room() -> tuple[Entity, ...]:
    return (
        replace(_fixed('floor', furniture.floor(), (0.0, 0.0, 0.0)), collides=False),
        _fixed('walls', furniture.walls(), (0.0, 0.0, 0.0)),
    )


def _furniture() -> tuple[Entity, ...]:
    table, chair = furniture.table(), furniture.chair()
    return (
        _fixed('counter', furniture.counter(), (0.5, 1.7, 0.0), -90.0),
        _fixed('fridge', furniture.fridge(), (-2.15, 1.65, 0.0), -90.0),
        _fixed('cupboard', furniture.cupboard(), (2.32, -0.2, 0.0), 180.0),
        _thing('table', 'table', table, (-0.3, 0.0, 0.0)),
        _thing('chair 1', 'chair', chair, (-0.65, -0.6, 0.0), 90.0),
        _thing('chair 2', 'chair', chair, (0.05, -0.6, 0.0), 90.0),
        _thing('chair 3', 'chair', chair, (-0.65, 0.6, 0.0), -90.0),
        _thing('chair 4', 'chair', chair, (0.05, 0.6, 0.0), -90.0),
    )


def _tableware() -> tuple[Entity, ...]:
    cup, plate = tableware.cup(), tableware.plate()
    return (
        _thing('plate 1', 'plate', plate, (-0.65, -0.22, TABLE_HEIGHT)),
        _thing('plate 2', 'plate', plate, (0.05, 0.22, TABLE_HEIGHT)),
        _thing('plate 3', 'plate', plate, (2.32, -0.35, ON_SHELF)),
        _thing('cup 1', 'cup', cup, (-0.42, -0.2, TABLE_HEIGHT)),
        _thing('cup 2', 'cup', cup, (0.2, 0.05, TABLE_HEIGHT)),
        _thing('cup 3', 'cup', cup, (2.32, 0.0, ON_SHELF)),
        _thing('bowl', 'bowl', tableware.bowl(), (-0.3, 0.1, TABLE_HEIGHT)),
        _thing('apple', 'apple', tableware.apple(), (0.3, -0.25, TABLE_HEIGHT)),
        _thing('bottle', 'bottle', tableware.bottle(), (0.1, 1.7, COUNTER_HEIGHT)),
    )


def _appliances() -> tuple[Entity, ...]:
    lamp, television = appliances.lamp(), appliances.television()
    place = (1.3, 1.75, COUNTER_HEIGHT)
    return (
        replace(_thing('lamp', 'lamp', lamp, (-2.15, 0.75, 0.0)), states={'switch': 'on'}),
        replace(
            _thing('television', 'television', television, place, -90.0),
            states={'switch': 'off'},
        ),
    )


def _agents() -> tuple[Entity, ...]:
    robot = Entity(
        'robot',
        'robot',
        Pose((0.85, -0.9, 0.0), _turn(150.0)),
        robot_parts(),
        graspable=False,
        wheels=WHEELS,
        cameras=(CAMERA,),
    )
    person = Entity(
        'person',
        'person',
        Pose((-1.6, -0.5, 0.0), _turn(30.0)),
        person_parts(),
        dynamics=False,
        graspable=False,
    )
    return (robot, person)


def _thing(
    name: str,
    category: str,
    parts: tuple[Part, ...],
    position: Vector,
    degrees: float = 0.0,
) -> Entity:
    """Return a thing that moves by forces."""
    return Entity(name, category, Pose(position, _turn(degrees)), parts)


def _fixed(name: str, parts: tuple[Part, ...], position: Vector, degrees: float = 0.0) -> Entity:
    """Return a part of the building, or furniture that is fixed to it."""
    pose = Pose(position, _turn(degrees))
    return Entity(name, name, pose, parts, movable=False, dynamics=False, graspable=False)


def _turn(degrees: float) -> Quaternion:
    """Return the quaternion of a rotation about z."""
    half = math.radians(degrees) / 2.0
    return (0.0, 0.0, math.sin(half), math.cos(half))
