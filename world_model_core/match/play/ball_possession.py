# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which robot has the ball, without flickering between two that are next to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.match.ball.occlusion import ROBOT_HEIGHT
from world_model_core.match.play.travel_time import TOUCH
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.robots.estimate import Robots
    from world_model_core.match.ssl.values import RobotId

# Distances of the ball's centre from a robot's [m]. A robot gets the ball when they touch, but for
# what a tracker is off by (22 mm in 95 of 100 cases on the RoboCup 2022 field) and for what the
# ball moves between two frames at 2 m/s; it has lost it 0.06 m further away, so that a ball that
# bounces on the dribbler stays its own.
TAKEN = TOUCH + 0.05
LOST = TAKEN + 0.06
# Another robot takes the ball over when it is nearer by more than a tracker is off [m], and that
# for some seven frames [ns], longer than a ball between two robots sways.
CLEARLY = 0.03
LASTING_NS = NANOSECONDS_PER_SECOND // 10


class BallPossession:
    """Judges ball and robots, frame after frame."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget who had the ball, as when nobody knows where it is."""
        self._owner: RobotId | None = None
        self._challenge: tuple[RobotId, int] | None = None  # and since when [ns]

    @property
    def owner(self) -> RobotId | None:
        """The robot that has the ball; None when it is free."""
        return self._owner

    def update(self, ball: BallState, robots: Robots) -> RobotId | None:
        """
        Judge the next instant.

        Parameters
        ----------
        ball : BallState
            Its stamp is the instant.
        robots : Robots
            About then.

        Returns
        -------
        RobotId or None
            The owner.

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
        """Let a robot that is clearly nearer take the ball over once it was for long enough."""
        challenger, since_ns = self._challenge or (robot, stamp_ns)
        if challenger != robot or stamp_ns < since_ns:
            since_ns = stamp_ns
        self._challenge = robot, since_ns
        if stamp_ns - since_ns >= LASTING_NS:
            self._owner, self._challenge = robot, None
