# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What a thing is for, as far as relations depend on it.

A box does not tell whether things lie in it or on it, nor whether there is room beneath it: its
class does. The classes are those on which the scene graphs of VLA-3D make the same distinctions
(github.com/HaochenZ11/VLA-3D), under the names that detectors and people give them.
"""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.labels import normalize_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


class ClassRole(IntFlag):
    """What a class is for; several may hold."""

    NONE = 0
    STRUCTURE = 1  # part of the building: rests on nothing
    UPRIGHT = 2  # a surface that things hang on, never stand on
    CONTAINER = 4  # what is inside is in it, not on it
    SHELVED = 8  # open inside: what is deep inside is in it, what is at its top is on it
    ROOM_BENEATH = 16  # what stands below its top is under it
    SHELVES = 32  # its box is filled with places to stand on, from the lowest up
    FURNITURE = 64  # said to carry what is over it, rather than to be below that


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
    Find what a class is for by the last words of its name.

    Returns
    -------
    Role
        That of the longest name known at the end of the label: a 'round dining table' is a table,
        a 'table lamp' is not. NONE for others.

    """
    words = normalize_label(label).split(' ')
    for start in range(len(words)):
        role = _ROLES.get(' '.join(words[start:]))
        if role is not None:
            return role
    return ClassRole.NONE


def roles_of(labels: Iterable[str]) -> NDArray[np.int64]:
    """Find what classes are for: array (n,) of `Role` bits."""
    return np.array([role_of(label) for label in labels], dtype=np.int64)
