# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Unique ids of objects, and tombstones of deleted ones."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.objects.values import MapObject, Tombstone


class ObjectIds:
    """
    Ids of the objects in the slots of a table, and tombstones of deleted objects.

    Parameters
    ----------
    tombstones : int
        Maximum number of tombstones; the oldest are dropped first.

    Attributes
    ----------
    next_id : int
        Larger than every numeric id.
    buried : int
        Number of tombstones ever added.

    """

    def __init__(self, tombstones: int) -> None:
        self.next_id = self.buried = 0
        self._tombstones: deque[Tombstone] = deque(maxlen=tombstones)
        self._names: dict[int, str] = {}
        self._slots: dict[str, int] = {}
        self._origins: dict[int, MapObject] = {}

    @property
    def tombstones(self) -> tuple[Tombstone, ...]:
        """Tombstones of deleted objects, oldest first."""
        return tuple(self._tombstones)

    def name(self, slots: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of the objects in some slots."""
        return tuple(self._names[slot] for slot in slots)

    def find(self, slot: int) -> str | None:
        """Return the id of the object in a slot, or None."""
        return self._names.get(slot)

    def slot(self, name: str) -> int | None:
        """Return the slot of an object, or None."""
        return self._slots.get(name)

    def origin(self, slot: int) -> MapObject | None:
        """Return the object as it was restored, or None."""
        return self._origins.get(slot)

    def begin(self, slot: int) -> None:
        """Give the next id to a new object."""
        self._enter(slot, str(self.next_id))
        self.next_id += 1

    def enter(self, slot: int, name: str, origin: MapObject | None) -> None:
        """Give a restored object its previous id, and keep the object as it was loaded."""
        self._enter(slot, name)
        if origin is not None:
            self._origins[slot] = origin
        self.reserve(name)

    def reserve(self, name: str) -> None:
        """Exclude an id from being given again."""
        if name.isascii() and name.isdigit() and len(name) < 19:
            self.next_id = max(self.next_id, int(name) + 1)

    def remove(self, slot: int, record: Tombstone | None) -> None:
        """Free a slot, and keep its tombstone if there is one."""
        del self._slots[self._names.pop(slot)]
        self._origins.pop(slot, None)
        if record is not None:
            self.add_tombstone(record)

    def add_tombstone(self, record: Tombstone) -> None:
        """Keep the tombstone of a deleted object."""
        self._tombstones.append(record)
        self.buried += 1
        self.reserve(record.id)

    def _enter(self, slot: int, name: str) -> None:
        self._names[slot] = name
        self._slots[name] = slot
