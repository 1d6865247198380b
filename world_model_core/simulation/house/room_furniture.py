# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Furniture of each kind of room, and how objects are placed relative to each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Placement(Enum):
    """Kind of placement: in the room, or relative to the object that owns it."""

    WALL = auto()
    CORNER = auto()
    FLOOR = auto()
    HUNG = auto()
    WINDOW = auto()
    """In an outer wall of the house."""
    LAID = auto()
    """Flat on the floor, under other objects: a rug."""
    ON = auto()
    ROW = auto()
    """In a row at the back of the top: pillows."""
    SHELVED = auto()
    """In rows on the boards of a shelf."""
    ABOVE = auto()
    """On the wall above, in a row."""
    AROUND = auto()
    BESIDE = auto()
    BEFORE = auto()


@dataclass(frozen=True, slots=True)
class FurnitureSet:
    """From `least` to `most` objects of a class, each with its own `parts`."""

    placement: Placement
    label: str
    least: int = 1
    most: int = 1
    parts: tuple[FurnitureSet, ...] = ()


def _books(least: int, most: int) -> FurnitureSet:
    return FurnitureSet(Placement.SHELVED, 'book', least, most)


WINDOW = FurnitureSet(
    Placement.WINDOW, 'window', 1, 2, (FurnitureSet(Placement.BESIDE, 'curtain', 0, 2),)
)
SEATING = (
    FurnitureSet(Placement.ROW, 'pillow', 2, 4),
    FurnitureSet(Placement.ABOVE, 'picture', 1, 3),
    FurnitureSet(
        Placement.BEFORE,
        'coffee table',
        parts=(
            FurnitureSet(Placement.ON, 'magazine', 0, 2),
            FurnitureSet(Placement.ON, 'remote control', 1, 2),
            FurnitureSet(Placement.ON, 'cup', 0, 2),
            FurnitureSet(Placement.ON, 'bowl', 0, 1),
            FurnitureSet(Placement.ON, 'vase', 0, 1),
            FurnitureSet(Placement.ON, 'candle', 0, 2),
        ),
    ),
    FurnitureSet(
        Placement.BESIDE,
        'side table',
        0,
        2,
        (FurnitureSet(Placement.ON, 'lamp'), FurnitureSet(Placement.ON, 'photo', 0, 1)),
    ),
)
SCREEN = (
    FurnitureSet(Placement.ON, 'speaker', 0, 2),
    FurnitureSet(Placement.ON, 'figurine', 0, 2),
    FurnitureSet(Placement.ABOVE, 'tv'),
)
CABINET = (
    FurnitureSet(Placement.ON, 'vase', 0, 1),
    FurnitureSet(Placement.ON, 'photo', 0, 2),
    FurnitureSet(Placement.ABOVE, 'mirror'),
)
BOOKSHELF = (
    _books(2, 5),
    FurnitureSet(Placement.SHELVED, 'figurine', 0, 2),
    FurnitureSet(Placement.SHELVED, 'box', 0, 1),
)
LIVING_ROOM = (
    WINDOW,
    FurnitureSet(Placement.WALL, 'sofa', parts=SEATING),
    FurnitureSet(Placement.WALL, 'tv cabinet', parts=SCREEN),
    FurnitureSet(Placement.WALL, 'bookshelf', 0, 1, BOOKSHELF),
    FurnitureSet(Placement.WALL, 'cabinet', 0, 1, CABINET),
    FurnitureSet(
        Placement.FLOOR, 'armchair', 1, 2, (FurnitureSet(Placement.ROW, 'pillow', 0, 1),)
    ),
    FurnitureSet(Placement.CORNER, 'potted plant', 1, 3),
    FurnitureSet(Placement.CORNER, 'floor lamp', 0, 1),
    FurnitureSet(Placement.HUNG, 'picture', 1, 3),
    FurnitureSet(Placement.FLOOR, 'ottoman', 0, 1, (FurnitureSet(Placement.ON, 'magazine'),)),
    FurnitureSet(Placement.LAID, 'rug', 1, 1),
)
NIGHTSTAND = (
    FurnitureSet(Placement.ON, 'table lamp'),
    FurnitureSet(Placement.ON, 'clock', 0, 1),
    FurnitureSet(Placement.ON, 'photo', 0, 1),
    FurnitureSet(Placement.ON, 'glass', 0, 1),
)
BED = (
    FurnitureSet(Placement.ROW, 'pillow', 2, 4),
    FurnitureSet(Placement.BESIDE, 'nightstand', 1, 2, NIGHTSTAND),
    FurnitureSet(Placement.ABOVE, 'picture', 1, 2),
    FurnitureSet(Placement.BEFORE, 'bench', 0, 1),
)
DRESSER = (
    FurnitureSet(Placement.ON, 'bottle', 1, 3),
    FurnitureSet(Placement.ON, 'candle', 0, 2),
    FurnitureSet(Placement.ON, 'box', 0, 1),
    FurnitureSet(Placement.ABOVE, 'mirror'),
)
BEDROOM = (
    WINDOW,
    FurnitureSet(Placement.WALL, 'bed', parts=BED),
    FurnitureSet(Placement.WALL, 'wardrobe'),
    FurnitureSet(Placement.WALL, 'dresser', parts=DRESSER),
    FurnitureSet(Placement.WALL, 'bookshelf', 0, 1, BOOKSHELF),
    FurnitureSet(Placement.FLOOR, 'chair', 0, 1, (FurnitureSet(Placement.ROW, 'pillow', 0, 1),)),
    FurnitureSet(Placement.FLOOR, 'shoe', 2, 4),
    FurnitureSet(Placement.FLOOR, 'suitcase', 0, 2),
    FurnitureSet(Placement.CORNER, 'potted plant', 0, 2),
    FurnitureSet(Placement.HUNG, 'picture', 1, 2),
    FurnitureSet(Placement.FLOOR, 'basket', 0, 2),
    FurnitureSet(Placement.LAID, 'rug', 0, 1),
)
TABLEWARE = (
    FurnitureSet(Placement.ON, 'plate', 1, 4),
    FurnitureSet(Placement.ON, 'glass', 1, 3),
    FurnitureSet(Placement.ON, 'bowl', 0, 2),
    FurnitureSet(Placement.ON, 'vase', 0, 1),
    FurnitureSet(Placement.ON, 'candle', 0, 2),
)
COUNTER = (
    FurnitureSet(Placement.ON, 'kettle'),
    FurnitureSet(Placement.ON, 'microwave'),
    FurnitureSet(Placement.ON, 'knife rack', 0, 1),
    FurnitureSet(Placement.ON, 'cup', 1, 3),
    FurnitureSet(Placement.ON, 'pan', 0, 2),
    FurnitureSet(Placement.ON, 'fruit', 0, 3),
    FurnitureSet(
        Placement.ABOVE,
        'shelf',
        1,
        1,
        (FurnitureSet(Placement.SHELVED, 'jar', 1, 4), FurnitureSet(Placement.SHELVED, 'bowl')),
    ),
)
KITCHEN = (
    WINDOW,
    FurnitureSet(Placement.WALL, 'counter', parts=COUNTER),
    FurnitureSet(Placement.WALL, 'refrigerator'),
    FurnitureSet(
        Placement.WALL,
        'cabinet',
        0,
        1,
        (FurnitureSet(Placement.ON, 'tray'), FurnitureSet(Placement.ON, 'bottle', 0, 3)),
    ),
    FurnitureSet(
        Placement.FLOOR,
        'dining table',
        1,
        1,
        (FurnitureSet(Placement.AROUND, 'chair', 2, 4), *TABLEWARE),
    ),
    FurnitureSet(Placement.FLOOR, 'trash can', 1, 2),
    FurnitureSet(Placement.FLOOR, 'stool', 0, 2),
    FurnitureSet(Placement.CORNER, 'potted plant', 0, 2),
    FurnitureSet(Placement.HUNG, 'clock'),
    FurnitureSet(Placement.HUNG, 'picture', 0, 2),
)
DINING_ROOM = (
    WINDOW,
    FurnitureSet(
        Placement.FLOOR,
        'dining table',
        1,
        1,
        (FurnitureSet(Placement.AROUND, 'chair', 4, 8), *TABLEWARE),
    ),
    FurnitureSet(
        Placement.WALL, 'cabinet', 1, 2, (FurnitureSet(Placement.ON, 'bottle', 0, 2), *CABINET)
    ),
    FurnitureSet(Placement.WALL, 'bench', 0, 1, (FurnitureSet(Placement.ROW, 'pillow', 1, 3),)),
    FurnitureSet(Placement.CORNER, 'potted plant', 1, 3),
    FurnitureSet(Placement.HUNG, 'picture', 1, 3),
    FurnitureSet(Placement.CORNER, 'floor lamp', 0, 1),
    FurnitureSet(Placement.LAID, 'rug', 0, 1),
)
DESK = (
    FurnitureSet(Placement.ON, 'computer monitor', 1, 2),
    FurnitureSet(Placement.ON, 'keyboard'),
    FurnitureSet(Placement.ON, 'mouse'),
    FurnitureSet(Placement.ON, 'cup', 0, 2),
    FurnitureSet(Placement.ON, 'table lamp', 0, 1),
    FurnitureSet(Placement.BEFORE, 'office chair'),
    FurnitureSet(Placement.ABOVE, 'picture', 0, 2),
)
STUDY = (
    WINDOW,
    FurnitureSet(Placement.WALL, 'desk', 1, 2, DESK),
    FurnitureSet(Placement.WALL, 'bookshelf', 1, 2, BOOKSHELF),
    FurnitureSet(
        Placement.WALL,
        'cabinet',
        0,
        1,
        (FurnitureSet(Placement.ON, 'printer'), FurnitureSet(Placement.ON, 'photo', 0, 2)),
    ),
    FurnitureSet(
        Placement.FLOOR, 'armchair', 0, 1, (FurnitureSet(Placement.ROW, 'pillow', 0, 1),)
    ),
    FurnitureSet(Placement.FLOOR, 'box', 1, 4),
    FurnitureSet(Placement.FLOOR, 'trash can'),
    FurnitureSet(Placement.CORNER, 'potted plant', 0, 2),
    FurnitureSet(Placement.HUNG, 'picture', 1, 2),
    FurnitureSet(Placement.HUNG, 'clock', 0, 1),
    FurnitureSet(Placement.LAID, 'rug', 0, 1),
)
FURNISHINGS: dict[str, tuple[FurnitureSet, ...]] = {
    'living room': LIVING_ROOM,
    'bedroom': BEDROOM,
    'kitchen': KITCHEN,
    'dining room': DINING_ROOM,
    'study': STUDY,
}
# Extra objects for any room, to reach its minimum number of objects.
EXTRA_THINGS: tuple[FurnitureSet, ...] = (
    FurnitureSet(Placement.FLOOR, 'box', 1, 2),
    FurnitureSet(Placement.FLOOR, 'toy', 1, 4),
    FurnitureSet(Placement.FLOOR, 'shoe', 2, 2),
    FurnitureSet(Placement.HUNG, 'picture', 1, 2),
    FurnitureSet(Placement.CORNER, 'potted plant', 1, 1),
    FurnitureSet(Placement.FLOOR, 'stool', 1, 1, (FurnitureSet(Placement.ON, 'book', 1, 1),)),
    FurnitureSet(Placement.FLOOR, 'basket', 1, 1),
    FurnitureSet(
        Placement.HUNG,
        'shelf',
        1,
        1,
        (_books(2, 5), FurnitureSet(Placement.SHELVED, 'vase', 0, 1)),
    ),
)
