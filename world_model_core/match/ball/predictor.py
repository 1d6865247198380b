# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Prediction of each ball estimate until the ball rests."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.phase_classifier import Phase, PhaseClassifier
from world_model_core.match.ball.trajectory import BallTrajectory, predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.estimate import BallState, Kick

# A ball faster than at its kick by this factor, or off the direction of the kick by more than this
# cosine, has been touched since: the kick does not describe it any more.
FASTER = 1.1
SAME_DIRECTION = 0.7
# Uncertainty of the time of a bounce predicted from the kick [s].
BOUNCE_TIME_ERROR = 0.03


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """
    Phase of a ball at `stamp_ns` [ns, clock of the ball] and its predicted trajectory.

    Times of the trajectory are seconds after the stamp.
    """

    stamp_ns: int
    phase: Phase
    trajectory: BallTrajectory

    @property
    def rest_ns(self) -> int:
        """Time at which the ball comes to rest [ns, clock of the ball]."""
        return self.stamp_ns + int(self.trajectory.rest_time * NANOSECONDS_PER_SECOND)

    def at(self, stamp_ns: int) -> tuple[Array, Array]:
        """Return position and velocity, each (3,), at a time [ns, clock of the ball]."""
        positions, velocities = self.trajectory.at(
            [(stamp_ns - self.stamp_ns) / NANOSECONDS_PER_SECOND]
        )
        return positions[0], velocities[0]


class BallPredictor:
    """
    Predict ball estimates, with knowledge of the last kick.

    Parameters
    ----------
    parameters : BallParameters
        Constants of the ball.

    """

    def __init__(self, parameters: BallParameters) -> None:
        self._parameters = parameters
        self._classifier = PhaseClassifier(parameters)
        self._kick: Kick | None = None
        self._touchdowns: tuple[float, ...] | None = None

    @property
    def parameters(self) -> BallParameters:
        """Constants of the ball in use."""
        return self._parameters

    def replace_parameters(self, parameters: BallParameters) -> None:
        """Use other constants, and restart the classification of the phase."""
        self._parameters = parameters
        self._classifier = PhaseClassifier(parameters)
        self._touchdowns = None

    def observe_kick(self, kick: Kick) -> None:
        """Store the last kick, which determines the end of sliding and the number of bounces."""
        self._kick, self._touchdowns = kick, None

    def predict(self, ball: BallState) -> Prediction:
        """Predict an estimate until the ball rests."""
        phase = self._classifier.update(ball.position, ball.velocity)
        return Prediction(ball.stamp_ns, phase, predict_ball(self._state(ball), self._parameters))

    def _state(self, ball: BallState) -> BallMotionState:
        """Combine an estimate with the last kick, if the kick explains it."""
        kick = self._kick
        if kick is None or ball.stamp_ns < kick.stamp_ns:
            return BallMotionState(ball.position, ball.velocity)
        (vx, vy, vz), (kx, ky, _) = ball.velocity.tolist(), kick.velocity.tolist()
        speed, kicked = math.hypot(vx, vy), math.hypot(kx, ky)
        if speed > FASTER * kicked or vx * kx + vy * ky < SAME_DIRECTION * speed * kicked:
            return BallMotionState(ball.position, ball.velocity)
        if kick.chip_probability <= 0.5:
            return BallMotionState(ball.position, ball.velocity, max(kicked, speed))
        age = (ball.stamp_ns - kick.stamp_ns) / NANOSECONDS_PER_SECOND
        return BallMotionState(ball.position, ball.velocity, bounces=self._bounces(kick, age, vz))

    def _bounces(self, kick: Kick, age: float, vz: float) -> int:
        """Count the bounces of a chip since its kick; near a bounce, a rising ball has bounced."""
        if self._touchdowns is None:
            start = BallMotionState((*kick.position.tolist(), 0.0), kick.velocity, bounces=0)
            flight = predict_ball(start, self._parameters)
            self._touchdowns = tuple(each.time for each in flight.touchdowns)
        return bisect_right(self._touchdowns, age + math.copysign(BOUNCE_TIME_ERROR, vz))
