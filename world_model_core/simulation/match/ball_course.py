# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The motion of a single ball that is kicked several times, as a function of time."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import BallTrajectory, predict_ball
from world_model_core.simulation.match.ground_truth import MatchTruth, TrueKick, Vector
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.ball_constants import BallParameters


@dataclass(frozen=True, slots=True, eq=False)
class CourseLeg:
    """A part of a course: its start [ns], its trajectory, and the kick that started it, if any."""

    stamp_ns: int
    trajectory: BallTrajectory
    kick: TrueKick | None = None


@dataclass(frozen=True, eq=False)
class BallCourse:
    """
    The course of a single ball, without robots; an `ObservedWorld` for simulated cameras.

    Parameters
    ----------
    legs : tuple of CourseLeg
        In order of time; each is valid until the next starts, the first also before its start.

    """

    legs: tuple[CourseLeg, ...]

    @property
    def kicks(self) -> tuple[TrueKick, ...]:
        """All kicks."""
        return tuple(leg.kick for leg in self.legs if leg.kick)

    @property
    def rest_ns(self) -> int:
        """Time at which the ball comes to its final rest [ns]."""
        last = self.legs[-1]
        return last.stamp_ns + math.ceil(NANOSECONDS_PER_SECOND * last.trajectory.rest_time)

    def state_at(self, stamp_ns: int) -> BallMotionState:
        """Return the motion state of the ball at a time [ns]."""
        leg = self._leg_at(stamp_ns)
        return leg.trajectory.state_at(to_seconds(stamp_ns - leg.stamp_ns))

    def advance(self, stamp_ns: int) -> MatchTruth:
        """Return the ground truth at a time [ns since the simulation began]."""
        leg, state = self._leg_at(stamp_ns), self.state_at(stamp_ns)
        position, velocity = cast('Vector', state.position), cast('Vector', state.velocity)
        return MatchTruth(stamp_ns, position, velocity, leg.kick, None, (), leg.stamp_ns)

    def _leg_at(self, stamp_ns: int) -> CourseLeg:
        """Return the leg at a time [ns]."""
        return self.legs[bisect_right(self._stamps, stamp_ns, lo=1) - 1]

    @cached_property
    def _stamps(self) -> list[int]:
        """Start times of the legs [ns]."""
        return [leg.stamp_ns for leg in self.legs]


def follow_kicks(
    position: tuple[float, float],
    kicks: Sequence[tuple[int, Vector]],
    parameters: BallParameters,
) -> BallCourse:
    """
    Return the course of a ball that lies until its first kick.

    Parameters
    ----------
    position : tuple of float
        Initial position (x, y) [m].
    kicks : sequence of tuple
        Time [ns], ascending, and velocity of the kicked ball (x, y, z) [m/s].
    parameters : BallParameters
        Constants of the ball.

    """
    start = BallMotionState((*position, 0.0), (0.0, 0.0, 0.0))
    course = BallCourse((CourseLeg(0, predict_ball(start, parameters)),))
    for stamp_ns, velocity in kicks:
        course = add_kick(course, stamp_ns, velocity, parameters)
    return course


def add_kick(
    course: BallCourse, stamp_ns: int, velocity: Vector, parameters: BallParameters
) -> BallCourse:
    """Return a course with another kick: time [ns] not before the last one, velocity [m/s]."""
    position = cast('Vector', course.state_at(stamp_ns).position)
    state = BallMotionState(position, velocity, kick_speed=math.hypot(*velocity[:2]))
    kick = TrueKick(stamp_ns, position, velocity, None)
    return BallCourse((*course.legs, CourseLeg(stamp_ns, predict_ball(state, parameters), kick)))
