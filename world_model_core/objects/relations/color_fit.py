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

# Of VLA-3D: an object is called by those of its colours that cover a quarter of it.
TELLING_SHARE = 0.25
# That an object of unknown colour has one of about eight that are common in rooms.
UNKNOWN_FIT = 0.125
# What a similar name is worth beside one that bears the name, and where none does.
SIMILAR_FIT, ONLY_SIMILAR_FIT = 0.3, 0.8
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


class _Look(NamedTuple):
    """How an object looks to a word: by name, by kin, its distance in Lab, and by hue."""

    named: float
    similar: float
    distance: float
    hue: float


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
    named, similar, distances, hues = looks.T
    if (named >= 0.5).any():
        fits = np.maximum(named, SIMILAR_FIT * similar)
    else:
        alike = ONLY_SIMILAR_FIT * hues * _relative_fit(distances)
        fits = np.maximum.reduce((named, ONLY_SIMILAR_FIT * similar, alike))
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
    if rgb is None or name not in PROTOTYPES:
        return np.inf, 0.0
    place = lab_of(np.asarray(rgb, float))
    return _nearest(PROTOTYPES[name], place), _share_hue(PROTOTYPES[name], place)


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
