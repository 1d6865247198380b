# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rooms for evaluations: simulated ones, and those of annotated scenes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.house_generator import generate_room
from world_model_core.simulation.house.values import AxisAlignedBox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.objects.answer import Scene
    from world_model_core.objects.values import MapObject

# Name of the set of simulated rooms.
SIMULATED = 'simulated rooms'
# Distance by which clutter may lie outside the centers of a room's objects [m].
MARGIN = 0.2


@dataclass(frozen=True, slots=True)
class Layout:
    """Room: its name, its true objects, and the box of the clutter."""

    name: str
    objects: tuple[MapObject, ...]
    bounds: AxisAlignedBox


def simulate_layouts(count: int) -> tuple[Layout, ...]:
    """Generate rooms with consecutive seeds from 0."""
    houses = (generate_room(seed) for seed in range(count))
    return tuple(
        Layout(f'{house.rooms[0].name}, seed {seed}', house.objects, house.bounds)
        for seed, house in enumerate(houses)
    )


def cut_scene(name: str, scene: Scene) -> tuple[Layout, ...]:
    """
    Divide a scene into its rooms; objects without a room form one more.

    Scenes of VLA-3D have several rooms of one name, which differ by their id only.
    """
    rooms: defaultdict[str, list[MapObject]] = defaultdict(list)
    for each in scene.objects:
        room = f'{each.region or ""} {each.extra.get("region_id", "")}'.strip()
        rooms[room].append(each)
    return tuple(
        Layout(f'{name}, {room}'.rstrip(', '), tuple(objects), _bound(objects))
        for room, objects in sorted(rooms.items())
    )


def _bound(objects: Sequence[MapObject]) -> AxisAlignedBox:
    places = np.array([each.position for each in objects])
    return AxisAlignedBox(places.min(axis=0) - MARGIN, places.max(axis=0) + MARGIN)
