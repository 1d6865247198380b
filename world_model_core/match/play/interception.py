# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where robots can meet the ball, and how much time they have to spare there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.trajectory import INTERCEPTABLE_HEIGHT
from world_model_core.match.play.travel_time import TOUCH, USUAL_LIMITS, TravelLimits, travel_times
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.robots.estimate import Robots
    from world_model_core.match.ssl.values import RobotId

# ibis's figures: how far ahead the ball is looked for, and how densely [s]. Between two steps a
# ball faster than 2 m/s goes further than a robot is wide: a finer step, which costs little, also
# finds who just stands in its way.
HORIZON = 3.0
STEP = 0.1


class Interception(NamedTuple):
    """
    A meeting of a robot and the ball.

    `time` [s from now], `place` of the ball (x, y) [m], `slack` [s]: how long the robot, stopped
    where it touches that, waits for the ball; negative when it comes too late.
    """

    robot: RobotId
    time: float
    place: Array
    slack: float


@dataclass(frozen=True, slots=True, eq=False)
class Slacks:
    """
    The time that each robot has to spare at each place that the ball comes to.

    Parameters
    ----------
    ids : tuple of RobotId
        The n robots.
    times : array, shape (m,)
        When the ball is low enough to be met [s from now].
    places : array, shape (m, 2)
        Where it is then [m], field frame.
    slacks : array, shape (n, m)
        Time of the ball less travel time of the robot [s].

    """

    ids: tuple[RobotId, ...]
    times: Array
    places: Array
    slacks: Array

    def first(self) -> dict[RobotId, Interception]:
        """Find for each robot that comes in time anywhere the first place where it does."""
        in_time = self.slacks >= 0.0
        return self._meetings(np.logical_or.reduce(in_time, axis=1), in_time)

    def best(self) -> dict[RobotId, Interception]:
        """Find for each robot the place where it has most time, or comes least too late."""
        return self._meetings(np.full(len(self.ids), len(self.times) > 0), self.slacks)

    def _meetings(
        self, chosen: NDArray[np.bool_], merits: NDArray[np.bool_] | Array
    ) -> dict[RobotId, Interception]:
        """Let each robot chosen, (n,), meet the ball at the first place of most merit, (n, m)."""
        meetings = {}
        for row in np.flatnonzero(chosen).tolist():
            column, robot = int(merits[row].argmax()), self.ids[row]
            time, slack = float(self.times[column]), float(self.slacks[row, column])
            meetings[robot] = Interception(robot, time, self.places[column], slack)
        return meetings


def find_slacks(
    prediction: Prediction,
    robots: Robots,
    now_ns: int,
    limits: TravelLimits = USUAL_LIMITS,
    *,
    horizon: float = HORIZON,
    step: float = STEP,
) -> Slacks:
    """
    Compare the ball with all robots at all places that it comes to.

    A robot is there when its hull, taken as round, touches the ball; who does now is in time.
    Ball and robots are moved on from their own instants to the present one: what they did
    meanwhile nobody can change. Robots go on at constant velocity until then.

    Parameters
    ----------
    prediction : Prediction
        The ball's way.
    robots : Robots
    now_ns : int
        The present [ns], of the clock of both stamps.
    limits : TravelLimits
        Of all robots.
    horizon, step : float
        How far ahead and how densely to look [s].

    """
    times = step * np.arange(int(horizon / step + 1e-9) + 1, dtype=np.float64)
    elapsed = (now_ns - prediction.stamp_ns) / NANOSECONDS_PER_SECOND
    positions, _ = prediction.trajectory.at(elapsed + times)
    low = positions[:, 2] <= INTERCEPTABLE_HEIGHT
    times, places = times[low], positions[low, :2]
    velocities = robots.velocities[:, :2]
    starts = robots.poses[:, :2] + (now_ns - robots.stamp_ns) / NANOSECONDS_PER_SECOND * velocities
    travels = travel_times(starts, velocities, places, limits, TOUCH)
    return Slacks(robots.ids, times, places, times - travels)
