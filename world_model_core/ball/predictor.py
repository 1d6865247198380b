# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One estimate of the ball after another, each followed to its rest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.ball.estimate import SECOND
from world_model_core.ball.motion import MotionState
from world_model_core.ball.phase import Phase, PhaseClassifier
from world_model_core.ball.prediction import BallTrajectory, predict_ball

if TYPE_CHECKING:
    from world_model_core.ball.estimate import BallState, Kick
    from world_model_core.ball.parameters import BallParameters
    from world_model_core.gaussian import Array

# A ball this much faster than at its kick, or going this far off the kick's direction (cosine),
# has been hit since: the kick tells nothing of it any more.
FASTER = 1.1
SAME_WAY = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """
    What a ball is doing at `stamp_ns` [ns, the ball's clock] and where that leads.

    Times of the trajectory are seconds from the stamp.
    """

    stamp_ns: int
    phase: Phase
    trajectory: BallTrajectory

    @property
    def rest_ns(self) -> int:
        """When the ball comes to rest [ns, the ball's clock]."""
        return self.stamp_ns + int(self.trajectory.rest_time * SECOND)

    def at(self, stamp_ns: int) -> tuple[Array, Array]:
        """Find position and velocity, each (3,), at an instant [ns, the ball's clock]."""
        positions, velocities = self.trajectory.at([(stamp_ns - self.stamp_ns) / SECOND])
        return positions[0], velocities[0]


class BallPredictor:
    """
    Predicts each estimate with what is known of the last kick.

    Parameters
    ----------
    parameters : BallParameters
        The ball's constants.

    """

    def __init__(self, parameters: BallParameters) -> None:
        self._parameters = parameters
        self._classifier = PhaseClassifier(parameters)
        self._kick: Kick | None = None

    @property
    def parameters(self) -> BallParameters:
        """The ball's constants in use."""
        return self._parameters

    def replace_parameters(self, parameters: BallParameters) -> None:
        """Go on with other constants; what the ball is doing is judged anew."""
        self._parameters = parameters
        self._classifier = PhaseClassifier(parameters)

    def observe_kick(self, kick: Kick) -> None:
        """Take in the last kick: from its speed follows when sliding ends."""
        self._kick = kick

    def predict(self, ball: BallState) -> Prediction:
        """Follow an estimate to its rest."""
        phase = self._classifier.update(ball.position, ball.velocity)
        state = MotionState(ball.position, ball.velocity, self._kick_speed(ball))
        return Prediction(ball.stamp_ns, phase, predict_ball(state, self._parameters))

    def _kick_speed(self, ball: BallState) -> float | None:
        """Tell the speed that the ball was kicked with; None when no kick explains its motion."""
        kick = self._kick
        if kick is None or ball.stamp_ns < kick.stamp_ns:
            return None
        (vx, vy, _), (kx, ky, _) = ball.velocity.tolist(), kick.velocity.tolist()
        speed, kicked = math.hypot(vx, vy), math.hypot(kx, ky)
        if speed > FASTER * kicked or vx * kx + vy * ky < SAME_WAY * speed * kicked:
            return None
        return max(kicked, speed)
