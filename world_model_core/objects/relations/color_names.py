# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Color names: their typical values, synonyms and similar names.

To add a color name, add its typical sRGB values to `_TYPICAL`, or, if it is another word for a
name that is already there, add it to `_SYNONYMS`. The question grammar lists the words it accepts
in language/english_words.yaml under COLOR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.labels import normalize_label

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['COLOR_WORDS', 'PROTOTYPES', 'SIMILAR_NAMES', 'color_name', 'lab_of']

# Typical sRGB values of each name; where CSS Color Module 4 names them, those of CSS.
_TYPICAL = {
    'black': '000000',
    'gray': '696969 808080 a9a9a9 c0c0c0 708090',
    'white': 'ffffff f5f5f5 fffaf0',
    'red': 'ff0000 dc143c fa8072',
    'maroon': '800000 a52a2a b22222',
    'orange': 'ffa500 ff8c00 ff6347',
    'yellow': 'ffff00 ffd700 f0e68c',
    'olive': '808000 6b8e23 556b2f',
    'green': '008000 00ff00 228b22 90ee90 2e8b57',
    'aqua': '00ffff 40e0d0 008080 5f9ea0',
    'blue': '0000ff 0000cd 4169e1 4682b4 87ceeb add8e6',
    'navy': '000080 191970',
    'purple': '800080 483d8b 9370db 4b0082 da70d6 d8bfd8',
    'pink': 'ffc0cb ff69b4 ff1493 bc8f8f',
    'brown': '8b4513 a0522d cd853f d2b48c deb887',
    'beige': 'f5f5dc f5deb3 faebd7',
}
_SYNONYMS = {
    'gray': 'grey, silver, charcoal, slate, ash, metallic, steel',
    'white': 'ivory, snow, off-white, off white',
    'red': 'crimson, scarlet, ruby, vermilion',
    'maroon': 'burgundy, dark red, wine, bordeaux',
    'orange': 'amber, apricot, tangerine, coral',
    'yellow': 'gold, golden, lemon, mustard',
    'green': 'lime, emerald, mint, dark green, light green',
    'olive': 'khaki',
    'aqua': 'cyan, teal, turquoise',
    'blue': 'azure, sky blue, light blue, royal blue, cobalt',
    'navy': 'navy blue, dark blue, midnight blue',
    'purple': 'violet, lilac, lavender, magenta, indigo, plum, mauve',
    'pink': 'rose, fuchsia, light red, salmon',
    'brown': 'tan, bronze, copper, chocolate, wooden, dark brown, light brown, chestnut',
    'beige': 'cream, sand, eggshell',
}
# Similar names: other people may use them for the same color.
SIMILAR_NAMES = {
    'red': 'maroon pink',
    'maroon': 'red brown',
    'orange': 'red brown yellow',
    'yellow': 'orange beige',
    'green': 'olive aqua',
    'olive': 'green',
    'aqua': 'blue green',
    'blue': 'navy aqua',
    'navy': 'blue',
    'purple': 'pink',
    'pink': 'purple red',
    'brown': 'maroon beige',
    'beige': 'brown white yellow',
    'white': 'beige',
}
# CIE 1931 XYZ of linear sRGB (IEC 61966-2-1), divided by the white point D65.
_TO_XYZ = np.array(
    (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
) / np.array(((0.95047,), (1.0,), (1.08883,)))


def lab_of(rgb: Array) -> Array:
    """
    Convert sRGB to CIE Lab (CIE 15:2018) under D65.

    Parameters
    ----------
    rgb : array, shape (..., 3)
        Within [0, 255].

    Returns
    -------
    array, shape (..., 3)
        L within [0, 100], a, b.

    """
    share = np.clip(rgb, 0.0, 255.0) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _TO_XYZ.T
    edge = 6.0 / 29.0
    root = np.where(xyz > edge**3, np.cbrt(xyz), xyz / (3.0 * edge**2) + 4.0 / 29.0)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack((116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)), axis=-1)


PROTOTYPES: dict[str, Array] = {
    name: lab_of(np.array([tuple(bytes.fromhex(value)) for value in values.split()], float))
    for name, values in _TYPICAL.items()
}
_NAMES = {
    **{name: name for name in _TYPICAL},
    **{word: name for name, words in _SYNONYMS.items() for word in words.split(', ')},
}
COLOR_WORDS = frozenset(_NAMES)


def color_name(word: str) -> str:
    """Return the basic name of a color word: 'grey' is 'gray', 'crimson' is 'red'."""
    folded = normalize_label(word)
    return _NAMES.get(folded) or _NAMES.get(folded.rpartition(' ')[2]) or folded
