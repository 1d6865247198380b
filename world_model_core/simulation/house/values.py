# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Values of simulated houses. All lengths in meters, in the map's frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.values import MapObject, Swatch
from world_model_core.simulation.house.furniture_kinds import COLORS, KINDS

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.furniture_kinds import FurnitureKind

# Of rooms, and of the walls between and around them.
HEIGHT, WALL_THICKNESS = 2.6, 0.1
DOOR_WIDTH, DOOR_HEIGHT = 0.9, 2.0


@dataclass(frozen=True, slots=True)
class AxisAlignedBox:
    """Axis-aligned box: its lower and upper corner, arrays of shape (3,)."""

    low: Array
    high: Array

    def overlaps(self, other: AxisAlignedBox, slack: float = 0.0) -> bool:
        """Return whether they share more than `slack` along every axis."""
        shared = np.minimum(self.high, other.high) - np.maximum(self.low, other.low)
        return bool((shared > slack).all())


@dataclass(frozen=True, slots=True)
class Item:
    """
    Object in a house.

    Attributes
    ----------
    label : str
        A key of `KINDS`.
    position : array, shape (3,)
        Its center.
    size : array, shape (3,)
        Along its own axes; x points to its front.
    heading : float
        Rotation of its x axis about z [rad].
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
        """Properties of its class."""
        return KINDS[self.label]

    @property
    def rotation(self) -> Array:
        """Rotation from its axes to the map's, shape (3, 3)."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))

    @property
    def bounds(self) -> AxisAlignedBox:
        """Axis-aligned bounding box."""
        half = np.abs(self.rotation) @ self.size / 2.0
        return AxisAlignedBox(self.position - half, self.position + half)

    def point(self, x: float, y: float, z: float) -> Array:
        """Convert a point relative to its center and axes to the map frame, shape (3,)."""
        turned: Array = self.rotation @ np.array((x, y, z))
        return self.position + turned

    def carries(self, other: Item) -> bool:
        """Return whether the center of another object is within its outline from above."""
        local = self.rotation.T @ (other.position - self.position)
        return bool((np.abs(local[:2]) <= self.size[:2] / 2.0).all())

    def to_map_object(self, name: str, region: str) -> MapObject:
        """Convert it to an object of the ground truth."""
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
    """Opening in a wall: its center (x, y), the heading of its axis [rad], the rooms' names."""

    place: Array
    heading: float
    rooms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """
    Rectangle between walls.

    `low` and `high` (x, y), shape (2,), are its corners. `outer` are its sides on the outside of
    the
    house: 0 to 3 for those whose inward normal points to 0, 90, 180 and 270 degrees.
    """

    name: str
    kind: str
    low: Array
    high: Array
    outer: tuple[int, ...] = (0, 1, 2, 3)

    @property
    def middle(self) -> Array:
        """Its center on the floor (x, y), shape (2,)."""
        return (self.low + self.high) / 2.0

    def holds(self, place: Array) -> bool:
        """Return whether a place (x, y) is in it."""
        return bool(((place >= self.low) & (place <= self.high)).all())


@dataclass(frozen=True, slots=True)
class SimulatedHouse:
    """
    Rooms, doors, walls and objects.

    Attributes
    ----------
    rooms : tuple of Room
    doors : tuple of Door
    walls : tuple of AxisAlignedBox
    items : tuple of Item
    objects : tuple of MapObject
        Ground truth of the items, in their order: without uncertainty; `region` is the room's
        name.

    """

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    walls: tuple[AxisAlignedBox, ...]
    items: tuple[Item, ...]
    objects: tuple[MapObject, ...]

    @property
    def bounds(self) -> AxisAlignedBox:
        """Bounding box of all rooms, floor to ceiling."""
        low = np.min([room.low for room in self.rooms], axis=0)
        high = np.max([room.high for room in self.rooms], axis=0)
        return AxisAlignedBox(np.append(low, 0.0), np.append(high, HEIGHT))
