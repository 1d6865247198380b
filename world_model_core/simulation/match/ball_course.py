# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The way of a lone ball that is kicked again and again, known at any instant."""

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

    from world_model_core.match.ball.parameters import BallParameters


@dataclass(frozen=True, slots=True, eq=False)
class CourseLeg:
    """A piece of the way: its trajectory, from when on [ns], and the kick that began it."""

    stamp_ns: int
    trajectory: BallTrajectory
    kick: TrueKick | None = None


@dataclass(frozen=True, eq=False)
class BallCourse:
    """
    A ball's way, nobody else around; a world for cameras to look at.

    Parameters
    ----------
    legs : tuple of CourseLeg
        In order of time, each up to the next; the first also holds before it begins.

    """

    legs: tuple[CourseLeg, ...]

    @property
    def kicks(self) -> tuple[TrueKick, ...]:
        """All kicks."""
        return tuple(leg.kick for leg in self.legs if leg.kick)

    @property
    def rest_ns(self) -> int:
        """When the ball comes to rest for good [ns]."""
        last = self.legs[-1]
        return last.stamp_ns + math.ceil(NANOSECONDS_PER_SECOND * last.trajectory.rest_time)

    def state_at(self, stamp_ns: int) -> BallMotionState:
        """Give what is needed to know the ball's future, kicks aside, from an instant on [ns]."""
        leg = self._leg_at(stamp_ns)
        return leg.trajectory.state_at(to_seconds(stamp_ns - leg.stamp_ns))

    def advance(self, stamp_ns: int) -> MatchTruth:
        """Tell what is so at an instant [ns since the simulation began]."""
        leg, state = self._leg_at(stamp_ns), self.state_at(stamp_ns)
        position, velocity = cast('Vector', state.position), cast('Vector', state.velocity)
        return MatchTruth(stamp_ns, position, velocity, leg.kick, None, (), leg.stamp_ns)

    def _leg_at(self, stamp_ns: int) -> CourseLeg:
        """Find the piece of an instant [ns]."""
        return self.legs[bisect_right(self._stamps, stamp_ns, lo=1) - 1]

    @cached_property
    def _stamps(self) -> list[int]:
        """When each piece begins [ns]."""
        return [leg.stamp_ns for leg in self.legs]


def follow_kicks(
    place: tuple[float, float],
    kicks: Sequence[tuple[int, Vector]],
    parameters: BallParameters,
) -> BallCourse:
    """
    Let a ball lie until its first kick, and kick it from wherever it is.

    Parameters
    ----------
    place : tuple of float
        Where it lies (x, y) [m].
    kicks : sequence of tuple
        When [ns], in order, and how fast the ball is then (x, y, z) [m/s].
    parameters : BallParameters
        How it moves.

    """
    start = BallMotionState((*place, 0.0), (0.0, 0.0, 0.0))
    course = BallCourse((CourseLeg(0, predict_ball(start, parameters)),))
    for stamp_ns, velocity in kicks:
        course = kick_on(course, stamp_ns, velocity, parameters)
    return course


def kick_on(
    course: BallCourse, stamp_ns: int, velocity: Vector, parameters: BallParameters
) -> BallCourse:
    """Add a kick to a course, at an instant [ns] not before its last one; velocity [m/s]."""
    position = cast('Vector', course.state_at(stamp_ns).position)
    state = BallMotionState(position, velocity, kick_speed=math.hypot(*velocity[:2]))
    kick = TrueKick(stamp_ns, position, velocity, None)
    return BallCourse((*course.legs, CourseLeg(stamp_ns, predict_ball(state, parameters), kick)))
