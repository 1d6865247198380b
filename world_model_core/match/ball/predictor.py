# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One estimate of the ball after another, each followed to its rest."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.match.ball.motion_segment import MotionState
from world_model_core.match.ball.phase_classifier import Phase, PhaseClassifier
from world_model_core.match.ball.trajectory import BallTrajectory, predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.parameters import BallParameters

# A ball this much faster than at its kick, or going this far off the kick's direction (cosine),
# has been hit since: the kick tells nothing of it any more.
FASTER = 1.1
SAME_WAY = 0.7
# The instant of a bounce follows from the kick to within this [s].
BOUNCE_DOUBT = 0.03


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
        return self.stamp_ns + int(self.trajectory.rest_time * NANOSECONDS_PER_SECOND)

    def at(self, stamp_ns: int) -> tuple[Array, Array]:
        """Find position and velocity, each (3,), at an instant [ns, the ball's clock]."""
        positions, velocities = self.trajectory.at(
            [(stamp_ns - self.stamp_ns) / NANOSECONDS_PER_SECOND]
        )
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
        self._touchdowns: tuple[float, ...] | None = None

    @property
    def parameters(self) -> BallParameters:
        """The ball's constants in use."""
        return self._parameters

    def replace_parameters(self, parameters: BallParameters) -> None:
        """Go on with other constants; what the ball is doing is judged anew."""
        self._parameters = parameters
        self._classifier = PhaseClassifier(parameters)
        self._touchdowns = None

    def observe_kick(self, kick: Kick) -> None:
        """Take in the last kick: from it follow when sliding ends, and how much bounces take."""
        self._kick, self._touchdowns = kick, None

    def predict(self, ball: BallState) -> Prediction:
        """Follow an estimate to its rest."""
        phase = self._classifier.update(ball.position, ball.velocity)
        return Prediction(ball.stamp_ns, phase, predict_ball(self._state(ball), self._parameters))

    def _state(self, ball: BallState) -> MotionState:
        """Join to an estimate what its kick tells of it, if a kick explains it."""
        kick = self._kick
        if kick is None or ball.stamp_ns < kick.stamp_ns:
            return MotionState(ball.position, ball.velocity)
        (vx, vy, vz), (kx, ky, _) = ball.velocity.tolist(), kick.velocity.tolist()
        speed, kicked = math.hypot(vx, vy), math.hypot(kx, ky)
        if speed > FASTER * kicked or vx * kx + vy * ky < SAME_WAY * speed * kicked:
            return MotionState(ball.position, ball.velocity)
        if kick.chip_probability <= 0.5:
            return MotionState(ball.position, ball.velocity, max(kicked, speed))
        age = (ball.stamp_ns - kick.stamp_ns) / NANOSECONDS_PER_SECOND
        return MotionState(ball.position, ball.velocity, hops=self._hops(kick, age, vz))

    def _hops(self, kick: Kick, age: float, vz: float) -> int:
        """Count the bounces of a chip by its kick: near one, a ball that rises has bounced."""
        if self._touchdowns is None:
            start = MotionState((*kick.position.tolist(), 0.0), kick.velocity, hops=0)
            flight = predict_ball(start, self._parameters)
            self._touchdowns = tuple(each.time for each in flight.touchdowns)
        return bisect_right(self._touchdowns, age + math.copysign(BOUNCE_DOUBT, vz))
