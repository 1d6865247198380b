# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Finds where robots can intercept the ball, and the time that they have to spare."""

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
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.robot_id import RobotId

# Horizon and step of the search [s], as in ibis. Between two steps a ball faster than 2 m/s moves
# further than a robot is wide; a finer step costs little and also finds robots in its path.
HORIZON = 3.0
STEP = 0.1


class Interception(NamedTuple):
    """
    An interception of the ball by a robot.

    `time` [s from now], `place` of the ball (x, y) [m], `slack` [s]: how long the robot waits for
    the ball at this position; negative if it arrives too late.
    """

    robot: RobotId
    time: float
    place: Array
    slack: float


@dataclass(frozen=True, slots=True, eq=False)
class Slacks:
    """
    The time that each robot has to spare at each predicted position of the ball.

    Parameters
    ----------
    ids : tuple of RobotId
        The n robots.
    times : array, shape (m,)
        Times at which the ball is low enough to be intercepted [s from now].
    places : array, shape (m, 2)
        Positions of the ball at these times [m], field frame.
    slacks : array, shape (n, m)
        Time of the ball minus travel time of the robot [s].

    """

    ids: tuple[RobotId, ...]
    times: Array
    places: Array
    slacks: Array

    def first(self) -> dict[RobotId, Interception]:
        """Return the first interception of each robot that arrives in time anywhere."""
        in_time = self.slacks >= 0.0
        return self._meetings(np.logical_or.reduce(in_time, axis=1), in_time)

    def best(self) -> dict[RobotId, Interception]:
        """Return the interception of each robot with the largest slack."""
        return self._meetings(np.full(len(self.ids), len(self.times) > 0), self.slacks)

    def _meetings(
        self, chosen: NDArray[np.bool_], merits: NDArray[np.bool_] | Array
    ) -> dict[RobotId, Interception]:
        """Return the first interception of highest merit (n, m) for the chosen robots (n,)."""
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
    Compare the travel times of all robots with the predicted positions of the ball.

    A robot has arrived when its hull, a circle, touches the ball. Ball and robots are predicted
    from their own stamps to the current time, the robots at constant velocity.

    Parameters
    ----------
    prediction : Prediction
        Prediction of the ball.
    robots : Robots
    now_ns : int
        Current time [ns], in the clock of both stamps.
    limits : TravelLimits
        Limits of all robots.
    horizon, step : float
        Horizon and step of the search [s].

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
