# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Generator of simulated houses; the same seed gives the same house."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.simulation.house.floor_plan import (
    clear_lanes,
    join_rooms,
    plan_room,
    plan_rooms,
    raise_walls,
)
from world_model_core.simulation.house.furnishing import Furnisher
from world_model_core.simulation.house.furniture_kinds import KINDS
from world_model_core.simulation.house.room_furniture import FURNISHINGS
from world_model_core.simulation.house.values import Item, SimulatedHouse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.simulation.house.values import Door, Room

# Minimum number of objects in a room.
LEAST = 30
MOST_ROOMS = 40


def generate_room(seed: int, kind: str | None = None) -> SimulatedHouse:
    """
    Generate a house of one room.

    Parameters
    ----------
    seed : int
    kind : str, optional
        A key of `FURNISHINGS`; random by default.

    Raises
    ------
    ConfigurationError
        If the kind of room is unknown.

    """
    if kind is not None and kind not in FURNISHINGS:
        known = ', '.join(FURNISHINGS)
        raise ConfigurationError(f'kind is {kind!r}; it must be one of {known}')
    random = np.random.default_rng(seed)
    room, door = plan_room(kind, random)
    return _build((room,), (door,), random)


def generate_house(seed: int, rooms: int = 4) -> SimulatedHouse:
    """
    Generate a house.

    Parameters
    ----------
    seed : int
    rooms : int
        Number of rooms, from 1 to 40.

    Raises
    ------
    ConfigurationError
        If the number of rooms is outside its limits.

    """
    if not 1 <= rooms <= MOST_ROOMS:
        raise ConfigurationError(f'rooms is {rooms}; it must be from 1 to {MOST_ROOMS}')
    if rooms == 1:
        return generate_room(seed)
    random = np.random.default_rng(seed)
    planned = plan_rooms(rooms, random)
    return _build(planned, join_rooms(planned, random), random)


def _build(
    rooms: Sequence[Room], doors: Sequence[Door], random: np.random.Generator
) -> SimulatedHouse:
    """Build the walls and furnish all rooms."""
    placed = [(_hang(door, random), door.rooms[0]) for door in doors]
    for room in rooms:
        furnisher = Furnisher(room, clear_lanes(room, doors), random)
        furnisher.furnish(LEAST)
        placed.extend((item, room.name) for item in furnisher.items)
    return SimulatedHouse(
        rooms=tuple(rooms),
        doors=tuple(doors),
        walls=raise_walls(rooms, doors),
        items=tuple(item for item, _ in placed),
        objects=tuple(item.to_map_object(str(n), name) for n, (item, name) in enumerate(placed)),
    )


def _hang(door: Door, random: np.random.Generator) -> Item:
    """Return the item of a door; it is open and does not block the passage."""
    kind = KINDS['door']
    position = np.array((*door.place, kind.size[2] / 2.0))
    color = str(random.choice(kind.colors))
    return Item('door', position, np.array(kind.size), door.heading, color)
