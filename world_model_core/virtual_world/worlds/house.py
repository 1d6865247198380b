# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Generated houses (`simulation.house`) as worlds with physics.

Walls, and what hangs on them, are fixed; furniture and small things move. Doors stay openings.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import rotation_about_z
from world_model_core.simulation.house.floor_grid import house_floor
from world_model_core.simulation.house.furnishing import SLACK
from world_model_core.simulation.house.furniture_kinds import COLORS
from world_model_core.virtual_world.values import (
    Box,
    ContactParameters,
    Cylinder,
    Entity,
    Material,
    NamedPose,
    Part,
    Pose,
    Shape,
    World,
)
from world_model_core.virtual_world.worlds.house_furniture import (
    FRICTIONS,
    HUNG,
    MASSES,
    ROUND,
    WITHOUT_CONTACT,
    WOOD_FRICTION,
    blocks_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.values import AxisAlignedBox, Item, SimulatedHouse
    from world_model_core.virtual_world.values import Geometry, Quaternion, Vector

__all__ = ['house_world', 'inhabited_house']

# Items of the house that are openings here.
DOOR = 'door'
WALL_COLOR = (0.9, 0.89, 0.86, 1.0)
# With a bounce, things that stand on a few points rock and wander.
CONTACT = ContactParameters(bounce=0.0)
# Boxes in a house may overlap by SLACK along one axis. So that they do not push each other away,
# walls and furniture on the floor are smaller by half of it at each side, and what hangs by all of
# it along the wall [m].
INSET = SLACK / 2.0
# Things whose bottom is this close to what is below stand on it, and things that overlap by more
# than this are inside of each other [m].
TOUCH, OVERLAP = 0.003, 0.001
# Things whose center is closer to the edge of what is below could fall [m].
EDGE = 0.01
# Distance of agents from everything at the start [m].
AGENT_CLEARANCE = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """
    A box that is turned about z.

    Attributes
    ----------
    center : array, shape (3,)
        In the map [m].
    size : array, shape (3,)
        [m].
    heading : float
        [rad]

    """

    center: Array
    size: Array
    heading: float

    @property
    def bottom(self) -> float:
        """Height of its lower side [m]."""
        return float(self.center[2] - self.size[2] / 2.0)

    @property
    def top(self) -> float:
        """Height of its upper side [m]."""
        return float(self.center[2] + self.size[2] / 2.0)

    def covers(self, other: _Block) -> bool:
        """Return whether they overlap as seen from above: no axis of either separates them."""
        apart = (other.center - self.center)[:2]
        for block in (self, other):
            axes = rotation_about_z(block.heading)[:2, :2].T
            reach = sum(np.abs(axes @ each.half_axes).sum(axis=1) for each in (self, other))
            if (np.abs(axes @ apart) > reach - OVERLAP).any():
                return False
        return True

    @property
    def half_axes(self) -> Array:
        """Half of its edges along x and y, in the map, shape (2, 2) [m]."""
        turned: Array = rotation_about_z(self.heading)[:2, :2] * (self.size[:2] / 2.0)
        return turned

    def overlaps(self, other: _Block) -> bool:
        """Return whether they share more than `OVERLAP` along every axis."""
        vertical = min(self.top, other.top) - max(self.bottom, other.bottom)
        return vertical > OVERLAP and self.covers(other)

    def touches(self, other: _Block) -> bool:
        """Return whether the other begins at the height at which this one ends, and above it."""
        return abs(other.bottom - self.top) < TOUCH and self.covers(other)

    def is_below(self, point: Array) -> bool:
        """Return whether a point is above its upper side, and not at its edge."""
        local = rotation_about_z(-self.heading)[:2, :2] @ (point - self.center)[:2]
        return bool((np.abs(local) < self.size[:2] / 2.0 - EDGE).all())


def house_world(house: SimulatedHouse, name: str = 'house') -> World:
    """
    Make a world of a house.

    Parameters
    ----------
    house : SimulatedHouse
    name : str
        Of the world.

    Returns
    -------
    World
        Its entities are named by class and number, such as "cup 2"; the rooms are named poses.
        Small things that are inside of others or at an edge, as the generator tolerates, are left
        out.

    """
    numbers: Counter[str] = Counter()
    solids: list[_Block] = []
    entities = [_walls(house.walls)]
    for item in house.items:
        blocks = _blocks(item)
        footing = _footing(item, blocks, solids)
        if item.label == DOOR or footing is None:
            continue
        numbers[item.label] += 1
        entities.append(_entity(item, numbers[item.label], blocks, stands=footing))
        if item.label not in WITHOUT_CONTACT:
            solids += blocks
    x, y, _ = house.bounds.low.tolist()
    return World(
        name,
        tuple(entities),
        contact=CONTACT,
        bounds=((x, y, 0.0), _vector(house.bounds.high)),
        named_poses=tuple(
            NamedPose(room.name, Pose(_vector((*room.middle, 0.0))), tags=(room.kind,))
            for room in house.rooms
        ),
    )


def inhabited_house(house: SimulatedHouse, agents: Sequence[Entity]) -> World:
    """
    Make a world of a house with agents in its first room, apart from each other.

    Parameters
    ----------
    house : SimulatedHouse
    agents : sequence of Entity
        The first one stands in the middle.

    """
    world, room = house_world(house), house.rooms[0]
    places = house_floor(house, AGENT_CLEARANCE).spread(room.low, room.high, len(agents))
    placed = (
        replace(agent, pose=Pose((x, y, 0.0)))
        for agent, (x, y) in zip(agents, places.tolist(), strict=True)
    )
    return replace(world, entities=(*world.entities, *placed))


def _footing(item: Item, blocks: Iterable[_Block], solids: Sequence[_Block]) -> bool | None:
    """Return whether a thing stands on something, or hangs; None if it is inside or would fall."""
    if item.bounds.low[2] < TOUCH:
        return True
    if any(one.overlaps(each) for one in blocks for each in solids):
        return None
    below = [each for each in solids if any(each.touches(one) for one in blocks)]
    if not below or item.label in HUNG:
        return False
    return True if any(each.is_below(item.position) for each in below) else None


def _walls(walls: Iterable[AxisAlignedBox]) -> Entity:
    shapes = []
    for wall in walls:
        size = wall.high - wall.low
        size[:2] -= 2.0 * INSET
        shapes.append(
            Shape(
                Box(_vector(size)),
                Pose(_vector((wall.low + wall.high) / 2.0)),
                material=Material(WALL_COLOR),
            )
        )
    return Entity(
        'walls', 'wall', parts=(Part('walls', shapes=tuple(shapes)),), movable=False,
        graspable=False,
    )  # fmt: skip


def _blocks(item: Item) -> list[_Block]:
    """Return the blocks of a thing in the map; those of a round thing are around it."""
    size = item.size.copy()
    if item.label in HUNG - {'shelf'}:
        size[1:] -= 2.0 * SLACK
    elif item.bounds.low[2] < TOUCH:
        size[:2] -= 2.0 * INSET
    if item.label in ROUND:
        size[:2] = size[:2].min()
    return [
        _Block(item.point(*((low + high) / 2.0)), high - low, item.heading)
        for low, high in blocks_of(item.kind, size)
    ]


def _entity(item: Item, number: int, blocks: Iterable[_Block], *, stands: bool) -> Entity:
    red, green, blue = (value / 255.0 for value in COLORS[item.color])
    material = Material((red, green, blue, 1.0))
    shapes = tuple(
        Shape(
            _geometry(item, block),
            Pose(_vector(item.rotation.T @ (block.center - item.position))),
            material=material,
        )
        for block in blocks
    )
    movable = stands and item.label not in HUNG | WITHOUT_CONTACT
    return Entity(
        f'{item.label} {number}',
        item.label,
        pose=Pose(_vector(item.position), _turn(item.heading)),
        parts=(Part(item.label, shapes=shapes, mass=MASSES[item.label]),),
        movable=movable,
        collides=item.label not in WITHOUT_CONTACT,
        friction=FRICTIONS.get(item.label, WOOD_FRICTION),
        graspable=movable,
    )


def _geometry(item: Item, block: _Block) -> Geometry:
    if item.label in ROUND:
        return Cylinder(float(block.size[0] / 2.0), float(block.size[2]))
    return Box(_vector(block.size))


def _turn(heading: float) -> Quaternion:
    return (0.0, 0.0, math.sin(heading / 2.0), math.cos(heading / 2.0))


def _vector(values: Iterable[float]) -> Vector:
    x, y, z = map(float, values)
    return (x, y, z)
