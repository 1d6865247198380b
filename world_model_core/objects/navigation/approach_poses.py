# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Approach poses at objects, and places before and behind a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.navigation.convex_outlines import distances
from world_model_core.objects.navigation.costmap import OBSTACLE, OUTSIDE, ROBOT_RADIUS

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.navigation.convex_outlines import Gap
    from world_model_core.objects.navigation.costmap import Costmap

__all__ = ['MOST_STANDOFF', 'ApproachPoses', 'find_approach_poses', 'gap_crossing']

# Best and largest distance between the footprints of robot and object [m]: close enough to count
# as arrived, far enough to turn.
STANDOFF, MOST_STANDOFF = 0.6, 1.0
# Length of route that one meter more or less than the best distance is worth, and one meter more
# than the largest distance [m].
AWAY, TOO_FAR = 2.0, 50.0
# Distance before and behind a gap of way points for passing it [m]: more than the distance at
# which the challenge considers a way point reached.
PASSAGE = 1.2


class ApproachPoses(NamedTuple):
    """Positions (k, 2) [m] at an object, and the penalty of each (k,), as length of route [m]."""

    positions: Array
    penalties: Array


def find_approach_poses(costmap: Costmap, outline: Array) -> ApproachPoses:
    """Find the positions where a robot can stand at an outline (m, 2); close ones are best."""
    near = 2.0 * MOST_STANDOFF
    for most, reach in ((OUTSIDE, near), (OBSTACLE, near), (OBSTACLE, np.inf)):
        window = costmap.window(outline, reach)
        places = costmap.centers[window][costmap.costs[window] < most]
        apart = distances(places, outline)
        room = (apart >= ROBOT_RADIUS) & (apart <= reach)
        if room.any():
            return _rate(places[room], apart[room])
    everywhere = costmap.centers[np.isfinite(costmap.costs)]
    return _rate(everywhere, distances(everywhere, outline))


def _rate(places: Array, apart: Array) -> ApproachPoses:
    """Rate positions (k, 2) by their distances to the object (k,), and keep the close ones."""
    near = apart <= max(MOST_STANDOFF, float(apart.min())) + MOST_STANDOFF
    places, apart = places[near], apart[near]
    penalties = AWAY * np.abs(apart - STANDOFF) + TOO_FAR * np.maximum(apart - MOST_STANDOFF, 0.0)
    return ApproachPoses(places, penalties)


def gap_crossing(
    costmap: Costmap, gap: Gap, across: Array, start: Array | None
) -> tuple[Array, ...]:
    """
    Return the reachable places (2,) before, inside and behind a gap.

    Parameters
    ----------
    costmap : Costmap
    gap : Gap
    across : array, shape (2,)
        Vector from one object to the other [m].
    start : array, shape (2,), optional
        Position from which the robot comes [m].

    """
    ahead = np.array((-across[1], across[0])) / max(float(np.linalg.norm(across)), 1e-9)
    if start is not None and ahead @ (gap.middle - start) < 0.0:
        ahead = -ahead
    sides = [_reach_out(costmap, gap.middle, sign * ahead) for sign in (-1.0, 1.0)]
    costs = [np.inf if side is None else float(costmap.costs_at(side)) for side in sides]
    # If both sides are blocked, use both; if only one is, leave it out.
    most = np.inf if min(costs) >= OUTSIDE else OUTSIDE
    before, behind = (
        side if cost < most else None for side, cost in zip(sides, costs, strict=True)
    )
    return tuple(each for each in (before, gap.middle, behind) if each is not None)


def _reach_out(costmap: Costmap, place: Array, direction: Array) -> Array | None:
    """Move in a direction (2,) as far as the floor is free, or as far as it is passable."""
    lengths = np.arange(costmap.cell, PASSAGE + costmap.cell, costmap.cell).clip(max=PASSAGE)
    places = place + lengths[:, None] * direction
    costs = costmap.costs_at(places)
    open_to = int(np.argmax(np.append(costs, np.inf) == np.inf))
    if not open_to:
        return None
    free = np.flatnonzero(costs[:open_to] < OUTSIDE)
    reached: Array = places[free[-1] if len(free) else open_to - 1]
    return reached
