# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a ball is stopped, rolls or flies, without flickering between them."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.motion_segment import hop_height

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.match.ball.parameters import BallParameters


class Phase(Enum):
    """The seed's three states of a ball."""

    STOPPED = 'STOPPED'
    ROLLING = 'ROLLING'
    FLYING = 'FLYING'


class PhaseClassifier:
    """
    Judges one state of the ball after another, each threshold with hysteresis.

    A ball flies once it is above `height_threshold`, and until the hop that it is on reaches no
    higher than half of that: a bouncing ball flies on through its bounces. It rolls from
    `speed_threshold` on, and is stopped below `stop_threshold`, speeds along the carpet.

    Parameters
    ----------
    parameters : BallParameters
        The thresholds.

    """

    def __init__(self, parameters: BallParameters) -> None:
        self._parameters = parameters
        self._phase = Phase.STOPPED

    @property
    def phase(self) -> Phase:
        """The phase after the last update; STOPPED before the first."""
        return self._phase

    def update(self, position: ArrayLike, velocity: ArrayLike) -> Phase:
        """
        Judge the next state.

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
        """Compare the height with the threshold to enter flight, the hop with that to leave it."""
        threshold = self._parameters.height_threshold
        if self._phase is Phase.FLYING:
            return hop_height(z, vz, self._parameters.gravity) > 0.5 * threshold
        return z > threshold

    def _moves(self, speed: float) -> bool:
        """Compare the speed with the threshold to start, or to stop if it was moving."""
        if self._phase is Phase.STOPPED:
            return speed >= self._parameters.speed_threshold
        return speed >= self._parameters.stop_threshold
