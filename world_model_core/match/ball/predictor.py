# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Prediction of each ball estimate until the ball rests."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from world_model_core.match.ball.field_boundary import FieldBoundary
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.phase_classifier import Phase, PhaseClassifier
from world_model_core.match.ball.rest_covariance import rest_covariance
from world_model_core.match.ball.trajectory import BallTrajectory, predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ssl.geometry_values import FieldSize

# A ball faster than at its kick by this factor, or off the direction of the kick by more than this
# cosine, has been touched since: the kick does not describe it any more.
FASTER = 1.1
SAME_DIRECTION = 0.7
# A ball moves as predicted while its velocity deviates by less than this, the second as a part of
# its speed [m/s].
SAME_VELOCITY, SAME_PART = 0.1, 0.1
# Uncertainty of the time of a bounce predicted from the kick [s].
BOUNCE_TIME_ERROR = 0.03


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """
    Phase of a ball at `stamp_ns` [ns, clock of the ball] and its predicted trajectory.

    Times of the trajectory are seconds after the stamp.

    Parameters
    ----------
    stamp_ns : int
    phase : Phase
    trajectory : BallTrajectory
    covariance : array, shape (6, 6)
        Covariance of the ball at the stamp [m^2, m^2/s, m^2/s^2].
    age : float
        Time for which the ball has moved as predicted [s]: small after a kick, a bounce or a
        contact, while the prediction may still change much.

    """

    stamp_ns: int
    phase: Phase
    trajectory: BallTrajectory
    covariance: Array
    age: float = 0.0

    @property
    def rest_ns(self) -> int:
        """Time at which the ball comes to rest [ns, clock of the ball]."""
        return self.stamp_ns + int(self.trajectory.rest_time * NANOSECONDS_PER_SECOND)

    @property
    def rest_covariance(self) -> Array:
        """Covariance of the rest position, shape (2, 2) [m^2]; computed at each access."""
        return rest_covariance(self.trajectory, self.covariance)

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
    boundary : FieldBoundary, optional
        Boards and goals at which predictions end; without it they have no limit.

    """

    def __init__(self, parameters: BallParameters, boundary: FieldBoundary | None = None) -> None:
        self._parameters, self._boundary = parameters, boundary
        self._classifier = PhaseClassifier(parameters)
        self._anchor: Prediction | None = None
        self._kick: Kick | None = None
        self._touchdowns: tuple[float, ...] | None = None

    @property
    def parameters(self) -> BallParameters:
        """Constants of the ball in use."""
        return self._parameters

    @property
    def boundary(self) -> FieldBoundary | None:
        """Boards and goals at which predictions end, if known."""
        return self._boundary

    def replace_parameters(self, parameters: BallParameters) -> None:
        """Use other constants, and restart the classification of the phase."""
        self._parameters = parameters
        self._classifier = PhaseClassifier(parameters)
        self._touchdowns = None

    def enclose(self, field: FieldSize) -> None:
        """End predictions at the boards and goals of a field."""
        self._boundary = FieldBoundary.of_field(field)

    def observe_kick(self, kick: Kick) -> None:
        """Store the last kick, which determines the end of sliding and the number of bounces."""
        self._kick, self._touchdowns = kick, None

    def predict(self, ball: BallState) -> Prediction:
        """Predict an estimate until the ball rests."""
        phase = self._classifier.update(ball.position, ball.velocity)
        trajectory = predict_ball(self._state(ball), self._parameters, self._boundary)
        prediction = Prediction(ball.stamp_ns, phase, trajectory, ball.covariance)
        if self._anchor is None or not _moves_as_predicted(ball, self._anchor):
            self._anchor = prediction
        age = (ball.stamp_ns - self._anchor.stamp_ns) / NANOSECONDS_PER_SECOND
        return replace(prediction, age=age)

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


def _moves_as_predicted(ball: BallState, prediction: Prediction) -> bool:
    """Return whether a ball moves as an earlier prediction of it says."""
    time = (ball.stamp_ns - prediction.stamp_ns) / NANOSECONDS_PER_SECOND
    _, expected = prediction.trajectory.motion_at(time)
    speed, change = math.hypot(*expected), math.dist(ball.velocity, expected)
    return time >= 0.0 and change < SAME_VELOCITY + SAME_PART * speed
