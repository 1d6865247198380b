# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Furnishing of a room: draws places for each object until one is free."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.furniture_kinds import KINDS
from world_model_core.simulation.house.placement import PlacementRequest, propose
from world_model_core.simulation.house.room_furniture import EXTRA_THINGS, FURNISHINGS, Placement
from world_model_core.simulation.house.values import HEIGHT, AxisAlignedBox, Item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.simulation.house.room_furniture import FurnitureSet
    from world_model_core.simulation.house.values import Room

# Number of places drawn for an object before it is left out.
TRIES = 30
# Standard deviation of the logarithm of sizes within a class.
SIZE_SPREAD = 0.08
# Probability that an object has the color of its set, as the chairs of a table.
SAME_COLOR = 0.75
# Overlap of boxes that is tolerated: rugs under feet, noise of headings [m].
SLACK = 0.015
# Number of attempts to add extra objects to a room.
ROUNDS = 100
# Objects on or in their owner, whose box may contain them.
INSIDE = frozenset({Placement.ON, Placement.ROW, Placement.SHELVED})


class Furnisher:
    """
    Furnishes one room.

    Parameters
    ----------
    room : Room
    lanes : sequence of AxisAlignedBox
        Space that must stay free for the robot.
    random : Generator
        Source of all random draws.

    """

    def __init__(
        self, room: Room, lanes: Sequence[AxisAlignedBox], random: np.random.Generator
    ) -> None:
        self._room = room
        self._random = random
        self._taken = list(lanes)
        low, high = np.append(room.low, 0.0), np.append(room.high, HEIGHT)
        self._inside = AxisAlignedBox(low - SLACK, high + SLACK)
        self.items: list[Item] = []

    def furnish(self, least: int) -> None:
        """Place the furniture of the kind of room, then extra objects until there are `least`."""
        for part in FURNISHINGS[self._room.kind]:
            self._add_set(part, None)
        for _ in range(ROUNDS):
            if len(self.items) >= least:
                break
            self._add_set(EXTRA_THINGS[int(self._random.integers(len(EXTRA_THINGS)))], None)

    def _add_set(self, part: FurnitureSet, owner: Item | None) -> None:
        """Place a set of objects, then the objects that belong to each."""
        if part.placement is Placement.WINDOW and not self._room.outer:
            return
        total = int(self._random.integers(part.least, part.most + 1))
        placed: list[Item] = []
        model = self._make(part.label)
        for _ in range(total):
            item = replace(model, color=self._color(model))
            found = self._place(
                part.placement, PlacementRequest(item, self._room, owner, tuple(placed), total)
            )
            if found is not None:
                placed.append(found)
        for item in placed:
            for each in part.parts:
                self._add_set(each, item)

    def _make(self, label: str) -> Item:
        """Draw an object of a class, without a place."""
        kind, random = KINDS[label], self._random
        size = np.array(kind.size) * np.exp(random.normal(0.0, SIZE_SPREAD, 3))
        return Item(label, np.zeros(3), size, 0.0, str(random.choice(kind.colors)))

    def _color(self, model: Item) -> str:
        if self._random.random() < SAME_COLOR:
            return model.color
        return str(self._random.choice(model.kind.colors))

    def _place(self, placement: Placement, task: PlacementRequest) -> Item | None:
        """Return the object at a free place, or None."""
        for _ in range(TRIES):
            place, heading = propose(placement, task, self._random)
            item = replace(task.item, position=place, heading=float(heading))
            if placement is Placement.LAID or self._is_free(
                item, task.owner if placement in INSIDE else None
            ):
                self.items.append(item)
                if placement is not Placement.LAID:
                    self._taken.append(item.bounds)
                return item
        return None

    def _is_free(self, item: Item, owner: Item | None) -> bool:
        """Return whether an object fits: in the room, on its owner, without touching others."""
        box = item.bounds
        if (box.low < self._inside.low).any() or (box.high > self._inside.high).any():
            return False
        if owner is not None and not owner.carries(item):
            return False
        mine = None if owner is None else owner.bounds
        return not any(
            box.overlaps(other, SLACK)
            for other in self._taken
            if mine is None or not _same(other, mine)
        )


def _same(one: AxisAlignedBox, other: AxisAlignedBox) -> bool:
    return bool((one.low == other.low).all() and (one.high == other.high).all())
