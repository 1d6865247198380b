# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Furniture and small things of generated houses as solids: their parts and masses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.furniture_kinds import BACK, BOARD, SEAT
from world_model_core.simulation.house.placement import BOARD_STEP, GAP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.furniture_kinds import FurnitureKind

__all__ = ['FRICTIONS', 'HUNG', 'MASSES', 'ROUND', 'WITHOUT_CONTACT', 'WOOD_FRICTION', 'blocks_of']

# Usual masses of such things in shops [kg].
MASSES = {
    'armchair': 25.0, 'basket': 1.0, 'bed': 60.0, 'bench': 12.0, 'book': 0.5, 'bookshelf': 35.0,
    'bottle': 0.8, 'bowl': 0.4, 'box': 3.0, 'cabinet': 35.0, 'candle': 0.3, 'chair': 5.0,
    'clock': 0.4, 'coffee table': 15.0, 'computer monitor': 5.0, 'counter': 90.0, 'cup': 0.3,
    'curtain': 2.0, 'desk': 30.0, 'dining table': 40.0, 'dresser': 45.0, 'figurine': 0.5,
    'floor lamp': 6.0, 'fruit': 0.15, 'glass': 0.2, 'jar': 0.6, 'kettle': 1.2, 'keyboard': 0.7,
    'knife rack': 1.5, 'lamp': 2.0, 'magazine': 0.2, 'microwave': 14.0, 'mirror': 8.0,
    'mouse': 0.1, 'nightstand': 12.0, 'office chair': 12.0, 'ottoman': 8.0, 'pan': 1.2,
    'photo': 0.3, 'picture': 2.0, 'pillow': 0.6, 'plate': 0.5, 'potted plant': 8.0,
    'printer': 8.0, 'refrigerator': 70.0, 'remote control': 0.1, 'rug': 8.0, 'shelf': 8.0,
    'shoe': 0.4, 'side table': 7.0, 'sofa': 50.0, 'speaker': 3.0, 'stool': 4.0, 'suitcase': 6.0,
    'table lamp': 2.0, 'toy': 0.3, 'trash can': 1.5, 'tray': 0.8, 'tv': 15.0, 'tv cabinet': 35.0,
    'vase': 1.0, 'wardrobe': 80.0, 'window': 30.0,
}  # fmt: skip
# Coefficients of friction of cloth and rubber, of china and glass, and of casters.
FRICTIONS = {
    **dict.fromkeys(('armchair', 'bed', 'ottoman', 'pillow', 'shoe', 'sofa'), 0.7),
    **dict.fromkeys(('bottle', 'bowl', 'cup', 'glass', 'jar', 'plate', 'vase'), 0.3),
    'office chair': 0.1,
}
WOOD_FRICTION = 0.5
# Things that are fixed, even if they touch what is below, and those that only lie there.
HUNG, WITHOUT_CONTACT = {'curtain', 'mirror', 'picture', 'shelf', 'tv', 'window'}, {'rug'}
# Upright cylinders.
ROUND = {
    'bottle', 'bowl', 'candle', 'cup', 'floor lamp', 'fruit', 'glass', 'jar', 'pan', 'plate',
    'potted plant', 'stool', 'trash can', 'vase',
}  # fmt: skip
# Thickness of legs, of backs of seats, and of the boards of shelves: things stand that much above
# the height of a board (`placement`) [m].
LEG, BACKREST, BOARD_THICKNESS = 0.05, 0.08, GAP
# Things in a shelf are at least GAP from its outer sides [m].
SIDE = 0.01


def blocks_of(kind: FurnitureKind, size: Array) -> Iterator[tuple[Array, Array]]:
    """
    Return the blocks that a thing is made of.

    Parameters
    ----------
    kind : FurnitureKind
    size : array, shape (3,)
        Of the whole thing [m].

    Yields
    ------
    tuple of array
        Lower and upper corner in the frame of the item: its center, x to its front [m].

    """
    low, high = -size / 2.0, size / 2.0
    if kind.solid == BOARD:
        yield from _table(low, high)
    elif kind.solid == BACK:
        yield from _shelf(low, high)
    elif kind.solid == SEAT:
        top = low[2] + kind.top * size[2]
        yield low, np.array((*high[:2], top))
        yield np.array((*low[:2], top)), np.array((low[0] + BACKREST, *high[1:]))
    else:
        yield low, high


def _table(low: Array, high: Array) -> Iterator[tuple[Array, Array]]:
    """Return a board on four legs."""
    below = low[2] + BOARD[0][2] * (high[2] - low[2])
    yield np.array((*low[:2], below)), high
    for x in (low[0], high[0] - LEG):
        for y in (low[1], high[1] - LEG):
            yield np.array((x, y, low[2])), np.array((x + LEG, y + LEG, below))


def _shelf(low: Array, high: Array) -> Iterator[tuple[Array, Array]]:
    """Return the back, the sides and the boards of a shelf, which is open to the front."""
    front = low[0] + BACK[1][0] * (high[0] - low[0])
    yield low, np.array((front, *high[1:]))
    for y in (low[1], high[1] - SIDE):
        yield np.array((front, y, low[2])), np.array((high[0], y + SIDE, high[2]))
    height = high[2] - low[2]
    boards = max(int(height / BOARD_STEP), 1)
    bottoms = [low[2] + number * height / boards for number in range(boards)]
    for bottom in (*bottoms, high[2] - BOARD_THICKNESS):
        yield (
            np.array((front, low[1] + SIDE, bottom)),
            np.array((high[0], high[1] - SIDE, bottom + BOARD_THICKNESS)),
        )
