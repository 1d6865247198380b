# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What stands in the rooms of simulated houses, and how it stands to other things."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class How(Enum):
    """Where a thing is placed: in its room, or with respect to the thing it belongs to."""

    WALL = auto()
    CORNER = auto()
    FLOOR = auto()
    HUNG = auto()
    WINDOW = auto()
    """In a wall of the house that has nothing behind it."""
    LAID = auto()
    """On the floor, under whatever stands there: a rug."""
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
class Part:
    """A class of things, from `least` to `most` of it, each with its own `parts`."""

    how: How
    label: str
    least: int = 1
    most: int = 1
    parts: tuple[Part, ...] = ()


def _books(least: int, most: int) -> Part:
    return Part(How.SHELVED, 'book', least, most)


WINDOW = Part(How.WINDOW, 'window', 1, 2, (Part(How.BESIDE, 'curtain', 0, 2),))
SEATING = (
    Part(How.ROW, 'pillow', 2, 4),
    Part(How.ABOVE, 'picture', 1, 3),
    Part(
        How.BEFORE,
        'coffee table',
        parts=(
            Part(How.ON, 'magazine', 0, 2),
            Part(How.ON, 'remote control', 1, 2),
            Part(How.ON, 'cup', 0, 2),
            Part(How.ON, 'bowl', 0, 1),
            Part(How.ON, 'vase', 0, 1),
            Part(How.ON, 'candle', 0, 2),
        ),
    ),
    Part(How.BESIDE, 'side table', 0, 2, (Part(How.ON, 'lamp'), Part(How.ON, 'photo', 0, 1))),
)
SCREEN = (
    Part(How.ON, 'speaker', 0, 2),
    Part(How.ON, 'figurine', 0, 2),
    Part(How.ABOVE, 'tv'),
)
CABINET = (Part(How.ON, 'vase', 0, 1), Part(How.ON, 'photo', 0, 2), Part(How.ABOVE, 'mirror'))
BOOKSHELF = (_books(2, 5), Part(How.SHELVED, 'figurine', 0, 2), Part(How.SHELVED, 'box', 0, 1))
LIVING_ROOM = (
    WINDOW,
    Part(How.WALL, 'sofa', parts=SEATING),
    Part(How.WALL, 'tv cabinet', parts=SCREEN),
    Part(How.WALL, 'bookshelf', 0, 1, BOOKSHELF),
    Part(How.WALL, 'cabinet', 0, 1, CABINET),
    Part(How.FLOOR, 'armchair', 1, 2, (Part(How.ROW, 'pillow', 0, 1),)),
    Part(How.CORNER, 'potted plant', 1, 3),
    Part(How.CORNER, 'floor lamp', 0, 1),
    Part(How.HUNG, 'picture', 1, 3),
    Part(How.FLOOR, 'ottoman', 0, 1, (Part(How.ON, 'magazine'),)),
    Part(How.LAID, 'rug', 1, 1),
)
NIGHTSTAND = (
    Part(How.ON, 'table lamp'),
    Part(How.ON, 'clock', 0, 1),
    Part(How.ON, 'photo', 0, 1),
    Part(How.ON, 'glass', 0, 1),
)
BED = (
    Part(How.ROW, 'pillow', 2, 4),
    Part(How.BESIDE, 'nightstand', 1, 2, NIGHTSTAND),
    Part(How.ABOVE, 'picture', 1, 2),
    Part(How.BEFORE, 'bench', 0, 1),
)
DRESSER = (
    Part(How.ON, 'bottle', 1, 3),
    Part(How.ON, 'candle', 0, 2),
    Part(How.ON, 'box', 0, 1),
    Part(How.ABOVE, 'mirror'),
)
BEDROOM = (
    WINDOW,
    Part(How.WALL, 'bed', parts=BED),
    Part(How.WALL, 'wardrobe'),
    Part(How.WALL, 'dresser', parts=DRESSER),
    Part(How.WALL, 'bookshelf', 0, 1, BOOKSHELF),
    Part(How.FLOOR, 'chair', 0, 1, (Part(How.ROW, 'pillow', 0, 1),)),
    Part(How.FLOOR, 'shoe', 2, 4),
    Part(How.FLOOR, 'suitcase', 0, 2),
    Part(How.CORNER, 'potted plant', 0, 2),
    Part(How.HUNG, 'picture', 1, 2),
    Part(How.FLOOR, 'basket', 0, 2),
    Part(How.LAID, 'rug', 0, 1),
)
TABLEWARE = (
    Part(How.ON, 'plate', 1, 4),
    Part(How.ON, 'glass', 1, 3),
    Part(How.ON, 'bowl', 0, 2),
    Part(How.ON, 'vase', 0, 1),
    Part(How.ON, 'candle', 0, 2),
)
COUNTER = (
    Part(How.ON, 'kettle'),
    Part(How.ON, 'microwave'),
    Part(How.ON, 'knife rack', 0, 1),
    Part(How.ON, 'cup', 1, 3),
    Part(How.ON, 'pan', 0, 2),
    Part(How.ON, 'fruit', 0, 3),
    Part(How.ABOVE, 'shelf', 1, 1, (Part(How.SHELVED, 'jar', 1, 4), Part(How.SHELVED, 'bowl'))),
)
KITCHEN = (
    WINDOW,
    Part(How.WALL, 'counter', parts=COUNTER),
    Part(How.WALL, 'refrigerator'),
    Part(How.WALL, 'cabinet', 0, 1, (Part(How.ON, 'tray'), Part(How.ON, 'bottle', 0, 3))),
    Part(How.FLOOR, 'dining table', 1, 1, (Part(How.AROUND, 'chair', 2, 4), *TABLEWARE)),
    Part(How.FLOOR, 'trash can', 1, 2),
    Part(How.FLOOR, 'stool', 0, 2),
    Part(How.CORNER, 'potted plant', 0, 2),
    Part(How.HUNG, 'clock'),
    Part(How.HUNG, 'picture', 0, 2),
)
DINING_ROOM = (
    WINDOW,
    Part(How.FLOOR, 'dining table', 1, 1, (Part(How.AROUND, 'chair', 4, 8), *TABLEWARE)),
    Part(How.WALL, 'cabinet', 1, 2, (Part(How.ON, 'bottle', 0, 2), *CABINET)),
    Part(How.WALL, 'bench', 0, 1, (Part(How.ROW, 'pillow', 1, 3),)),
    Part(How.CORNER, 'potted plant', 1, 3),
    Part(How.HUNG, 'picture', 1, 3),
    Part(How.CORNER, 'floor lamp', 0, 1),
    Part(How.LAID, 'rug', 0, 1),
)
DESK = (
    Part(How.ON, 'computer monitor', 1, 2),
    Part(How.ON, 'keyboard'),
    Part(How.ON, 'mouse'),
    Part(How.ON, 'cup', 0, 2),
    Part(How.ON, 'table lamp', 0, 1),
    Part(How.BEFORE, 'office chair'),
    Part(How.ABOVE, 'picture', 0, 2),
)
STUDY = (
    WINDOW,
    Part(How.WALL, 'desk', 1, 2, DESK),
    Part(How.WALL, 'bookshelf', 1, 2, BOOKSHELF),
    Part(How.WALL, 'cabinet', 0, 1, (Part(How.ON, 'printer'), Part(How.ON, 'photo', 0, 2))),
    Part(How.FLOOR, 'armchair', 0, 1, (Part(How.ROW, 'pillow', 0, 1),)),
    Part(How.FLOOR, 'box', 1, 4),
    Part(How.FLOOR, 'trash can'),
    Part(How.CORNER, 'potted plant', 0, 2),
    Part(How.HUNG, 'picture', 1, 2),
    Part(How.HUNG, 'clock', 0, 1),
    Part(How.LAID, 'rug', 0, 1),
)
FURNISHINGS: dict[str, tuple[Part, ...]] = {
    'living room': LIVING_ROOM,
    'bedroom': BEDROOM,
    'kitchen': KITCHEN,
    'dining room': DINING_ROOM,
    'study': STUDY,
}
# What any room may have more of, until it has as much in it as it must.
CLUTTER: tuple[Part, ...] = (
    Part(How.FLOOR, 'box', 1, 2),
    Part(How.FLOOR, 'toy', 1, 4),
    Part(How.FLOOR, 'shoe', 2, 2),
    Part(How.HUNG, 'picture', 1, 2),
    Part(How.CORNER, 'potted plant', 1, 1),
    Part(How.FLOOR, 'stool', 1, 1, (Part(How.ON, 'book', 1, 1),)),
    Part(How.FLOOR, 'basket', 1, 1),
    Part(How.HUNG, 'shelf', 1, 1, (_books(2, 5), Part(How.SHELVED, 'vase', 0, 1))),
)
