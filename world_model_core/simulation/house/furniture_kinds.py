# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Catalog of objects in simulated houses: sizes, colors and occluding parts of each class.

Which objects a room contains, and where, is decided in `room_furniture`.
"""

from __future__ import annotations

from dataclasses import dataclass

Triple = tuple[float, float, float]
# Part of a box: its lower and upper corner, as fractions of the box along its axes.
Block = tuple[Triple, Triple]

WHOLE: Block = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
# The board of a table, the seat of furniture with a back, and the back of a shelf; the rest does
# not occlude.
BOARD: Block = ((0.0, 0.0, 0.93), (1.0, 1.0, 1.0))
SEAT: Block = ((0.0, 0.0, 0.0), (1.0, 1.0, 0.5))
BACK: Block = ((0.0, 0.0, 0.0), (0.08, 1.0, 1.0))

COLORS: dict[str, Triple] = {
    'black': (30.0, 30.0, 32.0),
    'blue': (45.0, 85.0, 165.0),
    'brown': (125.0, 80.0, 45.0),
    'gray': (130.0, 130.0, 130.0),
    'green': (60.0, 125.0, 65.0),
    'orange': (225.0, 125.0, 40.0),
    'purple': (115.0, 65.0, 140.0),
    'red': (185.0, 40.0, 40.0),
    'white': (240.0, 240.0, 236.0),
    'yellow': (225.0, 195.0, 70.0),
}
WOOD = ('brown', 'white', 'black')
CLOTH = ('gray', 'blue', 'red', 'white', 'green')
BRIGHT = ('red', 'blue', 'yellow', 'green', 'white', 'orange', 'purple')
CHINA = ('white', 'blue', 'red', 'black')
DEVICE = ('black', 'gray', 'white')
PLANT = ('green',)


@dataclass(frozen=True, slots=True)
class FurnitureKind:
    """
    Properties of a class of objects.

    Parameters
    ----------
    size : tuple of float
        Mean depth, width and height [m]; x, the depth, points to the front.
    colors : tuple of str
        Keys of `COLORS`.
    top : float
        Height of the supporting surface, as a fraction of the object's height: the seat of a sofa.
    solid : Block, optional
        Part of the box that occludes objects behind it; None occludes nothing.

    """

    size: Triple
    colors: tuple[str, ...]
    top: float = 1.0
    solid: Block | None = WHOLE


# Usual sizes in shops, and of the order of VLA-3D scenes for classes that occur in them.
KINDS: dict[str, FurnitureKind] = {
    'armchair': FurnitureKind((0.80, 0.80, 0.85), CLOTH, 0.5, SEAT),
    'basket': FurnitureKind((0.40, 0.40, 0.45), ('brown', 'white', 'gray')),
    'bed': FurnitureKind((2.00, 1.60, 0.90), CLOTH, 0.6, SEAT),
    'bench': FurnitureKind((0.40, 1.20, 0.45), WOOD),
    'book': FurnitureKind((0.16, 0.05, 0.23), BRIGHT),
    'bookshelf': FurnitureKind((0.32, 1.40, 1.80), WOOD, 1.0, BACK),
    'bottle': FurnitureKind((0.08, 0.08, 0.28), ('green', 'white', 'red')),
    'bowl': FurnitureKind((0.18, 0.18, 0.08), CHINA),
    'box': FurnitureKind((0.35, 0.45, 0.30), ('brown', 'white', 'blue')),
    'cabinet': FurnitureKind((0.45, 1.00, 0.90), WOOD),
    'candle': FurnitureKind((0.07, 0.07, 0.12), ('white', 'red')),
    'chair': FurnitureKind((0.48, 0.46, 0.90), WOOD, 0.5, SEAT),
    'clock': FurnitureKind((0.06, 0.14, 0.14), DEVICE),
    'coffee table': FurnitureKind((0.60, 1.10, 0.42), WOOD, 1.0, BOARD),
    'computer monitor': FurnitureKind((0.18, 0.55, 0.42), DEVICE),
    'counter': FurnitureKind((0.60, 2.20, 0.92), ('white', 'gray', 'brown')),
    'cup': FurnitureKind((0.08, 0.08, 0.10), CHINA),
    'curtain': FurnitureKind((0.12, 0.45, 2.20), CLOTH),
    'desk': FurnitureKind((0.70, 1.50, 0.74), WOOD, 1.0, BOARD),
    'dining table': FurnitureKind((1.00, 1.80, 0.75), WOOD, 1.0, BOARD),
    'door': FurnitureKind((0.05, 0.90, 2.00), WOOD, 1.0, None),
    'dresser': FurnitureKind((0.48, 1.20, 0.95), WOOD),
    'figurine': FurnitureKind((0.10, 0.10, 0.18), BRIGHT),
    'floor lamp': FurnitureKind((0.35, 0.35, 1.60), DEVICE, 1.0, None),
    'fruit': FurnitureKind((0.08, 0.08, 0.08), ('red', 'yellow', 'orange', 'green')),
    'glass': FurnitureKind((0.07, 0.07, 0.13), ('white', 'blue'), 1.0, None),
    'jar': FurnitureKind((0.10, 0.10, 0.16), CHINA),
    'kettle': FurnitureKind((0.20, 0.16, 0.24), DEVICE),
    'keyboard': FurnitureKind((0.14, 0.42, 0.03), DEVICE),
    'knife rack': FurnitureKind((0.12, 0.20, 0.24), WOOD),
    'lamp': FurnitureKind((0.24, 0.24, 0.45), ('white', 'yellow', 'black')),
    'magazine': FurnitureKind((0.28, 0.21, 0.01), BRIGHT),
    'microwave': FurnitureKind((0.36, 0.50, 0.29), DEVICE),
    'mirror': FurnitureKind((0.03, 0.70, 0.90), DEVICE),
    'mouse': FurnitureKind((0.11, 0.06, 0.04), DEVICE),
    'nightstand': FurnitureKind((0.42, 0.48, 0.55), WOOD),
    'office chair': FurnitureKind((0.60, 0.60, 1.05), DEVICE, 0.5, SEAT),
    'ottoman': FurnitureKind((0.55, 0.55, 0.42), CLOTH),
    'pan': FurnitureKind((0.28, 0.28, 0.07), ('black', 'gray')),
    'photo': FurnitureKind((0.04, 0.14, 0.19), WOOD),
    'picture': FurnitureKind((0.03, 0.55, 0.45), BRIGHT),
    'pillow': FurnitureKind(
        (0.22, 0.45, 0.40), ('red', 'blue', 'white', 'gray', 'green', 'black')
    ),
    'plate': FurnitureKind((0.24, 0.24, 0.02), CHINA),
    'potted plant': FurnitureKind((0.40, 0.40, 0.90), PLANT),
    'printer': FurnitureKind((0.40, 0.45, 0.30), DEVICE),
    'refrigerator': FurnitureKind((0.68, 0.72, 1.80), ('white', 'gray', 'black')),
    'remote control': FurnitureKind((0.18, 0.05, 0.03), ('black', 'gray')),
    'rug': FurnitureKind((1.60, 2.30, 0.01), CLOTH, 1.0, None),
    'shelf': FurnitureKind((0.24, 1.00, 0.90), WOOD, 1.0, BACK),
    'shoe': FurnitureKind((0.28, 0.10, 0.11), ('black', 'brown', 'white', 'red')),
    'side table': FurnitureKind((0.45, 0.45, 0.55), WOOD, 1.0, BOARD),
    'sofa': FurnitureKind((0.92, 2.10, 0.85), CLOTH, 0.5, SEAT),
    'speaker': FurnitureKind((0.20, 0.18, 0.32), DEVICE),
    'stool': FurnitureKind((0.36, 0.36, 0.48), WOOD),
    'suitcase': FurnitureKind((0.28, 0.48, 0.68), ('black', 'blue', 'red')),
    'table lamp': FurnitureKind((0.26, 0.26, 0.48), ('white', 'yellow', 'black')),
    'toy': FurnitureKind((0.16, 0.14, 0.18), BRIGHT),
    'trash can': FurnitureKind((0.28, 0.28, 0.38), DEVICE),
    'tray': FurnitureKind((0.28, 0.40, 0.04), WOOD),
    'tv': FurnitureKind((0.08, 1.20, 0.70), ('black',)),
    'tv cabinet': FurnitureKind((0.42, 1.70, 0.50), WOOD),
    'vase': FurnitureKind((0.14, 0.14, 0.30), BRIGHT),
    'wardrobe': FurnitureKind((0.60, 1.50, 2.05), WOOD),
    'window': FurnitureKind((0.10, 1.30, 1.20), ('white',), 1.0, None),
}
