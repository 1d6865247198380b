# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Fit of color words to objects.

A word fits objects whose color has that name. If there are none, it fits the candidate with the
most similar color in CIE Lab: among gray and white pillows, "the black pillows" are the dark gray
ones.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.relations.color_names import (
    PROTOTYPES,
    SIMILAR_NAMES,
    color_name,
    lab_of,
)
from world_model_core.objects.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject, Swatch

__all__ = ['UNKNOWN_FIT', 'color_fit', 'has_color']

# VLA-3D names the colors that cover a quarter of an object.
TELLING_SHARE = 0.25
# Probability that an object of unknown color has one of about eight common colors.
UNKNOWN_FIT = 0.125
# Fit of a similar name if another object has the exact name, and if none has.
SIMILAR_FIT, ONLY_SIMILAR_FIT = 0.3, 0.8
# Distances in Lab up to which a color may be taken for another, and from which on it may not; and
# the standard deviation within which colors look alike. A just noticeable difference is 2.3 (Mahy,
# van Eycken, Oosterlinck 1994).
PASSING, FOREIGN = 30.0, 60.0
ALIKE = 8.0
# Fit of a color by another name if no other object looks different.
NO_CONTRAST = 0.4
# A word for a hue fits only colors with a hue: chroma in Lab from which on a hue is visible, and
# is distinct. Differences of hue up to which it is the same, and from which on it is another
# [rad].
FAINT, PLAIN = 8.0, 20.0
SAME_HUE, OTHER_HUE = 0.35, 0.9


class _Look(NamedTuple):
    """Similarity of an object's colors to a word: by name, similar name, Lab distance and hue."""

    named: float
    similar: float
    distance: float
    hue: float


def color_fit(word: str, objects: Sequence[MapObject]) -> Array:
    """
    Return how well a color word fits each candidate.

    Parameters
    ----------
    word : str
    objects : sequence of MapObject, length n
        All candidates: the meaning of a color word depends on the other candidates.

    Returns
    -------
    array, shape (n,)
        Probability that the word describes each object, within [0, 1].

    """
    name = color_name(word)
    known = np.array([has_color(item) for item in objects], dtype=bool)
    looks = np.array([_look(name, item.colors) for item in objects], float).reshape(-1, 4)
    named, similar, distances, hues = looks.T
    if (named >= 0.5).any():
        fits = np.maximum(named, SIMILAR_FIT * similar)
    else:
        alike = ONLY_SIMILAR_FIT * hues * _relative_fit(distances)
        fits = np.maximum.reduce((named, ONLY_SIMILAR_FIT * similar, alike))
    return np.where(known, fits, UNKNOWN_FIT)


def has_color(each: MapObject) -> bool:
    """Check whether a color of an object is known."""
    return bool(_telling(each.colors))


def _relative_fit(distances: Array) -> Array:
    """Return the fit of a word that names no candidate, from distances in Lab."""
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
    """Compare an object's colors with a name."""
    named = similar = 0.0
    kin = SIMILAR_NAMES.get(name, '').split()
    for swatch in colors:
        own = color_name(swatch.name)
        weight = _weight(swatch, colors[0])
        named = max(named, weight if own == name else 0.0)
        similar = max(similar, weight if own in kin else 0.0)
    likenesses = (_liken(name, swatch.rgb) for swatch in _telling(colors))
    distance, hue = min(likenesses, default=(np.inf, 0.0))
    return _Look(named, similar, distance, hue)


def _weight(swatch: Swatch, main: Swatch) -> float:
    """Return the weight of a color: 1 for the main color, less for others, by their share."""
    if swatch is main:
        return 1.0
    if swatch.share >= TELLING_SHARE:
        return min(1.0, 0.5 + swatch.share)
    return swatch.share


def _telling(colors: tuple[Swatch, ...]) -> tuple[Swatch, ...]:
    """Return the colors by which an object may be named."""
    return tuple(
        swatch
        for swatch in colors
        if (swatch is colors[0] or swatch.share >= TELLING_SHARE)
        and normalize_label(swatch.name) != UNKNOWN
    )


@lru_cache(maxsize=8192)
def _liken(name: str, rgb: tuple[float, float, float] | None) -> tuple[float, float]:
    """Return the distance to a name in Lab, infinite if either is unknown, and the hue's fit."""
    if rgb is None or name not in PROTOTYPES:
        return np.inf, 0.0
    place = lab_of(np.asarray(rgb, float))
    return _nearest(PROTOTYPES[name], place), _share_hue(PROTOTYPES[name], place)


def _nearest(prototypes: Array, place: Array) -> float:
    return float(np.linalg.norm(prototypes - place, axis=-1).min())


def _share_hue(prototypes: Array, place: Array) -> float:
    """Return how well a Lab color has the hue of a name: 1 for names without hue."""
    if np.hypot(prototypes[:, 1], prototypes[:, 2]).min() < FAINT:
        return 1.0
    hues = np.arctan2(prototypes[:, 2], prototypes[:, 1])
    apart = np.abs(wrap_angles(hues - np.arctan2(place[2], place[1]))).min()
    own = (OTHER_HUE - apart) / (OTHER_HUE - SAME_HUE)
    seen = (np.hypot(place[1], place[2]) - FAINT) / (PLAIN - FAINT)
    return float(np.clip(own, 0.0, 1.0) * np.clip(seen, 0.0, 1.0))
