# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What we believe of the ball between and after sightings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.estimate import BallSource, BallState
from world_model_core.match.ball.occlusion import BALL_RADIUS, ROBOT_RADIUS, hidden_by
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.cameras.camera_pose import CameraPose

# A ball this near to the centre of the robot that hides it touches that [m]: radii of both, and
# what an unseen ball is off by at once.
CONTACT = ROBOT_RADIUS + BALL_RADIUS + 0.03


@dataclass(frozen=True, slots=True)
class BallBeliefParameters:
    """
    How long a sighting counts.

    Parameters
    ----------
    tracker_timeout, vision_timeout : float
        A sighting older than this is no sight of the ball any more [s].
    sensor_timeout : float
        The same of a robot's report that its ball sensor is triggered [s].
    rest_after : float
        The velocity of a ball that is only LAST_KNOWN for this long is taken as zero [s].
    life : float
        Without any evidence for this long there is no ball [s].
    acceleration_density : float
        Power spectral density of the acceleration of an unseen ball [m^2/s^3].
    """

    tracker_timeout: float = 0.08
    vision_timeout: float = 0.08
    sensor_timeout: float = 0.2
    rest_after: float = 0.1
    life: float = 1.0
    acceleration_density: float = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """
    What may hide or hold the ball.

    Parameters
    ----------
    names : sequence of hashable
        Of the n robots.
    poses, velocities : array, shape (n, 3)
        Of the robots, about now: x, y [m], heading [rad] and their rates, field frame.
    cameras : sequence of CameraPose
        What each camera sees.
    held : BallState or None
        The ball as a robot's triggered ball sensor has it.

    """

    names: Sequence[Hashable]
    poses: Array
    velocities: Array
    cameras: Sequence[CameraPose]
    held: BallState | None


class _Carried(NamedTuple):
    """Who carries the ball out of sight, and where: (ahead, left) of its centre [m]."""

    name: Hashable
    ahead: float
    left: float


class BallBelief:
    """The last sighting of each source, and what follows from them at any later instant."""

    def __init__(self, parameters: BallBeliefParameters) -> None:
        self._parameters = parameters
        self._timeouts_ns = {
            BallSource.TRACKER: int(parameters.tracker_timeout * NANOSECONDS_PER_SECOND),
            BallSource.VISION: int(parameters.vision_timeout * NANOSECONDS_PER_SECOND),
        }
        self.reset()

    def reset(self) -> None:
        """Forget everything, as after a jump in time."""
        self._sighted: dict[BallSource, tuple[int, BallState]] = {}
        self._held: BallState | None = None
        self._shadow_ns = 0  # when a robot hid the ball last
        self._rested = False  # whether it was given up to be on its way
        self._carried: _Carried | None = None

    def forget(self, source: BallSource) -> None:
        """Drop what `source` saw: it is no longer the one to trust."""
        self._sighted.pop(source, None)

    def sight(self, source: BallSource, state: BallState, received_ns: int) -> None:
        """Take in that `source` (TRACKER or VISION) saw the ball; all times local [ns]."""
        self._sighted[source] = (received_ns, state)

    def at(
        self, stamp_ns: int, now_ns: int, surroundings: Surroundings
    ) -> tuple[BallSource, BallState | None]:
        """
        Estimate the ball at an instant.

        Parameters
        ----------
        stamp_ns, now_ns : int
            Instant to estimate it at, and the present one, from which silence counts [ns, local].
        surroundings : Surroundings
            Asked only when nobody sees the ball.

        Returns
        -------
        source : BallSource
        state : BallState or None
            None exactly when the source is NONE.

        """
        for source in (BallSource.TRACKER, BallSource.VISION):
            if source in self._sighted:
                received_ns, state = self._sighted[source]
                if now_ns - received_ns <= self._timeouts_ns[source]:
                    self._held, self._rested, self._carried = None, False, None
                    return source, self._coasted(state, stamp_ns)
        return self._unseen(stamp_ns, now_ns, surroundings)

    def _coasted(self, state: BallState, stamp_ns: int) -> BallState:
        return state.coasted(stamp_ns, self._parameters.acceleration_density)

    def _unseen(
        self, stamp_ns: int, now_ns: int, surroundings: Surroundings
    ) -> tuple[BallSource, BallState | None]:
        if surroundings.held is not None:
            self._held, self._rested, self._carried = surroundings.held, False, None
            return BallSource.BALL_SENSOR, self._held
        last = self._last(now_ns)
        if last is None:
            return BallSource.NONE, None
        received_ns, state = last
        moved = self._moved(state, stamp_ns, surroundings)
        if not self._rested and _hider(moved, surroundings) is not None:
            self._shadow_ns = now_ns
            return BallSource.OCCLUSION_SHADOW, moved
        lost_ns = max(received_ns + self._timeouts_ns[BallSource.VISION], self._shadow_ns)
        rest_ns = lost_ns + int(self._parameters.rest_after * NANOSECONDS_PER_SECOND)
        self._rested = self._rested or now_ns >= rest_ns
        if not self._rested:
            return BallSource.LAST_KNOWN, moved
        place = moved.position
        if self._carried is None:
            place = self._coasted(state, state.stamp_ns + rest_ns - received_ns).position
        stopped = BallState(moved.stamp_ns, place, moved.velocity, moved.covariance).at_rest()
        return BallSource.LAST_KNOWN, stopped

    def _moved(self, state: BallState, stamp_ns: int, surroundings: Surroundings) -> BallState:
        """Let an unseen ball roll on, or go with the robot that it has run into."""
        moved = self._coasted(state, stamp_ns)
        if self._carried is None:
            self._carried = _touching(moved, surroundings)
        carried = self._carried
        if carried is None or carried.name not in surroundings.names:
            self._carried = None
            return moved
        index = surroundings.names.index(carried.name)
        x, y, heading = surroundings.poses[index].tolist()
        vx, vy, turning = surroundings.velocities[index].tolist()
        ahead, aside = math.cos(heading), math.sin(heading)
        dx = ahead * carried.ahead - aside * carried.left
        dy = aside * carried.ahead + ahead * carried.left
        place = np.array((x + dx, y + dy, 0.0))
        velocity = np.array((vx - turning * dy, vy + turning * dx, 0.0))
        return BallState(stamp_ns, place, velocity, moved.covariance)

    def _last(self, now_ns: int) -> tuple[int, BallState] | None:
        """Find the newest evidence that is younger than the ball's life."""
        known = list(self._sighted.values())
        if self._held is not None:
            known.append((self._held.stamp_ns, self._held))
        oldest = now_ns - self._parameters.life * NANOSECONDS_PER_SECOND
        alive = [entry for entry in known if entry[0] >= oldest]
        return max(alive, key=lambda entry: entry[0], default=None)


def _hider(ball: BallState, surroundings: Surroundings) -> int | None:
    """Find the robot that hides a ball from the cameras that look there."""
    place = ball.position
    looking = [camera.position for camera in surroundings.cameras if camera.sees(place)]
    return hidden_by(place, surroundings.poses[:, :2], looking)


def _touching(ball: BallState, surroundings: Surroundings) -> _Carried | None:
    """Find the robot that a ball has come up against, in its shadow."""
    index = _hider(ball, surroundings)
    if index is None:
        return None
    x, y, heading = surroundings.poses[index].tolist()
    dx, dy = ball.position[0] - x, ball.position[1] - y
    distance = math.hypot(dx, dy)
    if distance > CONTACT:
        return None
    # Not inside the robot: a ball that is said to be there has come to its hull.
    stretch = max(1.0, ROBOT_RADIUS / max(distance, 1e-6))
    ahead, aside = stretch * math.cos(heading), stretch * math.sin(heading)
    return _Carried(surroundings.names[index], ahead * dx + aside * dy, ahead * dy - aside * dx)
