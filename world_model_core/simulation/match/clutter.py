# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Clutter: false detections of balls that last for a few frames."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from world_model_core.simulation.match.ground_truth import RobotTruth
    from world_model_core.simulation.match.overhead_camera import OverheadCamera

# The mean lifetime of a false ball, geometrically distributed: a guess for referees' hands,
# shoes and orange spots on robots [frames].
MEAN_LIFE = 5.0
# Half of them appear within this distance of a robot's center [m].
ROBOT_SHARE, NEARNESS = 0.5, (0.06, 0.2)


@dataclass(frozen=True, slots=True)
class FalseBall:
    """A false ball: its position (x, y) [m], and the number of its remaining frames."""

    place: tuple[float, float]
    life: int


class FalseBalls:
    """
    The false balls of one camera; they appear as a Poisson process and stay where they are.

    Parameters
    ----------
    camera : OverheadCamera
    expected : float
        Mean number of new false balls in a frame.
    random : Generator
        Source of all random numbers.

    """

    def __init__(
        self, camera: OverheadCamera, expected: float, random: np.random.Generator
    ) -> None:
        self._camera = camera
        self._expected = expected
        self._random = random
        self._alive: list[FalseBall] = []

    def places(self, robots: tuple[RobotTruth, ...]) -> list[tuple[float, float]]:
        """Advance to the next frame, and return its false balls (x, y) [m]."""
        if not self._expected:
            return []
        self._alive = [
            FalseBall(each.place, each.life - 1) for each in self._alive if each.life > 1
        ]
        for _ in range(int(self._random.poisson(self._expected))):
            life = int(self._random.geometric(1.0 / MEAN_LIFE))
            self._alive.append(FalseBall(self._draw_place(robots), life))
        return [each.place for each in self._alive]

    def _draw_place(self, robots: tuple[RobotTruth, ...]) -> tuple[float, float]:
        """Draw a position near a visible robot, or anywhere in the field of view."""
        random, camera = self._random, self._camera
        near = [each.position for each in robots if camera.covers((*each.position, 0.0))]
        if near and random.random() < ROBOT_SHARE:
            x, y = near[int(random.integers(len(near)))]
            step = cmath.rect(random.uniform(*NEARNESS), random.uniform(0.0, 2.0 * math.pi))
            return x + step.real, y + step.imag
        column, row = (random.random(2) * camera.image_size).tolist()
        return camera.point((column, row))
