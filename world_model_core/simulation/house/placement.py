# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Random places for objects, one function for each kind of placement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.room_furniture import Placement
from world_model_core.simulation.house.values import HEIGHT

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.values import Item, Room

# Gap between furniture and the wall behind it, and around objects on others [m].
GAP = 0.02
# Heights of the centers of pictures, at eye level, and of window sills [m].
HANGING, SILL = (1.45, 1.65), 0.9
# Probability that another object of a set is placed next to the previous one.
TOGETHER = 0.5
# Ranges of the gaps between such neighbors [m], on the floor, on walls, on tables and in shelves.
# With the numbers of objects in room_furniture, houses are as crowded as those of VLA-3D.
APART_BELOW, APART_HUNG = (0.03, 0.4), (0.05, 0.35)
APART_ON, APART_SHELVED = (0.05, 0.5), (0.08, 0.4)
# Approximate distance between the boards of a shelf [m].
BOARD_STEP = 0.36


@dataclass(frozen=True, slots=True)
class PlacementRequest:
    """
    One object to place.

    Attributes
    ----------
    item : Item
        The object, at any position.
    room : Room
    owner : Item, optional
        The object relative to which it is placed.
    earlier : tuple of Item
        Objects of its set that were placed before.
    total : int
        Number of objects in the set.

    """

    item: Item
    room: Room
    owner: Item | None
    earlier: tuple[Item, ...]
    total: int

    @property
    def base(self) -> Item:
        """The owner, for placements that require one."""
        if self.owner is None:
            raise TypeError(f'{self.item.label} must be placed relative to another object')
        return self.owner


Pose = tuple['Array', float]


def propose(placement: Placement, task: PlacementRequest, random: np.random.Generator) -> Pose:
    """Draw the position (x, y, z) [m] of the center and the heading [rad]."""
    return PROPOSALS[placement](task, random)


def _against_wall(room: Room, side: int, inset: float, along: float, z: float) -> Pose:
    """Place something `inset` [m] off a wall and `along` [m] from the wall's center."""
    heading = side * math.pi / 2.0
    half = (room.high - room.low) / 2.0
    depth = half[side % 2]
    c, s = math.cos(heading), math.sin(heading)
    x, y = inset - depth, along
    east, north = room.middle
    return np.array((east + c * x - s * y, north + s * x + c * y, z)), heading


def _wall(task: PlacementRequest, random: np.random.Generator) -> Pose:
    depth, width, height = task.item.size
    side = int(random.integers(4))
    reach = _reach(task.room, side, width)
    along = random.uniform(-reach, reach)
    return _against_wall(task.room, side, depth / 2.0 + GAP, along, height / 2.0)


def _reach(room: Room, side: int, width: float) -> float:
    """Return the maximum distance from the wall's center for an object of this width [m]."""
    half = (room.high - room.low) / 2.0
    return max(float(half[1 - side % 2] - width / 2.0 - GAP), 0.0)


def _corner(task: PlacementRequest, random: np.random.Generator) -> Pose:
    depth, width, height = task.item.size
    side = int(random.integers(4))
    along = (_reach(task.room, side, width) - random.uniform(0.0, 0.3)) * random.choice((-1, 1))
    return _against_wall(task.room, side, depth / 2.0 + 0.05, along, height / 2.0)


def _hung(task: PlacementRequest, random: np.random.Generator) -> Pose:
    depth, width, _ = task.item.size
    if task.earlier and random.random() < TOGETHER:
        return _next_to(task, random, APART_HUNG, vertical=0.05)
    side = int(random.integers(4))
    reach = _reach(task.room, side, width)
    z = random.uniform(*HANGING)
    return _against_wall(task.room, side, depth / 2.0, random.uniform(-reach, reach), z)


def _window(task: PlacementRequest, random: np.random.Generator) -> Pose:
    depth, width, height = task.item.size
    side = int(random.choice(task.room.outer))
    reach = _reach(task.room, side, width)
    along = random.uniform(-reach, reach)
    return _against_wall(task.room, side, depth / 2.0, along, SILL + height / 2.0)


def _next_to(
    task: PlacementRequest,
    random: np.random.Generator,
    gap: tuple[float, float],
    vertical: float = 0.0,
) -> Pose:
    """Place an object sideways of the last of its set, with `gap` [m] between them."""
    last = task.earlier[-1]
    step = (last.size[1] + task.item.size[1]) / 2.0 + random.uniform(*gap)
    step *= random.choice((-1, 1))
    return last.point(0.0, step, random.uniform(-vertical, vertical)), last.heading


def _floor(task: PlacementRequest, random: np.random.Generator) -> Pose:
    height = task.item.size[2]
    if task.earlier and random.random() < TOGETHER:
        place, heading = _next_to(task, random, APART_BELOW)
        return place, heading + random.normal(0.0, 0.1)
    margin = task.item.size[:2].max() / 2.0 + GAP
    x, y = random.uniform(task.room.low + margin, task.room.high - margin)
    heading = random.integers(4) * math.pi / 2.0 + random.normal(0.0, 0.08)
    return np.array((x, y, height / 2.0)), heading


def _laid(task: PlacementRequest, random: np.random.Generator) -> Pose:
    spread = (task.room.high - task.room.low) / 8.0
    x, y = task.room.middle + random.uniform(-spread, spread)
    return np.array((x, y, task.item.size[2] / 2.0)), random.integers(2) * math.pi / 2.0


def _on(task: PlacementRequest, random: np.random.Generator) -> Pose:
    owner, item = task.base, task.item
    if task.earlier and random.random() < TOGETHER:
        place, heading = _next_to(task, random, APART_ON)
        across = random.uniform(-0.15, 0.15)
        return place + owner.rotation @ (across, 0.0, 0.0), heading + random.normal(0.0, 0.2)
    free = np.maximum((owner.size - item.size)[:2] / 2.0 - GAP, 0.0)
    x, y = random.uniform(-free, free)
    return owner.point(x, y, _rest(owner, item)), owner.heading + random.normal(0.0, 0.2)


def _rest(owner: Item, item: Item) -> float:
    """Return the height of an item's center above its owner's center if it stands on it [m]."""
    return float(owner.size[2] * (owner.kind.top - 0.5) + item.size[2] / 2.0)


def _row(task: PlacementRequest, random: np.random.Generator) -> Pose:
    """Divide the width of a seat among pillows that lean at its back."""
    owner, item = task.base, task.item
    slot = owner.size[1] / task.total
    y = (len(task.earlier) + 0.5) * slot - owner.size[1] / 2.0 + random.uniform(-0.05, 0.05)
    x = (item.size[0] - owner.size[0]) / 2.0 + 0.15 + random.uniform(0.0, 0.1)
    return owner.point(x, y, _rest(owner, item)), owner.heading + random.normal(0.0, 0.15)


def _shelved(task: PlacementRequest, random: np.random.Generator) -> Pose:
    owner, item = task.base, task.item
    if task.earlier and random.random() < TOGETHER:
        return _next_to(task, random, APART_SHELVED)
    boards = max(int(owner.size[2] / BOARD_STEP), 1)
    z = random.integers(boards) * owner.size[2] / boards + GAP
    free = (owner.size - item.size)[1] / 2.0 - GAP
    y = random.uniform(-free, free)
    return owner.point(0.0, y, z + (item.size - owner.size)[2] / 2.0), owner.heading


def _above(task: PlacementRequest, random: np.random.Generator) -> Pose:
    owner, item = task.base, task.item
    step = item.size[1] + 0.12
    y = (len(task.earlier) - (task.total - 1) / 2.0) * step + random.uniform(-0.04, 0.04)
    x = (item.size - owner.size)[0] / 2.0
    lift = random.uniform(0.15, 0.45)
    z = min((owner.size + item.size)[2] / 2.0 + lift, HEIGHT - item.size[2])
    return owner.point(x, y, z), owner.heading


def _around(task: PlacementRequest, random: np.random.Generator) -> Pose:
    """Divide the two long sides of a table among its seats, which face it."""
    owner, item = task.base, task.item
    number = len(task.earlier)
    slots = (task.total + 1) // 2
    side = 1.0 if number % 2 else -1.0
    y = (number // 2 + 0.5) * owner.size[1] / slots - owner.size[1] / 2.0
    x = side * ((owner.size + item.size)[0] / 2.0 + random.uniform(GAP, 0.15))
    place = owner.point(x, y + random.uniform(-0.03, 0.03), (item.size - owner.size)[2] / 2.0)
    turn = math.pi if side > 0.0 else 0.0
    return place, owner.heading + turn + random.normal(0.0, 0.1)


def _beside(task: PlacementRequest, random: np.random.Generator) -> Pose:
    owner, item = task.base, task.item
    side = random.choice((-1.0, 1.0))
    y = side * ((owner.size + item.size)[1] / 2.0 + random.uniform(0.03, 0.12))
    x = (item.size - owner.size)[0] / 2.0
    place = owner.point(x, y, 0.0)
    return np.array((*place[:2], item.size[2] / 2.0)), owner.heading


def _before(task: PlacementRequest, random: np.random.Generator) -> Pose:
    owner, item = task.base, task.item
    x = (owner.size + item.size)[0] / 2.0 + random.uniform(0.05, 0.5)
    place = owner.point(x, random.uniform(-0.2, 0.2), 0.0)
    # Chairs face their desk; a coffee table is parallel to its sofa.
    turn = math.pi if item.label.endswith('chair') else 0.0
    return np.array((*place[:2], item.size[2] / 2.0)), owner.heading + turn


PROPOSALS: dict[Placement, Callable[[PlacementRequest, np.random.Generator], Pose]] = {
    Placement.WALL: _wall,
    Placement.CORNER: _corner,
    Placement.FLOOR: _floor,
    Placement.HUNG: _hung,
    Placement.WINDOW: _window,
    Placement.LAID: _laid,
    Placement.ON: _on,
    Placement.ROW: _row,
    Placement.SHELVED: _shelved,
    Placement.ABOVE: _above,
    Placement.AROUND: _around,
    Placement.BESIDE: _beside,
    Placement.BEFORE: _before,
}
