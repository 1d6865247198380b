# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Attributes of candidates: room, color and size, in each posterior sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answering.ordinal_selection import select_ranked
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.relations.color_fit import color_fit, has_color
from world_model_core.objects.relations.color_names import color_name
from world_model_core.objects.relations.superlatives import extremeness, largest_faces, size_fit

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.candidates import Candidates
    from world_model_core.objects.answering.posterior_samples import Mask, PosteriorSamples
    from world_model_core.objects.query import Superlative
    from world_model_core.objects.values import MapObject

__all__ = ['ObjectAttributes']

# Factor for a color that only resembles the word if another object has that color by name.
NAMELESS = 0.5
# Log odds that each vote for a color adds against other colors: one vote in eight is wrong.
EVIDENCE = 2.0


class ObjectAttributes:
    """
    Attributes of the objects of posterior samples.

    Parameters
    ----------
    samples : PosteriorSamples

    """

    def __init__(self, samples: PosteriorSamples) -> None:
        self._samples = samples

    def in_region(self, found: Candidates, region: str) -> Mask:
        """Return which candidates are in a room, shape (c,)."""
        rooms = (each.region for each in self._samples.objects(found.columns))
        name = normalize_label(region)
        return np.array([normalize_label(room or '') == name for room in rooms], dtype=np.bool_)

    def of_color(self, found: Candidates, color: str, *, presupposed: bool) -> Mask:
        """
        Return which candidates have a color, shape (S, c).

        If it is presupposed that one has it, and none has in a sample, those of unknown color do.
        """
        objects = self._samples.objects(found.columns)
        shares = np.array([_chance_of(color, each) for each in objects])
        named_by_detector = np.array([not _is_measured(each) for each in objects], dtype=np.bool_)
        fits = color_fit(color, objects)
        if (shares > 0.0).any():
            fits[shares == 0.0] *= NAMELESS
        fits = np.where(named_by_detector & (shares > 0.0), shares, fits)
        held = found.fits & (self._samples.color_draws[:, found.columns] < fits)
        if presupposed and not held.any(axis=1).all():
            unknown = np.array([not has_color(each) for each in objects], dtype=np.bool_)
            held |= found.fits & unknown & ~held.any(axis=1, keepdims=True)
        return held

    def is_named(self, color: str, found: Candidates) -> bool:
        """Check whether any candidate has a color by name, or has an unknown color."""
        objects = self._samples.objects(found.columns)
        return any(not has_color(each) or _chance_of(color, each) > 0.0 for each in objects)

    def of_size(self, found: Candidates, size: str, *, one: bool) -> Mask:
        """
        Return which candidates are big or small among the candidates of each sample, shape (S, c).

        If one object is meant, it is the biggest or smallest; otherwise all that exceed most
        others.
        """
        boxes = self._samples.boxes.take(found.columns)
        if one:
            faces = largest_faces(boxes)
            return select_ranked(found.fits, -faces if size == 'big' else faces)
        return found.fits & (size_fit(size, boxes) > 0.5)

    def extremeness(
        self, found: Candidates, superlative: Superlative, observer: Array | None
    ) -> Array:
        """Return the measure that a superlative maximizes, shape (c,) or (S, c)."""
        return extremeness(superlative, self._samples.boxes.take(found.columns), observer)


def _chance_of(color: str, each: MapObject) -> float:
    """
    Return the probability that an object has a color by name, within [0, 1].

    Shares of colors named by a detector are shares of its votes; the more votes there were, the
    more certain is the most frequent color.
    """
    if not each.colors:
        return 0.0
    shares = np.array([max(0.0, swatch.share) for swatch in each.colors])
    sure = shares * np.exp(EVIDENCE * each.hits * (shares - shares.max()))
    chances = sure * (min(1.0, float(shares.sum())) / max(float(sure.sum()), 1e-9))
    name = color_name(color)
    named = np.array([color_name(swatch.name) == name for swatch in each.colors])
    return min(1.0, float(chances[named].sum()))


def _is_measured(each: MapObject) -> bool:
    """
    Check whether colors were measured on the surface instead of named by a detector.

    Detectors name one color per object; measured colors have RGB values and shares of the surface.
    """
    return any(swatch.rgb is not None for swatch in each.colors)
