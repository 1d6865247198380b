# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Determines which robot has the ball, without flickering between two robots next to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.match.ball.occlusion import ROBOT_HEIGHT
from world_model_core.match.play.travel_time import TOUCH
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.robot_id import RobotId

# Distances from the center of the ball to that of a robot [m]. A robot gets the ball when they
# touch, with a margin for the error of a tracker (22 mm in 95 % of cases at RoboCup 2022) and for
# the motion of the ball between two frames at 2 m/s. It loses the ball 0.06 m further away, so
# that a ball that bounces on the dribbler is still its own.
TAKEN = TOUCH + 0.05
LOST = TAKEN + 0.06
# Another robot takes over if it is nearer by more than a tracker's error [m] for about seven
# frames [ns], longer than a ball oscillates between two robots.
CLEARLY = 0.03
LASTING_NS = NANOSECONDS_PER_SECOND // 10


class BallPossession:
    """Determines the robot that has the ball, frame by frame."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Reset, as when the ball is lost."""
        self._owner: RobotId | None = None
        # The challenger and the start of the challenge [ns].
        self._challenge: tuple[RobotId, int] | None = None

    @property
    def owner(self) -> RobotId | None:
        """The robot that has the ball; None when it is free."""
        return self._owner

    def update(self, ball: BallState, robots: Robots) -> RobotId | None:
        """
        Update with the ball and the robots of the next frame.

        Parameters
        ----------
        ball : BallState
            Ball; its stamp is the time of the frame.
        robots : Robots
            Robots at about the same time.

        Returns
        -------
        RobotId or None
            The robot that has the ball.

        """
        distances = {}
        if ball.position[2] <= ROBOT_HEIGHT:
            near = robots.distances_to(ball.position).tolist()
            distances = dict(zip(robots.ids, near, strict=True))
        nearest = min(distances, key=distances.__getitem__, default=None)
        if self._owner is not None and distances.get(self._owner, LOST) >= LOST:
            self.reset()
        if nearest is None or distances[nearest] >= TAKEN:
            self._challenge = None
        elif self._owner is None:
            self._owner = nearest
        elif distances[self._owner] - distances[nearest] <= CLEARLY:
            self._challenge = None
        else:
            self._challenged_by(nearest, ball.stamp_ns)
        return self._owner

    def _challenged_by(self, robot: RobotId, stamp_ns: int) -> None:
        """Give the ball to a robot that has been clearly nearer for long enough."""
        challenger, since_ns = self._challenge or (robot, stamp_ns)
        if challenger != robot or stamp_ns < since_ns:
            since_ns = stamp_ns
        self._challenge = robot, since_ns
        if stamp_ns - since_ns >= LASTING_NS:
            self._owner, self._challenge = robot, None
