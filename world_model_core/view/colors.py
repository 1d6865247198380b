# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Colors of what is shown, in the window as in the markers for RViz and Foxglove.

Colors that mean different things in a scene differ in lightness or along blue and yellow, so that
people with red-green weakness tell them apart; a test simulates how they see them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.match.ssl.robot_id import Team

if TYPE_CHECKING:
    from world_model_core.view.batches import Colors

# Red, green, blue and opacity, from 0 to 255.
Color: TypeAlias = tuple[int, int, int, int]

WHITE: Color = (255, 255, 255, 255)
# Match. Balls of the league are orange; a flying ball and chips are pink.
TEAMS: dict[Team, Color] = {Team.BLUE: (26, 77, 255, 255), Team.YELLOW: (255, 230, 26, 255)}
BALL: Color = (255, 115, 0, 255)
FLYING: Color = (255, 77, 204, 255)
CARPET: Color = (46, 120, 92, 255)
WALL: Color = (200, 205, 210, 255)
BOARD: Color = (26, 70, 54, 255)
# Robots with noisy motion and sensing: where they are, and what they estimate.
FREE: Color = (51, 153, 255, 255)
STUCK: Color = (220, 50, 47, 255)
KIDNAPPED: Color = (250, 210, 0, 255)
ODOMETRY: Color = (150, 150, 150, 128)
ESTIMATE: Color = (60, 40, 120, 255)
PARTICLE: Color = (130, 115, 190, 255)
LANDMARK: Color = (0, 140, 105, 255)
GRID: Color = (225, 225, 225, 255)
# Readings of landmarks, by their worst cause, and lines to what was not read, or is not so.
READING: Color = (240, 185, 30, 255)
CLUTTER: Color = (190, 30, 30, 255)
OCCLUDED: Color = (90, 60, 220, 255)
MISSED: Color = (150, 150, 150, 255)
# House: what is lit, the way, and what the robot senses.
ANSWER: Color = (220, 60, 0, 255)
ANCHOR: Color = (0, 114, 178, 255)
WAY: Color = (240, 228, 66, 255)
FLOOR: Color = (176, 182, 190, 255)
SCAN: Color = (90, 150, 160, 255)
PATH: Color = (90, 120, 160, 255)
HOUSE_ROBOT: Color = (60, 65, 75, 255)
# Cameras of all scenes, and what vehicles may drive on.
CAMERA: Color = (86, 180, 233, 255)
DRIVABLE: Color = (220, 60, 0, 255)
# Axes x, y and z, in Okabe and Ito's vermilion, bluish green and blue.
AXES: tuple[Color, ...] = ((213, 94, 0, 255), (0, 158, 115, 255), (0, 114, 178, 255))


def faded(color: Color, opacity: float) -> Color:
    """Return a color with a share of its opacity, 0 to 1."""
    red, green, blue, alpha = color
    return red, green, blue, round(opacity * alpha)


@lru_cache(maxsize=256)
def array_of(*colors: Color) -> Colors:
    """Return colors as an array, shape (n, 4), which is not writeable."""
    array = np.array(colors, dtype=np.uint8).reshape(-1, 4)
    array.setflags(write=False)
    return array
