# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Usual sizes of classes, for maps without sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.labels import normalize_label

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['usual_size']

# Length, width, height [m]: rounded values near the medians of VLA-3D's sample scenes.
_USUAL = {
    (0.1, 0.1, 0.1): 'apple, can, light switch, phone, telephone, remote control, mouse',
    (0.1, 0.1, 0.13): 'cup, mug, glass, toilet paper, alarm, alarm clock',
    (0.2, 0.2, 0.08): 'bowl, plate, soap, hookah',
    (0.1, 0.1, 0.3): 'bottle, jar',
    (0.3, 0.2, 0.1): 'book, magazine, paper, newspaper, keyboard, laptop, tray, shoe, shoes',
    (0.25, 0.25, 0.3): 'kettle, vase, flower pot, flower, flowers, figurine, sculpture, speaker',
    (0.3, 0.3, 0.4): 'basket, bin, garbage bin, trash can, bag, backpack, box, lamp, hat',
    (0.4, 0.1, 0.4): 'clock, photo, monitor',
    (0.5, 0.35, 0.3): 'pillow, cushion, towel, clothes, printer, computer, blanket, microwave',
    (0.5, 0.4, 0.7): 'plant, potted plant, suitcase, luggage, toilet',
    (0.4, 0.4, 0.5): 'stool, ottoman, footstool',
    (0.7, 0.05, 0.6): 'picture, painting, poster, mirror, calendar, whiteboard',
    (0.8, 0.5, 0.2): 'sink, washbasin',
    (0.5, 0.45, 0.55): 'night stand, nightstand, bedside table',
    (0.6, 0.6, 0.95): 'chair, armchair, machine, washing machine, dishwasher, oven, stove',
    (1.0, 0.25, 0.6): 'television, tv, screen',
    (0.8, 0.7, 1.8): 'refrigerator, refridgerator, fridge, freezer',
    (1.1, 0.6, 0.45): 'coffee table, tea table, bench, chest, tv stand, tv cabinet',
    (1.2, 0.8, 0.75): 'table, desk',
    (1.1, 0.5, 1.0): 'cabinet, cupboard, dresser, drawer, drawers, shelf, shelves, bookshelf',
    (1.4, 0.6, 1.95): 'wardrobe, closet, bookcase, folding screen',
    (1.6, 0.7, 0.6): 'bathtub',
    (1.3, 0.5, 1.1): 'fireplace, piano',
    (1.4, 0.2, 1.5): 'window, blinds',
    (1.0, 0.2, 2.2): 'door, curtain, door frame, door way, doorway',
    (0.4, 0.4, 2.5): 'column, pillar',
    (2.0, 0.9, 0.8): 'sofa, couch',
    (2.0, 1.6, 0.6): 'bed',
    (2.3, 0.7, 0.95): 'counter, kitchen island, bar',
    (2.2, 1.5, 0.02): 'rug, carpet, floor mat, mat',
    (3.0, 0.15, 2.7): 'wall',
    (4.0, 4.0, 0.1): 'floor, ceiling',
}
_SIZES = {name: size for size, names in _USUAL.items() for name in names.split(', ')}
# Size of other classes.
_ANY = (0.4, 0.4, 0.4)


def usual_size(label: str) -> Array:
    """
    Return the usual size of a class, by the last words of its name.

    Returns
    -------
    array, shape (3,)
        Length, width, height [m]; a cube of 0.4 m for unknown classes.

    """
    words = normalize_label(label).split(' ')
    endings = (' '.join(words[start:]) for start in range(len(words)))
    return np.array(next((_SIZES[name] for name in endings if name in _SIZES), _ANY))
