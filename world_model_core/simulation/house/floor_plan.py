# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Floor plans of simulated houses: rooms cut out of a rectangle, their doors and walls."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.room_furniture import FURNISHINGS
from world_model_core.simulation.house.values import (
    DOOR_HEIGHT,
    DOOR_WIDTH,
    HEIGHT,
    WALL_THICKNESS,
    AxisAlignedBox,
    Door,
    Room,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.gaussian import Array

# Range of the sides of a single room [m].
SIDE = (4.8, 6.6)
# Mean area of a room in a house [m^2].
AREA = 34.0
# Probability of a door between adjacent rooms that are already connected.
SECOND_DOOR = 0.25
# Minimum distance from a door to the end of a wall [m].
JAMB = 0.4
# Free lanes from each door to the centers of its rooms: width, height, and step [m].
LANE_WIDTH, LANE_HEIGHT, LANE_STEP = 0.8, 2.1, 0.2
HALF_WALL = WALL_THICKNESS / 2.0


def plan_room(kind: str | None, random: np.random.Generator) -> tuple[Room, Door]:
    """Generate a single room with a door; without a kind, of a random kind."""
    kind = kind or str(random.choice(list(FURNISHINGS)))
    half = random.uniform(*SIDE, 2) / 2.0
    room = Room(kind, kind, -half, half)
    side = int(random.integers(4))
    axis = side % 2
    place = np.zeros(2)
    place[axis] = (half[axis] + HALF_WALL) * (1.0 if side > 1 else -1.0)
    place[1 - axis] = random.uniform(-0.5, 0.5) * (half[1 - axis] - DOOR_WIDTH)
    return room, Door(place, side * math.pi / 2.0, (kind,))


def plan_rooms(count: int, random: np.random.Generator) -> tuple[Room, ...]:
    """Divide a rectangle into rooms of similar size."""
    aspect = random.uniform(1.0, 1.5)
    width = math.sqrt(count * AREA * aspect)
    whole = AxisAlignedBox(np.zeros(2), np.array((width, count * AREA / width)))
    cells = list(_cut(whole, count, random))
    kinds = _draw_kinds(count, random)
    numbers: Counter[str] = Counter()
    rooms = []
    for cell, kind in zip(cells, kinds, strict=True):
        numbers[kind] += 1
        name = f'{kind} {numbers[kind]}' if kinds.count(kind) > 1 else kind
        edges = (
            cell.low[0] == whole.low[0],
            cell.low[1] == whole.low[1],
            cell.high[0] == whole.high[0],
            cell.high[1] == whole.high[1],
        )
        outer = tuple(side for side, edge in enumerate(edges) if edge)
        rooms.append(Room(name, kind, cell.low + HALF_WALL, cell.high - HALF_WALL, outer))
    return tuple(rooms)


def _cut(
    cell: AxisAlignedBox, count: int, random: np.random.Generator
) -> Iterator[AxisAlignedBox]:
    """Divide a cell across its longer side until each piece is one room."""
    if count == 1:
        yield cell
        return
    axis = int(np.argmax(cell.high - cell.low))
    first = count // 2
    share = first / count + random.uniform(-0.04, 0.04)
    middle = cell.low[axis] + share * (cell.high[axis] - cell.low[axis])
    below, above = cell.high.copy(), cell.low.copy()
    below[axis] = above[axis] = middle
    yield from _cut(AxisAlignedBox(cell.low, below), first, random)
    yield from _cut(AxisAlignedBox(above, cell.high), count - first, random)


def _draw_kinds(count: int, random: np.random.Generator) -> list[str]:
    """Draw the kinds of the rooms; no kind is repeated before all were used."""
    names = list(FURNISHINGS)
    rounds = -(-count // len(names))
    drawn = [names[i] for _ in range(rounds) for i in random.permutation(len(names))]
    return drawn[:count]


def join_rooms(rooms: Sequence[Room], random: np.random.Generator) -> tuple[Door, ...]:
    """Place doors in shared walls, so that all rooms are connected."""
    group = {room.name: number for number, room in enumerate(rooms)}
    pairs = list(combinations(rooms, 2))
    doors = []
    for index in random.permutation(len(pairs)):
        one, other = pairs[index]
        door = _door_between(one, other, random)
        if door is None:
            continue
        mine, theirs = group[one.name], group[other.name]
        if mine == theirs and random.random() > SECOND_DOOR:
            continue
        group = {name: mine if each == theirs else each for name, each in group.items()}
        doors.append(door)
    return tuple(doors)


def _door_between(one: Room, other: Room, random: np.random.Generator) -> Door | None:
    """Draw a door in the wall that two rooms share, or return None if they share none."""
    low, high = np.maximum(one.low, other.low), np.minimum(one.high, other.high)
    shared = high - low
    axis = int(np.argmin(shared))
    if shared[axis] < -1.5 * WALL_THICKNESS or shared[1 - axis] < DOOR_WIDTH + 2.0 * JAMB:
        return None
    place = (low + high) / 2.0
    margin = DOOR_WIDTH / 2.0 + JAMB
    place[1 - axis] = random.uniform(low[1 - axis] + margin, high[1 - axis] - margin)
    heading = axis * math.pi / 2.0 + (0.0 if one.middle[axis] < other.middle[axis] else math.pi)
    return Door(place, heading, (one.name, other.name))


def raise_walls(rooms: Sequence[Room], doors: Sequence[Door]) -> tuple[AxisAlignedBox, ...]:
    """
    Return the boxes of all walls, with openings at the doors.

    Each wall between two rooms is the lower side of one of them, so that the lower sides of all
    rooms and the upper sides of the house are complete.
    """
    walls: list[AxisAlignedBox] = []
    for room in rooms:
        for side in sorted({0, 1, *room.outer}):
            walls.extend(_open(_wall(room, side), side % 2, doors))
    return tuple(walls)


def _wall(room: Room, side: int) -> AxisAlignedBox:
    low = np.append(room.low - WALL_THICKNESS, 0.0)
    high = np.append(room.high + WALL_THICKNESS, HEIGHT)
    axis = side % 2
    if side > 1:
        low[axis] = room.high[axis]
    else:
        high[axis] = room.low[axis]
    return AxisAlignedBox(low, high)


def _open(wall: AxisAlignedBox, axis: int, doors: Sequence[Door]) -> Iterator[AxisAlignedBox]:
    """Leave openings in a wall across `axis`, with the wall above them."""
    along = 1 - axis
    start = wall.low[along]
    inside = [
        door
        for door in doors
        if wall.low[axis] < door.place[axis] < wall.high[axis]
        and wall.low[along] < door.place[along] < wall.high[along]
    ]
    for door in sorted(inside, key=lambda each: float(each.place[along])):
        left, right = door.place[along] + np.array((-0.5, 0.5)) * DOOR_WIDTH
        yield _slice(wall, along, (start, left), 0.0)
        yield _slice(wall, along, (left, right), DOOR_HEIGHT)
        start = right
    yield _slice(wall, along, (start, wall.high[along]), 0.0)


def _slice(
    wall: AxisAlignedBox, along: int, reach: tuple[float, float], bottom: float
) -> AxisAlignedBox:
    low, high = wall.low.copy(), wall.high.copy()
    low[along], high[along] = reach
    low[2] = bottom
    return AxisAlignedBox(low, high)


def clear_lanes(room: Room, doors: Sequence[Door]) -> list[AxisAlignedBox]:
    """Return the boxes that must stay free for a robot, from each door to the center."""
    half = np.full(2, LANE_WIDTH / 2.0)
    return [
        AxisAlignedBox(np.append(place - half, 0.0), np.append(place + half, LANE_HEIGHT))
        for door in doors
        if room.name in door.rooms
        for place in _walk(door, room)
    ]


def _walk(door: Door, room: Room) -> Array:
    """Return points from a door straight into the room, then to its center, shape (n, 2)."""
    axis = np.array((math.cos(door.heading), math.sin(door.heading)))
    inwards = axis if axis @ (room.middle - door.place) > 0.0 else -axis
    threshold = door.place + LANE_WIDTH * inwards
    legs = ((door.place, threshold), (threshold, room.middle))
    counts = [int(np.linalg.norm(end - start) / LANE_STEP) + 2 for start, end in legs]
    steps = zip(legs, counts, strict=True)
    return np.concatenate([np.linspace(*leg, count) for leg, count in steps])
