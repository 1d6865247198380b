# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of the floor that an instruction forbids."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.answering.phrases import say_object
from world_model_core.objects.navigation.convex import distances, hull
from world_model_core.objects.navigation.ground import ROBOT_RADIUS, raise_costs
from world_model_core.objects.query import Action

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.objects.navigation.ground import Ground
    from world_model_core.objects.navigation.object_selection import Casting
    from world_model_core.objects.query import Step

# What is near a thing, from its footprint on [m].
NEAR = 1.0
# Metres of detour that are better than one through a zone, and than one close by: a robot cuts
# corners by up to a metre, as it is sent on once it is that near to a way point.
FORBIDDEN = 1000.0
MARGINS = ((0.5, 4.0), (1.0, 2.0))
# A grid keeps to the reach of a zone but for this [m].
EDGE = 0.2
# Ways are looked at so densely [m].
SPACING = 0.05


class Zone(NamedTuple):
    """
    What to keep clear of.

    `outline` (m, 2) [m]; `reach` [m] is how far about it is forbidden as well; `words` say it.
    """

    outline: Array
    reach: float
    words: str


def zones_of(step: Step, casting: Casting) -> Iterator[Zone]:
    """List what a step forbids."""
    if step.action is Action.AVOID_BETWEEN:
        if all(casting.has(target) for target in step.targets):
            yield _between(step, casting)
        return
    for target in step.targets:
        for row in casting.cast_all(target):
            named = say_object(casting.object(row))
            if step.action is Action.AVOID_NEAR:
                yield Zone(casting.outline(row), NEAR, f'what is near {named}')
            else:
                yield Zone(casting.outline(row), ROBOT_RADIUS, named)


def _between(step: Step, casting: Casting) -> Zone:
    """Forbid all that is between two objects, to both sides as far as they reach."""
    one, other = casting.cast_pair(step.targets)
    outline = hull(np.concatenate([casting.outline(one), casting.outline(other)]))
    names = ' and '.join(say_object(casting.object(row)) for row in (one, other))
    return Zone(outline, 0.0, f'the path between {names}')


def make_costly(ground: Ground, zones: Sequence[Zone]) -> Ground:
    """Make it dear to cross zones, and somewhat dear to come close."""
    for zone in zones:
        ground = raise_costs(ground, [zone.outline], FORBIDDEN, zone.reach)
        for margin, factor in MARGINS:
            ground = raise_costs(ground, [zone.outline], factor, zone.reach + margin)
    return ground


def find_crossed(way: Array, zones: Sequence[Zone]) -> tuple[Zone, ...]:
    """List the zones that a way (m, 2) in straight lines crosses."""
    if len(way) < 2:
        return tuple(zone for zone in zones if len(way) and _touches(way, zone))
    pieces = []
    for start, end in pairwise(way):
        steps = max(1, int(np.ceil(np.linalg.norm(end - start) / SPACING)))
        pieces.append(start + (end - start) * (np.arange(steps + 1) / steps)[:, None])
    walked = np.concatenate(pieces)
    return tuple(zone for zone in zones if _touches(walked, zone))


def _touches(places: Array, zone: Zone) -> bool:
    """Tell whether a place is in a zone, its edge apart."""
    return bool(distances(places, zone.outline).min() < max(zone.reach - EDGE, 1e-9))
