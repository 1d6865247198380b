# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Keepout zones: parts of the floor that an instruction forbids."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.navigation.convex_outlines import distances
from world_model_core.objects.navigation.costmap import raise_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.objects.navigation.costmap import Costmap

__all__ = ['NEAR', 'KeepoutZone', 'add_keepout_costs', 'find_crossed_zones']

# Width of the zone around an object whose vicinity is forbidden [m].
NEAR = 1.0
# Detour that is accepted to avoid one meter inside a zone, and one meter close to it [m]. A robot
# cuts corners by up to a meter, because it is sent on as soon as it is that close to a way point.
FORBIDDEN = 1000.0
MARGINS = ((0.5, 4.0), (1.0, 2.0))
# The grid represents the border of a zone with this tolerance [m].
EDGE = 0.2
# Spacing of the points at which routes are checked [m].
SPACING = 0.05


class KeepoutZone(NamedTuple):
    """
    A zone to keep clear of.

    `outline` (m, 2) [m] and the margin `reach` [m] around it are forbidden; `words` name the zone
    in notes.
    """

    outline: Array
    reach: float
    words: str


def add_keepout_costs(costmap: Costmap, zones: Sequence[KeepoutZone]) -> Costmap:
    """Raise the costs inside zones strongly, and close to them moderately."""
    for zone in zones:
        costmap = raise_costs(costmap, [zone.outline], FORBIDDEN, zone.reach)
        for margin, factor in MARGINS:
            costmap = raise_costs(costmap, [zone.outline], factor, zone.reach + margin)
    return costmap


def find_crossed_zones(route: Array, zones: Sequence[KeepoutZone]) -> tuple[KeepoutZone, ...]:
    """List the zones that a route (m, 2) of straight segments crosses."""
    if len(route) < 2:
        return tuple(zone for zone in zones if len(route) and _touches(route, zone))
    pieces = []
    for start, end in pairwise(route):
        steps = max(1, int(np.ceil(np.linalg.norm(end - start) / SPACING)))
        pieces.append(start + (end - start) * (np.arange(steps + 1) / steps)[:, None])
    walked = np.concatenate(pieces)
    return tuple(zone for zone in zones if _touches(walked, zone))


def _touches(places: Array, zone: KeepoutZone) -> bool:
    """Check whether a place is inside a zone, beyond the tolerance of its border."""
    return bool(distances(places, zone.outline).min() < max(zone.reach - EDGE, 1e-9))
