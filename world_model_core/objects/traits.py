# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What candidates are in themselves: room, colour, size, in every possible world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.colors import color_fit, color_name
from world_model_core.objects.extremes import extremeness, largest_faces, size_fit
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.picking import pick_least

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.candidates import Candidates
    from world_model_core.objects.query import Superlative
    from world_model_core.objects.values import MapObject
    from world_model_core.objects.worlds import Truth, Worlds


class Traits:
    """
    Traits of the objects of some worlds.

    Parameters
    ----------
    worlds : Worlds

    """

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds

    def in_region(self, found: Candidates, region: str) -> Truth:
        """Tell who belongs to a room of that name, shape (c,)."""
        rooms = (each.region for each in self._worlds.objects(found.columns))
        name = normalize_label(region)
        return np.array([normalize_label(room or '') == name for room in rooms], dtype=np.bool_)

    def of_color(self, found: Candidates, color: str) -> Truth:
        """Tell who has a colour, shape (S, c)."""
        objects = self._worlds.objects(found.columns)
        named = np.array([_share_of(color, each) for each in objects])
        fits = np.where(named > 0.0, named, color_fit(color, objects))
        return found.fits & (self._worlds.hues[:, found.columns] < fits)

    def of_size(self, found: Candidates, size: str, *, one: bool) -> Truth:
        """
        Tell who is big, or small, among the candidates of each world, shape (S, c).

        When one is meant it is the biggest or smallest; else those that outdo most of the others.
        """
        boxes = self._worlds.boxes.take(found.columns)
        if one:
            faces = largest_faces(boxes)
            return pick_least(found.fits, -faces if size == 'big' else faces)
        return found.fits & (size_fit(size, boxes) > 0.5)

    def extremeness(
        self, found: Candidates, superlative: Superlative, observer: Array | None
    ) -> Array:
        """Measure that of which a superlative picks the most, shape (c,) or (S, c)."""
        return extremeness(superlative, self._worlds.boxes.take(found.columns), observer)


def _share_of(color: str, each: MapObject) -> float:
    """
    Return the probability of a colour where colours are beliefs, and 0 where they are surfaces.

    Detectors name one colour an object, so that shares are those of their votes; where colours
    were measured each has its value, and shares are those of the surface.
    """
    if any(swatch.rgb is not None for swatch in each.colors):
        return 0.0
    name = color_name(color)
    return sum(swatch.share for swatch in each.colors if color_name(swatch.name) == name)
