# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Colour words, and how well they fit objects.

A word fits what bears its name. Where nothing does, it is taken for what comes closest among the
candidates, in CIE Lab: of gray and white pillows the dark gray ones are "the black pillows".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject, Swatch

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
# Names that one person gives to what another calls by the first.
_KIN = {
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
# Of VLA-3D: an object is called by those of its colours that cover a quarter of it.
TELLING_SHARE = 0.25
# That an object of unknown colour has one of about eight that are common in rooms.
UNKNOWN_FIT = 0.125
# What a kindred name is worth beside one that bears the name, and where none does.
KIN_FIT, ONLY_KIN_FIT = 0.3, 0.8
# Distances in Lab: up to which a colour may pass for another, and from which it cannot; deviation
# of what looks alike. A just noticeable difference is 2.3 (Mahy, van Eycken, Oosterlinck 1994).
PASSING, FOREIGN = 30.0, 60.0
ALIKE = 8.0
# Without a rival that looks different a colour by another name is as likely not meant.
NO_CONTRAST = 0.4
# A word of hue passes only for what has one: chroma in Lab from which on it is seen, and is plain;
# and only for its own: by how far hues may be apart, and from where on they are others [rad].
FAINT, PLAIN = 8.0, 20.0
SAME_HUE, OTHER_HUE = 0.35, 0.9

# CIE 1931 XYZ of linear sRGB (IEC 61966-2-1), divided by the white point D65.
_TO_XYZ = np.array(
    (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
) / np.array(((0.95047,), (1.0,), (1.08883,)))


class _Look(NamedTuple):
    """How an object looks to a word: by name, by kin, its distance in Lab, and by hue."""

    named: float
    kindred: float
    distance: float
    hue: float


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


_PROTOTYPES: dict[str, Array] = {
    name: lab_of(np.array([tuple(bytes.fromhex(value)) for value in values.split()], float))
    for name, values in _TYPICAL.items()
}
_NAMES = {
    **{name: name for name in _TYPICAL},
    **{word: name for name, words in _SYNONYMS.items() for word in words.split(', ')},
}
COLOR_WORDS = frozenset(_NAMES)


def color_name(word: str) -> str:
    """Find the name that a colour word means: 'grey' is 'gray', 'crimson' 'red'."""
    folded = normalize_label(word)
    return _NAMES.get(folded) or _NAMES.get(folded.rpartition(' ')[2]) or folded


def nearest_name(rgb: Sequence[float]) -> str:
    """Name an sRGB value (0 to 255) by the nearest typical one in Lab."""
    place = lab_of(np.asarray(rgb, float))
    return min(_PROTOTYPES, key=lambda name: _nearest(_PROTOTYPES[name], place))


def color_fit(word: str, objects: Sequence[MapObject]) -> Array:
    """
    Tell how well a colour word fits each of the candidates.

    Parameters
    ----------
    word : str
    objects : sequence of MapObject, length n
        All candidates: what a colour is called depends on its rivals.

    Returns
    -------
    array, shape (n,)
        Probability that the word is meant for each, within [0, 1].

    """
    name = color_name(word)
    known = np.array([bool(_telling(item.colors)) for item in objects], dtype=bool)
    looks = np.array([_look(name, item.colors) for item in objects], float).reshape(-1, 4)
    named, kindred, distances, hues = looks.T
    if (named >= 0.5).any():
        fits = np.maximum(named, KIN_FIT * kindred)
    else:
        alike = ONLY_KIN_FIT * hues * _relative_fit(distances)
        fits = np.maximum.reduce((named, ONLY_KIN_FIT * kindred, alike))
    return np.where(known, fits, UNKNOWN_FIT)


def _relative_fit(distances: Array) -> Array:
    """Tell how well a word fits that nobody bears, by distances in Lab; infinite ones not."""
    finite = np.isfinite(distances)
    if not finite.any():
        return np.zeros_like(distances)
    least = distances[finite].min()
    passing = np.clip((FOREIGN - distances) / (FOREIGN - PASSING), 0.0, 1.0)
    closeness = np.exp(-0.5 * (np.where(finite, distances - least, np.inf) / ALIKE) ** 2)
    contrast = np.clip((distances.max() - least) / ALIKE, 0.0, 1.0)
    fits: Array = passing * closeness * (NO_CONTRAST + (1.0 - NO_CONTRAST) * contrast)
    return fits


@lru_cache(maxsize=8192)
def _look(name: str, colors: tuple[Swatch, ...]) -> _Look:
    """Compare an object's colours with a name."""
    named = kindred = 0.0
    kin = _KIN.get(name, '').split()
    for swatch in colors:
        own = color_name(swatch.name)
        weight = _weight(swatch, colors[0])
        named = max(named, weight if own == name else 0.0)
        kindred = max(kindred, weight if own in kin else 0.0)
    likenesses = (_liken(name, swatch.rgb) for swatch in _telling(colors))
    distance, hue = min(likenesses, default=(np.inf, 0.0))
    return _Look(named, kindred, distance, hue)


def _weight(swatch: Swatch, main: Swatch) -> float:
    """Weigh a colour by its share: the main one fully, a telling one in part, others little."""
    if swatch is main:
        return 1.0
    if swatch.share >= TELLING_SHARE:
        return min(1.0, 0.5 + swatch.share)
    return swatch.share


def _telling(colors: tuple[Swatch, ...]) -> tuple[Swatch, ...]:
    """Keep the colours by which an object may be called."""
    return tuple(
        swatch
        for swatch in colors
        if (swatch is colors[0] or swatch.share >= TELLING_SHARE)
        and normalize_label(swatch.name) != UNKNOWN
    )


@lru_cache(maxsize=8192)
def _liken(name: str, rgb: tuple[float, float, float] | None) -> tuple[float, float]:
    """Return the distance to a name in Lab, infinite where either is not known; and the hue's."""
    if rgb is None or name not in _PROTOTYPES:
        return np.inf, 0.0
    place = lab_of(np.asarray(rgb, float))
    return _nearest(_PROTOTYPES[name], place), _share_hue(_PROTOTYPES[name], place)


def _nearest(prototypes: Array, place: Array) -> float:
    return float(np.linalg.norm(prototypes - place, axis=-1).min())


def _share_hue(prototypes: Array, place: Array) -> float:
    """Tell how far a place in Lab has the hue of a name: 1 for names without hue."""
    if np.hypot(prototypes[:, 1], prototypes[:, 2]).min() < FAINT:
        return 1.0
    hues = np.arctan2(prototypes[:, 2], prototypes[:, 1])
    apart = np.abs(wrap_angles(hues - np.arctan2(place[2], place[1]))).min()
    own = (OTHER_HUE - apart) / (OTHER_HUE - SAME_HUE)
    seen = (np.hypot(place[1], place[2]) - FAINT) / (PLAIN - FAINT)
    return float(np.clip(own, 0.0, 1.0) * np.clip(seen, 0.0, 1.0))
