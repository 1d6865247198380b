# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities as true objects of a map, by which estimated maps are scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.values import MapObject, Swatch
from world_model_core.simulation.house.furniture_kinds import COLORS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.values import Entity

__all__ = ['is_object', 'mapped_classes', 'true_map']

# Classes of what objects are in, and of who does not stay where a map has seen them.
STRUCTURES = frozenset(
    ('building', 'ceiling', 'floor', 'ground', 'house', 'room', 'wall', 'walls')
)
AGENTS = frozenset(('person', 'robot'))


def is_object(entity: Entity) -> bool:
    """Return whether detectors report an entity: it is no structure, and moves or has a class."""
    category = entity.category.casefold()
    return category not in STRUCTURES and (entity.movable or bool(category))


def mapped_classes(entities: Iterable[Entity]) -> dict[str, str]:
    """
    Return the class of each entity that an object map should contain, by its name.

    Left out are the building, people, robots, and what neither moves nor has a class. The name
    stands for an empty class.
    """
    return {
        each.name: each.category or each.name
        for each in entities
        if is_object(each) and each.category.casefold() not in AGENTS and each.wheels is None
    }


def true_map(engine: Engine) -> tuple[MapObject, ...]:
    """
    Return the objects that a map of a world should contain, as they are now.

    Their boxes and colors are those that detectors measure.
    """
    # Boxes need MuJoCo, which is optional; who has an engine has it.
    from world_model_core.virtual_world.rendering.true_objects import (  # noqa: PLC0415
        true_objects,
    )

    classes = mapped_classes(engine.world.entities)
    _, names, objects = true_objects(engine)
    return tuple(
        MapObject(
            id=name,
            label=classes[name],
            position=objects.positions[row],
            covariance=np.zeros((3, 3)),
            size=objects.sizes[row],
            heading=float(objects.headings[row]),
            colors=(Swatch(objects.colors[row], 1.0, COLORS[objects.colors[row]]),),
        )
        for row, name in enumerate(names)
        if name in classes
    )
