# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Classification of the ball as stopped, rolling or flying, with hysteresis."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.motion_segment import apex_height

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.match.ball.ball_constants import BallParameters


class Phase(Enum):
    """Phase of a ball."""

    STOPPED = 'STOPPED'
    ROLLING = 'ROLLING'
    FLYING = 'FLYING'


class PhaseClassifier:
    """
    Classify consecutive ball states, with hysteresis at each threshold.

    A ball flies above `height_threshold`, until the apex of its arc is at most half of that, so
    that a bouncing ball keeps flying. It rolls from `speed_threshold` on and stops below
    `stop_threshold`; both are speeds along the carpet.

    Parameters
    ----------
    parameters : BallParameters
        Thresholds.

    """

    def __init__(self, parameters: BallParameters) -> None:
        self._parameters = parameters
        self._phase = Phase.STOPPED

    @property
    def phase(self) -> Phase:
        """Phase after the last update; STOPPED before the first."""
        return self._phase

    def update(self, position: ArrayLike, velocity: ArrayLike) -> Phase:
        """
        Classify the next state.

        Parameters
        ----------
        position, velocity : array_like, shape (3,)
            In the field frame [m, m/s], z = 0 on the carpet.

        """
        z = float(np.asarray(position)[2])
        vx, vy, vz = np.asarray(velocity, dtype=float).tolist()
        if self._flies(z, vz):
            self._phase = Phase.FLYING
        else:
            self._phase = Phase.ROLLING if self._moves(math.hypot(vx, vy)) else Phase.STOPPED
        return self._phase

    def _flies(self, z: float, vz: float) -> bool:
        """Compare the height with the threshold to enter flight, and the apex to leave it."""
        threshold = self._parameters.height_threshold
        if self._phase is Phase.FLYING:
            return apex_height(z, vz, self._parameters.gravity) > 0.5 * threshold
        return z > threshold

    def _moves(self, speed: float) -> bool:
        """Compare the speed with the threshold to start, or to stop if it was moving."""
        if self._phase is Phase.STOPPED:
            return speed >= self._parameters.speed_threshold
        return speed >= self._parameters.stop_threshold
