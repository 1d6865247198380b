# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities as true objects of a map, by which estimated maps are scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.values import MapObject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.values import Entity, Vector

__all__ = ['map_objects', 'mapped_classes', 'true_map']

# The building and the people: what a map of the objects in a house does not contain.
UNMAPPED = frozenset(('ceiling', 'floor', 'ground', 'person', 'robot', 'wall', 'walls'))


def true_map(engine: Engine) -> tuple[MapObject, ...]:
    """Return the objects that a map of a world should contain, where they are now."""
    classes = mapped_classes(engine.world.entities)
    return map_objects(classes, [engine.bounds(name) for name in classes])


def mapped_classes(entities: Iterable[Entity]) -> dict[str, str]:
    """
    Return the class of each entity that an object map should contain, by its name.

    Detectors report the same ones. Left out are the building, people, robots, and what neither
    moves nor has a class. The name stands for an empty class.
    """
    return {
        each.name: each.category or each.name
        for each in entities
        if (each.movable or each.category)
        and each.category.casefold() not in UNMAPPED
        and each.wheels is None
    }


def map_objects(
    categories: Mapping[str, str], bounds: Iterable[tuple[Vector, Vector]]
) -> tuple[MapObject, ...]:
    """
    Return entities as objects with exact positions.

    Parameters
    ----------
    categories : mapping of str to str
        Class of each entity, by its name.
    bounds : iterable of tuple
        Lower and upper corner of each, in the frame `world` [m]. Position and size of an object
        are those of the box between them, whose axes are those of `world`.

    """
    corners = np.array(list(bounds), dtype=np.float64).reshape(-1, 2, 3)
    return tuple(
        MapObject(name, label, box.mean(axis=0), np.zeros((3, 3)), box[1] - box[0], 0.0)
        for (name, label), box in zip(categories.items(), corners, strict=True)
    )
