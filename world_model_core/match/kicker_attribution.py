# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the robot that kicked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.match.ball.kick_numbering import KICKER_REACH

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import Kick
    from world_model_core.match.robots.estimate import Robots


def attribute_kicker(kick: Kick, robots: Robots) -> Kick:
    """Return the kick with the nearest robot as kicker, if one is within reach."""
    if not len(robots):
        return kick
    distances = robots.distances_to(kick.position)
    nearest = int(distances.argmin())
    kicker = robots.ids[nearest] if distances[nearest] < KICKER_REACH else None
    return replace(kick, kicker=kicker)
