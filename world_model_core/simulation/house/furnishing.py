# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Furnishing of one room: each thing is proposed a place until one is free."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.catalog import KINDS
from world_model_core.simulation.house.furniture_sets import EXTRA_THINGS, FURNISHINGS, Placement
from world_model_core.simulation.house.placement import PlacementRequest, propose
from world_model_core.simulation.house.values import HEIGHT, Box, Item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.simulation.house.furniture_sets import FurnitureSet
    from world_model_core.simulation.house.values import Room

# Proposals for a thing before the room does without it.
TRIES = 30
# Standard deviation of the logarithm of sizes: of furniture of one class.
SIZE_SPREAD = 0.08
# Chance that the things of a set have one colour, as the chairs of a table.
SAME_COLOR = 0.75
# Boxes may overlap so far: rugs under feet, jitter of headings [m].
SLACK = 0.015
# Rounds of clutter after which a room is full.
ROUNDS = 100
# What stands on or in its owner, whose box may therefore hold it.
INSIDE = frozenset({Placement.ON, Placement.ROW, Placement.SHELVED})


class Furnisher:
    """
    Fills one room.

    Parameters
    ----------
    room : Room
    lanes : sequence of Box
        What must stay free, to walk through.
    random : Generator
        What all of it is drawn from.

    """

    def __init__(self, room: Room, lanes: Sequence[Box], random: np.random.Generator) -> None:
        self._room = room
        self._random = random
        self._taken = list(lanes)
        low, high = np.append(room.low, 0.0), np.append(room.high, HEIGHT)
        self._inside = Box(low - SLACK, high + SLACK)
        self.items: list[Item] = []

    def furnish(self, least: int) -> None:
        """Place what belongs to such a room, then clutter until there are `least` things."""
        for part in FURNISHINGS[self._room.kind]:
            self._add_set(part, None)
        for _ in range(ROUNDS):
            if len(self.items) >= least:
                break
            self._add_set(EXTRA_THINGS[int(self._random.integers(len(EXTRA_THINGS)))], None)

    def _add_set(self, part: FurnitureSet, owner: Item | None) -> None:
        """Place a set of things and, once all have a place, what belongs to each."""
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
        """Make a thing of a class; it has no place yet."""
        kind, random = KINDS[label], self._random
        size = np.array(kind.size) * np.exp(random.normal(0.0, SIZE_SPREAD, 3))
        return Item(label, np.zeros(3), size, 0.0, str(random.choice(kind.colors)))

    def _color(self, model: Item) -> str:
        if self._random.random() < SAME_COLOR:
            return model.color
        return str(self._random.choice(model.kind.colors))

    def _place(self, placement: Placement, task: PlacementRequest) -> Item | None:
        """Find a free place."""
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
        """Tell whether a thing would be in the room, within its owner's reach, and touch none."""
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


def _same(one: Box, other: Box) -> bool:
    return bool((one.low == other.low).all() and (one.high == other.high).all())
