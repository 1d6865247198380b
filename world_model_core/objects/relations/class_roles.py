# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Roles of classes, as far as relations depend on them.

A box does not show whether things lie in it or on it, or whether there is room beneath it; its
class does. The classes are those that the scene graphs of VLA-3D distinguish
(github.com/HaochenZ11/VLA-3D), under the names that detectors and people use.
"""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.labels import normalize_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = ['ClassRole', 'role_of', 'roles_of']


class ClassRole(IntFlag):
    """Roles of a class; several may apply."""

    NONE = 0
    STRUCTURE = 1  # part of the building: never on another object
    UPRIGHT = 2  # a surface on which things hang and do not stand
    CONTAINER = 4  # objects inside are in it, not on it
    SHELVED = 8  # objects deep inside are in it, objects at its top are on it
    ROOM_BENEATH = 16  # objects below its top are under it
    SHELVES = 32  # has surfaces at all heights
    FURNITURE = 64  # carries the objects over it, and is not called below them


_CLASSES = {
    ClassRole.STRUCTURE: (
        'wall, floor, ceiling, roof, door, doorway, door way, door frame, doorframe, garage door'
    ),
    ClassRole.UPRIGHT: 'wall, door, doorway, door way, door frame, doorframe, garage door',
    ClassRole.CONTAINER: (
        'dishwasher, garbage bin, trash can, trashcan, trash bin, dustbin, wastebasket, '
        'microwave, microwave oven, refrigerator, refridgerator, fridge, freezer, sink, '
        'washbasin, box, bathtub, container, nightstand, night stand, bedside table, dresser, '
        'drawer, chest of drawers, vanity, oven, toaster oven, washing machine, '
        'clothing dryer, clothes dryer, clothing washer'
    ),
    ClassRole.SHELVED: 'cabinet, cupboard',
    ClassRole.SHELVES: 'shelf, shelves, shelving, bookshelf, bookcase, rack, cabinet, cupboard',
    ClassRole.ROOM_BENEATH: (
        'cabinet, cupboard, counter, countertop, table, desk, stool, shelf, shelves, '
        'shelving, drawer, dresser, vanity, chest of drawers, bed, bookshelf, bookcase, tv stand, '
        'bench, chest, bar, nightstand, night stand, bedside table'
    ),
    ClassRole.FURNITURE: (
        'cabinet, cupboard, chair, armchair, refrigerator, refridgerator, fridge, table, desk, '
        'shelf, shelves, shelving, stand, sofa, couch, bookshelf, bookcase, bed, nightstand, '
        'night stand, bedside table, dresser, vanity, chest of drawers, bench, tv stand, ottoman'
    ),
}


def _by_label() -> dict[str, ClassRole]:
    table: dict[str, ClassRole] = {}
    for role, names in _CLASSES.items():
        for name in names.split(', '):
            table[name] = table.get(name, ClassRole.NONE) | role
    return table


_ROLES = _by_label()


def role_of(label: str) -> ClassRole:
    """
    Return the roles of a class, by the last words of its name.

    Returns
    -------
    ClassRole
        Roles of the longest known name at the end of the label: a 'round dining table' is a table,
        a 'table lamp' is not. NONE for unknown classes.

    """
    words = normalize_label(label).split(' ')
    for start in range(len(words)):
        role = _ROLES.get(' '.join(words[start:]))
        if role is not None:
            return role
    return ClassRole.NONE


def roles_of(labels: Iterable[str]) -> NDArray[np.int64]:
    """Return the roles of classes: array (n,) of `ClassRole` bits."""
    return np.array([role_of(label) for label in labels], dtype=np.int64)
