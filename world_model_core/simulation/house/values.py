# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What simulated houses are made of. All lengths in metres, in the map's frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.values import MapObject, Swatch
from world_model_core.simulation.house.catalog import COLORS, KINDS

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.catalog import FurnitureKind

# Of rooms, and of the walls between them and around.
HEIGHT, WALL_THICKNESS = 2.6, 0.1
DOOR_WIDTH, DOOR_HEIGHT = 0.9, 2.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box along the axes: its least and greatest corner, arrays of shape (3,)."""

    low: Array
    high: Array

    def overlaps(self, other: Box, slack: float = 0.0) -> bool:
        """Tell whether they share more than `slack` along every axis."""
        shared = np.minimum(self.high, other.high) - np.maximum(self.low, other.low)
        return bool((shared > slack).all())


@dataclass(frozen=True, slots=True)
class Item:
    """
    A thing in a house.

    Attributes
    ----------
    label : str
        A key of `KINDS`.
    position : array, shape (3,)
        Its centre.
    size : array, shape (3,)
        Along its own axes; x points where its front is.
    heading : float
        Turn of its x axis about z [rad].
    color : str
        A key of `COLORS`.

    """

    label: str
    position: Array
    size: Array
    heading: float
    color: str

    @property
    def kind(self) -> FurnitureKind:
        """What things of its class are like."""
        return KINDS[self.label]

    @property
    def rotation(self) -> Array:
        """Rotation from its axes to the map's, shape (3, 3)."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))

    @property
    def bounds(self) -> Box:
        """The least box along the map's axes that holds it."""
        half = np.abs(self.rotation) @ self.size / 2.0
        return Box(self.position - half, self.position + half)

    def point(self, x: float, y: float, z: float) -> Array:
        """Turn a point relative to its centre, along its axes, into one of the map, shape (3,)."""
        turned: Array = self.rotation @ np.array((x, y, z))
        return self.position + turned

    def carries(self, other: Item) -> bool:
        """Tell whether the centre of another thing is over, or in, its floor plan."""
        local = self.rotation.T @ (other.position - self.position)
        return bool((np.abs(local[:2]) <= self.size[:2] / 2.0).all())

    def as_truth(self, name: str, region: str) -> MapObject:
        """Express it as an object of a map that knows all."""
        return MapObject(
            id=name,
            label=self.label,
            position=self.position,
            covariance=np.zeros((3, 3)),
            size=self.size,
            heading=self.heading,
            colors=(Swatch(self.color, 1.0, COLORS[self.color]),),
            region=region,
        )


@dataclass(frozen=True, slots=True)
class Door:
    """An opening in a wall: its middle (x, y), the heading of its axis [rad], the rooms' names."""

    place: Array
    heading: float
    rooms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """
    A rectangle between walls.

    `low` and `high` (x, y), shape (2,), are its corners, `outer` its sides that are the house's:
    0 to 3 for those whose inward normal heads for 0, 90, 180 and 270 degrees.
    """

    name: str
    kind: str
    low: Array
    high: Array
    outer: tuple[int, ...] = (0, 1, 2, 3)

    @property
    def middle(self) -> Array:
        """Its centre on the floor (x, y), shape (2,)."""
        return (self.low + self.high) / 2.0

    def holds(self, place: Array) -> bool:
        """Tell whether a place (x, y) is in it."""
        return bool(((place >= self.low) & (place <= self.high)).all())


@dataclass(frozen=True, slots=True)
class SimulatedHouse:
    """
    Rooms, doors, walls and what stands in them.

    Attributes
    ----------
    rooms : tuple of Room
    doors : tuple of Door
    walls : tuple of Box
    items : tuple of Item
    objects : tuple of MapObject
        The truth about the items, in their order: without uncertainty, `region` the room's name.

    """

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    walls: tuple[Box, ...]
    items: tuple[Item, ...]
    objects: tuple[MapObject, ...]

    @property
    def bounds(self) -> Box:
        """The box of all rooms, floor to ceiling."""
        low = np.min([room.low for room in self.rooms], axis=0)
        high = np.max([room.high for room in self.rooms], axis=0)
        return Box(np.append(low, 0.0), np.append(high, HEIGHT))
